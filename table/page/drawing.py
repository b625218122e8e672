"""Dice and overlays as SVG. Made of numbers alone: no word of a person gets in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from table.lying_dice import edge_px
from table.page.picture import Cutout
from vision.domain import DieReading, DieState, Verdict

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


def overlay_svg(verdict: Verdict, faces: Sequence[int | None], cutout: Cutout) -> str:
    """Return each die of `verdict` outlined in its state's colour with its face beside it.

    `faces` by die, as they stand now; `cutout`: the part of the frame that is shown.
    """
    pairs = list(zip(verdict.dice, faces, strict=True))
    outlines = [_outline(die, cutout) for die, _ in pairs]
    return "".join(outlines + [_label(die, face, cutout) for die, face in pairs])


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


def _label(die: DieReading, face: int | None, cutout: Cutout) -> str:
    corners = _shown_corners(die, cutout)
    right, top = max(x for x, _ in corners), min(y for _, y in corners)
    size = max(LEAST_LABEL_PX, 0.9 * edge_px(die) * cutout.scale)
    return (
        f'<text x="{right + 3:.1f}" y="{top + size * 0.5:.1f}" font-size="{size:.1f}" font-weight="700" '
        f'fill="{STATE_COLORS[die.state]}" stroke="{EDGE_COLOR}" stroke-width="5" paint-order="stroke">'
        f"{face or '?'}</text>"
    )


def _shown_corners(die: DieReading, cutout: Cutout) -> list[tuple[float, float]]:
    return [cutout.to_shown(float(x), float(y)) for x, y in die.corners_px]
