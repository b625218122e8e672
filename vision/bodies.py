"""Find the square a face is printed on: four edges at one distance from the middle of its pips.

Rays are cast from the middle; where colour changes along them, an edge is seen. A square of every size (and,
for a one, every turn) is held against these edges, and the best kept together with how well each side shows.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.domain import FloatArray, Image
from vision.faces import Faces
from vision.opencv import cv2
from vision.pips import Pips

RAYS = 64
STEPS = 64
PITCH_TO_EDGE = (0.52, 0.80)  # half side over the corner pips' diagonal
RADIUS_TO_EDGE = (2.3, 7.5)  # half side over the pip's radius, for a one
TURNS = 16
SIZES = 28
INSIDE = 0.78  # share of the square that must be calm; beyond, edges are rounded
EDGE_CHANGE = 24.0  # grey levels across an edge that make it certain
NOISE_SHARE = 0.6  # change inside a face that makes it no face, in contrasts of its pips


@dataclass(frozen=True, slots=True, eq=False)
class Bodies:
    """The square of each of N faces.

    `half` (N, 2, 2): vectors in pixels from the middle to the middle of two neighbouring sides; `sides` (N, 4)
    0-1: how clearly each side's edge is seen; `calm` (N,) 0-1: how free of edges the inside is.
    """

    half: FloatArray
    sides: FloatArray
    calm: FloatArray

    def pick(self, rows: NDArray[np.intp] | NDArray[np.bool_]) -> Bodies:
        """The bodies of `rows` only."""
        return Bodies(self.half[rows], self.sides[rows], self.calm[rows])


def find_bodies(pyramid: list[Image], pips: Pips, faces: Faces) -> Bodies:
    """The best square of each face."""
    half = np.zeros((len(faces), 2, 2))
    sides = np.zeros((len(faces), 4))
    calm = np.zeros(len(faces))
    span = np.linalg.norm(faces.diagonal, axis=1)
    single = faces.face == 1
    reach = np.where(single, RADIUS_TO_EDGE[1] * faces.radius_px, PITCH_TO_EDGE[1] * span) * 1.3
    level = np.clip(np.floor(np.log2(np.maximum(reach / STEPS, 1e-6))) + 0, 0, len(pyramid) - 1).astype(int)
    for step in np.unique(level):
        for alone in (False, True):
            rows = np.flatnonzero((level == step) & (single == alone))
            if len(rows):
                found = _find_at(pyramid[step], 2.0**step, pips, faces.pick(rows), reach[rows], alone)
                half[rows], sides[rows], calm[rows] = found
    return Bodies(half, sides, calm)


def _find_at(
    picture: Image, scale: float, pips: Pips, faces: Faces, reach: FloatArray, alone: bool
) -> tuple[FloatArray, FloatArray, FloatArray]:
    angles = (np.arange(RAYS) + 0.5) * (2 * np.pi / RAYS)
    rays = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    if alone:
        frame = np.broadcast_to(np.eye(2), (len(faces), 2, 2))
        turns = np.arange(TURNS) * (np.pi / 2 / TURNS)
        near, far = RADIUS_TO_EDGE[0] * faces.radius_px / reach, RADIUS_TO_EDGE[1] * faces.radius_px / reach
    else:
        span = np.linalg.norm(faces.diagonal, axis=1)
        x = (
            (faces.diagonal + np.stack([-faces.diagonal[:, 1], faces.diagonal[:, 0]], axis=1))
            / np.sqrt(2)
            / span[:, None]
        )
        frame = np.stack([x, np.stack([-x[:, 1], x[:, 0]], axis=1)], axis=2)  # columns: the sides' normals
        turns = np.zeros(1)
        near, far = PITCH_TO_EDGE[0] * span / reach, PITCH_TO_EDGE[1] * span / reach
    # diagonal corner pips lie at 45 degrees to the sides: half side = span / sqrt(8) plus the rim
    to_px = np.einsum("nij,njk->nik", faces.shear, frame)
    directions = np.einsum("nij,rj->nri", to_px, rays)
    steps = (np.arange(STEPS) + 1) / STEPS
    points = (
        faces.center_px[:, None, None] + directions[:, :, None] * (steps * reach[:, None])[:, None, :, None]
    )
    samples = sample(picture, points, scale)
    on_pip = _covered(points, pips, faces)
    change, blind = _change(samples, on_pip)
    edges = np.minimum(change / EDGE_CHANGE, 1.0)
    contrast = pips.contrast[faces.pips[:, 0]].astype(np.float32)
    noise = np.minimum(change / (NOISE_SHARE * contrast[:, None, None]), 1.0)
    return _best_square(edges, noise, blind, angles, turns, steps, near, far, to_px, reach)


def sample(picture: Image, points: FloatArray, scale: float) -> NDArray[np.float32]:
    """Colours (..., 3) at full-size pixel positions (..., 2) of a picture scaled by 1/scale."""
    shape = points.shape[:-1]
    flat = ((points - (scale - 1) / 2) / scale).astype(np.float32).reshape(-1, shape[-1], 2)
    parts = [
        cv2.remap(picture, flat[i : i + 32000], None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        for i in range(0, len(flat), 32000)
    ]
    return np.concatenate(parts).reshape(*shape, 3).astype(np.float32)


def _covered(points: FloatArray, pips: Pips, faces: Faces) -> NDArray[np.bool_]:
    """Which sample points lie on one of the face's own pips or its rim."""
    covered = np.zeros(points.shape[:-1], dtype=np.bool_)
    for column in range(faces.pips.shape[1]):
        row = faces.pips[:, column]
        used = row >= 0
        if not used.any():
            break
        away = points[used] - pips.center_px[row[used]][:, None, None]
        axes = pips.axes_px[row[used]]
        along = np.einsum("nrsi,nai->nrsa", away, axes / (axes**2).sum(axis=2, keepdims=True))
        covered[used] |= (along**2).sum(axis=3) < 1.45**2
    return covered


def _change(
    samples: NDArray[np.float32], on_pip: NDArray[np.bool_]
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """How much colour changes along rays (N, RAYS, STEPS), grey levels, and where a pip hides it."""
    smooth = samples.copy()
    smooth[:, 1:-1] = (samples[:, :-2] + samples[:, 1:-1] * 2 + samples[:, 2:]) / 4
    gap = 2
    change = np.zeros(samples.shape[:3], dtype=np.float32)
    change[:, :, gap:-gap] = np.linalg.norm(samples[:, :, 2 * gap :] - samples[:, :, : -2 * gap], axis=3)
    blind = on_pip.copy()
    for shift in range(1, gap + 1):
        blind[:, :, shift:] |= on_pip[:, :, :-shift]
        blind[:, :, :-shift] |= on_pip[:, :, shift:]
    change[blind] = 0.0
    return change, blind


def _best_square(
    edges: NDArray[np.float32],
    noises: NDArray[np.float32],
    blind: NDArray[np.bool_],
    angles: FloatArray,
    turns: FloatArray,
    steps: FloatArray,
    near: FloatArray,
    far: FloatArray,
    to_px: FloatArray,
    reach: FloatArray,
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Hold squares of all sizes and turns against the edges."""
    count = len(edges)
    thick = np.max([np.roll(edges, shift, axis=2) for shift in range(-2, 3)], axis=0)
    seen = ~blind
    inside_sum = np.cumsum(noises, axis=2)
    seen_sum = np.cumsum(seen, axis=2)
    rows = np.arange(count)[:, None, None]
    ray = np.arange(RAYS)[None, None]
    best = np.full(count, -np.inf)
    half = np.zeros((count, 2, 2))
    sides = np.zeros((count, 4))
    calm = np.zeros(count)
    share = np.linspace(0, 1, SIZES)
    sizes = near[:, None] * (1 - share) + far[:, None] * share
    for turn in turns:
        local = angles - turn
        toward = np.maximum(np.abs(np.cos(local)), np.abs(np.sin(local)))
        side = np.round(local / (np.pi / 2)).astype(int) % 4
        middle = toward > np.cos(np.radians(36))  # corners are rounded: judge sides by their middles
        distance = sizes[:, :, None] / toward  # (N, SIZES, RAYS)
        index = np.clip(np.round(distance * STEPS).astype(int) - 1, 0, STEPS - 1)
        edge = thick[rows, ray, index]
        per_side = np.stack([edge[:, :, (side == k) & middle].mean(axis=2) for k in range(4)], axis=2)
        within = np.clip(np.floor(distance * INSIDE * STEPS).astype(int) - 1, 0, STEPS - 1)
        noise = inside_sum[rows, ray, within].sum(axis=2) / np.maximum(
            seen_sum[rows, ray, within].sum(axis=2), 1
        )
        ordered = np.sort(per_side, axis=2)
        value = 0.5 * per_side.mean(axis=2) + 0.3 * ordered[:, :, 1] + 0.2 * ordered[:, :, 0] - noise
        pick = np.argmax(value, axis=1)
        take = np.arange(count)
        better = value[take, pick] > best
        best = np.where(better, value[take, pick], best)
        size = sizes[take, pick] * reach
        normal = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        vectors = np.einsum("nij,kj->nki", to_px, normal) * size[:, None, None]
        half = np.where(better[:, None, None], vectors, half)
        sides = np.where(better[:, None], per_side[take, pick], sides)
        calm = np.where(better, 1.0 - noise[take, pick], calm)
    return half, sides, calm
