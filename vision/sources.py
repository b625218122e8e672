"""Where frames come from: a clip, whose own timestamps are the clock, or a webcam, whose newest frame counts.

Everything below a source takes its time from `Frame.t_s`, so a clip gives the same answers at any speed.
"""

from __future__ import annotations

import math
import re
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import ClassVar, Protocol, cast

from vision.domain import Frame, Image
from vision.errors import UnreadableClipError
from vision.images import LEAST_SIDE_PX
from vision.opencv import MAX_PIXELS, cv2

ACCEPTED = "a video file OpenCV can decode (H.264 in MP4, say)"
ACCEPTED_SPECS = "usb:N (usb:0 is the first webcam) or a video file"
SANE_FPS = (1.0, 1000.0)
ASSUMED_FPS = 30.0
# Containers count frames or seconds, some only roughly: a clip is cut off when both fall short.
TOLERATED_FRAMES = 5
TOLERATED_S = 0.25

WEBCAM_SIZE = (1280, 720)
STALL_S = 5.0


class Capture(Protocol):
    """The part of cv2.VideoCapture that a webcam needs."""

    def read(self) -> tuple[bool, Image]:
        """Wait for the next frame; (False, anything) when there is none."""
        ...

    def release(self) -> None:
        """Let go of the device."""
        ...


def open_source(spec: str) -> ClipSource | WebcamSource:
    """Return the source that `spec` names: `usb:N` or the path of a clip.

    Raises UnreadableClipError if it cannot be opened or gives no frame.
    """
    if spec == "pi":
        raise UnreadableClipError(
            f"pi: the Raspberry Pi camera is not supported yet; accepted is {ACCEPTED_SPECS}"
        )
    if spec.startswith("usb:"):
        number = re.fullmatch(r"usb:(\d{1,2})", spec)
        if not number:
            raise UnreadableClipError(f"{spec}: no such camera name; accepted is {ACCEPTED_SPECS}")
        return WebcamSource(int(number[1]))
    return ClipSource(Path(spec))


class ClipSource:
    """A video file; every frame, in order, decoded the same way each time.

    `fps` is the container's word (30 where it says nothing sane), `frame_count` its promise or None, `size`
    is (width, height) in pixels. Opening decodes two frames, so a clip that opens has a picture to show.

    Raises UnreadableClipError if `path` is missing, empty, no video, a single picture, or of a size that
    is not accepted.
    """

    live: ClassVar[bool] = False

    def __init__(self, path: Path) -> None:
        self._path = path
        self._check_file()
        capture = self._open()
        try:
            self.fps = _sane_fps(capture.get(cv2.CAP_PROP_FPS))
            self.frame_count = _sane_count(capture.get(cv2.CAP_PROP_FRAME_COUNT))
            self.size = self._probe(capture)
        finally:
            capture.release()

    def frames(self) -> Iterator[Frame]:
        """Yield every frame from the first on; may be called again.

        `t_s` is the clip's own timestamp in seconds, to the microsecond; where that is absent or does not
        rise, the frame before plus 1 / fps. Raises UnreadableClipError after the last decodable frame if
        the container promised more.
        """
        capture = self._open()
        try:
            index, t_s = -1, -math.inf
            while True:
                grabbed, image = capture.read()
                if not grabbed:
                    break
                index += 1
                t_s = self._rising(capture.get(cv2.CAP_PROP_POS_MSEC) / 1000, t_s)
                yield Frame(index, t_s, cast(Image, image))
        finally:
            capture.release()
        self._check_end(index + 1, t_s)

    def _rising(self, stamp_s: float, before_s: float) -> float:
        if math.isfinite(stamp_s) and stamp_s > before_s and stamp_s >= 0:
            return round(stamp_s, 6)
        return round(before_s + 1 / self.fps, 6) if math.isfinite(before_s) else 0.0

    def _check_file(self) -> None:
        path = self._path
        try:
            if not path.is_file():
                kind = "a directory" if path.is_dir() else "no regular file" if path.exists() else None
                raise UnreadableClipError(f"{path}: {kind or 'no such file'}; accepted is {ACCEPTED}")
            with path.open("rb") as file:
                empty = not file.read(1)
        except OSError as error:
            raise UnreadableClipError(f"{path}: cannot be read ({error.strerror})") from error
        if empty:
            raise UnreadableClipError(f"{path}: empty file (zero bytes); accepted is {ACCEPTED}")
        if str(path) != str(path).encode(errors="replace").decode():  # OpenCV 5.0 would crash on it
            raise UnreadableClipError(
                f"{path}: a name that is not UTF-8; accepted is {ACCEPTED} named in UTF-8"
            )

    def _open(self) -> cv2.VideoCapture:
        # One software thread: frames of a damaged clip must not depend on which thread came first.
        settings = [cv2.CAP_PROP_N_THREADS, 1, cv2.CAP_PROP_HW_ACCELERATION, cv2.VIDEO_ACCELERATION_NONE]
        capture = cv2.VideoCapture(str(self._path), cv2.CAP_FFMPEG, settings)
        if not capture.isOpened():
            capture.release()
            raise UnreadableClipError(
                f"{self._path}: no video, or cut off at its end; accepted is {ACCEPTED}"
            )
        return capture

    def _probe(self, capture: cv2.VideoCapture) -> tuple[int, int]:
        first, image = capture.read()
        if not first:
            raise UnreadableClipError(f"{self._path}: no frame can be decoded; accepted is {ACCEPTED}")
        height, width = image.shape[:2]
        if min(width, height) < LEAST_SIDE_PX or width * height > MAX_PIXELS:
            raise UnreadableClipError(
                f"{self._path}: frames of {width}x{height} pixels; accepted are {LEAST_SIDE_PX} a side to "
                f"{MAX_PIXELS // 10**6} megapixels"
            )
        if not capture.grab():
            raise UnreadableClipError(f"{self._path}: a single picture; accepted is {ACCEPTED}")
        return width, height

    def _check_end(self, frames: int, last_s: float) -> None:
        if self.frame_count is None:
            return
        promised_s = self.frame_count / self.fps
        short_s = promised_s - (last_s + 1 / self.fps)
        if self.frame_count - frames > TOLERATED_FRAMES and short_s > TOLERATED_S:
            raise UnreadableClipError(
                f"{self._path}: ends early: {frames} of {self.frame_count} frames can be decoded, up to "
                f"{max(0.0, last_s):.2f} s of {promised_s:.2f} s; accepted is a whole clip"
            )


def _sane_fps(fps: float) -> float:
    return fps if SANE_FPS[0] <= fps <= SANE_FPS[1] else ASSUMED_FPS


def _sane_count(count: float) -> int | None:
    return int(count) if 0 < count < 1e9 else None


class WebcamSource:
    """A webcam by number; holds the newest frame only, so that a slow reader never falls behind.

    `Frame.index` counts the frames the camera gave, hence jumps where some were passed over; `t_s` is seconds
    on the monotonic clock since `frames` began. `open_capture` and `clock` are there for tests.
    """

    live: ClassVar[bool] = True

    def __init__(
        self,
        index: int,
        *,
        open_capture: Callable[[int], Capture] | None = None,
        clock: Callable[[], float] = time.monotonic,
        stall_s: float = STALL_S,
    ) -> None:
        self._name = f"usb:{index}"
        self._capture = (open_capture or _open_webcam)(index)
        self._clock = clock
        self._stall_s = stall_s

    def frames(self) -> Iterator[Frame]:
        """Yield the newest frame, each once, until closed; call once.

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

    def _read(self, latest: _Latest) -> None:
        """Run in the reader thread, which alone touches the device once frames are wanted."""
        start_s = self._clock()
        index = 0
        while not latest.stopped:
            grabbed, image = self._capture.read()
            if not grabbed:
                break
            latest.put(Frame(index, round(self._clock() - start_s, 6), image))
            index += 1
        latest.end()
        self._capture.release()


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
        raise UnreadableClipError(f"usb:{index}: no camera there; accepted is {ACCEPTED_SPECS}")
    settings = {
        cv2.CAP_PROP_FOURCC: cv2.VideoWriter.fourcc(*"MJPG"),  # raw frames of this size would not fit USB 2
        cv2.CAP_PROP_FRAME_WIDTH: WEBCAM_SIZE[0],
        cv2.CAP_PROP_FRAME_HEIGHT: WEBCAM_SIZE[1],
        cv2.CAP_PROP_BUFFERSIZE: 1,
    }
    for key, value in settings.items():
        capture.set(key, value)  # a camera that cannot keeps its own; whatever it gives is judged
    return cast(Capture, capture)
