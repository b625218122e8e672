"""A video file; its own timestamps are the clock."""

from __future__ import annotations

import math
from collections.abc import Generator
from pathlib import Path
from typing import ClassVar, cast

from vision.domain import Frame, Image
from vision.errors import UnreadableClipError
from vision.images import LEAST_SIDE_PX
from vision.opencv import MAX_PIXELS, cv2

ACCEPTED = "a video file OpenCV can decode (H.264 in MP4, say)"
SANE_FPS = (1.0, 1000.0)
ASSUMED_FPS = 30.0
# Containers count frames or seconds, some only roughly: a clip is cut off when both fall short.
TOLERATED_FRAMES = 5
TOLERATED_S = 0.25


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

    def frames(self) -> Generator[Frame]:
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
