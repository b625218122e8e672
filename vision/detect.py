"""Choose which of the faces that pips allow are really the tops of dice."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.bodies import Bodies, enclosed, find_bodies, join_bodies, plainness
from vision.corners import refine_corners
from vision.domain import FloatArray, Image
from vision.evidence import signs_of, weigh
from vision.faces import Faces, alike, find_faces, join_faces, single_pips
from vision.opencv import cv2
from vision.pip_search import find_pips, look_again
from vision.pips import Pips
from vision.spots import build_pyramid

SMALL_PICTURE = 900  # px of the longer side
MAX_SHEAR = 1.9
PLAIN_ENOUGH = 0.6  # of that is asked of four and more pips
MIN_PLAINNESS = 0.75  # share of the places between pips that have the face's colour
MIN_ENCLOSED = 0.6  # share of directions in which a one must find an edge
TELLING_PIPS = 3  # and more pips in a layout are rarely there by chance
PIP_RANGE = (0.4, 2.5)  # radii of the pips of one throw against their median
ROOM_OF_ONE = 1.2  # half sides around a one in which no other die's pips can lie
LIKE_ASPECT = 1.4  # pips more foreshortened than this against others are on another side of the die
CLEARANCE = 0.88  # least distance of two dice's middles, in mean sides
MAX_OVERLAP = 0.06  # of the smaller of two top faces
MIN_LOG_ODDS = -1.0
CERTAIN_LOG_ODDS = 2.0
LONE_LOG_ODDS = 0.5
PIP_BONUS = 1.0  # log odds: of two explanations the one that explains more pips is preferred
SIZE_RANGE = (0.5, 2.0)  # sides of the dice of one throw against their median
CLEAR_ROUGHNESS, CLEAR_GROUND, CLEAR_CONTRAST = 0.03, 0.08, 60.0  # of a pip beyond doubt
BODY_RANGE = (0.35, 1.2)  # radius of a whole die's outline, in sides of its top face
LARGEST_BODY = 2.4  # area of a die's outline with the sides that show, in those of its top face
STRAY_ROOM = 1.15  # sides around a die's middle in which its side faces show pips,
UPRIGHT_ASPECT, UPRIGHT_SIZE = 1.2, 0.85  # less foreshortened and as large as its own they are not the sides'
KIN_SIZE_RANGE = (0.75, 1.33)  # of two dice of one set
KIN_SLANT = 0.25  # difference of their foreshortening


@dataclass(frozen=True, slots=True, eq=False)
class Detection:
    """One die's top face as found: `corners_px` (4, 2) clockwise; `spots_px` (9, 2) its pips by the spots of
    `vision.faces.SPOTS`, NaN where none; `log_odds` that it is one;
    `foreshortening`: longer over shorter axis of what would be a circle on the face."""

    face: int
    log_odds: float
    center_px: FloatArray
    corners_px: FloatArray
    pips: NDArray[np.intp]
    spots_px: FloatArray
    radius_px: float
    foreshortening: float

    @property
    def confidence(self) -> float:
        """Probability that it is the top of a die with this face."""
        return 1.0 / (1.0 + math.exp(-self.log_odds))

    @property
    def side_px(self) -> float:
        """Mean length of the four sides."""
        edges = self.corners_px - np.roll(self.corners_px, 1, axis=0)
        return float(np.linalg.norm(edges, axis=1).mean())


@dataclass(frozen=True, slots=True)
class Doubt:
    """A place where something looks like a die that was not read."""

    center_px: tuple[float, float]
    seen: str


@dataclass(frozen=True, slots=True, eq=False)
class Detections:
    """The dice found in a picture, and where one may have been missed."""

    dice: tuple[Detection, ...]
    doubts: tuple[Doubt, ...]

    def halved(self) -> Detections:
        """The same in a picture of half the size."""
        dice = [
            replace(
                die,
                center_px=(die.center_px - 0.5) / 2,
                corners_px=(die.corners_px - 0.5) / 2,
                spots_px=(die.spots_px - 0.5) / 2,
                radius_px=die.radius_px / 2,
            )
            for die in self.dice
        ]
        doubts = [
            replace(doubt, center_px=((doubt.center_px[0] - 0.5) / 2, (doubt.center_px[1] - 0.5) / 2))
            for doubt in self.doubts
        ]
        return Detections(tuple(dice), tuple(doubts))


@dataclass(frozen=True, slots=True, eq=False)
class Proposal:
    """All faces that the pips of a picture allow, with the square and the signs (N, S) of each.

    `whole`: spots that are whole dice.
    """

    pyramid: Sequence[Image]
    pips: Pips
    whole: Pips
    faces: Faces
    bodies: Bodies
    signs: FloatArray


def detect(image_bgr: Image) -> Detections:
    """Find the top faces of all dice in a picture, and the places where a die may lie that was not read.

    A small picture is doubled first, so that its small dice have pips that can be measured.
    """
    if max(image_bgr.shape[:2]) > SMALL_PICTURE:
        return _detect(image_bgr)
    doubled = cv2.resize(image_bgr, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
    return _detect(np.asarray(doubled, dtype=np.uint8)).halved()


def _detect(image_bgr: Image) -> Detections:
    proposal = propose_faces(image_bgr)
    dice = choose(proposal)
    if dice:
        corners = refine_corners(proposal.pyramid, np.array([die.corners_px for die in dice]))
        dice = [replace(die, corners_px=refined) for die, refined in zip(dice, corners, strict=True)]
    return Detections(tuple(dice), find_doubts(proposal, dice))


def propose_faces(image_bgr: Image, thorough: bool = False) -> Proposal:
    """All faces that the pips of a picture allow, but those that a quick look rules out unless `thorough`."""
    pyramid = build_pyramid(image_bgr)
    pips, whole = find_pips(pyramid)
    laid_out, empty = find_faces(pips)
    more = look_again(pyramid, pips, empty.center_px, empty.pip)
    if len(more) > len(pips):
        pips, laid_out = more, find_faces(more)[0]
    faces = join_faces(laid_out, single_pips(pips))
    faces = faces.pick(np.linalg.cond(faces.shear) < MAX_SHEAR)
    plain = plainness(pyramid, pips, faces)
    if not thorough:
        likely = plain >= np.where(faces.face >= 4, PLAIN_ENOUGH * MIN_PLAINNESS, MIN_PLAINNESS)
        faces, plain = faces.pick(likely), plain[likely]
    telling = faces.face >= TELLING_PIPS
    first = _with_bodies(pyramid, pips, whole, faces.pick(telling), plain[telling])
    others = ~telling
    if not thorough:
        others[others] = _worth_a_look(first, faces.pick(others))
        others[others] = enclosed(pyramid, faces.pick(others)) >= MIN_ENCLOSED
    rest = _with_bodies(pyramid, pips, whole, faces.pick(others), plain[others])
    return Proposal(
        pyramid,
        pips,
        whole,
        join_faces(first.faces, rest.faces),
        join_bodies(first.bodies, rest.bodies),
        np.concatenate([first.signs, rest.signs]),
    )


def _with_bodies(
    pyramid: Sequence[Image], pips: Pips, whole: Pips, faces: Faces, plain: FloatArray
) -> Proposal:
    bodies = find_bodies(pyramid, pips, faces)
    strangers = count_strangers(pips, faces, bodies)
    return Proposal(pyramid, pips, whole, faces, bodies, signs_of(pips, faces, bodies, plain, strangers))


def _worth_a_look(proposal: Proposal, faces: Faces) -> NDArray[np.bool_]:
    """Which faces are not part of one that is certain already, nor of far smaller or larger pips."""
    sure = weigh(proposal.faces, proposal.signs) >= CERTAIN_LOG_ODDS
    if not sure.any():
        return np.ones(len(faces), dtype=np.bool_)
    certain = proposal.faces.pick(sure)
    ratio = faces.radius_px / np.median(certain.radius_px)
    explained = np.append(np.isin(np.arange(len(proposal.pips)), certain.pips[certain.face >= 4]), True)
    part = explained[faces.pips].all(axis=1)
    return np.asarray((ratio > PIP_RANGE[0]) & (ratio < PIP_RANGE[1]) & ~part)


def find_doubts(proposal: Proposal, dice: Sequence[Detection]) -> tuple[Doubt, ...]:
    """Places that look like a die and yet were not read: whole dice, and smooth pips on no die taken."""
    doubts = [
        Doubt((float(x), float(y)), "a body that holds pips") for x, y in _unread_bodies(proposal.whole, dice)
    ]
    doubts += [Doubt((float(x), float(y)), "pips") for x, y in _stray_pips(proposal.pips, dice)]
    return tuple(doubts)


def _unread_bodies(whole: Pips, dice: Sequence[Detection]) -> FloatArray:
    """Middles (M, 2) of spots that hold pips and are larger than the dice taken on them.

    Without a certain die only what stands out clearly counts.
    """
    covered = np.zeros(len(whole))
    for die in dice:
        away = np.linalg.norm(whole.center_px - die.center_px, axis=1)
        covered += (away < np.maximum(whole.radius_px, CLEARANCE * die.side_px)) * die.side_px**2
    unread = np.pi * whole.radius_px**2 > LARGEST_BODY * covered
    sides = [die.side_px for die in dice if die.log_odds >= CERTAIN_LOG_ODDS]
    if not sides:
        unread &= (whole.ground < CLEAR_GROUND) & (whole.contrast > CLEAR_CONTRAST)
    else:
        unread &= (whole.radius_px > BODY_RANGE[0] * min(sides)) & (
            whole.radius_px < BODY_RANGE[1] * max(sides)
        )
    return whole.center_px[unread]


def _stray_pips(pips: Pips, dice: Sequence[Detection]) -> FloatArray:
    """Middles (M, 2) of spots as clear and as large as pips of a certain die, on no die and beside none.

    Without a certain die only two and more clear spots count: a single one may be a knot in the wood.
    """
    certain = [die for die in dice if die.log_odds >= CERTAIN_LOG_ODDS]
    known = pips.pick(np.concatenate([die.pips for die in certain])) if certain else None
    stray = _clear(pips, known) & (pips.aspect < LIKE_ASPECT)
    for die in dice:
        stray[die.pips] = False
        beside = np.linalg.norm(pips.center_px - die.center_px, axis=1) < STRAY_ROOM * die.side_px
        stray &= ~beside | ((pips.aspect < UPRIGHT_ASPECT) & (pips.radius_px > UPRIGHT_SIZE * die.radius_px))
    if known is None:
        return pips.center_px[stray] if stray.sum() > 1 else np.zeros((0, 2))
    ratio = pips.radius_px[:, None] / known.radius_px[None]
    like = ((ratio > KIN_SIZE_RANGE[0]) & (ratio < KIN_SIZE_RANGE[1])).any(axis=1)
    return pips.center_px[stray & like]


def _clear(pips: Pips, known: Pips | None) -> NDArray[np.bool_]:
    """Which spots are about as smooth and strong as the least of those known to be pips."""
    if known is None:
        return (
            (pips.roughness < CLEAR_ROUGHNESS)
            & (pips.ground < CLEAR_GROUND)
            & (pips.contrast > CLEAR_CONTRAST)
        )
    smooth = pips.roughness < 1.5 * max(float(known.roughness.max()), CLEAR_ROUGHNESS / 2)
    plain = pips.ground < 1.5 * max(float(known.ground.max()), CLEAR_GROUND / 2)
    return np.asarray(smooth & plain & (pips.contrast > 0.5 * known.contrast.min()))


def count_strangers(pips: Pips, faces: Faces, bodies: Bodies) -> FloatArray:
    """How many pips alike lie in each face's square (for a one: or close to it) and are not its own."""
    away = pips.center_px[None] - faces.center_px[:, None]
    inverse = np.linalg.inv(np.transpose(bodies.half, (0, 2, 1)))
    reach = np.where(faces.face == 1, ROOM_OF_ONE, 0.9)
    within = np.abs(np.einsum("nij,nkj->nki", inverse, away)).max(axis=2) < reach[:, None]
    like = alike(pips, faces.pips[:, :1], np.arange(len(pips))[None])
    shear = pips.aspect[None] / pips.aspect[faces.pips[:, :1]]
    inside = within & like & (shear < LIKE_ASPECT)
    rows, columns = np.nonzero(faces.pips >= 0)
    inside[rows, faces.pips[rows, columns]] = False
    return np.asarray(inside.sum(axis=1), dtype=np.float64)


def choose(proposal: Proposal) -> list[Detection]:
    """Take faces from the most to the least certain, none that shares a pip or room with one taken."""
    pips, faces = proposal.pips, proposal.faces
    log_odds = weigh(faces, proposal.signs)
    order = np.argsort(-(log_odds + PIP_BONUS * faces.face), kind="stable")
    taken: list[Detection] = []
    used = np.zeros(len(pips), dtype=np.bool_)
    for row in order:
        members = faces.pips[row][faces.pips[row] >= 0]
        if log_odds[row] < MIN_LOG_ODDS or used[members].any():
            continue
        candidate = _detection(proposal, int(row), float(log_odds[row]))
        if any(_crowds(candidate, other) for other in taken):
            continue
        taken.append(candidate)
        used[members] = True
    return _of_one_throw(taken)


def _detection(proposal: Proposal, row: int, log_odds: float) -> Detection:
    faces = proposal.faces
    right, down = proposal.bodies.half[row]
    center = faces.center_px[row]
    return Detection(
        face=int(faces.face[row]),
        log_odds=log_odds,
        center_px=center,
        corners_px=center + np.array([-right - down, right - down, right + down, down - right]),
        pips=faces.pips[row][faces.pips[row] >= 0],
        spots_px=np.where(faces.pips[row][:, None] >= 0, proposal.pips.center_px[faces.pips[row]], np.nan),
        radius_px=float(faces.radius_px[row]),
        foreshortening=float(np.linalg.cond(faces.shear[row])),
    )


def _of_one_throw(detections: list[Detection]) -> list[Detection]:
    """Hold doubtful dice against the certain ones: one throw's dice are of like size, seen under one angle.

    What is less likely than not is kept only if it is the like of a certain die.
    """
    certain = [d for d in detections if d.log_odds >= CERTAIN_LOG_ODDS]
    if not certain:
        return [d for d in detections if d.log_odds >= LONE_LOG_ODDS]
    usual = float(np.median([d.side_px for d in certain]))
    possible = [d for d in detections if SIZE_RANGE[0] < d.side_px / usual < SIZE_RANGE[1]]
    return [d for d in possible if d.log_odds >= 0 or any(_kin(d, other) for other in certain)]


def _kin(one: Detection, other: Detection) -> bool:
    low, high = KIN_SIZE_RANGE
    alike = low < one.side_px / other.side_px < high
    return alike and abs(one.foreshortening - other.foreshortening) < KIN_SLANT


def _crowds(one: Detection, other: Detection) -> bool:
    """Whether two dice could not both lie there: their middles are too close, or their faces overlap."""
    away = float(np.linalg.norm(one.center_px - other.center_px))
    if away < CLEARANCE * (one.side_px + other.side_px) / 2:
        return True
    if away > one.side_px + other.side_px:
        return False
    corners = (one.corners_px.astype(np.float32), other.corners_px.astype(np.float32))
    overlap, _ = cv2.intersectConvexConvex(*corners)
    return float(overlap) > MAX_OVERLAP * min(one.side_px, other.side_px) ** 2
