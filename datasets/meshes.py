"""What stands still in a picture, as triangles: floor, folds, wall, table, coin; in mm, floor frame."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from datasets.dice_mesh import Mesh
from datasets.rig import Coin, Cup, Floats, Fold, Tray, grown, wall_profile

TABLE_REACH_MM: Final = 2500.0
_ROUND: Final = 48
_SUNK_MM: Final = 0.1  # so that a table never lies in the very plane of a floor


def floor_mesh(tray: Tray) -> Mesh:
    """Return the floor, reaching a little under the wall's foot, with its folds."""
    ring = np.array(tray.outline)
    middle = np.zeros((1, 3))
    vertices = np.vstack([middle, np.column_stack([ring, np.zeros(len(ring))])])
    floor = _flat(vertices, _fan(len(ring)), tray.floor.tile_mm)
    return joined([floor, *(_fold_mesh(fold, tray.floor.tile_mm) for fold in tray.folds)])


def _fan(count: int) -> NDArray[np.int64]:
    at = np.arange(count)
    return np.column_stack([np.zeros(count, dtype=np.int64), 1 + at, 1 + (at + 1) % count])


def _flat(vertices: Floats, triangles: NDArray[np.int64], tile_mm: float) -> Mesh:
    up = np.tile([0.0, 0, 1], (len(vertices), 1))
    return Mesh(vertices, up, vertices[:, :2] / tile_mm, triangles)


def _fold_mesh(fold: Fold, tile_mm: float) -> Mesh:
    """Return the crest as rings across it, smaller towards its ends."""
    start, end = np.array(fold.start), np.array(fold.end)
    ahead = (end - start) / np.linalg.norm(end - start)
    aside = np.array([-ahead[1], ahead[0]])
    length = float(np.linalg.norm(end - start))
    w = fold.half_width_mm
    along = np.linspace(-w, length + w, 33)
    across = np.linspace(-w, w, 17)
    beyond = np.maximum(0, np.maximum(-along, along - length)) / w
    share = np.clip(1 - (across[np.newaxis] / w) ** 2 - beyond[:, np.newaxis] ** 2, -0.05, 1)
    height = fold.height_mm * share + 0.02
    flat = start + along[:, np.newaxis, np.newaxis] * ahead + across[np.newaxis, :, np.newaxis] * aside
    places = np.dstack([flat, height])
    slope_along, slope_across = (np.asarray(slope) for slope in np.gradient(height, along, across))
    up = np.dstack(
        [-slope_along[..., np.newaxis] * ahead - slope_across[..., np.newaxis] * aside, np.ones_like(height)]
    )
    vertices, normals = places.reshape(-1, 3), up.reshape(-1, 3)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    return Mesh(vertices, normals, vertices[:, :2] / tile_mm, grid_triangles(len(along), len(across)))


def grid_triangles(rows: int, columns: int) -> NDArray[np.int64]:
    """Return the triangles (T, 3) of a grid of vertices numbered row by row."""
    at = (np.arange(rows - 1)[:, np.newaxis] * columns + np.arange(columns - 1)).ravel()
    right, below = at + 1, at + columns
    return np.concatenate([np.column_stack([at, below, below + 1]), np.column_stack([at, below + 1, right])])


def wall_mesh(tray: Tray) -> Mesh:
    """Return the wall's foot, inside, rim and outside down to the table, flat shaded; of a mat, its edge."""
    profile = wall_profile(tray)
    section = [*profile, (profile[-1][0], -tray.base_mm - 0.1)]
    rings = [
        np.column_stack([grown(tray.outline, out), np.full(len(tray.outline), up)]) for out, up in section
    ]
    parts = []
    for low, high in pairwise(rings):
        for corner in range(len(low)):
            after = (corner + 1) % len(low)
            parts.append(_quad(low[corner], low[after], high[after], high[corner], tray.wall.tile_mm))
    return joined(parts)


def _quad(a: Floats, b: Floats, c: Floats, d: Floats, tile_mm: float) -> Mesh:
    ahead = (b - a) / np.linalg.norm(b - a)
    normal = np.cross(b - a, d - a)
    normal /= np.linalg.norm(normal)
    up = np.cross(normal, ahead)
    corners = np.array([a, b, c, d])
    uv = np.column_stack([corners @ ahead, corners @ up]) / tile_mm
    return Mesh(corners, np.tile(normal, (4, 1)), uv, np.array([[0, 1, 2], [0, 2, 3]]))


def table_mesh(base_mm: float, tile_mm: float) -> Mesh:
    """Return the table the tray stands on."""
    reach = TABLE_REACH_MM
    corners = np.array([[-reach, -reach], [reach, -reach], [reach, reach], [-reach, reach]])
    vertices = np.column_stack([corners, np.full(4, -max(base_mm, _SUNK_MM))])
    return _flat(vertices, np.array([[0, 1, 2], [0, 2, 3]]), tile_mm)


def coin_mesh(coin: Coin) -> Mesh:
    """Return a disc with a raised rim."""
    r, t = coin.radius_mm, coin.thick_mm
    section = [(0.0, 0.9 * t), (0.86 * r, 0.9 * t), (0.9 * r, t), (0.98 * r, t), (r, 0.9 * t), (r, 0.0)]
    angles = 2 * np.pi * np.arange(_ROUND + 1) / _ROUND
    rings = np.array([[(out * np.cos(a), out * np.sin(a), up) for a in angles] for out, up in section])
    vertices = rings.reshape(-1, 3) + np.array([*coin.at, 0])
    normals = np.tile([0.0, 0, 1], (len(vertices), 1))
    outward = np.column_stack([np.cos(angles), np.sin(angles), np.zeros(len(angles))])
    normals[-2 * len(angles) :] = np.tile(outward, (2, 1))
    return Mesh(vertices, normals, vertices[:, :2] / r, grid_triangles(len(section), _ROUND + 1)[:, ::-1])


def cup_mesh(cup: Cup) -> Mesh:
    """Return a cup standing on its mouth, outside, bottom and inside; origin in the middle of the mouth."""
    thin = 0.94
    section = [
        (0.0, cup.high_mm * 0.97),
        (thin * cup.bottom_mm, cup.high_mm * 0.97),
        (thin * cup.mouth_mm, 0.0),
        (cup.mouth_mm, 0.0),
        (cup.bottom_mm, cup.high_mm),
        (0.0, cup.high_mm),
    ]
    angles = 2 * np.pi * np.arange(_ROUND + 1) / _ROUND
    parts = []
    for (out_0, up_0), (out_1, up_1) in pairwise(section):
        rings = np.array(
            [[(o * np.cos(a), o * np.sin(a), u) for a in angles] for o, u in ((out_0, up_0), (out_1, up_1))]
        )
        rise, out = up_1 - up_0, out_1 - out_0
        normals = np.column_stack([np.cos(angles) * rise, np.sin(angles) * rise, np.full(len(angles), -out)])
        normals /= np.linalg.norm(normals, axis=1, keepdims=True)
        vertices = rings.reshape(-1, 3)
        uv = vertices[:, :2] / cup.mouth_mm
        parts.append(Mesh(vertices, np.tile(normals, (2, 1)), uv, grid_triangles(2, _ROUND + 1)[:, ::-1]))
    return joined(parts)


def joined(parts: list[Mesh]) -> Mesh:
    """Return several meshes as one."""
    starts = np.cumsum([0] + [len(part.vertices) for part in parts[:-1]])
    return Mesh(
        np.concatenate([part.vertices for part in parts]),
        np.concatenate([part.normals for part in parts]),
        np.concatenate([part.uv for part in parts]),
        np.concatenate([part.triangles + start for part, start in zip(parts, starts, strict=True)]),
    )


def placed(mesh: Mesh, at_mm: Floats, turn: Floats) -> Mesh:
    """Return the mesh turned and moved."""
    return Mesh(mesh.vertices @ turn.T + at_mm, mesh.normals @ turn.T, mesh.uv, mesh.triangles)
