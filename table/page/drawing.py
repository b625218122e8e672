"""Dice and overlays as SVG. Made of numbers alone: no word of a person gets in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from table.lying_dice import edge_px
from table.page.picture import Cutout
from table.state import LyingThrow
from vision.domain import DieReading, DieState, Verdict
from vision.label_places import Box, box_of, free_places

_LOW, _MID, _HIGH = 27, 50, 73
_CORNERS = ((_LOW, _LOW), (_HIGH, _HIGH), (_LOW, _HIGH), (_HIGH, _LOW))
_SIDES = ((_LOW, _MID), (_HIGH, _MID))
PIPS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((_MID, _MID),),
    2: _CORNERS[:2],
    3: (*_CORNERS[:2], (_MID, _MID)),
    4: _CORNERS,
    5: (*_CORNERS, (_MID, _MID)),
    6: (*_CORNERS, *_SIDES),
}
LEAST_LABEL_PX = 22.0
LABEL_WIDTH, LABEL_HEIGHT = 0.56, 0.72  # of a digit, in font sizes
EDGE_COLOR = "#0b1210"
STATE_COLORS = {
    DieState.FLAT: "#7ee0a4",
    DieState.TILTED: "#ff9d5c",
    DieState.STACKED: "#e59cff",
    DieState.OUTSIDE: "#ff7a6b",
    DieState.UNSURE: "#ffd166",
}


def die_svg(face: int | None, *, crossed: bool = False) -> str:
    """Return a die showing `face`, a question mark for None; `crossed` out when it is no die."""
    pips = "".join(f'<circle cx="{x}" cy="{y}" r="9.5" class="pip"/>' for x, y in PIPS.get(face or 0, ()))
    asked = "" if face else '<text x="50" y="70" class="ask">?</text>'
    cross = '<path d="M18 18 82 82M82 18 18 82" class="cross"/>' if crossed else ""
    return (
        '<svg viewBox="0 0 100 100" class="die-face" aria-hidden="true">'
        '<rect x="4" y="4" width="92" height="92" rx="20" class="body"/>'
        f"{pips}{asked}{cross}</svg>"
    )


def dice_svg(faces: Iterable[int]) -> str:
    """Return a row of small dice."""
    return "".join(map(die_svg, faces))


def throw_svg(lying: LyingThrow, verdict: Verdict, cutout: Cutout) -> str:
    """Return the dice of `verdict` as a person has corrected them, and marks where they added some."""
    dice = [
        replace(die, face=lying.faces[place], state=lying.state_of(place))
        for place, die in enumerate(verdict.dice)
        if place not in lying.removed
    ]
    edge = max((edge_px(die) for die in verdict.dice), default=LEAST_LABEL_PX)
    added = zip(lying.added_px, lying.faces[lying.seen :], strict=True)
    dice += [_added(at_px, face, edge) for at_px, face in added if at_px is not None]
    return overlay_svg(dice, cutout)


def _added(at_px: tuple[float, float], face: int | None, edge: float) -> DieReading:
    corners = np.array(at_px) + np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * edge / 2
    return DieReading(face, 1.0, at_px, corners, DieState.FLAT)


def overlay_svg(dice: Sequence[DieReading], cutout: Cutout) -> str:
    """Return each die outlined in its state's colour with its face where nothing is hidden by it.

    `cutout`: the part of the frame that is shown.
    """
    outlines = [_outline(die, cutout) for die in dice]
    sizes = [max(LEAST_LABEL_PX, 0.9 * edge_px(die) * cutout.scale) for die in dice]
    boxes = [box_of(np.array(_shown_corners(die, cutout))) for die in dice]
    free = free_places(boxes, [(LABEL_WIDTH * size, LABEL_HEIGHT * size) for size in sizes], cutout.size)
    labels = map(_label, dice, free, sizes)
    return "".join([*outlines, *labels])


def die_at(verdict: Verdict, x: float, y: float) -> int | None:
    """Return the place of the die nearest to pixel (x, y) of the frame, None when none is near."""
    reach = [
        (abs(complex(die.center_px[0] - x, die.center_px[1] - y)) / max(1.0, edge_px(die)), place)
        for place, die in enumerate(verdict.dice)
    ]
    nearest = min(reach, default=(2.0, 0))
    return nearest[1] if nearest[0] <= 1.0 else None


def _outline(die: DieReading, cutout: Cutout) -> str:
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in _shown_corners(die, cutout))
    shape = f'<polygon points="{points}" fill="none" stroke-linejoin="round"'
    color = STATE_COLORS[die.state]
    return f'{shape} stroke="{EDGE_COLOR}" stroke-width="7"/>{shape} stroke="{color}" stroke-width="3.5"/>'


def _label(die: DieReading, box: Box, size: float) -> str:
    return (
        f'<text x="{box.x0:.1f}" y="{box.y1:.1f}" font-size="{size:.1f}" font-weight="700" '
        f'fill="{STATE_COLORS[die.state]}" stroke="{EDGE_COLOR}" stroke-width="5" paint-order="stroke">'
        f"{die.face or '?'}</text>"
    )


def _shown_corners(die: DieReading, cutout: Cutout) -> list[tuple[float, float]]:
    return [cutout.to_shown(float(x), float(y)) for x, y in die.corners_px]
