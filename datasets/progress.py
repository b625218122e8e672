"""A progress bar with the time left, on standard error; in a log a line now and then."""

from __future__ import annotations

import sys
import time
from typing import Final

BAR_WIDTH: Final = 30
LOG_EVERY_S: Final = 30.0


class Progress:
    """Counts `total` things done; `before` of them were there already and tell nothing of the pace."""

    def __init__(self, title: str, total: int, before: int = 0) -> None:
        self._title, self._total, self._before, self._done = title, total, before, before
        self._start = self._shown = time.monotonic()

    def step(self, count: int) -> None:
        """Show that `count` more are done."""
        self._done += count
        now, terminal = time.monotonic(), sys.stderr.isatty()
        if not terminal and now - self._shown < LOG_EVERY_S and self._done < self._total:
            return
        self._shown = now
        line = progress_line(
            self._title, self._done, self._total, self._done - self._before, now - self._start
        )
        print(f"\r{line}" if terminal else line, end="" if terminal else "\n", file=sys.stderr, flush=True)
        if terminal and self._done >= self._total:
            print(file=sys.stderr)


def progress_line(title: str, done: int, total: int, fresh: int, elapsed_s: float) -> str:
    """Return the bar; `fresh` of those done took `elapsed_s`."""
    bar = "#" * (BAR_WIDTH * done // max(1, total))
    pace = (
        f", {elapsed_s / fresh:.1f} s each, {_clock((total - done) * elapsed_s / fresh)} left"
        if fresh
        else ""
    )
    return f"{title} [{bar:{BAR_WIDTH}}] {done}/{total}{pace}"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}"
