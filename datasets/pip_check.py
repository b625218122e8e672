"""Looks at a made picture: does every die that can be read show the pips its label says, and no others?

A texture turned over, a light that wipes pips out or a colour too near the die's would make a wrong or unfair
label; pictures with such a die are thrown away.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from datasets.lens import project
from datasets.numbering import GRID, axis_of, face_frame, pip_cells, top_face
from datasets.rig import DieLook, Floats, Lying, Rig
from datasets.solids import Block, are_hidden, wall_blocks
from vision.opencv import cv2
from vision.sampling import sample

Image = NDArray[np.uint8]
LEAST_VISIBLE: Final = 0.7
STEEPEST_DEG: Final = 35.0
LEAST_CELLS: Final = 6  # of the nine places pips can have: with fewer in view a die is not held to its label
LEAST_CONTRAST: Final = 20.0  # grey levels of the colour in which pips stand out most
LARGE_PIP: Final = 0.13
_WEAKEST_PIP, _STRONGEST_GAP = 0.45, 0.4  # shares of the middle contrast of the face's pips


def unreadable_dice(rig: Rig, lying: Lying, truth: dict[str, Any], image: Image) -> list[int]:
    """Return the dice, by number, whose pips in the picture BGR (H, W, 3) are not those of their label."""
    blurred = np.asarray(cv2.GaussianBlur(image, (0, 0), 0.7), dtype=np.uint8)
    looked = _Looked(rig, lying, blurred, wall_blocks(rig.tray))
    return [
        number
        for number, die in enumerate(truth["dice"])
        if is_held_to_its_label(die) and not _shows_its_face(looked, number, die["face"])
    ]


def is_held_to_its_label(die: dict[str, Any]) -> bool:
    """Whether enough of the die is in view, and its top face flat enough, to be read."""
    return bool(die["in_frame"] and die["visible"] >= LEAST_VISIBLE and die["tilt_deg"] <= STEEPEST_DEG)


@dataclass(frozen=True, slots=True, eq=False)
class _Looked:
    rig: Rig
    lying: Lying
    picture: Image
    walls: list[Block]


def _shows_its_face(looked: _Looked, number: int, face: int) -> bool:
    rig, lying, picture, walls = looked.rig, looked.lying, looked.picture, looked.walls
    look, at_mm, turn = rig.dice[number], lying.poses.at_mm[number], lying.poses.turn[number]
    if top_face(turn, look.numbering)[0] != face:
        return False
    pips = set(pip_cells(look.numbering, face))
    places = _on_face(look, face, np.array(GRID) * look.pip_spread) @ turn.T + at_mm
    others = [
        Block(lying.poses.at_mm[i], np.full(3, 0.49 * rig.die_mm), lying.poses.turn[i])
        for i in range(len(lying.poses))
        if i != number
    ]
    seen = ~are_hidden([*others, *walls], places, rig.lens.at_mm)
    if seen.sum() < LEAST_CELLS:
        return True
    is_pip = np.array([cell in pips for cell in GRID])
    cells = sample(picture, project(rig.lens, places))
    bare = sample(picture, project(rig.lens, _bare_places(look, face) @ turn.T + at_mm))
    away = cells - np.median(bare, axis=0)
    is_gap = _is_bare(look, face, np.array(GRID) * look.pip_spread)
    ring = sample(picture, project(rig.lens, _within_pips(look, face) @ turn.T + at_mm))
    pips_seen = np.vstack([away[seen & is_pip], ring - np.median(bare, axis=0)])
    return _stand_out(pips_seen, away[seen & is_gap])


def _stand_out(pips: Floats, gaps: Floats) -> bool:
    """Whether colours (N, 3) of pips, less the die's, are alike and strong, and those of gaps (M, 3) weak."""
    if not len(pips):
        return False
    ink = np.median(pips, axis=0)
    strength = float(np.abs(ink).max())
    if strength < LEAST_CONTRAST:
        return False
    shares = pips @ ink / (ink @ ink)
    between = gaps @ ink / (ink @ ink)
    return bool((shares > _WEAKEST_PIP).all() and (between < _STRONGEST_GAP).all())


def _on_face(look: DieLook, face: int, ab: Floats) -> Floats:
    """Return places (N, 3) in mm in the die's frame of places (N, 2) on a face, in edges from its middle."""
    axis = axis_of(look.numbering, face)
    across, along = face_frame(axis)
    return np.asarray((axis / 2 + ab[:, :1] * across + ab[:, 1:] * along) * look.edge_mm)


def _bare_places(look: DieLook, face: int) -> Floats:
    steps = np.linspace(-0.3, 0.3, 9)
    ab = np.column_stack([grid.ravel() for grid in np.meshgrid(steps, steps)])
    return _on_face(look, face, ab[_is_bare(look, face, ab)])


def _within_pips(look: DieLook, face: int) -> Floats:
    """Return places towards the edge of a large 1, which a small pip in its middle would not reach.

    For other faces the middle of the first pip: nothing that is not looked at anyway.
    """
    angles = np.linspace(0, 2 * np.pi, 6, endpoint=False)
    radius = look.pip_radii[face - 1]
    reach = 0.75 * radius if face == 1 and radius > LARGE_PIP else 0.0
    first = look.pip_spread * np.array(pip_cells(look.numbering, face)[0])
    return _on_face(look, face, first + reach * np.column_stack([np.cos(angles), np.sin(angles)]))


def _is_bare(look: DieLook, face: int, ab: Floats) -> NDArray[np.bool_]:
    """Return which places (N, 2) of a face are clear of its pips; a large 1 reaches into other cells."""
    pips = look.pip_spread * np.array(pip_cells(look.numbering, face))
    away = np.linalg.norm(ab[:, np.newaxis] - pips, axis=2).min(axis=1)
    return np.asarray(away > 1.4 * look.pip_radii[face - 1])
