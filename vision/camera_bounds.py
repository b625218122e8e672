"""Whether a calibration looks like a camera over a table: how wide it sees, how high and steeply, how bent.

The bounds are those of the things themselves, wide enough for every camera that anybody hangs over a table.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from vision.camera import Camera
from vision.domain import FloatArray, TableCalibration
from vision.opencv import cv2

Range = tuple[float, float]

SEES_DEG = (
    10.0,
    140.0,
)  # along the longer side: a tele lens of 150 mm on 36 x 24 mm, and the widest without a
# fisheye's picture, which this model of a lens does not describe
USUAL_DEG = (30.0, 110.0)  # webcams, telephones, the Pi's cameras, their wide ones too
PIXEL_SHAPE = (0.5, 2.0)  # fx to fy: pixels are square or nearly so
HEIGHT_MM = (100.0, 3000.0)  # above the floor: a hand fits below, the ceiling is above
MOST_SLANT_DEG = (
    70.0  # off straight down, at which any of the floor is seen: then it is a third as deep as wide
)
FLOOR_MM = (50.0, 3000.0)  # the longest way across it: room for two dice, the largest table
BENT = (
    0.6,
    1.5,
)  # how far from the middle a lens shows a place, against one without distortion: a fisheye of
# 120 degrees has 0.6
CLASH = 0.002  # of the longer side, by which pose and homography may put a place apart: a millimetre at 50 cm
RADII, DIRECTIONS = 240, 16


@dataclass(frozen=True, slots=True)
class CameraFault:
    """Which key of `table.json` does not fit: what was found, and what is accepted."""

    key: str
    found: str
    accepted: str


def camera_fault(
    calibration: TableCalibration, size: tuple[float, float], sees_deg: Range = SEES_DEG
) -> CameraFault | None:
    """Say why no camera over a table is as `calibration` has it, for pictures of `size` (width, height).

    `sees_deg`: how wide it may see along the longer side. None where all is well, or not known.
    """
    if calibration.camera_matrix is None:
        return None
    fault = _matrix_fault(calibration.camera_matrix, size, sees_deg)
    fault = fault or _distortion_fault(calibration.camera_matrix, calibration.distortion, calibration.area_px)
    camera = Camera.of(calibration)
    if fault is not None or camera is None:
        return fault
    return _pose_fault(camera, calibration.area_px) or _clash(camera, calibration, size)


def sees_deg(matrix: FloatArray, size: tuple[float, float]) -> float:
    """How many degrees a camera without distortion sees along the longer side of its picture."""
    side = int(np.argmax(size))
    return float(np.degrees(2 * np.arctan2(size[side] / 2, matrix[side, side])))


def _matrix_fault(matrix: FloatArray, size: tuple[float, float], sees: Range) -> CameraFault | None:
    seen = sees_deg(matrix, size)
    if not sees[0] <= seen <= sees[1]:
        return CameraFault(
            "camera_matrix",
            f"a lens that sees {seen:.0f} degrees along the picture's longer side",
            f"one that sees {sees[0]:g} to {sees[1]:g}",
        )
    if not PIXEL_SHAPE[0] <= matrix[0, 0] / matrix[1, 1] <= PIXEL_SHAPE[1]:
        found = f"fx {matrix[0, 0]:g} and fy {matrix[1, 1]:g}"
        return CameraFault("camera_matrix", found, "neither more than twice the other")
    middle = matrix[:2, 2]
    if not ((middle >= 0) & (middle <= size)).all():
        found = f"the lens's middle at ({middle[0]:g}, {middle[1]:g})"
        return CameraFault("camera_matrix", found, f"one in the picture of {size[0]:g}x{size[1]:g} pixels")
    return None


def _distortion_fault(
    matrix: FloatArray, distortion: FloatArray | None, area_px: FloatArray
) -> CameraFault | None:
    """Follow the lens from its middle outwards until it shows what lies farthest out of the area."""
    if distortion is None or not distortion.any():
        return None
    reach = np.linalg.norm((area_px - matrix[:2, 2]) / np.diag(matrix)[:2], axis=1).max()
    radii = np.linspace(0, reach / BENT[0], RADII + 1)[1:]
    angles = np.arange(DIRECTIONS) * (2 * np.pi / DIRECTIONS)
    rays = np.column_stack([np.cos(angles), np.sin(angles)])
    places = np.concatenate([rays[:, None] * radii[:, None], np.ones((DIRECTIONS, RADII, 1))], axis=2)
    none = np.zeros(3)
    seen, _ = cv2.projectPoints(places.reshape(-1, 1, 3), none, none, np.eye(3), distortion)
    shown = (np.asarray(seen).reshape(places[..., :2].shape) * rays[:, None]).sum(axis=2)
    steps = np.diff(shown, axis=1, prepend=0.0)
    before = np.cumsum(shown >= reach, axis=1) <= 1
    share = shown / radii
    if ((share >= BENT[0]) & (share <= BENT[1]) & (steps > 0))[before].all():
        return None
    return CameraFault(
        "distortion",
        "a lens that folds the tray's picture, or bends it beyond any lens's",
        f"one that shows each place {BENT[0]:g} to {BENT[1]:g} times as far from its middle as it is",
    )


def _pose_fault(camera: Camera, area_px: FloatArray) -> CameraFault | None:
    low, high = HEIGHT_MM
    if not low <= camera.height_mm <= high:
        where = "above" if camera.height_mm >= 0 else "below"
        found = f"a camera {abs(camera.height_mm):.0f} mm {where} the floor"
        return CameraFault("floor_pose", found, f"{low:g} to {high:g} mm above it")
    slant = _slant_deg(camera, area_px)
    if not slant <= MOST_SLANT_DEG:
        found = f"a camera that sees some of the floor {slant:.0f} degrees off straight down"
        return CameraFault("floor_pose", found, f"at most {MOST_SLANT_DEG:g}")
    floor = camera.on_plane(area_px, 0.0)
    across = float(np.linalg.norm(floor - floor.mean(axis=0), axis=1).max()) * 2
    if not FLOOR_MM[0] <= across <= FLOOR_MM[1]:
        found = f"a floor of {across:.0f} mm across"
        return CameraFault("floor_pose", found, f"{FLOOR_MM[0]:g} to {FLOOR_MM[1]:g} mm")
    return None


def _slant_deg(camera: Camera, area_px: FloatArray) -> float:
    """The greatest angle at which any of the outline is seen, off straight down."""
    level = replace(camera, turn=np.eye(3), place_mm=np.zeros(3)).on_plane(area_px, 1.0)
    rays = np.column_stack([level, np.ones(len(level))])
    down = -(rays @ camera.turn.T)[:, 2] / np.linalg.norm(rays, axis=1)
    return float(np.degrees(np.arccos(np.clip(down, -1.0, 1.0))).max())


def _clash(camera: Camera, calibration: TableCalibration, size: tuple[float, float]) -> CameraFault | None:
    """Compare where pose and `floor_to_image` see the outline without distortion."""
    if calibration.floor_to_image is None:
        return None
    floor = camera.on_plane(calibration.area_px, 0.0)
    plain = replace(camera, distortion=np.zeros(5))
    by_pose = plain.seen_at(np.column_stack([floor, np.zeros(len(floor))]))
    mapped = np.column_stack([floor, np.ones(len(floor))]) @ calibration.floor_to_image.T
    with np.errstate(all="ignore"):
        apart = float(np.linalg.norm(mapped[:, :2] / mapped[:, 2:] - by_pose, axis=1).max())
    most = max(1.0, CLASH * max(size))
    if apart <= most:
        return None
    found = f"a place on the floor {apart:.0f} px from where camera_matrix and floor_pose see it"
    return CameraFault("floor_to_image", found, f"at most {most:.0f} px")
