"""Find pips in a picture: propose spots, measure them, keep what may be pips; look again where one lacks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.domain import FloatArray, Image
from vision.pips import Pips, without_doubles
from vision.sampling import sample_levels
from vision.spots import LEVEL_RADIUS, MIN_CONTRAST, propose
from vision.starburst import Spots, cast

FINE_RAYS, COARSE_RAYS = 24, 10
FINEST_SIDE = 1800  # px; larger pictures are halved before spots are sought
FINE_ENOUGH_PX = 40.0  # of a die: where it is as large, its pips are found in the picture halved
MAX_FINE = 160  # of each size
MAX_PIPS = 240
MAX_ASPECT = 3.0
MIN_RADIUS = 2.6  # px
MAX_ROUGHNESS = 0.16
MAX_GROUND = 0.25
MAX_SECOND_LOOKS = 200
MIN_LIKENESS = 0.35  # of the way from the face's colour to the pip's
AROUND = np.array([[0.0, 0.0], [1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])


def find_pips(pyramid: Sequence[Image], least_side_px: float = 0.0) -> tuple[Pips, Pips]:
    """All plausible pips of a picture given as `build_pyramid` of it, smoothest first.

    The second are spots too large to be pips because they hold some: whole dice against a plain ground.
    `least_side_px` of any die there may be, if that is known: most of the time goes into what could be pips
    of the smallest.
    """
    pips = measure(pyramid, _proposed(pyramid, least_side_px))
    pips = pips.pick(pips.radius_px > MIN_RADIUS)
    smoothest = np.argsort(pips.roughness + pips.ground, kind="stable")[: 3 * MAX_PIPS // 2]
    pips = without_doubles(pips.pick(smoothest))
    whole = _holds_pips(pips)
    found = pips.pick(~whole)
    return found.pick(np.arange(min(len(found), MAX_PIPS))), pips.pick(whole)


def _proposed(pyramid: Sequence[Image], least_side_px: float) -> Spots:
    """What may be small round spots, each to be measured on a level finer than it was proposed on."""
    parts = [Spots(np.zeros(0, dtype=np.intp), np.zeros((0, 2)), np.zeros(0))]
    for level, picture in enumerate(pyramid):
        scale = 2.0**level
        if max(picture.shape[:2]) > FINEST_SIDE or least_side_px >= FINE_ENOUGH_PX * scale:
            continue
        places = propose(picture) * scale + (scale - 1) / 2
        finer = np.full(len(places), max(level - 1, 0), dtype=np.intp)
        parts.append(Spots(finer, places, np.full(len(places), LEVEL_RADIUS * scale)))
    return Spots.join(*parts)


def measure(pyramid: Sequence[Image], spots: Spots) -> Pips:
    """Measure spots; what is no ellipse, or not about as large as proposed, is left out."""
    coarse = cast(pyramid, spots, COARSE_RAYS, trimmed=False)
    likely = np.linalg.norm(coarse.center_px - spots.center_px, axis=1) < 0.9 * spots.radius_px
    likely &= (coarse.roughness < 2.0 * MAX_ROUGHNESS) & (coarse.ground < 1.2 * MAX_GROUND)
    likely &= (coarse.contrast > MIN_CONTRAST) & (coarse.radius_px > 0.4 * spots.radius_px)
    rows = _smoothest(coarse, likely, spots.radius_px)
    found = Spots(spots.level[rows], coarse.center_px[rows], spots.radius_px[rows])
    fine = cast(pyramid, found, FINE_RAYS, trimmed=True)
    return fine.pick(
        (fine.contrast > MIN_CONTRAST)
        & (fine.aspect < MAX_ASPECT)
        & (fine.roughness < MAX_ROUGHNESS)
        & (fine.ground < MAX_GROUND)
    )


def _smoothest(pips: Pips, likely: NDArray[np.bool_], proposed_px: FloatArray) -> NDArray[np.intp]:
    """Rows of the likely spots, of each proposed radius the MAX_FINE smoothest, smallest radius first."""
    order = np.lexsort((pips.roughness + pips.ground, proposed_px))
    order = order[likely[order]]
    first = np.searchsorted(proposed_px[order], proposed_px[order])
    return order[np.arange(len(order)) - first < MAX_FINE]


def _holds_pips(pips: Pips) -> NDArray[np.bool_]:
    """Which spots are whole dice: in them lies a spot of the size of a pip, and rounder than they are.

    A glint in a pip is less round than the pip.
    """
    share = pips.radius_px[None] / pips.radius_px[:, None]
    rounder = (pips.roughness[None] < 0.8 * pips.roughness[:, None]) & (pips.aspect[None] < 1.4)
    held = (
        (pips.distance_sq() < (0.9 * pips.radius_px[:, None]) ** 2) & (share > 0.12) & (share < 0.4) & rounder
    )
    return np.asarray(held.any(axis=1))


def look_again(pyramid: Sequence[Image], pips: Pips, center_px: FloatArray, like: NDArray[np.intp]) -> Pips:
    """Add the pips that are seen, less well than others, at places (M, 2) where a face lacks one.

    `like` (M,): which pip each would resemble. Glints, dirt and weak contrast hide pips from `find_pips`.
    """
    likeness = _likeness(pyramid, pips, center_px, like)
    best = np.argsort(-likeness, kind="stable")[:MAX_SECOND_LOOKS]
    best = best[likeness[best] > MIN_LIKENESS]
    half_octave = np.rint(2 * np.log2(pips.radius_px[like]))
    best = best[np.argsort(half_octave[best], kind="stable")]  # of doubles the smaller stays
    radius = 2.0 ** (half_octave[best] / 2)
    spots = Spots(_level_of(radius, len(pyramid)), center_px[best], radius)
    seen = cast(pyramid, spots, FINE_RAYS, trimmed=True)
    return without_doubles(Pips.join(pips, seen.pick(_resembles(seen, pips, center_px[best], like[best]))))


def _level_of(radius_px: FloatArray, levels: int) -> NDArray[np.intp]:
    """The pyramid level at which spots of these radii are about two to four times `LEVEL_RADIUS`."""
    return np.clip(np.log2(radius_px / (2 * LEVEL_RADIUS)).astype(np.intp), 0, levels - 1)


def _likeness(
    pyramid: Sequence[Image], pips: Pips, center_px: FloatArray, like: NDArray[np.intp]
) -> FloatArray:
    """How much the colour at each place (M,) is the pip's (1) rather than the face's (0)."""
    if not len(center_px):
        return np.zeros(0)
    radius = pips.radius_px[like]
    around = center_px[:, None] + AROUND * 0.5 * radius[:, None, None]
    colour = np.median(sample_levels(pyramid, _level_of(radius, len(pyramid)), around), axis=1)
    axis = pips.pip_bgr[like] - pips.face_bgr[like]
    return np.asarray(
        ((colour - pips.face_bgr[like]) * axis).sum(axis=1) / np.maximum((axis**2).sum(axis=1), 1.0)
    )


def _resembles(seen: Pips, pips: Pips, center_px: FloatArray, like: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Which of the spots seen at given places are pips after all: the right size at the right place."""
    ratio = seen.radius_px / pips.radius_px[like]
    away = np.linalg.norm(seen.center_px - center_px, axis=1) / pips.radius_px[like]
    axis = pips.pip_bgr[like] - pips.face_bgr[like]
    turned = ((seen.pip_bgr - seen.face_bgr) * axis).sum(axis=1) <= 0
    return np.asarray(
        (ratio > 0.7) & (ratio < 1.4) & (away < 0.8) & (seen.roughness < 0.35) & (seen.aspect < 2.0) & ~turned
    )
