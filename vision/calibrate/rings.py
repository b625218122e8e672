"""Closed outlines around the picture's middle, and how much speaks for each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.calibrate.rays import LEAST_RADIUS_PX, PARALLELS, RAYS, Rays, smoothed
from vision.domain import FloatArray

PEAKS = 10  # places of greatest change looked at on each ray
PEAK_RAYS = 7
SURELY = 5.0  # times the noise on the floor: a sure change along an outline
CROSSED = 6.0  # the same of a change at one place, so strong that it may be an outline's
# An outline is alike all around, but for light: where hue changes less than a third as much as along most of
# it, or otherwise, it is something else there, a shadow say, which is a little bluer than the lamp's light.
ALIKE = 1 / 3
SECTORS = 20
MARKS = 0.7  # of an outline's radius: changes further in are marks on the floor
BAND = np.arange(0.75, 0.955, 0.01)  # of an outline's radius: little inside it
SLACK = 0.95  # of an outline's radius: what is as near to it may be its own
OWN_PX = 4  # over which an outline's own change reaches


@dataclass(frozen=True, slots=True, eq=False)
class Scale:
    """What counts as a change: `sure`, along an outline, in units of noise; `strong`, at one place.

    `direction` (3,) from the floor's hue to the wall's, None as long as it is not known.
    """

    sure: float
    strong: float
    direction: FloatArray | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Peaks:
    """Where on each ray material changes most: `radius` (RAYS, PEAKS) and `strength`.

    `all` (RAYS, R): strength of every one, 0 elsewhere. `noise`: what a change on the floor alone looks like.
    """

    radius: NDArray[np.intp]
    strength: FloatArray
    all: FloatArray
    noise: float

    @property
    def first_scale(self) -> Scale:
        """What counts as a change as long as no outline is known."""
        return Scale(SURELY, CROSSED * self.noise)

    def crossings(self, radius: FloatArray, scale: Scale) -> FloatArray:
        """How many strong changes lie inside `radius` (..., RAYS), less far in than marks on the floor."""
        before = np.cumsum(self.all > scale.strong, axis=1)
        at = np.where(np.isfinite(radius), radius, 0) - OWN_PX
        outer = np.clip(at, 0, before.shape[1] - 1).astype(np.intp)
        row = np.arange(RAYS)
        return np.asarray(before[row, outer] - before[row, (MARKS * outer).astype(np.intp)])

    def strength_at(self, radius: FloatArray) -> float:
        """Usual strength of the changes on `radius` (RAYS,)."""
        near = np.clip(radius.astype(np.intp)[:, None] + np.arange(-2, 3), 0, self.all.shape[1] - 1)
        return float(np.median(np.take_along_axis(self.all, near, axis=1).max(axis=1)))


@dataclass(frozen=True, slots=True, eq=False)
class Ring:
    """An outline: `radius` (RAYS,), and `sides`: which side each ray meets (RAYS,), None of a round one.

    `seen`: share of its length along which material changes; `weakest`: the same of its weakest sector;
    `crossed`: share of its rays that meet a change little further in, `marked`: one anywhere further in.
    `clear`: how many times the noise its change is along all but the faintest tenth. `scale`: of its changes.
    """

    radius: FloatArray
    sides: NDArray[np.intp] | None
    seen: float
    weakest: float
    crossed: float
    marked: float
    clear: float
    scale: Scale

    @property
    def worth(self) -> float:
        """What speaks for it, at most 1."""
        return self.seen - self.crossed

    @property
    def side_count(self) -> int:
        """How many sides it has; 0 when it is round."""
        return 0 if self.sides is None else int((self.sides != np.roll(self.sides, 1)).sum())


def support(contrast: FloatArray, scale: Scale) -> FloatArray:
    """0 for noise, 1 for a sure change of material."""
    return np.clip(2 * contrast / scale.sure - 1, 0.0, 1.0)


def find_peaks(rays: Rays) -> Peaks:
    """Find the changes on each ray."""
    strength = np.linalg.norm(smoothed(np.swapaxes(rays.changes, 0, 1), PEAK_RAYS), axis=-1).T
    peak = np.zeros(strength.shape, dtype=np.bool_)
    peak[:, 1:-1] = (strength[:, 1:-1] > strength[:, :-2]) & (strength[:, 1:-1] >= strength[:, 2:])
    peak[:, :LEAST_RADIUS_PX] = False
    heights = np.where(peak, strength, 0.0)
    at = np.argpartition(-heights, PEAKS, axis=1)[:, :PEAKS]
    floor = strength[:, LEAST_RADIUS_PX : int(rays.reach.min()) // 2]
    return Peaks(at, np.take_along_axis(heights, at, axis=1), heights, max(float(np.median(floor)), 1e-3))


def weighed(
    rays: Rays,
    peaks: Peaks,
    radius: FloatArray,
    sides: NDArray[np.intp] | None,
    drawn: FloatArray | None = None,
) -> Ring:
    """Weigh the outline at `radius` (RAYS,); `drawn`: where it was before it followed the changes near it."""
    direction, first = rays.direction(radius), peaks.first_scale
    contrast = rays.contrast(radius, direction)
    scale = Scale(
        max(first.sure, ALIKE * float(np.median(contrast))),
        max(first.strong, ALIKE * peaks.strength_at(radius)),
        direction,
    )
    kept = support(contrast, scale) * (radius < rays.reach)
    inside = np.clip(SLACK * radius - OWN_PX, 0, peaks.all.shape[1] - 1).astype(np.intp)
    marks = np.cumsum(peaks.all > scale.strong, axis=1)[np.arange(RAYS), inside]
    return Ring(
        radius,
        sides,
        seen=float(kept.mean()),
        weakest=float(kept.reshape(SECTORS, -1).mean(axis=1).min()),
        crossed=float((peaks.crossings(radius, scale) > 0).mean()),
        marked=float((marks > 0).mean()),
        clear=float(np.percentile(contrast if drawn is None else rays.contrast(drawn, direction), 10)),
        scale=scale,
    )


def shaded_inside(rays: Rays, ring: Ring) -> float:
    """Share of the rays that meet, little inside `ring`, a change of brightness not much weaker than its own.

    A shadow makes that on one side of a tray. Where it is so all around, floor and wall are of one colour,
    and the ring may be the wall's upper edge.
    """
    rays = rays.with_shades
    own = ALIKE * rays.along(ring.radius)
    inside = rays.along(ring.radius * BAND[:, None]).max(axis=0)
    noise = float(np.median(rays.along(ring.radius * PARALLELS[:, None])))
    return float(((inside > own) & (inside > SURELY * noise)).mean())
