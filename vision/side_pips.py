"""Tell pips on the sides of dice from dice that nobody read, where it is known how the dice lie."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from vision.camera import Camera
from vision.detection import Detection, Doubt
from vision.domain import FloatArray
from vision.opencv import cv2
from vision.pose_reader import SURE_FIT, Poses

MOST_LEAN = 0.0  # log odds; of what may lean it is not known where its sides are seen
LARGEST_PIP = 0.3  # radius of what may be pips of a side, in sides of a top face


def without_side_pips(
    doubts: Sequence[Doubt], dice: Sequence[Detection], poses: Poses, camera: Camera, die_mm: float
) -> Iterator[Doubt]:
    """Yield the doubts that are no side pips: neither small nor within the body of a die that lies flat."""
    flat = np.flatnonzero((poses.fits > SURE_FIT) & (poses.lean < MOST_LEAN)).tolist()
    bodies = [(body_outline(camera, dice[row].corners_px, die_mm), dice[row].side_px) for row in flat]
    for doubt in doubts:
        on_a_die = (
            doubt.radius_px < LARGEST_PIP * side_px
            and cv2.pointPolygonTest(outline, doubt.center_px, measureDist=False) >= 0
            for outline, side_px in bodies
        )
        if not any(on_a_die):
            yield doubt


def body_outline(camera: Camera, corners_px: FloatArray, die_mm: float) -> FloatArray:
    """Return the outline (N, 1, 2) float32 px of a whole flat die whose top has `corners_px` (4, 2)."""
    top = camera.on_plane(corners_px, die_mm)
    cube = [np.column_stack([top, np.full(4, height)]) for height in (0.0, die_mm)]
    return np.asarray(cv2.convexHull(camera.seen_at(np.concatenate(cube)).astype(np.float32)))
