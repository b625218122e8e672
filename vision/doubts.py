"""Tell where a die may lie that was not read, so that silence is never taken for certainty."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.detection import CERTAIN_LOG_ODDS, Detection, Doubt
from vision.domain import FloatArray
from vision.pips import Pips
from vision.proposals import LIKE_ASPECT, Proposal

CLEAR_ROUGHNESS, CLEAR_GROUND, CLEAR_CONTRAST = 0.03, 0.08, 60.0  # of a pip beyond doubt
LIKE_PIP_RANGE = (0.75, 1.33)  # radii of the pips of one set of dice
BODY_RANGE = (0.35, 1.2)  # radius of a whole die's outline, in sides of its top face
LARGEST_BODY = 2.4  # area of a die's outline with the sides that show, in those of its top face
BODY_ROOM = 0.88  # sides around a die's middle in which the middle of its outline lies
HINT_RANGE, HINT_ROOM = (0.5, 2.0), 0.8
MOST_HINTS = 6
STRAY_ROOM = 1.15  # sides around a die's middle in which its side faces show pips,
UPRIGHT_ASPECT, UPRIGHT_SIZE = 1.2, 0.85  # less foreshortened and as large as its own they are not the sides'


def find_doubts(proposal: Proposal, dice: Sequence[Detection]) -> tuple[Doubt, ...]:
    """Places that look like a die and yet were not read: whole dice, and smooth pips on no die taken."""
    unread = proposal.whole.pick(_unread_bodies(proposal.whole, dice))
    doubts = [
        Doubt((float(x), float(y)), "a body that holds pips", float(radius))
        for (x, y), radius in zip(unread.center_px, unread.radius_px, strict=True)
    ]
    doubts += [Doubt((float(x), float(y)), "pips") for x, y in _stray_pips(proposal.pips, dice)]
    return tuple(doubts)


def find_hints(proposal: Proposal, dice: Sequence[Detection]) -> tuple[Doubt, ...]:
    """Middles of groups of spots on no die, about as large as the pips of the certain dice; most spots first.

    None without a certain die: there is nothing to tell a pip by.
    """
    certain = [die for die in dice if die.log_odds >= CERTAIN_LOG_ODDS]
    if not certain:
        return ()
    side_px = float(np.median([die.side_px for die in certain]))
    ratio = proposal.pips.radius_px / float(np.median([die.radius_px for die in certain]))
    free = (ratio > HINT_RANGE[0]) & (ratio < HINT_RANGE[1]) & (proposal.pips.aspect < LIKE_ASPECT)
    for die in dice:
        free &= np.linalg.norm(proposal.pips.center_px - die.center_px, axis=1) > HINT_ROOM * die.side_px
    groups = _grouped(proposal.pips.center_px[free], 0.6 * side_px)
    groups.sort(key=len, reverse=True)
    middles = [group.mean(axis=0) for group in groups[:MOST_HINTS]]
    return tuple(Doubt((float(x), float(y)), "spots") for x, y in middles)


def _grouped(points_px: FloatArray, reach_px: float) -> list[FloatArray]:
    """Part points (N, 2) into groups around the one with most neighbours, then the next."""
    groups = []
    while len(points_px):
        near = np.linalg.norm(points_px[:, None] - points_px[None], axis=2) < reach_px
        fullest = near[near.sum(axis=1).argmax()]
        groups.append(points_px[fullest])
        points_px = points_px[~fullest]
    return groups


def _unread_bodies(whole: Pips, dice: Sequence[Detection]) -> NDArray[np.bool_]:
    """Which (N,) of the spots that hold pips are larger than the dice taken on them.

    Without a certain die only what stands out clearly counts.
    """
    covered = np.zeros(len(whole))
    for die in dice:
        away = np.linalg.norm(whole.center_px - die.center_px, axis=1)
        covered += (away < np.maximum(whole.radius_px, BODY_ROOM * die.side_px)) * die.side_px**2
    unread = np.pi * whole.radius_px**2 > LARGEST_BODY * covered
    sides = [die.side_px for die in dice if die.log_odds >= CERTAIN_LOG_ODDS]
    if not sides:
        unread &= (whole.ground < CLEAR_GROUND) & (whole.contrast > CLEAR_CONTRAST)
    else:
        unread &= (whole.radius_px > BODY_RANGE[0] * min(sides)) & (
            whole.radius_px < BODY_RANGE[1] * max(sides)
        )
    return np.asarray(unread)


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
    like = ((ratio > LIKE_PIP_RANGE[0]) & (ratio < LIKE_PIP_RANGE[1])).any(axis=1)
    return pips.center_px[stray & like]


def _clear(pips: Pips, known: Pips | None) -> NDArray[np.bool_]:
    """Which spots are about as smooth and strong as the least of those known to be pips."""
    if known is None:
        smooth = (pips.roughness < CLEAR_ROUGHNESS) & (pips.ground < CLEAR_GROUND)
        return np.asarray(smooth & (pips.contrast > CLEAR_CONTRAST))
    smooth = pips.roughness < 1.5 * max(float(known.roughness.max()), CLEAR_ROUGHNESS / 2)
    plain = pips.ground < 1.5 * max(float(known.ground.max()), CLEAR_GROUND / 2)
    return np.asarray(smooth & plain & (pips.contrast > 0.5 * known.contrast.min()))
