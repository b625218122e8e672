"""Find a die's four corners from the edges of its top face, below a pixel.

The square that `vision.bodies` found is moved side by side: near each side, in two halves of it, colour is
averaged along the side and the place is taken at which it changes most across.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.domain import FloatArray, Image
from vision.sampling import sample

NEAREST, FARTHEST = 0.82, 1.24  # where sides are sought, in half sides from the middle
STEPS = 64
ALONG = np.array(
    [-0.62, -0.5, -0.38, -0.26, -0.14, 0.14, 0.26, 0.38, 0.5, 0.62]
)  # in half sides; corners are round
GAP = 3  # steps on either side over which a change of colour is taken
PEAK = 4  # steps around the largest change that are weighed together
FAINT = 8.0  # grey levels of change below which a side is left where it was
MAX_SKEW = 0.14  # by which the two halves of a side may disagree, in half sides
OUTWARD = 0.15  # preference for the outer of two edges of like strength, over the whole range
LEVEL_SIDE = 96  # px; larger dice are measured on a smaller picture


def refine_corners(pyramid: Sequence[Image], corners_px: FloatArray) -> FloatArray:
    """Corners (N, 4, 2) of the top faces whose squares (N, 4, 2) are roughly known, in the same order."""
    refined = corners_px.copy()
    side = np.linalg.norm(corners_px - np.roll(corners_px, 1, axis=1), axis=2).mean(axis=1)
    level = np.clip(np.log2(np.maximum(side / LEVEL_SIDE, 1.0)).astype(np.intp), 0, len(pyramid) - 1)
    for step in np.unique(level):
        rows = np.flatnonzero(level == step)
        refined[rows] = _refine(pyramid[step], 2.0**step, corners_px[rows])
    return refined


def _refine(picture: Image, scale: float, corners: FloatArray) -> FloatArray:
    center = corners.mean(axis=1)
    following = np.roll(corners, -1, axis=1)
    normal = (corners + following) / 2 - center[:, None]  # (N, 4, 2) middle to side
    along = (following - corners) / 2
    reach = np.linspace(NEAREST, FARTHEST, STEPS)
    points = (
        center[:, None, None, None]
        + normal[:, :, None, None] * reach[None, None, None, :, None]
        + along[:, :, None, None] * ALONG[None, None, :, None, None]
    )  # (N, 4, ALONG, STEPS, 2)
    colours = sample(picture, points, scale)
    half = len(ALONG) // 2
    places = np.stack([_edge(colours[:, :, :half], reach), _edge(colours[:, :, half:], reach)], axis=2)
    skewed = np.abs(places[..., 0] - places[..., 1]) > MAX_SKEW
    places = np.where(skewed[..., None], _edge(colours, reach)[..., None], places)
    at = np.array([ALONG[:half].mean(), ALONG[half:].mean()])
    ends = center[:, None, None] + normal[:, :, None] * places[..., None] + along[:, :, None] * at[:, None]
    return _intersections(ends)


def _edge(colours: NDArray[np.float32], reach: FloatArray) -> FloatArray:
    """Where (N, 4) colours (N, 4, A, STEPS, 3), averaged over A, change most; 1 where they hardly do."""
    mean = colours.mean(axis=2)
    change = np.zeros(mean.shape[:3])
    change[:, :, GAP:-GAP] = np.linalg.norm(mean[:, :, 2 * GAP :] - mean[:, :, : -2 * GAP], axis=3)
    biased = change * np.linspace(1.0, 1.0 + OUTWARD, STEPS)
    peak = np.argmax(biased, axis=2)
    near = np.abs(np.arange(STEPS) - peak[..., None]) <= PEAK
    weight = np.where(near, change, 0.0) ** 2
    place = (weight * reach).sum(axis=2) / np.maximum(weight.sum(axis=2), 1e-9)
    strength = np.take_along_axis(change, peak[..., None], axis=2)[..., 0]
    return np.where(strength < FAINT, 1.0, place)


def _intersections(ends: FloatArray) -> FloatArray:
    """Corners (N, 4, 2) of quadrilaterals given by two points (N, 4, 2, 2) on each side.

    Corner k precedes side k.
    """
    lines = np.cross(_homogeneous(ends[:, :, 0]), _homogeneous(ends[:, :, 1]))
    meet = np.cross(np.roll(lines, 1, axis=1), lines)
    return np.asarray(meet[..., :2] / meet[..., 2:])


def _homogeneous(points: FloatArray) -> FloatArray:
    return np.concatenate([points, np.ones((*points.shape[:-1], 1))], axis=-1)
