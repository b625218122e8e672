"""Tell whether something that is no die covers the tray: a hand, an arm, a cup.

A still picture is held against the tray without dice. What neither light - brighter, dimmer, of another
colour, with shadows - nor the dice themselves explain is foreign. Dice that were not found, coins and single
fingers are too narrow to cover anything; a hand, an arm and a cup are not.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from vision.domain import DieReading, FloatArray, Image, Reason, ReasonKind, Ruling, TableCalibration, Verdict
from vision.misroll import ruled
from vision.opencv import cv2
from vision.polygon import scaled
from vision.scene import Grey, Mask, steps
from vision.spots import halved

WORK_PX = 410  # of the longer side at most
SHADOW, GLOSS = 0.55, 1.2  # how much darker in a shadow, and brighter beside a bright die, a floor may look
FLOOR = 5.0  # grey levels, Euclidean over B, G, R, and
PER_LEVEL = 0.1  # share of the brightness: by how much a place may look otherwise all the same
PATCH = 0.4  # of a die's side: a place
DIE_ROOM = 2.4  # sides of a die's top face, across, that it explains: the other faces, its deepest shadow
THICKNESS = 2.0  # sides of a die: what is nowhere as thick covers nothing
HIDING = 0.6  # sides of a die: as thick is what may hide one that lacks
LIKELY_SIDE = 1 / 9  # of the area's size, where nothing says: the largest dice in the smallest trays
DARK = 8.0  # grey levels added to both pictures: between shades of black no share means anything
BORDER_PX = 5
OWN_EDGE = 1.5  # times as strong as now: a border in the empty picture that something there had


@dataclass(frozen=True, slots=True)
class Cover:
    """Something that covers the tray: the middle of it, and its size inside the area in faces of a die."""

    center_px: tuple[float, float]
    dice: float


def find_cover(
    image_bgr: Image,
    calibration: TableCalibration,
    dice: Sequence[DieReading],
    side_px: float = 0.0,
    thickness: float = THICKNESS,
) -> Cover | None:
    """Return the largest thing in the area of a picture (H, W, 3) that neither the tray nor `dice` explain.

    None when there is none, or no picture of the empty tray to tell it by. `side_px` of a die's top face; 0:
    that of `dice`, or of a large die if there are none. `thickness` in sides of a die: what is nowhere as
    thick is not looked at. What lay in the tray when the empty picture was taken
    is no cover once it is gone.
    """
    if calibration.empty_image is None:
        return None
    size = (image_bgr.shape[1], image_bgr.shape[0])
    factor = max(1, math.ceil(max(size) / WORK_PX))
    small = (size[0] // factor, size[1] // factor)
    now, empty = _reduced(image_bgr, small), _reduced(calibration.empty_image, small)
    assumed = calibration.image_size or size
    area = _filled(now.shape, [calibration.area_px * (np.array(small) / assumed)])
    side = (side_px or _side_px(dice)) / factor or LIKELY_SIDE * math.sqrt(float(area.sum()))
    free = area & ~_filled(now.shape, [scaled(die.corners_px, DIE_ROOM) / factor for die in dice])
    lit = cast(Grey, empty * np.median(now[::3, ::3] / empty[::3, ::3], axis=(0, 1)))
    patch = max(1, round(PATCH * side))
    foreign = _differs(now, lit, patch) & free
    covers = [
        Cover((float(x * factor), float(y * factor)), float(part.sum()) / side**2)
        for part, (x, y) in _thick_parts(foreign, round(thickness * side) + patch)
        if not _was_there_before(part, free, now, lit)
    ]
    return max(covers, key=lambda cover: cover.dice, default=None)


def with_cover(verdict: Verdict, cover: Cover | None) -> Verdict:
    """Return what is left of a verdict where something covers the tray: nothing is ruled."""
    if cover is None:
        return verdict
    detail = f"something as large as {cover.dice:.0f} dice covers the tray"
    return Verdict(Ruling.UNSURE, (Reason(ReasonKind.OCCLUDED, None, detail),), verdict.dice)


def with_hidden(verdict: Verdict, hider: Cover | None) -> Verdict:
    """Return the verdict where something may hide the dice that lack: whether they do is a question."""
    if hider is None:
        return verdict
    x, y = hider.center_px
    may_hide = f"what lies at {x:.0f}, {y:.0f} px may hide one"
    reasons = [
        replace(each, kind=ReasonKind.UNCERTAIN, detail=f"{each.detail}: {may_hide}")
        if each.kind is ReasonKind.MISSING
        else each
        for each in verdict.reasons
    ]
    return ruled(verdict.dice, reasons)


def _reduced(image_bgr: Image, size: tuple[int, int]) -> Grey:
    small = image_bgr
    while small.shape[1] >= 2 * size[0] and small.shape[0] >= 2 * size[1]:  # many times faster than in one go
        small = halved(small)
    small = cast(Image, cv2.resize(small, size, interpolation=cv2.INTER_AREA))
    return cast(Grey, small.astype(np.float32) + np.float32(DARK))


def _filled(shape: tuple[int, ...], outlines: Sequence[FloatArray]) -> Mask:
    drawn = np.zeros(shape[:2], np.uint8)
    for outline in outlines:
        cv2.fillPoly(drawn, [np.rint(outline).astype(np.int32)], color=1)
    return drawn.astype(np.bool_)


def _side_px(dice: Sequence[DieReading]) -> float:
    edges = [die.corners_px - np.roll(die.corners_px, 1, axis=0) for die in dice]
    return float(np.median(np.linalg.norm(edges, axis=2))) if edges else 0.0


def _differs(now: Grey, lit: Grey, patch: int) -> Mask:
    """Which places no light and no shadow on the empty tray, `lit` as the picture is, make look so."""
    size = (patch, patch)
    bright = cv2.blur(_dot(lit, lit), size)
    share = np.clip(cv2.blur(_dot(now, lit), size) / bright, SHADOW, GLOSS)
    apart = now - share[..., np.newaxis] * lit
    differs = cv2.blur(_dot(apart, apart), size)
    return cast(Mask, differs > (FLOOR + PER_LEVEL * share * np.sqrt(bright)) ** 2)


def _thick_parts(foreign: Mask, thickness: int) -> Iterator[tuple[Mask, tuple[float, float]]]:
    """Yield each connected part and its middle (x, y), of what is left where a disc of `thickness` fits."""
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (thickness, thickness))
    if np.count_nonzero(foreign) < np.count_nonzero(disc):
        return
    opened = cv2.morphologyEx(foreign.astype(np.uint8), cv2.MORPH_OPEN, disc)
    count, labels, _, middles = cv2.connectedComponentsWithStats(opened)
    for label in range(1, count):
        yield labels == label, (float(middles[label, 0]), float(middles[label, 1]))


def _was_there_before(part: Mask, free: Mask, now: Grey, lit: Grey) -> bool:
    """Whether something in the empty picture had the border of `part`, and none is seen there now.

    The edge of what is `free` says nothing: it may be a wall, or a die.
    """
    around = np.ones((BORDER_PX, BORDER_PX), np.uint8)
    border = cv2.morphologyEx(part.astype(np.uint8), cv2.MORPH_GRADIENT, around) > 0
    inner = cv2.erode(free.astype(np.uint8), around, iterations=2, borderValue=0) > 0
    told = border & inner
    return bool(told.any() and _steepness(lit)[told].mean() > OWN_EDGE * _steepness(now)[told].mean())


def _steepness(picture: Grey) -> Grey:
    """How steep a picture is (h, w), Euclidean over its colours, in grey levels a pixel."""
    across, down = steps(picture)
    return cast(Grey, np.sqrt(_dot(across, across) + _dot(down, down)))


def _dot(one: Grey, other: Grey) -> Grey:
    return cast(Grey, np.einsum("ijk,ijk->ij", one, other))
