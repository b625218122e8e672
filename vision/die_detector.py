"""The trained detector: boxes of what looks like dice, at a glance over the whole picture.

A small YOLO network. Weights and how they were trained: `models/README.md`. Other
detectors, such as a person's own, do as well: all that is asked of one is `DieDetector`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from vision.domain import FloatArray, Image
from vision.inference import shipped
from vision.opencv import cv2
from vision.spots import halved

WIDTH, HEIGHT = 384, 288  # px of what the network sees; upright pictures are laid on their side
GREY = 114  # of what a picture does not fill
LEAST_CONFIDENCE = 0.02  # of boxes told at all: who asks says what is enough
LIKELY_A_DIE = 0.5  # confidence from which on a box without a die is a doubt
MOST_OVERLAP = 0.5  # of two boxes, over their union
MOST_BOXES = 60


@dataclass(frozen=True, slots=True, eq=False)
class DieBoxes:
    """Upright boxes around whole dice, surest first.

    `center_px` (N, 2), `size_px` (N, 2) width and height, `confidence` (N,) from 0 to 1.
    """

    center_px: FloatArray
    size_px: FloatArray
    confidence: FloatArray

    def __len__(self) -> int:
        return len(self.confidence)

    def pick(self, rows: NDArray[np.bool_]) -> DieBoxes:
        """The boxes of `rows` (N,)."""
        return DieBoxes(self.center_px[rows], self.size_px[rows], self.confidence[rows])


NO_BOXES = DieBoxes(np.zeros((0, 2)), np.zeros((0, 2)), np.zeros(0))


class DieDetector(Protocol):
    """Finds what looks like dice."""

    def __call__(self, image_bgr: Image) -> DieBoxes:
        """Return the boxes of all dice of a picture (H, W, 3), also of those it is hardly sure of."""
        ...


def find_boxes(image_bgr: Image) -> DieBoxes:
    """Find boxes of dice by titusind's own network."""
    upright = image_bgr.shape[0] > image_bgr.shape[1]
    lying = np.ascontiguousarray(image_bgr.transpose(1, 0, 2)) if upright else image_bgr
    height, width = lying.shape[:2]
    scale = min(WIDTH / width, HEIGHT / height)
    canvas = np.full((HEIGHT, WIDTH, 3), GREY, dtype=np.uint8)
    rows, columns = max(1, round(height * scale)), max(1, round(width * scale))
    while lying.shape[0] >= 2 * rows and lying.shape[1] >= 2 * columns:  # many times faster than in one go
        lying = halved(lying)
    canvas[:rows, :columns] = cv2.resize(lying, (columns, rows), interpolation=cv2.INTER_AREA)
    output = shipped("detector.onnx")(cv2.dnn.blobFromImage(canvas, scalefactor=1 / 255, swapRB=True))
    boxes = decode(output[0])
    center = (boxes.center_px + 0.5) / scale - 0.5
    turn = slice(None, None, -1 if upright else 1)
    return DieBoxes(center[:, turn], boxes.size_px[:, turn] / scale, boxes.confidence)


def decode(rows: FloatArray) -> DieBoxes:
    """Boxes of a YOLO network's output (4 + classes, N): middle x, y, width, height, confidence by class.

    Of boxes that overlap the surest stays.
    """
    confidence = rows[4:].max(axis=0)
    likely = np.flatnonzero(confidence >= LEAST_CONFIDENCE)
    likely = likely[np.argsort(-confidence[likely], kind="stable")][: 4 * MOST_BOXES]
    center, size = rows[:2, likely].T - 0.5, rows[2:4, likely].T
    corners = np.concatenate([center - size / 2, size], axis=1)
    kept = cv2.dnn.NMSBoxes(corners.tolist(), confidence[likely].tolist(), LEAST_CONFIDENCE, MOST_OVERLAP)
    best = np.asarray(kept, dtype=np.intp).reshape(-1)[:MOST_BOXES]
    return DieBoxes(center[best], size[best], confidence[likely][best])
