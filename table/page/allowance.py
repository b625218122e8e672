"""How often somebody may do something: at once, and in the long run."""

from __future__ import annotations

import time
from collections.abc import Callable

MOST_KNOWN = 1000  # of those who have used some of theirs lately; beyond, the oldest are forgotten


class Allowance:
    """Allows each of many `most` times at once, and once more every `every_s` seconds."""

    def __init__(self, most: int, every_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._most, self._every_s, self._clock = most, every_s, clock
        self._whole_at_s: dict[str, float] = {}  # when nothing is used any more; a later use moves it on

    def wait_s(self, who: str) -> float:
        """Return for how many seconds `who` must wait, 0 if not at all."""
        used_s = self._whole_at_s.get(who, 0.0) - self._clock()
        return max(0.0, used_s - (self._most - 1) * self._every_s)

    def use(self, who: str) -> None:
        """Count one time of `who`."""
        whole_at_s = max(self._whole_at_s.pop(who, 0.0), self._clock()) + self._every_s
        self._whole_at_s[who] = whole_at_s
        if len(self._whole_at_s) > MOST_KNOWN:
            del self._whole_at_s[next(iter(self._whole_at_s))]
