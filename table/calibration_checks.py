"""What makes a calibration wrong though it looks exact: another view, a tray not empty, no such camera."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from table.throw_watch import Judge
from vision.calibrate.board import find_board
from vision.calibrate.same_view import view_fault
from vision.camera_bounds import SEES_DEG, USUAL_DEG, camera_fault
from vision.domain import FloatArray, Image, TableCalibration
from vision.errors import CalibrationError
from vision.opencv import cv2
from vision.polygon import scaled
from vision.tray_check import DIE_ROOM

SURELY_A_DIE = 0.9  # confidence

Places = tuple[tuple[float, float], ...]


class UnlikelyCameraError(CalibrationError):
    """A calibration by which no camera over a table sees: what was stated, or the outline, is wrong."""


class NotEmptyError(CalibrationError):
    """Dice were seen in the tray that should be empty: `found`, 0 when it was the sheet."""

    def __init__(self, said: str, found: int) -> None:
        super().__init__(said)
        self.found = found


class OtherViewError(CalibrationError):
    """The picture of the empty tray shows another tray, or was taken from elsewhere."""


def dice_places(image_bgr: Image, judge: Judge) -> Places:
    """Where (N, 2) dice are surely seen in a picture (H, W, 3), in px."""
    dice = judge(image_bgr).dice
    return tuple(die.center_px for die in dice if die.face and die.confidence > SURELY_A_DIE)


def count_inside(places_px: Places, area_px: FloatArray) -> int:
    """How many places lie in the outline `area_px` (N, 2)."""
    contour = area_px.astype(np.float32).reshape(-1, 1, 2)
    return sum(cv2.pointPolygonTest(contour, place, False) >= 0 for place in places_px)


def check_empty(name: str, image_bgr: Image, area_px: FloatArray, judge: Judge) -> None:
    """Raise NotEmptyError if the sheet lies in the picture of the empty tray, or dice do."""
    accepted = "accepted is a picture of the tray with nothing in it"
    if find_board(image_bgr) is not None:
        raise NotEmptyError(f"{name}: found the printed sheet in the tray; {accepted}", 0)
    count = count_inside(dice_places(image_bgr, judge), area_px)
    if count:
        dice = "1 die" if count == 1 else f"{count} dice"
        raise NotEmptyError(
            f"{name}: found {dice} in the tray; {accepted}, or --surely-empty if what looks like dice is "
            "part of it",
            count,
        )


def check_camera(said_by: str, calibration: TableCalibration, lens_told: bool) -> None:
    """Raise UnlikelyCameraError; `said_by`: picture and way; `lens_told`: pictures tell the focal length."""
    size = calibration.image_size
    fault = size and camera_fault(calibration, size, SEES_DEG if lens_told else USUAL_DEG)
    if fault:
        raise UnlikelyCameraError(
            f"{said_by} found {fault.found}; accepted is {fault.accepted}: measure again what was stated "
            "(--inner WIDTHxHEIGHT, --die), name the floor's corners (--area), or take the printed sheet, "
            "some pictures of it at a slant if the lens is unusual"
        )


def check_same_view(
    picture: tuple[str, Image], empty: tuple[str, Image], area_px: FloatArray, judge: Judge
) -> None:
    """Raise OtherViewError if `picture`, of sheet or dice, shows another view than `empty`; each named."""
    (name, image), (empty_name, empty_image) = picture, empty
    fault = view_fault(image, empty_image, area_px, _covered(image, judge))
    if fault:
        raise OtherViewError(
            f"{empty_name}: found beside sheet and dice {fault} in {name}; accepted are two pictures from "
            "one camera that nobody moved, the tray in its place"
        )


def _covered(image_bgr: Image, judge: Judge) -> Sequence[FloatArray]:
    """What lies in the tray, as outlines (4, 2)."""
    board = find_board(image_bgr)
    if board is not None:
        return [board.paper_px]
    return [scaled(die.corners_px, DIE_ROOM) for die in judge(image_bgr).dice]
