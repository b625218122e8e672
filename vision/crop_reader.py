"""The trained reader: a small network's opinion of which face is up in a crop around a supposed die.

It knows nothing of pips' geometry and geometry nothing of it, so that what both say is better founded than
either. Weights and how they were trained: `models/README.md`.
"""

from __future__ import annotations

import numpy as np

from vision.domain import FloatArray, Image
from vision.inference import shipped
from vision.opencv import cv2

CROP_SIDE = 64  # px, of what the network sees
ROOM = 1.3  # side of a crop, in the longer sides of the die's upright box
NO_FACE = 0  # column of the chance that no top face is in the middle; the others are the faces


def read_crops(image_bgr: Image, centers_px: FloatArray, sides_px: FloatArray) -> FloatArray:
    """Return the chances (N, 7) that no top face, or face 1 to 6, is in the middle of each crop.

    `centers_px` (N, 2) and `sides_px` (N,): middles and longer sides of the dice's upright boxes.
    """
    if len(centers_px) == 0:
        return np.zeros((0, 7))
    crops = [cut_crop(image_bgr, center, side) for center, side in zip(centers_px, sides_px, strict=True)]
    chances = shipped("reader.onnx")(cv2.dnn.blobFromImages(crops, scalefactor=1 / 255))
    return np.roll(chances, 1, axis=1)


def upright_side(corners_px: FloatArray) -> float:
    """Return the longer side of the upright box around corners (4, 2)."""
    return float(np.ptp(corners_px, axis=0).max())


def cut_crop(
    image_bgr: Image, center_px: FloatArray, side_px: float, room: float = ROOM, out: int = CROP_SIDE
) -> Image:
    """Cut the square (out, out, 3) around a die, `room` times as wide as its upright box.

    Beyond the picture its outermost pixels go on.
    """
    width = max(2, round(room * side_px))
    left, top = (round(float(at) - (width - 1) / 2) for at in center_px)
    height_px, width_px = image_bgr.shape[:2]
    if 0 <= left <= width_px - width and 0 <= top <= height_px - width:
        square = image_bgr[top : top + width, left : left + width]
    else:
        rows = np.clip(np.arange(top, top + width), 0, height_px - 1)
        columns = np.clip(np.arange(left, left + width), 0, width_px - 1)
        square = image_bgr[rows[:, None], columns[None]]
    how = cv2.INTER_AREA if width > out else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(square, (out, out), interpolation=how), dtype=np.uint8)
