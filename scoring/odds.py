"""Exact odds of a throw."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from functools import lru_cache

from scoring.faces import ALL_DICE
from scoring.ruleset import Ruleset
from scoring.set_asides import set_asides


@lru_cache(maxsize=256)
def bust_count(dice: int, ruleset: Ruleset) -> int:
    """Return how many of the 6^dice throws of `dice` (1-6) dice give nothing to set aside."""
    if not 1 <= dice <= ALL_DICE:
        raise ValueError(f"found {dice} dice; accepted: 1 to {ALL_DICE}")
    throws = itertools.combinations_with_replacement(range(1, 7), dice)
    return sum(_orders(faces) for faces in throws if not set_asides(faces, ruleset))


def bust_probability(dice_left: int, ruleset: Ruleset) -> float:
    """Return the chance that a throw of `dice_left` (1-6) dice gives nothing to set aside."""
    return float(bust_count(dice_left, ruleset) / 6**dice_left)


def _orders(faces: tuple[int, ...]) -> int:
    """Count the throws of distinguishable dice that show these faces."""
    repeats = (math.factorial(count) for count in Counter(faces).values())
    return math.factorial(len(faces)) // math.prod(repeats)
