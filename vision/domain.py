"""The words vision speaks: frozen types shared by all its modules. Imports only NumPy.

Pixel coordinates are OpenCV's: the centre of the first pixel is (0, 0), x right, y down.
Images are BGR uint8 of shape (H, W, 3).
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Image: TypeAlias = NDArray[np.uint8]
FloatArray: TypeAlias = NDArray[np.float64]


class DieState(StrEnum):
    """How a die lies; `UNSURE` when it cannot be said."""

    FLAT = "flat"
    TILTED = "tilted"
    STACKED = "stacked"
    OUTSIDE = "outside"
    UNSURE = "unsure"


class Ruling(StrEnum):
    """The three answers a throw can get."""

    VALID = "valid"
    MISROLL = "misroll"
    UNSURE = "unsure"


class ReasonKind(StrEnum):
    """Why a throw is not simply valid; see `MISROLL_KINDS` for those that make a misroll."""

    OUTSIDE = "outside"
    MISSING = "missing"
    TILTED = "tilted"
    STACKED = "stacked"
    EXTRA = "extra"
    UNREADABLE = "unreadable"
    DISAGREE = "disagree"
    OCCLUDED = "occluded"
    SIZE = "size"
    UNCERTAIN = "uncertain"


MISROLL_KINDS = frozenset({ReasonKind.OUTSIDE, ReasonKind.MISSING, ReasonKind.TILTED, ReasonKind.STACKED})


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture of a source; `t_s` is the source's own time and the only clock below it.

    `small_grey`: the same view as grey uint8 (h, w), where the camera itself makes it small; enough to see
    whether anything moves, at a fraction of the cost of reducing `image_bgr`.
    """

    index: int
    t_s: float
    image_bgr: Image
    small_grey: Image | None = None


class FrameSource(Protocol):
    """Where frames come from: a clip, a folder of stills, a webcam, a Pi camera."""

    live: ClassVar[bool]  # whether what is not taken in time is gone: a camera

    def frames(self) -> Generator[Frame]:
        """Yield frames, `index` and `t_s` rising, until the source ends; closing lets go of its device.

        Raises UnreadableClipError or UnreadableImageError where the source breaks off.
        """
        ...


@dataclass(frozen=True, slots=True)
class FloorPose:
    """Tray-floor frame (mm, z up) to camera frame, OpenCV convention."""

    rvec: tuple[float, float, float]
    tvec_mm: tuple[float, float, float]


@dataclass(frozen=True, slots=True, eq=False)
class TableCalibration:
    """What is known of the table; only the area is certain to be there.

    `area_px` (N, 2) N >= 3: outline of the playing floor in the picture as it is.
    `camera_matrix` (3, 3); `distortion` (5,) k1 k2 p1 p2 k3; `floor_to_image` (3, 3): floor mm to
    undistorted pixels; `empty_image`: the tray without dice, BGR.
    """

    area_px: FloatArray
    image_size: tuple[int, int] | None = None
    camera_matrix: FloatArray | None = None
    distortion: FloatArray | None = None
    floor_pose: FloorPose | None = None
    floor_to_image: FloatArray | None = None
    die_mm: float | None = None
    empty_image: Image | None = None


@dataclass(frozen=True, slots=True, eq=False)
class DieReading:
    """One die as read and measured.

    `corners_px` (4, 2): corners of the top face, clockwise in the picture. The measures are None when no
    calibration can say them: `tilt_deg` of the top face against the floor, `height_mm` of the underside above
    the floor, `margin_mm` inside the area's edge (negative outside). `lean_chance` and `raised_chance` that
    it does not lie flat, and that it lies on another die, if that were as likely as not beforehand. `rival`:
    the face that the other reader reads, None when it reads the same or none.
    """

    face: int | None
    confidence: float
    center_px: tuple[float, float]
    corners_px: FloatArray
    state: DieState
    tilt_deg: float | None = None
    height_mm: float | None = None
    margin_mm: float | None = None
    lean_chance: float | None = None
    raised_chance: float | None = None
    rival: int | None = None


@dataclass(frozen=True, slots=True)
class Reason:
    """One ground for not calling a throw valid; `die` indexes the verdict's dice."""

    kind: ReasonKind
    die: int | None
    detail: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """The referee's answer on one throw, with every reason at once."""

    ruling: Ruling
    reasons: tuple[Reason, ...]
    dice: tuple[DieReading, ...]

    @property
    def faces(self) -> tuple[int, ...] | None:
        """Sorted faces of a valid throw, else None."""
        if self.ruling is not Ruling.VALID:
            return None
        return tuple(sorted(die.face for die in self.dice if die.face is not None))
