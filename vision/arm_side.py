"""Tells from which side of the picture an arm reaches to the tray: players sit round it, each at an own side.

An arm, with or without a cup, crosses the picture's border where its owner sits. While something moves, what
differs from the still tray before is looked at in tiles: a part that reaches from the border to the tray
crosses it there. What differs as well once all lies still is no arm but dice. Sides are angles round the
tray's middle in the picture, in degrees: 0 to the right, 90 down.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.opencv import cv2
from vision.scene import Mask

NARROWEST = 0.25  # of the tray's size: an arm there where it crosses the border; dice are narrower
WIDEST = 0.5  # of the border: more at once is light, or the camera that moves
NEAR_MIDDLE = 0.25  # of the picture's size: what reaches so far inside, where no tray's outline is known


@dataclass(frozen=True, slots=True)
class ArmSide:
    """From where arms reached in during a movement: `side_deg` is the mean of where the border was crossed.

    `spread_deg`: how far from there any arm of any frame was, mostly less than 20 degrees; two arms from
    different sides make it at least half of what they are apart. `frames`: in how many an arm was seen.
    """

    side_deg: float
    spread_deg: float
    frames: int


def crossed_border(unlike: Mask, area: Mask | None) -> Mask | None:
    """Return the tiles of the border that are crossed by what reaches from there to the tray.

    `unlike`, `area` (rows, columns): tiles that differ from the still tray, and those of the tray.
    None when nothing does, or something does nearly everywhere.
    """
    inner = _middle_of(unlike.shape) if area is None else area
    border = _border_of(unlike.shape)
    parts = _parts(unlike)
    reaching = np.intersect1d(parts[border & unlike], parts[inner & unlike])
    crossed = border & unlike & np.isin(parts, reaching)
    if not crossed.any() or np.count_nonzero(crossed) > WIDEST * np.count_nonzero(border):
        return None
    return crossed


def arm_side(crossed: Sequence[Mask], area: Mask | None, lying: Mask | None = None) -> ArmSide | None:
    """Return from where the arms of a movement came, by what each frame's `crossed_border` was.

    `lying`: the tiles that differ from the still tray before once all lies still. None: no arm was seen.
    """
    if not crossed:
        return None
    inner = _middle_of(crossed[0].shape) if area is None else area
    least = NARROWEST * math.sqrt(np.count_nonzero(inner))
    ways = _ways_from_middle(inner)
    arms = [_arms(each if lying is None else each & ~lying, ways, least) for each in crossed]
    everywhere = [arm for frame in arms for arm in frame]
    if not everywhere:
        return None
    mean = sum(everywhere)
    side_deg = math.degrees(cmath.phase(mean)) % 360
    spread_deg = max(apart_deg(math.degrees(cmath.phase(arm)), side_deg) for arm in everywhere)
    return ArmSide(side_deg, spread_deg, sum(bool(frame) for frame in arms))


def apart_deg(one: float, other: float) -> float:
    """Return how far two sides are apart, 0 to 180 degrees."""
    return abs((one - other + 180) % 360 - 180)


def _parts(tiles: Mask) -> NDArray[np.int32]:
    """Number the connected parts of `tiles`, (rows, columns), 0 where there is none."""
    _, labels = cv2.connectedComponents(tiles.astype(np.uint8), connectivity=8)
    return labels.astype(np.int32)


def _arms(crossed: Mask, ways: NDArray[np.complex128], least: float) -> list[complex]:
    """Return the sum of `ways` of each part that is as wide as an arm."""
    parts = _parts(crossed)
    tiles = np.bincount(parts.ravel())
    return [complex(ways[parts == part].sum()) for part in range(1, len(tiles)) if tiles[part] >= least]


def _ways_from_middle(inner: Mask) -> NDArray[np.complex128]:
    """Return the unit vector from the middle of `inner` to each tile, right + 1j * down."""
    row, column = (float(places.mean()) for places in np.nonzero(inner))
    rows, columns = np.indices(inner.shape)
    way = (columns - column) + 1j * (rows - row)
    return np.asarray(way / np.maximum(np.abs(way), 0.5))


def _border_of(shape: tuple[int, ...]) -> Mask:
    border = np.ones(shape, np.bool_)
    border[1:-1, 1:-1] = False
    return border


def _middle_of(shape: tuple[int, ...]) -> Mask:
    inner = np.zeros(shape, np.bool_)
    rows, columns = (max(1, round(NEAR_MIDDLE * length)) for length in shape)
    inner[rows:-rows, columns:-columns] = True
    return inner
