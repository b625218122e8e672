"""Round outlines: circles through changes of material, drawn to the ellipses that a slanted camera sees."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from vision.calibrate.rays import LEAST_RADIUS_PX, RAYS, Rays
from vision.calibrate.rings import Peaks, Ring, weighed
from vision.domain import FloatArray
from vision.opencv import cv2

TRIES, SEED = 4000, 0
SPREAD = 60  # rays by which the three points of a try are off an even third of the round
MOST_OFF = 0.5  # of the radius: of a circle's middle from the picture's
NEAR_PX = 2
CIRCLES = 8
LIKE_RADIUS_PX, LIKE_MIDDLE_PX = 4.0, 6.0
CLOSER_PX = (6.0, 4.0, 3.0, 2.0)


def round_rings(rays: Rays, peaks: Peaks) -> list[Ring]:
    """Return outlines of different size for which something speaks."""
    rings = []
    for middle, radius in _circles(rays, peaks):
        around = _circle_radius(rays.directions, middle, radius)
        for within in CLOSER_PX:
            followed = rays.followed(around, within)
            around = ellipse_radius(rays, followed)
        rings.append(weighed(rays, peaks, around, None))
    return rings


def ellipse_radius(rays: Rays, radius: FloatArray) -> FloatArray:
    """The ellipse that fits an outline `radius` (RAYS,) best, as the same."""
    points = (rays.directions * radius[:, None]).astype(np.float32).reshape(-1, 1, 2)
    (x, y), (width, height), turned = cv2.fitEllipseAMS(points)
    cos, sin = np.cos(np.radians(turned)), np.sin(np.radians(turned))
    axes = np.array([[cos, sin], [-sin, cos]]) / np.array([[width / 2], [height / 2]])
    toward, middle = rays.directions @ axes.T, axes @ np.array([x, y])
    square, mixed = (toward**2).sum(axis=1), toward @ middle
    return np.asarray((mixed + np.sqrt(np.maximum(mixed**2 - square * (middle @ middle - 1), 0))) / square)


def _circles(rays: Rays, peaks: Peaks) -> Iterator[tuple[FloatArray, float]]:
    """Yield middle (2,) and radius of the circles on which most changes lie, each unlike those before."""
    middles, radii = _tried(rays, peaks)
    hits = _near_peaks(peaks, rays.changes.shape[1])
    rows = np.arange(0, RAYS, 8)
    around = _circle_radius(rays.directions[rows], middles[:, None], radii[:, None])
    met = hits[rows, np.clip(around, 0, hits.shape[1] - 1).astype(np.intp)] & (around < rays.reach[rows])
    taken: list[int] = []
    for at in np.argsort(-met.mean(axis=1), kind="stable"):
        alike = [
            abs(radii[at] - radii[other]) < LIKE_RADIUS_PX
            and np.linalg.norm(middles[at] - middles[other]) < LIKE_MIDDLE_PX
            for other in taken
        ]
        if not any(alike):
            taken.append(int(at))
            yield middles[at], float(radii[at])
        if len(taken) == CIRCLES:
            return


def _tried(rays: Rays, peaks: Peaks) -> tuple[FloatArray, FloatArray]:
    """Circles through three changes each, far apart: middles (N, 2) and radii (N,)."""
    chance = np.random.default_rng(SEED)
    third = np.array([0, RAYS // 3, 2 * RAYS // 3])
    row = (chance.integers(0, RAYS, (TRIES, 1)) + third + chance.integers(-SPREAD, SPREAD, (TRIES, 3))) % RAYS
    radius = peaks.radius[row, chance.integers(0, peaks.radius.shape[1], (TRIES, 3))]
    points = rays.directions[row] * radius[..., None]
    chords = points[:, 1:] - points[:, :1]
    proper = (np.abs(np.linalg.det(chords)) > 1.0) & (radius.min(axis=1) > LEAST_RADIUS_PX)
    points, chords = points[proper], chords[proper]
    away = np.linalg.solve(2 * chords, (chords**2).sum(axis=2)[..., None])[..., 0]
    middles, radii = points[:, 0] + away, np.linalg.norm(away, axis=1)
    around = np.linalg.norm(middles, axis=1) < MOST_OFF * radii
    return middles[around], radii[around]


def _near_peaks(peaks: Peaks, reach: int) -> NDArray[np.bool_]:
    hits = np.zeros((RAYS, reach), np.uint8)
    hits[np.arange(RAYS)[:, None], peaks.radius] = peaks.strength > 0
    return np.asarray(cv2.dilate(hits, np.ones((1, 2 * NEAR_PX + 1), np.uint8)) > 0)


def _circle_radius(directions: FloatArray, middle: FloatArray, radius: FloatArray | float) -> FloatArray:
    """Where rays (M, 2) from the origin leave circles around `middle` (..., 2): (..., M)."""
    toward = (directions * middle).sum(axis=-1)
    beyond = np.asarray(radius) ** 2 - (middle**2).sum(axis=-1)
    return np.asarray(toward + np.sqrt(np.maximum(toward**2 + beyond, 0.0)))
