"""Chooses the frames of a recording that must be kept to the last bit: those that a replay may judge.

Dice on the edge of a doubt are read as sure in one frame and as unsure in the next, and in the same frame
after JPEG. A throw watch looks closely at the frame at which all comes to rest, may look at the still ones
before it and at the next ones too, and looks again once a second where something is amiss.
"""

from __future__ import annotations

from collections import deque

from table.second_sight import FRAMES, LONGEST_S, still_before
from table.throw_watch import LOOK_AGAIN_S
from vision.domain import Frame, TableCalibration
from vision.settle import SettleEvent, SettleKind, Settler

SLACK_S = 0.02  # of the frame that ends the longest look
Chosen = tuple[tuple[Frame, bool], ...]  # frames, and whether each must be kept exactly


class ExactChoice:
    """Give it every frame in order by `add`: they come back a few frames later, those left by `rest`."""

    def __init__(self, calibration: TableCalibration | None = None) -> None:
        self._settler = Settler(calibration)
        self._waiting: deque[Frame] = deque()  # may turn out to be still
        self._moves = False
        self._rest_s: float | None = None  # since when all is at rest, if ever, and
        self._since = 0  # how many frames that was ago
        self._again_s = 0.0  # the latest frame there that was looked at

    def add(self, frame: Frame) -> Chosen:
        """Return the frames on which it is decided now, in order.

        Raises CalibrationError if the calibration's pictures are of another shape than the frames.
        """
        event: SettleEvent | None = None
        for event in self._settler.step(frame):
            self._moves = event.kind is SettleKind.MOTION_STARTED
            self._rest_s, self._again_s, self._since = frame.t_s, frame.t_s, -1
        if self._moves:
            self._waiting.append(frame)
            return ((self._waiting.popleft(), False),) if len(self._waiting) > FRAMES else ()
        still = set() if event is None else {each.index for each in still_before(event, self._waiting)}
        before = tuple((each, each.index in still) for each in self._waiting)
        self._waiting.clear()
        return (*before, (frame, self._is_looked_at(frame)))

    def rest(self) -> Chosen:
        """Return the frames on which it was not decided yet."""
        waiting = tuple((frame, False) for frame in self._waiting)
        self._waiting.clear()
        return waiting

    def _is_looked_at(self, frame: Frame) -> bool:
        if self._rest_s is None:
            return False
        self._since += 1
        if frame.t_s - self._again_s >= LOOK_AGAIN_S:
            self._again_s = frame.t_s
        soon = self._since <= FRAMES and frame.t_s - self._rest_s <= LONGEST_S + SLACK_S
        return self._again_s == frame.t_s or soon
