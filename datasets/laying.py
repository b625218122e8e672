"""Dice laid flat by hand: scattered, or in touching rows. Needs no physics."""

from __future__ import annotations

from typing import Final

import numpy as np

from datasets.rig import MOST_DICE, Floats, Lying, Poses, Rig, edge_margin

Chance = np.random.Generator
_TRIES: Final = 400


class NoRoomError(ValueError):
    """The dice do not fit on the floor that way."""


def lay_scattered(rig: Rig, chance: Chance) -> Lying:
    """Return some dice, clear of each other and of the wall; raises NoRoomError."""
    count = dice_thrown(chance)
    reach = np.abs(np.array(rig.tray.outline)).max(axis=0)
    middles: list[Floats] = []
    for _ in range(_TRIES):
        place = chance.uniform(-reach, reach)
        apart = all(np.linalg.norm(place - other) > 1.43 * rig.die_mm for other in middles)
        if apart and _on_floor(rig, place[np.newaxis]):
            middles.append(place)
        if len(middles) == count:
            turns = np.array([flat_turn(chance, chance.uniform(0, 2 * np.pi)) for _ in range(count)])
            return Lying(_on_their_faces(rig, np.array(middles), turns), count)
    raise NoRoomError("no room to scatter the dice")


def lay_in_rows(rig: Rig, chance: Chance) -> Lying:
    """Return dice side by side in one or two rows, a hair's breadth apart; raises NoRoomError."""
    count = int(chance.integers(2, MOST_DICE + 1))
    rows = int(chance.choice([1, 2]))
    cells = np.array([(number // rows, number % rows) for number in range(count)], dtype=float)
    gap = rig.die_mm * (1.0 + float(chance.choice([0.012, chance.uniform(0.012, 0.12)])))
    for _ in range(_TRIES):
        angle = chance.uniform(0, 2 * np.pi)
        spin = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        reach = np.abs(np.array(rig.tray.outline)).max(axis=0)
        places = ((cells - cells.mean(axis=0)) * gap) @ spin.T + chance.uniform(-reach, reach)
        if _on_floor(rig, places):
            turns = np.array([flat_turn(chance, angle) for _ in range(count)])
            return Lying(_on_their_faces(rig, places, turns), count)
    raise NoRoomError("no room for a row of dice")


def dice_thrown(chance: Chance) -> int:
    """Return how many dice a player throws: mostly all six, less often the rest after setting aside."""
    return int(chance.choice([1, 2, 3, 4, 5, 6], p=[0.03, 0.05, 0.08, 0.12, 0.17, 0.55]))


def cube_turn(chance: Chance) -> Floats:
    """Return one of the 24 rotations (3, 3) that carry a cube into itself."""
    while True:
        turn = np.eye(3)[chance.permutation(3)] * chance.choice([-1.0, 1.0], 3)[:, np.newaxis]
        if np.linalg.det(turn) > 0:
            return np.asarray(turn)


def flat_turn(chance: Chance, angle: float) -> Floats:
    """Return a rotation (3, 3) that lays a cube on any of its faces, turned by `angle` radians."""
    cos, sin = np.cos(angle), np.sin(angle)
    return np.asarray(np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]]) @ cube_turn(chance))


def _on_their_faces(rig: Rig, middles: Floats, turns: Floats) -> Poses:
    return Poses(np.column_stack([middles, np.full(len(middles), rig.die_mm / 2)]), turns)


def _on_floor(rig: Rig, places: Floats) -> bool:
    """Whether dice at places (N, 2) lie on the floor, clear of wall and folds."""
    if edge_margin(rig.tray.outline, places).min() < 0.75 * rig.die_mm:
        return False
    for fold in rig.tray.folds:
        start, along = np.array(fold.start), np.array(fold.end) - np.array(fold.start)
        share = np.clip((places - start) @ along / (along @ along), 0, 1)
        nearest = start + share[:, np.newaxis] * along
        if np.linalg.norm(places - nearest, axis=1).min() < 0.75 * rig.die_mm + fold.half_width_mm:
            return False
    return True
