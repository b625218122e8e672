"""The tray's solid parts as turned boxes: physics bumps into them, and they hide dice from the camera."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from datasets.rig import Floats, Tray, wall_profile


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """A box: middle (3,), half sides (3,) in mm and its axes as columns (3, 3)."""

    at_mm: Floats
    half_mm: Floats
    turn: Floats


def wall_blocks(tray: Tray) -> list[Block]:
    """Return the blocks of the wall: behind every edge one for each inner slope of its section."""
    profile = wall_profile(tray)
    corners = np.array(tray.outline)
    edges = list(zip(corners, np.roll(corners, -1, axis=0), strict=True))
    blocks = []
    for (out_0, up_0), (out_1, up_1) in pairwise(profile[:-1]):
        blocks += [_slab(*edge, (out_0, up_0), (out_1, up_1), tray) for edge in edges]
    return blocks


def _slab(
    start: Floats, end: Floats, low: tuple[float, float], high: tuple[float, float], tray: Tray
) -> Block:
    """Return the block whose face runs from `low` to `high` of the section, along one edge of the outline."""
    along = (end - start) / np.linalg.norm(end - start)
    ahead, outward, up = np.array([*along, 0]), np.array([along[1], -along[0], 0]), np.array([0.0, 0, 1])
    rise = (high[0] - low[0]) * outward + (high[1] - low[1]) * up
    span = float(np.linalg.norm(rise))
    rise /= span
    back = np.cross(ahead, rise)  # away from the tray
    back *= np.sign(back @ outward)
    thick = max(2.0, tray.rim_mm * float(back @ outward)) if tray.slope_deg == 0 else tray.rim_mm
    middle = (
        np.array([*(start + end) / 2, 0]) + (low[0] + high[0]) / 2 * outward + (low[1] + high[1]) / 2 * up
    )
    half = np.array([np.linalg.norm(end - start) / 2 + high[0] + 1.0, span / 2, thick / 2])
    return Block(middle + back * thick / 2, half, np.column_stack([ahead, rise, back]))


def floor_blocks(tray: Tray) -> list[Block]:
    """Return blocks, each from edge to edge, that together are a floor of at most eight corners."""
    corners = np.array(tray.outline)
    count = len(corners) // 2
    blocks = []
    for start, end, opposite in zip(
        corners[:count], corners[1 : count + 1], corners[count : 2 * count], strict=True
    ):
        along = (end - start) / np.linalg.norm(end - start)
        inward = np.array([-along[1], along[0]])
        depth = float((opposite - start) @ inward)
        turn = np.column_stack([[*along, 0], [*inward, 0], [0, 0, 1.0]])
        half = np.array([np.linalg.norm(end - start) / 2, depth / 2, tray.base_mm / 2])
        blocks.append(Block(np.array([0.0, 0, -tray.base_mm / 2]), half, turn))
    return blocks


def are_hidden(blocks: list[Block], start: Floats, end: Floats) -> NDArray[np.bool_]:
    """Return which rays (N,) from places (N, 3) to `end` (3,) meet any of the blocks."""
    hit = np.zeros(len(start), dtype=bool)
    for block in blocks:
        origin = (start - block.at_mm) @ block.turn
        ray = (end - start) @ block.turn
        with np.errstate(divide="ignore", invalid="ignore"):
            near, far = (-block.half_mm - origin) / ray, (block.half_mm - origin) / ray
        first = np.nanmax(np.minimum(near, far), axis=1)
        last = np.nanmin(np.maximum(near, far), axis=1)
        hit |= (first < last) & (last > 1e-6) & (first < 1)
    return hit
