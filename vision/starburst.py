"""Measure a spot by rays cast from its middle: an ellipse is fitted to the edge they hit.

The "starburst" of Li, Winfield and Parkhurst (2005), made for pupils; here for all spots at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.domain import FloatArray, Image
from vision.pips import NO_PIPS, Pips
from vision.rows import Rows
from vision.sampling import sample_levels

STEPS = 19
REACH = 2.83  # how far rays go, in radii


@dataclass(frozen=True, slots=True, eq=False)
class Spots(Rows):
    """Where N spots may be: `center_px` (N, 2), `radius_px` (N,), and the `level` (N,) to see them on."""

    level: NDArray[np.intp]
    center_px: FloatArray
    radius_px: FloatArray


def cast(pyramid: Sequence[Image], spots: Spots, count: int, trimmed: bool) -> Pips:
    """Spots as `count` rays from the middle of each see them.

    Where no ellipse fits, roughness is infinite. If `trimmed`, a few bent rays are left out of the fit.
    """
    center, radius = spots.center_px, spots.radius_px
    if not len(center):
        return NO_PIPS
    steps = np.linspace(0.0, REACH, STEPS)
    angles = np.arange(count) * (2 * np.pi / count)
    rays = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    reach = radius[:, None, None, None] * (rays[:, None] * steps[:, None])
    samples = sample_levels(pyramid, spots.level, center[:, None, None] + reach)
    signal, pip_bgr, face_bgr = _signal(samples)
    edge = _first_crossing(signal, steps)
    ellipse = _fit_ellipses(edge, rays, trimmed)
    fitted = np.isfinite(ellipse.radius)
    return Pips(
        center_px=center + np.where(fitted, radius, 0.0)[:, None] * ellipse.offset,
        radius_px=np.where(fitted, radius * ellipse.radius, 0.0),
        axes_px=radius[:, None, None] * ellipse.axes,
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
    """Radii (N, RAYS) at which each ray first passes one half for two steps; NaN where it never does."""
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


def _fit_ellipses(edge: FloatArray, rays: FloatArray, trimmed: bool) -> _Ellipses:
    """Ellipses through the edge points of all spots, in radii.

    If `trimmed`, without the fifth of the rays that fits worst: glints and scratches at a rim bend a few.
    """
    hits = np.isfinite(edge).sum(axis=1)
    typical = np.sort(edge, axis=1)[np.arange(len(edge)), hits // 2]
    typical = np.where(hits > len(rays) // 2, typical, 1.0)
    ratio = edge / np.maximum(typical, 1e-6)[:, None]
    used = np.isfinite(ratio) & (ratio < 2.2) & (ratio > 0.4)
    unit = np.where(used[..., None], ratio[..., None] * rays, 0.0)
    conic, trusted = _fit_conics(unit, used), used
    if trimmed:
        limit = np.sort(np.where(used, conic.miss, np.inf), axis=1)[:, int(len(rays) * 0.8) - 1, None]
        trusted = used & (conic.miss <= limit)
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
        aspect=half[:, 0] / np.maximum(half[:, 1], 1e-9),
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
    """Least-squares conics a x2 + b xy + c y2 + d x + e y = 1 through the used points (N, RAYS, 2).

    The points lie about 1 from the origin.
    """
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
    x, y = x - middle[:, 0, None], y - middle[:, 1, None]
    (xx, xy), (_, yy) = form.transpose(1, 2, 0)[..., None]
    distance_sq = (xx * x * x + 2 * xy * x * y + yy * y * y) / np.maximum(level, 1e-6)[:, None]
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
    return np.asarray(np.sqrt((calm**2).mean(axis=1)))
