"""Find the outline of the tray's floor in a picture of the empty tray, or say that it cannot be told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.calibrate.angular_rings import angular_rings
from vision.calibrate.rays import RAYS, Rays, unroll
from vision.calibrate.rings import Ring, find_peaks, shaded_inside
from vision.calibrate.round_rings import ellipse_radius, round_rings
from vision.domain import FloatArray, Image
from vision.errors import CalibrationError
from vision.polygon import polygon_fault

ACCEPTED = (
    "accepted is an empty tray around the picture's middle, evenly lit, its floor of one colour and its "
    "walls of another; or name the floor's corners: --area x,y x,y ..."
)
SEARCH_PX, MEASURE_PX = 820, 2460  # longer side of the picture in which it is sought, and measured
LEAST_SEEN = 0.9
LEAST_WEAKEST = 0.8  # of its weakest eighteen degrees
LEAST_SHARE = 0.04  # of the picture
CLOSER_PX = (4.0, 2.0)  # in the picture in which it is measured
ROUND_CORNERS, ROUND_LEAST = 72, 8
SIDE_POINTS = 8
MOST_CROSSED = 0.25  # of its length may have a strong change inside: a mark, the edge of a shadow
LEAST_CLEAR = 10.0  # times the noise
MOST_MARKED = 0.5
MOST_SHADED = 0.7  # one lamp's shadow lies on half of a tray
SIDE_COST = 0.02  # in worth: a side more must explain something
OFF_CORNER = 0.06  # of a side's rays next to a corner: the averaging there runs round it


class OutlineError(CalibrationError):
    """The outline of the tray's floor cannot be told for certain, or one given by hand does not fit."""


@dataclass(frozen=True, slots=True, eq=False)
class Outline:
    """The floor's outline, `area_px` (N, 2); `sides`: a list of points (M, 2) on each, none when it is round.

    `edge_px` (N, 2): points seen on it, before it was made smooth. `seen`: share of its length at which
    material was seen to change.
    """

    area_px: FloatArray
    edge_px: FloatArray
    sides: tuple[FloatArray, ...]
    seen: float


def find_outline(image_bgr: Image, side_count: int | None = None) -> Outline:
    """Return the outline of the floor around the middle of a picture (H, W, 3) of the empty tray.

    `side_count`: how many sides it has, 0 for a round one, None if that is not known. Raises OutlineError
    when the outline is not seen for certain.
    """
    rays = unroll(image_bgr, SEARCH_PX)
    ring = _likeliest(rays, side_count)
    fault = _fault(rays, ring, side_count)
    if fault is None:
        outline = _measured(unroll(image_bgr, MEASURE_PX), ring, rays.scale)
        fault = _area_fault(outline.area_px, image_bgr.shape[1::-1])
    if fault:
        raise OutlineError(f"the tray's outline is not certain: {fault}; {ACCEPTED}")
    return outline


def given_outline(area_px: FloatArray, image_size: tuple[int, int], sides: int | None) -> Outline:
    """Return the outline of which the corners (N, 2) were given by hand, in a picture of `image_size`.

    Raises OutlineError when they are no outline, leave the picture, or are not as many as `sides`; a
    round one (0) needs ROUND_LEAST or more.
    """
    if sides and len(area_px) != sides:
        raise OutlineError(f"--area: found {len(area_px)} corners; accepted for this shape are {sides}")
    if sides == 0 and len(area_px) < ROUND_LEAST:
        raise OutlineError(
            f"--area: found {len(area_px)} points; accepted for a round tray are {ROUND_LEAST} or more "
            "on its edge"
        )
    fault = _area_fault(area_px, image_size)
    if fault:
        raise OutlineError(f"--area: {fault}; accepted are corners one after the other, inside the picture")
    x, y = area_px.T
    if float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum()) < 0:
        area_px = np.ascontiguousarray(area_px[::-1])
    share = np.linspace(0.0, 1.0, SIDE_POINTS)[:, None]
    along = [
        start + share * (end - start)
        for start, end in zip(area_px, np.roll(area_px, -1, axis=0), strict=True)
    ]
    return Outline(area_px, area_px, () if sides == 0 else tuple(along), seen=1.0)


def _likeliest(rays: Rays, side_count: int | None) -> Ring:
    peaks = find_peaks(rays)
    rings = angular_rings(rays, peaks) if side_count != 0 else []
    rings += round_rings(rays, peaks) if not side_count else []
    return max(rings, key=lambda ring: ring.worth - SIDE_COST * ring.side_count)


def _fault(rays: Rays, ring: Ring, side_count: int | None) -> str | None:
    faults = {
        f"the floor's edge is seen along {100 * ring.seen:.0f} % of its length alone": ring.seen < LEAST_SEEN,
        "a stretch of the floor's edge is covered, in shadow, or looks like the wall": (
            ring.weakest < LEAST_WEAKEST
        ),
        "edges cross the floor: a shadow, glare, or something that lies there": ring.crossed > MOST_CROSSED,
        "it hardly stands out from the floor": ring.clear < LEAST_CLEAR,
        "the floor is patterned": ring.marked > MOST_MARKED,
        "floor and wall are alike, or shadows lie all around": shaded_inside(rays, ring) > MOST_SHADED,
        f"found one of {ring.side_count} sides, not {side_count}": side_count not in {None, ring.side_count},
    }
    return next((fault for fault, is_so in faults.items() if is_so), None)


def _area_fault(area_px: FloatArray, image_size: tuple[int, ...]) -> str | None:
    width, height = image_size
    if not np.isfinite(area_px).all() or (area_px < 0).any() or (area_px > (width - 1, height - 1)).any():
        return "it leaves the picture"
    fault = polygon_fault(area_px)
    if fault:
        return fault
    x, y = area_px.T
    share = abs(float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum())) / 2 / (width * height)
    return f"it holds {100 * share:.0f} % of the picture" if share < LEAST_SHARE else None


def _measured(fine: Rays, ring: Ring, scale: float) -> Outline:
    """The outline `ring`, found in a picture of another `scale`, as the finer rays see it."""
    radius = ring.radius * (fine.scale / scale)
    for within in CLOSER_PX:
        radius = fine.followed(radius, within)
        if ring.sides is None:
            smooth = ellipse_radius(fine, radius)
    if ring.sides is None:
        corners = fine.points(smooth)[:: RAYS // ROUND_CORNERS]
        return Outline(corners, fine.points(radius), (), ring.seen)
    sides = tuple(fine.points(radius)[rows] for rows in _runs(ring.sides))
    return Outline(_joined(sides), np.concatenate(sides), sides, ring.seen)


def _runs(sides: NDArray[np.intp]) -> Iterator[NDArray[np.intp]]:
    """Rays of each side in turn, but for those next to a corner."""
    starts = np.flatnonzero(sides != np.roll(sides, 1))
    for start, end in zip(starts, [*starts[1:], starts[0] + RAYS], strict=True):
        off = max(1, round(OFF_CORNER * (end - start)))
        yield np.arange(start + off, max(end - off, start + off + 2)) % RAYS


def _joined(sides: tuple[FloatArray, ...]) -> FloatArray:
    """Corners and points between them (N, 2) of an outline whose sides, each a little bent, pass `sides`."""
    curves = [_Curve.through(side) for side in sides]
    corners = [one.meeting(other) for one, other in zip([curves[-1], *curves[:-1]], curves, strict=True)]
    ends = [*corners[1:], corners[0]]
    return np.concatenate(
        [curve.between(start, end) for curve, start, end in zip(curves, corners, ends, strict=True)]
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Curve:
    """A side: `across` as a square function of the way `along` it, both from `middle`."""

    middle: FloatArray
    along: FloatArray
    across: FloatArray
    terms: FloatArray

    @staticmethod
    def through(points: FloatArray) -> _Curve:
        middle = points.mean(axis=0)
        along = np.linalg.svd(points - middle)[2][0]
        along = along * np.sign(along @ (points[-1] - points[0]))
        across = np.array([-along[1], along[0]])
        way, off = (points - middle) @ along, (points - middle) @ across
        kept = np.ones(len(way), dtype=np.bool_)
        for _ in range(3):  # without the few points that went astray
            terms = np.polyfit(way[kept], off[kept], 2 if kept.sum() >= 12 else 1)
            left = np.abs(off - np.polyval(terms, way))
            kept = left <= max(1.0, 3 * float(np.median(left[kept])))
        return _Curve(middle, along, across, terms)

    def at(self, way: FloatArray) -> FloatArray:
        return self.middle + np.outer(way, self.along) + np.outer(np.polyval(self.terms, way), self.across)

    def meeting(self, other: _Curve) -> FloatArray:
        """Where this side ends and `other` begins."""
        place = (self.middle + other.middle) / 2
        for _ in range(20):
            one, two = self._tangent(place), other._tangent(place)
            place = np.asarray(np.linalg.solve([one[:2], two[:2]], [one[2], two[2]]))
        return place

    def _tangent(self, place: FloatArray) -> FloatArray:
        """Normal and distance (3,) of the line that touches it beside `place`."""
        way = float((place - self.middle) @ self.along)
        normal = self.across - float(np.polyval(np.polyder(self.terms), way)) * self.along
        return np.append(normal, normal @ self.at(np.array([way]))[0])

    def between(self, start: FloatArray, end: FloatArray) -> FloatArray:
        """Points (SIDE_POINTS, 2) from `start` on, `end` not among them."""
        ways = [float((place - self.middle) @ self.along) for place in (start, end)]
        return self.at(np.linspace(ways[0], ways[1], SIDE_POINTS, endpoint=False))
