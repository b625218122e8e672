"""A camera of which everything is known, and what it sees: the oracle of the calibration's tests.

It uses OpenCV's own projection and none of the code under test.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.domain import FloatArray, Image
from vision.opencv import cv2

SIZE = (1280, 960)
BOARD_PX_PER_MM = 5
DICTIONARY = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)


@dataclass(frozen=True, eq=False)
class KnownCamera:
    """`turn` (3, 3) and `shift` (3,) take floor mm, z up, to the camera."""

    matrix: FloatArray
    distortion: FloatArray
    turn: FloatArray
    shift: FloatArray

    @property
    def height_mm(self) -> float:
        return float((-self.turn.T @ self.shift)[2])

    def sees(self, floor_mm: FloatArray, z: float = 0.0) -> FloatArray:
        """Pixels (N, 2) of places (N, 2)."""
        points = np.column_stack([floor_mm, np.full(len(floor_mm), z)])
        rvec = cv2.Rodrigues(self.turn)[0]
        pixels, _ = cv2.projectPoints(points, rvec, self.shift, self.matrix, self.distortion)
        return np.asarray(pixels).reshape(-1, 2)

    def pictures(self, flat: Image, to_flat: FloatArray) -> Image:
        """A flat drawing (h, w, 3) lying on the floor; `to_flat` (2, 3) takes floor mm to its pixels."""
        y, x = np.mgrid[0 : SIZE[1], 0 : SIZE[0]].astype(np.float64)
        pixels = np.stack([x.ravel(), y.ravel()], axis=1).reshape(-1, 1, 2)
        rays = cv2.undistortPoints(pixels, self.matrix, self.distortion).reshape(-1, 2)
        rays = np.column_stack([rays, np.ones(len(rays))]) @ self.turn
        place = -self.turn.T @ self.shift
        floor = place[:2] - rays[:, :2] * (place[2] / rays[:, 2:])
        at = (floor @ to_flat[:, :2].T + to_flat[:, 2]).reshape(SIZE[1], SIZE[0], 2).astype(np.float32)
        return np.asarray(
            cv2.remap(flat, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        )


def camera(
    tilt_deg: tuple[float, float] = (3.0, -2.0),
    turn_deg: float = 4.0,
    height_mm: float = 480.0,
    focal_px: float = 1100.0,
    distortion: tuple[float, ...] = (0, 0, 0, 0, 0),
    center_off_px: tuple[float, float] = (0.0, 0.0),
    over_mm: tuple[float, float] = (0.0, 0.0),
) -> KnownCamera:
    """A camera that looks about straight down on the place `over_mm`."""
    lean = cv2.Rodrigues(np.radians([*tilt_deg, 0.0]))[0] @ cv2.Rodrigues(np.radians([0, 0, turn_deg]))[0]
    turn = lean @ np.diag([1.0, -1.0, -1.0])
    shift = np.array([0, 0, height_mm]) - turn @ np.array([*over_mm, 0.0])
    middle = [(SIZE[0] - 1) / 2 + center_off_px[0], (SIZE[1] - 1) / 2 + center_off_px[1]]
    matrix = np.array([[focal_px, 0, middle[0]], [0, focal_px, middle[1]], [0, 0, 1.0]])
    return KnownCamera(matrix, np.array(distortion, dtype=np.float64), turn, shift)


def board_picture(
    seen_by: KnownCamera, seed: int = 0, noise: float = 3.0, margin_mm: int = 15, floor: int = 120
) -> Image:
    """The sheet, its board's upper left corner at the floor's origin, drawn by OpenCV; blurred, noisy."""
    board = cv2.aruco.CharucoBoard((7, 5), 30.0, 22.0, DICTIONARY)
    margin = margin_mm * BOARD_PX_PER_MM
    flat = board.generateImage((210 * BOARD_PX_PER_MM, 150 * BOARD_PX_PER_MM))
    flat = cv2.copyMakeBorder(flat, *[margin] * 4, cv2.BORDER_CONSTANT, value=255)
    flat = cv2.GaussianBlur(flat, (0, 0), 1.2)
    flat = cv2.copyMakeBorder(flat, 2, 2, 2, 2, cv2.BORDER_CONSTANT, value=floor)
    offset = margin + 2 - 0.5
    scale = float(BOARD_PX_PER_MM)
    picture = seen_by.pictures(
        cv2.cvtColor(flat, cv2.COLOR_GRAY2BGR), np.array([[scale, 0, offset], [0, -scale, offset]])
    )
    return noisy(cv2.GaussianBlur(picture * 0.6 + 40.0, (0, 0), 0.7), seed, noise)


def noisy(picture: FloatArray, seed: int, noise: float) -> Image:
    chance = np.random.default_rng(seed)
    return np.clip(picture + chance.normal(0, noise, picture.shape), 0, 255).astype(np.uint8)


def floor_error_mm(on_floor: FloatArray, measured: FloatArray) -> float:
    """Root mean square distance of places (N, 2), but for a common shift and turn."""
    one, other = on_floor - on_floor.mean(axis=0), measured - measured.mean(axis=0)
    left, _, right = np.linalg.svd(other.T @ one)
    return float(np.sqrt(((other @ left @ right - one) ** 2).sum(axis=1).mean()))


def lean_apart_deg(known: KnownCamera, normal_in_camera: FloatArray) -> float:
    return float(np.degrees(np.arccos(np.clip(known.turn[:, 2] @ normal_in_camera, -1, 1))))
