"""Camera and floor from the tray's own shape: its outline in the picture and its stated inner size."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from itertools import product

import numpy as np

from vision.calibrate.fitting import CameraFit, Problem, camera_at, fit_camera
from vision.calibrate.lens_and_pose import CENTER, FOCAL, POSE, usual_lens
from vision.calibrate.outline import Outline
from vision.domain import FloatArray

SIDE_PLACES, ROUND_PLACES = 6, 36  # of the outline that are compared: neighbours are off by the same
EDGE_NOISE_MM = 0.3  # by which walls are not straight and their feet are rounded
TILTS = (-0.1, 0.1)  # radians to begin from: what a plane's picture leaves open is on which side it leans
# A circle's picture hardly tells tilt from nearness and a turn not at all: a camera over a table looks down.
ROUND_TILT, ROUND_TURN = 0.1, 0.001


class Shape(StrEnum):
    """Shapes of trays."""

    RECTANGLE = "rectangle"
    OCTAGON = "octagon"
    ROUND = "round"


SIDE_COUNTS = {Shape.RECTANGLE: 4, Shape.OCTAGON: 8, Shape.ROUND: 0}


@dataclass(frozen=True, slots=True)
class InnerSize:
    """A tray's floor in mm: a rectangle's sides; else twice its width between opposite sides, or diameter."""

    shape: Shape
    width_mm: float
    height_mm: float


def fit_to_tray(outline: Outline, inner: InnerSize, image_size: tuple[int, int]) -> CameraFit:
    """Return the camera over the floor whose outline is `outline`; the floor's origin is its middle.

    `outline` must have as many sides as the shape.
    """
    edges = _places(outline)
    starts = [
        np.array([*tilt, *start])
        for start in _starts(edges, inner, image_size)
        for tilt in product(TILTS, TILTS)
    ]
    is_round = inner.shape is Shape.ROUND
    problem = Problem(
        partial(_round_off_mm if is_round else _off_mm, edges, inner),
        starts,
        least_noise=EDGE_NOISE_MM,
        known=np.array([ROUND_TILT, ROUND_TILT, ROUND_TURN, *[np.inf] * 3]) if is_round else None,
        known_at=np.zeros(POSE) if is_round else None,
    )
    return fit_camera(problem, image_size)


def _places(outline: Outline) -> FloatArray:
    """Places (sides, P, 2) on each side of the outline; those of a round one in one row."""
    sides, count = (outline.sides, SIDE_PLACES) if outline.sides else ((outline.edge_px,), ROUND_PLACES)
    return np.stack([side[np.linspace(0, len(side) - 1, count).round().astype(np.intp)] for side in sides])


def _starts(edges: FloatArray, inner: InnerSize, image_size: tuple[int, int]) -> list[FloatArray]:
    """Turn and place (4,) to begin from; of a rectangle either pair of sides may be the longer."""
    middle = edges.reshape(-1, 2).mean(axis=0)
    reach = float(np.linalg.norm(edges - middle, axis=-1).mean())
    lens, _ = usual_lens(image_size)
    focal = float(np.exp(lens[FOCAL]))
    away = focal * (inner.width_mm + inner.height_mm) / 4 / reach
    place = [*(middle - lens[CENTER]) * (away / focal), away]
    first = edges[0].mean(axis=0) - middle
    turn = 0.0 if inner.shape is Shape.ROUND else float(np.arctan2(first[1], first[0]))
    turns = [turn, turn + np.pi / 2] if inner.width_mm != inner.height_mm else [turn]
    return [np.array([each, *place]) for each in turns]


def _off_mm(edges: FloatArray, inner: InnerSize, values: FloatArray) -> FloatArray:
    """How far outside its side each place of `edges` lies on the floor."""
    floor = camera_at(values).on_plane(edges.reshape(-1, 2), 0.0).reshape(edges.shape)
    which = _which_side(floor.mean(axis=1))
    angles = which * (2 * np.pi / len(edges))
    normals = np.column_stack([np.cos(angles), np.sin(angles)])
    reach = np.where(which % 2 == 0, inner.width_mm, inner.height_mm) / 2
    return np.asarray(((floor * normals[:, None]).sum(axis=-1) - reach[:, None]).ravel())


def _which_side(middles_mm: FloatArray) -> FloatArray:
    """Which side of the tray, each another one, has its middle at each of `middles_mm` (sides, 2).

    They follow one another clockwise. Were each taken for the side that it is nearest to, all could be one
    side, and a camera on the floor, to which everything is one point, would explain any picture.
    """
    count = len(middles_mm)
    order, step = np.arange(count), 2 * np.pi / count
    pointing = np.exp(1j * (np.arctan2(middles_mm[:, 1], middles_mm[:, 0]) + order * step)).sum()
    return np.asarray(np.rint(np.angle(pointing) / step) - order)


def _round_off_mm(edges: FloatArray, inner: InnerSize, values: FloatArray) -> FloatArray:
    floor = camera_at(values).on_plane(edges.reshape(-1, 2), 0.0)
    return np.asarray(np.linalg.norm(floor, axis=1) - inner.width_mm / 2)
