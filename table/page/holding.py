"""Who wants the table to look at nothing for a while: pages on which it is calibrated."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

HOLD_S = 5.0  # after which one that was not heard of any more, its browser gone, holds nothing


class Holders:
    """Any number of holders, each by a name of its own, may hold at once. `clock` gives seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._until: dict[str, float] = {}
        self._lock = threading.Lock()

    def hold(self, name: str) -> bool:
        """Hold for HOLD_S from now; whether nobody did before."""
        with self._lock:
            first = not self._until
            self._until[name] = self._clock() + HOLD_S
            return first

    def let_go(self, name: str) -> bool:
        """Hold no more; whether that leaves nobody, and somebody did."""
        with self._lock:
            return self._until.pop(name, None) is not None and not self._until

    def let_go_of_gone(self) -> bool:
        """Forget who was not heard of for HOLD_S; whether that leaves nobody, and somebody did."""
        with self._lock:
            before = len(self._until)
            now_s = self._clock()
            self._until = {name: until for name, until in self._until.items() if until > now_s}
            return before > 0 and not self._until
