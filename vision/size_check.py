"""Tell whether the dice of a throw are as large as the calibration says, all of them alike.

How a die lies is measured against its size: of dice taken for smaller than they are, ones that lie flat seem
to lean and to lie high. Whether a single die is large or near the picture hardly tells; that most dice of a
throw look larger, all of them alike, it does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.camera import Camera
from vision.detection import Detection
from vision.domain import FloatArray, Reason, ReasonKind, Verdict
from vision.measure import TOP_OF_EDGE, side_mm
from vision.misroll import ruled

# Sides of top faces by those of dice of the size that is set. Of the middle die of three or more at most
# 1.055 in 224 rendered throws on 56 tables, but 1.10 of drawn black dice under a slanted camera; of one die
# 1.07, of one that lies on two others 1.1. Much rounded dice look smaller, to 0.7, but each by another share.
# Taken for a tenth smaller than they are, flat dice were ruled to lean in half of all throws, for a tenth
# larger in none.
MOST, SURELY_MOST, MOST_OF_FEW = 1.07, 1.14, 1.12
LEAST, LEAST_ALIKE = 0.85, 0.89  # of the largest die, and of the smallest by that
MANY = 3
MEASURED = frozenset({ReasonKind.TILTED, ReasonKind.STACKED})


def with_checked_size(verdict: Verdict, dice: Sequence[Detection], camera: Camera, die_mm: float) -> Verdict:
    """Return a verdict that says so if the dice are not of the size `die_mm`, and then rules on no lean.

    Where they look but a little larger, that is said only if dice are ruled to lean or to lie high.
    """
    shares = _shares(dice, camera, die_mm)
    if not len(shares):
        return verdict
    is_ruled = any(reason.kind in MEASURED for reason in verdict.reasons)
    if not (_are_large(shares, MOST if is_ruled else SURELY_MOST) or _are_small(shares)):
        return verdict
    doubted = [
        replace(reason, kind=ReasonKind.UNCERTAIN) if reason.kind in MEASURED else reason
        for reason in verdict.reasons
    ]
    seen = f"the dice look {_edge_mm(shares, camera, die_mm):.0f} mm large, and {die_mm:g} mm are calibrated"
    return ruled(verdict.dice, [Reason(ReasonKind.SIZE, None, seen), *doubted])


def _shares(dice: Sequence[Detection], camera: Camera, die_mm: float) -> FloatArray:
    """By how many times (N,) each die's top looks larger than that of a die of `die_mm` that lies flat."""
    sides = [side_mm(camera.on_plane(die.corners_px, die_mm)) for die in dice if die.by_pips]
    return np.array(sides) / (TOP_OF_EDGE * die_mm)


def _are_large(shares: FloatArray, most: float) -> bool:
    return bool(np.median(shares) > (most if len(shares) >= MANY else max(most, MOST_OF_FEW)))


def _are_small(shares: FloatArray) -> bool:
    alike = shares.min() > LEAST_ALIKE * shares.max()
    return bool(len(shares) >= MANY and shares.max() < LEAST and alike)


def _edge_mm(shares: FloatArray, camera: Camera, die_mm: float) -> float:
    """How large the dice are: the larger, the nearer to the camera their tops, which look larger yet."""
    share = float(np.median(shares))
    return die_mm * share / (1 + (share - 1) * die_mm / camera.height_mm)
