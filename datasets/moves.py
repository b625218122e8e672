"""How a hand moves through a clip: it picks dice up, holds a cup, pushes a die; as functions of time.

Time is in frames; places are mm in the tray-floor frame.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from datasets.rig import GONE_MM, Arm, Cup, Floats, Hand, Instant, Lens, Poses

Moment = Callable[[float], Instant]
COME, TAKE, CLOSE, LEAVE, CUP, PUSH, HOVER = 10, 4, 3, 11, 18, 5, 3  # frames
_OFF_MM: Final = 170.0  # beyond the picture's edge, where its shadow is out of sight too


@dataclass(frozen=True, slots=True)
class Act:
    """What is in the picture from time 0 to `frames`."""

    at: Moment
    frames: int


@dataclass(frozen=True, slots=True, eq=False)
class Reach:
    """An arm that reaches in from a side: the unit vector `back` (3,) to whom it belongs, `turn` (3, 3)."""

    arm: Arm
    back: Floats
    turn: Floats
    off_mm: float

    def off(self, place: Floats) -> Floats:
        """Return where the hand is out of the picture on its way to or from `place`."""
        return np.asarray(place + self.back * (self.off_mm - place @ self.back) + [0, 0, 60.0])


def reach_from(lens: Lens, arm: Arm, side: float, pitch: float = 0.0, roll: float = 0.0) -> Reach:
    """Return an arm from the direction `side` (radians in the floor frame), bent down by `pitch`."""
    back = np.array([np.cos(side), np.sin(side), 0.0])
    about_z = np.array([[-back[0], back[1], 0], [-back[1], -back[0], 0], [0, 0, 1.0]])
    about_y = np.array([[np.cos(pitch), 0, np.sin(pitch)], [0, 1, 0], [-np.sin(pitch), 0, np.cos(pitch)]])
    about_x = np.array([[1, 0, 0], [0, np.cos(roll), -np.sin(roll)], [0, np.sin(roll), np.cos(roll)]])
    corners = _picture_on_floor(lens)
    return Reach(arm, back, about_z @ about_y @ about_x, float((corners @ back[:2]).max()) + _OFF_MM)


def _picture_on_floor(lens: Lens) -> Floats:
    """Return where the picture's corners are on the floor (4, 2), distortion left aside."""
    width, height = lens.size_px
    corners = np.array([[0, 0, 1], [width, 0, 1], [width, height, 1], [0, height, 1.0]])
    onto = np.linalg.inv(lens.matrix @ np.column_stack([lens.turn[:, :2], lens.shift_mm]))
    floor = corners @ onto.T
    return np.asarray(floor[:, :2] / floor[:, 2:])


def glide(keys: Sequence[tuple[float, Floats]], time: float) -> Floats:
    """Return the place on a way of (time, place) stations: it starts and stops at each."""
    for (start, here), (end, there) in pairwise(keys):
        if time <= end:
            share = np.clip((time - start) / (end - start), 0, 1)
            return np.asarray(here + share * share * (3 - 2 * share) * (there - here))
    return keys[-1][1]


def lifting(reach: Reach, poses: Poses, taken: Sequence[int], edge_mm: float) -> Act:
    """Pick up the dice `taken`, one after the other, into the hollow of the hand, and carry them off."""
    touches = [
        np.array([*poses.at_mm[die][:2], max(0.0, poses.at_mm[die][2] - edge_mm / 2)]) for die in taken
    ]
    keys = [(0.0, reach.off(touches[0])), (float(COME), touches[0])]
    for touch in touches[1:]:
        before, last = keys[-1]
        hop = (last + touch) / 2 + [0, 0, 1.4 * edge_mm]
        keys += [(before + TAKE / 2, hop), (before + TAKE, touch)]
    done = keys[-1][0] + CLOSE
    keys += [(done, touches[-1]), (done + LEAVE, reach.off(touches[-1]))]
    slots = {die: _slot(reach, place, edge_mm) for place, die in enumerate(taken)}
    when = {die: COME + TAKE * place for place, die in enumerate(taken)}

    def at(time: float) -> Instant:
        hand = glide(keys, time)
        places = poses.at_mm.copy()
        for die in taken:
            share = np.clip((time - when[die]) / CLOSE, 0, 1)
            places[die] += share * (hand + slots[die] - places[die])
        return Instant(Poses(places, poses.turn), hand=Hand("pinch", hand, reach.turn))

    return Act(at, int(done + LEAVE))


def _slot(reach: Reach, place: int, edge_mm: float) -> Floats:
    """Return where in the hollow of the hand, from its origin, the die taken as number `place` is held."""
    row, column = divmod(place, 2)
    side = 1.0 if reach.arm.left else -1.0
    within = [-6 - 1.02 * edge_mm * row, side * (column - 0.6) * 1.02 * edge_mm, 14 + edge_mm / 2]
    return np.asarray(reach.turn @ np.array(within))


def without(poses: Poses, gone: Sequence[int]) -> Poses:
    """Return the poses with the dice `gone` out of sight."""
    places = poses.at_mm.copy()
    places[list(gone)] = GONE_MM
    return Poses(places, poses.turn)


def cup_coming(reach: Reach, cup: Cup) -> Act:
    """Set the cup down in the middle of the floor."""
    return Act(lambda time: _held(reach, cup, 1 - time / CUP, None), CUP)


def cup_going(reach: Reach, cup: Cup, poses: Poses) -> Act:
    """Lift the cup off the dice."""
    return Act(lambda time: _held(reach, cup, time / CUP, poses), CUP)


def _held(reach: Reach, cup: Cup, share: float, poses: Poses | None) -> Instant:
    way = reach.off_mm + cup.mouth_mm
    at = float(np.clip(share, 0, 1)) ** 2 * (way * reach.back + np.array([0, 0, 0.3 * way]))
    hand = Hand("cup", at + np.array([0, 0, cup.high_mm]), reach.turn)
    nothing = Poses(np.zeros((0, 3)), np.zeros((0, 3, 3)))
    return Instant(nothing if poses is None else poses, None, at, hand)


def pushing(reach: Reach, course: Sequence[Poses], die: int, edge_mm: float, instants: int) -> Act:
    """Push a die with a finger: `course` is where all are, `instants` times a frame, from the touch on."""
    touch = course[0].at_mm[die] + 0.6 * edge_mm * reach.back + [0, 0, 0.45 * edge_mm]

    def pushed(time: float) -> Floats:
        """Return how far the finger has followed the die."""
        number = min(max(0, round(time * instants)), len(course) - 1)
        way = course[number].at_mm[die] - course[0].at_mm[die]
        far = float(np.linalg.norm(way[:2]))
        return np.asarray(way * min(1.0, 0.7 * edge_mm / max(far, 1e-6)) * [1, 1, 0.5])

    hover = touch + 12 * reach.back + [0, 0, 20.0]
    coming = [(0.0, reach.off(touch)), (float(COME), hover), (float(COME + HOVER), touch)]
    begun = COME + HOVER
    last = touch + pushed(PUSH)
    leaving = [(float(begun + PUSH), last), (float(begun + PUSH + LEAVE), reach.off(last))]

    def at(time: float) -> Instant:
        number = min(max(0, round((time - begun) * instants)), len(course) - 1)
        if time <= begun:
            place = glide(coming, time)
        elif time <= begun + PUSH:
            place = touch + pushed(time - begun)
        else:
            place = glide(leaving, time)
        here = time < begun + PUSH + LEAVE
        return Instant(course[number], hand=Hand("point", place, reach.turn) if here else None)

    return Act(at, begun + max(PUSH + LEAVE, -(-(len(course) - 1) // instants)))


def laid_on(reach: Reach, pose: str, place: Floats, poses: Poses) -> Act:
    """Bring a hand to `place` over the dice, which stay as they are."""
    keys = [(0.0, reach.off(place)), (float(COME), place)]
    return Act(lambda time: Instant(poses, hand=Hand(pose, glide(keys, time), reach.turn)), COME)


def taken_off(reach: Reach, pose: str, place: Floats, poses: Poses) -> Act:
    """Take a hand away from `place`."""
    keys = [(0.0, place), (float(LEAVE), reach.off(place))]
    return Act(lambda time: Instant(poses, hand=Hand(pose, glide(keys, time), reach.turn)), LEAVE)
