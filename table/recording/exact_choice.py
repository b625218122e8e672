"""Chooses the frames of a recording that must be kept to the last bit: those that a replay may judge.

Dice on the edge of a doubt are read as sure in one frame and as unsure in the next, and in the same frame
after JPEG. A throw watch looks closely at the frame at which all comes to rest, may look at the next ones
too, and looks again once a second where something is amiss.
"""

from __future__ import annotations

from table.throw_watch import LOOK_AGAIN_S
from vision.domain import Frame, TableCalibration
from vision.settle import SettleKind, Settler

CLOSELY_S = 0.42  # after all has come to rest: a dozen PNG, a quarter of a second of work at 1280x720


class ExactChoice:
    """Ask it about every frame in order."""

    def __init__(self, calibration: TableCalibration | None = None) -> None:
        self._settler = Settler(calibration)
        self._rest_s: float | None = None  # since when all is at rest; None while something moves
        self._again_s = 0.0  # the latest frame there that was looked at

    def __call__(self, frame: Frame) -> bool:
        """Return whether `frame` must be kept exactly.

        Raises CalibrationError if the calibration's pictures are of another shape than the frames.
        """
        for event in self._settler.step(frame):
            moves = event.kind is SettleKind.MOTION_STARTED
            self._rest_s, self._again_s = None if moves else frame.t_s, frame.t_s
        if self._rest_s is None:
            return False
        if frame.t_s - self._again_s >= LOOK_AGAIN_S:
            self._again_s = frame.t_s
        return self._again_s == frame.t_s or frame.t_s - self._rest_s <= CLOSELY_S
