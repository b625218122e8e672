"""A stand-in for cv2.VideoCapture whose frames come when a test says so."""

from __future__ import annotations

import threading

from tests.vision.sources.views import view
from vision.domain import Image


class PushedCapture:
    """Gives view 0, 1, ... as they are pushed; once `unplugged`, none; `released` when it is let go of."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._pushed = self.given = 0
        self._is_read = self._waiting = False
        self.unplugged = False
        self.released = threading.Event()

    def push(self, count: int) -> None:
        """Have `count` frames come; once anybody reads, return when the one after them is waited for."""
        with self._changed:
            self._pushed += count
            self._changed.notify_all()
            if self._is_read:
                self._changed.wait_for(lambda: self._waiting and self.given == self._pushed)

    def unplug(self) -> None:
        with self._changed:
            self.unplugged = True
            self._changed.notify_all()

    def read(self) -> tuple[bool, Image]:
        with self._changed:
            self._is_read = self._waiting = True
            self._changed.notify_all()
            self._changed.wait_for(lambda: self.given < self._pushed or self.unplugged)
            self._waiting = False
            self.given += 1
            return not self.unplugged, view(self.given - 1)

    def release(self) -> None:
        self.released.set()
