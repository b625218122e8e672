"""A Raspberry Pi's camera: the one door to picamera2, and to libcamera, which comes with it.

Two streams show the same view: `main`, in which dice are read, and `lores`, in whose grey settling looks for
movement. What is kept of them is decided in `sensor_mode` and `camera_lock`, without a camera.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from typing import Any, ClassVar, cast

import numpy as np

from vision.domain import Frame, Image
from vision.errors import NoCameraError, UnreadableClipError
from vision.sources.camera_lock import (
    STEADY_S,
    CameraLock,
    Metadata,
    automatic,
    is_focused,
    is_steady,
    lock_to,
    seconds_between,
)
from vision.sources.sensor_mode import SensorMode, best_mode

ACCEPTED = (
    "Raspberry Pi OS with `sudo apt install python3-picamera2`, in a venv made with --system-site-packages"
)
BUFFERS = 4  # one that is copied, the others under way
STALL_S = 4.0
METERING_S = 6.0  # at most, until exposure, white balance and focus are found
LOCKING_S = 3.0  # at most, until frames show what was told; some are under way with what was before
# picamera2 names formats as DRM does, by the word: in memory, the bytes are the other way round.
TO_BGR: dict[str, Callable[[Image], Image]] = {
    "RGB888": lambda picture: picture,
    "BGR888": lambda picture: picture[..., ::-1],
    "XRGB8888": lambda picture: picture[..., :3],
    "XBGR8888": lambda picture: picture[..., 2::-1],
}


class PiCameraSource:
    """Camera `number` of a Raspberry Pi, at most 30 frames a second; the newest frame counts, none is queued.

    Exposure, gain, white balance and focus are found once, before the first frame, and then locked: only
    frames whose metadata show the locked values are given. `Frame.t_s` is seconds of the sensor's clock since
    the first one.

    Raises NoCameraError if picamera2 or that camera is not there, UnreadableClipError if it cannot be used.
    """

    live: ClassVar[bool] = True

    def __init__(self, number: int = 0) -> None:
        self._name = f"pi:{number}"
        self._camera = _open(number, self._name)
        try:
            with _told(self._name):
                self._configure()
        except UnreadableClipError:
            self._camera.close()
            raise

    def frames(self) -> Generator[Frame]:
        """Yield the newest frame, each once, until closed, which lets go of the camera; call once.

        Raises UnreadableClipError if the camera gives none for four seconds, cannot focus, cannot be locked,
        or does not keep what it was locked to for three seconds.
        """
        try:
            with _told(self._name):
                self._camera.start()
            lock = self._lock()
            first: Metadata | None = None
            for index, (metadata, image, small) in enumerate(self._steadfast(lock)):
                first = first or metadata
                yield Frame(index, round(seconds_between(first, metadata), 6), image, small)
        finally:
            with _told(self._name):
                self._camera.close()

    def _configure(self) -> None:
        from libcamera import ColorSpace  # noqa: PLC0415 - there only where picamera2 is

        mode = best_mode(self._camera.sensor_modes)
        if mode is None:
            raise UnreadableClipError(f"{self._name}: its sensor names no size; accepted is a Pi camera")
        self._camera.configure(self._configuration(mode, ColorSpace.Sycc()))
        streams = self._camera.camera_configuration()
        self._small_size = streams["lores"]["size"]
        found = streams["main"]["format"]
        if found not in TO_BGR:
            raise UnreadableClipError(
                f"{self._name}: pictures of format {found}; accepted are {', '.join(TO_BGR)}"
            )
        self._to_bgr = TO_BGR[found]
        self._advertised = frozenset(self._camera.camera_controls)

    def _configuration(self, mode: SensorMode, colour_space: object) -> dict[str, Any]:
        """Both streams in one view; full-range grey, as sYCC has it, is that of the main picture."""
        duration_us = round(1e6 / mode.fps)
        return cast(
            dict[str, Any],
            self._camera.create_video_configuration(
                main={"format": "RGB888", "size": mode.size},
                lores={"format": "YUV420", "size": mode.small_size},
                raw=None,
                colour_space=colour_space,
                buffer_count=BUFFERS,
                queue=False,
                sensor={"output_size": mode.size, "bit_depth": mode.bit_depth},
                controls={
                    "FrameDurationLimits": (duration_us, duration_us),
                    **automatic(self._camera.camera_controls),
                },
            ),
        )

    def _lock(self) -> CameraLock:
        """Wait until the camera has found its values, or no longer than METERING_S, and hold them."""
        found = self._metered()
        if not is_focused(found, self._advertised):
            raise UnreadableClipError(
                f"{self._name}: cannot focus; accepted is a lit tray with something to see in it, dice say"
            )
        lock = lock_to(found, self._advertised)
        if lock is None:
            raise UnreadableClipError(
                f"{self._name}: exposure and gain cannot be locked; accepted is a camera that tells both"
            )
        with _told(self._name):
            self._camera.set_controls(dict(lock.controls))
        return lock

    def _metered(self) -> Metadata:
        seen = deque([self._metadata()])
        began = seen[0]
        while not is_steady(seen, self._advertised) and seconds_between(began, seen[-1]) < METERING_S:
            seen.append(self._metadata())
            while seconds_between(seen[1], seen[-1]) >= STEADY_S:
                seen.popleft()
        return seen[-1]

    def _steadfast(self, lock: CameraLock) -> Iterator[tuple[Metadata, Image, Image]]:
        """Yield what shows the locked values; pictures that do not are not even copied."""
        good: Metadata | None = None
        while True:
            with self._request() as request:
                metadata: Metadata = request.get_metadata()
                departure = lock.departure(metadata)
                pictures = None if departure else self._pictures(request)
            good = good or metadata
            if pictures is not None:
                good = metadata
                yield metadata, *pictures
            elif seconds_between(good, metadata) > LOCKING_S:
                raise UnreadableClipError(f"{self._name}: {departure}; accepted is a camera that holds it")

    def _pictures(self, request: Any) -> tuple[Image, Image]:
        """Return copies: the main picture (H, W, 3), and the grey of the small one (h, w)."""
        width, height = self._small_size
        main, small = request.make_array("main"), request.make_array("lores")
        return np.ascontiguousarray(self._to_bgr(main)), small[:height, :width]

    def _metadata(self) -> Metadata:
        with self._request() as request:
            return cast(Metadata, request.get_metadata())

    @contextmanager
    def _request(self) -> Iterator[Any]:
        """Give the next frame that is completed; no older one is queued."""
        with _told(self._name):
            try:
                request = self._camera.capture_request(wait=STALL_S)
            except TimeoutError as error:
                self._camera.cancel_all_and_flush()
                raise UnreadableClipError(
                    f"{self._name}: the camera gave no frame for {STALL_S:g} s; "
                    "accepted is a camera that keeps sending"
                ) from error
            try:
                yield request
            finally:
                request.release()


def _open(number: int, name: str) -> Any:
    try:
        from picamera2 import Picamera2  # noqa: PLC0415 - an extra, and slow to import
    except ModuleNotFoundError as error:
        if error.name != "picamera2":
            raise UnreadableClipError(
                f"{name}: picamera2 needs {error.name}; accepted is {ACCEPTED}"
            ) from error
        raise NoCameraError(f"{name}: picamera2 is not installed; accepted is {ACCEPTED}") from error
    except (ImportError, ValueError) as error:  # the latter: one of its libraries was built for another NumPy
        raise UnreadableClipError(
            f"{name}: picamera2 cannot be loaded ({error}); accepted is {ACCEPTED}"
        ) from error
    with _told(name):
        there = sum("/usb" not in camera["Id"] for camera in Picamera2.global_camera_info())
        if number >= there:
            raise NoCameraError(
                f"{name}: found {there} Pi cameras; accepted is one that is there (pi:0, the first)"
            )
        return Picamera2(number)


@contextmanager
def _told(name: str) -> Iterator[None]:
    """Say in one line what picamera2 could not do."""
    try:
        yield
    except (RuntimeError, OSError) as error:
        said = " ".join(f"{error} {error.__cause__ or ''}".split())
        raise UnreadableClipError(
            f"{name}: {said}; accepted is a camera that no other program has"
        ) from error
