"""How good a calibration is, in millimetres on the floor and degrees of tilt."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.calibrate.fitting import CameraFit, camera_at
from vision.calibrate.lens_and_pose import FOCAL
from vision.camera_bounds import HEIGHT_MM
from vision.domain import FloatArray

STEP = 0.02  # standard deviations: small, for what is not known at all would not be followed in one step
ROUGH_HEIGHT = 0.1
SURE = 2.0  # standard deviations: nineteen in twenty are nearer


@dataclass(frozen=True, slots=True)
class Quality:
    """What nineteen in twenty calibrations from such pictures keep to.

    `floor_error_mm`: by how much a distance on the floor is off, over the whole area; `tilt_error_deg` of the
    floor against the camera; `height_error_mm` of the camera above the floor; `focal_error`, a share of
    the focal length; `residual` of the fit in its own unit, pixels or mm.
    """

    floor_error_mm: float
    tilt_error_deg: float
    height_error_mm: float
    focal_error: float
    residual: float

    def height_is_rough(self, height_mm: float) -> bool:
        """Whether a camera found at `height_mm` may as well hang noticeably higher or lower."""
        return self.height_error_mm > ROUGH_HEIGHT * height_mm

    def heights_mm(self, height_mm: float) -> tuple[float, float]:
        """Between which heights a camera found at `height_mm` hangs."""
        return max(HEIGHT_MM[0], height_mm - self.height_error_mm), height_mm + self.height_error_mm


def quality_of(fit: CameraFit, area_px: FloatArray) -> Quality:
    """Propagate what the fit leaves open to the floor inside the outline `area_px` (N, 2)."""
    middle = area_px.mean(axis=0)
    places = np.concatenate([middle + share * (area_px - middle) for share in (1.0, 0.6, 0.2)])
    spread = [_differences(ahead, behind, places) for ahead, behind in _spread(fit)]
    squares = (SURE / (2 * STEP)) ** 2 * np.sum(np.square(spread), axis=0)
    if fit.rival is not None:
        squares += _differences(fit.values, fit.rival, places) ** 2
    floor, lean, height = np.sqrt(squares)
    return Quality(
        floor_error_mm=float(floor),
        tilt_error_deg=float(np.degrees(lean)),
        height_error_mm=float(height),
        focal_error=SURE * float(np.sqrt(fit.covariance[FOCAL, FOCAL])),
        residual=fit.noise,
    )


def _spread(fit: CameraFit) -> list[tuple[FloatArray, FloatArray]]:
    """Values STEP standard deviations to either side, along each direction in which they are uncertain."""
    scale = np.sqrt(np.maximum(np.diag(fit.covariance), 1e-30))
    shares, directions = np.linalg.eigh(fit.covariance / np.outer(scale, scale))
    steps = (directions * np.sqrt(np.maximum(shares, 0.0))).T * scale
    uncertain = STEP * steps[np.abs(steps).max(axis=1) > 1e-12]
    return [(fit.values + step, fit.values - step) for step in uncertain]


def _differences(one: FloatArray, other: FloatArray, places: FloatArray) -> FloatArray:
    """By how much two cameras differ (3,): mm of `places` on the floor, lean of the floor, height."""
    first, second = camera_at(one), camera_at(other)
    floor = _apart(first.on_plane(places, 0.0), second.on_plane(places, 0.0))
    lean = float(np.linalg.norm(first.turn[2] - second.turn[2]))
    return np.array([floor, lean, first.height_mm - second.height_mm])


def _apart(one: FloatArray, other: FloatArray) -> float:
    """Root mean square distance of places (N, 2) once shift and turn, which no one can see, are taken out."""
    one, other = one - one.mean(axis=0), other - other.mean(axis=0)
    left, _, right = np.linalg.svd(other.T @ one)
    return float(np.sqrt(((other @ (left @ right) - one) ** 2).sum(axis=1).mean()))
