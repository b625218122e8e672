"""A progress bar on standard error: redrawn in a terminal, a line now and then in a log."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")
BAR_WIDTH = 30
LINES_IN_A_LOG = 4


def with_progress(items: Iterable[Item], total: int, title: str) -> Iterator[Item]:
    """Pass `items` on, showing how many of `total` have gone by."""
    terminal = sys.stderr.isatty()
    every = 1 if terminal else max(1, total // LINES_IN_A_LOG)
    for done, item in enumerate(items, start=1):
        yield item
        if done % every == 0 or done == total:
            bar = "#" * (BAR_WIDTH * done // max(1, total))
            line = f"{title} [{bar:{BAR_WIDTH}}] {done}/{total}"
            print(
                f"\r{line}" if terminal else line, end="" if terminal else "\n", file=sys.stderr, flush=True
            )
    if terminal:
        print(file=sys.stderr)
