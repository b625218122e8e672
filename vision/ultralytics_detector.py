"""A person's own die detector, in any format Ultralytics loads: the one door to `ultralytics`.

For who has trained a YOLO on dice of their own. Its classes are not asked for: each of its boxes is a die.
Needs the `train` extra.
"""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from pathlib import Path

import numpy as np

from vision.die_detector import LEAST_CONFIDENCE, MOST_BOXES, DieBoxes
from vision.domain import Image
from vision.errors import VisionError


class DetectorError(VisionError, ValueError):
    """A detector that cannot be loaded."""


class UltralyticsDieDetector:
    """Runs the network of a file; raises DetectorError if it cannot. Ultralytics talks to standard error."""

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            found = "a directory" if path.is_dir() else "no such file"
            raise DetectorError(f"{path}: {found}; accepted: a YOLO network that Ultralytics loads, as .pt")
        try:
            with redirect_stdout(sys.stderr):
                from ultralytics import YOLO  # noqa: PLC0415 - an extra, and slow to import
        except ImportError as error:
            raise DetectorError(
                f"{path}: needs Ultralytics ({error}); install it with `pip install 'titusind[train]'`"
            ) from error
        try:
            with redirect_stdout(sys.stderr):
                self._network = YOLO(path, task="detect")
            self(np.zeros((64, 64, 3), dtype=np.uint8))  # formats other than .pt are loaded when first used
        except Exception as error:  # whatever a file of unknown make may raise
            said = " ".join(str(error).split())
            raise DetectorError(f"{path}: Ultralytics cannot run it ({said})") from error

    def __call__(self, image_bgr: Image) -> DieBoxes:
        """Return the boxes of all dice of a picture (H, W, 3)."""
        with redirect_stdout(sys.stderr):
            (found,) = self._network.predict(
                image_bgr, conf=LEAST_CONFIDENCE, max_det=MOST_BOXES, verbose=False
            )
        boxes = np.asarray(found.boxes.xywh.cpu(), dtype=np.float64)
        confidence = np.asarray(found.boxes.conf.cpu(), dtype=np.float64)
        order = np.argsort(-confidence, kind="stable")
        return DieBoxes(boxes[order, :2] - 0.5, boxes[order, 2:], confidence[order])
