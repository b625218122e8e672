"""Polygons: what makes a list of corners none - repeated, no area, edges that cross - and scaling one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.domain import FloatArray

LEAST_AREA_PX2 = 1.0


def polygon_fault(corners: FloatArray) -> str | None:
    """Say what is wrong with the outline `corners` (N, 2), N >= 3, in pixels; None for a simple polygon."""
    edges = np.roll(corners, -1, axis=0) - corners
    repeated = np.flatnonzero(~edges.any(axis=1))
    if len(repeated):
        return f"corner {repeated[0]} repeated"
    if area_of(corners) < LEAST_AREA_PX2:
        return "an outline without area"
    crossing = _crossing_edges(corners)
    if crossing:
        return f"edges {crossing[0]} and {crossing[1]} crossing or touching"
    return None


def area_of(corners: FloatArray) -> float:
    """Return what the outline `corners` (N, 2) holds, in the square of their unit."""
    return abs(_doubled_area(corners)) / 2


def _doubled_area(corners: FloatArray) -> float:
    centred = corners - corners.mean(axis=0)  # keeps the products small, hence exact enough
    after = np.roll(centred, -1, axis=0)
    return float((centred[:, 0] * after[:, 1] - centred[:, 1] * after[:, 0]).sum())


def _crossing_edges(corners: FloatArray) -> tuple[int, int] | None:
    """Find two edges that meet anywhere but in the corner they share, or neighbours that fold back."""
    start, end = corners, np.roll(corners, -1, axis=0)
    count = len(corners)
    first, second = np.triu_indices(count, k=2)
    neighbours = (first == 0) & (second == count - 1)
    first, second = first[~neighbours], second[~neighbours]
    apart_1 = _side(start[first], end[first], start[second]) * _side(start[first], end[first], end[second])
    apart_2 = _side(start[second], end[second], start[first]) * _side(start[second], end[second], end[first])
    meet = (apart_1 <= 0) & (apart_2 <= 0) & _boxes_meet(start, end, first, second)
    if meet.any():
        at = int(np.flatnonzero(meet)[0])
        return int(first[at]), int(second[at])
    ahead, before = end - start, np.roll(end - start, 1, axis=0)
    folded = (_cross(before, ahead) == 0) & ((before * ahead).sum(axis=1) < 0)
    if folded.any():
        at = int(np.flatnonzero(folded)[0])
        return (at - 1) % count, at
    return None


def _cross(a: FloatArray, b: FloatArray) -> FloatArray:
    return a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]


def _side(start: FloatArray, end: FloatArray, point: FloatArray) -> FloatArray:
    return np.sign(_cross(end - start, point - start))


def _boxes_meet(
    start: FloatArray, end: FloatArray, first: NDArray[np.intp], second: NDArray[np.intp]
) -> NDArray[np.bool_]:
    low, high = np.minimum(start, end), np.maximum(start, end)
    meet = (low[first] <= high[second]) & (low[second] <= high[first])
    return meet[:, 0] & meet[:, 1]


def scaled(corners: FloatArray, times: float) -> FloatArray:
    """Return corners (N, 2) so many times as far from their middle."""
    middle = corners.mean(axis=0)
    return np.asarray(middle + times * (corners - middle))
