"""An outline that a person draws with a finger: a few corners, and how the sides between them bend."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from vision.calibrate.outline import LEAST_SHARE, ROUND_CORNERS, SIDE_POINTS, Outline
from vision.domain import FloatArray
from vision.polygon import polygon_fault

MOST_CORNERS, LEAST_CORNERS = 16, 3
ROUND_HANDLES = 8  # corners by which a round outline is held
APART_PX = 4.0  # corners of no tray lie nearer
FARTHEST_PX = 1e5
STARTING_SHARE = 0.8  # of the picture's height, of what one begins with
STRAIGHT = np.zeros((0, 2))


class HandFault(StrEnum):
    """Why an outline drawn by hand is none."""

    OUTSIDE = "outside"  # it leaves the picture
    TOGETHER = "together"  # two corners lie in one place
    CROSSING = "crossing"
    SMALL = "small"


@dataclass(frozen=True, slots=True, eq=False)
class HandOutline:
    """`corners_px` (N, 2) one after the other, either way round, and the `bends` of the N sides behind them.

    A bend (K, 2) holds points between two corners, as shares of the side: along it, and across, to its right
    in the picture where the side runs to the right. `is_round`: the corners but hold a round outline.
    """

    corners_px: FloatArray
    bends: tuple[FloatArray, ...]
    is_round: bool = False

    @property
    def area_px(self) -> FloatArray:
        """The whole outline (M, 2)."""
        return np.concatenate([side[:-1] for side in _sides(self)])

    @property
    def outline(self) -> Outline:
        """What a calibration is fitted to, clockwise in the picture."""
        area, sides = self.area_px, _sides(self)
        if _doubled_area(area) < 0:
            area, sides = np.ascontiguousarray(area[::-1]), [side[::-1] for side in sides[::-1]]
        return Outline(area, area, () if self.is_round else tuple(map(_filled, sides)), seen=1.0)

    def moved(self, corner: int, x: float, y: float) -> HandOutline:
        """Return the outline with a corner at (x, y); four corners are joined so that nothing crosses."""
        corners = self.corners_px.copy()
        corners[corner] = x, y
        moved = replace(self, corners_px=corners)
        if len(corners) == 4 and not self.is_round and _is_near(corners) and _crosses(moved):
            return _around_its_middle(moved)
        return moved

    def with_corner_after(self, corner: int) -> HandOutline:
        """Return the outline with one corner more, in the middle of the side behind `corner`."""
        if len(self.corners_px) >= MOST_CORNERS:
            return self
        start, end = self.corners_px[corner], np.roll(self.corners_px, -1, axis=0)[corner]
        corners = np.insert(self.corners_px, corner + 1, (start + end) / 2, axis=0)
        bends = (*self.bends[:corner], STRAIGHT, STRAIGHT, *self.bends[corner + 1 :])
        return HandOutline(corners, bends)

    def without_corner(self, corner: int) -> HandOutline:
        """Return the outline without a corner, the side there straight."""
        if len(self.corners_px) <= LEAST_CORNERS:
            return self
        before = (corner - 1) % len(self.bends)
        bends = [STRAIGHT if side == before else bend for side, bend in enumerate(self.bends)]
        del bends[corner]
        return HandOutline(np.delete(self.corners_px, corner, axis=0), tuple(bends))

    def fault(self, image_size: tuple[int, int]) -> HandFault | None:
        """Say what is wrong with it in a picture of `image_size` (width, height); None when nothing is."""
        (width, height), area = image_size, self.area_px if _is_near(self.corners_px) else self.corners_px
        if not ((area >= 0) & (area <= (width - 1, height - 1))).all():
            return HandFault.OUTSIDE
        gaps = np.linalg.norm(self.corners_px[:, None] - self.corners_px[None], axis=2)
        if (gaps + np.diag(np.full(len(gaps), np.inf)) < APART_PX).any():
            return HandFault.TOGETHER
        if abs(_doubled_area(area)) / 2 < LEAST_SHARE * width * height:
            return HandFault.CROSSING if _crosses(self) else HandFault.SMALL
        return HandFault.CROSSING if _crosses(self) else None


def held(outline: Outline) -> HandOutline:
    """Return an outline that was found as one to take hold of."""
    if outline.sides:
        return _held(outline.area_px, len(outline.area_px) // len(outline.sides))
    return replace(_held(outline.area_px, ROUND_CORNERS // ROUND_HANDLES), is_round=True)


def starting(image_size: tuple[int, int], corners: int) -> HandOutline:
    """Return what to begin with where nothing was found: so many `corners`, 0 for a round one."""
    middle, reach = (np.array(image_size) - 1) / 2, STARTING_SHARE * min(image_size) / 2
    count = corners or ROUND_CORNERS
    angles = (np.arange(count) + 0.5) * 2 * np.pi / count - np.pi
    wide = min(1.4, 0.9 * max(image_size) / min(image_size)) if corners == 4 else 1.0
    points = middle + reach * np.column_stack([wide * np.cos(angles), np.sin(angles)])
    if corners:
        return HandOutline(points, (STRAIGHT,) * corners)
    return replace(_held(points, ROUND_CORNERS // ROUND_HANDLES), is_round=True)


def _held(area_px: FloatArray, each: int) -> HandOutline:
    """Take every so manieth point for a corner, those between for bends."""
    corners = area_px[::each]
    ends = np.roll(corners, -1, axis=0)
    bends = []
    for row, (start, end) in enumerate(zip(corners, ends, strict=True)):
        along = end - start
        off = area_px[row * each + 1 : (row + 1) * each] - start
        across = np.array([-along[1], along[0]])
        bends.append(np.column_stack([off @ along, off @ across]) / max(float(along @ along), 1e-9))
    return HandOutline(np.ascontiguousarray(corners), tuple(bends))


def _sides(hand: HandOutline) -> list[FloatArray]:
    """Points (K + 2, 2) of each side, from corner to corner."""
    ends = np.roll(hand.corners_px, -1, axis=0)
    sides = []
    for start, end, bend in zip(hand.corners_px, ends, hand.bends, strict=True):
        along = end - start
        across = np.array([-along[1], along[0]])
        between = start + bend[:, :1] * along + bend[:, 1:] * across
        sides.append(np.concatenate([[start], between, [end]]))
    return sides


def _filled(side: FloatArray) -> FloatArray:
    """Points (N, 2), SIDE_POINTS or more, on a side of which some are given."""
    if len(side) > SIDE_POINTS:
        return side
    share, at = np.linspace(0, 1, SIDE_POINTS), np.linspace(0, 1, len(side))
    return np.column_stack([np.interp(share, at, side[:, axis]) for axis in (0, 1)])


def _is_near(corners_px: FloatArray) -> bool:
    """Whether these are numbers to reckon with."""
    return bool((np.abs(corners_px) < FARTHEST_PX).all())


def _crosses(hand: HandOutline) -> bool:
    return polygon_fault(hand.area_px) is not None


def _around_its_middle(hand: HandOutline) -> HandOutline:
    """Join the corners in the order in which they lie around their middle, by straight sides."""
    off = hand.corners_px - hand.corners_px.mean(axis=0)
    order = np.argsort(np.arctan2(off[:, 1], off[:, 0]), kind="stable")
    return replace(hand, corners_px=hand.corners_px[order], bends=(STRAIGHT,) * len(order))


def _doubled_area(area_px: FloatArray) -> float:
    x, y = (area_px - area_px.mean(axis=0)).T
    return float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum())
