"""The overhead camera as a calibration, and the truth about dice in its picture."""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np

from datasets.tray import DIE_MM, FACE_AXES, FLOOR_MM, IMAGE_SIZE, Floats, rotation
from vision.opencv import cv2

_FROM_MUJOCO = np.diag([1.0, -1.0, -1.0])  # its cameras look along -z with y up; OpenCV's along z with y down
_CORNERS = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]) / 2


@dataclass(frozen=True, slots=True, eq=False)
class Camera:
    """A camera without distortion: `matrix` (3, 3); `turn` (3, 3), `shift_mm` (3,) from floor to camera."""

    matrix: Floats
    turn: Floats
    shift_mm: Floats

    def project(self, points_mm: Floats) -> Floats:
        """Return the pixels (N, 2) of floor-frame points (N, 3) in mm."""
        seen = (points_mm @ self.turn.T + self.shift_mm) @ self.matrix.T
        return np.asarray(seen[:, :2] / seen[:, 2:])


def overhead_camera(model: mujoco.MjModel) -> Camera:
    """Return the model's camera `overhead` in OpenCV's convention."""
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    number = model.camera("overhead").id
    turn = _FROM_MUJOCO @ data.cam_xmat[number].reshape(3, 3).T
    width, height = IMAGE_SIZE
    focal = height / 2 / np.tan(np.radians(model.cam_fovy[number]) / 2)
    matrix = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1]])
    return Camera(matrix, turn, -turn @ data.cam_xpos[number] * 1000)


def table_json(camera: Camera) -> dict[str, object]:
    """Return the calibration of the tray with the keys of `table.json`."""
    rvec, _ = cv2.Rodrigues(camera.turn)
    flat = np.column_stack([camera.turn[:, :2], camera.shift_mm])
    to_image = camera.matrix @ flat
    outline = np.column_stack([_CORNERS * FLOOR_MM, np.zeros(4)])
    return {
        "image_size": list(IMAGE_SIZE),
        "camera_matrix": _rounded(camera.matrix, 4),
        "distortion": [0.0] * 5,
        "floor_pose": {
            "rvec": _rounded(np.asarray(rvec, float).ravel(), 8),
            "tvec_mm": _rounded(camera.shift_mm, 4),
        },
        "floor_to_image": _rounded(to_image / to_image[2, 2], 9),
        "area_px": _rounded(camera.project(outline), 2),
        "die_mm": DIE_MM,
    }


def die_truth(camera: Camera, pose: Floats) -> dict[str, object]:
    """Return what is true of one die at rest at `pose` (7,): m and quaternion w x y z."""
    turn = rotation(pose[3:])
    centre_mm = pose[:3] * 1000
    heights = {face: float(turn[2] @ axis) for face, axis in FACE_AXES.items()}
    face = max(heights, key=lambda candidate: heights[candidate])
    lowest_mm = float(centre_mm[2] - np.abs(turn[2]).sum() * DIE_MM / 2)
    beyond = np.abs(centre_mm[:2]) > np.array(FLOOR_MM) / 2
    pixels = camera.project(np.vstack([centre_mm, _top_corners_mm(centre_mm, turn, face)]))
    return {
        "face": face,
        "state": "outside" if beyond.any() else "flat",
        "tilt_deg": round(float(np.degrees(np.arccos(min(1.0, heights[face])))), 2),
        "height_mm": round(lowest_mm, 2) + 0.0,
        "center_px": _rounded(pixels[0], 1),
        "corners_px": _rounded(pixels[1:], 1),
        "in_frame": bool(((pixels > 0) & (pixels < np.array(IMAGE_SIZE) - 1)).all()),
    }


def _top_corners_mm(centre_mm: Floats, turn: Floats, face: int) -> Floats:
    """Return the corners of the face in the floor frame (4, 3), clockwise in the picture."""
    outward = np.array(FACE_AXES[face], dtype=float)
    across = np.roll(outward, 1)
    along = np.cross(outward, across)
    corners = outward / 2 + _CORNERS[::-1, :1] * across + _CORNERS[::-1, 1:] * along
    return np.asarray(centre_mm + corners @ turn.T * DIE_MM)


def _rounded(values: Floats, digits: int) -> list[object]:
    return list((np.round(values, digits) + 0.0).tolist())
