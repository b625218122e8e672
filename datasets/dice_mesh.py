"""The surface of a die: a cube rounded, cut by a ball and drilled; and its painted faces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from datasets.numbering import FACES, axis_of, face_frame, pip_cells
from datasets.rig import DieLook, Floats
from datasets.textures import Picture, grain, srgb_bytes
from vision.opencv import cv2

FACE_PX: Final = 192
_FINE: Final = 4  # faces are painted so many times larger
_BENDS, _DRILLED_TICKS = 6, 44


@dataclass(frozen=True, slots=True, eq=False)
class Mesh:
    """Vertices (V, 3) in mm, normals (V, 3), triangles (T, 3); `uv` (V, 2) from the picture's top left."""

    vertices: Floats
    normals: Floats
    uv: Floats
    triangles: NDArray[np.int64]


def die_mesh(look: DieLook) -> Mesh:
    """Return the die's surface in its own frame; face n's picture is the n-th of `die_picture`'s six."""
    parts = [_face_grid(look, face) for face in FACES]
    counts = np.cumsum([0] + [len(part.vertices) for part in parts[:-1]])
    return Mesh(
        np.concatenate([part.vertices for part in parts]) * look.edge_mm,
        np.concatenate([part.normals for part in parts]),
        np.concatenate([part.uv for part in parts]),
        np.concatenate([part.triangles + start for part, start in zip(parts, counts, strict=True)]),
    )


def _ticks(look: DieLook) -> Floats:
    bend = look.rounding * (1 - np.tan(np.linspace(np.pi / 4, 0, _BENDS)))
    inner = _DRILLED_TICKS if look.depth or look.ball < 2 else 2
    flat = np.linspace(-0.5 + look.rounding, 0.5 - look.rounding, inner)
    return np.concatenate([-0.5 + bend[:-1], flat, (0.5 - bend[:-1])[::-1]])


def _face_grid(look: DieLook, face: int) -> Mesh:
    axis = axis_of(look.numbering, face)
    across, along = face_frame(axis)
    ticks = _ticks(look)
    a, b = (grid.ravel() for grid in np.meshgrid(ticks, ticks, indexing="ij"))
    sharp = axis / 2 + a[:, np.newaxis] * across + b[:, np.newaxis] * along
    places, normals = _rounded(look, sharp)
    depth, slope = _drilling(look, face, np.column_stack([a, b]))
    places = places - depth[:, np.newaxis] * axis
    normals = normals + slope[:, :1] * across + slope[:, 1:] * along
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    column, row = (face - 1) % 3, (face - 1) // 3
    uv = np.column_stack([(column + 0.5 + a) / 3, (row + 0.5 + b) / 2])
    return Mesh(places, normals, uv, _grid_triangles(len(ticks)))


def _rounded(look: DieLook, sharp: Floats) -> tuple[Floats, Floats]:
    core = np.clip(sharp, look.rounding - 0.5, 0.5 - look.rounding)
    normals = sharp - core
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    places = core + look.rounding * normals
    far = np.linalg.norm(places, axis=1, keepdims=True)
    cut = far > look.ball / 2
    return np.where(cut, places * (look.ball / 2) / far, places), np.where(cut, places / far, normals)


def _drilling(look: DieLook, face: int, ab: Floats) -> tuple[Floats, Floats]:
    """Return how deep (N,) the pips of a face are drilled at places (N, 2), and the slope (N, 2) of that."""
    depth, slope = np.zeros(len(ab)), np.zeros((len(ab), 2))
    if not look.depth:
        return depth, slope
    radius = look.pip_radii[face - 1]
    for cell in pip_cells(look.numbering, face):
        away = ab - look.pip_spread * np.array(cell)
        share = (away**2).sum(axis=1) / radius**2
        hole = share < 1
        deepest = look.depth * radius
        depth[hole] = deepest * (1 - share[hole])
        slope[hole] = -2 * deepest * away[hole] / radius**2
    return depth, slope


def _grid_triangles(side: int) -> NDArray[np.int64]:
    at = (np.arange(side - 1)[:, np.newaxis] * side + np.arange(side - 1)).ravel()
    return np.concatenate(
        [np.column_stack([at, at + side, at + side + 1]), np.column_stack([at, at + side + 1, at + 1])]
    )


def die_picture(look: DieLook) -> Picture:
    """Return the painted faces, RGB uint8 (2 * FACE_PX, 3 * FACE_PX, 3): 1 2 3 above 4 5 6."""
    faces = [face_picture(look, face) for face in FACES]
    return np.vstack([np.hstack(faces[:3]), np.hstack(faces[3:])])


def face_picture(look: DieLook, face: int) -> Picture:
    """Return one face, RGB uint8 (FACE_PX, FACE_PX, 3): columns run across, rows along."""
    chance = np.random.default_rng([look.seed, face])
    ground = _ground(look, chance)
    side = FACE_PX * _FINE
    mask = np.zeros((side, side), dtype=np.uint8)
    for cell in pip_cells(look.numbering, face):
        centre = (0.5 + look.pip_spread * np.array(cell) + _unevenness(look, chance)) * side
        radius = round(look.pip_radii[face - 1] * side * 16)  # in sixteenths, as the middle
        cv2.circle(mask, (round(centre[0] * 16), round(centre[1] * 16)), radius, 255, -1, cv2.LINE_AA, 4)
    share = cv2.resize(mask, (FACE_PX, FACE_PX), interpolation=cv2.INTER_AREA)[..., np.newaxis] / 255.0
    faded = share * (1 - 0.35 * look.wear * np.clip(grain(chance, FACE_PX, 3), 0, 1)[..., np.newaxis])
    return srgb_bytes(ground * (1 - faded) + np.array(look.pip_colours[face - 1]) * faded)


def _unevenness(look: DieLook, chance: np.random.Generator) -> Floats:
    return chance.normal(0, 0.004 * min(1.0, look.wear), 2)


def _ground(look: DieLook, chance: np.random.Generator) -> Floats:
    colour, second = np.array(look.colour), np.array(look.second)
    shade = 1 + 0.015 * grain(chance, FACE_PX, 8)
    ground = colour * shade[..., np.newaxis]
    if look.pattern == "marbled":
        veins = np.exp(-((grain(chance, FACE_PX, 14) / 0.5) ** 2))[..., np.newaxis]
        ground = ground * (1 - 0.35 * veins) + 0.35 * veins * (0.6 * colour + 0.4 * second)
    elif look.pattern == "speckled":
        specks = (grain(chance, FACE_PX, 1.6) > 1.9)[..., np.newaxis]
        ground = np.where(specks, 0.75 * ground + 0.25 * second, ground)
    elif look.pattern == "gem":
        ground = ground * (1 + 0.3 * _from_middle()[..., np.newaxis]) + 0.05 * _from_middle()[..., np.newaxis]
    elif look.pattern == "wood":
        ground = ground * (1 + 0.08 * grain(chance, FACE_PX, 30, 1.5))[..., np.newaxis]
    return _worn(look, ground, chance)


def _from_middle() -> Floats:
    """Return a rim of light along the edges, 0 in the middle to 1, (FACE_PX, FACE_PX)."""
    along = np.abs(np.linspace(-1, 1, FACE_PX))
    return np.maximum(along[:, np.newaxis], along) ** 4


def _worn(look: DieLook, ground: Floats, chance: np.random.Generator) -> Floats:
    """Darken and scuff the edges of an old die."""
    rubbed = _from_middle() * np.clip(0.6 + 0.5 * grain(chance, FACE_PX, 4), 0, 1.5)
    scratches = np.clip(grain(chance, FACE_PX, 12, 0.8) - 2.2, 0, 1)
    dirt = look.wear * (0.28 * rubbed + 0.4 * scratches)
    return np.asarray(ground * (1 - np.clip(dirt, 0, 0.7)[..., np.newaxis]))
