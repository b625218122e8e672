"""Draws a verdict over its picture, for eyes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.domain import DieReading, DieState, FloatArray, Image, Reason, Ruling, Verdict
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
    for index, die in enumerate(verdict.dice):
        _draw_die(drawn, die, [reason for reason in verdict.reasons if reason.die == index], unit)
    faces = " ".join("?" if die.face is None else str(die.face) for die in verdict.dice)
    of_all = (f"{reason.kind}: {reason.detail}" for reason in verdict.reasons if reason.die is None)
    for row, line in enumerate([f"{verdict.ruling}  {faces}", *of_all], start=1):
        at = (round(8 * unit), round(26 * row * unit))
        _write(drawn, line, at, 0.7 * unit, RULING_COLORS[verdict.ruling])
    return drawn


def _draw_die(drawn: Image, die: DieReading, reasons: Sequence[Reason], unit: float) -> None:
    color = STATE_COLORS[die.state]
    _outline(drawn, die.corners_px, color, max(1, round(2 * unit)))
    tilt = "" if die.tilt_deg is None else f"  {die.tilt_deg:.0f} deg"
    label = f"{'?' if die.face is None else die.face} {100 * die.confidence:.0f}{tilt}"
    right, top = die.corners_px[:, 0].max(), die.corners_px[:, 1].min()
    x, y = round(right + 2 * unit), round(top + 14 * unit)
    _write(drawn, label, (x, y), 0.7 * unit, color)
    for row, reason in enumerate(reasons, start=1):
        _write(drawn, reason.detail, (x, y + round(18 * row * unit)), 0.5 * unit, color)


def _outline(drawn: Image, corners_px: FloatArray, color: Color, thick: int) -> None:
    """A closed line with a dark rim: seen on any ground."""
    corners = np.round(corners_px).astype(np.int32).reshape(-1, 1, 2)
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
