"""Propose every face that the pips of a picture allow, with the signs for and against it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.bodies import Bodies, enclosed, find_bodies, plainness
from vision.detection import CERTAIN_LOG_ODDS
from vision.domain import FloatArray, Image
from vision.evidence import signs_of, weigh
from vision.faces import Faces, alike, find_faces, single_pips
from vision.pip_search import find_pips, look_again
from vision.pips import Pips
from vision.spots import build_pyramid

MAX_SHEAR = 1.9
PLAIN_ENOUGH = 0.6  # of that is asked of four and more pips
MIN_PLAINNESS = 0.75  # share of the places between pips that have the face's colour
MIN_ENCLOSED = 0.6  # share of directions in which a one must find an edge
TELLING_PIPS = 3  # and more pips in a layout are rarely there by chance
PIP_RANGE = (0.4, 2.5)  # radii of the pips of one throw against their median
ROOM_OF_ONE = 1.2  # half sides around a one in which no other die's pips can lie
LIKE_ASPECT = 1.4  # pips more foreshortened than this against others are on another side of the die


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


def propose_faces(image_bgr: Image, thorough: bool = False, least_side_px: float = 0.0) -> Proposal:
    """All faces that the pips of a picture allow, but those that a quick look rules out unless `thorough`.

    `least_side_px` as in `vision.pip_search.find_pips`.
    """
    pyramid = build_pyramid(image_bgr)
    pips, whole = find_pips(pyramid, least_side_px)
    laid_out, empty = find_faces(pips)
    more = look_again(pyramid, pips, empty.center_px, empty.pip)
    if len(more) > len(pips):
        pips, laid_out = more, find_faces(more)[0]
    faces = Faces.join(laid_out, single_pips(pips))
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
        Faces.join(first.faces, rest.faces),
        Bodies.join(first.bodies, rest.bodies),
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
