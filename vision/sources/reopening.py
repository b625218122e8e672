"""A live source that goes on after its camera was lost, or was told to find exposure and focus anew."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import replace
from typing import ClassVar

from vision.domain import Frame, FrameSource
from vision.errors import UnreadableClipError

REOPEN_S = 1.0  # between two tries
LEAST_STEP_S = 0.001


def unbroken(
    source: FrameSource,
    reopen: Callable[[], FrameSource],
    lost: Callable[[UnreadableClipError], None],
    stopped: Callable[[float], bool],
    clock: Callable[[], float] = time.monotonic,
) -> Generator[Frame]:
    """Yield the frames of `source`, and when it breaks off of what `reopen` gives, numbers and times rising.

    `lost` is told each time frames end, with the reason; frames that follow tell that the camera is back.
    `stopped` waits so many seconds between tries and says whether to give up. `clock` gives seconds.
    """
    last: Frame | None = None
    began_s = clock()
    while True:
        with closing(source.frames()) as frames:
            try:
                for frame in _after(last, frames, lambda: clock() - began_s):
                    last = frame
                    yield frame
            except UnreadableClipError as error:
                lost(error)
            else:
                return
        reopened = _reopened(reopen, stopped)
        if reopened is None:
            return
        source = reopened


class RenewableSource:
    """A live source whose camera is let go of and opened again, by `reopen`, whenever `renew` says so.

    So a camera that locks exposure, white balance and focus finds them anew. `renew` is asked after each
    frame. `clock` gives seconds.
    """

    live: ClassVar[bool] = True

    def __init__(
        self,
        source: FrameSource,
        reopen: Callable[[], FrameSource],
        renew: Callable[[], bool],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._source, self._reopen, self._renew, self._clock = source, reopen, renew, clock

    def frames(self) -> Generator[Frame]:
        """Yield frames, numbers and times rising.

        Raises UnreadableClipError where the camera breaks off or cannot be opened again.
        """
        source, last, began_s = self._source, None, self._clock()
        while True:
            with closing(source.frames()) as frames:
                for frame in _after(last, frames, lambda: self._clock() - began_s):
                    last = frame
                    yield frame
                    if self._renew():
                        break
                else:
                    return
            source = self._reopen()


def _after(last: Frame | None, frames: Iterator[Frame], now_s: Callable[[], float]) -> Iterator[Frame]:
    """Number and time `frames` as those that follow on `last`, the first of them coming now."""
    if last is None:
        yield from frames
        return
    later_s = further = None
    for frame in frames:
        if later_s is None or further is None:
            later_s = max(now_s(), last.t_s + LEAST_STEP_S) - frame.t_s
            further = last.index + 1 - frame.index
        yield replace(frame, index=frame.index + further, t_s=round(frame.t_s + later_s, 6))


def _reopened(reopen: Callable[[], FrameSource], stopped: Callable[[float], bool]) -> FrameSource | None:
    while not stopped(REOPEN_S):
        try:
            return reopen()
        except UnreadableClipError:
            continue  # it is still away
    return None
