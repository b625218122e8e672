"""A slow second opinion on what a turn is worth: plain Python on the oracle's set-asides, no code of ours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product

from tests.scoring.oracle import Dice, Rules, expected_set_asides, worth

Choice = tuple[int, int, int | None]  # points, dice left, points if banked at once or None
Outcomes = Mapping[int, list[tuple[int, list[Choice]]]]  # by dice: (how many throws, their choices)


def outcomes(rules: Rules) -> Outcomes:
    """All throws of 1 to 6 dice, those that offer the same choices together."""
    known: dict[Dice, int | None] = {}
    found = {}
    for dice in range(1, 7):
        times: Counter[tuple[Choice, ...]] = Counter()
        for throw, ways in Counter(tuple(sorted(each)) for each in product(range(1, 7), repeat=dice)).items():
            times[choices(throw, rules, known)] += ways
        found[dice] = [(ways, list(each)) for each, ways in times.items()]
    return found


def choices(throw: Dice, rules: Rules, known: dict[Dice, int | None]) -> tuple[Choice, ...]:
    made = []
    for taken, points in expected_set_asides(throw, rules, known).items():
        hot = len(taken) == len(throw)
        made.append((points, 6 if hot else len(throw) - len(taken), banked(taken, points, hot, rules, known)))
    return tuple(sorted(made, key=str))


def banked(taken: Dice, points: int, hot: bool, rules: Rules, known: dict[Dice, int | None]) -> int | None:
    """What the dice count for when banked at once: with confirmation, some single 1 or 5 must stand alone."""
    if hot and rules["hot_dice"] == "must":
        return None
    if not rules["confirmation"]:
        return points
    ways = []
    for face, single in ((1, 100), (5, 50)):
        if face in taken:
            rest = list(taken)
            rest.remove(face)
            others = worth(tuple(rest), rules, known)
            if others is not None:
                ways.append(single + others)
    return max(ways, default=None)


@dataclass(frozen=True)
class Turn:
    """What a turn's ends are worth: `bank` None where not allowed; from `top` points on nothing changes."""

    bank: Callable[[int], float | None]
    bust: float
    top: int
    passed: Callable[[int], bool] = lambda _points: False


def throw_values(turn: Turn, outcomes: Outcomes, step: int = 50) -> dict[tuple[int, int], float]:
    """The worth of throwing, by (points, dice)."""
    values = {(turn.top, dice): turn.bust for dice in outcomes}
    for _ in range(400):
        for dice in outcomes:
            values[turn.top, dice] = thrown(turn.top, dice, turn, outcomes, values)
    for points in range(turn.top - step, -1, -step):
        for dice in outcomes:
            values[points, dice] = thrown(points, dice, turn, outcomes, values)
    return values


def thrown(
    points: int, dice: int, turn: Turn, outcomes: Outcomes, values: Mapping[tuple[int, int], float]
) -> float:
    total = 0.0
    for ways, offered in outcomes[dice]:
        best = max((chosen(points, each, turn, values) for each in offered), default=turn.bust)
        total += ways * best
    return total / 6**dice


def chosen(points: int, choice: Choice, turn: Turn, values: Mapping[tuple[int, int], float]) -> float:
    won, left, if_banked = choice
    if turn.passed(points + won):
        return 0.0
    on = values[min(points + won, turn.top), left]
    bank = None if if_banked is None else turn.bank(points + if_banked)
    return on if bank is None else max(on, bank)
