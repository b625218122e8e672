"""Propose where small round spots may be, of any size, colour and polarity.

A difference of blurs over a pyramid, all colours together (Lindeberg 1998: blob detection in scale space).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.domain import FloatArray, Image
from vision.opencv import cv2

LEVEL_RADIUS = 2.8  # px radius of the spots one pyramid level proposes
RINGS_PX = (3.4, 5.0)  # just outside the smallest and the largest spots proposed at a level
COARSEST_SIDE = 40  # px; a die must be at least a few times smaller than the picture
MIN_RESPONSE = 16  # summed over B, G, R, of a small blur against a large one
MIN_CONTRAST = 22.0  # grey levels between a spot and its ring (Euclidean over B, G, R)
MAX_PEAKS, MAX_PROPOSALS = 1600, 360  # a level


def build_pyramid(image_bgr: Image) -> list[Image]:
    """Halve the picture until it is no larger than a few pips; level k is scaled by 2**-k."""
    levels = [image_bgr]
    while min(levels[-1].shape[:2]) >= 2 * COARSEST_SIDE:
        levels.append(halved(levels[-1]))
    return levels


def halved(picture: Image) -> Image:
    """A picture of half the size, without the last row or column of an odd one: exact halves are fast."""
    height, width = (size // 2 for size in picture.shape[:2])
    even = picture[: 2 * height, : 2 * width]
    return np.asarray(cv2.resize(even, (width, height), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def propose(picture: Image) -> FloatArray:
    """Middles (N, 2) of spots about `LEVEL_RADIUS` px in radius, strongest first."""
    inner = np.asarray(cv2.GaussianBlur(picture, (3, 3), 0), dtype=np.uint8)
    blue, green, red = cv2.split(cv2.absdiff(inner, cv2.blur(picture, (9, 9))))
    response = cv2.add(cv2.add(blue, green), red)
    peak = cv2.dilate(response, np.ones((5, 5), dtype=np.uint8))
    margin = int(max(RINGS_PX))
    peaks = ((response == peak) & (response >= MIN_RESPONSE))[margin:-margin, margin:-margin]
    rows, columns = np.divmod(np.flatnonzero(peaks), peaks.shape[1])
    rows, columns = rows + margin, columns + margin
    strongest = np.argsort(-response[rows, columns].astype(np.int64), kind="stable")[:MAX_PEAKS]
    rows, columns = rows[strongest], columns[strongest]
    keep = _stands_out(inner, rows, columns)
    return np.stack([columns[keep], rows[keep]], axis=1).astype(np.float64)[:MAX_PROPOSALS]


def _stands_out(picture: Image, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Which places differ in colour, and in the same way, from nearly all of a ring around them."""
    center = picture[rows, columns].astype(np.float32)
    stands_out = np.zeros(len(rows), dtype=np.bool_)
    for radius in RINGS_PX:
        angles = np.arange(8) * (np.pi / 4)
        right, down = (np.rint(radius * turn(angles)).astype(np.intp)[:, None] for turn in (np.cos, np.sin))
        away = picture[rows + down, columns + right].astype(np.float32) - center
        axis = away.mean(axis=0)
        contrast_sq = np.maximum((axis**2).sum(axis=1), 1e-6)
        along = (away * axis).sum(axis=2) / contrast_sq
        stands_out |= (np.sort(along, axis=0)[1] > 0.45) & (contrast_sq > MIN_CONTRAST**2)
    return stands_out
