"""Choose which of the faces that pips allow are really the tops of dice."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from vision.corners import refine_corners
from vision.detection import CERTAIN_LOG_ODDS, UNKNOWN_SIZES, Detection, Detections, DieSizes
from vision.domain import FloatArray, Image
from vision.doubts import find_doubts, find_hints
from vision.evidence import weigh
from vision.opencv import cv2
from vision.proposals import Proposal, propose_faces

SMALL_PICTURE = 900  # px of the longer side
SMALL_DIE_PX = 44.0
CLEARANCE = 0.88  # least distance of two dice's middles, in mean sides
MAX_OVERLAP = 0.06  # of the smaller of two top faces
MIN_LOG_ODDS = -1.0
LONE_LOG_ODDS = 0.5
PIP_BONUS = 1.0  # log odds: of two explanations the one that explains more pips is preferred
SIZE_RANGE = (0.5, 2.0)  # sides of the dice of one throw against their median,
DOUBTFUL_SIZE_RANGE = (0.64, 1.56)  # and of those that are not certain
KIN_SIZE_RANGE = (0.75, 1.33)  # of two dice of one set
KIN_SLANT = 0.25  # difference of their foreshortening


def detect(image_bgr: Image, sizes: DieSizes = UNKNOWN_SIZES) -> Detections:
    """Find the top faces of all dice in a picture, and the places where a die may lie that was not read.

    A picture that is small, or shows small dice, is doubled first, so that their pips can be measured. Where
    the `sizes` of dice are known it takes half the time.
    """
    if max(image_bgr.shape[:2]) > SMALL_PICTURE and not 0 < sizes.usual_px < SMALL_DIE_PX:
        return detect_at_its_size(image_bgr, sizes.least_px)
    doubled = cv2.resize(image_bgr, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
    found = detect_at_its_size(np.asarray(doubled, dtype=np.uint8))
    return Detections(
        tuple(die.moved(_halved, 0.5) for die in found.dice),
        tuple(doubt.moved(_halved, 0.5) for doubt in found.doubts),
        tuple(hint.moved(_halved, 0.5) for hint in found.hints),
    )


def _halved(points: FloatArray) -> FloatArray:
    return (points - 0.5) / 2


def detect_at_its_size(image_bgr: Image, least_side_px: float = 0.0) -> Detections:
    """As `detect`, of dice that are large enough as they are."""
    proposal = propose_faces(image_bgr, least_side_px=least_side_px)
    dice = choose(proposal)
    if dice:
        corners = refine_corners(proposal.pyramid, np.array([die.corners_px for die in dice]))
        dice = [replace(die, corners_px=refined) for die, refined in zip(dice, corners, strict=True)]
    return Detections(tuple(dice), find_doubts(proposal, dice), find_hints(proposal, dice))


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
    members = faces.pips[row][faces.pips[row] >= 0]
    return Detection(
        face=int(faces.face[row]),
        log_odds=log_odds,
        center_px=center,
        corners_px=center + np.array([-right - down, right - down, right + down, down - right]),
        pips=members,
        spots_px=np.where(faces.pips[row][:, None] >= 0, proposal.pips.center_px[faces.pips[row]], np.nan),
        radius_px=float(faces.radius_px[row]),
        foreshortening=float(np.linalg.cond(faces.shear[row])),
        colours=np.stack([proposal.pips.face_bgr[members], proposal.pips.pip_bgr[members]]).mean(axis=1),
    )


def _of_one_throw(detections: list[Detection]) -> list[Detection]:
    """Hold doubtful dice against the certain ones: one throw's dice are of like size, seen under one angle.

    What is less likely than not is kept only if it is the like of a certain die.
    """
    certain = [d for d in detections if d.log_odds >= CERTAIN_LOG_ODDS]
    if not certain:
        return [d for d in detections if d.log_odds >= LONE_LOG_ODDS]
    usual = float(np.median([d.side_px for d in certain]))
    possible = [d for d in detections if _is_of_size(d, usual)]
    return [d for d in possible if d.log_odds >= 0 or any(_kin(d, other) for other in certain)]


def _is_of_size(die: Detection, usual_px: float) -> bool:
    low, high = SIZE_RANGE if die.log_odds >= CERTAIN_LOG_ODDS else DOUBTFUL_SIZE_RANGE
    return low < die.side_px / usual_px < high


def _kin(one: Detection, other: Detection) -> bool:
    low, high = KIN_SIZE_RANGE
    alike = low < one.side_px / other.side_px < high
    return alike and abs(one.foreshortening - other.foreshortening) < KIN_SLANT


def _crowds(one: Detection, other: Detection) -> bool:
    """Whether two dice could not both lie there: their middles are too close, or their faces overlap."""
    away = math.dist(one.center_px, other.center_px)
    sides = one.side_px + other.side_px
    if away < CLEARANCE * sides / 2:
        return True
    if away > sides:
        return False
    corners = (one.corners_px.astype(np.float32), other.corners_px.astype(np.float32))
    overlap, _ = cv2.intersectConvexConvex(*corners)
    return float(overlap) > MAX_OVERLAP * min(one.side_px, other.side_px) ** 2
