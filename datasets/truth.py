"""What is true of dice at rest: face, tilt, height, state, visible share, and the verdict of the throw.

The definitions are those of the rendered benchmark: tilted from 6 degrees on, stacked when flat with the
lowest point more than 4 mm up, outside when the middle lies beyond the floor's outline.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from datasets.lens import project, rounded
from datasets.numbering import axis_of, face_corners, top_face
from datasets.rig import Lying, Poses, Rig, edge_margin
from datasets.solids import Block, are_hidden, wall_blocks

TILTED_DEG: Final = 6.0
FLAT_DEG: Final = 1.5
SURE_TILT_DEG: Final = 6.4
STACKED_MM: Final = 4.0
ON_FLOOR_MM: Final = 0.6
FRAME_MARGIN_PX: Final = 2.0
_SAMPLES = 7  # a face is looked at in so many rows of so many places


class UnfitThrowError(ValueError):
    """A throw whose truth the definitions leave open; says why in a word or two."""


def throw_truth(rig: Rig, lying: Lying, *, askew: bool = False) -> dict[str, Any]:
    """Return the contents of NNN.json.

    Raises UnfitThrowError for dice between flat and tilted (unless `askew` allows them), dice on the rim or
    neither on the floor nor on a die, dice tilted outside, and dice cut by the picture's edge.
    """
    walls = wall_blocks(rig.tray)
    dice = [die_truth(rig, lying.poses, number, walls, askew=askew) for number in range(len(lying.poses))]
    reasons = {str(die["state"]) for die in dice} & {"tilted", "stacked", "outside"}
    if sum(bool(die["in_frame"]) for die in dice) < lying.n_expected:
        reasons.add("missing")
    return {
        "verdict": "misroll" if reasons else "valid",
        "reasons": sorted(reasons),
        "n_expected": lying.n_expected,
        "dice": dice,
    }


def die_truth(rig: Rig, poses: Poses, number: int, walls: list[Block], *, askew: bool) -> dict[str, object]:
    """Return one die's entry; raises UnfitThrowError."""
    look, turn, at_mm = rig.dice[number], poses.turn[number], poses.at_mm[number]
    face, tilt = top_face(turn, look.numbering)
    lowest = lowest_point(poses, rig, number)
    corners = face_corners(axis_of(look.numbering, face)) * look.edge_mm @ turn.T + at_mm
    pixels = project(rig.lens, np.vstack([at_mm, corners]))
    shown = _in_frame(rig, poses, number)
    visible = visible_share(rig, poses, number, walls) if shown else 0.0
    return {
        "face": face,
        "state": _state(rig, poses, number, askew=askew),
        "tilt_deg": round(tilt, 2),
        "height_mm": round(lowest, 2) + 0.0,
        "center_px": rounded(pixels[0], 2),
        "corners_px": rounded(pixels[1:], 2),
        "visible": round(visible, 2),
        "in_frame": shown,
        "at_mm": rounded(at_mm, 2),
        "turn": rounded(turn, 5),
    }


def lowest_point(poses: Poses, rig: Rig, number: int) -> float:
    """Return the height of a rounded die's lowest point above the floor, in mm."""
    look = rig.dice[number]
    core = (0.5 - look.rounding) * np.abs(poses.turn[number][2]).sum() + look.rounding
    return float(poses.at_mm[number][2] - core * look.edge_mm)


def _state(rig: Rig, poses: Poses, number: int, *, askew: bool) -> str:
    _, tilt = top_face(poses.turn[number], rig.dice[number].numbering)
    lowest = lowest_point(poses, rig, number)
    margin = float(edge_margin(rig.tray.outline, poses.at_mm[number : number + 1, :2])[0])
    if FLAT_DEG < tilt < SURE_TILT_DEG and not askew:
        raise UnfitThrowError("neither flat nor tilted")
    if margin < 0:
        if tilt > FLAT_DEG or lowest + rig.tray.base_mm > ON_FLOOR_MM:
            raise UnfitThrowError("outside, and not flat on the table")
        return "outside"
    if tilt >= TILTED_DEG:
        return "tilted"
    if lowest <= ON_FLOOR_MM or tilt > FLAT_DEG:
        return "flat"
    if lowest > STACKED_MM and _above_a_die(poses, rig, number):
        return "stacked"
    raise UnfitThrowError("on the rim, a fold or a coin")


def _above_a_die(poses: Poses, rig: Rig, number: int) -> bool:
    away = poses.at_mm - poses.at_mm[number]
    beside = np.abs(away[:, :2]).max(axis=1) < 1.25 * rig.die_mm
    return bool((beside & (away[:, 2] < -0.6 * rig.die_mm)).any())


def _in_frame(rig: Rig, poses: Poses, number: int) -> bool:
    """Whether the die is in the picture; raises UnfitThrowError when the picture's edge cuts it."""
    signs = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
    cube = signs * rig.die_mm @ poses.turn[number].T + poses.at_mm[number]
    ahead = cube @ rig.lens.turn[2] + rig.lens.shift_mm[2]
    if (ahead < 30).any() or np.abs(cube[:, :2]).max() > 5000:
        return False
    pixels = project(rig.lens, cube)
    within = (pixels > FRAME_MARGIN_PX) & (pixels < np.array(rig.lens.size_px) - 1 - FRAME_MARGIN_PX)
    if within.all():
        return True
    size = np.array(rig.lens.size_px)
    if (pixels.max(axis=0) > -8).all() and (pixels.min(axis=0) < size + 8).all():
        raise UnfitThrowError("cut by the picture's edge")
    return False


def visible_share(rig: Rig, poses: Poses, number: int, walls: list[Block]) -> float:
    """Return the share of the die's surface turned to the camera that neither dice nor walls hide."""
    eye = rig.lens.at_mm
    steps = (np.arange(_SAMPLES) + 0.5) / _SAMPLES - 0.5
    a, b = (grid.ravel() for grid in np.meshgrid(steps, steps))
    seen, weights = [], []
    for axis in np.vstack([np.eye(3), -np.eye(3)]):
        outward = poses.turn[number] @ axis
        square = axis / 2 + a[:, np.newaxis] * np.roll(axis, 1) + b[:, np.newaxis] * np.roll(axis, 2)
        places = square * rig.die_mm @ poses.turn[number].T + poses.at_mm[number]
        towards = eye - places
        facing = towards @ outward / np.linalg.norm(towards, axis=1) ** 3
        seen.append(places[facing > 0])
        weights.append(facing[facing > 0])
    places, weight = np.vstack(seen), np.concatenate(weights)
    hidden = are_hidden([*_others(rig, poses, number), *walls], places, eye)
    return float((weight * ~hidden).sum() / weight.sum())


def _others(rig: Rig, poses: Poses, number: int) -> list[Block]:
    half = np.full(3, 0.47 * rig.die_mm)  # a little smaller: touching dice do not hide each other
    return [
        Block(poses.at_mm[other], half, poses.turn[other]) for other in range(len(poses)) if other != number
    ]
