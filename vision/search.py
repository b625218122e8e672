"""Search a picture for dice, with the trained detector as pathfinder and as a witness.

Where it is known how many dice there are, only the detector's boxes are looked into at first; that is enough
if pip geometry is certain of just so many dice there. Else the whole picture is searched, by geometry alone.
What the detector is sure of and geometry does not read is a doubt.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from vision.detect import detect, detect_at_its_size
from vision.detection import CERTAIN_LOG_ODDS, UNKNOWN_SIZES, Detection, Detections, DieSizes, Doubt
from vision.die_detector import LIKELY_A_DIE, DieBoxes, DieDetector, find_boxes
from vision.domain import FloatArray, Image
from vision.windows import SURE, Sheet, cut_windows

Found = TypeVar("Found", Detection, Doubt)
WORTH_A_LOOK = 0.06  # confidence of a box from which on it is looked into
TELLING = 0.15  # of a box without a die, from which on the quick look is not trusted
LEAST_OF_A_BOX = 0.7  # of the longer side of the smallest die's box: its top face, if the die lies askew
USUAL_OF_A_BOX = 0.65  # of the usual box's: about the top face
BELIEVED_PX = 70.0  # of the smallest die, at most: several boxes may all be something else
IN_ITS_BOX = 0.45  # of a box's sides, around its middle
ON_A_DIE = 0.7  # of the side of a die found, around its middle
LIKE_SIZE = (0.6, 1.7)  # of the boxes of one throw, with the sides of dice that show, to the usual one
BODY_RADIUS = 0.4  # of a box's longer side, which is half as wide again as the die


def search(
    image_bgr: Image,
    expected_dice: int | None = None,
    detector: DieDetector = find_boxes,
    least_side_px: float = 0.0,
) -> Detections:
    """Find all dice of a picture (H, W, 3) and the places where one may lie that was not read.

    `least_side_px` of a die: what a calibration says of it.
    """
    boxes = detector(image_bgr)
    sizes = sizes_of(boxes, least_side_px)
    found = quick_look(image_bgr, boxes, expected_dice, sizes) or detect(image_bgr, sizes)
    unread = _unread(boxes, found)
    return Detections(found.dice, (*found.doubts, *_doubts(unread, found)), found.hints, unread)


def quick_look(
    image_bgr: Image, boxes: DieBoxes, expected_dice: int | None, sizes: DieSizes = UNKNOWN_SIZES
) -> Detections | None:
    """Return what geometry finds in the detector's boxes; None when that may not be all."""
    worth_it = boxes.pick(boxes.confidence >= WORTH_A_LOOK)
    if expected_dice is None or len(worth_it) < expected_dice:
        return None
    sheet = cut_windows(image_bgr, worth_it)
    found = None if sheet is None else _on_sheet(sheet, sizes)
    return found if found is not None and _is_all(found, boxes, expected_dice) else None


def sizes_of(boxes: DieBoxes, least_side_px: float = 0.0) -> DieSizes:
    """Return how large dice are by what may be dice, at least `least_side_px`."""
    longer = boxes.size_px.max(axis=1, initial=0)
    telling, sure = longer[boxes.confidence >= TELLING], longer[boxes.confidence >= SURE]
    seen_px = min(LEAST_OF_A_BOX * float(telling.min()), BELIEVED_PX) if len(telling) > 1 else 0.0
    usual_px = USUAL_OF_A_BOX * float(np.median(sure)) if len(sure) else 0.0
    return DieSizes(max(least_side_px, seen_px), usual_px)


def _on_sheet(sheet: Sheet, sizes: DieSizes) -> Detections:
    found = detect_at_its_size(sheet.image, sheet.scale * sizes.least_px)
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


def _is_all(found: Detections, boxes: DieBoxes, expected_dice: int) -> bool:
    """Whether geometry is certain of just as many dice as there are, and of every box that may be a die."""
    certain = all(die.log_odds >= CERTAIN_LOG_ODDS for die in found.dice) and not found.doubts
    read = _explained(boxes.pick(boxes.confidence >= TELLING), found.dice)
    return bool(certain and len(found.dice) == expected_dice and read.all())


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


def _unread(boxes: DieBoxes, found: Detections) -> DieBoxes:
    """The boxes that may hold dice, as large as those read, and hold none that is."""
    telling = (boxes.confidence >= TELLING) & ~_explained(boxes, found.dice)
    longer = boxes.size_px.max(axis=1, initial=0)
    around_one = _inside(boxes, _middles(found.dice)).sum(axis=1) == 1
    if around_one.any():
        usual = float(np.median(longer[around_one]))
        telling &= (longer > LIKE_SIZE[0] * usual) & (longer < LIKE_SIZE[1] * usual)
    return boxes.pick(telling)


def _doubts(unread: DieBoxes, found: Detections) -> list[Doubt]:
    """Doubts about the boxes that are likely dice, where there is none yet."""
    doubted = _inside(unread, _middles(found.doubts)).any(axis=1)
    likely = unread.pick((unread.confidence >= LIKELY_A_DIE) & ~doubted)
    return [
        Doubt((float(x), float(y)), "what looks like a die", BODY_RADIUS * float(size.max()))
        for (x, y), size in zip(likely.center_px, likely.size_px, strict=True)
    ]
