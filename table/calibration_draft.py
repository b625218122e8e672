"""A calibration while a person makes it on the page: what is known so far, and what that gives."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from table.calibrating import NamedPicture, NoSheetError, Request, TooFewDiceError, calibrate
from table.calibration_checks import NotEmptyError, Places, count_inside, dice_places
from table.throw_watch import Judge
from vision.calibrate.from_tray import SIDE_COUNTS, InnerSize, Shape
from vision.calibrate.hand_outline import HandFault, HandOutline, held, starting
from vision.calibrate.outline import find_outline
from vision.calibrate.quality import Quality
from vision.calibrate.standpoint import hides_an_edge
from vision.camera import Camera
from vision.domain import Image, TableCalibration
from vision.errors import CalibrationError
from vision.scene import difference, scene_of

USUAL_DIE_MM, USUAL_INNER_MM, RULER_MM = 16.0, (300.0, 200.0), 100.0


class Way(StrEnum):
    """What tells the scale, and where the camera is; the outline alone tells neither."""

    SHEET = "sheet"
    SIZE = "size"
    DICE = "dice"
    OUTLINE = "outline"


@dataclass(frozen=True, slots=True, eq=False)
class Draft:
    """What is known so far.

    `empty`: the tray, bare; `hand`: its outline, `found` by itself, or `changed` by the person; `views` of
    the sheet or the dice; `dice_px` (N, 2): where dice are seen in `empty`, which should have none;
    `inner_mm`: a rectangle's sides, of another tray the first alone; `ruler_mm`: what the sheet's 100 mm are.
    """

    way: Way = Way.SHEET
    empty: Image | None = None
    hand: HandOutline | None = None
    found: bool = False
    changed: bool = False
    views: tuple[Image, ...] = ()
    dice_px: Places = ()
    surely_empty: bool = False
    inner_mm: tuple[float, float] = USUAL_INNER_MM
    die_mm: float = USUAL_DIE_MM
    ruler_mm: float = RULER_MM

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of its pictures."""
        if self.empty is None:
            raise CalibrationError("found no picture of the empty tray; accepted is one, taken first")
        return self.empty.shape[1], self.empty.shape[0]

    @property
    def fault(self) -> HandFault | None:
        """What is wrong with the outline."""
        return None if self.hand is None else self.hand.fault(self.size)

    @property
    def shape(self) -> Shape | None:
        """What the outline says the tray is; None if none of those whose size can be stated."""
        if self.hand is None:
            return None
        sides = 0 if self.hand.is_round else len(self.hand.corners_px)
        return next((shape for shape, count in SIDE_COUNTS.items() if count == sides), None)

    @property
    def dice_inside(self) -> int:
        """How many dice are seen in the tray that should be empty."""
        if self.hand is None or self.fault is HandFault.OUTSIDE:
            return 0
        return 0 if self.surely_empty else count_inside(self.dice_px, self.hand.area_px)

    @property
    def shown(self) -> bool:
        """Whether the outline was found or a person changed it: one laid out to begin with tells nothing."""
        return self.hand is not None and self.fault is None and (self.found or self.changed)

    def with_empty(self, image: Image, judge: Judge) -> Draft:
        """Return the draft with a picture of the empty tray, its outline found in it or laid out to drag."""
        dice = dice_places(image, judge)
        try:
            hand, found = held(find_outline(image)), True
        except CalibrationError:
            hand, found = starting((image.shape[1], image.shape[0]), 4), False
        anew = replace(self, empty=image, dice_px=dice, surely_empty=False, views=())
        return replace(anew, hand=hand, found=found, changed=False)

    def with_corners(self, count: int) -> Draft:
        """Return the draft with an outline to drag of so many corners, 0 for a round one."""
        return replace(self, hand=starting(self.size, count), found=False, changed=False)

    def with_hand(self, hand: HandOutline) -> Draft:
        """Return the draft with an outline that a person has changed."""
        return replace(self, hand=hand, found=False, changed=True)


@dataclass(frozen=True, slots=True, eq=False)
class Drafted:
    """A calibration, ready to use; `quality` and `height_mm` of the camera None of an outline alone.

    `hidden`: the camera stands beside the tray, whose wall hides an edge of the floor.
    """

    calibration: TableCalibration
    quality: Quality | None = None
    height_mm: float | None = None
    hidden: bool = False


def drafted(draft: Draft, judge: Judge) -> Drafted:
    """Return what a draft gives; raises CalibrationError saying what is missing or not certain."""
    if draft.empty is None or draft.hand is None or draft.fault is not None:
        raise CalibrationError("found no outline of the tray; accepted is one without a fault")
    if draft.dice_inside:
        raise NotEmptyError(
            f"found {draft.dice_inside} dice in the tray; accepted is none", draft.dice_inside
        )
    if draft.way is Way.OUTLINE:
        outline = draft.hand.outline.area_px
        return Drafted(TableCalibration(outline, draft.size, empty_image=draft.empty))
    calibrated = calibrate(_request(draft, draft.empty, draft.hand), judge)
    calibration = replace(calibrated.calibration, empty_image=draft.empty)
    camera = Camera.of(calibration)
    if camera is None:
        return Drafted(calibration, calibrated.quality)
    error_deg = calibrated.quality.tilt_error_deg
    hidden = draft.way is Way.SHEET and hides_an_edge(camera, calibration.area_px, error_deg)
    return Drafted(calibration, calibrated.quality, camera.height_mm, hidden)


def _request(draft: Draft, empty: Image, hand: HandOutline) -> Request:
    named_empty = NamedPicture("the empty tray", empty)
    pictures = [NamedPicture(f"picture {number}", view) for number, view in enumerate(draft.views, 1)]
    if draft.way is Way.SHEET and not pictures:
        raise NoSheetError("found no picture of the printed sheet; accepted is one, lying in the tray", 0)
    if draft.way is Way.DICE and not pictures:
        raise TooFewDiceError("found no picture of dice; accepted are six laid flat and apart", 0)
    inner = _inner(draft) if draft.way is Way.SIZE else None
    return Request(
        [named_empty] if inner is not None else pictures or [named_empty],
        named_empty,
        inner=inner,
        die_mm=draft.die_mm,
        scale=draft.ruler_mm / RULER_MM,
        drawn=hand.outline,
        surely_empty=True,  # its dice are counted already
    )


def _inner(draft: Draft) -> InnerSize:
    if draft.shape is None:
        raise CalibrationError(
            "found an outline of another shape; accepted is one of 4 or 8 corners, or round"
        )
    width, height = draft.inner_mm
    return InnerSize(draft.shape, width, height if draft.shape is Shape.RECTANGLE else width)


def lies_still(before: Image, after: Image) -> bool:
    """Whether nothing moved between two pictures (H, W, 3) of one size."""
    apart = difference(scene_of(after), scene_of(before))
    return not bool(np.any(apart.beyond(apart.noise)))
