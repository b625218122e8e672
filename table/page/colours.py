"""A colour for each player: the one that was chosen for the name, or the first that is free."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

COLOURS = (  # each told apart from its neighbours on the dark ground, also by those who see few colours
    "#4cc3ff",
    "#ffb347",
    "#7ee0a4",
    "#ff7a9c",
    "#c9a6ff",
    "#ffe66b",
    "#2fd6c7",
    "#ff8f5a",
    "#b8c4d6",
    "#9bd14a",
)


def colours_of(players: Sequence[str], chosen: Mapping[str, int]) -> tuple[int, ...]:
    """Return the number of each player's colour; no two alike among as many as there are colours."""
    taken: dict[str, int] = {}
    for name in players:
        if name in chosen and chosen[name] not in taken.values():
            taken[name] = chosen[name]
    for name in players:
        if name not in taken:
            taken[name] = next_free(len(COLOURS) - 1, taken.values())
    return tuple(taken[name] for name in players)


def next_free(after: int, taken: Collection[int]) -> int:
    """Return the first colour after number `after` that is not `taken`, the following one if all are."""
    round_from = [(after + 1 + step) % len(COLOURS) for step in range(len(COLOURS))]
    return next((colour for colour in round_from if colour not in taken), round_from[0])
