"""Pips: small round spots of one colour on a plain ground of another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.domain import FloatArray
from vision.rows import Rows


@dataclass(frozen=True, slots=True, eq=False)
class Pips(Rows):
    """N spots, one row each.

    `center_px` (N, 2); `radius_px` (N,) geometric mean of the ellipse's half axes; `axes_px` (N, 2, 2): rows
    are the half axes as vectors, longer first; `aspect` (N,) longer over shorter; `pip_bgr`, `face_bgr`
    (N, 3) colours inside and around; `contrast` (N,) grey levels; `roughness` (N,) scatter of the edge about
    the ellipse in radii; `ground` (N,) scatter of the face's colour around the pip, in contrasts.
    """

    center_px: FloatArray
    radius_px: FloatArray
    axes_px: FloatArray
    aspect: FloatArray
    pip_bgr: FloatArray
    face_bgr: FloatArray
    contrast: FloatArray
    roughness: FloatArray
    ground: FloatArray

    def __len__(self) -> int:
        return len(self.radius_px)

    def distance_sq(self) -> FloatArray:
        """Squared distances (N, N) between all middles."""
        x, y = self.center_px.T
        return np.asarray((x[:, None] - x[None]) ** 2 + (y[:, None] - y[None]) ** 2)


def without_doubles(pips: Pips) -> Pips:
    """Keep the first of spots of like size that lie within one another."""
    away_sq = pips.distance_sq()
    larger = np.maximum(pips.radius_px[:, None], pips.radius_px[None])
    smaller = np.minimum(pips.radius_px[:, None], pips.radius_px[None])
    double = (away_sq < (0.8 * larger) ** 2) & (larger < 2 * smaller)
    kept = np.ones(len(pips), dtype=np.bool_)
    for row in range(len(pips)):
        if kept[row]:
            kept[row + 1 :] &= ~double[row, row + 1 :]
    return pips.pick(kept)


NO_PIPS = Pips(
    center_px=np.zeros((0, 2)),
    radius_px=np.zeros(0),
    axes_px=np.zeros((0, 2, 2)),
    aspect=np.zeros(0),
    pip_bgr=np.zeros((0, 3)),
    face_bgr=np.zeros((0, 3)),
    contrast=np.zeros(0),
    roughness=np.zeros(0),
    ground=np.zeros(0),
)
