"""Where the numbers and pips of a die are: pure geometry of a cube of edge 1."""

from __future__ import annotations

from typing import Final

import numpy as np

from datasets.rig import DieLook, Floats, Numbering

FACES: Final = (1, 2, 3, 4, 5, 6)
_X, _Y, _Z = (1, 0, 0), (0, 1, 0), (0, 0, 1)
_CELLS: Final[dict[int, tuple[tuple[int, int], ...]]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (0, -1), (1, -1), (-1, 1), (0, 1), (1, 1)),
}
GRID: Final = tuple((column, row) for row in (-1, 0, 1) for column in (-1, 0, 1))


def axis_of(numbering: Numbering, face: int) -> Floats:
    """Return the axis (3,) of the die's frame that `face` looks along; opposite faces sum to 7."""
    order = (_X, _Z, _Y) if numbering.clockwise else (_X, _Y, _Z)
    low, sign = (face, 1) if face <= 3 else (7 - face, -1)
    return sign * np.array(order[low - 1], dtype=float)


def axes_of(numbering: Numbering) -> Floats:
    """Return the axes (6, 3) of faces 1 to 6."""
    return np.array([axis_of(numbering, face) for face in FACES])


def face_frame(axis: Floats) -> tuple[Floats, Floats]:
    """Return the directions across and along of a face that looks along `axis`; right-handed with it."""
    across = np.roll(axis, 1)
    return across, np.cross(axis, across)


def pip_cells(numbering: Numbering, face: int) -> tuple[tuple[int, int], ...]:
    """Return the cells (across, along), each -1 to 1, of the pips of `face`."""
    cells = _CELLS[face]
    if face not in numbering.turned:
        return cells
    return tuple((-along, across) for across, along in cells)


def pip_places(look: DieLook, face: int) -> Floats:
    """Return the middles (N, 3) of the pips of `face` in the frame of a die of edge 1."""
    axis = axis_of(look.numbering, face)
    across, along = face_frame(axis)
    return np.array(
        [axis / 2 + look.pip_spread * (a * across + b * along) for a, b in pip_cells(look.numbering, face)]
    )


def top_face(turn: Floats, numbering: Numbering) -> tuple[int, float]:
    """Return the top-most face of a die turned by `turn` (3, 3), and its tilt in degrees."""
    upward = axes_of(numbering) @ turn[2]
    best = int(upward.argmax())
    return FACES[best], float(np.degrees(np.arccos(min(1.0, float(upward[best])))))


def turn_to_show(numbering: Numbering, face: int, instead_of: int) -> Floats:
    """Return the rotation (3, 3) of a die in its own frame by which `face` comes where `instead_of` was."""
    here, there = axis_of(numbering, face), axis_of(numbering, instead_of)
    if abs(here @ there) > 0:
        about = np.roll(here, 1)
        return np.eye(3) if here @ there > 0 else 2 * np.outer(about, about) - np.eye(3)
    about = np.cross(here, there)  # a quarter turn
    return np.outer(there, here) - np.outer(here, there) + np.outer(about, about)


def face_corners(axis: Floats) -> Floats:
    """Return the corners (4, 3) of the face along `axis` of a sharp cube of edge 1, clockwise from above."""
    across, along = face_frame(axis)
    signs = ((-1, 1), (1, 1), (1, -1), (-1, -1))
    return np.array([axis / 2 + (a * across + b * along) / 2 for a, b in signs])
