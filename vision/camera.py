"""The calibrated camera: where rays through pixels meet a level plane, and where a point is seen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.domain import FloatArray, TableCalibration
from vision.opencv import cv2


@dataclass(frozen=True, slots=True, eq=False)
class Camera:
    """A camera by OpenCV's model. `turn` (3, 3): camera to floor; `place_mm` (3,) in the floor frame."""

    matrix: FloatArray
    distortion: FloatArray
    turn: FloatArray
    place_mm: FloatArray

    @staticmethod
    def of(calibration: TableCalibration) -> Camera | None:
        """The camera of a calibration that holds one."""
        pose = calibration.floor_pose
        if pose is None or calibration.camera_matrix is None:
            return None
        turn = np.asarray(cv2.Rodrigues(np.array(pose.rvec))[0], dtype=np.float64).T
        distortion = np.zeros(5) if calibration.distortion is None else calibration.distortion
        return Camera(calibration.camera_matrix, distortion, turn, -turn @ np.array(pose.tvec_mm))

    @property
    def height_mm(self) -> float:
        """Of the camera above the floor."""
        return float(self.place_mm[2])

    def on_plane(self, points_px: FloatArray, z_mm: float) -> FloatArray:
        """Where (N, 2) mm the rays through pixels (N, 2) meet the plane `z_mm` above the floor."""
        ideal = np.asarray(cv2.undistortPoints(points_px.reshape(-1, 1, 2), self.matrix, self.distortion))
        rays = np.concatenate([ideal.reshape(-1, 2), np.ones((len(points_px), 1))], axis=1) @ self.turn.T
        return np.asarray(self.place_mm[:2] + rays[:, :2] * ((z_mm - self.place_mm[2]) / rays[:, 2:]))

    def length_px(self, length_mm: float, points_px: FloatArray) -> FloatArray:
        """How long (N,) px a short level length is seen where pixels (N, 2) show the floor."""
        on_floor = self.on_plane(points_px, 0.0)
        ends = [np.column_stack([on_floor + step, np.zeros(len(on_floor))]) for step in np.eye(2) * length_mm]
        here = self.seen_at(np.column_stack([on_floor, np.zeros(len(on_floor))]))
        return np.asarray(np.min([np.linalg.norm(self.seen_at(end) - here, axis=1) for end in ends], axis=0))

    def seen_at(self, points_mm: FloatArray) -> FloatArray:
        """Where (N, 2) px points (N, 3) of the floor frame are seen."""
        rvec = cv2.Rodrigues(self.turn.T)[0]
        seen, _ = cv2.projectPoints(
            np.asarray(points_mm, dtype=np.float64).reshape(-1, 1, 3),
            rvec,
            -self.turn.T @ self.place_mm,
            self.matrix,
            self.distortion,
        )
        return np.asarray(seen, dtype=np.float64).reshape(-1, 2)
