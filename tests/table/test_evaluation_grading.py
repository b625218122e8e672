"""Grades and figures, against cases worked out by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from table.evaluation.figures import Share, as_record, as_table, sum_up
from table.evaluation.grading import StillGrade, grade
from table.evaluation.labels import Box, LabelledDie, LabelledStill, TrueVerdict
from vision.domain import DieReading, DieState, Reason, ReasonKind, Ruling, Verdict

SIZE = (100, 200)
FLAT = TrueVerdict(Ruling.VALID)
faces = st.lists(st.integers(1, 6), max_size=8)


def reading(face: int | None, x: float = 0, y: float = 0) -> DieReading:
    return DieReading(face, 0.9, (x, y), np.zeros((4, 2)), DieState.FLAT)


def verdict(ruling: Ruling, dice: Sequence[DieReading], *kinds: ReasonKind) -> Verdict:
    return Verdict(ruling, tuple(Reason(kind, None, kind) for kind in kinds), tuple(dice))


def graded(
    truth: Sequence[LabelledDie], said: Verdict, true_verdict: TrueVerdict | None = None, ms: float = 1
) -> StillGrade:
    return grade(LabelledStill(Path("a.jpg"), tuple(truth), true_verdict), said, SIZE, ms)


def by_faces(truth: Sequence[int], read: Sequence[int | None], ruling: Ruling = Ruling.VALID) -> StillGrade:
    return graded([LabelledDie(face) for face in truth], verdict(ruling, [reading(face) for face in read]))


@given(faces, faces)
def test_faces_are_right_exactly_when_the_sorted_faces_are_equal(truth: list[int], read: list[int]) -> None:
    assert by_faces(truth, read).faces_right == (sorted(truth) == sorted(read))


@given(faces, faces)
def test_every_labelled_die_is_right_misread_or_missed(truth: list[int], read: list[int]) -> None:
    dice = by_faces(truth, read).dice
    assert dice.right + dice.misread + dice.missed == dice.dice == len(truth)
    assert dice.right + dice.misread + dice.invented == len(read)
    assert dice.right == (Counter(truth) & Counter(read)).total()


def test_a_die_left_unread_is_misread_and_spoils_the_picture() -> None:
    result = by_faces([1, 5], [1, None])
    assert (result.dice.right, result.dice.misread, result.dice.missed) == (1, 1, 0)
    assert not result.faces_right


def test_an_unsure_verdict_is_never_silently_wrong() -> None:
    result = by_faces([1, 5], [2, 3], Ruling.UNSURE)
    assert result.unsure
    assert not result.wrong_and_sure


def test_right_faces_under_an_unsure_verdict_are_right_but_not_sure() -> None:
    result = by_faces([1, 5], [5, 1], Ruling.UNSURE)
    assert result.faces_right
    assert not result.right_and_sure


@pytest.mark.parametrize(
    ("truth", "ruling", "read", "wrong"),
    [
        (None, Ruling.MISROLL, [1, 5], False),  # the labels know no verdict
        (FLAT, Ruling.MISROLL, [1, 5], True),
        (FLAT, Ruling.VALID, [1, 5], False),
        (FLAT, Ruling.VALID, [1, 6], True),
        (TrueVerdict(Ruling.MISROLL), Ruling.MISROLL, [1], False),  # a misroll's faces do not count
        (TrueVerdict(Ruling.MISROLL), Ruling.VALID, [1, 5], True),
    ],
)
def test_a_wrong_ruling_is_as_wrong_as_a_wrong_face(
    truth: TrueVerdict | None, ruling: Ruling, read: list[int], wrong: bool
) -> None:
    said = verdict(ruling, [reading(face) for face in read])
    assert graded([LabelledDie(1), LabelledDie(5)], said, truth).wrong_and_sure == wrong


def test_with_boxes_a_right_face_in_the_wrong_place_is_invented() -> None:
    truth = [LabelledDie(3, Box(0.0, 0.0, 0.2, 0.2)), LabelledDie(4, Box(0.5, 0.5, 0.7, 0.7))]
    said = verdict(Ruling.VALID, [reading(3, 10, 20), reading(4, 95, 190)])
    dice = graded(truth, said).dice
    assert (dice.right, dice.misread, dice.missed, dice.invented) == (1, 0, 1, 1)


def test_overlapping_boxes_take_one_reading_each_nearest_first() -> None:
    truth = [LabelledDie(3, Box(0.0, 0.0, 0.5, 0.5)), LabelledDie(4, Box(0.1, 0.1, 0.6, 0.6))]
    said = verdict(Ruling.VALID, [reading(4, 34, 68), reading(3, 26, 52)])
    assert graded(truth, said).dice.right == 2


def test_a_hidden_die_may_be_read_or_not() -> None:
    truth = [LabelledDie(3, Box(0.0, 0.0, 0.2, 0.2)), LabelledDie(4, Box(0.5, 0.5, 0.7, 0.7), required=False)]
    seen, hidden = reading(3, 10, 20), reading(4, 60, 120)
    for read in ([seen], [seen, hidden]):
        result = graded(truth, verdict(Ruling.VALID, read))
        assert result.faces_right
        assert (result.dice.dice, result.dice.right, result.dice.invented) == (1, 1, 0)


def test_a_hidden_die_read_with_another_face_spoils_the_picture() -> None:
    truth = [LabelledDie(3, Box(0.0, 0.0, 0.2, 0.2)), LabelledDie(4, Box(0.5, 0.5, 0.7, 0.7), required=False)]
    assert not graded(truth, verdict(Ruling.VALID, [reading(3, 10, 20), reading(5, 60, 120)])).faces_right


def test_figures_of_a_folder_worked_out_by_hand() -> None:
    tilted = TrueVerdict(Ruling.MISROLL, frozenset({ReasonKind.TILTED}))
    lost = TrueVerdict(Ruling.MISROLL, frozenset({ReasonKind.MISSING}), frozenset({ReasonKind.OUTSIDE}))
    one, two = [LabelledDie(1)], [reading(1)]
    grades = [
        graded(one, verdict(Ruling.VALID, two), FLAT, ms=10),
        graded(one, verdict(Ruling.MISROLL, two, ReasonKind.TILTED), FLAT, ms=20),
        graded(one, verdict(Ruling.MISROLL, two, ReasonKind.TILTED), tilted, ms=30),
        graded(one, verdict(Ruling.VALID, []), tilted, ms=40),
        graded(one, verdict(Ruling.MISROLL, two, ReasonKind.OUTSIDE), lost, ms=50),
        graded(one, verdict(Ruling.UNSURE, []), None, ms=60),
    ]
    figures = sum_up("dev/x", "rig", grades, failed=1)
    assert (figures.dice, figures.right) == (Share(4, 6), Share(4, 6))
    assert (figures.unsure, figures.wrong_and_sure, figures.right_and_sure) == (
        Share(1, 6),
        Share(2, 6),
        Share(3, 6),
    )
    assert (figures.ms_median, figures.ms_p95) == (35.0, 60.0)
    kinds = figures.misrolls
    assert (kinds["misroll"].recall, kinds["misroll"].false_alarms) == (Share(2, 3), Share(1, 2))
    assert (kinds["tilted"].recall, kinds["tilted"].false_alarms) == (Share(1, 2), Share(1, 3))
    assert (kinds["missing"].recall, kinds["missing"].false_alarms) == (Share(0, 1), Share(0, 4))
    assert (kinds["outside"].recall, kinds["outside"].false_alarms) == (Share(0, 0), Share(0, 4))
    assert as_record(figures)["failed"] == 1
    assert "dev/x" in as_table([figures])


def test_nothing_measured_is_null_and_not_zero() -> None:
    record = as_record(sum_up("dev/x", "yolo", [], failed=3))
    assert (record["images_right"], record["ms_median"], record["misrolls"]) == (None, None, {})
