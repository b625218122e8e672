"""A picture cut down to windows loses nothing that lies in them, and all is found again in its place."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.die_detector import DieBoxes
from vision.windows import SIDE_PX, USUAL_SIDES_PX, cut_windows

HEIGHT, WIDTH = 600, 800
PICTURE = np.random.default_rng(4).integers(0, 256, (HEIGHT, WIDTH, 3), dtype=np.uint8)


def boxes(places: list[tuple[float, float]], side: float) -> DieBoxes:
    count = len(places)
    return DieBoxes(np.array(places).reshape(-1, 2), np.full((count, 2), side), np.full(count, 0.9))


places = st.lists(
    st.tuples(st.floats(0, WIDTH - 1), st.floats(0, HEIGHT - 1)), min_size=1, max_size=8, unique=True
)


@settings(max_examples=60, deadline=None)
@given(places, st.floats(USUAL_SIDES_PX[0], 100.0))
def test_every_box_is_in_one_window_as_it_is_in_the_picture(
    found: list[tuple[float, float]], side: float
) -> None:
    sheet = cut_windows(PICTURE, boxes(found, side))
    if sheet is None:  # they are most of the picture
        return
    assert sheet.scale == 1.0
    for x, y in found:
        (row,) = np.flatnonzero(
            (sheet.windows[:, 0] <= x)
            & (x < sheet.windows[:, 2])
            & (sheet.windows[:, 1] <= y)
            & (y < sheet.windows[:, 3])
        )
        on_sheet = np.array([x, y]) - sheet.windows[row, :2] + sheet.at[row]
        assert sheet.window_of(on_sheet[None])[0] == row
        assert sheet.to_picture(on_sheet, int(row)) == pytest.approx([x, y])
    for (left, top, right, bottom), (x, y) in zip(sheet.windows, sheet.at, strict=True):
        piece = sheet.image[y : y + bottom - top, x : x + right - left]
        assert np.array_equal(piece, PICTURE[top:bottom, left:right])


@settings(max_examples=60, deadline=None)
@given(places, st.floats(20.0, 100.0))
def test_windows_lie_apart_on_the_sheet(found: list[tuple[float, float]], side: float) -> None:
    sheet = cut_windows(PICTURE, boxes(found, side))
    if sheet is None:
        return
    low = sheet.at
    high = low + np.rint((sheet.windows[:, 2:] - sheet.windows[:, :2]) * sheet.scale)
    for one in range(len(low)):
        for other in range(one):
            assert (high[one] <= low[other]).any() or (high[other] <= low[one]).any()


def test_small_and_large_dice_are_brought_to_one_size() -> None:
    for side in (16.0, 200.0):
        sheet = cut_windows(PICTURE, boxes([(400.0, 300.0)], side))
        assert sheet is not None
        assert side * sheet.scale == pytest.approx(SIDE_PX)
        middle = sheet.at[0] + (np.array([400.5, 300.5]) - sheet.windows[0, :2]) * sheet.scale - 0.5
        assert sheet.to_picture(middle, 0) == pytest.approx([400, 300])


def test_nothing_seen_and_all_seen_leave_the_picture_whole() -> None:
    assert cut_windows(PICTURE, boxes([], 40.0)) is None
    assert cut_windows(PICTURE, boxes([(400.0, 300.0)], 500.0)) is None


def test_what_lies_between_windows_is_in_none() -> None:
    sheet = cut_windows(PICTURE, boxes([(200.0, 300.0), (600.0, 300.0)], 60.0))
    assert sheet is not None
    assert sheet.window_of(np.array([[0.0, 0.0]]))[0] == -1
