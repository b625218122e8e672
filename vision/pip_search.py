"""Find pips in a picture: propose spots, measure them, keep what may be pips; look again where one lacks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.domain import FloatArray, Image
from vision.pips import NO_PIPS, Pips, enlarge, without_doubles
from vision.sampling import sample
from vision.spots import LEVEL_RADIUS, MIN_CONTRAST, propose
from vision.starburst import cast

FINE_RAYS, COARSE_RAYS = 24, 10
FINEST_SIDE = 1800  # px; larger pictures are halved before spots are sought
MAX_FINE = 160  # a level
MAX_PIPS = 240
MAX_ASPECT = 3.0
MIN_RADIUS = 2.6  # px
MAX_ROUGHNESS = 0.16
MAX_GROUND = 0.25
MAX_SECOND_LOOKS = 200
MIN_LIKENESS = 0.35  # of the way from the face's colour to the pip's
AROUND = np.array([[0.0, 0.0], [1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])


def find_pips(pyramid: Sequence[Image]) -> tuple[Pips, Pips]:
    """All plausible pips of a picture given as `build_pyramid` of it, smoothest first.

    The second are spots too large to be pips because they hold some: whole dice against a plain ground.
    """
    spotted = []
    for level, picture in enumerate(pyramid):
        if max(picture.shape[:2]) > FINEST_SIDE:
            continue
        spots = propose(picture)
        finer = max(level - 1, 0)
        scale = 2.0 ** (level - finer)
        shift = (scale - 1) / 2  # pixel centres of a halved picture lie between those of the finer one
        pips = measure(pyramid[finer], spots * scale + shift, LEVEL_RADIUS * scale)
        spotted.append(enlarge(pips, 2.0**finer))
    pips = Pips.join(NO_PIPS, *spotted)
    pips = pips.pick(pips.radius_px > MIN_RADIUS)
    smoothest = np.argsort(pips.roughness + pips.ground, kind="stable")[: 3 * MAX_PIPS // 2]
    pips = without_doubles(pips.pick(smoothest))
    whole = _holds_pips(pips)
    found = pips.pick(~whole)
    return found.pick(np.arange(min(len(found), MAX_PIPS))), pips.pick(whole)


def measure(picture: Image, center: FloatArray, radius: float) -> Pips:
    """Measure the spots about `radius` px in size around `center` (N, 2); what is no ellipse is left out."""
    coarse = cast(picture, center, radius, COARSE_RAYS, trimmed=False)
    likely = np.linalg.norm(coarse.center_px - center, axis=1) < 0.9 * radius
    likely &= (coarse.roughness < 2.0 * MAX_ROUGHNESS) & (coarse.ground < 1.2 * MAX_GROUND)
    likely &= (coarse.contrast > MIN_CONTRAST) & (coarse.radius_px > 0.4 * radius)
    smoothest = np.argsort(coarse.roughness + coarse.ground + ~likely, kind="stable")[
        : min(likely.sum(), MAX_FINE)
    ]
    fine = cast(picture, coarse.center_px[smoothest], radius, FINE_RAYS, trimmed=True)
    return fine.pick(
        (fine.contrast > MIN_CONTRAST)
        & (fine.aspect < MAX_ASPECT)
        & (fine.roughness < MAX_ROUGHNESS)
        & (fine.ground < MAX_GROUND)
    )


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
    half_octave = np.rint(2 * np.log2(pips.radius_px[like])).astype(np.intp)
    parts = [pips]
    for size in np.unique(half_octave[best]):
        rows = best[half_octave[best] == size]
        radius = 2.0 ** (size / 2)
        scale = 2.0 ** int(_level_of(np.array([radius]), len(pyramid))[0])
        places = (center_px[rows] - (scale - 1) / 2) / scale
        seen = cast(pyramid[int(np.log2(scale))], places, radius / scale, FINE_RAYS, trimmed=True)
        seen = enlarge(seen, scale)
        parts.append(seen.pick(_resembles(seen, pips, center_px[rows], like[rows])))
    return without_doubles(Pips.join(*parts))


def _level_of(radius_px: FloatArray, levels: int) -> NDArray[np.intp]:
    """The pyramid level at which spots of these radii are about two to four times `LEVEL_RADIUS`."""
    return np.clip(np.log2(radius_px / (2 * LEVEL_RADIUS)).astype(np.intp), 0, levels - 1)


def _likeness(
    pyramid: Sequence[Image], pips: Pips, center_px: FloatArray, like: NDArray[np.intp]
) -> FloatArray:
    """How much the colour at each place (M,) is the pip's (1) rather than the face's (0)."""
    colour = np.zeros((len(center_px), 3))
    level = _level_of(pips.radius_px[like], len(pyramid))
    for step in np.unique(level):
        rows = level == step
        around = center_px[rows][:, None] + AROUND * 0.5 * pips.radius_px[like[rows]][:, None, None]
        colour[rows] = np.median(sample(pyramid[step], around, 2.0**step), axis=1)
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
