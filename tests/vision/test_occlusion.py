"""What covers the tray, on drawn trays and on the rendered rigs: hands and cups, and nothing else."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.drawn_dice import Die
from tests.vision.drawn_tray import (
    ANYWHERE,
    FLOOR,
    SCATTERED,
    SIDE_PX,
    blurred,
    calibrated,
    circle,
    painted,
    readings,
    shine,
    tray,
)
from vision.calibration import load_calibration
from vision.domain import DieReading, DieState, FloatArray, Image, Reason, ReasonKind, Ruling, Verdict
from vision.images import read_image
from vision.judge import judge
from vision.measure import least_side_px
from vision.occlusion import Cover, find_cover, with_cover
from vision.opencv import cv2

RIGS = Path(__file__).parents[3] / "shared" / "bench" / "rigs"
EMPTY = tray().image
TABLE = calibrated(EMPTY)
THROWN = tray(SCATTERED, seed=1)
DICE = readings(THROWN)
HAND = np.array([[820, 250], [560, 240], [450, 265], [430, 300], [450, 335], [560, 360], [820, 350]])
THINGS = {
    "skin": (110, 140, 190),
    "dark skin": (50, 70, 105),
    "black cup": (25, 25, 25),
    "white cup": (225, 228, 230),
    "leather cup": (35, 60, 100),
    "grey sleeve": (110, 112, 115),
}


def within(outline: FloatArray, point: tuple[float, float]) -> bool:
    return cv2.pointPolygonTest(outline.astype(np.float32).reshape(-1, 1, 2), point, False) > 0


def inside_area(outline: FloatArray) -> float:
    """How large the part of an outline in the area is, in faces of a die."""
    drawn = np.zeros((2, *EMPTY.shape[:2]), np.uint8)
    for layer, points in zip(drawn, (outline, FLOOR), strict=True):
        cv2.fillPoly(layer, [np.rint(points).astype(np.int32)], color=1)
    return float((drawn[0] & drawn[1]).sum()) / SIDE_PX**2


@pytest.mark.parametrize("colour", THINGS.values(), ids=THINGS.keys())
@pytest.mark.parametrize("outline", [HAND, circle(400, 300, 80)], ids=["hand", "cup"])
def test_a_hand_and_a_cup_cover_the_tray(outline: FloatArray, colour: tuple[int, int, int]) -> None:
    covered = painted(outline, colour)(THROWN.image)
    found = find_cover(covered, TABLE, [die for die in DICE if not within(outline, die.center_px)])
    assert found is not None
    assert found.dice == pytest.approx(inside_area(outline), rel=0.35)
    assert within(outline, found.center_px)


def shadow(x: float, y: float, depth: float, soft: float) -> Image:
    """What a person who leans over it does to the thrown dice."""
    mask = np.zeros(EMPTY.shape[:2], np.float32)
    cv2.fillPoly(mask, [np.rint(circle(x, y, 150)).astype(np.int32)], color=1.0)
    share = 1 - (1 - depth) * cv2.GaussianBlur(mask, (0, 0), soft)
    return np.rint(THROWN.image * share[..., np.newaxis]).astype(np.uint8)


@settings(max_examples=25, deadline=None)
@given(st.floats(0.5, 1.6), st.tuples(*[st.floats(0.8, 1.25)] * 3), st.integers(0, 99))
def test_no_light_covers_the_tray(gain: float, cast: tuple[float, float, float], seed: int) -> None:
    noise = np.random.default_rng(seed).normal(0, 3, EMPTY.shape)
    lit = np.clip(shine(gain, cast)(THROWN.image) + noise, 0, 255).astype(np.uint8)
    assert find_cover(lit, TABLE, DICE) is None


@settings(max_examples=25, deadline=None)
@given(st.floats(100, 700), st.floats(100, 500), st.floats(0.62, 1.0), st.floats(8, 60))
def test_no_shadow_covers_the_tray(x: float, y: float, depth: float, soft: float) -> None:
    assert find_cover(shadow(x, y, depth, soft), TABLE, DICE) is None


@settings(max_examples=15, deadline=None)
@given(ANYWHERE)
def test_dice_that_were_found_cover_nothing(dice: list[Die]) -> None:
    picture = tray(dice, seed=2)
    assert find_cover(picture.image, TABLE, readings(picture), SIDE_PX) is None


def test_a_die_not_found_a_coin_and_a_finger_cover_nothing() -> None:
    coin = painted(circle(300, 250, 0.7 * SIDE_PX), (150, 160, 165))
    finger = painted(np.array([[380, 460], [420, 460], [420, 610], [380, 610]]), (110, 140, 190))
    assert find_cover(coin(finger(THROWN.image)), TABLE, (), SIDE_PX) is None


def test_what_stands_beside_the_area_covers_nothing() -> None:
    beside = painted(circle(410, 40, 60), (225, 228, 230))
    assert find_cover(beside(THROWN.image), TABLE, DICE) is None


def test_what_was_in_the_empty_picture_is_no_cover_once_it_is_gone() -> None:
    cup = painted(circle(400, 300, 80), (225, 228, 230))
    learned = calibrated(cup(EMPTY))
    assert find_cover(THROWN.image, learned, DICE) is None
    assert find_cover(cup(THROWN.image), TABLE, DICE) is not None


def test_without_an_empty_picture_nothing_is_said() -> None:
    covered = painted(HAND, THINGS["skin"])(THROWN.image)
    assert find_cover(covered, replace(TABLE, empty_image=None), DICE) is None


def test_the_area_is_scaled_with_the_picture() -> None:
    half = np.asarray(cv2.resize(painted(HAND, THINGS["skin"])(EMPTY), (410, 308)), dtype=np.uint8)
    found = find_cover(half, TABLE, (), SIDE_PX / 2)
    assert found is not None
    assert found.dice == pytest.approx(inside_area(HAND), rel=0.35)


def test_nothing_is_ruled_on_a_covered_tray() -> None:
    reasons = (Reason(ReasonKind.MISSING, None, "five"), Reason(ReasonKind.TILTED, 0, "leans"))
    misroll = Verdict(Ruling.MISROLL, reasons, tuple(DICE))
    ruled = with_cover(misroll, Cover((1.0, 2.0), 8.2))
    assert (ruled.ruling, [reason.kind for reason in ruled.reasons]) == (Ruling.UNSURE, [ReasonKind.OCCLUDED])
    assert "8 dice" in ruled.reasons[0].detail
    assert ruled.dice == misroll.dice
    assert with_cover(misroll, None) is misroll


def test_the_judge_waits_while_a_hand_hides_dice() -> None:
    covered = painted(HAND, THINGS["skin"])(THROWN.image)
    kinds = [reason.kind for reason in judge(covered, TABLE, expected_dice=6).reasons]
    assert kinds == [ReasonKind.OCCLUDED]
    open_ = judge(THROWN.image, TABLE, expected_dice=6)
    assert open_.faces == (1, 2, 3, 4, 5, 6)


@pytest.mark.parametrize("sigma_px", [1.0, 4.0])
def test_a_lens_out_of_focus_covers_nothing(sigma_px: float) -> None:
    assert find_cover(blurred(sigma_px)(THROWN.image), TABLE, DICE) is None


def truth(path: Path) -> list[DieReading]:
    dice = json.loads(path.with_suffix(".json").read_text())["dice"]
    return [
        DieReading(die["face"], 1.0, tuple(die["center_px"]), np.array(die["corners_px"]), DieState.FLAT)
        for die in dice
        if die["in_frame"]
    ]


@pytest.mark.skipif(not RIGS.is_dir(), reason="the rendered rigs are not beside the checkout")
@pytest.mark.parametrize("rig", sorted(path.name for path in RIGS.glob("*")) if RIGS.is_dir() else [])
def test_nothing_covers_a_rig(rig: str) -> None:
    table = load_calibration(RIGS / rig / "table.json")
    side_px = least_side_px(table)
    pictures = sorted((RIGS / rig).glob("[0-9]*.jpg"))
    assert pictures
    covered = [
        path.name
        for path in pictures
        if find_cover(read_image(path), table, truth(path), side_px) is not None
    ]
    assert not covered


@pytest.mark.parametrize("colour", THINGS.values(), ids=THINGS.keys())
def test_what_may_hide_a_die_makes_its_lack_a_question(colour: tuple[int, int, int]) -> None:
    x, y = DICE[0].center_px
    hidden = painted(circle(x, y, 0.8 * SIDE_PX), colour)(THROWN.image)
    verdict = judge(hidden, TABLE, len(DICE))
    assert verdict.ruling is Ruling.UNSURE
    assert ReasonKind.MISSING not in {reason.kind for reason in verdict.reasons}


def test_a_die_that_nothing_hides_is_missing() -> None:
    verdict = judge(THROWN.image, TABLE, len(DICE) + 1)
    assert [reason.kind for reason in verdict.reasons] == [ReasonKind.MISSING]


@pytest.mark.parametrize("level", [0, 128, 255])
def test_no_die_is_missing_where_not_even_the_tray_is_seen(level: int) -> None:
    verdict = judge(np.full_like(EMPTY, level), TABLE, 6)
    assert verdict.ruling is Ruling.UNSURE
