"""Whether two pictures show one tray from one place: what scale and pose come from, and the empty one."""

from __future__ import annotations

from collections.abc import Sequence

from vision.domain import DieReading, DieState, FloatArray, Image, TableCalibration
from vision.polygon import scaled
from vision.tray_check import DIE_ROOM, LARGEST_SHIFT, LEAST_SHIFT_PX, RECOGNISED, compare, view_of

COARSER = 2.0  # than while playing: with the sheet over most of the tray, its rim alone tells


def view_fault(
    image_bgr: Image, empty_bgr: Image, area_px: FloatArray, covered: Sequence[FloatArray]
) -> str | None:
    """Say how a picture (H, W, 3) shows another view than that of the empty tray; None when it does not.

    Light and sharpness may differ. `area_px` (N, 2): the floor's outline in the empty picture. `covered`:
    outlines (4, 2) of what lies there in the other one, a sheet or dice, and is not compared.
    """
    size = (empty_bgr.shape[1], empty_bgr.shape[0])
    view = view_of(empty_bgr, TableCalibration(area_px, size), size)
    change = compare(image_bgr, view, [_as_a_die(outline) for outline in covered])
    if change.recognised < RECOGNISED:
        return "another tray, or the tray from elsewhere"
    if change.moved_px > COARSER * max(LEAST_SHIFT_PX, LARGEST_SHIFT * max(size)):
        return f"the tray {change.moved_px:.0f} px from where it is"
    return None


def _as_a_die(outline: FloatArray) -> DieReading:
    """What leaves out just `outline`: a die that with the room around it is as large."""
    corners = scaled(outline, 1 / DIE_ROOM)
    x, y = corners.mean(axis=0).tolist()
    return DieReading(None, 0.0, (x, y), corners, DieState.UNSURE)
