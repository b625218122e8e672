"""A calibration as a person makes it on the page: each way gives one, and nothing they do brings it down."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table.calibrating import NoSheetError, TooFewDiceError
from table.calibration_checks import NotEmptyError
from table.calibration_draft import Draft, Way, drafted, lies_still
from tests.vision.calibrate.drawn_tray import SHAPES, Tray
from tests.vision.calibrate.known_camera import SIZE as KNOWN_SIZE
from tests.vision.calibrate.known_camera import board_picture, camera, noisy
from vision.calibrate.from_tray import Shape
from vision.calibrate.hand_outline import HandOutline
from vision.camera import Camera
from vision.domain import DieReading, DieState, Image, Ruling, TableCalibration, Verdict
from vision.errors import CalibrationError

KNOWN = camera(over_mm=(105, -75), tilt_deg=(4, -3))
FLOOR = np.array([[-40, 35], [250, 35], [250, -185], [-40, -185.0]])
GREY = noisy(np.full((KNOWN_SIZE[1], KNOWN_SIZE[0], 3), 120.0), 1, 2)
PLACES = st.lists(st.tuples(st.integers(0, 639), st.integers(0, 479)), min_size=3, max_size=9)


def sees_nothing(
    image: Image, calibration: TableCalibration | None = None, expected: int | None = None
) -> Verdict:
    return Verdict(Ruling.UNSURE, (), ())


def drawn(corners: np.ndarray, **known: object) -> Draft:
    hand = HandOutline(np.asarray(corners, dtype=np.float64), (np.zeros((0, 2)),) * len(corners))
    return replace(Draft(empty=GREY, hand=hand), **known)


def test_the_outline_that_is_found_says_what_shape_the_tray_is() -> None:
    draft = Draft(Way.SIZE).with_empty(Tray(SHAPES["octagon"]).picture(), sees_nothing)
    assert (draft.found, draft.fault, draft.shape) == (True, None, Shape.OCTAGON)
    assert draft.with_corners(0).shape is Shape.ROUND
    assert draft.with_corners(4).shape is Shape.RECTANGLE


@pytest.mark.parametrize("corners", [4, 8])
def test_a_tray_is_calibrated_by_its_size_alone(corners: int) -> None:
    angles = (np.arange(8) + 0.5) * np.pi / 4
    octagon = 110 / np.cos(np.pi / 8) * np.column_stack([np.cos(angles), np.sin(angles)]) + (105, -75)
    floor = FLOOR if corners == 4 else octagon
    draft = drawn(KNOWN.sees(floor), way=Way.SIZE, inner_mm=(290.0, 220.0) if corners == 4 else (220.0, 1.0))
    made = drafted(draft, sees_nothing)
    assert made.quality is not None
    assert made.calibration.empty_image is draft.empty
    found = Camera.of(made.calibration)
    assert found is not None
    assert found.height_mm == pytest.approx(KNOWN.height_mm, abs=1.5 * made.quality.height_error_mm)
    area = found.on_plane(draft.hand.corners_px, 0.0) if draft.hand else floor
    sides = np.linalg.norm(area - np.roll(area, -1, axis=0), axis=1)
    assert sides == pytest.approx(np.linalg.norm(floor - np.roll(floor, -1, axis=0), axis=1), abs=2.0)


def test_the_sheet_in_the_tray_says_where_the_camera_is() -> None:
    draft = drawn(KNOWN.sees(FLOOR), views=(board_picture(KNOWN),), die_mm=18.0)
    made = drafted(draft, sees_nothing)
    assert made.quality is not None
    assert made.height_mm == pytest.approx(KNOWN.height_mm, abs=1.5 * made.quality.height_error_mm)
    assert made.calibration.die_mm == 18.0
    larger = drafted(replace(draft, ruler_mm=102.0), sees_nothing)
    assert larger.height_mm == pytest.approx(1.02 * made.height_mm, rel=0.002)


def test_the_outline_alone_gives_a_table_without_a_camera() -> None:
    made = drafted(drawn(KNOWN.sees(FLOOR), way=Way.OUTLINE), sees_nothing)
    assert made.quality is None
    assert made.calibration.floor_pose is None
    assert len(made.calibration.area_px) == 4


def test_what_is_missing_is_told_apart() -> None:
    draft = drawn(KNOWN.sees(FLOOR))
    with pytest.raises(NoSheetError):
        drafted(draft, sees_nothing)
    with pytest.raises(NoSheetError):
        drafted(replace(draft, views=(board_picture(KNOWN), GREY)), sees_nothing)
    with pytest.raises(TooFewDiceError):
        drafted(replace(draft, way=Way.DICE), sees_nothing)
    with pytest.raises(TooFewDiceError):
        drafted(replace(draft, way=Way.DICE, views=(GREY,)), sees_nothing)
    with pytest.raises(CalibrationError):
        drafted(replace(draft, empty=None), sees_nothing)


@settings(max_examples=12, deadline=None)
@given(places=PLACES, way=st.sampled_from((Way.SIZE, Way.OUTLINE, Way.SHEET)), width=st.floats(50, 2000))
def test_any_outline_gives_a_table_or_a_reason(places: list[tuple[int, int]], way: Way, width: float) -> None:
    draft = drawn(np.array(places), way=way, inner_mm=(width, 200.0), views=(board_picture(KNOWN),))
    try:
        made = drafted(draft, sees_nothing)
    except CalibrationError:
        return
    assert draft.fault is None
    assert np.isfinite(made.calibration.area_px).all()


def test_dice_left_in_the_tray_are_counted_as_the_outline_is_drawn() -> None:
    def sees_two(
        image: Image, calibration: TableCalibration | None = None, expected: int | None = None
    ) -> Verdict:
        corners = np.zeros((4, 2))
        dice = [DieReading(6, 0.99, place, corners, DieState.FLAT) for place in ((480, 350), (20, 20))]
        return Verdict(Ruling.VALID, (), tuple(dice))

    draft = Draft().with_empty(GREY, sees_two)
    assert not draft.found
    assert draft.dice_inside == 1
    assert draft.hand is not None
    both = draft.with_hand(draft.hand.moved(0, 5, 5))
    assert both.dice_inside == 2
    with pytest.raises(NotEmptyError):
        drafted(replace(both, way=Way.OUTLINE), sees_two)
    assert drafted(replace(both, way=Way.OUTLINE, surely_empty=True), sees_two).calibration.area_px.any()


def test_noise_is_no_movement_and_a_hand_is() -> None:
    before = noisy(np.full((480, 640, 3), 120.0), 1, 2)
    assert lies_still(before, noisy(np.full((480, 640, 3), 120.0), 2, 2))
    hand = np.full((480, 640, 3), 120.0)
    hand[200:400, 300:500] = 170
    assert not lies_still(before, noisy(hand, 3, 2))
