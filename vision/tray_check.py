"""Tell whether a still picture shows the tray as it was calibrated: in its place, in its light, as sharp.

It is held against the empty tray's, places with dice left out. Only the tray and its rim are looked at: what
lies around it may change, and a tray may be pushed while the table stays.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import cast

import numpy as np

from vision.alignment import Landmarks, align, landmarks_of
from vision.domain import DieReading, FloatArray, Image, TableCalibration
from vision.opencv import cv2
from vision.polygon import scaled
from vision.scene import TILE_PX, Grey, Mask, steps, tile_means, tile_row

WORK_PX = 410  # of the longer side at most
SURROUNDINGS_PX = 25
SMOOTHING_PX = 1.0
RIM = 0.12  # of the area's size: what lies around it and belongs to the tray
DIE_ROOM = 3.0  # sides of a die's top face, across, in which it may change the picture
TELLING = 1.0  # mean square of the steps from pixel to pixel from which on a tile tells where it is
LEAST_TELLING = 12  # tiles
PATCH_PX = 48  # in the picture as it is: where sharpness is measured
CANDIDATES, MOST_PATCHES, LEAST_PATCHES = 48, 12, 3
SHARPEST = 0.05  # share of a patch's steps: those at its edges

LARGEST_SHIFT = 0.0018  # of the longer side: 3 px of 1640, a millimetre at 50 cm,
LEAST_SHIFT_PX = 1.0  # but not less than this, below which a small picture does not tell
RECOGNISED, SURELY_RECOGNISED = 0.5, 0.8  # shares of telling tiles that must look the same
DARKEST, BRIGHTEST = 0.45, 1.8  # times as bright as it was
CLIPPED, NOT_CLIPPED, MOST_CLIPPED = 250.0, 235.0, 0.2  # grey levels, and share of the tray
LEAST_SHARPNESS = 0.7  # share of what it was


class ViewFaultKind(StrEnum):
    """What may have changed."""

    MOVED = "moved"
    LIGHT = "light"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class ViewFault:
    """Why a picture does not fit; `sure` is False where something in front of the tray may explain it too."""

    kind: ViewFaultKind
    detail: str
    sure: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class TrayView:
    """The calibrated view, ready to compare with.

    `size` (width, height) of the picture, and `part` (x0, y0, x1, y1) of it that is looked at, made `factor`
    times smaller; `landmarks`, and `level` (T,), mean grey, by tiles of that; `telling` and `tray` (T,):
    which tiles tell where they are, and which belong to the tray; `outline` (N, 2) of the area, as the
    landmarks' places; `patches` (P,): tiles with the sharpest edges, and `sharpness` of the picture there.
    """

    size: tuple[int, int]
    part: tuple[int, int, int, int]
    factor: int
    landmarks: Landmarks
    level: FloatArray
    telling: Mask
    tray: Mask
    outline: FloatArray
    patches: tuple[int, ...]
    sharpness: FloatArray


@dataclass(frozen=True, slots=True)
class ViewChange:
    """How a picture differs from the calibrated view.

    `gain`: times as bright; `clipped`: share of the tray that has become white; `recognised`: share of the
    tray's telling tiles that look the same; `moved_px`: how far the area's outline has moved at most, if
    enough is recognised; `sharpness`: share of it that is left, or of the tray's contrast if too little is.
    """

    gain: float
    clipped: float
    recognised: float
    moved_px: float
    sharpness: float


UNCHANGED = ViewChange(gain=1.0, clipped=0.0, recognised=1.0, moved_px=0.0, sharpness=1.0)


def view_of(
    empty_bgr: Image, calibration: TableCalibration, size: tuple[int, int], dice: Sequence[DieReading] = ()
) -> TrayView:
    """Prepare the tray's picture (H, W, 3) for pictures of `size` (width, height), of the same shape.

    Where `dice` lie in it, in px of `size`, it is not compared.
    """
    if empty_bgr.shape[1::-1] != size:
        empty_bgr = cast(Image, cv2.resize(empty_bgr, size, interpolation=cv2.INTER_AREA))
    factor = max(1, math.ceil(max(size) / WORK_PX))
    area = calibration.area_px * (np.array(size) / (calibration.image_size or size))
    radius = math.sqrt(cv2.contourArea(area.astype(np.float32)) / math.pi)
    part = _part_of(area, 4 * RIM * radius, size)
    empty = _cut(empty_bgr, part)
    small = _small(empty, factor)
    outline, radius = (area - part[:2]) / factor, radius / factor
    middle = outline.mean(axis=0)
    landmarks = landmarks_of(_detail(small), middle, radius)
    telling = landmarks.steps[:, 0] + landmarks.steps[:, 2] > TELLING
    tray = _touched(small.shape, [outline], round(2 * RIM * radius))
    tray &= _free(small.shape, dice, part, factor)
    patches = _sharpest(landmarks, telling & tray)
    return TrayView(
        size,
        part,
        factor,
        landmarks,
        level=tile_row(small),
        telling=telling,
        tray=tray,
        outline=(outline - middle) / radius,
        patches=patches,
        sharpness=_sharpness(empty, patches, factor),
    )


def find_fault(image_bgr: Image, view: TrayView, dice: Sequence[DieReading]) -> ViewFault | None:
    """Say why a still picture (H, W, 3) of the view's size, with `dice`, does not fit; None when it does."""
    change = compare(image_bgr, view, dice)
    fault = fault_of(change, max(LEAST_SHIFT_PX, LARGEST_SHIFT * max(view.size)))
    if fault is None or change.recognised >= RECOGNISED or not _is_upside_down(image_bgr, view, dice):
        return fault
    return ViewFault(ViewFaultKind.MOVED, "turned upside down since it was calibrated")


def _is_upside_down(image_bgr: Image, view: TrayView, dice: Sequence[DieReading]) -> bool:
    """Whether the picture, turned by half a turn, shows the view."""
    last = np.array(view.size) - 1
    turned = [replace(die, corners_px=last - die.corners_px) for die in dice]
    upright = np.ascontiguousarray(image_bgr[::-1, ::-1])
    return compare(upright, view, turned).recognised >= SURELY_RECOGNISED


def fault_of(change: ViewChange, largest_shift_px: float) -> ViewFault | None:
    """Say which change is too much, None when none is."""
    known, sure = change.recognised >= RECOGNISED, change.recognised >= SURELY_RECOGNISED
    if not DARKEST <= change.gain <= BRIGHTEST or change.clipped > MOST_CLIPPED:
        return ViewFault(ViewFaultKind.LIGHT, f"{change.gain:.2g} times as bright as when calibrated", sure)
    if known and change.moved_px > largest_shift_px:
        return ViewFault(ViewFaultKind.MOVED, f"moved by {change.moved_px:.0f} px since it was calibrated")
    if change.sharpness < LEAST_SHARPNESS:
        return ViewFault(ViewFaultKind.UNCLEAR, f"{change.sharpness:.0%} as sharp as when calibrated", sure)
    if not known:
        return ViewFault(ViewFaultKind.MOVED, "the tray does not look as when calibrated", sure)
    return None


def compare(image_bgr: Image, view: TrayView, dice: Sequence[DieReading]) -> ViewChange:
    """Measure how a still picture (H, W, 3) of the view's size, with `dice`, differs from the view."""
    image = _cut(image_bgr, view.part)
    small = _small(image, view.factor)
    seen = view.tray & _free(small.shape, dice, view.part, view.factor)
    telling = view.telling & seen
    if telling.sum() < LEAST_TELLING:
        return UNCHANGED
    now, before = tile_row(small)[seen], view.level[seen]
    gain = float(np.median((now + 1) / (before + 1)))
    detail = cast(Grey, _detail(small) / np.float32(gain))
    found = align(detail, view.landmarks, telling)
    sharpness = _sharpness_left(image, view, found.alike, gain)
    return ViewChange(
        gain,
        clipped=float(((now > CLIPPED) & (before < NOT_CLIPPED)).mean()),
        recognised=float(found.alike.sum() / telling.sum()),
        moved_px=float(found.moved_px(view.outline).max()) * view.factor,
        sharpness=_contrast_left(detail, view, seen) if sharpness is None else sharpness,
    )


def _contrast_left(detail: Grey, view: TrayView, seen: Mask) -> float:
    now, before = tile_row(cast(Grey, detail * detail))[seen], view.landmarks.contrast[seen]
    return math.sqrt(float(now.sum() / max(before.sum(), 1e-9)))


def _part_of(area: FloatArray, margin_px: float, size: tuple[int, int]) -> tuple[int, int, int, int]:
    """The box around the area and a margin, within a picture of `size`."""
    low = np.clip(np.floor(area.min(axis=0) - margin_px), 0, size).astype(int)
    high = np.clip(np.ceil(area.max(axis=0) + margin_px), 0, size).astype(int)
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def _cut(image_bgr: Image, part: tuple[int, int, int, int]) -> Image:
    x0, y0, x1, y1 = part
    return image_bgr[y0:y1, x0:x1]


def _small(image_bgr: Image, factor: int) -> Grey:
    """Grey levels of a picture made `factor` times smaller, cut to whole tiles."""
    height, width = (side // factor // TILE_PX * TILE_PX for side in image_bgr.shape[:2])
    whole = image_bgr[: height * factor, : width * factor]
    small = cv2.resize(whole, (width, height), interpolation=cv2.INTER_AREA)
    return cast(Grey, cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32))


def _detail(small: Grey) -> Grey:
    smooth = cv2.GaussianBlur(small, (0, 0), SMOOTHING_PX)
    return cast(Grey, smooth - cv2.blur(small, (SURROUNDINGS_PX, SURROUNDINGS_PX)))


def _free(
    shape: tuple[int, ...], dice: Sequence[DieReading], part: tuple[int, int, int, int], factor: int
) -> Mask:
    """Which tiles (T,) of a small picture no die lies on or beside."""
    return ~_touched(shape, [(scaled(die.corners_px, DIE_ROOM) - part[:2]) / factor for die in dice])


def _touched(shape: tuple[int, ...], outlines: Sequence[FloatArray], grown_px: int = 0) -> Mask:
    """Which tiles (T,) of a small picture any of `outlines`, grown by so much, touches."""
    drawn = np.zeros(shape, np.uint8)
    for outline in outlines:
        corners = np.rint(outline).astype(np.int32)
        cv2.fillPoly(drawn, [corners], color=255)
        if grown_px:
            cv2.polylines(drawn, [corners], True, color=255, thickness=2 * grown_px)
    return tile_means(drawn).reshape(-1) > 0


def _sharpest(landmarks: Landmarks, use: Mask) -> tuple[int, ...]:
    """Return the tiles of `use` with most edges, the sharpest first."""
    edges = np.where(use, landmarks.steps[:, 0] + landmarks.steps[:, 2], 0.0)
    order = np.argsort(-edges, kind="stable")[:CANDIDATES]
    return tuple(int(tile) for tile in order if edges[tile] > 0)


def _sharpness(image_bgr: Image, tiles: Sequence[int], factor: int) -> FloatArray:
    """Return the steepest steps of a picture (H, W, 3) around each tile, (T,), in grey levels a pixel."""
    height, width = image_bgr.shape[:2]
    columns = width // factor // TILE_PX
    steepest = []
    for tile in tiles:
        middle = (np.array(divmod(tile, columns)) + 0.5) * TILE_PX * factor
        top, left = np.clip(middle - PATCH_PX / 2, 0, np.array([height, width]) - PATCH_PX).astype(int)
        patch = cv2.cvtColor(image_bgr[top : top + PATCH_PX, left : left + PATCH_PX], cv2.COLOR_BGR2GRAY)
        across, down = steps(cast(Image, patch))
        steepness = np.sqrt(across * across + down * down).reshape(-1)
        at = int(len(steepness) * (1 - SHARPEST))
        steepest.append(float(np.partition(steepness, at)[at:].mean()))
    return np.array(steepest)


def _sharpness_left(image_bgr: Image, view: TrayView, alike: Mask, gain: float) -> float | None:
    """By the places that are surely the same; None if there are too few."""
    chosen = [at for at, tile in enumerate(view.patches) if alike[tile]][:MOST_PATCHES]
    if len(chosen) < LEAST_PATCHES:
        return None
    now = _sharpness(image_bgr, [view.patches[at] for at in chosen], view.factor)
    return float(np.median(now / gain / view.sharpness[chosen]))
