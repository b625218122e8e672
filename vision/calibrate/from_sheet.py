"""Camera and floor from the printed sheet: lying in the tray in the first picture, held anyhow in others."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.calibrate.board import BoardView
from vision.calibrate.fitting import ONE_PICTURE, SEVERAL_PICTURES, CameraFit, Problem, fit_camera
from vision.calibrate.lens_and_pose import LENS, POSE, camera_of, pose_of, usual_lens
from vision.domain import FloatArray
from vision.opencv import cv2

CORNER_NOISE_PX = 0.1  # that a fit of few corners must not undercut


def fit_to_sheet(views: Sequence[BoardView], image_size: tuple[int, int], scale: float = 1.0) -> CameraFit:
    """Return the camera over the floor on which the sheet lies in the first of `views`.

    `scale`: how much larger than true the sheet was printed. One view gives the pose, the focal length and,
    if it tells it, k1; several give the middle of the lens and the other terms too, as far as they tell them.
    """
    boards = [_standing(view.points_mm * scale) for view in views]

    def residuals(values: FloatArray) -> FloatArray:
        poses = values[LENS:].reshape(-1, POSE)
        cameras = [camera_of(values[:LENS], pose) for pose in poses]
        seen = zip(cameras, boards, views, strict=True)
        return np.concatenate(
            [(camera.seen_at(board) - view.points_px).ravel() for camera, board, view in seen]
        )

    poses = [_poses(view, board, image_size) for view, board in zip(views, boards, strict=True)]
    others = [each[0] for each in poses[1:]]
    problem = Problem(
        residuals,
        starts=[np.concatenate([first, *others]) for first in poses[0]],
        least_noise=CORNER_NOISE_PX,
        lens_steps=ONE_PICTURE if len(views) == 1 else SEVERAL_PICTURES,
    )
    return fit_camera(problem, image_size)


def _standing(points_mm: FloatArray) -> FloatArray:
    """Board mm (N, 2), y down, in a frame (N, 3) with z up."""
    return np.column_stack([points_mm[:, 0], -points_mm[:, 1], np.zeros(len(points_mm))])


def _poses(view: BoardView, board: FloatArray, image_size: tuple[int, int]) -> list[FloatArray]:
    """The two poses (POSE,) that a plane's picture allows, the likelier first."""
    lens, _ = usual_lens(image_size)
    matrix = camera_of(lens, np.zeros(POSE)).matrix
    _, turns, shifts, _ = cv2.solvePnPGeneric(board, view.points_px, matrix, None, flags=cv2.SOLVEPNP_IPPE)
    return [
        pose_of(np.asarray(cv2.Rodrigues(turn)[0]), np.ravel(shift))
        for turn, shift in zip(turns, shifts, strict=True)
    ]
