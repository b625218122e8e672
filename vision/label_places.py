"""Where labels of dice hide no die: beside each, where it is free."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vision.domain import FloatArray

GAP_PX = 4.0


@dataclass(frozen=True, slots=True)
class Box:
    """An upright box of the picture, in px."""

    x0: float
    y0: float
    x1: float
    y1: float

    def shared_with(self, other: Box) -> float:
        """Return the area that both cover."""
        width = min(self.x1, other.x1) - max(self.x0, other.x0)
        height = min(self.y1, other.y1) - max(self.y0, other.y0)
        return max(0.0, width) * max(0.0, height)


def box_of(points_px: FloatArray) -> Box:
    """Return the box around points (N, 2)."""
    (x0, y0), (x1, y1) = points_px.min(axis=0), points_px.max(axis=0)
    return Box(float(x0), float(y0), float(x1), float(y1))


def free_places(
    dice: Sequence[Box], labels: Sequence[tuple[float, float]], picture: tuple[float, float]
) -> tuple[Box, ...]:
    """Return for each of `dice` where its label of (width, height) goes: right, left, above or below it.

    The first of these that covers no die, no label before it, and lies in the `picture` of (width, height);
    else the one that covers least.
    """
    placed: list[Box] = []
    whole = Box(0.0, 0.0, *picture)
    for die, size in zip(dice, labels, strict=True):
        taken = (*dice, *placed)
        placed.append(min(_around(die, *size), key=lambda box: _hidden(box, taken, whole)))
    return tuple(placed)


def _hidden(box: Box, taken: Sequence[Box], whole: Box) -> float:
    """Return by how much a label at `box` covers others or is cut off."""
    area = (box.x1 - box.x0) * (box.y1 - box.y0)
    return round(sum(map(box.shared_with, taken)) + area - box.shared_with(whole), 3)


def _around(die: Box, width: float, height: float) -> tuple[Box, ...]:
    middle_x, middle_y = (die.x0 + die.x1 - width) / 2, (die.y0 + die.y1 - height) / 2
    corners = (
        (die.x1 + GAP_PX, middle_y),
        (die.x0 - GAP_PX - width, middle_y),
        (middle_x, die.y0 - GAP_PX - height),
        (middle_x, die.y1 + GAP_PX),
    )
    return tuple(Box(x, y, x + width, y + height) for x, y in corners)
