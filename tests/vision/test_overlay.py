"""The overlay drawn for eyes."""

from __future__ import annotations

import numpy as np

from tests.vision.test_measure import CAMERAS
from vision.domain import DieReading, DieState, Reason, ReasonKind, Ruling, TableCalibration, Verdict
from vision.opencv import cv2
from vision.overlay import CUBE_COLOR, GRID_COLOR, STATE_COLORS, draw_overlay, draw_table


def test_a_die_is_outlined_in_the_colour_of_its_state_on_a_copy() -> None:
    image = np.full((300, 400, 3), 90, np.uint8)
    corners = np.array([[200.0, 150], [260, 150], [260, 210], [200, 210]])
    die = DieReading(None, 0.4, (230, 180), corners, DieState.OUTSIDE)
    drawn = draw_overlay(
        image, Verdict(Ruling.MISROLL, (Reason(ReasonKind.OUTSIDE, 0, "over the edge"),), (die,))
    )
    assert (image == 90).all()
    assert drawn.shape == image.shape
    assert tuple(drawn[180, 200]) == STATE_COLORS[DieState.OUTSIDE]
    assert tuple(drawn[180, 230]) == (90, 90, 90)


def test_dice_partly_off_the_picture_are_drawn_as_far_as_they_are_in_it() -> None:
    image = np.zeros((60, 80, 3), np.uint8)
    corners = np.array([[-20.0, -20], [20, -20], [20, 20], [-20, 20]])
    die = DieReading(6, 1.0, (0, 0), corners, DieState.FLAT)
    assert draw_overlay(image, Verdict(Ruling.VALID, (), (die,))).any()


def test_what_is_held_against_a_die_stands_beside_it_and_the_area_is_outlined() -> None:
    image = np.zeros((300, 400, 3), np.uint8)
    corners = np.array([[100.0, 150], [160, 150], [160, 210], [100, 210]])
    die = DieReading(4, 0.9, (130, 180), corners, DieState.TILTED, tilt_deg=17.0)
    area = np.array([[10.0, 60], [390, 60], [390, 290], [10, 290]])
    reason = Reason(ReasonKind.TILTED, 0, "leans 17 degrees")
    bare = draw_overlay(image, Verdict(Ruling.MISROLL, (), (die,)))
    told = draw_overlay(image, Verdict(Ruling.MISROLL, (reason,), (die,)), area)
    changed = (bare != told).any(axis=2)
    assert changed[200:250, 8:13].all(axis=0).any()  # the area's left side
    beside = changed[150:210, 165:380]
    assert beside.sum() > 200


def test_a_calibration_shows_its_outline_a_grid_on_its_floor_alone_and_dice_where_they_would_be() -> None:
    calibration = CAMERAS["straight"].calibration()
    width, height = calibration.image_size or (0, 0)
    drawn = draw_table(np.zeros((height, width, 3), np.uint8), calibration)
    inside = np.zeros((height, width), np.uint8)
    cv2.fillPoly(inside, [np.round(calibration.area_px).astype(np.int32)], 1)
    for color in (GRID_COLOR, CUBE_COLOR):
        there = (np.abs(drawn.astype(int) - color) < 70).all(axis=2)  # thin lines are blended with the ground
        assert there.sum() > 100
        assert not there[inside == 0].any()
    side = calibration.area_px[:2].mean(axis=0).round().astype(int)
    around = drawn[side[1] - 3 : side[1] + 4, side[0] - 3 : side[0] + 4]
    assert (around == STATE_COLORS[DieState.FLAT]).all(axis=2).any()


def test_of_a_table_without_a_camera_the_outline_alone_is_drawn() -> None:
    area = np.array([[10.0, 60], [390, 60], [390, 290], [10, 290]])
    drawn = draw_table(np.zeros((300, 400, 3), np.uint8), TableCalibration(area))
    assert tuple(drawn[60, 200]) == STATE_COLORS[DieState.FLAT]
    assert not drawn[100:250, 50:350].any()
