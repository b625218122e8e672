"""Rigs the tests look at."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from datasets.rig import Floats, Lens, Poses, Rig, Surface, Tray
from datasets.rig_choice import choose_rig

PLAIN = Surface("plain", (0.1, 0.3, 0.15), (0.1, 0.1, 0.1), 300.0, 1.0, 0.8, 1)
WIDTH, DEPTH = 200.0, 140.0


def chosen(seed: int) -> Rig:
    return choose_rig(np.random.default_rng(seed))


def overhead(size: tuple[int, int] = (640, 480), height: float = 500.0, focal: float = 1100.0) -> Lens:
    """A lens without distortion straight above the middle; x runs right, y up in the picture."""
    matrix = np.array([[focal, 0, (size[0] - 1) / 2], [0, focal, (size[1] - 1) / 2], [0, 0, 1]])
    turn = np.diag([1.0, -1.0, -1.0])
    return Lens(size, matrix, np.zeros(5), turn, np.array([0, 0, height]))


def plain_rig() -> Rig:
    """A 200 x 140 mm tray of 20 mm high walls under an upright camera, with 16 mm dice."""
    corners = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    outline = tuple((x * WIDTH / 2, y * DEPTH / 2) for x, y in corners)
    tray = Tray("rectangle", outline, 20.0, 10.0, 0.0, 0.0, 3.0, PLAIN, PLAIN)
    rig = chosen(1)
    dice = tuple(replace(look, edge_mm=16.0, rounding=0.1) for look in rig.dice)
    return replace(rig, tray=tray, lens=overhead(), dice=dice)


def turned(axis: tuple[float, float, float], degrees: float) -> Floats:
    """The rotation (3, 3) about an axis."""
    x, y, z = np.array(axis) / np.linalg.norm(axis)
    angle = np.radians(degrees)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross)


def poses(*dice: tuple[tuple[float, float, float], Floats]) -> Poses:
    return Poses(np.array([at for at, _ in dice], dtype=float), np.array([turn for _, turn in dice]))
