"""Search a picture for dice: at first only where the trained detector sees something.

That quick look is trusted where the detector and pip geometry are certain of the same dice; else the whole
picture is searched, by geometry alone. What the detector is sure of and geometry does not read is a doubt.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from vision.detect import detect, detect_at_its_size
from vision.detection import CERTAIN_LOG_ODDS, Detection, Detections, Doubt
from vision.die_detector import DieBoxes, DieDetector, find_boxes
from vision.domain import FloatArray, Image
from vision.doubts import CLEAR_CONTRAST, beyond_doubt
from vision.pip_search import look_roughly, propose_spots
from vision.spots import build_pyramid
from vision.windows import Sheet, cut_windows

Found = TypeVar("Found", Detection, Doubt)
WORTH_A_LOOK = 0.06  # confidence of a box from which on it is looked into
MAYBE_A_DIE = 0.1  # that a box around each die must have for the quick look to be trusted,
AT_HOME = 0.3  # and all of these on average: else such pictures are strange to the detector
TELLING = 0.15  # of a box without a die, from which on the quick look is not trusted,
LIKELY_A_DIE = 0.5  # and from which on it is a doubt
IN_ITS_BOX = 0.45  # of a box's sides, around its middle
ON_A_DIE = 0.7  # of the side of a die found, around its middle
SMALL_SIDE = 640  # px; of a picture in which the pips of dice too large for the detector are sought
LIKE_SIZE = (0.6, 1.7)  # of the boxes of one throw, with the sides of dice that show, to the usual one
BODY_RADIUS = 0.5  # of a box's longer side


def search(
    image_bgr: Image, expected_dice: int | None = None, detector: DieDetector = find_boxes
) -> Detections:
    """Find all dice of a picture (H, W, 3) and the places where one may lie that was not read.

    The quick look must find `expected_dice`, if given, to be trusted.
    """
    boxes = detector(image_bgr)
    found = quick_look(image_bgr, boxes, expected_dice) or detect(image_bgr)
    return Detections(found.dice, (*found.doubts, *_unread(boxes, found)), found.hints)


def quick_look(image_bgr: Image, boxes: DieBoxes, expected_dice: int | None) -> Detections | None:
    """Return what geometry finds in the detector's boxes; None when that may not be all."""
    if (boxes.confidence >= MAYBE_A_DIE).sum() < max(expected_dice or 0, 1):
        return None
    sheet = cut_windows(image_bgr, boxes.pick(boxes.confidence >= WORTH_A_LOOK))
    if sheet is None:
        return None
    found = _on_sheet(sheet)
    if not _is_all(found, boxes, expected_dice):
        return None
    counted = expected_dice is not None and len(found.dice) == expected_dice
    return found if counted or not _has_large_pips_elsewhere(image_bgr, sheet) else None


def _has_large_pips_elsewhere(image_bgr: Image, sheet: Sheet) -> bool:
    """Whether a small copy of the picture shows a pip outside the windows: of a die too large to be seen."""
    pyramid = build_pyramid(image_bgr)
    level = next(step for step, picture in enumerate(pyramid) if max(picture.shape[:2]) <= SMALL_SIDE)
    spots = propose_spots(pyramid[level:], CLEAR_CONTRAST)
    elsewhere = ~sheet.covers((spots.center_px + 0.5) * 2.0**level - 0.5)
    return bool(beyond_doubt(look_roughly(pyramid[level:], spots.pick(elsewhere))).any())


def _on_sheet(sheet: Sheet) -> Detections:
    found = detect_at_its_size(sheet.image)
    return Detections(
        tuple(_in_picture(sheet, found.dice)),
        tuple(_in_picture(sheet, found.doubts)),
        tuple(_in_picture(sheet, found.hints)),
    )


def _in_picture(sheet: Sheet, found: Sequence[Found]) -> Iterator[Found]:
    """What lies in a window of the sheet, where it lies in the picture."""
    for each, window in zip(found, sheet.window_of(_middles(found)), strict=True):
        if window >= 0:
            yield each.moved(partial(sheet.to_picture, window=int(window)), 1 / sheet.scale)


def _is_all(found: Detections, boxes: DieBoxes, expected_dice: int | None) -> bool:
    """Whether geometry is certain of every box that may be a die, and of nothing that the detector doubts."""
    certain = all(die.log_odds >= CERTAIN_LOG_ODDS for die in found.dice) and not found.doubts
    if not certain or len(found.dice) < max(expected_dice or 0, 1):
        return False
    read = _explained(boxes.pick(boxes.confidence >= TELLING), found.dice)
    inside = _inside(boxes, _middles(found.dice))
    seen = np.where(inside, boxes.confidence[:, None], 0.0).max(axis=0, initial=0.0)
    return bool(read.all() and seen.min() >= MAYBE_A_DIE and seen.mean() >= AT_HOME)


def _middles(found: Sequence[Found]) -> FloatArray:
    return np.array([each.center_px for each in found]).reshape(-1, 2)


def _inside(boxes: DieBoxes, points: FloatArray) -> NDArray[np.bool_]:
    """Which points (M, 2) lie where the die of each box (N,) may have the middle of its top face."""
    away = np.abs(boxes.center_px[:, None] - points[None])
    return np.asarray((away < IN_ITS_BOX * boxes.size_px[:, None]).all(axis=2))


def _explained(boxes: DieBoxes, dice: Sequence[Detection]) -> NDArray[np.bool_]:
    """Which boxes (N,) hold a die found, or lie on one: its pips, at times, look like dice themselves."""
    middles, side = _middles(dice), np.array([die.side_px for die in dice])
    away = np.linalg.norm(boxes.center_px[:, None] - middles[None], axis=2)
    return np.asarray((_inside(boxes, middles) | (away < ON_A_DIE * side)).any(axis=1))


def _unread(boxes: DieBoxes, found: Detections) -> list[Doubt]:
    """Doubts about the boxes that are likely dice, as large as those with dice, and have none nor a doubt."""
    read = _explained(boxes, found.dice) & (boxes.confidence >= MAYBE_A_DIE)
    known = read | _inside(boxes, _middles(found.doubts)).any(axis=1)
    longer = boxes.size_px.max(axis=1, initial=0)
    usual = float(np.median(longer[read])) if read.any() else None
    alike = True if usual is None else (longer > LIKE_SIZE[0] * usual) & (longer < LIKE_SIZE[1] * usual)
    unread = boxes.pick((boxes.confidence >= LIKELY_A_DIE) & ~known & alike)
    return [
        Doubt((float(x), float(y)), "what looks like a die", BODY_RADIUS * float(longer))
        for (x, y), longer in zip(unread.center_px, unread.size_px.max(axis=1, initial=0), strict=True)
    ]
