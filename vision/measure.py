"""Measure dice in millimetres and degrees against the floor of a calibrated table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.domain import FloatArray, TableCalibration
from vision.opencv import cv2

SLANT_NOISE = 0.07  # foreshortening that the reading of a flat die may show


@dataclass(frozen=True, slots=True)
class Measures:
    """A die against the floor; None where the calibration cannot say it.

    `tilt_deg` of the top face, as far as its foreshortening goes beyond what a flat die may show; `height_mm`
    of the underside, from the top face's size; `margin_mm` of the die's middle inside the area's edge,
    negative outside; `inside`: whether the middle is inside the area, always known.
    """

    inside: bool
    tilt_deg: float | None = None
    height_mm: float | None = None
    margin_mm: float | None = None


def measure(corners_px: FloatArray, calibration: TableCalibration) -> Measures:
    """Measure a die by its top face's corners (4, 2) in pixels."""
    middle = corners_px.mean(axis=0)
    inside = _margin(middle, calibration.area_px) >= 0
    camera = _Camera.of(calibration)
    if camera is None or calibration.die_mm is None:
        return Measures(inside)
    die = calibration.die_mm
    top = camera.on_plane(corners_px, die)
    area = camera.on_plane(calibration.area_px, 0.0)
    margin = _margin(top.mean(axis=0), area)
    side = float(np.linalg.norm(top - np.roll(top, 1, axis=0), axis=1).mean())
    distance = camera.height_mm - die
    return Measures(
        inside=margin >= 0,
        tilt_deg=_tilt_deg(top),
        height_mm=distance * (1 - die / side),
        margin_mm=margin,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Camera:
    matrix: FloatArray
    distortion: FloatArray
    turn: FloatArray  # (3, 3) camera to floor
    place_mm: FloatArray  # (3,) of the camera in the floor frame

    @staticmethod
    def of(calibration: TableCalibration) -> _Camera | None:
        """The camera of a calibration that holds one."""
        pose = calibration.floor_pose
        if pose is None or calibration.camera_matrix is None:
            return None
        turn = np.asarray(cv2.Rodrigues(np.array(pose.rvec))[0], dtype=np.float64).T
        distortion = np.zeros(5) if calibration.distortion is None else calibration.distortion
        return _Camera(calibration.camera_matrix, distortion, turn, -turn @ np.array(pose.tvec_mm))

    @property
    def height_mm(self) -> float:
        """Of the camera above the floor."""
        return float(self.place_mm[2])

    def on_plane(self, points_px: FloatArray, z_mm: float) -> FloatArray:
        """Where (N, 2) mm the rays through pixels (N, 2) meet the plane `z_mm` above the floor."""
        ideal = np.asarray(cv2.undistortPoints(points_px.reshape(-1, 1, 2), self.matrix, self.distortion))
        rays = np.concatenate([ideal.reshape(-1, 2), np.ones((len(points_px), 1))], axis=1) @ self.turn.T
        return np.asarray(self.place_mm[:2] + rays[:, :2] * ((z_mm - self.place_mm[2]) / rays[:, 2:]))


def _margin(point: FloatArray, outline: FloatArray) -> float:
    """Distance of a point (2,) inside the outline (N, 2), negative outside."""
    contour = outline.astype(np.float32).reshape(-1, 1, 2)
    return float(cv2.pointPolygonTest(contour, (float(point[0]), float(point[1])), True))


def _tilt_deg(top: FloatArray) -> float:
    """Tilt that would foreshorten a square to the quadrilateral (4, 2)."""
    across, along = (top[1] + top[2] - top[0] - top[3]) / 2, (top[2] + top[3] - top[0] - top[1]) / 2
    longer, shorter = np.linalg.svd(np.stack([across, along]), compute_uv=False)
    return float(np.degrees(np.arccos(min(1.0, shorter / longer + SLANT_NOISE))))
