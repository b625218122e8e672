"""A picture seen along rays from its middle, and where along them the material changes.

A shadow or a lamp makes a surface darker or lighter but hardly changes its hue; where one material ends and
another begins the hue changes, if only a little. So of each change of colour along a ray only the part is
taken that is no change of brightness. It is weak, and gets its strength from being averaged along an outline.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.domain import FloatArray, Image
from vision.opencv import cv2

RAYS = 720
GAP_PX, WINDOW_PX = 1, 3  # a change is the difference of two windows, this far to either side
BLUR_PX = 0.7
LEAST_RADIUS_PX = 25
PARALLELS = np.linspace(0.35, 0.93, 14)  # of an outline's radius: likenesses of it that lie on the floor
LEAST_NOISE = 0.15  # grey levels of averaged change that rounding alone makes
ALONG = 21  # rays over which a change is averaged along an outline

Changes = NDArray[np.float32]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Rays:
    """`changes` (RAYS, R, 3) of material at each whole radius, from `middle_px` (2,) of the picture outwards.

    `shaded` (RAYS, R, 3): all of each change, that of brightness too. `angles` (RAYS,) in radians, x towards
    y. `reach` (RAYS,): radius at which each leaves the picture. `scale`: of the picture unrolled to the one
    given.
    """

    changes: Changes
    shaded: Changes
    angles: FloatArray
    reach: FloatArray
    middle_px: FloatArray
    scale: float

    @property
    def with_shades(self) -> Rays:
        """The same with all of each change in the place of that of material."""
        return replace(self, changes=self.shaded)

    @property
    def directions(self) -> FloatArray:
        """Unit vectors (RAYS, 2)."""
        return np.column_stack([np.cos(self.angles), np.sin(self.angles)])

    def points(self, radius: FloatArray) -> FloatArray:
        """Pixels (RAYS, 2) of the picture given, at `radius` (RAYS,) along the rays."""
        return np.asarray((self.middle_px + self.directions * radius[:, None] + 0.5) / self.scale - 0.5)

    def along(self, radius: FloatArray) -> FloatArray:
        """Strength (..., RAYS) of the change at `radius` (..., RAYS), averaged along it."""
        return np.asarray(np.linalg.norm(smoothed(self._at(radius), ALONG), axis=-1))

    def direction(self, radius: FloatArray) -> FloatArray:
        """From which hue to which (3,) the change at `radius` (RAYS,) goes, as a unit vector."""
        mean = self._at(radius).mean(axis=0)
        return np.asarray(mean / max(float(np.linalg.norm(mean)), 1e-9))

    def contrast(self, radius: FloatArray, direction: FloatArray | None = None) -> FloatArray:
        """How many times (..., RAYS) the change along `radius` exceeds that along its likenesses further in.

        Only as far as it goes in `direction` (3,), if one is given; 0 where `radius` is infinite.
        """
        there = np.isfinite(radius)
        finite = np.where(there, radius, 0.0)
        inside = np.stack([self.along(finite * share) for share in PARALLELS])
        counted = np.where(there, inside, np.nan)
        noise = np.nanmedian(np.moveaxis(counted, 0, -1).reshape(*radius.shape[:-1], -1), axis=-1)
        strength = self.along(finite) if direction is None else smoothed(self._at(finite), ALONG) @ direction
        return np.where(there, strength / np.maximum(noise, LEAST_NOISE)[..., None], 0.0)

    def followed(self, radius: FloatArray, within: float) -> FloatArray:
        """`radius` (RAYS,) moved by at most about `within` to where the change along it is greatest."""
        shifts = np.arange(-within, within + 0.1, 0.5)
        strength = self.along(radius + shifts[:, None]) * np.exp(-0.5 * (shifts / within) ** 2)[:, None]
        near = np.abs(np.arange(len(shifts))[:, None] - strength.argmax(axis=0)) <= 3
        weight = np.where(near, strength, 0.0) ** 2
        return np.asarray(
            radius + (weight * shifts[:, None]).sum(axis=0) / np.maximum(weight.sum(axis=0), 1e-9)
        )

    def _at(self, radius: FloatArray) -> FloatArray:
        inner = np.clip(radius, 0, self.changes.shape[1] - 2)
        low = inner.astype(np.intp)
        share = (inner - low)[..., None]
        row = np.arange(RAYS)
        return np.asarray(self.changes[row, low] * (1 - share) + self.changes[row, low + 1] * share)


def unroll(image_bgr: Image, longest_px: int) -> Rays:
    """Unroll a picture (H, W, 3), made smaller first if its longer side is more than `longest_px`."""
    scale = min(1.0, longest_px / max(image_bgr.shape[:2]))
    small = cv2.resize(image_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), BLUR_PX)
    height, width = small.shape[:2]
    middle = np.array([(width - 1) / 2, (height - 1) / 2])
    angles = np.arange(RAYS) * (2 * np.pi / RAYS)
    radius = np.arange(int(np.hypot(*middle)) + 1)
    x, y = (middle[:, None, None] + np.stack([np.cos(angles), np.sin(angles)])[:, :, None] * radius).astype(
        np.float32
    )
    colours = cv2.remap(small, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
    inside = (np.abs(x - middle[0]) <= middle[0]) & (np.abs(y - middle[1]) <= middle[1])
    reach = np.asarray(inside.sum(axis=1) - GAP_PX - WINDOW_PX, dtype=np.float64)
    shaded, hue = _changes(colours)
    shaded[radius > reach[:, None]] = 0
    changes = np.asarray(shaded - (shaded * hue).sum(axis=2, keepdims=True) * hue, dtype=np.float32)
    return Rays(changes, shaded, np.asarray(angles, dtype=np.float64), reach, middle, scale)


def smoothed(rows: FloatArray | Changes, count: int) -> FloatArray:
    """Mean over `count` (odd) neighbouring rays of (..., RAYS, 3), which close to a ring."""
    half = count // 2
    ring = np.concatenate([rows[..., -half:, :], rows, rows[..., :half, :]], axis=-2)
    sums = np.cumsum(ring, axis=-2, dtype=np.float64)
    sums = np.concatenate([np.zeros_like(sums[..., :1, :]), sums], axis=-2)
    return np.asarray((sums[..., count:, :] - sums[..., :-count, :]) / count)


def _changes(colours: Changes) -> tuple[Changes, Changes]:
    """Change along each ray, and the hue there as unit vectors: light changes a colour along its hue."""
    side = np.zeros((1, 2 * (GAP_PX + WINDOW_PX) - 1), np.float32)
    side[0, -WINDOW_PX:] = 1 / WINDOW_PX
    after = cv2.filter2D(colours, cv2.CV_32F, side, borderType=cv2.BORDER_REPLICATE)
    before = cv2.filter2D(colours, cv2.CV_32F, side[:, ::-1].copy(), borderType=cv2.BORDER_REPLICATE)
    total = after + before
    hue = total / np.maximum(np.linalg.norm(total, axis=2, keepdims=True), 1.0)
    return np.asarray(after - before, dtype=np.float32), np.asarray(hue, dtype=np.float32)
