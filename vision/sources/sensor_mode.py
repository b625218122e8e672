"""Which of a sensor's modes to read dice in, from picamera2's list of them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

FPS = 30.0
READ_SIZE = (2304, 1296)  # Camera Module 3, binned: its whole view at up to 56 frames a second
WHOLE_VIEW = 0.95  # of the largest view that is fast enough
SMALLER = 4  # times, for the picture that settling looks at


@dataclass(frozen=True, slots=True)
class SensorMode:
    """`size`: (width, height) in pixels; `fps`: frames a second to ask for, 30 at most."""

    size: tuple[int, int]
    bit_depth: int
    fps: float

    @property
    def small_size(self) -> tuple[int, int]:
        """(width, height) of the picture that settling looks at, of the same shape; both even."""
        width, height = (side // SMALLER // 2 * 2 for side in self.size)
        return width, height


def best_mode(modes: Sequence[Mapping[str, Any]]) -> SensorMode | None:
    """Return the mode to read in: fast enough, then of the whole view, then closest to 2304x1296 pixels.

    `modes` as `Picamera2.sensor_modes` has them; None if none says its size, as a USB camera's. A sensor
    without a mode of 30 frames a second is read at its fastest.
    """
    sized = [mode for mode in modes if "size" in mode]
    if not sized:
        return None
    fastest = max(mode["fps"] for mode in sized)
    fast = [mode for mode in sized if mode["fps"] >= min(FPS, fastest)]
    largest = max(map(_view, fast))
    whole = [mode for mode in fast if _view(mode) >= WHOLE_VIEW * largest]
    best = min(whole, key=lambda mode: (_apart(mode["size"]), -mode["bit_depth"]))
    return SensorMode(best["size"], best["bit_depth"], min(FPS, best["fps"]))


def _view(mode: Mapping[str, Any]) -> int:
    """The area of the sensor that the mode sees."""
    _, _, width, height = mode["crop_limits"]
    return int(width * height)


def _apart(size: tuple[int, int]) -> float:
    return abs(math.log(math.prod(size) / math.prod(READ_SIZE)))
