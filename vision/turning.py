"""Find how dice are turned that geometry does not tell, and how they lie.

Where, to the pose reader, no square fits, others close by are tried: so it is with dice that the trained
reader reads alone, and with ones, whose pip looks alike however they lie. A die of which it is not clear
whether it leans is looked at from several squares that lie a hair apart: their mean is surer than each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from vision.camera import Camera
from vision.detection import Detection
from vision.domain import FloatArray, Image
from vision.pose_reader import SURE_FIT, Poses, read_poses

QUARTER = np.pi / 2
TURNS, PLACE = 12, 0.12  # in a quarter turn; dice from place to place
UNCLEAR_LEAN = (-1.5, 7.0)  # log odds
HAIR = 0.03  # dice, as far as geometry misplaces a square
CROSS = np.array([(0.0, 0.0), (1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)])
SQUARE = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])


def fit_squares(
    image_bgr: Image, empty_bgr: Image | None, camera: Camera, dice: Sequence[Detection], die_mm: float
) -> tuple[list[Detection], Poses]:
    """Return the dice and how they lie; those whose corners do not fit with such, close by, that fit best."""

    def read(corners_px: FloatArray) -> Poses:
        return read_poses(image_bgr, empty_bgr, camera, corners_px, die_mm)

    poses = read(np.array([die.corners_px for die in dice]).reshape(-1, 4, 2))
    found, parts = list(dice), [poses.of(row) for row in range(len(dice))]
    for row in np.flatnonzero(poses.fits < SURE_FIT).tolist():
        square, lies = _best_square(camera, dice[row], die_mm, read)
        if lies.fits[0] > poses.fits[row]:
            found[row] = replace(dice[row], center_px=square.mean(axis=0), corners_px=square)
            parts[row] = lies
    low, high = UNCLEAR_LEAN
    for row, (die, lies) in enumerate(zip(found, parts, strict=True)):
        if low < lies.lean[0] < high:
            near = read(die.corners_px + HAIR * die.side_px * CROSS[:, None])
            parts[row] = replace(near.mean(), fits=lies.fits)
    return found, Poses.joined(parts)


def _best_square(
    camera: Camera, die: Detection, die_mm: float, read: Callable[[FloatArray], Poses]
) -> tuple[FloatArray, Poses]:
    """The square (4, 2) px about a die that fits best, sought coarsely, then finely; how it lies."""
    place = camera.on_plane(die.corners_px.mean(axis=0).reshape(1, 2), die_mm)[0]
    squares = squares_about(place, np.arange(TURNS) * QUARTER / TURNS, PLACE * die_mm, die_mm)
    best = squares[int(read(seen_on_dice(camera, squares, die_mm)).fits.argmax())]
    turn = float(np.arctan2(*(best[1] - best[0])[::-1]))
    finer = turn + np.arange(-1, 2) * QUARTER / TURNS / 2
    squares = squares_about(best.mean(axis=0), finer, PLACE * die_mm / 2, die_mm)
    seen = seen_on_dice(camera, squares, die_mm)
    lies = read(seen)
    row = int(lies.fits.argmax())
    return seen[row], lies.of(row)


def squares_about(place_mm: FloatArray, turns: FloatArray, step_mm: float, die_mm: float) -> FloatArray:
    """Return squares (N, 4, 2) mm as large as a die's face, at a place (2,) and `step_mm` beside it."""
    cos, sin = np.cos(turns), np.sin(turns)
    turned = SQUARE @ np.stack([np.stack([cos, sin], axis=1), np.stack([-sin, cos], axis=1)], axis=1)
    places = place_mm + step_mm * CROSS
    return np.asarray((places[:, None, None] + die_mm * turned).reshape(-1, 4, 2))


def seen_on_dice(camera: Camera, squares_mm: FloatArray, die_mm: float) -> FloatArray:
    """Return where (N, 4, 2) px the tops of flat dice are seen that lie in `squares_mm` (N, 4, 2)."""
    flat = squares_mm.reshape(-1, 2)
    return camera.seen_at(np.column_stack([flat, np.full(len(flat), die_mm)])).reshape(-1, 4, 2)
