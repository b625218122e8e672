"""An outline that a finger drags: whatever is done to it, it holds, or it is said why it does not."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.calibrate.drawn_tray import SHAPES, Tray
from vision.calibrate.hand_outline import (
    LEAST_CORNERS,
    MOST_CORNERS,
    HandFault,
    HandOutline,
    held,
    starting,
)
from vision.calibrate.outline import find_outline, given_outline
from vision.domain import FloatArray
from vision.polygon import polygon_fault

SIZE = (640, 480)
TRAY = np.array([[120.0, 90], [520, 80], [530, 400], [110, 410]])
ANYWHERE = st.floats(allow_nan=True, allow_infinity=True) | st.floats(-50, 700)
DRAGS = st.lists(st.tuples(st.integers(0, 30), ANYWHERE, ANYWHERE), max_size=8)
CHANGES = st.lists(st.tuples(st.booleans(), st.integers(0, 30)), max_size=20)


def straight(corners: FloatArray) -> HandOutline:
    return HandOutline(corners, (np.zeros((0, 2)),) * len(corners))


def doubled_area(area: FloatArray) -> float:
    x, y = area.T
    return float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum())


@pytest.mark.parametrize("shape", SHAPES)
def test_what_was_found_is_held_to_the_pixel(shape: str) -> None:
    found = find_outline(Tray(SHAPES[shape]).picture())
    hand = held(found)
    assert hand.area_px == pytest.approx(found.area_px, abs=1e-6)
    assert len(hand.corners_px) == {"rectangle": 4, "octagon": 8, "round": 8}[shape]
    assert hand.is_round == (shape == "round")
    assert len(hand.outline.sides) == len(found.sides)
    assert hand.fault((960, 720)) is None


@given(corners=st.sampled_from((4, 5, 8, 0)), drags=DRAGS)
def test_a_corner_dragged_anywhere_leaves_an_outline_or_a_fault(
    corners: int, drags: list[tuple[int, float, float]]
) -> None:
    hand = starting(SIZE, corners)
    for corner, x, y in drags:
        hand = hand.moved(corner % len(hand.corners_px), x, y)
        fault = hand.fault(SIZE)
        if fault is None:
            outline = hand.outline
            given_outline(outline.area_px, SIZE, None)  # raises if the program would not take it
            assert doubled_area(outline.area_px) > 0
            assert bool(outline.sides) != hand.is_round
        elif not np.isfinite(hand.corners_px).all():
            assert fault is HandFault.OUTSIDE


@given(changes=CHANGES)
def test_corners_are_added_and_removed_within_bounds(changes: list[tuple[bool, int]]) -> None:
    hand = starting(SIZE, 4)
    for more, at in changes:
        corner = at % len(hand.corners_px)
        hand = hand.with_corner_after(corner) if more else hand.without_corner(corner)
        assert LEAST_CORNERS <= len(hand.corners_px) == len(hand.bends) <= MOST_CORNERS


def test_a_corner_added_and_removed_changes_nothing() -> None:
    hand = straight(TRAY)
    again = hand.with_corner_after(3).without_corner(4)
    assert again.corners_px == pytest.approx(TRAY)


@pytest.mark.parametrize("order", list(permutations(range(4))))
@pytest.mark.parametrize("mirrored", [False, True])
def test_four_corners_in_any_order_are_the_tray(order: tuple[int, ...], mirrored: bool) -> None:
    tray = TRAY * (-1, 1) + (639, 0) if mirrored else TRAY
    hand = starting(SIZE, 4)
    for corner, place in enumerate(order):
        hand = straight(
            np.vstack([hand.corners_px[:corner], tray[place : place + 1], hand.corners_px[corner + 1 :]])
        )
    x, y = tray[order[3]]
    hand = hand.moved(3, x, y)
    assert hand.fault(SIZE) is None
    assert polygon_fault(hand.area_px) is None
    assert abs(doubled_area(hand.area_px)) == pytest.approx(abs(doubled_area(tray)))


def test_what_is_wrong_is_told_apart() -> None:
    octagon = starting(SIZE, 8)
    crossed = octagon.corners_px.copy()
    crossed[[1, 4]] = crossed[[4, 1]]
    assert straight(crossed).fault(SIZE) is HandFault.CROSSING
    assert octagon.moved(0, -3, 50).fault(SIZE) is HandFault.OUTSIDE
    x, y = octagon.corners_px[1]
    assert octagon.moved(0, x + 1, y).fault(SIZE) is HandFault.TOGETHER
    small = straight((TRAY - TRAY.mean(axis=0)) * 0.2 + TRAY.mean(axis=0))
    assert small.fault(SIZE) is HandFault.SMALL


@settings(max_examples=25)
@given(turn=st.integers(0, 3), mirrored=st.booleans())
def test_the_outline_runs_clockwise_however_the_camera_sees_it(turn: int, mirrored: bool) -> None:
    corners = np.roll(TRAY[::-1] if mirrored else TRAY, turn, axis=0)
    outline = straight(corners).outline
    assert doubled_area(outline.area_px) > 0
    assert [len(side) for side in outline.sides] == [8, 8, 8, 8]
    ends = np.array([side[-1] for side in outline.sides])
    assert np.roll(ends, 1, axis=0) == pytest.approx(np.array([side[0] for side in outline.sides]))
