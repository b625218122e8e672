"""Draws a verdict or a calibration over its picture, for eyes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.camera import Camera
from vision.domain import (
    DieReading,
    DieState,
    FloatArray,
    Image,
    Ruling,
    TableCalibration,
    Verdict,
)
from vision.label_places import box_of, free_places
from vision.opencv import cv2

Color = tuple[int, int, int]

STATE_COLORS: dict[DieState, Color] = {
    DieState.FLAT: (80, 220, 80),
    DieState.TILTED: (0, 140, 255),
    DieState.STACKED: (255, 120, 220),
    DieState.OUTSIDE: (60, 60, 255),
    DieState.UNSURE: (0, 230, 255),
}
RULING_COLORS: dict[Ruling, Color] = {
    Ruling.VALID: STATE_COLORS[DieState.FLAT],
    Ruling.MISROLL: STATE_COLORS[DieState.OUTSIDE],
    Ruling.UNSURE: STATE_COLORS[DieState.UNSURE],
}
BLACK: Color = (0, 0, 0)
AREA_COLOR: Color = (220, 200, 120)
GRID_COLOR: Color = (230, 210, 150)
CUBE_COLOR: Color = (0, 230, 255)
GRID_MM, LINE_POINTS = 50.0, 40
USUAL_DIE_MM = 16.0
LINE_PX = 34.0  # of text of scale 1, with its plate


def draw_overlay(image: Image, verdict: Verdict, area_px: FloatArray | None = None) -> Image:
    """Copy of `image` (H, W, 3) with the verdict drawn on it.

    Each die's top face is outlined in its state's colour; beside it stand its face and confidence in percent,
    its tilt if that is known, and what is held against it. The ruling and what is held against the throw as a
    whole stand at the top left. `area_px` (N, 2): the area's outline, if there is one.
    """
    drawn = image.copy()
    unit = max(1.0, max(image.shape[:2]) / 1000)
    if area_px is not None:
        _outline(drawn, area_px, AREA_COLOR, max(1, round(unit)))
    _draw_dice(drawn, verdict, unit)
    faces = " ".join("?" if die.face is None else str(die.face) for die in verdict.dice)
    of_all = (f"{reason.kind}: {reason.detail}" for reason in verdict.reasons if reason.die is None)
    for row, line in enumerate([f"{verdict.ruling}  {faces}", *of_all], start=1):
        at = (round(8 * unit), round(26 * row * unit))
        _write(drawn, line, at, 0.7 * unit, RULING_COLORS[verdict.ruling])
    return drawn


def draw_faces(image: Image, dice: Sequence[DieReading]) -> Image:
    """Copy of a small `image` (H, W, 3) with each die's top face outlined in its state's colour, and named.

    A face that could not be read is a question mark.
    """
    drawn = image.copy()
    for die in dice:
        color = STATE_COLORS[die.state]
        _outline(drawn, die.corners_px, color, 1)
        at = (round(die.corners_px[:, 0].max()) + 3, round(die.corners_px[:, 1].min()) + 10)
        _write(drawn, "?" if die.face is None else str(die.face), at, 0.55, color)
    return drawn


def draw_table(image: Image, calibration: TableCalibration) -> Image:
    """Copy of `image` (H, W, 3) with a calibration drawn on it, as far as it goes.

    The area's outline; a grid of GRID_MM on its floor; in its middle and towards its corners wire cubes as
    large as the dice, which must look like dice that lie there.
    """
    drawn = image.copy()
    unit = max(1, round(max(image.shape[:2]) / 1000))
    camera = Camera.of(calibration)
    if camera is not None:
        area = camera.on_plane(calibration.area_px, 0.0)
        _draw_grid(drawn, camera, area, unit)
        for place in _cube_places(area):
            _draw_cube(drawn, camera, place, calibration.die_mm or USUAL_DIE_MM, 2 * unit)
    _outline(drawn, calibration.area_px, STATE_COLORS[DieState.FLAT], 2 * unit)
    return drawn


def _draw_grid(drawn: Image, camera: Camera, area_mm: FloatArray, thick: int) -> None:
    """Lines of the floor inside the area, bent as the lens bends them."""
    low, high = np.floor(area_mm.min(axis=0) / GRID_MM), np.ceil(area_mm.max(axis=0) / GRID_MM)
    lines = drawn.copy()
    for axis in (0, 1):
        along = np.linspace(low[1 - axis] * GRID_MM, high[1 - axis] * GRID_MM, LINE_POINTS)
        for across in np.arange(low[axis], high[axis] + 1) * GRID_MM:
            points = np.zeros((LINE_POINTS, 3))
            points[:, axis], points[:, 1 - axis] = across, along
            _line(lines, camera.seen_at(points), GRID_COLOR, thick)
    floor = np.zeros(drawn.shape[:2], dtype=np.uint8)
    cv2.fillPoly(floor, [_pixels(camera.seen_at(np.column_stack([area_mm, np.zeros(len(area_mm))])))], 1)
    drawn[floor > 0] = lines[floor > 0]


def _cube_places(area_mm: FloatArray) -> FloatArray:
    """The middle and places (5, 2) half way from there to where the outline lies farthest each way."""
    middle = area_mm.mean(axis=0)
    slants = np.array([(1.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (-1.0, 1.0)])
    farthest = area_mm[((area_mm - middle) @ slants.T).argmax(axis=0)]
    return np.vstack([middle, (farthest + middle) / 2])


def _draw_cube(drawn: Image, camera: Camera, place_mm: FloatArray, die_mm: float, thick: int) -> None:
    square = place_mm + np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]) * die_mm
    low, high = (camera.seen_at(np.column_stack([square, np.full(4, height)])) for height in (0.0, die_mm))
    for low_corner, high_corner in zip(low, high, strict=True):
        _line(drawn, np.array([low_corner, high_corner]), CUBE_COLOR, max(1, thick // 2))
    _outline(drawn, low, CUBE_COLOR, max(1, thick // 2))
    _outline(drawn, high, CUBE_COLOR, thick)


def _line(drawn: Image, points_px: FloatArray, color: Color, thick: int) -> None:
    cv2.polylines(
        drawn, [_pixels(points_px)], isClosed=False, color=color, thickness=thick, lineType=cv2.LINE_AA
    )


def _pixels(points_px: FloatArray) -> NDArray[np.int32]:
    return np.round(points_px).astype(np.int32).reshape(-1, 1, 2)


def _draw_dice(drawn: Image, verdict: Verdict, unit: float) -> None:
    """Outline every die; what is said of it stands where it hides none of the others."""
    for die in verdict.dice:
        _outline(drawn, die.corners_px, STATE_COLORS[die.state], max(1, round(2 * unit)))
    lines = [_lines(verdict, place) for place in range(len(verdict.dice))]
    sizes = [_size(each, unit) for each in lines]
    picture = (drawn.shape[1], drawn.shape[0])
    boxes = free_places([box_of(die.corners_px) for die in verdict.dice], sizes, picture)
    for die, said, box in zip(verdict.dice, lines, boxes, strict=True):
        bottom = box.y0
        for text, scale in said:
            bottom += LINE_PX * scale * unit
            at = (round(box.x0), round(bottom - LINE_PX * scale * unit / 4))
            _write(drawn, text, at, scale * unit, STATE_COLORS[die.state])


def _lines(verdict: Verdict, place: int) -> list[tuple[str, float]]:
    """What is said of a die, line by line, and how large."""
    die = verdict.dice[place]
    tilt = "" if die.tilt_deg is None else f"  {die.tilt_deg:.0f} deg"
    label = f"{'?' if die.face is None else die.face} {100 * die.confidence:.0f}{tilt}"
    details = [(reason.detail, 0.5) for reason in verdict.reasons if reason.die == place]
    return [(label, 0.7), *details]


def _size(lines: Sequence[tuple[str, float]], unit: float) -> tuple[float, float]:
    widths = [_text_width(text, scale * unit) for text, scale in lines]
    return max(widths) + 4, sum(LINE_PX * scale * unit for _, scale in lines)


def _text_width(text: str, scale: float) -> float:
    (width, _), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, max(1, round(2 * scale)))
    return float(width)


def _outline(drawn: Image, corners_px: FloatArray, color: Color, thick: int) -> None:
    """A closed line with a dark rim: seen on any ground."""
    corners = _pixels(corners_px)
    cv2.polylines(drawn, [corners], isClosed=True, color=BLACK, thickness=2 * thick, lineType=cv2.LINE_AA)
    cv2.polylines(drawn, [corners], isClosed=True, color=color, thickness=thick, lineType=cv2.LINE_AA)


def _write(drawn: Image, text: str, origin: tuple[int, int], scale: float, color: Color) -> None:
    """Text on a dark plate: legible on any table."""
    thick = max(1, round(2 * scale))
    (width, height), below = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, thick)
    x = max(2, min(origin[0], drawn.shape[1] - width - 2))  # what would run out of the picture is moved in
    y = max(height + 2, min(origin[1], drawn.shape[0] - below - 2))
    cv2.rectangle(drawn, (x - 2, y - height - 2), (x + width + 2, y + below), BLACK, thickness=cv2.FILLED)
    cv2.putText(drawn, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, scale, color, thickness=thick)
