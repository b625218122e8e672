"""Hold what geometry found against the trained reader: two readers that know nothing of each other.

Where both read a die alike it is the more certain, where they differ it is a question. Where geometry only
doubts, the trained reader looks for a die it may read alone; alone it must be surer than beside the other.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.crop_reader import NO_FACE, read_crops, upright_side
from vision.detection import CERTAIN_LOG_ODDS, Detection, Detections, Doubt, chance_of
from vision.die_detector import LIKELY_A_DIE, DieBoxes
from vision.domain import FloatArray, Image
from vision.doubts import LARGEST_BODY

MOST_SUPPORT = 4.0  # log odds that the second reader's agreement can add
ALONE = 1.8  # log odds that a reading by one reader counts less
UPRIGHT_SIDES = (1.0, 1.2, 1.4)  # of a die's upright box, in sides of its top face, turned any way
BODY_RADIUS = 0.6  # of a die, in sides of its top face
GLANCE_SIDE = 1.2
IN_A_BOX = (0.85, 0.95)  # of the longer side of the detector's box
SHIFTS = np.array([(0.0, 0.0), (-0.15, 0.0), (0.15, 0.0), (0.0, -0.15), (0.0, 0.15)])  # in sides
LARGEST_DOUBT = 2.5  # sides
STRIDE = 0.25  # sides from place to place in what is larger than a die
NOTHING = 0.05  # chance of any face below which a doubtful place holds no die
SOMETHING = 0.5
LIKELY = 1.0  # log odds of a die that the trained reader does not see, below which it is but a doubt
ROOM = 0.7  # sides around a die's middle in which no other die's middle lies


@dataclass(frozen=True, slots=True, eq=False)
class _Sight:
    """What the trained reader makes of a place: the likeliest face and its chance."""

    center_px: FloatArray
    face: int
    chance: float


def second_look(image_bgr: Image, found: Detections) -> Detections:
    """Return what was found with the trained reader's opinion of every die and every doubt.

    What both together hardly believe to be a die becomes a doubt. Doubts are looked into only beside dice of
    which geometry is certain and which the trained reader reads alike, as these say how large a die is.
    """
    opinions = _with_opinions(image_bgr, found.dice)
    dice = tuple(
        seen for die, seen in zip(found.dice, opinions, strict=True) if not _is_but_a_doubt(die, seen)
    )
    doubts = (*found.doubts, *(_as_doubt(die) for die in opinions if die not in dice))
    sure = (die.log_odds >= CERTAIN_LOG_ODDS for die in found.dice)
    certain = [die for die, by_pips in zip(opinions, sure, strict=True) if by_pips and die.rival is None]
    if not certain:
        return Detections(dice, doubts)
    side_px = float(np.median([die.side_px for die in certain]))
    sights = [_sights(image_bgr, doubt, side_px) for doubt in doubts]
    worth_it = _worth_a_look(image_bgr, found.hints, side_px)
    hinted = [_sights(image_bgr, hint, side_px) for hint in worth_it]
    added: list[Detection] = []
    boxed = _box_sights(image_bgr, found.boxes)
    for sight in sorted(itertools.chain(*sights, *hinted, boxed), key=lambda each: -each.chance):
        if sight.chance >= SOMETHING and not _near(sight.center_px, (*dice, *added), ROOM * side_px):
            added.append(_alone(sight, side_px))
    left = [
        doubt
        for doubt, seen in zip(doubts, sights, strict=True)
        if max((sight.chance for sight in seen), default=1.0) >= NOTHING
        and not _explained(doubt, (*dice, *added), side_px)
    ]
    return Detections((*dice, *added), tuple(left))


def _is_but_a_doubt(die: Detection, seen: Detection) -> bool:
    """Return whether a die is no more than a doubt once the trained reader has `seen` it, too.

    So it is if that sees none and both are hardly for it, or sees another face and geometry was against it.
    """
    if seen.rival == NO_FACE:
        return seen.log_odds < LIKELY
    return seen.rival is not None and die.log_odds < 0


def _explained(doubt: Doubt, dice: Sequence[Detection], side_px: float) -> bool:
    """Return whether dice that geometry does not read leave no room for more in what gave rise to `doubt`."""
    center = np.array(doubt.center_px)
    alone = [die for die in dice if not die.by_pips]
    if not _near(center, alone, max(doubt.radius_px, ROOM * side_px)):
        return False
    within = _near(center, dice, doubt.radius_px)
    return math.pi * doubt.radius_px**2 <= LARGEST_BODY * max(within, 1) * side_px**2


def _with_opinions(image_bgr: Image, dice: Sequence[Detection]) -> tuple[Detection, ...]:
    centers = np.array([die.corners_px.mean(axis=0) for die in dice]).reshape(-1, 2)
    chances = read_crops(image_bgr, centers, np.array([upright_side(die.corners_px) for die in dice]))
    return tuple(_with_opinion(die, seen) for die, seen in zip(dice, chances, strict=True))


def _with_opinion(die: Detection, chances: FloatArray) -> Detection:
    """The die with the likelier of two faces first: where one is right, geometry has often missed a pip."""
    likeliest = int(chances.argmax())
    support = min(_log_odds(chances[likeliest]), MOST_SUPPORT)
    if likeliest == die.face:
        return replace(die, log_odds=die.log_odds + support)
    if likeliest == NO_FACE:
        return replace(die, log_odds=die.log_odds - support, rival=NO_FACE)
    if support > die.log_odds:
        return replace(die, face=likeliest, log_odds=support - ALONE, rival=die.face, by_pips=False)
    return replace(die, rival=likeliest)


def look_closer(image_bgr: Image, die: Detection) -> Detection:
    """Return a die that geometry does not read, of which it is known by now where its top lies, read anew.

    What geometry read elsewhere is void then.
    """
    chances = read_crops(image_bgr, die.center_px.reshape(1, 2), np.array([upright_side(die.corners_px)]))[0]
    face = int(np.delete(chances, NO_FACE).argmax()) + 1
    if face not in (die.face, die.rival) or chances[face] < SOMETHING:
        return die
    log_odds = _log_odds(chances[face]) - ALONE
    return replace(die, face=face, log_odds=max(log_odds, die.log_odds), rival=None)


def _sights(image_bgr: Image, doubt: Doubt, side_px: float) -> list[_Sight]:
    """Look at a doubtful place, around it as far as it reaches, and at dice of any turn.

    Not at one far larger than the dice, as a bowl around them: there would be no end to it.
    """
    if doubt.radius_px > LARGEST_DOUBT * side_px:
        return []
    places = np.array(doubt.center_px) + _shifts(doubt.radius_px / side_px) * side_px
    centers = np.repeat(places, len(UPRIGHT_SIDES), axis=0)
    sides = np.tile(np.array(UPRIGHT_SIDES) * side_px, len(places))
    chances = read_crops(image_bgr, centers, sides).reshape(len(places), len(UPRIGHT_SIDES), -1).mean(axis=1)
    faces = np.delete(chances, NO_FACE, axis=1)
    return [
        _Sight(place, int(seen.argmax()) + 1, float(seen.max()))
        for place, seen in zip(places, faces, strict=True)
    ]


def _box_sights(image_bgr: Image, boxes: DieBoxes) -> list[_Sight]:
    """Look into what the trained detector takes for dice; its boxes are a little wider than the dice.

    What it is hardly sure of counts only if the face is clear enough to be read alone.
    """
    if not len(boxes):
        return []
    sides = np.outer(IN_A_BOX, boxes.size_px.max(axis=1)).ravel()
    centers = np.tile(boxes.center_px, (len(IN_A_BOX), 1))
    chances = read_crops(image_bgr, centers, sides).reshape(len(IN_A_BOX), len(boxes), -1).mean(axis=0)
    faces = np.delete(chances, NO_FACE, axis=1)
    least = np.where(boxes.confidence >= LIKELY_A_DIE, SOMETHING, chance_of(ALONE))
    return [
        _Sight(center, int(seen.argmax()) + 1, float(seen.max()))
        for center, seen, enough in zip(boxes.center_px, faces, least, strict=True)
        if seen.max() >= enough
    ]


def _as_doubt(die: Detection) -> Doubt:
    x, y = die.center_px
    return Doubt((float(x), float(y)), "what may be a face", BODY_RADIUS * die.side_px)


def _worth_a_look(image_bgr: Image, hints: Sequence[Doubt], side_px: float) -> list[Doubt]:
    """Return the hints in whose middle, at one glance, some face may be."""
    centers = np.array([hint.center_px for hint in hints]).reshape(-1, 2)
    chances = read_crops(image_bgr, centers, np.full(len(hints), GLANCE_SIDE * side_px))
    return [hint for hint, seen in zip(hints, chances, strict=True) if seen[NO_FACE] < 1 - NOTHING]


def _shifts(radius: float) -> FloatArray:
    """Where to look (N, 2) around a place, in sides: close by, and all over what is larger than a die."""
    reach = radius - 0.5
    if reach < STRIDE:
        return SHIFTS
    steps = np.arange(-math.floor(reach / STRIDE), math.floor(reach / STRIDE) + 1) * STRIDE
    grid = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    return np.asarray(grid[np.linalg.norm(grid, axis=1) <= reach])


def _near(center_px: FloatArray, dice: Sequence[Detection], reach_px: float) -> int:
    """Count the dice whose middles are nearer to `center_px` than `reach_px`."""
    return sum(float(np.linalg.norm(die.center_px - center_px)) < reach_px for die in dice)


def _alone(sight: _Sight, side_px: float) -> Detection:
    """Return a die that only the trained reader reads; its turn is not known, its square lies upright."""
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (side_px / 2)
    return Detection(
        face=sight.face,
        log_odds=_log_odds(sight.chance) - ALONE,
        center_px=sight.center_px,
        corners_px=sight.center_px + square,
        pips=np.zeros(0, dtype=np.intp),
        spots_px=np.full((9, 2), np.nan),
        radius_px=math.nan,
        foreshortening=1.0,
        by_pips=False,
    )


def _log_odds(chance: float) -> float:
    within = min(max(float(chance), 1e-6), 1 - 1e-6)
    return math.log(within / (1 - within))
