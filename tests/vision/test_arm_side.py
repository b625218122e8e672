"""The side an arm comes from: drawn arms whose side is known, seen by the settler as in a stream."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.arm_side import ArmSide, apart_deg, arm_side, crossed_border
from vision.domain import Frame, Image, TableCalibration
from vision.opencv import cv2
from vision.scene import Mask
from vision.settle import SettleKind, Settler

WIDTH, HEIGHT = 320, 180
MIDDLE = (160.0, 90.0)
ARM_PX, DIE_PX = 34, 12
RNG = np.random.default_rng(4)
FELT = RNG.normal(90, 6, (HEIGHT, WIDTH, 1)).astype(np.float32)
NOISES = RNG.normal(0, 1, (13, HEIGHT, WIDTH, 1)).astype(np.float32)
TRAY = np.array([[90.0, 25.0], [230.0, 25.0], [230.0, 155.0], [90.0, 155.0]])
Draw = Callable[[np.ndarray, float], None]


def arm(side_deg: float, until: float = 1.0, aside_px: float = 0.0) -> Draw:
    """An arm that reaches in, `aside_px` off the middle, and goes again; `share` runs from 0 to 1."""

    def draw(shown: np.ndarray, share: float) -> None:
        if share > until:
            return
        way = np.array([math.cos(math.radians(side_deg)), math.sin(math.radians(side_deg))])
        aside = aside_px * np.array([-way[1], way[0]])
        far = 260 - 240 * math.sin(math.pi * share / until)
        hand, elbow = (np.array(MIDDLE) + aside + length * way for length in (far, 500))
        ends = [tuple(int(value) for value in end.round()) for end in (hand, elbow)]
        cv2.line(shown, ends[0], ends[1], (170.0,), ARM_PX)

    return draw


def die(x: int, y: int) -> Draw:
    def draw(shown: np.ndarray, share: float) -> None:
        if share > 0.3:
            shown[y : y + DIE_PX, x : x + DIE_PX] = 220

    return draw


def seen(*draws: Draw, calibration: TableCalibration | None, end: tuple[Draw, ...] = ()) -> ArmSide | None:
    """Show the still tray, what is drawn for 0.6 s, and what lies at the `end`; return what is measured."""
    settler, crossed, unlike = Settler(calibration), list[Mask](), None
    for number in range(60):
        shown = FELT.copy()
        share = (number - 20) / 18
        for draw in draws if 0 <= share <= 1 else end if share > 1 else ():
            draw(shown, min(share, 1.0))
        image = np.repeat((shown + NOISES[number % 13]).clip(0, 255).astype(np.uint8), 3, axis=2)
        events = settler.step(Frame(number, number / 30, image))
        if any(event.kind is not SettleKind.MOTION_STARTED for event in events) and number > 20:
            return arm_side(crossed, settler.area, unlike)
        unlike = settler.unlike_rest
        border = None if unlike is None else crossed_border(unlike, settler.area)
        if border is not None:
            crossed.append(border)
    raise AssertionError("it never came to rest")


TABLE = TableCalibration(TRAY, (WIDTH, HEIGHT))
TABLES = pytest.mark.parametrize("calibration", [TABLE, None], ids=["calibrated", "not calibrated"])


@settings(max_examples=40, deadline=None)
@given(st.floats(0, 360), st.floats(-25, 25))
def test_an_arm_is_seen_at_its_side(side_deg: float, aside_px: float) -> None:
    for calibration in (TABLE, None):
        measured = seen(arm(side_deg, aside_px=aside_px), calibration=calibration)
        if measured is None:  # where no outline says what is the tray an arm may pass for something in it
            assert calibration is None
            continue
        off_middle_deg = math.degrees(math.atan(abs(aside_px) / MIDDLE[1]))
        assert apart_deg(measured.side_deg, side_deg) < 20 + off_middle_deg
        assert measured.spread_deg < 30


@TABLES
@pytest.mark.parametrize("between", [90.0, 135.0, 180.0])
def test_two_arms_are_no_clear_side(calibration: TableCalibration | None, between: float) -> None:
    measured = seen(arm(20.0), arm(20.0 + between), calibration=calibration)
    assert measured is None or measured.spread_deg > 35


@TABLES
def test_dice_that_come_to_lie_at_the_border_move_no_side(calibration: TableCalibration | None) -> None:
    lying = (die(0, 60), die(0, 76), die(8, 90))
    measured = seen(arm(0.0, until=0.6), *lying, calibration=calibration, end=lying)
    assert measured is not None
    assert apart_deg(measured.side_deg, 0.0) < 20


@TABLES
def test_dice_alone_and_what_moves_beside_the_tray_are_no_arm(calibration: TableCalibration | None) -> None:
    assert seen(die(0, 80), die(120, 80), calibration=calibration, end=(die(120, 80),)) is None

    def sleeve(shown: np.ndarray, share: float) -> None:
        shown[:, : 10 + int(20 * share)] = 160

    alone: Iterable[Draw] = (sleeve, die(160, 80))
    assert seen(*alone, calibration=calibration, end=(die(160, 80),)) is None


@TABLES
def test_a_lamp_that_is_switched_on_is_no_arm(calibration: TableCalibration | None) -> None:
    blobs: Image = RNG.integers(0, 2, (9, 16), dtype=np.uint8)
    pattern = cv2.resize(blobs, (WIDTH, HEIGHT), interpolation=cv2.INTER_NEAREST)[..., np.newaxis]

    def lit(shown: np.ndarray, _: float) -> None:
        shown += 90 * pattern

    assert seen(lit, calibration=calibration, end=(lit,)) is None
