"""The sheet to print: a ChArUco board, the same on every paper, and how it is found in a picture.

Board millimetres have their origin in the board's upper left corner as printed, x right, y down.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

from vision.domain import FloatArray, Image
from vision.opencv import cv2

COLUMNS, ROWS = 7, 5
SQUARE_MM = 30.0
MARKER_MM = 22.0
MARKER_CELLS = 6  # 4x4 bits and a black border
LEAST_CORNERS = 8
SIZE_MM = (COLUMNS * SQUARE_MM, ROWS * SQUARE_MM)
PAPER_MM = ((-44.0, -8.5), (254.0, -8.5), (254.0, 208.5), (-44.0, 208.5))  # of any paper it is printed on
MOST_BENT = 0.02  # of the board's size in the picture: corners further from one plane's picture are no board

Rectangle = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True, eq=False)
class BoardView:
    """Corners of the board in one picture, `points_px` (N, 2); where they are on it, `points_mm` (N, 2)."""

    points_px: FloatArray
    points_mm: FloatArray

    @property
    def paper_px(self) -> FloatArray:
        """Corners (4, 2) of the paper, the largest it may be printed on, in the picture."""
        homography, _ = cv2.findHomography(self.points_mm, self.points_px)
        corners = np.array(PAPER_MM).reshape(-1, 1, 2)
        return np.asarray(cv2.perspectiveTransform(corners, homography), dtype=np.float64).reshape(-1, 2)


def black_rectangles() -> Iterator[Rectangle]:
    """Yield what is black on the board as (x, y, width, height) in board mm."""
    markers = iter(range(COLUMNS * ROWS))
    for row in range(ROWS):
        for column in range(COLUMNS):
            x, y = column * SQUARE_MM, row * SQUARE_MM
            if (row + column) % 2 == 0:
                yield x, y, SQUARE_MM, SQUARE_MM
            else:
                yield from _marker(next(markers), x, y)


def _marker(number: int, x: float, y: float) -> Iterator[Rectangle]:
    cells = cv2.aruco.generateImageMarker(_dictionary(), number, MARKER_CELLS) == 0
    cell, margin = MARKER_MM / MARKER_CELLS, (SQUARE_MM - MARKER_MM) / 2
    for row, line in enumerate(cells):
        edges = np.flatnonzero(np.diff(np.concatenate([[False], line, [False]]).astype(np.int8)))
        for start, end in edges.reshape(-1, 2).tolist():  # runs of black, so that no hairline splits a row
            yield x + margin + start * cell, y + margin + row * cell, (end - start) * cell, cell


def find_board(image_bgr: Image) -> BoardView | None:
    """Return the sheet's corners in a picture (H, W, 3); None when it is not there, or too little of it."""
    grey = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY)
    corners, numbers, _, _ = cv2.aruco.CharucoDetector(_board()).detectBoard(grey)
    if corners is None or len(corners) < LEAST_CORNERS:
        return None
    places = np.asarray(_board().getChessboardCorners(), dtype=np.float64)[np.ravel(numbers), :2]
    view = BoardView(np.asarray(corners, dtype=np.float64).reshape(-1, 2), places)
    return view if _is_plane(view) else None


def _is_plane(view: BoardView) -> bool:
    """Whether one plane explains the corners, but for what a lens bends; corners in one line say nothing."""
    if np.linalg.matrix_rank(view.points_mm - view.points_mm[0]) < 2:
        return False
    homography, _ = cv2.findHomography(view.points_mm, view.points_px)
    if homography is None:
        return False
    again = cv2.perspectiveTransform(view.points_mm.reshape(-1, 1, 2), homography).reshape(-1, 2)
    size = float(np.ptp(view.points_px, axis=0).max())
    return bool(np.abs(again - view.points_px).max() < MOST_BENT * size)


@cache
def _dictionary() -> cv2.aruco.Dictionary:
    return cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)


@cache
def _board() -> cv2.aruco.CharucoBoard:
    return cv2.aruco.CharucoBoard((COLUMNS, ROWS), SQUARE_MM, MARKER_MM, _dictionary())
