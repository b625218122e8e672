"""Outlines with straight sides: lines along which material changes, joined to the best closed path."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.calibrate.rays import RAYS, Rays
from vision.calibrate.rings import Peaks, Ring, Scale, support, weighed
from vision.domain import FloatArray
from vision.opencv import cv2

LINES = 80
SLANT_DEG = 55  # at most, of a side's normal against a ray that meets it
CELL_PX = 1.5
BENT_PX = 1.5  # by which a lens bends a side
STEP = 2  # rays
CORNER_COST = 20.0  # rays unseen that a corner more must explain
CROSSING_COST, MOST_CROSSINGS = 1.0, 3.0
OUTWARD_COST = 0.25  # of two outlines seen alike the inner one is the floor's
MEETING_PX = 3.0
CLOSER_PX = (3.0, 2.0, 1.5)
FOLLOWED_PX = 3.0  # by which a line may be off at its ends
LEAST_TURN_DEG = 12.0  # of a corner
NEVER = 1e6
ROUNDS = 3


def angular_rings(rays: Rays, peaks: Peaks) -> list[Ring]:
    """Return outlines of straight sides, however little speaks for them.

    Each is the best by the scale of the one before.
    """
    lines = _drawn_closer(_lines(rays, peaks), rays, peaks)
    radius = _radii(lines, rays.angles)
    bends = (radius, radius - BENT_PX, radius + BENT_PX)
    scale, rings = peaks.first_scale, []
    for _ in range(ROUNDS):
        contrast = np.max([rays.contrast(each, scale.direction) for each in bends], axis=0)
        path = np.repeat(_closed_path(_cost(rays, peaks, radius, contrast, scale), radius[:, ::STEP]), STEP)
        chosen = np.where(np.isfinite(radius), radius, 0.0)[path, np.arange(RAYS)]
        followed = rays.followed(chosen, FOLLOWED_PX)
        rings.append(weighed(rays, peaks, followed, _sides(path, lines[:, 0]), chosen))
        scale = rings[-1].scale
    return rings


def _cost(rays: Rays, peaks: Peaks, radius: FloatArray, contrast: FloatArray, scale: Scale) -> FloatArray:
    """What it costs (LINES, RAYS / STEP) an outline to follow a line past a ray."""
    there = np.isfinite(radius) & (radius < rays.reach)
    outward = OUTWARD_COST * np.where(there, radius, 0) / rays.changes.shape[1]
    crossings = np.minimum(peaks.crossings(radius, scale), MOST_CROSSINGS)
    cost = 1 - support(contrast, scale) + CROSSING_COST * crossings + outward
    return np.where(there, cost, NEVER)[:, ::STEP]


def _sides(path: NDArray[np.intp], normals: FloatArray) -> NDArray[np.intp]:
    """Which side each ray meets: lines that follow one another at a slight turn are a side that is bent."""
    turn = np.abs((normals[path] - normals[np.roll(path, 1)] + np.pi) % (2 * np.pi) - np.pi)
    corner = turn > np.radians(LEAST_TURN_DEG)
    if not corner.any():
        return np.zeros_like(path)
    first = int(np.flatnonzero(corner)[0])
    return np.roll(np.cumsum(np.roll(corner, -first)), first)


def _lines(rays: Rays, peaks: Peaks) -> FloatArray:
    """Lines (LINES, 2) on which most changes lie, by Hough: angle of the normal, distance from the middle."""
    slants = np.arange(-SLANT_DEG, SLANT_DEG + 1)
    distance = peaks.radius[:, :, None] * np.cos(np.radians(slants))
    degrees = np.rint(np.degrees(rays.angles))[:, None, None] + slants
    cells = int(rays.changes.shape[1] / CELL_PX) + 2
    at = (degrees % 360).astype(np.intp) * cells + (distance / CELL_PX).astype(np.intp)
    usual = float(np.percentile(peaks.strength, 80))
    weight = np.broadcast_to(np.minimum(peaks.strength, usual)[:, :, None], at.shape)
    votes = np.bincount(at.ravel(), weight.ravel(), 360 * cells).reshape(360, cells)
    ring = np.concatenate([votes[-3:], votes, votes[:3]])
    return _highest(np.asarray(cv2.GaussianBlur(ring, (5, 5), 1.0)[3:-3], dtype=np.float64))


def _highest(votes: FloatArray) -> FloatArray:
    left, lines = votes.copy(), []
    for _ in range(LINES):
        degree, cell = np.unravel_index(int(np.argmax(left)), left.shape)
        lines.append((np.radians(degree), (cell + 0.5) * CELL_PX))
        around = np.arange(degree - 4, degree + 5) % 360
        left[around, max(0, cell - 2) : cell + 3] = 0
    return np.array(lines)


def _drawn_closer(lines: FloatArray, rays: Rays, peaks: Peaks) -> FloatArray:
    """`lines` (LINES, 2) drawn to the changes near them."""
    points = rays.directions[:, None] * peaks.radius[..., None]
    facing = np.cos(rays.angles - lines[:, :1]) > np.cos(np.radians(SLANT_DEG))
    for within in CLOSER_PX:
        normals = np.column_stack([np.cos(lines[:, 0]), np.sin(lines[:, 0])])
        off = np.einsum("rpx,lx->lrp", points, normals) - lines[:, 1, None, None]
        weight = np.where((np.abs(off) < within) & facing[..., None], peaks.strength, 0.0)
        lines = np.stack([_through(points, each, line) for each, line in zip(weight, lines, strict=True)])
    return lines


def _through(points: FloatArray, weight: FloatArray, line: FloatArray) -> FloatArray:
    """The line (2,) through weighed points (RAYS, PEAKS, 2), facing as `line`; `line` if they are few."""
    used = weight > 0
    if used.sum() < 10:
        return line
    near, share = points[used], weight[used] / weight[used].sum()
    middle = share @ near
    normal = np.linalg.eigh((near - middle).T @ ((near - middle) * share[:, None]))[1][:, 0]
    normal = normal * np.sign(normal @ (np.cos(line[0]), np.sin(line[0])))
    return np.array([np.arctan2(normal[1], normal[0]), normal @ middle])


def _radii(lines: FloatArray, angles: FloatArray) -> FloatArray:
    """Where (LINES, RAYS) the rays meet the lines; infinite where they hardly do."""
    cosine = np.cos(angles - lines[:, :1])
    meets = cosine > np.cos(np.radians(SLANT_DEG + 15))
    return np.where(meets, lines[:, 1:] / np.where(meets, cosine, 1.0), np.inf)


def _closed_path(cost: FloatArray, radius: FloatArray) -> NDArray[np.intp]:
    """Which line (RAYS / STEP,) the cheapest closed outline follows, changing only where lines meet: Viterbi.

    It goes round twice and keeps the second half of the first and the first half of the second round.
    """
    lines, count = cost.shape
    total, back = np.zeros(lines), np.zeros((2 * count, lines), dtype=np.intp)
    places = np.where(np.isfinite(radius), radius, np.arange(lines)[:, None] * -NEVER)
    own = np.arange(lines)
    for step in range(2 * count):
        here = places[:, step % count]
        change = np.where(np.abs(here[:, None] - here) < MEETING_PX, CORNER_COST / STEP, NEVER)
        change[own, own] = 0
        arriving = total[:, None] + change
        back[step] = arriving.argmin(axis=0)
        total = arriving[back[step], own] + cost[:, step % count]
    path = np.zeros(2 * count, dtype=np.intp)
    last = int(total.argmin())
    for step in range(2 * count - 1, -1, -1):
        path[step] = last
        last = int(back[step, last])
    return np.roll(path[count // 2 : count // 2 + count], count // 2)
