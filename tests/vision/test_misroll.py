"""The referee's rules, each test named after the one it holds.

A throw is a misroll if a die lies outside the area, not flat, or on another, or is missing; whatever cannot
be said for certain makes it unsure.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.domain import DieReading, DieState, Reason, Ruling, Verdict
from vision.measure import Measures
from vision.misroll import Evidence, rule
from vision.pose_reader import SURE_FIT

MISROLLS = {"outside", "missing", "tilted", "stacked"}  # by the contract; all other kinds make it unsure
FLAT = Measures(inside=True, margin_mm=60.0, tilt_deg=0.8, lean=-5.0, height_mm=0.3, raised=-6.0)
LEANING, RAISED = {"tilt_deg": 30.0, "lean": 6.0}, {"height_mm": 16.0, "raised": 6.0}
LYING_WELL = Evidence(FLAT)
CORNERS = np.array([[0.0, 0], [60, 0], [60, 60], [0, 60]])


def die(face: int | None = 5, confidence: float = 0.99) -> DieReading:
    return DieReading(face, confidence, (30.0, 30.0), CORNERS, DieState.UNSURE)


def lying(**measures: Any) -> Evidence:
    """A die that lies well but for these measures."""
    return Evidence(replace(FLAT, **measures))


def kinds(verdict: Verdict) -> list[str]:
    return [reason.kind.value for reason in verdict.reasons]


def rule_one(reading: DieReading, known: Evidence) -> Verdict:
    """Rule on it as the second of two dice, the other of which lies well."""
    verdict = rule([die(2), reading], [LYING_WELL, known])
    assert all(reason.die == 1 for reason in verdict.reasons)
    assert verdict.dice[0].state is DieState.FLAT
    return verdict


def test_dice_that_lie_well_are_a_valid_throw_with_sorted_faces() -> None:
    verdict = rule([die(face) for face in (6, 1, 3, 1)], [LYING_WELL] * 4, expected_dice=4)
    assert verdict.ruling is Ruling.VALID
    assert verdict.reasons == ()
    assert verdict.faces == (1, 1, 3, 6)
    assert {d.state for d in verdict.dice} == {DieState.FLAT}


def test_dice_of_which_nothing_was_measured_are_valid_where_the_area_holds_them() -> None:
    """Without a calibration no die can be told to lean, to lie high or near the edge."""
    verdict = rule([die(4)], [Evidence(Measures(inside=True))])
    assert verdict.faces == (4,)


@pytest.mark.parametrize(("rival", "told"), [(2, "a 2 to the trained reader"), (0, "no top of a die")])
def test_readers_that_differ_make_the_throw_unsure(rival: int, told: str) -> None:
    verdict = rule_one(die(5), replace(LYING_WELL, rival=rival))
    assert (verdict.ruling, kinds(verdict)) == (Ruling.UNSURE, ["disagree"])
    assert told in verdict.reasons[0].detail


def test_which_reader_reads_which_face_is_told() -> None:
    (reason,) = rule_one(die(4), replace(LYING_WELL, by_pips=False, rival=2)).reasons
    assert reason.detail == "a 2 by its pips, a 4 to the trained reader"


def test_no_dice_at_all_are_an_empty_valid_throw_unless_some_were_expected() -> None:
    assert rule([], []) == Verdict(Ruling.VALID, (), ())
    assert rule([], []).faces == ()
    assert rule([], [], expected_dice=0).ruling is Ruling.VALID
    assert kinds(rule([], [], expected_dice=1)) == ["missing"]


def test_what_a_ruling_leaves_of_a_reading_is_all_but_its_state() -> None:
    reading = replace(die(3, 0.7), tilt_deg=40.0, margin_mm=-9.0, height_mm=2.5)
    ruled = rule([reading], [lying(inside=False, margin_mm=-9.0)]).dice[0]
    kept = [name for name in DieReading.__slots__ if name != "state"]
    assert all(getattr(ruled, name) is getattr(reading, name) for name in kept)
    assert (reading.state, ruled.state) == (DieState.UNSURE, DieState.OUTSIDE)


# --- outside the agreed area


@pytest.mark.parametrize("margin_mm", [-2.1, -15.0, -400.0])
def test_a_die_outside_the_area_makes_a_misroll(margin_mm: float) -> None:
    verdict = rule_one(die(), lying(inside=False, margin_mm=margin_mm))
    assert verdict.ruling is Ruling.MISROLL
    assert kinds(verdict) == ["outside"]
    assert verdict.dice[1].state is DieState.OUTSIDE
    assert f"{-margin_mm:.0f} mm outside" in verdict.reasons[0].detail
    assert verdict.faces is None


def test_a_die_outside_makes_a_misroll_where_no_margin_is_measured() -> None:
    verdict = rule_one(die(), lying(inside=False, margin_mm=None))
    assert (verdict.ruling, kinds(verdict)) == (Ruling.MISROLL, ["outside"])
    assert verdict.reasons[0].detail == "its middle lies outside the area"


@pytest.mark.parametrize("margin_mm", [-1.9, -0.1, 0.0, 0.1, 1.9])
def test_a_die_on_the_edge_is_asked_about_whichever_side_it_lies(margin_mm: float) -> None:
    verdict = rule_one(die(), lying(inside=margin_mm >= 0, margin_mm=margin_mm))
    assert (verdict.ruling, kinds(verdict)) == (Ruling.UNSURE, ["uncertain"])
    assert verdict.dice[1].state is DieState.UNSURE
    assert f"{margin_mm:+.1f} mm" in verdict.reasons[0].detail


def test_a_die_just_clear_of_the_edge_is_inside() -> None:
    assert rule_one(die(), lying(margin_mm=2.1)).ruling is Ruling.VALID


def test_a_top_just_outside_is_asked_about_where_no_camera_brings_it_down_to_the_floor() -> None:
    verdict = rule_one(die(), lying(inside=False, margin_mm=None, edge_open=True))
    assert (verdict.ruling, kinds(verdict)) == (Ruling.UNSURE, ["uncertain"])


def test_what_is_hardly_a_die_makes_no_misroll_outside() -> None:
    verdict = rule_one(die(2, 0.2), lying(inside=False, margin_mm=-40.0))
    assert verdict.ruling is Ruling.UNSURE


# --- not flat


@pytest.mark.parametrize(
    ("tilt_deg", "lean", "expected"),
    [
        (0.0, -4.0, []),
        (8.0, -4.0, []),  # an odd measure of a die that surely lies flat
        (4.0, 2.5, ["uncertain"]),
        (20.0, 2.5, ["uncertain"]),
        (7.0, 5.0, ["tilted"]),
        (60.0, 9.0, ["tilted"]),
        (None, None, []),
    ],
)
def test_a_die_leans_if_that_is_far_likelier_than_not(
    tilt_deg: float | None, lean: float | None, expected: list[str]
) -> None:
    assert kinds(rule_one(die(), lying(tilt_deg=tilt_deg, lean=lean))) == expected


def test_a_leaning_die_makes_a_misroll_and_is_told_by_how_much_and_against_what() -> None:
    verdict = rule_one(die(), lying(tilt_deg=17.2, lean=6.0, beside="against the wall"))
    assert verdict.ruling is Ruling.MISROLL
    assert verdict.dice[1].state is DieState.TILTED
    assert verdict.reasons[0].detail == "leans 17 degrees against the wall"


@given(tilt_deg=st.floats(0, 90), lean=st.floats(-9, 9))
def test_a_likelier_lean_is_never_ruled_flatter(tilt_deg: float, lean: float) -> None:
    order = [Ruling.VALID, Ruling.UNSURE, Ruling.MISROLL]
    now, likelier = (rule_one(die(), lying(tilt_deg=tilt_deg, lean=each)).ruling for each in (lean, lean + 1))
    assert order.index(now) <= order.index(likelier)


# --- on another die


def test_a_die_surely_on_another_is_stacked() -> None:
    verdict = rule_one(die(), lying(**RAISED))
    assert (verdict.ruling, kinds(verdict)) == (Ruling.MISROLL, ["stacked"])
    assert verdict.dice[1].state is DieState.STACKED
    assert "16 mm high" in verdict.reasons[0].detail


@pytest.mark.parametrize(("raised", "expected"), [(-4.0, []), (2.0, ["uncertain"]), (5.0, ["stacked"])])
def test_a_die_perhaps_on_another_is_asked_about(raised: float, expected: list[str]) -> None:
    assert kinds(rule_one(die(), lying(height_mm=9.0, raised=raised))) == expected


def test_how_a_die_lies_whose_pips_are_not_clear_is_a_question_where_it_could_be_told() -> None:
    assert kinds(rule_one(die(), replace(LYING_WELL, by_pips=False))) == ["uncertain"]
    assert not rule([die()], [Evidence(Measures(inside=True), by_pips=False)]).reasons


@pytest.mark.parametrize("doubt", [{"by_pips": False}, {"rival": 2}, {"rival": 0}], ids=str)
def test_a_die_whose_place_is_not_sure_makes_no_misroll_by_leaning(doubt: dict[str, Any]) -> None:
    assert rule_one(die(), replace(lying(**LEANING), **doubt)).ruling is Ruling.UNSURE


def test_what_is_hardly_a_die_makes_no_misroll_by_leaning() -> None:
    assert kinds(rule_one(die(4, 0.3), lying(**LEANING))) == ["uncertain", "uncertain"]


@pytest.mark.parametrize("by_pips", [True, False])
def test_a_die_is_held_to_how_it_lies_where_its_square_fits_whoever_reads_it(*, by_pips: bool) -> None:
    fits, no_fit = {"fits": SURE_FIT + 1}, {"fits": SURE_FIT - 1}
    known = replace(lying(**LEANING, **fits), by_pips=by_pips)
    assert kinds(rule_one(die(), known)) == ["tilted"]
    assert kinds(rule_one(die(), replace(lying(**fits), by_pips=by_pips))) == []
    known = replace(lying(**LEANING, **no_fit), by_pips=by_pips)
    assert set(kinds(rule_one(die(), known))) == {"uncertain"}
    assert kinds(rule_one(die(), replace(lying(**no_fit), by_pips=by_pips))) == ["uncertain"]


def test_a_leaning_die_is_not_called_stacked_as_well() -> None:
    assert kinds(rule_one(die(), lying(**LEANING, **RAISED))) == ["tilted"]


def test_a_die_on_another_is_a_misroll_though_its_lean_be_unclear() -> None:
    assert kinds(rule_one(die(), lying(tilt_deg=4.0, lean=2.5, **RAISED))) == ["uncertain", "stacked"]


# --- the number of dice


@pytest.mark.parametrize(
    ("seen", "unread", "expected_dice", "expected"),
    [
        (6, 0, 6, []),
        (6, 0, None, []),
        (0, 0, None, []),
        (5, 0, 6, ["missing"]),
        (5, 1, 6, ["unreadable"]),  # what was not read may be the sixth
        (5, 2, 6, ["unreadable"]),
        (4, 1, 6, ["uncertain", "unreadable"]),  # it may be both that lack
        (6, 1, 6, ["unreadable"]),
        (6, 1, None, ["unreadable"]),
        (7, 0, 6, ["extra"]),
        (7, 1, 6, ["extra", "unreadable"]),
        (1, 0, 0, ["extra"]),
    ],
)
def test_dice_are_counted_against_those_expected(
    seen: int, unread: int, expected_dice: int | None, expected: list[str]
) -> None:
    verdict = rule([die()] * seen, [LYING_WELL] * seen, ["pips"] * unread, expected_dice)
    assert kinds(verdict) == expected
    assert verdict.ruling is (
        Ruling.MISROLL if "missing" in expected else Ruling.UNSURE if expected else Ruling.VALID
    )
    assert all(reason.die is None for reason in verdict.reasons)
    assert {d.state for d in verdict.dice} <= {DieState.FLAT}


@pytest.mark.parametrize(("how", "most"), [(LEANING, 1), (RAISED, 2)], ids=["leaning", "piled up"])
def test_dice_that_another_may_hide_are_not_called_missing(how: dict[str, float], most: int) -> None:
    for hidden in range(1, 4):
        ruled = rule([die(), die()], [LYING_WELL, lying(**how)], expected_dice=2 + hidden)
        assert ("missing" in kinds(ruled)) == (hidden > most)
        assert ruled.ruling is Ruling.MISROLL


def test_where_a_die_lacks_one_that_may_lie_high_lies_on_it() -> None:
    high = lying(height_mm=9.0, raised=2.0)
    assert kinds(rule([die()], [high], expected_dice=1)) == ["uncertain"]
    assert kinds(rule([die()], [high], expected_dice=2)) == ["stacked", "uncertain"]


def test_a_missing_and_an_extra_die_are_told_with_both_numbers() -> None:
    for seen in (4, 7):
        (reason,) = rule([die()] * seen, [LYING_WELL] * seen, expected_dice=6).reasons
        assert reason.detail == f"{seen} dice seen, 6 expected"


def test_things_not_read_are_told_once_each_in_one_order() -> None:
    said = [rule([], [], unread).reasons for unread in (["pips", "a body", "pips"], ["a body", "pips"])]
    assert said[0] == said[1]
    assert said[0][0].detail.startswith("a body, pips ")


# --- the reading


@pytest.mark.parametrize(
    ("confidence", "expected"), [(0.0, ["uncertain"]), (0.59, ["uncertain"]), (0.61, [])]
)
def test_a_face_read_without_confidence_is_asked_about(confidence: float, expected: list[str]) -> None:
    verdict = rule_one(die(6, confidence), LYING_WELL)
    assert kinds(verdict) == expected
    if expected:
        assert (verdict.ruling, verdict.dice[1].state) == (Ruling.UNSURE, DieState.UNSURE)
        assert "6" in verdict.reasons[0].detail
        assert f"{confidence:.2f}" in verdict.reasons[0].detail


def test_a_die_without_a_face_is_unreadable_whatever_its_confidence() -> None:
    for confidence in (0.1, 1.0):
        verdict = rule_one(die(None, confidence), LYING_WELL)
        assert (verdict.ruling, kinds(verdict)) == (Ruling.UNSURE, ["unreadable"])
        assert verdict.faces is None


# --- several reasons


def test_every_reason_is_told_at_once_each_with_its_die() -> None:
    dice = [die(), die(), die(2, 0.3), die(None), die()]
    evidence = [
        lying(inside=False, margin_mm=-20.0, **LEANING),
        LYING_WELL,
        lying(tilt_deg=3.0, lean=2.5),
        LYING_WELL,
        lying(margin_mm=1.0),
    ]
    verdict = rule(dice, evidence, ["pips"], 9)
    assert sorted((r.kind.value, r.die) for r in verdict.reasons if r.die is not None) == [
        ("outside", 0),
        ("tilted", 0),
        ("uncertain", 2),
        ("uncertain", 2),
        ("uncertain", 4),
        ("unreadable", 3),
    ]
    assert [r.kind.value for r in verdict.reasons if r.die is None] == ["uncertain", "unreadable"]
    assert [d.state.value for d in verdict.dice] == ["outside", "flat", "unsure", "unsure", "unsure"]


def test_a_misroll_outweighs_every_doubt() -> None:
    """A throw that is to be repeated anyway raises no question."""
    dice = [die(None), die(3, 0.1), die()]
    verdict = rule(dice, [LYING_WELL, LYING_WELL, lying(inside=False, margin_mm=-30.0)], ["pips"], 2)
    assert verdict.ruling is Ruling.MISROLL
    assert {"unreadable", "uncertain", "extra", "outside"} == set(kinds(verdict))


def test_a_die_that_makes_the_misroll_is_not_called_unsure_for_a_doubt_besides() -> None:
    verdict = rule_one(die(4, 0.55), lying(**LEANING))
    assert kinds(verdict) == ["tilted", "uncertain"]
    assert verdict.dice[1].state is DieState.TILTED


# --- properties

readings = st.builds(die, st.none() | st.integers(1, 6), st.floats(0, 1))
odds = st.none() | st.floats(-9, 9)
tilts, heights = st.none() | st.floats(0, 90), st.none() | st.floats(-10, 40)
measures = st.builds(Measures, st.booleans(), st.none() | st.floats(-30, 90), tilts, odds, heights, odds)
known_of_one = st.builds(Evidence, measures)
thrown = st.lists(st.tuples(readings, known_of_one), max_size=7)
unread_things = st.lists(st.sampled_from(["pips", "a body that holds pips"]), max_size=3)
expectations = st.none() | st.integers(0, 8)
Thrown = list[tuple[DieReading, Evidence]]


def rule_thrown(dice: Thrown, unread: Sequence[str], expected: int | None) -> Verdict:
    return rule([reading for reading, _ in dice], [known for _, known in dice], unread, expected)


@given(thrown, unread_things, expectations)
def test_the_ruling_and_the_states_follow_from_the_reasons_alone(
    dice: Thrown, unread: list[str], expected: int | None
) -> None:
    verdict = rule_thrown(dice, unread, expected)
    said = set(kinds(verdict))
    assert verdict.ruling.value == ("misroll" if said & MISROLLS else "unsure" if said else "valid")
    assert (verdict.faces is None) == bool(said)
    for index, ruled in enumerate(verdict.dice):
        own = {reason.kind.value for reason in verdict.reasons if reason.die == index}
        assert (ruled.state is DieState.FLAT) == (not own)
        assert (ruled.state is DieState.UNSURE) == (bool(own) and not own & MISROLLS)
        assert ruled.state in (DieState.FLAT, DieState.UNSURE) or ruled.state.value in own


@given(thrown, unread_things, expectations)
def test_a_valid_throw_has_every_die_with_its_face(
    dice: Thrown, unread: list[str], expected: int | None
) -> None:
    verdict = rule_thrown(dice, unread, expected)
    if verdict.faces is not None:
        assert verdict.faces == tuple(sorted(reading.face or 0 for reading, _ in dice))
        assert expected in (None, len(dice))
        assert not unread


SPOILS: dict[str, Callable[[DieReading, Evidence], tuple[DieReading, Evidence]]] = {
    "outside": lambda d, k: (replace(d, face=4, confidence=0.9), lying(inside=False, margin_mm=-40.0)),
    "tilted": lambda d, k: (replace(d, face=4, confidence=0.9), lying(**LEANING)),
    "stacked": lambda d, k: (d, lying(**RAISED)),
    "unreadable": lambda d, k: (replace(d, face=None), k),
    "uncertain": lambda d, k: (replace(d, face=4, confidence=0.2), k),
}
SEVERITY = [Ruling.VALID, Ruling.UNSURE, Ruling.MISROLL]


@given(thrown.filter(bool), unread_things, expectations, st.sampled_from(sorted(SPOILS)), st.data())
def test_one_more_thing_wrong_with_a_die_never_mends_the_throw(
    dice: Thrown, unread: list[str], expected: int | None, spoil: str, data: st.DataObject
) -> None:
    index = data.draw(st.integers(0, len(dice) - 1))
    spoiled = [*dice]
    spoiled[index] = SPOILS[spoil](*dice[index])
    before, after = rule_thrown(dice, unread, expected), rule_thrown(spoiled, unread, expected)
    assert spoil in {reason.kind.value for reason in after.reasons if reason.die == index}
    assert after.ruling is not Ruling.VALID
    if spoil in MISROLLS:
        assert after.ruling is Ruling.MISROLL
    elif not {reason.kind.value for reason in before.reasons if reason.die == index}:
        assert SEVERITY.index(after.ruling) >= SEVERITY.index(before.ruling)


@given(thrown, unread_things, expectations)
def test_one_more_thing_not_read_never_makes_a_throw_valid(
    dice: Thrown, unread: list[str], expected: int | None
) -> None:
    assert rule_thrown(dice, [*unread, "pips"], expected).ruling is not Ruling.VALID


@given(thrown, unread_things, expectations, st.randoms(use_true_random=False))
def test_the_order_of_the_dice_only_renumbers_the_reasons(
    dice: Thrown, unread: list[str], expected: int | None, random: Random
) -> None:
    order = list(range(len(dice)))
    random.shuffle(order)
    before = rule_thrown(dice, unread, expected)
    after = rule_thrown([dice[index] for index in order], unread, expected)
    assert after.ruling is before.ruling
    assert after.faces == before.faces
    assert [d.state for d in after.dice] == [before.dice[index].state for index in order]
    renumbered = {Reason(r.kind, None if r.die is None else order[r.die], r.detail) for r in after.reasons}
    assert renumbered == set(before.reasons)
    assert len(after.reasons) == len(before.reasons)
