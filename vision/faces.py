"""Group pips into faces by their layout.

A face is fixed by one diagonal: two, three, four, five and six all have pips in two opposite corners. Every
pair of like pips is tried as such a diagonal and the nine spots of the face it would span are looked up.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.domain import FloatArray
from vision.pips import Pips
from vision.rows import Rows

# The nine spots in units of the diagonal d (from corner to corner) and d turned by 90 degrees.
SPOTS = np.array(
    [
        [-0.5, 0],
        [0.5, 0],
        [0, -0.5],
        [0, 0.5],
        [0, 0],
        [-0.25, -0.25],
        [0.25, 0.25],
        [-0.25, 0.25],
        [0.25, -0.25],
    ]
)
DIAGONAL, CORNERS, MIDDLE, SIDES, OTHER_SIDES = (0, 1), (0, 1, 2, 3), (4,), (5, 6), (7, 8)
LAYOUTS: dict[int, tuple[tuple[int, ...], ...]] = {
    2: (DIAGONAL,),
    3: (DIAGONAL + MIDDLE,),
    4: (CORNERS,),
    5: (CORNERS + MIDDLE,),
    6: (CORNERS + SIDES, CORNERS + OTHER_SIDES),
}
NARROW = 0.62  # sixes are often printed on a rectangle: its short side over its long one
LAYOUT_BITS = {
    sum(1 << spot for spot in layout): face for face, layouts in LAYOUTS.items() for layout in layouts
}
SIX_BITS = {sum(1 << spot for spot in CORNERS + SIDES): 6}


def _narrow_spots(narrow: float) -> FloatArray:
    """The spots of a six on a rectangle, in units of its diagonal; where a square would have more, none."""
    long, short = np.array([1.0, 0.0]), np.array([0.0, narrow])
    points = np.array([-long - short, long + short, long - short, short - long, 0 * long, -short, short])
    unit = (long + short) / (2 * (1 + narrow**2))
    along, across = points @ unit, points @ np.array([-unit[1], unit[0]])
    return np.concatenate([np.stack([along, across], axis=1), np.full((2, 2), np.inf)])


SPOT_TABLES = ((SPOTS, LAYOUT_BITS), (_narrow_spots(NARROW), SIX_BITS), (_narrow_spots(-NARROW), SIX_BITS))
NEIGHBOURS = 28
DIAGONAL_IN_RADII = (4.6, 14.0)
SPOT_TOLERANCE = 0.15  # of the diagonal
MAX_RESIDUAL = np.array([0.0, 0.0, 0.06, 0.06, 0.03, 0.03, 0.03])  # of the diagonal, by face
LIKE_RADIUS = 1.5
LIKE_PIP = 0.45  # of the contrast
LIKE_FACE = 0.9  # marbled dice change colour from corner to corner


@dataclass(frozen=True, slots=True, eq=False)
class Faces(Rows):
    """N faces that the pips' layout allows.

    `face` (N,); `pips` (N, 9) indices by spot, -1 where none (a one's stands first); `center_px` (N, 2);
    `shear` (N, 2, 2) maps the face's own square frame to pixels with determinant 1 (the foreshortening of its
    pips); `diagonal` (N, 2) corner pip to corner pip in that frame, px (for a one: zero); `radius_px` (N,) of
    a pip; `residual` (N,) of the spots in diagonals; `stretch` (N,) of the pips' rectangle.
    """

    face: NDArray[np.intp]
    pips: NDArray[np.intp]
    center_px: FloatArray
    shear: FloatArray
    diagonal: FloatArray
    radius_px: FloatArray
    residual: FloatArray
    stretch: FloatArray

    def __len__(self) -> int:
        return len(self.face)

    def mean_of(self, value: FloatArray) -> FloatArray:
        """Mean (N, ...) of the pips' `value` (M, ...) over each face's own pips."""
        used = self.pips >= 0
        weight = used / used.sum(axis=1, keepdims=True)
        return np.asarray(np.einsum("nk,nk...->n...", weight, value[self.pips]))


def shear_of(axes_px: FloatArray) -> FloatArray:
    """Symmetric maps (N, 2, 2) of determinant 1 from a circle to the mean of ellipses.

    `axes_px` (N, K, 2, 2): half axes of K ellipses each.
    """
    form = np.einsum("nkai,nkaj->nij", axes_px, axes_px)
    values, vectors = np.linalg.eigh(form)
    half = np.sqrt(np.maximum(values, 1e-9))
    half = half / np.sqrt(half[:, :1] * half[:, 1:])
    return np.asarray(np.einsum("nia,na,nja->nij", vectors, half, vectors))


@dataclass(frozen=True, slots=True, eq=False)
class EmptySpots:
    """M places where some layout would have one more pip: `center_px` (M, 2), and a pip (M,) of that face."""

    center_px: FloatArray
    pip: NDArray[np.intp]


def find_faces(pips: Pips) -> tuple[Faces, EmptySpots]:
    """All faces of two to six pips that some layout explains, each once for each diagonal.

    The spots left empty by these, and by groups of three or more pips that are no face, are told as well.
    """
    if len(pips) < 2:
        return _no_faces(), EmptySpots(np.zeros((0, 2)), np.zeros(0, dtype=np.intp))
    pairs = _pairs(pips)
    looks = [_look_up(pips, pairs, spots, layouts) for spots, layouts in SPOT_TABLES]
    faces = Faces.join(*(look.faces() for look in looks))
    empty = [look.empty_spots() for look in looks]
    return faces, EmptySpots(
        np.concatenate([e.center_px for e in empty]), np.concatenate([e.pip for e in empty])
    )


def _pairs(pips: Pips) -> _Pairs:
    """All pairs of like pips that could be a face's opposite corners."""
    near = _neighbours(pips)
    first, second = _like_pairs(pips, near)
    shear = shear_of(np.stack([pips.axes_px[first], pips.axes_px[second]], axis=1))
    radius = np.sqrt(pips.radius_px[first] * pips.radius_px[second])
    back = np.linalg.inv(shear)
    diagonal = np.einsum("nij,nj->ni", back, pips.center_px[second] - pips.center_px[first])
    length = np.linalg.norm(diagonal, axis=1)
    fits = (length > DIAGONAL_IN_RADII[0] * radius) & (length < DIAGONAL_IN_RADII[1] * radius)
    first, second = first[fits], second[fits]
    return _Pairs(
        first=first,
        candidates=near[first],
        center=(pips.center_px[first] + pips.center_px[second]) / 2,
        shear=shear[fits],
        back=back[fits],
        diagonal=diagonal[fits],
        radius=radius[fits],
        like=alike(pips, first[:, None], near[first]),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Pairs:
    first: NDArray[np.intp]
    candidates: NDArray[np.intp]
    center: FloatArray
    shear: FloatArray
    back: FloatArray
    diagonal: FloatArray
    radius: FloatArray
    like: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    """What lies on the spots that each of P diagonals spans: `nearest`, `on_spot`, `place` by spot (P, 9)."""

    pairs: _Pairs
    spots: FloatArray
    face: NDArray[np.intp]
    nearest: NDArray[np.intp]
    on_spot: NDArray[np.bool_]
    place: FloatArray

    def faces(self) -> Faces:
        """Those that are a layout whose pips lie where they should."""
        layout = fit_layout(self.place, self.on_spot)
        legal = (self.face > 0) & (layout.residual <= MAX_RESIDUAL[self.face])
        members = np.where(self.on_spot, self.nearest, -1)
        diagonal = layout.diagonal[:, :, None] * self._frame()
        return Faces(
            face=self.face,
            pips=members,
            center_px=self._to_px(layout.shift[:, None])[:, 0],
            shear=self.pairs.shear,
            diagonal=diagonal.sum(axis=1),
            radius_px=self.pairs.radius,
            residual=layout.residual,
            stretch=layout.stretch,
        ).pick(legal)

    def empty_spots(self) -> EmptySpots:
        """Spots without a pip, of faces and of groups that might be one."""
        telling = (self.face > 0) | (self.on_spot.sum(axis=1) >= 3)
        known = np.asarray(np.isfinite(self.spots).all(axis=1), dtype=np.bool_)
        rows, columns = np.nonzero(telling[:, None] & ~self.on_spot & known)
        places = self._to_px(np.broadcast_to(np.where(known[:, None], self.spots, 0.0), self.place.shape))
        return EmptySpots(places[rows, columns], self.pairs.first[rows])

    def _frame(self) -> FloatArray:
        """The diagonal and the same turned by 90 degrees, as rows (P, 2, 2) before the shear."""
        diagonal = self.pairs.diagonal
        return np.stack([diagonal, np.stack([-diagonal[:, 1], diagonal[:, 0]], axis=1)], axis=1)

    def _to_px(self, place: FloatArray) -> FloatArray:
        """Places (P, S, 2) in units of the diagonal to pixels."""
        frame = self._frame() @ np.transpose(self.pairs.shear, (0, 2, 1))
        return np.asarray(self.pairs.center[:, None] + place @ frame)


def _look_up(pips: Pips, pairs: _Pairs, spots: FloatArray, layouts: dict[int, int]) -> _Look:
    """Which spots that each pair's diagonal would span hold a pip, and the face this makes, 0 if none."""
    diagonal = pairs.diagonal
    turned = np.stack([-diagonal[:, 1], diagonal[:, 0]], axis=1)
    away = (pips.center_px[pairs.candidates] - pairs.center[:, None]) @ np.transpose(pairs.back, (0, 2, 1))
    frame = np.stack([diagonal, turned], axis=2) / (diagonal**2).sum(axis=1)[:, None, None]
    place = away @ frame  # (P, K, 2)
    distance = np.hypot(place[..., None, 0] - spots[:, 0], place[..., None, 1] - spots[:, 1])  # (P, K, 9)
    distance = np.where(pairs.like[..., None], distance, np.inf)
    nearest = np.argmin(distance, axis=1)
    on_spot = np.take_along_axis(distance, nearest[:, None], axis=1)[:, 0] < SPOT_TOLERANCE
    bits = (on_spot * (1 << np.arange(len(spots)))).sum(axis=1)
    return _Look(
        pairs=pairs,
        spots=spots,
        face=np.array([layouts.get(int(b), 0) for b in bits], dtype=np.intp),
        nearest=np.take_along_axis(pairs.candidates, nearest, axis=1),
        on_spot=on_spot,
        place=np.take_along_axis(place, nearest[..., None], axis=1),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """How N sets of pips lie against the nine spots, all in units of the diagonal they were found by.

    `shift` (N, 2) of the middle; `diagonal` (N, 2) as it fits all pips; `stretch` (N,) of one side of the
    pips' rectangle against the other, 1 or more; `residual` (N,) root mean square of what no affine map
    explains.
    """

    shift: FloatArray
    diagonal: FloatArray
    stretch: FloatArray
    residual: FloatArray


def fit_layout(place: FloatArray, used: NDArray[np.bool_]) -> Layout:
    """Fit an affine map from the used spots (N, 9) to where their pips lie (N, 9, 2).

    Sixes are often printed on a rectangle rather than a square, so a stretch is no miss. Fewer than four pips
    lie on one line and are held against the spots as they are.
    """
    weight = used.astype(np.float64)
    design = np.concatenate([SPOTS, np.ones((len(SPOTS), 1))], axis=1)
    flat = used.sum(axis=1) < 4
    normal = np.einsum("si,ns,sj->nij", design, weight, design)
    normal[flat] = np.eye(3)
    right = np.einsum("si,ns,nsj->nij", design, weight, np.where(used[..., None], place, 0.0))
    affine = np.linalg.solve(normal, right)  # (N, 3, 2)
    affine[flat] = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
    miss = (place - np.einsum("si,nij->nsj", design, affine)) * weight[..., None]
    residual = np.sqrt((miss**2).sum(axis=(1, 2)) / np.maximum(weight.sum(axis=1), 1))
    left, values, right_t = np.linalg.svd(np.transpose(affine[:, :2], (0, 2, 1)))
    return Layout(
        shift=affine[:, 2],
        diagonal=(left @ right_t)[:, :, 0] * values[:, :1],
        stretch=values[:, 0] / np.maximum(values[:, 1], 1e-9),
        residual=residual,
    )


def single_pips(pips: Pips) -> Faces:
    """Every pip as a possible one."""
    count = len(pips)
    members = np.full((count, len(SPOTS)), -1, dtype=np.intp)
    members[:, 0] = np.arange(count)
    return Faces(
        face=np.ones(count, dtype=np.intp),
        pips=members,
        center_px=pips.center_px,
        shear=shear_of(pips.axes_px[:, None]),
        diagonal=np.zeros((count, 2)),
        radius_px=pips.radius_px,
        residual=np.zeros(count),
        stretch=np.ones(count),
    )


def _neighbours(pips: Pips) -> NDArray[np.intp]:
    """The nearest pips (N, K) of like size of each, itself included."""
    row = np.arange(len(pips))
    away = np.where(_like_size(pips, row[:, None], row[None]), pips.distance_sq(), np.inf)
    count = min(NEIGHBOURS, len(pips))
    return np.argpartition(away, count - 1, axis=1)[:, :count].astype(np.intp)


def _like_size(pips: Pips, one: NDArray[np.intp], other: NDArray[np.intp]) -> NDArray[np.bool_]:
    ratio = pips.radius_px[one] / pips.radius_px[other]
    return (ratio < LIKE_RADIUS) & (ratio > 1 / LIKE_RADIUS)


def alike(pips: Pips, one: NDArray[np.intp], other: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Whether two pips could belong to one face: like size, like colours inside and around."""
    contrast = np.minimum(pips.contrast[one], pips.contrast[other])
    face = np.linalg.norm(pips.face_bgr[one] - pips.face_bgr[other], axis=-1)
    inner = np.linalg.norm(pips.pip_bgr[one] - pips.pip_bgr[other], axis=-1)
    close = (face < LIKE_FACE * contrast + 8) & (inner < LIKE_PIP * contrast + 8)
    return np.asarray(_like_size(pips, one, other) & close)


def _like_pairs(pips: Pips, near: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    first = np.repeat(np.arange(len(pips)), near.shape[1])
    second = near.ravel()
    keep = (first < second) & alike(pips, first, second)
    return first[keep], second[keep]


def _no_faces() -> Faces:
    return Faces(
        face=np.zeros(0, dtype=np.intp),
        pips=np.zeros((0, len(SPOTS)), dtype=np.intp),
        center_px=np.zeros((0, 2)),
        shear=np.zeros((0, 2, 2)),
        diagonal=np.zeros((0, 2)),
        radius_px=np.zeros(0),
        residual=np.zeros(0),
        stretch=np.zeros(0),
    )
