"""What gives points under a rule set, as on a card: dice alone and alike, and whole throws."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.combinations import NOTHING_ON_SIX, SINGLE_POINTS, STRAIGHT, THREE_PAIRS
from scoring.faces import ALL_DICE, Faces
from scoring.ruleset import Ruleset
from scoring.set_asides import set_asides

FOUR_PLUS_TWO = "four_plus_two"
COUNTS = (1, 3, 4, 5, 6)


@dataclass(frozen=True, slots=True)
class AlikeRow:
    """Points of so many dice of `face` as each of `COUNTS` says; None where they give none."""

    face: int
    points: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class WholeThrow:
    """Six dice that give points together: `kind`, the field of the rules, an example, and the points."""

    kind: str
    faces: Faces
    points: int


def alike_rows(ruleset: Ruleset) -> tuple[AlikeRow, ...]:
    """Return a row for each face, 1 to 6."""
    rows = []
    for face in range(1, ALL_DICE + 1):
        alike = (_alike(face, count, ruleset) for count in COUNTS[1:])
        rows.append(AlikeRow(face, (SINGLE_POINTS.get(face), *alike)))
    return tuple(rows)


def whole_throws(ruleset: Ruleset) -> tuple[WholeThrow, ...]:
    """Return the whole throws that `ruleset` knows."""
    four_and_two = ruleset.three_pairs if ruleset.four_plus_two else 0
    known = (
        WholeThrow(STRAIGHT, (1, 2, 3, 4, 5, 6), ruleset.straight),
        WholeThrow(THREE_PAIRS, (2, 2, 3, 3, 6, 6), ruleset.three_pairs),
        WholeThrow(FOUR_PLUS_TWO, (2, 2, 2, 2, 3, 3), four_and_two),
        WholeThrow(NOTHING_ON_SIX, (2, 3, 4, 4, 6, 6), ruleset.nothing_on_six),
    )
    return tuple(each for each in known if each.points)


def _alike(face: int, count: int, ruleset: Ruleset) -> int:
    """Return the most that `count` dice alike give when all of them are set aside."""
    dice = (face,) * count
    return next(each.points for each in set_asides(dice, ruleset) if each.faces == dice)
