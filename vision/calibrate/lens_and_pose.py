"""The camera above the floor as numbers that can be fitted, and as the arrays of `table.json`.

Pixels are square. The floor's frame is millimetres with z up; a picture's pose is two tilts and a turn
against a camera that looks straight down, so that a turn nobody can see (a round tray) is one number.
"""

from __future__ import annotations

import numpy as np

from vision.camera import Camera
from vision.domain import FloatArray, FloorPose
from vision.opencv import cv2

LENS = 7  # log focal length in px, principal point x and y, k1, k2, p1, p2
POSE = 6  # tilt about x and y, turn about z (radians), place of the floor's origin in mm
FOCAL, CENTER, K1, DISTORTION = 0, slice(1, 3), 3, slice(3, 7)
FACING = np.diag([1.0, -1.0, -1.0])  # floor to camera of one that looks straight down
# What is known of a camera before any picture: lenses of webcams, phones and the Pi see 40 to 80 degrees
# along the longer side; the middle of the sensor is off by a hundredth of it at most times; barrels and
# pincushions beyond a tenth are fisheyes.
USUAL_FOCAL, FOCAL_SIGMA = 0.9, 0.35  # of the longer side; of the logarithm
CENTER_SIGMA = 0.01  # of the longer side
DISTORTION_SIGMA = (0.1, 0.1, 0.002, 0.002)


def usual_lens(image_size: tuple[int, int]) -> tuple[FloatArray, FloatArray]:
    """Values and standard deviations (LENS,) of a lens of which nothing but the picture's size is known."""
    width, height = image_size
    longer = max(width, height)
    values = np.array([np.log(USUAL_FOCAL * longer), (width - 1) / 2, (height - 1) / 2, 0, 0, 0, 0])
    off = CENTER_SIGMA * longer
    return values, np.array([FOCAL_SIGMA, off, off, *DISTORTION_SIGMA])


def camera_of(lens: FloatArray, pose: FloatArray) -> Camera:
    """The camera of `lens` (LENS,) and `pose` (POSE,)."""
    focal = float(np.exp(lens[FOCAL]))
    matrix = np.array([[focal, 0, lens[1]], [0, focal, lens[2]], [0, 0, 1]])
    turn = (_about(pose[0], pose[1], 0.0) @ _about(0.0, 0.0, pose[2]) @ FACING).T
    return Camera(matrix, np.append(lens[DISTORTION], 0.0), turn, -turn @ pose[3:6])


def pose_of(floor_to_camera: FloatArray, shift_mm: FloatArray) -> FloatArray:
    """The pose (POSE,) of a turn (3, 3) and `shift_mm` (3,), floor to camera."""
    facing = floor_to_camera @ FACING
    normal = facing[:, 2]
    axis = np.array([-normal[1], normal[0]])
    sine = float(np.linalg.norm(axis))
    tilt = axis * (np.arctan2(sine, normal[2]) / sine) if sine > 1e-12 else np.zeros(2)
    about_z = _about(tilt[0], tilt[1], 0.0).T @ facing
    return np.array([*tilt, np.arctan2(about_z[1, 0], about_z[0, 0]), *np.ravel(shift_mm)])


def _about(x: float, y: float, z: float) -> FloatArray:
    return np.asarray(cv2.Rodrigues(np.array([x, y, z], dtype=np.float64))[0])


def floor_pose(camera: Camera) -> FloorPose:
    """The pose of `camera` as `table.json` has it."""
    x, y, z = np.ravel(cv2.Rodrigues(camera.turn.T)[0]).tolist()
    right, down, away = (-camera.turn.T @ camera.place_mm).tolist()
    return FloorPose((x, y, z), (right, down, away))


def floor_to_image(camera: Camera) -> FloatArray:
    """Floor mm to undistorted pixels (3, 3), the last element 1."""
    to_camera = camera.turn.T
    homography = camera.matrix @ np.column_stack([to_camera[:, :2], -to_camera @ camera.place_mm])
    return np.asarray(homography / homography[2, 2])


def in_frame(camera: Camera, origin_mm: FloatArray, turned: float) -> Camera:
    """The same camera in a floor's frame with its origin at `origin_mm` (2,), turned by radians."""
    about_z = _about(0.0, 0.0, turned)
    place = about_z.T @ (camera.place_mm - np.append(origin_mm, 0.0))
    return Camera(camera.matrix, camera.distortion, about_z.T @ camera.turn, place)
