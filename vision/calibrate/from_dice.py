"""Camera and floor from dice laid flat: top faces are squares of known size, a die's edge above the floor."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.calibrate.fitting import CameraFit, Problem, camera_at, fit_camera
from vision.calibrate.lens_and_pose import CENTER, FOCAL, LENS, POSE, usual_lens
from vision.domain import FloatArray

LEAST_DICE = 4
CORNER_NOISE_PX = 1.0
# Edges are rounded, and the corners read are those of what is left flat: sides read of rendered dice of eight
# kinds were 0.93 to 0.99 of the edge.
FLAT_SHARE, FLAT_SHARE_SIGMA = 0.975, 0.02
TILTS = ((0.0, 0.0), (0.1, 0.0), (0.0, 0.1), (-0.1, 0.0), (0.0, -0.1))
DOWN_SIGMA = 0.1  # radians: a camera over a table looks down, and so few small squares hardly tell its tilt
HELD = 1e-4  # turn and place of the floor's frame are ours to choose
SHARE, DICE = LENS + POSE, LENS + POSE + 1  # then x, y in mm and turn of each die
UNIT = np.array([[-0.5, 0.5], [0.5, 0.5], [0.5, -0.5], [-0.5, -0.5]])  # clockwise in the picture, y up


def fit_to_dice(corners_px: Sequence[FloatArray], die_mm: float, image_size: tuple[int, int]) -> CameraFit:
    """Return the camera over the floor on which dice lie flat.

    `corners_px`: of each top face the corners (4, 2), clockwise in the picture; LEAST_DICE or more.
    """
    seen = np.stack([np.asarray(corners, dtype=np.float64) for corners in corners_px])

    def residuals(values: FloatArray) -> FloatArray:
        tops = _tops(values, die_mm)
        return np.asarray((camera_at(values).seen_at(tops) - seen.reshape(-1, 2)).ravel())

    start = _start(seen, die_mm, image_size)
    starts = [np.concatenate([tilt, start[2:]]) for tilt in TILTS]
    known = np.full(len(start), np.inf)
    known[:2], known[2:5], known[POSE] = DOWN_SIGMA, HELD, FLAT_SHARE_SIGMA
    problem = Problem(residuals, starts, CORNER_NOISE_PX, known, start, lens_steps=())
    return fit_camera(problem, image_size)


def _tops(values: FloatArray, die_mm: float) -> FloatArray:
    """Corners (4 N, 3) of the top faces in the floor's frame."""
    x, y, turn = values[DICE:].reshape(-1, 3).T
    cos, sin = np.cos(turn), np.sin(turn)
    turns = np.stack([np.stack([cos, -sin]), np.stack([sin, cos])]).transpose(2, 0, 1)
    flat = UNIT @ turns.transpose(0, 2, 1) * (values[SHARE] * die_mm) + np.stack([x, y], axis=1)[:, None]
    return np.asarray(np.concatenate([flat, np.full((*flat.shape[:2], 1), die_mm)], axis=2).reshape(-1, 3))


def _start(seen: FloatArray, die_mm: float, image_size: tuple[int, int]) -> FloatArray:
    """What a camera that looks straight down would have seen."""
    lens, _ = usual_lens(image_size)
    focal = float(np.exp(lens[FOCAL]))
    side = float(np.linalg.norm(seen - np.roll(seen, 1, axis=1), axis=2).mean())
    away = focal * FLAT_SHARE * die_mm / side
    middle = seen.mean(axis=1)
    shift = (middle.mean(axis=0) - lens[CENTER]) * (away / focal)
    places = (middle - middle.mean(axis=0)) * (away / focal) * (1, -1)
    top = (seen[:, 1] - seen[:, 0]) * (1, -1)
    dice = np.column_stack([places, np.arctan2(top[:, 1], top[:, 0])])
    return np.array([0.0, 0.0, 0.0, *shift, away + die_mm, FLAT_SHARE, *dice.ravel()])
