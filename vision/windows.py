"""Cut a picture down to where dice may be: windows around them, side by side on one sheet.

What is not looked at costs nothing, and every die is brought to a size at which its pips can be measured.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.die_detector import DieBoxes
from vision.domain import FloatArray, Image
from vision.opencv import cv2

ROOM = 0.75  # half side of a window, in the longer sides of its die's box
GUTTER = 16  # px around each window, where its outermost pixels go on
GRID = 8  # px: windows and their places on the sheet lie on this grid, so that halving both gives the same
USUAL_SIDES_PX = (64.0, 170.0)  # longer sides of boxes that are left as large as they are
SIDE_PX = 100.0  # of others
SURE = 0.3  # confidence of the boxes that say how large the dice are
MOST_OF_IT = 0.6  # of the picture's area: windows that cover more save nothing

Window = tuple[int, int, int, int]  # left, top, right, bottom in the picture


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """Windows of a picture on one sheet.

    `windows` (N, 4): left, top, right, bottom of each in the picture; `at` (N, 2): where its upper left
    corner lies on `image`, the sheet; `scale`: pixels of the sheet for one of the picture.
    """

    image: Image
    windows: NDArray[np.intp]
    at: NDArray[np.intp]
    scale: float

    def window_of(self, points: FloatArray) -> NDArray[np.intp]:
        """The row of the window in which each point (N, 2) of the sheet lies; -1 for none."""
        size = np.rint((self.windows[:, 2:] - self.windows[:, :2]) * self.scale)
        away = points[:, None] - self.at[None]
        inside = ((away >= -0.5) & (away <= size[None] - 0.5)).all(axis=2)
        return np.where(inside.any(axis=1), inside.argmax(axis=1), -1)

    def to_picture(self, points: FloatArray, window: int) -> FloatArray:
        """Points (..., 2) of the sheet, in `window`, in the picture's pixels."""
        return np.asarray((points - self.at[window] + 0.5) / self.scale - 0.5 + self.windows[window, :2])


def cut_windows(image_bgr: Image, boxes: DieBoxes) -> Sheet | None:
    """Return the windows around boxes; None when there are none, or when they are most of the picture."""
    if not len(boxes):
        return None
    windows = _merged(_around(boxes, image_bgr.shape[:2]))
    area = sum((right - left) * (bottom - top) for left, top, right, bottom in windows)
    if area > MOST_OF_IT * image_bgr.shape[0] * image_bgr.shape[1]:
        return None
    scale = _scale(boxes)
    pieces = [_piece(image_bgr, window, scale) for window in windows]
    at, size = _packed([piece.shape[:2] for piece in pieces])
    sheet = np.zeros((*size, 3), dtype=np.uint8)
    for piece, (x, y) in zip(pieces, at, strict=True):
        sheet[y : y + piece.shape[0], x : x + piece.shape[1]] = piece
    return Sheet(sheet, np.array(windows), np.array(at) + GUTTER, scale)


def _around(boxes: DieBoxes, size: tuple[int, ...]) -> list[Window]:
    half = ROOM * boxes.size_px.max(axis=1, keepdims=True)
    low = GRID * np.floor(np.maximum(boxes.center_px - half, 0) / GRID).astype(np.intp)
    high = np.minimum(GRID * np.ceil((boxes.center_px + half) / GRID).astype(np.intp), (size[1], size[0]))
    return [
        (int(a), int(b), int(c), int(d)) for (a, b), (c, d) in zip(low, high, strict=True) if a < c and b < d
    ]


def _merged(windows: Sequence[Window]) -> list[Window]:
    """Windows none of which overlap: those that do become one around both."""
    apart: list[Window] = []
    for window in windows:
        merged = window
        while overlapping := [other for other in apart if _overlap(merged, other)]:
            apart = [other for other in apart if other not in overlapping]
            every = np.array([merged, *overlapping])
            low, high = every[:, :2].min(axis=0), every[:, 2:].max(axis=0)
            merged = (int(low[0]), int(low[1]), int(high[0]), int(high[1]))
        apart.append(merged)
    return apart


def _overlap(one: Window, other: Window) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _scale(boxes: DieBoxes) -> float:
    """What brings the usual die to a good size."""
    longer = boxes.size_px.max(axis=1)
    sure = boxes.confidence >= SURE
    usual = float(np.median(longer[sure] if sure.any() else longer[:1]))
    low, high = USUAL_SIDES_PX
    return 1.0 if low <= usual <= high else SIDE_PX / usual


def _piece(image_bgr: Image, window: Window, scale: float) -> Image:
    left, top, right, bottom = window
    piece = image_bgr[top:bottom, left:right]
    if scale != 1.0:
        size = (max(1, round((right - left) * scale)), max(1, round((bottom - top) * scale)))
        how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
        piece = np.asarray(cv2.resize(piece, size, interpolation=how), dtype=np.uint8)
    framed = cv2.copyMakeBorder(piece, GUTTER, GUTTER, GUTTER, GUTTER, cv2.BORDER_REPLICATE)
    return np.asarray(framed, dtype=np.uint8)


def _packed(sizes: Sequence[tuple[int, ...]]) -> tuple[list[tuple[int, int]], tuple[int, int]]:
    """Upper left corners (x, y) of pieces laid in rows, tallest first, and the height and width of all."""
    area = sum(height * width for height, width in sizes)
    widest = max(math.isqrt(area) * 5 // 4, *(width for _, width in sizes), 0)
    at = [(0, 0)] * len(sizes)
    x = y = row_height = 0
    for number in sorted(range(len(sizes)), key=lambda number: -sizes[number][0]):
        height, width = sizes[number]
        if x + width > widest:
            x, y, row_height = 0, y + row_height, 0
        at[number] = (x, y)
        x, row_height = x + -(-width // GRID) * GRID, max(row_height, -(-height // GRID) * GRID)
    return at, (y + row_height, widest)
