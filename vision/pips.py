"""Find pips: small round spots of one colour on a plain ground of another.

Size, colour and polarity are not given. A vector difference of Gaussians over a pyramid proposes spots
(Lindeberg 1998: blob detection in scale space); each is then measured by rays cast from its middle (the
"starburst" of Li, Winfield and Parkhurst 2005, made for pupils): an ellipse is fitted to the edge they hit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.domain import FloatArray, Image
from vision.opencv import cv2
from vision.sampling import sample

FINE_RAYS, COARSE_RAYS = 24, 12
STEPS = 22
REACH = 3.3  # how far rays go, in proposed radii
RINGS_PX = (3.4, 5.0)  # just outside the smallest and the largest spots proposed at a level
LEVEL_RADIUS = 2.8  # px radius of the spots one pyramid level proposes
FINEST_SIDE = 1800  # px; larger pictures are halved before spots are sought
COARSEST_SIDE = 40  # px; a die must be at least a few times smaller than the picture
MIN_RESPONSE = 16  # summed over B, G, R, of a small blur against a large one
MAX_PEAKS = 3000  # a level
MAX_PROPOSALS = 400  # a level
MAX_PIPS = 240
MAX_SECOND_LOOKS = 200
MIN_LIKENESS = 0.35  # of the way from the face's colour to the pip's
AROUND = np.array([[0.0, 0.0], [1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
MIN_CONTRAST = 22.0  # grey levels between pip and face (Euclidean over B, G, R)
MAX_ASPECT = 3.0
MIN_RADIUS = 2.6  # px
MAX_ROUGHNESS = 0.16
MAX_GROUND = 0.25


@dataclass(frozen=True, slots=True, eq=False)
class Pips:
    """N spots, one row each.

    `center_px` (N, 2); `radius_px` (N,) geometric mean of the ellipse's half axes; `axes_px` (N, 2, 2): rows
    are the half axes as vectors, longer first; `aspect` (N,) longer over shorter; `pip_bgr`, `face_bgr` (N, 3)
    colours inside and around; `contrast` (N,) grey levels; `roughness` (N,) scatter of the edge about the
    ellipse in radii; `ground` (N,) scatter of the face's colour around the pip as a share of the contrast.
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

    def pick(self, rows: NDArray[np.intp] | NDArray[np.bool_]) -> Pips:
        """The spots of `rows` only."""
        return Pips(*(getattr(self, name)[rows] for name in self.__slots__))


def build_pyramid(image_bgr: Image) -> list[Image]:
    """Halve the picture until it is no larger than a few pips; level k is scaled by 2**-k."""
    levels = [image_bgr]
    while min(levels[-1].shape[:2]) >= 2 * COARSEST_SIDE:
        height, width = levels[-1].shape[:2]
        half = cv2.resize(levels[-1], (width // 2, height // 2), interpolation=cv2.INTER_AREA)
        levels.append(np.asarray(half, dtype=np.uint8))
    return levels


def find_pips(pyramid: Sequence[Image]) -> tuple[Pips, Pips]:
    """All plausible pips of a picture given as `build_pyramid` of it, smoothest first.

    The second are spots too large to be pips because they hold some: whole dice against a plain ground.
    """
    found = []
    for level, picture in enumerate(pyramid):
        if max(picture.shape[:2]) > FINEST_SIDE:
            continue
        spots = propose(picture)
        finer = max(level - 1, 0)
        scale = 2.0 ** (level - finer)
        shift = (scale - 1) / 2  # pixel centres of a halved picture lie between those of the finer one
        pips = measure(pyramid[finer], spots * scale + shift, LEVEL_RADIUS * scale)
        found.append(_enlarge(pips, 2.0**finer))
    pips = _concatenate(found)
    pips = pips.pick(pips.radius_px > MIN_RADIUS)
    smoothest = np.argsort(pips.roughness + pips.ground, kind="stable")[: 2 * MAX_PIPS]
    pips = _without_doubles(pips.pick(smoothest))
    whole = _holds_pips(pips)
    found = pips.pick(~whole)
    return found.pick(np.arange(min(len(found), MAX_PIPS))), pips.pick(whole)


def look_again(pyramid: Sequence[Image], pips: Pips, center_px: FloatArray, like: NDArray[np.intp]) -> Pips:
    """Add the pips that are seen, less well than others, at places (M, 2) where a face lacks one.

    `like` (M,): which pip each would resemble. Glints, dirt and weak contrast hide pips from `find_pips`.
    """
    darkness = _likeness(pyramid, pips, center_px, like)
    best = np.argsort(-darkness, kind="stable")[:MAX_SECOND_LOOKS]
    best = best[darkness[best] > MIN_LIKENESS]
    parts = [pips]
    level = _level_of(pips.radius_px[like[best]], len(pyramid))
    for step in np.unique(level):
        rows = best[level == step]
        for radius in np.unique(np.rint(np.log2(pips.radius_px[like[rows]]) * 4)):
            same = rows[np.rint(np.log2(pips.radius_px[like[rows]]) * 4) == radius]
            size = 2 ** (radius / 4)
            scale = 2.0**step
            seen = _cast(pyramid[step], (center_px[same] - (scale - 1) / 2) / scale, size / scale, FINE_RAYS)
            parts.append(
                _enlarge(seen, scale).pick(
                    _resembles(_enlarge(seen, scale), pips, center_px[same], like[same])
                )
            )
    both = _concatenate(parts)
    return _without_doubles(both)


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


def propose(picture: Image) -> FloatArray:
    """Middles (N, 2) of spots about `LEVEL_RADIUS` px in radius, strongest first."""
    inner = cv2.GaussianBlur(picture, (3, 3), 0)
    blue, green, red = cv2.split(cv2.absdiff(inner, cv2.blur(picture, (9, 9))))
    response = cv2.add(cv2.add(blue, green), red)
    peak = cv2.dilate(response, np.ones((5, 5), dtype=np.uint8))
    margin = int(max(RINGS_PX))
    inside = slice(margin, -margin)
    rows, columns = np.nonzero(((response == peak) & (response >= MIN_RESPONSE))[inside, inside])
    rows, columns = rows + margin, columns + margin
    strongest = np.argsort(-response[rows, columns].astype(np.int64), kind="stable")[:MAX_PEAKS]
    rows, columns = rows[strongest], columns[strongest]
    keep = _stands_out(inner, rows, columns)
    return np.stack([columns[keep], rows[keep]], axis=1).astype(np.float64)[:MAX_PROPOSALS]


def _stands_out(picture: Image, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Which places differ in colour, and in the same way, from nearly all of a ring around them."""
    center = picture[rows, columns].astype(np.float32)
    stands_out = np.zeros(len(rows), dtype=np.bool_)
    for radius in RINGS_PX:
        angles = np.arange(8) * (np.pi / 4)
        right, down = (np.rint(radius * turn(angles)).astype(np.intp)[:, None] for turn in (np.cos, np.sin))
        away = picture[rows + down, columns + right].astype(np.float32) - center
        axis = away.mean(axis=0)
        contrast_sq = np.maximum((axis**2).sum(axis=1), 1e-6)
        along = (away * axis).sum(axis=2) / contrast_sq
        stands_out |= (np.sort(along, axis=0)[1] > 0.45) & (contrast_sq > MIN_CONTRAST**2)
    return stands_out


def measure(picture: Image, center: FloatArray, radius: float) -> Pips:
    """Measure the spots about `radius` px in size around `center` (N, 2); what is no ellipse is left out."""
    coarse = _cast(picture, center, radius, COARSE_RAYS)
    near = np.linalg.norm(coarse.center_px - center, axis=1) < 0.6 * radius
    rough = (coarse.roughness < 1.3 * MAX_ROUGHNESS) & (coarse.ground < 1.2 * MAX_GROUND)
    rough &= (coarse.contrast > MIN_CONTRAST) & (coarse.radius_px > 0.4 * radius)
    fine = _cast(picture, coarse.center_px[near & rough], radius, FINE_RAYS)
    return fine.pick(
        (fine.contrast > MIN_CONTRAST)
        & (fine.aspect < MAX_ASPECT)
        & (fine.roughness < MAX_ROUGHNESS)
        & (fine.ground < MAX_GROUND)
    )


def _cast(picture: Image, center: FloatArray, radius: float, count: int) -> Pips:
    """Spots as `count` rays from each middle see them; those that no ellipse fits are left with infinite roughness."""
    if not len(center):
        return _EMPTY
    steps = np.linspace(0.0, REACH * radius, STEPS)
    angles = np.arange(count) * (2 * np.pi / count)
    rays = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    points = center[:, None, None] + rays[None, :, None] * steps[None, None, :, None]
    samples = sample(picture, points)
    signal, pip_bgr, face_bgr = _signal(samples)
    edge = _first_crossing(signal, steps)
    ellipse = _fit_ellipses(edge, rays)
    fitted = np.isfinite(ellipse.radius)
    return Pips(
        center_px=center + np.where(fitted[:, None], ellipse.offset, 0.0),
        radius_px=np.where(fitted, ellipse.radius, 0.0),
        axes_px=ellipse.axes,
        aspect=ellipse.aspect,
        pip_bgr=pip_bgr,
        face_bgr=face_bgr,
        contrast=np.linalg.norm(face_bgr - pip_bgr, axis=1),
        roughness=np.where(fitted, ellipse.roughness, np.inf),
        ground=_ground_noise(signal, steps, edge),
    )


def _signal(samples: NDArray[np.float32]) -> tuple[NDArray[np.float32], FloatArray, FloatArray]:
    """Turn colours along rays into 0 (the pip's) .. 1 (the face's); also both colours (N, 3).

    The pip's edge is where the mean over all rays changes most; the face's colour is taken just beyond it.
    """
    near = samples[:, :, :4].mean(axis=(1, 2))
    profile = samples.mean(axis=1)
    away = np.linalg.norm(profile - near[:, None], axis=2)
    rise = np.diff(away, axis=1)
    # two neighbouring rises together: an edge is rarely sharper than two steps
    edge = 3 + np.argmax((rise[:, :-1] + rise[:, 1:])[:, 2 : STEPS * 2 // 3], axis=1)
    rows = np.arange(len(samples))
    inner = np.maximum((edge * 0.6).astype(np.intp), 1)
    outer = np.minimum(np.ceil(edge * 1.35).astype(np.intp) + 1, STEPS - 2)
    middle = np.median(samples[:, :, :3].reshape(len(samples), -1, 3), axis=1)
    pip = (middle + profile[rows, inner]) / 2
    face = (profile[rows, outer] + profile[rows, outer + 1]) / 2
    axis = face - pip
    axis /= np.maximum((axis**2).sum(axis=1), 1.0)[:, None]
    signal = (samples @ axis[:, None, :, None])[..., 0] - (pip * axis).sum(axis=1)[:, None, None]
    return signal, pip.astype(np.float64), face.astype(np.float64)


def _first_crossing(signal: NDArray[np.float32], steps: FloatArray) -> FloatArray:
    """Distance (N, RAYS) at which each ray first passes one half for good (two steps); NaN where it never does."""
    high = signal > 0.5
    lasting = high[:, :, :-1] & high[:, :, 1:]
    lasting[:, :, 0] = False
    index = np.argmax(lasting, axis=2)
    crossed = np.take_along_axis(lasting, index[:, :, None], axis=2)[:, :, 0]
    before = np.take_along_axis(signal, np.maximum(index - 1, 0)[:, :, None], axis=2)[:, :, 0]
    after = np.take_along_axis(signal, index[:, :, None], axis=2)[:, :, 0]
    part = np.clip((0.5 - before) / np.maximum(after - before, 1e-6), 0.0, 1.0)
    distance = (np.maximum(index - 1, 0) + part) * (steps[1] - steps[0])
    return np.where(crossed, distance, np.nan)


@dataclass(frozen=True, slots=True, eq=False)
class _Ellipses:
    offset: FloatArray
    radius: FloatArray
    axes: FloatArray
    aspect: FloatArray
    roughness: FloatArray


def _fit_ellipses(edge: FloatArray, rays: FloatArray) -> _Ellipses:
    """Ellipses through the edge points of all spots; the fifth of the rays that fits worst is left out.

    Glints and scratches at a pip's rim bend a few rays.
    """
    hits = np.isfinite(edge).sum(axis=1)
    typical = np.sort(edge, axis=1)[np.arange(len(edge)), hits // 2]
    typical = np.where(hits > len(rays) // 2, typical, 1.0)
    ratio = edge / np.maximum(typical, 1e-6)[:, None]
    used = np.isfinite(ratio) & (ratio < 2.2) & (ratio > 0.4)
    unit = np.where(used[..., None], ratio[..., None] * rays, 0.0)
    first = _fit_conics(unit, used)
    limit = np.sort(np.where(used, first.miss, np.inf), axis=1)[:, int(len(rays) * 0.8) - 1, None]
    trusted = used & (first.miss <= limit)
    conic = _fit_conics(unit, trusted)
    share = used.mean(axis=1)
    usable = conic.usable & (share >= 0.7)
    scatter = np.sqrt(
        (np.minimum(conic.miss, 0.6) ** 2 * trusted).sum(axis=1) / np.maximum(trusted.sum(axis=1), 1)
    )
    half = conic.half * typical[:, None]
    return _Ellipses(
        offset=conic.middle * typical[:, None],
        radius=np.where(usable, np.sqrt(half[:, 0] * half[:, 1]), np.nan),
        axes=conic.directions * half[..., None],
        aspect=half[:, 0] / half[:, 1],
        roughness=scatter + 0.2 * (1.0 - share),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Conics:
    middle: FloatArray
    half: FloatArray  # (N, 2) half axes, longer first
    directions: FloatArray  # (N, 2, 2) rows are their directions
    miss: FloatArray  # (N, RAYS) of each point, in radii
    usable: NDArray[np.bool_]


def _fit_conics(points: FloatArray, used: NDArray[np.bool_]) -> _Conics:
    """Least-squares conics a x2 + b xy + c y2 + d x + e y = 1 through the used points (N, RAYS, 2), about 1 from 0."""
    x, y = points[..., 0], points[..., 1]
    design = np.stack([x * x, x * y, y * y, x, y], axis=2) * used[..., None]
    normal = np.transpose(design, (0, 2, 1)) @ design + 1e-3 * np.eye(5)
    a, b, c, d, e = np.linalg.solve(normal, design.sum(axis=1)[..., None])[..., 0].T
    form = np.stack([np.stack([a, b / 2], axis=1), np.stack([b / 2, c], axis=1)], axis=1)
    values, vectors = np.linalg.eigh(form)
    usable = values[:, 0] > 1e-3
    form = np.where(usable[:, None, None], form, np.eye(2))
    middle = -0.5 * np.linalg.solve(form, np.stack([d, e], axis=1)[..., None])[..., 0]
    level = 1.0 + (middle[:, None] @ form @ middle[..., None])[:, 0, 0]
    away = points - middle[:, None]
    distance_sq = ((away @ form) * away).sum(axis=2) / np.maximum(level, 1e-6)[:, None]
    return _Conics(
        middle=middle,
        half=np.sqrt(np.maximum(level, 1e-6)[:, None] / np.maximum(values, 1e-3)),
        directions=np.transpose(vectors, (0, 2, 1)),
        miss=np.abs(np.sqrt(np.maximum(distance_sq, 0.0)) - 1.0),
        usable=usable,
    )


def _ground_noise(signal: NDArray[np.float32], steps: FloatArray, edge: FloatArray) -> FloatArray:
    """Scatter of the face's colour around the pip, as a share of the contrast, without the worst quarter."""
    step = steps[1] - steps[0]
    hit = np.isfinite(edge)
    typical = np.where(hit, edge, 0.0).sum(axis=1, keepdims=True) / np.maximum(
        hit.sum(axis=1, keepdims=True), 1
    )
    where = np.where(hit, edge, typical)
    around = []
    for beyond in (1.3, 1.42):
        index = np.clip(np.ceil(where * beyond / step).astype(np.intp), 0, signal.shape[2] - 1)
        around.append(np.take_along_axis(signal, index[:, :, None], axis=2)[:, :, 0])
    ring = np.concatenate(around, axis=1)
    miss = np.sort(np.abs(ring - np.median(ring, axis=1, keepdims=True)), axis=1)
    calm = miss[:, : ring.shape[1] * 3 // 4].astype(np.float64)
    return np.sqrt((calm**2).mean(axis=1))


def _enlarge(pips: Pips, factor: float) -> Pips:
    """Bring spots measured on a picture scaled by 1/factor to full-size pixels."""
    return Pips(
        center_px=pips.center_px * factor + (factor - 1) / 2,
        radius_px=pips.radius_px * factor,
        axes_px=pips.axes_px * factor,
        aspect=pips.aspect,
        pip_bgr=pips.pip_bgr,
        face_bgr=pips.face_bgr,
        contrast=pips.contrast,
        roughness=pips.roughness,
        ground=pips.ground,
    )


def _concatenate(parts: Sequence[Pips]) -> Pips:
    if not parts:
        return _EMPTY
    return Pips(*(np.concatenate([getattr(part, name) for part in parts]) for name in Pips.__slots__))


def _holds_pips(pips: Pips) -> NDArray[np.bool_]:
    """Which spots are whole dice: in them lies a spot of the size of a pip, and rounder than they are.

    A glint in a pip is less round than the pip.
    """
    away = np.linalg.norm(pips.center_px[:, None] - pips.center_px[None], axis=2)
    share = pips.radius_px[None] / pips.radius_px[:, None]
    rounder = (pips.roughness[None] < 0.8 * pips.roughness[:, None]) & (pips.aspect[None] < 1.4)
    held = (away < 0.9 * pips.radius_px[:, None]) & (share > 0.12) & (share < 0.4) & rounder
    return np.asarray(held.any(axis=1))


def _without_doubles(pips: Pips) -> Pips:
    """Keep the first of spots of like size that lie within one another."""
    away = np.linalg.norm(pips.center_px[:, None] - pips.center_px[None], axis=2)
    larger = np.maximum(pips.radius_px[:, None], pips.radius_px[None])
    smaller = np.minimum(pips.radius_px[:, None], pips.radius_px[None])
    double = (away < 0.8 * larger) & (larger < 2 * smaller)
    kept = np.ones(len(pips), dtype=np.bool_)
    for row in range(len(pips)):
        if kept[row]:
            kept[row + 1 :] &= ~double[row, row + 1 :]
    return pips.pick(kept)


_EMPTY = Pips(
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
