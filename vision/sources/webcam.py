"""A webcam, of which the newest frame counts."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator
from contextlib import suppress
from typing import ClassVar, Protocol, cast

from vision.domain import Frame, Image
from vision.errors import NoCameraError, UnreadableClipError
from vision.opencv import cv2

WEBCAM_SIZE = (1280, 720)
STALL_S = 4.0
RELEASE_S = 1.0  # until the next frame, after which a camera that works is let go of


class Capture(Protocol):
    """The part of cv2.VideoCapture that a webcam needs."""

    def read(self) -> tuple[bool, Image]:
        """Wait for the next frame; (False, anything) when there is none."""
        ...

    def release(self) -> None:
        """Let go of the device."""
        ...


class WebcamSource:
    """A webcam by number; holds the newest frame only, so that a slow reader never falls behind.

    `Frame.index` counts the frames the camera gave, hence jumps where some were passed over; `t_s` is seconds
    on the monotonic clock since `frames` began. All but `index` is there for tests.
    """

    live: ClassVar[bool] = True

    def __init__(
        self,
        index: int,
        *,
        open_capture: Callable[[int], Capture] | None = None,
        clock: Callable[[], float] = time.monotonic,
        stall_s: float = STALL_S,
        release_s: float = RELEASE_S,
    ) -> None:
        self._name = f"usb:{index}"
        self._capture = (open_capture or _open_webcam)(index)
        self._clock = clock
        self._stall_s = stall_s
        self._release_s = release_s

    def frames(self) -> Generator[Frame]:
        """Yield the newest frame, each once, until closed, which lets go of the camera; call once.

        Raises UnreadableClipError if the camera gives no new frame for `stall_s` seconds or goes away.
        """
        latest = _Latest()
        reader = threading.Thread(target=self._read, args=(latest,), name=self._name, daemon=True)
        reader.start()
        try:
            while True:
                frame = latest.take(self._stall_s)
                if frame is None:
                    raise UnreadableClipError(
                        f"{self._name}: the camera went away or gave no frame for {self._stall_s:g} s; "
                        "accepted is a camera that keeps sending"
                    )
                yield frame
        finally:
            latest.stop()
            reader.join(self._release_s)

    def _read(self, latest: _Latest) -> None:
        """Run in the reader thread, which alone touches the device once frames are wanted."""
        start_s = self._clock()
        index = 0
        with suppress(cv2.error):  # a driver's: to whoever takes frames, the camera went away
            while not latest.stopped:
                grabbed, image = self._capture.read()
                if not grabbed:
                    break
                latest.put(Frame(index, round(self._clock() - start_s, 6), image))
                index += 1
        self._capture.release()
        latest.end()


class _Latest:
    """One place for one frame between two threads; a new frame replaces one not taken."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._frame: Frame | None = None
        self._ended = False
        self.stopped = False

    def put(self, frame: Frame) -> None:
        """Offer `frame`, in place of one not yet taken."""
        with self._changed:
            self._frame = frame
            self._changed.notify()

    def take(self, timeout_s: float) -> Frame | None:
        """Wait for a frame not yet taken; None if none comes within `timeout_s` or ever again."""
        with self._changed:
            self._changed.wait_for(lambda: self._frame is not None or self._ended, timeout_s)
            frame, self._frame = self._frame, None
            return frame

    def end(self) -> None:
        """Say that no frame will follow."""
        with self._changed:
            self._ended = True
            self._changed.notify()

    def stop(self) -> None:
        """Tell the reader thread to let go of the device."""
        self.stopped = True


def _open_webcam(index: int) -> Capture:
    capture = cv2.VideoCapture(index)
    if not capture.isOpened():
        capture.release()
        raise NoCameraError(
            f"usb:{index}: no camera there, or another program has it; accepted is a webcam that is free "
            "(usb:0 is the first)"
        )
    settings = {
        cv2.CAP_PROP_FOURCC: cv2.VideoWriter.fourcc(*"MJPG"),  # raw frames of this size would not fit USB 2
        cv2.CAP_PROP_FRAME_WIDTH: WEBCAM_SIZE[0],
        cv2.CAP_PROP_FRAME_HEIGHT: WEBCAM_SIZE[1],
        cv2.CAP_PROP_BUFFERSIZE: 1,
    }
    for key, value in settings.items():
        capture.set(key, value)  # a camera that cannot keeps its own; whatever it gives is judged
    return cast(Capture, capture)
