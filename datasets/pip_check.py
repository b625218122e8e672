"""Looks at a made picture: does every die that can be read show the pips its label says, and no others?

A texture turned over or a colour too near the die's would make a wrong or unfair label; pictures with such a
die are thrown away. Where a reflection has wiped pips out the label may be right, but the die cannot be read.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
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
GLARE_LEVEL: Final = 200.0  # grey levels of the darkest colour where a lamp's reflection hides pips
_WEAKEST_PIP, _STRONGEST_GAP = 0.45, 0.4  # shares of the middle contrast of the face's pips


class Pips(Enum):
    """What a picture shows of a die's top face."""

    SHOWN = "as its label says"
    UNSEEN = "too little of it is in view, or too steeply"
    WIPED = "some or all of its pips are missing, and it is as bright there as glare"
    WRONG = "not what its label says"


def pips_seen(
    rig: Rig, lying: Lying, truth: dict[str, Any], image: Image, contrast: float = LEAST_CONTRAST
) -> list[Pips]:
    """Return what the picture BGR (H, W, 3) shows of every die; pips stand out by `contrast` at least."""
    blurred = np.asarray(cv2.GaussianBlur(image, (0, 0), 0.7), dtype=np.uint8)
    looked = _Looked(rig, lying, blurred, wall_blocks(rig.tray), contrast)
    return [
        _seen_of(looked, number, die["face"]) if is_held_to_its_label(die) else Pips.UNSEEN
        for number, die in enumerate(truth["dice"])
    ]


def with_readable(truth: dict[str, Any], seen: list[Pips]) -> dict[str, Any]:
    """Return the truth with `readable` at every die: whether its pips were seen as its label says."""
    dice = [die | {"readable": pips is Pips.SHOWN} for die, pips in zip(truth["dice"], seen, strict=True)]
    return truth | {"dice": dice}


def is_held_to_its_label(die: dict[str, Any]) -> bool:
    """Whether enough of the die is in view, and its top face flat enough, to be read."""
    return bool(die["in_frame"] and die["visible"] >= LEAST_VISIBLE and die["tilt_deg"] <= STEEPEST_DEG)


@dataclass(frozen=True, slots=True, eq=False)
class _Looked:
    rig: Rig
    lying: Lying
    picture: Image
    walls: list[Block]
    contrast: float


def _seen_of(looked: _Looked, number: int, face: int) -> Pips:
    rig, lying, picture, walls = looked.rig, looked.lying, looked.picture, looked.walls
    look, at_mm, turn = rig.dice[number], lying.poses.at_mm[number], lying.poses.turn[number]
    if top_face(turn, look.numbering)[0] != face:
        return Pips.WRONG
    pips = set(pip_cells(look.numbering, face))
    places = _on_face(look, face, np.array(GRID) * look.pip_spread) @ turn.T + at_mm
    others = [
        Block(lying.poses.at_mm[i], np.full(3, 0.49 * rig.die_mm), lying.poses.turn[i])
        for i in range(len(lying.poses))
        if i != number
    ]
    seen = ~are_hidden([*others, *walls], places, rig.lens.at_mm)
    if seen.sum() < LEAST_CELLS:
        return Pips.UNSEEN
    is_pip = np.array([cell in pips for cell in GRID])
    cells = sample(picture, project(rig.lens, places))
    bare = sample(picture, project(rig.lens, _bare_places(look, face) @ turn.T + at_mm))
    is_gap = _is_bare(look, face, np.array(GRID) * look.pip_spread)
    ring = sample(picture, project(rig.lens, _within_pips(look, face) @ turn.T + at_mm))
    pips_there = np.vstack([cells[seen & is_pip], ring]).astype(np.float64)
    gaps = cells[seen & is_gap].astype(np.float64)
    ground = np.median(bare, axis=0).astype(np.float64)
    weak, strong = _weak_pips(pips_there - ground, looked.contrast), _strong_gaps(pips_there, gaps, ground)
    if not weak.any() and not strong.any():
        return Pips.SHOWN
    glared = np.concatenate([pips_there[weak], gaps[strong]]).min(axis=1) >= GLARE_LEVEL
    return Pips.WIPED if glared.all() else Pips.WRONG


def _weak_pips(pips: Floats, contrast: float) -> NDArray[np.bool_]:
    """Return which colours (N, 3) of pips, less the die's, are too weak; all of them when most are."""
    ink = np.median(pips, axis=0)
    if float(np.abs(ink).max()) < contrast:
        return np.ones(len(pips), dtype=bool)
    return np.asarray(pips @ ink / (ink @ ink) <= _WEAKEST_PIP)


def _strong_gaps(pips: Floats, gaps: Floats, ground: Floats) -> NDArray[np.bool_]:
    """Return which colours (M, 3) between pips are too much like the pips'."""
    ink = np.median(pips, axis=0) - ground
    return np.asarray((gaps - ground) @ ink / max(float(ink @ ink), 1e-6) >= _STRONGEST_GAP)


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
