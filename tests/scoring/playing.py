"""Short words to play games in tests: `after(game, throw("115326"), aside("11"), BANK)`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scoring.actions import Action, Bank, Misroll, MisrollReason, PutAside, Throw
from scoring.errors import IllegalActionError
from scoring.events import Event, Options
from scoring.game import Game, apply, can, new_game, replay, verify
from scoring.ruleset import load_preset, with_overrides

BANK = Bank()
BUST = Throw((2, 3, 4, 4, 6, 6))
PLAYERS = ("Ada", "Bo", "Cy", "Dee")


def game(rules: str, players: int = 2, first_seat: int = 0) -> Game:
    """A new game by words like `danish opening=0 hot_dice=must`."""
    preset, *overrides = rules.split()
    ruleset = with_overrides(load_preset(preset), dict(word.split("=") for word in overrides))
    return new_game(ruleset, PLAYERS[:players], first_seat)


def throw(faces: str) -> Throw:
    return Throw(tuple(map(int, faces)))


def aside(faces: str) -> PutAside:
    return PutAside(tuple(map(int, faces)))


def misroll(*kinds: str) -> Misroll:
    return Misroll(tuple(MisrollReason(kind) for kind in kinds))


def after(start: Game, *actions: Action) -> Game:
    return replay(start, actions)


def events_of(start: Game, *actions: Action) -> list[Event]:
    """Everything that came of the actions but the options of each throw."""
    events: list[Event] = []
    now = start
    for action in actions:
        now, new = apply(now, action)
        events += (event for event in new if not isinstance(event, Options))
    return events


STEPS = (("111", 1000), ("666", 600), ("444", 400), ("222", 200), ("1", 100), ("5", 50))


def turn_of(points: int) -> Iterator[Action]:
    """A turn that banks `points`, a multiple of 50, in as many throws as it takes."""
    free, left = 6, points
    while left:
        faces, worth = next(step for step in STEPS if step[1] <= left and len(step[0]) <= free)
        yield throw(faces.ljust(free, "3"))
        yield aside(faces)
        free, left = free - len(faces) or 6, left - worth
    yield BANK


def refused(now: Game, action: Action, because: str) -> None:
    """Hold that `action` is illegal now, that all three ways to ask agree, and that the rule is named."""
    assert not can(now, action)
    for ask in (verify, apply):
        try:
            ask(now, action)
        except IllegalActionError as error:
            assert re.search(because, str(error)), error  # noqa: PT017 - two ways to ask share one check
        else:
            raise AssertionError(f"{action} was accepted")
