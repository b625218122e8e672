"""A small picture of the tray that can be compared with another: what changed, over noise and light.

A scene keeps only local detail (grey minus its surroundings), so soft shadows and drifting light leave it
alone, and compares in tiles whose mean is steady even where single pixels are noisy.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from vision.domain import FloatArray, Image
from vision.opencv import cv2

Grey: TypeAlias = NDArray[np.float32]
Mask: TypeAlias = NDArray[np.bool_]

WORK_SIZE = (320, 180)
TILE_PX = 8
SURROUNDINGS_PX = 31
# Two tiles differ when their mean difference, in grey levels, exceeds
#   FLOOR + PER_NOISE * noise + PER_DETAIL * the detail both have.
# Measured on felt and wood, filmed and rendered: tiles at rest stay below 2.5 times the noise (compressed
# video included), a die that moves or appears differs by 15 or more; a tenth more light, or focus that
# breathes, changes detail by a tenth.
FLOOR = 2.0
PER_NOISE = 3.0
PER_DETAIL = 0.2


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """A picture reduced for comparing.

    `detail` float32 (h, w): grey levels above the surroundings; `level`: mean grey of the picture; `scale`:
    small pixels per picture pixel.
    """

    detail: Grey
    level: float
    scale: float


def scene_of(picture: Image) -> Scene:
    """Reduce `picture`, BGR uint8 (H, W, 3) or grey uint8 (H, W), by a whole factor to at most 320x180."""
    height, width = picture.shape[:2]
    factor = max(1, math.ceil(width / WORK_SIZE[0]), math.ceil(height / WORK_SIZE[1]))
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) if picture.ndim == 3 else picture
    rows, columns = height // factor, width // factor
    whole = grey[: rows * factor, : columns * factor]  # whole factors are several times faster to average
    levels = cv2.resize(whole, (columns, rows), interpolation=cv2.INTER_AREA).astype(np.float32)
    surroundings = cv2.blur(levels, (SURROUNDINGS_PX, SURROUNDINGS_PX))
    return Scene(cast(Grey, levels - surroundings), float(levels.mean()), 1 / factor)


def tile_means(picture: Grey | NDArray[np.uint8]) -> Grey:
    """Return the mean of each tile of `picture` (h, w), float32 (h // TILE_PX, w // TILE_PX)."""
    height, width = picture.shape
    size = (width // TILE_PX, height // TILE_PX)
    return cast(Grey, cv2.resize(picture, size, interpolation=cv2.INTER_AREA))


def tile_row(picture: Grey) -> FloatArray:
    """Return the means of all tiles of `picture` (h, w), row by row, (T,)."""
    return tile_means(picture).reshape(-1).astype(np.float64)


def steps(picture: Grey | Image) -> tuple[Grey, Grey]:
    """Return how steep a picture (h, w) or (h, w, 3) is to the right and down, in levels a pixel (Sobel)."""
    across = cv2.Sobel(picture, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8)
    down = cv2.Sobel(picture, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8)
    return cast(Grey, across), cast(Grey, down)


@dataclass(frozen=True, slots=True, eq=False)
class Difference:
    """How far two scenes differ: per tile, float32 (rows, columns), in grey levels."""

    tiles: Grey
    detail: Grey

    @property
    def noise(self) -> float:
        """The level of the quieter tiles: noise alone while a quarter of the picture is at rest."""
        at = self.tiles.size // 4
        return float(np.partition(self.tiles, at, axis=None)[at])

    def beyond(self, noise: float, *, per_detail: float = PER_DETAIL) -> Mask:
        """Return which tiles differ by more than `noise`, and `per_detail` of their detail, explain."""
        return self.tiles > FLOOR + PER_NOISE * noise + per_detail * self.detail


def difference(now: Scene, before: Scene) -> Difference:
    """Compare two scenes of one size, `now` made as bright as `before`."""
    gain = np.float32((before.level + 1) / (now.level + 1))
    levelled = now.detail * gain
    apart = tile_means(np.abs(levelled - before.detail))
    return Difference(apart, np.minimum(tile_means(np.abs(levelled)), tile_means(np.abs(before.detail))))


def area_tiles(area_px: FloatArray, scene: Scene) -> Mask:
    """Return which tiles of `scene` touch the polygon `area_px` (N, 2), given in pixels of its picture."""
    drawn = np.zeros(scene.detail.shape, np.uint8)
    cv2.fillPoly(drawn, [np.rint(area_px * scene.scale).astype(np.int32)], color=255)
    return tile_means(drawn) > 0
