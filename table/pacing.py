"""A clip at the speed it was filmed at."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator

from vision.domain import Frame


def paced(
    frames: Iterable[Frame],
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> Iterator[Frame]:
    """Yield a clip's frames at the speed of their own times, none dropped; late ones at once."""
    start: float | None = None
    for frame in frames:
        start = clock() - frame.t_s if start is None else start
        sleep(max(0.0, start + frame.t_s - clock()))
        yield frame
