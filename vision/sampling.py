"""Read a picture between its pixels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.domain import FloatArray, Image
from vision.opencv import cv2

MAX_ROWS = 32000  # cv2.remap takes at most 32767


def sample(
    picture: Image, points: FloatArray | NDArray[np.float32], scale: float = 1.0
) -> NDArray[np.float32]:
    """Colours (..., 3) at full-size pixel positions (..., 2) of a picture scaled by 1/scale, bilinear.

    Positions off the picture get the colour of its nearest edge.
    """
    scaled = points if scale == 1 else (points - (scale - 1) / 2) / scale
    flat = scaled.astype(np.float32, copy=False).reshape(-1, points.shape[-2], 2)
    parts = [
        cv2.remap(picture, part[..., 0], part[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        for part in np.split(flat, range(MAX_ROWS, len(flat), MAX_ROWS))
    ]
    return np.concatenate(parts).reshape(*points.shape[:-1], 3).astype(np.float32)


def sample_levels(
    pyramid: Sequence[Image], level: NDArray[np.intp], points: FloatArray | NDArray[np.float32]
) -> NDArray[np.float32]:
    """Colours (N, ..., 3) at full-size positions (N, ..., 2), each row read on its own `level` (N,)."""
    present = np.unique(level)
    if len(present) == 1:
        return sample(pyramid[present[0]], points, 2.0 ** present[0])
    colours = np.empty((*points.shape[:-1], 3), dtype=np.float32)
    for step in present:
        rows = level == step
        colours[rows] = sample(pyramid[step], points[rows], 2.0**step)
    return colours
