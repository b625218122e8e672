"""The live picture as the page shows it: the tray cut out, a small JPEG, encoded once a frame for all."""

from __future__ import annotations

import threading
from dataclasses import dataclass

import numpy as np

from vision.domain import Frame, Image, TableCalibration
from vision.opencv import cv2

PICTURE_URL = "/picture.jpg"
LONGEST_PX = 960
LEAST_PX = 32
QUALITY = 80
MARGIN = 0.06  # of the area's longer side, around it: dice that fell out should be seen


@dataclass(frozen=True, slots=True)
class Cutout:
    """The part of a frame that is shown, box [x0, x1) [y0, y1) in its pixels, `scale` times as large."""

    x0: int
    y0: int
    x1: int
    y1: int
    scale: float

    @property
    def aspect(self) -> float:
        """Width by height."""
        return (self.x1 - self.x0) / (self.y1 - self.y0)

    @property
    def size(self) -> tuple[float, float]:
        """Width and height as it is shown."""
        return (self.x1 - self.x0) * self.scale, (self.y1 - self.y0) * self.scale

    def to_shown(self, x: float, y: float) -> tuple[float, float]:
        """Return where pixel (x, y) of the frame is in the picture shown."""
        return (x - self.x0) * self.scale, (y - self.y0) * self.scale

    def to_frame(self, x: float, y: float) -> tuple[float, float]:
        """Return where pixel (x, y) of the picture shown is in the frame."""
        return x / self.scale + self.x0, y / self.scale + self.y0


class Picture:
    """The newest frame, and its JPEG once someone asks for it; with a calibration, of the tray alone."""

    def __init__(self, calibration: TableCalibration | None = None) -> None:
        self.calibration = calibration
        self._lock = threading.Lock()
        self._frame: Frame | None = None
        self._jpeg = b""
        self._encoded: Frame | None = None

    @property
    def frame(self) -> Frame | None:
        """The newest frame."""
        return self._frame

    def show(self, frame: Frame) -> None:
        """Take `frame` for the newest."""
        self._frame = frame

    def cutout(self, frame: Frame) -> Cutout:
        """Return the part of `frame` that is shown."""
        return cutout_of(frame.image_bgr, self.calibration)

    def jpeg(self) -> bytes | None:
        """Return the newest frame's cutout as JPEG; None before the first frame."""
        with self._lock:
            frame = self._frame
            if frame is not None and frame is not self._encoded:
                self._jpeg, self._encoded = small_jpeg(cut(frame.image_bgr, self.cutout(frame))), frame
            return self._jpeg or None


def cutout_of(image: Image, calibration: TableCalibration | None, longest_px: int = LONGEST_PX) -> Cutout:
    """Return the tray in a picture (H, W, 3), without a calibration all of it, `longest_px` at most."""
    height, width = image.shape[:2]
    low, high = np.zeros(2, int), np.array([width, height])
    if calibration is not None:
        area = calibration.area_px
        margin = MARGIN * np.ptp(area, axis=0).max()
        inside = [(area.min(axis=0) - margin).astype(int), (area.max(axis=0) + margin).astype(int)]
        low, high = np.clip(inside, 0, high)
    x0, y0, x1, y1 = map(int, (*low, *high))
    if min(x1 - x0, y1 - y0) < LEAST_PX:  # the area of another camera: show all there is
        x0, y0, x1, y1 = 0, 0, int(width), int(height)
    return Cutout(x0, y0, x1, y1, min(1.0, longest_px / max(x1 - x0, y1 - y0)))


def cut(image: Image, cutout: Cutout) -> Image:
    """Return the part of a picture (H, W, 3), as large as it is shown."""
    part = image[cutout.y0 : cutout.y1, cutout.x0 : cutout.x1]
    shown = cv2.resize(part, None, fx=cutout.scale, fy=cutout.scale, interpolation=cv2.INTER_AREA)
    return np.asarray(shown, dtype=np.uint8)


def small_jpeg(image: Image) -> bytes:
    """Return a picture (H, W, 3) as JPEG to be looked at."""
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()
