"""The board as printed is the board that is looked for, and nothing else passes for it."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.calibrate.known_camera import DICTIONARY, board_picture, camera
from vision.calibrate.board import SIZE_MM, black_rectangles, find_board
from vision.opencv import cv2

PX_PER_MM = 6  # whole pixels for squares, margins and the cells of markers


def test_what_is_printed_is_opencvs_own_board() -> None:
    drawn = np.full((int(SIZE_MM[1] * PX_PER_MM), int(SIZE_MM[0] * PX_PER_MM)), 255, np.uint8)
    for rectangle in black_rectangles():
        x, y, width, height = (round(PX_PER_MM * mm) for mm in rectangle)
        drawn[y : y + height, x : x + width] = 0
    board = cv2.aruco.CharucoBoard((7, 5), 30.0, 22.0, DICTIONARY)
    assert (drawn == board.generateImage(drawn.shape[::-1])).all()


@pytest.mark.parametrize(("margin_mm", "floor"), [(15, 120), (0, 120), (0, 10), (0, 255)])
def test_corners_are_found_below_a_tenth_of_a_pixel_even_if_the_margin_is_cut_off(
    margin_mm: int, floor: int
) -> None:
    known = camera(over_mm=(105, -75), distortion=(-0.1, 0.02, 0, 0, 0))
    view = find_board(board_picture(known, margin_mm=margin_mm, floor=floor))
    assert view is not None
    assert len(view.points_px) == 24
    away = np.linalg.norm(known.sees(view.points_mm * (1, -1)) - view.points_px, axis=1)
    assert np.sqrt((away**2).mean()) < 0.1


def test_a_picture_without_the_sheet_has_none() -> None:
    grey = np.random.default_rng(1).integers(0, 255, (480, 640, 3), dtype=np.uint8)
    assert find_board(grey) is None
    assert find_board(np.full((480, 640, 3), 90, np.uint8)) is None


def test_a_little_of_the_sheet_is_too_little() -> None:
    picture = board_picture(camera(over_mm=(105, -75)))
    x, y = camera(over_mm=(105, -75)).sees(np.array([[75.0, -75.0]]))[0].astype(int)
    picture[:, x:] = 120  # two columns of corners are left
    picture[y:] = 120
    assert find_board(picture) is None
