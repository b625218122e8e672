"""From what a person named to a frame source."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from vision.domain import FrameSource
from vision.errors import NoCameraError, UnreadableClipError
from vision.sources.clip import ClipSource
from vision.sources.pi_camera import PiCameraSource
from vision.sources.stills import StillsSource
from vision.sources.webcam import WebcamSource

ACCEPTED = "pi or pi:N (a Raspberry Pi's camera), usb:N (usb:0 is the first webcam), a video file or a folder"
CAMERAS: dict[str, Callable[[int], FrameSource]] = {"pi": PiCameraSource, "usb": WebcamSource}
LOOKED_FOR = ("pi", "usb:0")


def open_source(spec: str, fps: float | None = None) -> FrameSource:
    """Return the source that `spec` names: `pi`, `pi:N`, `usb:N`, or the path of a clip or of a folder.

    `fps`: as in `open_recording`. Raises NoCameraError if there is no such camera, UnreadableClipError or
    UnreadableImageError if what is there cannot be opened or gives no frame.
    """
    kind, colon, number = spec.partition(":")
    if spec != "pi" and (not colon or kind not in CAMERAS):
        return open_recording(Path(spec), fps)
    if colon and not re.fullmatch(r"\d{1,2}", number):
        raise UnreadableClipError(f"{spec}: no such camera name; accepted is {ACCEPTED}")
    return CAMERAS[kind](int(number or 0))


def first_camera() -> tuple[str, FrameSource] | None:
    """Return the first camera that is there, with its name, a Pi's before a webcam; None if there is none.

    Raises UnreadableClipError if it cannot be used, so that a wrong one is never watched in its place.
    """
    for spec in LOOKED_FOR:
        with suppress(NoCameraError):
            return spec, open_source(spec)
    return None


def open_recording(path: Path, fps: float | None = None) -> ClipSource | StillsSource:
    """Return the clip, or the folder of stills, at `path`; `fps`: pictures of a folder a second, 1 if None.

    Raises UnreadableClipError or UnreadableImageError if it cannot be opened or gives no frame.
    """
    if not path.is_dir():
        return ClipSource(path)
    return StillsSource(path) if fps is None else StillsSource(path, fps)
