"""Compares the dice that lie now with those of the throw before: what lies where it lay was not thrown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from vision.domain import DieReading, DieState

SAME_PLACE = 0.5  # of a die's edge: how far a die that nobody touched may seem to move
NUDGED = 1.0  # edges: a die with its face no farther away was pushed, by a hand that took another


@dataclass(frozen=True, slots=True)
class Kept:
    """Which dice of the throw before lie now: for each, its place among those before, None for a new one.

    `in_place`: how many lie where they lay; the others that have a place were pushed a little.
    """

    places: tuple[int | None, ...]
    in_place: int

    @property
    def mostly(self) -> bool:
        """Whether most of the dice that lie now were not touched."""
        return 2 * self.in_place > len(self.places)

    @property
    def untouched(self) -> bool:
        """Whether none that lies now was touched."""
        return self.in_place == len(self.places)


def kept_dice(now: Sequence[DieReading], before: Sequence[DieReading]) -> Kept:
    """Return which of the dice `before` the dice `now` are, each of those taken once.

    Where most were not touched the others were not thrown either, however far away they lie.
    """
    places: list[int | None] = [None] * len(now)
    _assign(now, before, places, _lies_as)
    in_place = sum(place is not None for place in places)
    kept = Kept(tuple(places), in_place)
    _assign(now, before, places, _shows_as if kept.mostly else _is_pushed)
    return Kept(tuple(places), in_place)


def all_found(dice: Sequence[DieReading], among: Sequence[DieReading]) -> bool:
    """Return whether each of `dice` is `among` those of another look, with its face if it was read."""
    places: list[int | None] = [None] * len(dice)
    _assign(dice, among, places, _is_read_as)
    return None not in places


def _assign(
    now: Sequence[DieReading],
    before: Sequence[DieReading],
    places: list[int | None],
    is_same: Callable[[DieReading, DieReading], bool],
) -> None:
    """Give each die without a place the first free one where `is_same` holds."""
    for number, die in enumerate(now):
        if places[number] is None:
            free = (place for place in range(len(before)) if place not in places)
            places[number] = next((place for place in free if is_same(die, before[place])), None)


def _lies_as(die: DieReading, other: DieReading) -> bool:
    open_state = DieState.UNSURE in (die.state, other.state)
    return (open_state or die.state is other.state) and _is_read_as(die, other)


def _is_read_as(die: DieReading, other: DieReading) -> bool:
    same_face = die.face == other.face or None in (die.face, other.face)
    return same_face and _apart(die, other) <= SAME_PLACE


def _is_pushed(die: DieReading, other: DieReading) -> bool:
    return _shows_as(die, other) and _apart(die, other) <= NUDGED


def _shows_as(die: DieReading, other: DieReading) -> bool:
    return die.face is not None and die.face == other.face


def _apart(die: DieReading, other: DieReading) -> float:
    """Return how far two dice are from each other, in edges."""
    return float(np.hypot(*np.subtract(die.center_px, other.center_px))) / edge_px(other)


def entered_faces(
    read: Sequence[int | None], entered: Sequence[int | None], places: Sequence[int]
) -> tuple[int | None, ...] | None:
    """Return the faces by die when `entered` is what the dice at `places` show; None where it cannot be told.

    Dice that were read as one of the faces keep it; the others get what is left, if that is all alike.
    """
    if len(entered) != len(places):
        return None
    left = list(entered)
    faces: list[int | None] = [None] * len(read)
    for place in places:
        if read[place] in left:
            left.remove(read[place])
            faces[place] = read[place]
    if len(set(left)) > 1:
        return None
    for place in places:
        if faces[place] is None and left:
            faces[place] = left[0]
    return tuple(faces)


def edge_px(die: DieReading) -> float:
    """Return the mean edge of the die's top face."""
    edges = die.corners_px - np.roll(die.corners_px, 1, axis=0)
    return float(np.hypot(edges[:, 0], edges[:, 1]).mean())
