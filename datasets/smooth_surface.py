"""Triangles for a smooth body that is known by its distance function alone (naive surface nets)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from datasets.rig import Floats

Distance = Callable[[Floats], Floats]  # places (N, 3) to about their distances (N,), negative inside


def smooth_surface(
    distance: Distance, low: Floats, high: Floats, step: float
) -> tuple[Floats, Floats, NDArray[np.int64]]:
    """Return vertices (V, 3), outward normals (V, 3) and triangles (T, 3) of the body within a box.

    The box from `low` to `high` must hold all of the body; `step` is the side of the cells looked at.
    """
    axes = [np.arange(start, end + step, step) for start, end in zip(low, high, strict=True)]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
    values = distance(grid.reshape(-1, 3)).reshape(grid.shape[:3])
    count = np.zeros(np.array(values.shape) - 1)
    total = np.zeros((*count.shape, 3))
    for axis in range(3):
        _gather(total, count, grid, values, axis)
    cut = count > 0
    number = np.full(count.shape, -1)
    number[cut] = np.arange(int(cut.sum()))
    quads = np.concatenate([_quads(number, values < 0, axis) for axis in range(3)])
    vertices, normals = _drawn_in(distance, total[cut] / count[cut][:, np.newaxis], step)
    return vertices, normals, np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])


def _gather(total: Floats, count: Floats, grid: Floats, values: Floats, axis: int) -> None:
    """Add where the surface cuts the grid's lines along `axis` to the four cells around each line."""
    grid, values, total, count = (np.moveaxis(each, axis, 0) for each in (grid, values, total, count))
    near, far = values[:-1], values[1:]
    cut = (near < 0) != (far < 0)
    share = near / np.where(cut, near - far, 1)
    places = (grid[:-1] + share[..., np.newaxis] * (grid[1:] - grid[:-1])) * cut[..., np.newaxis]
    rows, columns = count.shape[1:]
    for row in (0, 1):
        for column in (0, 1):
            total += places[:, row : rows + row, column : columns + column]
            count += cut[:, row : rows + row, column : columns + column]


def _quads(number: NDArray[np.int64], inside: NDArray[np.bool_], axis: int) -> NDArray[np.int64]:
    """Return the cells (Q, 4) around each cut line along `axis`, anticlockwise from outside."""
    order = (axis, (axis + 1) % 3, (axis + 2) % 3)
    number, inside = number.transpose(order), inside.transpose(order)
    near, far = inside[:-1, 1:-1, 1:-1], inside[1:, 1:-1, 1:-1]
    around = np.stack(
        [number[:, :-1, :-1], number[:, 1:, :-1], number[:, 1:, 1:], number[:, :-1, 1:]], axis=-1
    )
    rising, falling = around[near & ~far], around[far & ~near]
    return np.concatenate([rising, falling[:, ::-1]])


def _drawn_in(distance: Distance, places: Floats, step: float) -> tuple[Floats, Floats]:
    """Return the places moved onto the surface, and its normals there."""
    small = 0.25 * step
    slope = np.column_stack(
        [distance(places + small * axis) - distance(places - small * axis) for axis in np.eye(3)]
    )
    normals = slope / np.maximum(np.linalg.norm(slope, axis=1, keepdims=True), 1e-9)
    away = np.clip(distance(places), -step, step)
    return places - away[:, np.newaxis] * normals, normals
