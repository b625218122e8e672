"""Find the square a face is printed on: four edges at one distance from the middle of its pips.

Rays are cast from the middle; where colour changes along them, an edge is seen. A square of every size (and,
for a one, every turn) is held against these edges, and the best kept together with how well each side shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from vision.domain import FloatArray, Image
from vision.faces import Faces
from vision.opencv import cv2
from vision.pips import Pips
from vision.rows import Rows
from vision.sampling import sample_levels

RAYS = 48
STEPS = 64
QUICK_RAYS, QUICK_STEPS = 12, 24
SIZES = 28
TURNS_OF_ONE = 12
PITCH_TO_EDGE = (0.52, 0.80)  # half side over the corner pips' diagonal
RADIUS_TO_EDGE = (2.3, 7.5)  # half side over the pip's radius, for a one
MARGIN = 1.3  # rays reach this much beyond the largest half side
SIDE_ANGLE = np.radians(36)  # corners are rounded: sides are judged by their middles
SLACK = 2  # steps by which an edge may lie off the square
GAP = 2  # steps on either side over which a change of colour is taken
INSIDE = 0.78  # share of the square that must be calm; beyond, edges are rounded
EDGE_CHANGE = 24.0  # grey levels across an edge that make it certain
QUIET = 2.0  # grey levels of change that any camera shows
NOISE_SHARE = 0.6  # change inside a face that makes it no face, in contrasts of its pips
PIP_RIM = 1.45  # radii around a pip in which changes of colour are its own


@dataclass(frozen=True, slots=True, eq=False)
class Bodies(Rows):
    """The square of each of N faces.

    `half` (N, 2, 2): vectors in px from the middle to the middle of two neighbouring sides; `sides` (N, 4)
    0-1: how clearly each side's edge is seen; `calm` (N,) 0-1: how free of edges the inside is, against the
    pips' contrast; `relief` (N,): change of colour across all but the weakest side over that inside.
    """

    half: FloatArray
    sides: FloatArray
    calm: FloatArray
    relief: FloatArray


def find_bodies(pyramid: Sequence[Image], pips: Pips, faces: Faces) -> Bodies:
    """The best square of each face, on a picture given as its pyramid."""
    count = len(faces)
    bodies = Bodies(np.zeros((count, 2, 2)), np.zeros((count, 4)), np.zeros(count), np.zeros(count))
    single = faces.face == 1
    span = np.linalg.norm(faces.diagonal, axis=1)
    largest = np.where(single, RADIUS_TO_EDGE[1] * faces.radius_px, PITCH_TO_EDGE[1] * span)
    reach = MARGIN * largest
    level = _level(reach / STEPS, pyramid)
    for alone in (False, True):
        rows = np.flatnonzero(single == alone)
        if len(rows):
            found = _find(pyramid, level[rows], pips, faces.pick(rows), reach[rows])
            for name in Bodies.__slots__:
                getattr(bodies, name)[rows] = getattr(found, name)
    return bodies


def plainness(pyramid: Sequence[Image], pips: Pips, faces: Faces) -> FloatArray:
    """Share (N,) of places between a face's pips that have the face's colour.

    A quick look before bodies are sought.
    """
    single = faces.face == 1
    grid = np.linspace(-1.0, 1.0, 5)
    square = np.stack(np.meshgrid(grid, grid), axis=2).reshape(-1, 2)
    ring = np.stack([np.cos(np.arange(25) * 0.7), np.sin(np.arange(25) * 0.7)], axis=1)
    half = np.where(single, 2.1 * faces.radius_px, 0.45 * np.linalg.norm(faces.diagonal, axis=1))
    to_px = np.where(single[:, None, None], faces.shear, faces.shear @ _side_frames(faces.diagonal))
    places = np.where(single[:, None, None], ring, square) * half[:, None, None]
    points = faces.center_px[:, None] + np.einsum("nij,nkj->nki", to_px, places)
    free = ~_on_pips(points[:, None], pips, faces, rim=1.6)[:, 0]
    samples = sample_levels(pyramid, _level(faces.radius_px / 6, pyramid), points)
    face, contrast = faces.mean_of(pips.face_bgr), faces.mean_of(pips.contrast)
    alike = np.linalg.norm(samples - face[:, None], axis=2) < 0.5 * contrast[:, None]
    return np.asarray((alike & free).sum(axis=1) / np.maximum(free.sum(axis=1), 1))


def enclosed(pyramid: Sequence[Image], faces: Faces) -> FloatArray:
    """Share (N,) of directions in which an edge comes within reach of a one; 1 for other faces.

    A quick look that spares specks on a plain ground the search for a body.
    """
    share = np.ones(len(faces))
    ones = np.flatnonzero(faces.face == 1)
    rays = _rays()[:: RAYS // QUICK_RAYS]
    steps = np.linspace(1.6, RADIUS_TO_EDGE[1] * 1.2, QUICK_STEPS)
    radius = faces.radius_px[ones]
    directions = np.einsum("nij,rj->nri", faces.shear[ones], rays) * radius[:, None, None]
    points = faces.center_px[ones][:, None, None] + directions[:, :, None] * steps[:, None]
    samples = sample_levels(pyramid, _level(radius / 3, pyramid), points)
    change = np.linalg.norm(samples[:, :, 2:] - samples[:, :, :-2], axis=3)
    calm = np.maximum(np.median(change, axis=2), EDGE_CHANGE / 8)
    share[ones] = (change.max(axis=2) > 4 * calm).mean(axis=1)
    return share


def _level(step_px: FloatArray, pyramid: Sequence[Image]) -> NDArray[np.intp]:
    """The coarsest level (N,) of the pyramid on which steps of `step_px` (N,) are still a pixel each."""
    return np.clip(np.log2(np.maximum(step_px, 1.0)).astype(np.intp), 0, len(pyramid) - 1)


def _find(
    pyramid: Sequence[Image], level: NDArray[np.intp], pips: Pips, faces: Faces, reach: FloatArray
) -> Bodies:
    """Bodies of faces that are all ones, or none of them one, each sought on its `level` (N,)."""
    alone = bool(faces.face[0] == 1)
    search = _search(*RADIUS_TO_EDGE, TURNS_OF_ONE) if alone else _search(*PITCH_TO_EDGE, 1)
    to_px = faces.shear if alone else np.einsum("nij,njk->nik", faces.shear, _side_frames(faces.diagonal))
    directions = np.einsum("nij,rj->nri", to_px, _rays())
    steps = (np.arange(STEPS) + 1) / STEPS
    offsets = directions[:, :, None] * (steps * reach[:, None])[:, None, :, None]
    points = (faces.center_px[:, None, None] + offsets).astype(np.float32)  # half the time, and exact enough
    samples = sample_levels(pyramid, level, points)
    change = _change(samples)
    hidden = _widen(_on_pips(points, pips, faces, PIP_RIM))
    change[hidden] = 0.0
    contrast = faces.mean_of(pips.contrast).astype(np.float32)
    edges = np.minimum(change / EDGE_CHANGE, 1.0)
    noise = np.minimum(change / (NOISE_SHARE * contrast[:, None, None]), 1.0)
    turn, size, sides, calm = search.best(edges, noise, ~hidden)
    half = np.einsum("nij,nkj->nki", to_px, search.turns[turn]) * (search.sizes[size] * reach)[:, None, None]
    return Bodies(half, sides, calm, search.relief(change, ~hidden, turn, size))


def _rays() -> FloatArray:
    angles = (np.arange(RAYS) + 0.5) * (2 * np.pi / RAYS)
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


def _side_frames(diagonal: FloatArray) -> FloatArray:
    """Frames (N, 2, 2): columns are the normals of two neighbouring sides, 45 degrees off the diagonal."""
    unit = diagonal / np.maximum(np.linalg.norm(diagonal, axis=1, keepdims=True), 1e-9)
    first = (unit + np.stack([-unit[:, 1], unit[:, 0]], axis=1)) / np.sqrt(2)
    return np.stack([first, np.stack([-first[:, 1], first[:, 0]], axis=1)], axis=2)


def _on_pips(
    points: FloatArray | NDArray[np.float32], pips: Pips, faces: Faces, rim: float
) -> NDArray[np.bool_]:
    """Which points (N, R, S, 2) lie within `rim` radii of one of their face's own pips."""
    covered = np.zeros(points.shape[:-1], dtype=np.bool_)
    for column in range(faces.pips.shape[1]):
        rows = np.flatnonzero(faces.pips[:, column] >= 0)
        pip = faces.pips[rows, column]
        axes = pips.axes_px[pip]
        to_circle = (axes / (axes**2).sum(axis=2, keepdims=True))[..., None, None].astype(points.dtype)
        center = pips.center_px[pip, :, None, None].astype(points.dtype)
        x, y = np.moveaxis(points[rows], 3, 0)
        x, y = x - center[:, 0], y - center[:, 1]
        across = to_circle[:, 0, 0] * x + to_circle[:, 0, 1] * y
        along = to_circle[:, 1, 0] * x + to_circle[:, 1, 1] * y
        covered[rows] |= across * across + along * along < rim**2
    return covered


def _widen(covered: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Cover also the steps (N, RAYS, STEPS) whose change is taken across a covered one."""
    wide = covered.copy()
    for shift in range(1, GAP + 1):
        wide[:, :, shift:] |= covered[:, :, :-shift]
        wide[:, :, :-shift] |= covered[:, :, shift:]
    return wide


def _change(samples: NDArray[np.float32]) -> NDArray[np.float32]:
    """How much colour changes along rays (N, RAYS, STEPS), grey levels."""
    change = np.zeros(samples.shape[:3], dtype=np.float32)
    away = samples[:, :, 2 * GAP :] - samples[:, :, : -2 * GAP]
    change[:, :, GAP:-GAP] = np.sqrt(np.einsum("nrsc,nrsc->nrs", away, away))
    return change


@dataclass(frozen=True, slots=True, eq=False)
class _Search:
    """Squares of T turns and S sizes to be held against the edges along rays, the same for every face.

    `turns` (T, 2, 2) rows are the sides' normals; `sizes` (S,) half sides in reaches; `at` (T, S, RAYS) and
    `within` (T, S, RAYS): the step at which a ray meets the square, and the last that lies well inside;
    `side` (T, RAYS, 4) one where a ray meets the middle of a side, each column adding up to one.
    """

    turns: FloatArray
    sizes: FloatArray
    at: NDArray[np.intp]
    within: NDArray[np.intp]
    side: FloatArray

    def best(
        self, edges: NDArray[np.float32], noise: NDArray[np.float32], seen: NDArray[np.bool_]
    ) -> tuple[NDArray[np.intp], NDArray[np.intp], FloatArray, FloatArray]:
        """Turn and size (N,) as indices, sides (N, 4) and calm (N,) of the best square of each face."""
        thick = _thicken(edges)
        noise_sum, seen_sum = np.cumsum(noise, axis=2), np.cumsum(seen, axis=2, dtype=np.float32)
        ray = np.arange(RAYS)[None, None]
        per_side = np.einsum("ntsr,trk->ntsk", thick[:, ray, self.at], self.side, optimize=True)
        loud = noise_sum[:, ray, self.within].sum(axis=3) / np.maximum(
            seen_sum[:, ray, self.within].sum(axis=3), 1.0
        )
        ordered = np.sort(per_side, axis=3)
        value = 0.5 * per_side.mean(axis=3) + 0.3 * ordered[..., 1] + 0.2 * ordered[..., 0] - loud
        best = np.argmax(value.reshape(len(edges), -1), axis=1)
        turn, size = np.unravel_index(best, value.shape[1:])
        row = np.arange(len(edges))
        return turn, size, per_side[row, turn, size], 1.0 - loud[row, turn, size]

    def relief(
        self,
        change: NDArray[np.float32],
        seen: NDArray[np.bool_],
        turn: NDArray[np.intp],
        size: NDArray[np.intp],
    ) -> FloatArray:
        """Change (N,) across the sides of each square, the weakest left out, over the mean change inside."""
        row, ray = np.arange(len(change))[:, None], np.arange(RAYS)[None]
        edge = _thicken(change)[row, ray, self.at[turn, size]]
        sides = np.sort(np.einsum("nr,nrk->nk", edge, self.side[turn]), axis=1)
        inside = np.arange(STEPS) <= self.within[turn, size][..., None]
        noise = (change * inside).sum(axis=(1, 2)) / np.maximum((seen & inside).sum(axis=(1, 2)), 1)
        return np.asarray((sides[:, 1:].mean(axis=1) + QUIET) / (noise + QUIET))


def _thicken(edges: NDArray[np.float32]) -> NDArray[np.float32]:
    """The largest value (N, RAYS, STEPS) within `SLACK` steps."""
    thick = cv2.dilate(edges.reshape(-1, STEPS), np.ones((1, 2 * SLACK + 1), dtype=np.uint8))
    return np.asarray(thick, dtype=np.float32).reshape(edges.shape)


@cache
def _search(nearest: float, farthest: float, turns: int) -> _Search:
    """Squares between two half sides, given in the unit in which rays reach `farthest * MARGIN`."""
    sizes = np.linspace(nearest, farthest, SIZES) / (farthest * MARGIN)
    turn = np.arange(turns) * (np.pi / 2 / turns)
    angle = np.arctan2(*_rays().T[::-1])[None] - turn[:, None]
    toward = np.maximum(np.abs(np.cos(angle)), np.abs(np.sin(angle)))
    distance = sizes[None, :, None] / toward[:, None]
    middle = toward > np.cos(SIDE_ANGLE)
    nearest_side = np.rint(angle / (np.pi / 2)).astype(np.intp) % 4
    side = np.stack([(nearest_side == k) & middle for k in range(4)], axis=2).astype(np.float64)
    return _Search(
        turns=np.stack(
            [np.stack([np.cos(turn), np.sin(turn)], axis=1), np.stack([-np.sin(turn), np.cos(turn)], axis=1)],
            axis=1,
        ),
        sizes=sizes,
        at=np.clip(np.rint(distance * STEPS).astype(np.intp) - 1, 0, STEPS - 1),
        within=np.clip(np.floor(distance * INSIDE * STEPS).astype(np.intp) - 1, 0, STEPS - 1),
        side=(side / side.sum(axis=1, keepdims=True)).astype(np.float32),
    )
