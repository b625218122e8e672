"""Draws a verdict over its picture, for eyes."""

from __future__ import annotations

import numpy as np

from vision.domain import DieReading, DieState, Image, Ruling, Verdict
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


def draw_overlay(image: Image, verdict: Verdict) -> Image:
    """Copy of `image` (H, W, 3) with each die's top face outlined in its state's colour, its face and
    confidence in percent beside it, and the ruling with its reasons at the top left.
    """
    drawn = image.copy()
    unit = max(1.0, max(image.shape[:2]) / 1000)
    for die in verdict.dice:
        _draw_die(drawn, die, unit)
    faces = " ".join("?" if die.face is None else str(die.face) for die in verdict.dice)
    lines = [f"{verdict.ruling}  {faces}", *(f"{reason.kind}: {reason.detail}" for reason in verdict.reasons)]
    for row, line in enumerate(lines, start=1):
        _write(
            drawn, line, (round(8 * unit), round(26 * row * unit)), 0.7 * unit, RULING_COLORS[verdict.ruling]
        )
    return drawn


def _draw_die(drawn: Image, die: DieReading, unit: float) -> None:
    color = STATE_COLORS[die.state]
    corners = np.round(die.corners_px).astype(np.int32).reshape(-1, 1, 2)
    thick = max(1, round(2 * unit))
    cv2.polylines(drawn, [corners], isClosed=True, color=BLACK, thickness=2 * thick, lineType=cv2.LINE_AA)
    cv2.polylines(drawn, [corners], isClosed=True, color=color, thickness=thick, lineType=cv2.LINE_AA)
    label = f"{'?' if die.face is None else die.face} {100 * die.confidence:.0f}"
    right, top = die.corners_px[:, 0].max(), die.corners_px[:, 1].min()
    _write(drawn, label, (round(right + 2 * unit), round(top + 14 * unit)), 0.8 * unit, color)


def _write(drawn: Image, text: str, origin: tuple[int, int], scale: float, color: Color) -> None:
    """Text on a dark plate: legible on any table."""
    thick = max(1, round(2 * scale))
    (width, height), below = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, thick)
    x, y = origin
    cv2.rectangle(drawn, (x - 2, y - height - 2), (x + width + 2, y + below), BLACK, thickness=cv2.FILLED)
    cv2.putText(drawn, text, origin, cv2.FONT_HERSHEY_SIMPLEX, scale, color, thickness=thick)
