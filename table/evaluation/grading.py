"""Holds one verdict against the truth of its picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from table.evaluation.labels import LabelledDie, LabelledStill, TrueVerdict
from vision.domain import DieReading, ReasonKind, Ruling, Verdict


@dataclass(frozen=True, slots=True)
class DiceGrade:
    """What became of the labelled dice (right + misread + missed make `dice`), and dice that are not there.

    `right`: found, face right; `misread`: found, another face or none read; `missed`: not found;
    `invented`: readings that belong to no labelled die.
    """

    dice: int
    right: int
    misread: int
    missed: int
    invented: int


@dataclass(frozen=True, slots=True)
class StillGrade:
    """One picture graded.

    `faces_right`: the faces read are the labelled ones, no die too many or too few, whatever the ruling;
    dice not required may be read or not.
    `wrong_and_sure`: the ruling is not unsure, and it or (unless a true misroll) the faces are wrong.
    """

    still: LabelledStill
    verdict: Verdict
    dice: DiceGrade
    faces_right: bool
    wrong_and_sure: bool
    ms: float

    @property
    def unsure(self) -> bool:
        """Whether the referee asks a person."""
        return self.verdict.ruling is Ruling.UNSURE

    @property
    def right_and_sure(self) -> bool:
        """Faces right, said without asking, and the ruling not wrong."""
        return self.faces_right and not self.unsure and not self.wrong_and_sure

    @property
    def kinds(self) -> frozenset[ReasonKind]:
        """Kinds of the reasons the verdict names."""
        return frozenset(reason.kind for reason in self.verdict.reasons)


def grade(still: LabelledStill, verdict: Verdict, size: tuple[int, int], ms: float) -> StillGrade:
    """Grade `verdict` on `still`, a picture of `size` (width, height) pixels judged in `ms`."""
    read = Counter(die.face for die in verdict.dice)
    if all(die.box is not None for die in still.dice):
        dice = _grade_by_place(still.dice, verdict.dice, size)
    else:
        dice = _grade_by_faces(still.dice, read)
    faces_right = faces_agree(still.dice, read)
    wrong = wrong_and_sure(still.verdict, verdict.ruling, faces_right)
    return StillGrade(still, verdict, dice, faces_right, wrong, ms)


def faces_agree(dice: Sequence[LabelledDie], read: Counter[int | None]) -> bool:
    """Whether every required die is read, and nothing is read but required and optional ones."""
    required = Counter(die.face for die in dice if die.required)
    labelled = Counter(die.face for die in dice)
    return all(read[face] >= n for face, n in required.items()) and all(
        face is not None and n <= labelled[face] for face, n in read.items()
    )


def wrong_and_sure(truth: TrueVerdict | None, ruling: Ruling, faces_right: bool) -> bool:
    """Whether the ruling does not ask a person, and it or the faces are wrong."""
    if ruling is Ruling.UNSURE:
        return False
    if truth is None:
        return not faces_right
    if ruling is not truth.ruling:
        return True
    return truth.ruling is Ruling.VALID and not faces_right  # a misroll's faces do not count


def _grade_by_faces(dice: Sequence[LabelledDie], read: Counter[int | None]) -> DiceGrade:
    """Without places: a face both sides have is right, what is left over on both sides is misread."""
    truth = Counter(die.face for die in dice)
    right = sum(min(n, read[face]) for face, n in truth.items())
    lost, over = len(dice) - right, read.total() - right
    misread = min(lost, over)
    return DiceGrade(len(dice), right, misread, lost - misread, over - misread)


def _grade_by_place(
    dice: Sequence[LabelledDie], readings: Sequence[DieReading], size: tuple[int, int]
) -> DiceGrade:
    """A reading belongs to the nearest labelled die whose box holds its centre, one reading a die."""
    matches = match_readings(dice, readings, size)
    required = [i for i, die in enumerate(dice) if die.required]
    found = [i for i in required if i in matches]
    right = sum(readings[matches[i]].face == dice[i].face for i in found)
    return DiceGrade(
        len(required), right, len(found) - right, len(required) - len(found), len(readings) - len(matches)
    )


def match_readings(
    dice: Sequence[LabelledDie], readings: Sequence[DieReading], size: tuple[int, int]
) -> dict[int, int]:
    """Index of a labelled die -> index of its reading; nearest pairs first."""
    pairs = []
    for r, reading in enumerate(readings):
        x, y = reading.center_px[0] / size[0], reading.center_px[1] / size[1]
        for d, die in enumerate(dice):
            if die.box is not None and die.box.holds(x, y):
                center_x, center_y = die.box.center
                pairs.append(((x - center_x) ** 2 + (y - center_y) ** 2, d, r))
    matches: dict[int, int] = {}
    for _, d, r in sorted(pairs):
        if d not in matches and r not in matches.values():
            matches[d] = r
    return matches
