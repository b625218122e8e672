"""Each player's mark as SVG, by which players are told apart without their colours too."""

from __future__ import annotations

_SHAPES = (  # around (0, 0), about 10 across
    '<circle r="5.2"/>',
    '<rect x="-4.8" y="-4.8" width="9.6" height="9.6"/>',
    '<path d="M0-6.4 6 4.6H-6Z"/>',
    '<path d="M0-6.8 6.8 0 0 6.8-6.8 0Z"/>',
    '<path d="M-6-2H-2V-6H2V-2H6V2H2V6H-2V2H-6Z"/>',
    '<path d="M0 6.4 6-4.6H-6Z"/>',
    '<path d="M-6.2-3.4-3.4-6.2 0-2.8 3.4-6.2 6.2-3.4 2.8 0 6.2 3.4 3.4 6.2 0 2.8-3.4 6.2-6.2 3.4-2.8 0Z"/>',
    '<path d="M0-7 1.7-2.3 6.7-2.2 2.7.9 4.1 5.7 0 2.9-4.1 5.7-2.7.9-6.7-2.2-1.7-2.3Z"/>',
    '<path d="M-3.2-5.6H3.2L6.4 0 3.2 5.6H-3.2L-6.4 0Z"/>',
    '<path d="M-6.5-3H6.5V3H-6.5Z"/>',
)


def mark_at(seat: int, colour: str, x: float, y: float, scale: float = 1.0) -> str:
    """Return the mark of the player at `seat` around (x, y), `scale` times as large as 10 units."""
    shape, size = _SHAPES[seat % len(_SHAPES)], f" scale({scale:g})" if scale != 1 else ""
    return (
        f'<g transform="translate({x:.1f} {y:.1f}){size}" fill="{colour}" stroke="#0f1715" '
        f'stroke-width="1.2">{shape}</g>'
    )


def mark_svg(seat: int, colour: str) -> str:
    """Return the mark of the player at `seat` as a picture of its own."""
    mark = mark_at(seat, colour, 0, 0)
    return f'<svg class="player-mark" viewBox="-8 -8 16 16" aria-hidden="true">{mark}</svg>'
