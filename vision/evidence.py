"""Weigh the signs that a face is the top of a die into one probability.

A logistic model for each kind of face, fitted by `python -m models.geometry` to labelled pictures; its
weights are in `evidence.json`. No sign depends on the size of the picture or of the dice,
and each can only speak the way it must: `FOR` or `AGAINST`.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

import numpy as np

from vision.bodies import Bodies
from vision.domain import FloatArray
from vision.faces import Faces
from vision.pips import Pips

FOR = ("weakest_side", "second_side", "other_sides", "calm", "plain", "relief")
AGAINST = (
    "misfit",
    "stretch",
    "shear",
    "large_pips",
    "small_pips",
    "roughness",
    "uneven_size",
    "uneven_pips",
    "strangers",
)
SIGNS = ("constant", *FOR, *AGAINST)
MISFIT_SCALE = np.array([np.nan, 1.0, 1.0, 0.03, 0.01, 0.01, 0.01])
USUAL_STRETCH = np.array([np.nan, 1.0, 1.0, 1.0, 1.1, 1.1, 1.85])
USUAL_PIP = 0.22  # radius over half the die's side


def signs_of(
    pips: Pips, faces: Faces, bodies: Bodies, plain: FloatArray, strangers: FloatArray
) -> FloatArray:
    """The signs (N, len(SIGNS)) of N faces, each about 0 to 1.

    `plain` (N,): see `vision.bodies.plainness`; `strangers` (N,): pips alike in the face's square that its
    layout does not explain.
    """
    sides = np.sort(bodies.sides, axis=1)
    half = np.sqrt(np.maximum(np.abs(np.linalg.det(bodies.half)), 1e-9))
    pip = np.log(faces.radius_px / half / USUAL_PIP)
    shear = np.linalg.cond(faces.shear)
    columns = {
        "constant": np.ones(len(faces)),
        "misfit": np.minimum(faces.residual / MISFIT_SCALE[faces.face], 3.0) / 3,
        "stretch": np.clip(faces.stretch - USUAL_STRETCH[faces.face], 0.0, 0.5) * 2,
        "shear": np.clip(shear - 1.08, 0.0, 0.8),
        "weakest_side": _seen(sides[:, 0]),
        "second_side": _seen(sides[:, 1]),
        "other_sides": _seen(sides[:, 2:].mean(axis=1)),
        "calm": -np.log10(1.0 - bodies.calm + 0.03),
        "plain": -np.log10(1.0 - plain + 0.05),
        "relief": np.clip(np.log10(bodies.relief), 0.0, 1.5),
        "large_pips": np.clip(pip, 0.0, 1.0),
        "small_pips": np.clip(-pip, 0.0, 1.0),
        "roughness": np.minimum(faces.mean_of(pips.roughness) / 0.15, 1.0),
        "uneven_size": np.minimum(_scatter(pips.radius_px[:, None], faces) / faces.radius_px, 0.3) / 0.3,
        "uneven_pips": np.minimum(_scatter(pips.pip_bgr, faces) / faces.mean_of(pips.contrast), 0.3) / 0.3,
        "strangers": np.minimum(strangers, 2.0) / 2,
    }
    return np.stack([columns[name] for name in SIGNS], axis=1)


def _seen(side: FloatArray) -> FloatArray:
    """0 for a side in full view, below for less: one side that is not there outweighs three that are."""
    return np.asarray(np.log10(np.maximum(side, 0.05)))


def weigh(faces: Faces, signs: FloatArray) -> FloatArray:
    """Log odds (N,) that each face is the top of a die."""
    return np.asarray(np.einsum("ns,ns->n", signs, _weights()[faces.face]))


@cache
def _weights() -> FloatArray:
    """Weights (7, len(SIGNS)) by face; row 0 is unused."""
    table = json.loads(files("vision").joinpath("evidence.json").read_text(encoding="utf-8"))
    rows = [[float(table[str(face)][name]) for name in SIGNS] for face in range(1, 7)]
    return np.array([[0.0] * len(SIGNS), *rows])


def _scatter(value: FloatArray, faces: Faces) -> FloatArray:
    """Mean distance (N,) of the pips' `value` (M, D) from their mean."""
    used = (faces.pips >= 0)[..., None]
    count = used.sum(axis=1)
    picked = np.where(used, value[faces.pips], 0.0)
    mean = picked.sum(axis=1) / count
    away = np.linalg.norm(np.where(used, value[faces.pips] - mean[:, None], 0.0), axis=2)
    return np.asarray(away.sum(axis=1) / count[:, 0])
