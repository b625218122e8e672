"""Compares the dice that lie now with those of the throw before: what lies where it lay was not thrown."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.domain import DieReading

SAME_PLACE = 0.5  # of a die's edge: how far a die that nobody touched may seem to move


def count_in_place(now: Sequence[DieReading], before: Sequence[DieReading]) -> int:
    """Return how many of the dice `now` lie where and as a die lay `before`, each of those taken once."""
    free = list(before)
    in_place = 0
    for die in now:
        same = next((other for other in free if _lies_as(die, other)), None)
        if same is not None:
            free.remove(same)
            in_place += 1
    return in_place


def _lies_as(die: DieReading, other: DieReading) -> bool:
    same_face = die.face == other.face or None in (die.face, other.face)
    apart = float(np.hypot(*np.subtract(die.center_px, other.center_px)))
    return same_face and die.state is other.state and apart <= SAME_PLACE * edge_px(other)


def edge_px(die: DieReading) -> float:
    """Return the mean edge of the die's top face."""
    edges = die.corners_px - np.roll(die.corners_px, 1, axis=0)
    return float(np.hypot(edges[:, 0], edges[:, 1]).mean())
