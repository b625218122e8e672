"""Dice of another size than the calibrated one: said, instead of ruled to lean."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.calibration import load_calibration
from vision.camera import Camera
from vision.detection import Detection
from vision.domain import DieState, Reason, ReasonKind, Ruling, Verdict
from vision.judge import judge
from vision.size_check import with_checked_size
from vision.sources import ClipSource

DEMO = Path(__file__).parents[2] / "table" / "demo"
TABLE = load_calibration(DEMO / "table.json")
CAMERA = Camera.of(TABLE)
*_, LAST = ClipSource(DEMO / "demo.mp4").frames()
FLAT_SHARE = 0.975  # what the corners read leave of an edge, in the middle of what rendered dice show
PLACES = st.lists(
    st.tuples(st.floats(-80, 80), st.floats(-40, 40), st.floats(0, 1.5)), min_size=3, max_size=6
)


def lying(edge_mm: float, places: list[tuple[float, float, float]]) -> list[Detection]:
    """Dice with this edge that lie flat, as the camera sees their tops."""
    assert CAMERA is not None
    dice = []
    for x, y, turn in places:
        cos, sin = np.cos(turn), np.sin(turn)
        square = np.array([(-0.5, 0.5), (0.5, 0.5), (0.5, -0.5), (-0.5, -0.5)]) * edge_mm * FLAT_SHARE
        flat = square @ np.array([(cos, sin), (-sin, cos)]) + (x, y)
        corners = CAMERA.seen_at(np.column_stack([flat, np.full(4, edge_mm)]))
        spots = np.full((9, 2), np.nan)
        dice.append(Detection(1, 9.0, corners.mean(axis=0), corners, np.arange(0), spots, 3.0, 1.0))
    return dice


def told(dice: list[Detection], die_mm: float, *kinds: ReasonKind) -> Verdict:
    """What becomes of a verdict with reasons of these `kinds`."""
    assert CAMERA is not None
    reasons = tuple(Reason(kind, None, "as measured") for kind in kinds)
    ruling = Ruling.MISROLL if kinds else Ruling.VALID
    return with_checked_size(Verdict(ruling, reasons, ()), dice, CAMERA, die_mm)


@given(places=PLACES, die_mm=st.floats(10, 25))
def test_dice_of_the_size_that_is_set_are_never_doubted(
    places: list[tuple[float, float, float]], die_mm: float
) -> None:
    assert told(lying(die_mm, places), die_mm).ruling is Ruling.VALID
    assert told(lying(die_mm, places), die_mm, ReasonKind.TILTED).ruling is Ruling.MISROLL


@given(places=PLACES, die_mm=st.floats(10, 25), off=st.sampled_from((0.75, 0.8, 1.16, 1.2, 1.3)))
def test_dice_that_are_larger_or_smaller_are_said_to_be_with_their_size(
    places: list[tuple[float, float, float]], die_mm: float, off: float
) -> None:
    verdict = told(lying(die_mm * off, places), die_mm)
    assert verdict.ruling is Ruling.UNSURE
    (reason,) = verdict.reasons
    assert reason.kind is ReasonKind.SIZE
    assert float(reason.detail.split()[3]) == pytest.approx(die_mm * off, abs=0.51)
    assert f"{die_mm:g} mm are calibrated" in reason.detail


@given(places=PLACES, die_mm=st.floats(10, 25))
def test_dice_a_tenth_larger_are_doubted_only_where_they_are_ruled_to_lean(
    places: list[tuple[float, float, float]], die_mm: float
) -> None:
    dice = lying(die_mm * 1.1, places)
    assert told(dice, die_mm).ruling is Ruling.VALID
    assert told(dice, die_mm, ReasonKind.OUTSIDE).ruling is Ruling.MISROLL
    leaning = told(dice, die_mm, ReasonKind.TILTED, ReasonKind.STACKED)
    assert leaning.ruling is Ruling.UNSURE
    both = told(dice, die_mm, ReasonKind.TILTED, ReasonKind.OUTSIDE)
    assert (both.ruling, both.reasons[-1].kind) == (Ruling.MISROLL, ReasonKind.OUTSIDE)


def test_one_die_on_two_others_is_no_doubt_of_its_size() -> None:
    assert CAMERA is not None
    [die] = lying(16.0, [(10.0, 5.0, 0.3)])
    flat = CAMERA.on_plane(die.corners_px, 16.0)
    high = CAMERA.seen_at(np.column_stack([flat, np.full(4, 48.0)]))
    stacked = told([replace(die, corners_px=high)], 16.0, ReasonKind.STACKED)
    assert stacked.ruling is Ruling.MISROLL


def judged(die_mm: float) -> Verdict:
    return judge(LAST.image_bgr, replace(TABLE, die_mm=die_mm), 6)


def test_flat_dice_by_a_wrong_size_are_asked_about_and_not_called_a_misroll() -> None:
    assert TABLE.die_mm is not None
    assert judged(TABLE.die_mm).ruling is Ruling.VALID
    for share in (0.75, 0.85):
        verdict = judged(TABLE.die_mm * share)
        assert verdict.ruling is Ruling.UNSURE
        assert ReasonKind.SIZE in {reason.kind for reason in verdict.reasons}
        assert DieState.TILTED not in {die.state for die in verdict.dice}
