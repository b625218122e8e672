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

RAYS = 24
STEPS = 22
RINGS_PX = (3.4, 5.0)  # just outside the smallest and the largest spots proposed at a level
REACH = 3.3  # how far rays go, in proposed radii
LEVEL_RADIUS = 2.8  # px radius of the spots one pyramid level proposes
FINEST_SIDE = 1800  # px; larger pictures are halved before spots are sought
COARSEST_SIDE = 40  # px; a die must be at least a few times smaller than the picture
MIN_RESPONSE = 10.0  # grey levels of the difference of Gaussians
MAX_PROPOSALS = 1200
MIN_CONTRAST = 22.0  # grey levels between pip and face (Euclidean over B, G, R)
MAX_ASPECT = 3.0
MIN_RADIUS = 2.6  # px
MAX_ROUGHNESS = 0.16
MAX_GROUND = 0.14


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


def find_pips(pyramid: Sequence[Image]) -> Pips:
    """All plausible pips of a picture given as `build_pyramid` of it, best measured first at each place."""
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
    pips = _without_doubles(pips.pick(pips.radius_px > MIN_RADIUS))
    return pips.pick(~_holds_pips(pips))


def propose(picture: Image) -> FloatArray:
    """Middles (N, 2) of spots about `LEVEL_RADIUS` px in radius, strongest first."""
    inner = cv2.GaussianBlur(picture, (0, 0), 1.0)
    outer = cv2.GaussianBlur(picture, (0, 0), 2.6)
    response = cv2.transform(cv2.absdiff(inner, outer), np.ones((1, 3), dtype=np.float32))
    peak = cv2.dilate(response, np.ones((3, 3), dtype=np.uint8))
    margin = int(max(RINGS_PX))
    inside = slice(margin, -margin)
    mask = (response == peak)[inside, inside] & (response[inside, inside] >= MIN_RESPONSE)
    rows, columns = np.nonzero(mask)
    rows, columns = rows + margin, columns + margin
    keep = _stands_out(inner, rows, columns)
    rows, columns = rows[keep], columns[keep]
    strongest = np.argsort(-response[rows, columns].astype(np.int64), kind="stable")[:MAX_PROPOSALS]
    return np.stack([columns[strongest], rows[strongest]], axis=1).astype(np.float64)


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
    """Measure the spots about `radius` px in size around `center` (N, 2); those that are no ellipse are left out."""
    if not len(center):
        return _EMPTY
    steps = np.linspace(0.0, REACH * radius, STEPS)
    angles = np.arange(RAYS) * (2 * np.pi / RAYS)
    rays = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    for _ in range(2):  # the second time from the fitted middle
        samples = _sample_rays(picture, center, rays, steps)
        signal, pip_bgr, face_bgr = _signal(samples, steps)
        edge = _first_crossing(signal, steps)
        ellipse = _fit_ellipses(edge, rays)
        center = center + np.where(np.isfinite(ellipse.offset), ellipse.offset, 0.0)
    contrast = np.linalg.norm(face_bgr - pip_bgr, axis=1)
    ground = _ground_noise(signal, steps, edge)
    pips = Pips(
        center_px=center,
        radius_px=ellipse.radius,
        axes_px=ellipse.axes,
        aspect=ellipse.aspect,
        pip_bgr=pip_bgr,
        face_bgr=face_bgr,
        contrast=contrast,
        roughness=ellipse.roughness,
        ground=ground,
    )
    return pips.pick(
        np.isfinite(ellipse.radius)
        & (contrast > MIN_CONTRAST)
        & (ellipse.aspect < MAX_ASPECT)
        & (ellipse.roughness < MAX_ROUGHNESS)
        & (ground < MAX_GROUND)
        & (np.linalg.norm(ellipse.offset, axis=1) < 0.5 * radius)
    )


def _sample_rays(
    picture: Image, center: FloatArray, rays: FloatArray, steps: FloatArray
) -> NDArray[np.float32]:
    """Colours (N, RAYS, STEPS, 3) along rays from each middle."""
    reach = rays[:, None, :] * steps[None, :, None]
    points = (center[:, None, None, :] + reach[None]).astype(np.float32)
    flat = points.reshape(len(center) * len(rays), len(steps), 2)
    rows = max(1, 32000 // len(steps) * len(steps))  # remap takes at most 32767 rows
    parts = [
        cv2.remap(picture, part, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        for part in np.split(flat, range(rows, len(flat), rows))
    ]
    colours = np.concatenate(parts).reshape(len(center), len(rays), len(steps), 3)
    return colours.astype(np.float32)


def _signal(
    samples: NDArray[np.float32], steps: FloatArray
) -> tuple[NDArray[np.float32], FloatArray, FloatArray]:
    """Turn colours along rays into 0 (the pip's) .. 1 (the face's); also both colours (N, 3).

    The pip's edge is where the mean over all rays changes most; the face's colour is taken just beyond it.
    """
    near = samples[:, :, :4].mean(axis=(1, 2))
    profile = np.median(samples, axis=1)
    away = np.linalg.norm(profile - near[:, None], axis=2)
    rise = np.diff(away, axis=1)
    # two neighbouring rises together: an edge is rarely sharper than two steps
    edge = 3 + np.argmax((rise[:, :-1] + rise[:, 1:])[:, 2 : STEPS * 2 // 3], axis=1)
    rows = np.arange(len(samples))
    inner = np.maximum((edge * 0.6).astype(np.intp), 1)
    outer = np.minimum(np.ceil(edge * 1.35).astype(np.intp) + 1, STEPS - 2)
    pip = np.median(samples[:, :, :3].reshape(len(samples), -1, 3), axis=1) * 0.5 + profile[rows, inner] * 0.5
    face = (profile[rows, outer] + profile[rows, outer + 1]) / 2
    axis = face - pip
    signal = (
        (samples - pip[:, None, None]) @ axis[:, :, None, None].transpose(0, 2, 1, 3).reshape(-1, 1, 3, 1)
    )[..., 0] / np.maximum((axis**2).sum(axis=1), 1.0)[:, None, None]
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
    typical = np.nanmedian(np.where(np.isfinite(edge).any(axis=1, keepdims=True), edge, 1.0), axis=1)
    ratio = edge / np.maximum(typical, 1e-6)[:, None]
    used = np.isfinite(ratio) & (ratio < 2.2) & (ratio > 0.4)
    unit = np.where(used[..., None], ratio[..., None] * rays, 0.0)
    first = _fit_conics(unit, used)
    limit = np.sort(np.where(used, first.miss, np.inf), axis=1)[:, int(RAYS * 0.8) - 1, None]
    trusted = used & (first.miss <= limit)
    conic = _fit_conics(unit, trusted)
    share = used.mean(axis=1)
    usable = conic.usable & (share >= 0.7)
    scatter = np.sqrt((np.minimum(conic.miss, 0.6) ** 2 * trusted).sum(axis=1) / np.maximum(trusted.sum(axis=1), 1))
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
    typical = np.nanmedian(np.where(np.isfinite(edge), edge, 0.0), axis=1, keepdims=True)
    where = np.where(np.isfinite(edge), edge, typical)
    around = []
    for beyond in (1.3, 1.42):
        index = np.clip(np.ceil(where * beyond / step).astype(np.intp), 0, signal.shape[2] - 1)
        around.append(np.take_along_axis(signal, index[:, :, None], axis=2)[:, :, 0])
    ring = np.concatenate(around, axis=1)
    miss = np.sort(np.abs(ring - np.median(ring, axis=1, keepdims=True)), axis=1)
    calm = miss[:, : RAYS * 2 * 3 // 4].astype(np.float64)
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
    """Which spots are whole dice: two or more smooth round spots of the size of pips lie in them."""
    away = np.linalg.norm(pips.center_px[:, None] - pips.center_px[None], axis=2)
    share = pips.radius_px[None] / pips.radius_px[:, None]
    smooth = (pips.roughness < 0.06) & (pips.aspect < 1.5)
    held = (away < 0.9 * pips.radius_px[:, None]) & (share > 0.12) & (share < 0.35) & smooth[None]
    return np.asarray(held.sum(axis=1) >= 2)


def _without_doubles(pips: Pips) -> Pips:
    """Keep the smoothest of spots that lie within one another."""
    order = np.argsort(pips.roughness + pips.ground, kind="stable")
    pips = pips.pick(order)
    kept: list[int] = []
    for row in range(len(pips)):
        near = np.linalg.norm(pips.center_px[kept] - pips.center_px[row], axis=1)
        ratio = pips.radius_px[kept] / pips.radius_px[row]
        alike = (ratio > 0.5) & (ratio < 2)
        if not np.any(alike & (near < 0.8 * np.maximum(pips.radius_px[kept], pips.radius_px[row]))):
            kept.append(row)
    return pips.pick(np.array(kept, dtype=np.intp))


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
