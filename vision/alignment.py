"""Find the shift, turn and zoom between two small pictures of one scene, of which parts may have changed.

Least squares over tiles: each says by its edges how far it has moved across them, and loses its say as far
as no shift of its own makes it look alike. What no edge tells - a shift along a straight wall - is taken to
be nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np

from vision.domain import FloatArray
from vision.opencv import cv2
from vision.scene import TILE_PX, Grey, Mask, steps, tile_row

NOISE = 2.0  # grey levels by which a tile may differ all over,
UNLIKE = 0.3  # and the share of its own contrast, squared, by which it may besides: focus, compression
STEPS = 6
STIFFNESS = 0.02  # share of all evidence that a shift, turn or zoom must have to be believed by half
SETTLED_PX = 0.03  # of the small picture
LEAST_SLOPE = 1.0  # grey levels a pixel, squared: added to a tile's own evidence of its shift


@dataclass(frozen=True, slots=True, eq=False)
class Landmarks:
    """A picture that others are aligned with.

    `detail` float32 (h, w), whole tiles of grey levels above the surroundings; `across`, `down` (h, w): its
    steps from pixel to pixel; by tiles (T,), row by row: `contrast`, mean square of the detail, `steps`
    (T, 3): mean of across², across * down and down², `places` (T, 2): middles from `middle` in `radius`.
    """

    detail: Grey
    across: Grey
    down: Grey
    contrast: FloatArray
    steps: FloatArray
    places: FloatArray
    middle: FloatArray
    radius: float


@dataclass(frozen=True, slots=True, eq=False)
class Alignment:
    """Where the landmarks lie in another picture.

    `motion` (4,): shift right and down, zoom, and turn, each in px at `radius` from the middle; `alike` (T,):
    which tiles look the same there.
    """

    motion: FloatArray
    alike: Mask

    def moved_px(self, places: FloatArray) -> FloatArray:
        """Return how far each of `places` (N, 2), as those of the landmarks, has moved, (N,)."""
        return cast(FloatArray, np.hypot(*np.moveaxis(_directions(places) @ self.motion, -1, 0)))


def landmarks_of(detail: Grey, middle: FloatArray, radius: float) -> Landmarks:
    """Prepare a picture of whole tiles; it turns about `middle` (2,), `radius` from there, in its pixels."""
    across, down = steps(detail)
    products = np.stack([tile_row(across * across), tile_row(across * down), tile_row(down * down)], axis=1)
    rows, columns = (side // TILE_PX for side in detail.shape)
    at = np.stack(np.meshgrid(np.arange(columns), np.arange(rows)), axis=-1).reshape(-1, 2)
    places = ((at + 0.5) * TILE_PX - 0.5 - middle) / radius
    contrast = tile_row(detail * detail)
    return Landmarks(detail, across, down, contrast, products, places, middle, radius)


def align(detail: Grey, landmarks: Landmarks, use: Mask) -> Alignment:
    """Find the landmarks in another picture's `detail` (h, w) by the tiles of `use` (T,)."""
    motion = np.zeros(4)
    jacobian = _directions(landmarks.places)
    apart = detail - landmarks.detail
    for _ in range(STEPS):
        step = _step(apart, landmarks, jacobian, motion, use)
        if np.abs(step).max() < SETTLED_PX:
            break
        motion = motion + step
        apart = _warped(detail, landmarks, motion) - landmarks.detail
    energy = tile_row(apart * apart)
    return Alignment(motion, use & (energy < NOISE**2 + UNLIKE * landmarks.contrast))


def _directions(places: FloatArray) -> FloatArray:
    """How far each place (..., 2) moves right and down by each kind of motion, (..., 2, 4)."""
    x, y = places[..., 0], places[..., 1]
    one, none = np.ones_like(x), np.zeros_like(x)
    return np.stack([np.stack([one, none, x, -y], axis=-1), np.stack([none, one, y, x], axis=-1)], axis=-2)


def _warped(detail: Grey, landmarks: Landmarks, motion: FloatArray) -> Grey:
    zoom, turn = motion[2:] / landmarks.radius
    linear = np.array([[1 + zoom, -turn], [turn, 1 + zoom]])
    offset = landmarks.middle + motion[:2] - linear @ landmarks.middle
    height, width = detail.shape
    return cast(
        Grey,
        cv2.warpAffine(
            detail,
            np.column_stack([linear, offset]),
            (width, height),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        ),
    )


def _step(
    apart: Grey, landmarks: Landmarks, jacobian: FloatArray, motion: FloatArray, use: Mask
) -> FloatArray:
    """The motion that remains, after `motion`, by how the pictures still differ."""
    pull = np.stack([tile_row(landmarks.across * apart), tile_row(landmarks.down * apart)], axis=1)
    xx, xy, yy = landmarks.steps.T
    own = np.linalg.solve(_symmetric(xx + LEAST_SLOPE, xy, yy + LEAST_SLOPE), pull[..., np.newaxis])[..., 0]
    left = tile_row(apart * apart) - (own * pull).sum(axis=1)
    unlike = np.maximum(left, 0) / (NOISE**2 + UNLIKE * landmarks.contrast)
    say = use / (1 + unlike**2) ** 2
    evidence = np.einsum("t,tik,tij,tjl->kl", say, jacobian, _symmetric(xx, xy, yy), jacobian, optimize=True)
    towards = np.einsum("t,tik,ti->k", say, jacobian, pull, optimize=True)
    stiffness = STIFFNESS * np.trace(evidence) / 4 + 1e-9
    return cast(
        FloatArray,
        -np.linalg.solve(evidence + stiffness * np.eye(4), towards + stiffness * motion),
    )


def _symmetric(xx: FloatArray, xy: FloatArray, yy: FloatArray) -> FloatArray:
    return np.stack([np.stack([xx, xy], axis=-1), np.stack([xy, yy], axis=-1)], axis=-2)
