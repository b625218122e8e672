"""Tells dice that already lay where they lie before anything moved: nobody threw them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.domain import DieReading, FloatArray, Image
from vision.opencv import cv2

ALIKE = 0.85  # correlation of the two pictures of a die: noise leaves 0.95, another face or bare table 0.6
MARGIN = 0.15  # of a die's size, around it


def lain_before(image_bgr: Image, before_bgr: Image, dice: Sequence[DieReading]) -> tuple[bool, ...]:
    """Return for each of `dice`, read in a picture (H, W, 3) BGR, whether it lay alike in the one before.

    Correlation asks for the same pips in the same places, in whatever light.
    """
    if image_bgr.shape != before_bgr.shape:
        return (False,) * len(dice)
    return tuple(_is_alike(image_bgr, before_bgr, die.corners_px) for die in dice)


def _is_alike(image: Image, before: Image, corners_px: FloatArray) -> bool:
    low, high = corners_px.min(axis=0), corners_px.max(axis=0)
    room = MARGIN * (high - low)
    left, top = np.maximum(np.floor(low - room), 0).astype(int)
    right, bottom = np.ceil(high + room).astype(int) + 1
    now, then = image[top:bottom, left:right], before[top:bottom, left:right]
    if not now.size:
        return False
    return float(cv2.matchTemplate(now, then, cv2.TM_CCOEFF_NORMED)[0, 0]) > ALIKE
