"""Exact odds of a throw, counted over all throws of distinguishable dice."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from scoring.faces import ALL_DICE
from scoring.ruleset import Ruleset
from scoring.set_asides import set_asides


def orders(faces: tuple[int, ...]) -> int:
    """Return how many of the throws of distinguishable dice show these faces."""
    repeats = (math.factorial(count) for count in Counter(faces).values())
    return math.factorial(len(faces)) // math.prod(repeats)


@lru_cache(maxsize=256)
def bust_count(dice: int, ruleset: Ruleset) -> int:
    """Return how many of the 6^dice throws of `dice` (1-6) dice give nothing to set aside."""
    if not 1 <= dice <= ALL_DICE:
        raise ValueError(f"found {dice} dice; accepted: 1 to {ALL_DICE}")
    throws = itertools.combinations_with_replacement(range(1, 7), dice)
    return sum(orders(faces) for faces in throws if not set_asides(faces, ruleset))


def bust_probability(dice_left: int, ruleset: Ruleset) -> float:
    """Return the chance that a throw of `dice_left` (1-6) dice gives nothing to set aside."""
    return float(bust_count(dice_left, ruleset) / 6**dice_left)


@dataclass(frozen=True, slots=True)
class ThrowCount:
    """How many of the 46,656 throws of six dice show `combination`, and in words what is counted."""

    combination: str
    meaning: str
    count: int

    @property
    def probability(self) -> float:
        """The chance of such a throw."""
        return float(self.count / 6**ALL_DICE)


@lru_cache(maxsize=1)
def throw_counts() -> tuple[ThrowCount, ...]:
    """Return the Danish page's table of combinations, its row of three alike in both its readings."""
    throws = [
        (Counter(faces), orders(faces))
        for faces in itertools.combinations_with_replacement(range(1, 7), ALL_DICE)
    ]
    return tuple(
        ThrowCount(name, meaning, sum(times(counts) * ways for counts, ways in throws))
        for name, meaning, times in _COUNTED
    )


def _alike(least: int) -> Callable[[Counter[int]], int]:
    return lambda counts: max(counts.values()) >= least


_COUNTED: tuple[tuple[str, str, Callable[[Counter[int]], int]], ...] = (
    ("single_5", "at least one 5", lambda counts: counts[5] > 0),
    ("single_1", "at least one 1", lambda counts: counts[1] > 0),
    ("three_alike", "three alike or more", _alike(3)),
    (
        "three_alike_each",
        "three alike or more, throws of two triplets counted twice, as the Danish page prints it",
        lambda counts: sum(count >= 3 for count in counts.values()),
    ),
    ("four_alike", "four alike or more", _alike(4)),
    ("five_alike", "five alike or more", _alike(5)),
    ("six_alike", "six alike", _alike(6)),
    ("straight", "1-2-3-4-5-6", lambda counts: len(counts) == ALL_DICE),
    ("three_pairs", "three different pairs", lambda counts: sorted(counts.values()) == [2, 2, 2]),
)
