"""What one listener has still to get. Putting something in never waits."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

from table.output import json_line

MOST_WAITING = 1000  # events: more than an evening of an hour has


class Mailbox:
    """Keeps lines until their listener takes them; beyond `most` the oldest are dropped, which it is told."""

    def __init__(self, wake: Callable[[], None], most: int = MOST_WAITING) -> None:
        self._wake, self._most = wake, most
        self._lock = threading.Lock()
        self._lines: deque[str] = deque()
        self._dropped = 0

    def put(self, line: str) -> None:
        """Add `line` and wake the listener."""
        with self._lock:
            self._lines.append(line)
            if len(self._lines) > self._most:
                self._lines.popleft()
                self._dropped += 1
        self._wake()

    @property
    def waiting(self) -> bool:
        """Whether anything waits to be taken."""
        return bool(self._lines)

    def take(self) -> list[str]:
        """Return all lines that wait, the oldest first; where some were dropped, first of all how many."""
        with self._lock:
            lines, dropped = list(self._lines), self._dropped
            self._lines.clear()
            self._dropped = 0
        told = [json_line({"event": "dropped", "count": dropped}).rstrip("\n")] if dropped else []
        return told + lines
