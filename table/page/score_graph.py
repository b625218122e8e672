"""The score graph: every player's total after each turn, as SVG. Pure.

One unit is `--u` of the page, so that the text of 17 units and more is read from where people sit.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from table.page.player_marks import mark_at

GROUND = "#18231f"
LEAST_TOP = 1000  # points at the top of an evening that has only begun
MARK_GAP = 30  # units between two marks of a line, at least
TEXT_WIDTH = 0.56  # of a letter, by its height


@dataclass(frozen=True, slots=True)
class Series:
    """A player's name, totals after every turn, oldest first, and colour."""

    name: str
    totals: Sequence[int]
    colour: str

    @property
    def total(self) -> int:
        """The latest."""
        return self.totals[-1] if self.totals else 0


@dataclass(frozen=True, slots=True)
class GraphSize:
    """Width, height and the height of text in units; `right`: most room for what ends the lines."""

    width: int
    height: int
    text: int
    right: int


LANDSCAPE, PORTRAIT = GraphSize(760, 330, 17, 220), GraphSize(680, 640, 24, 250)
BESIDE_MARK = 1.9  # heights of text from the end of a line to its player's name
EDGE = 12  # units right of the totals


@dataclass(frozen=True, slots=True)
class _Scale:
    """From rounds and points to units."""

    left: float
    top: float
    across: float  # units a round
    up: float  # units a point
    low: int
    high: int

    def at(self, turn: int, points: int) -> tuple[float, float]:
        return self.left + turn * self.across, self.top + (self.high - points) * self.up


def score_graph(players: Sequence[Series], target: int, spell: Callable[[int], str], size: GraphSize) -> str:
    """Draw the totals of all players, in seating order; `spell` writes numbers."""
    rounds = max(1, *(len(player.totals) for player in players))
    drawn_totals = [0, LEAST_TOP, *(total for player in players for total in player.totals)]
    low, highest = min(drawn_totals), max(drawn_totals)
    high = max(highest, target) if 2 * highest >= target else highest
    step = _step(high - low)
    size = replace(size, right=_room_at_the_ends(players, spell, size))
    low, high = step * (low // step), step * -(-high // step)
    left, top, bottom = size.text * TEXT_WIDTH * len(spell(high)) + 14, size.text * 0.8, size.text * 1.7
    scale = _Scale(
        left,
        top,
        (size.width - left - size.right) / rounds,
        (size.height - top - bottom) / (high - low),
        low,
        high,
    )
    drawn = (
        *_grid(scale, step, spell, size),
        *_rounds(scale, rounds, size),
        *_target(scale, target, size),
        *(_line(scale, seat, player) for seat, player in enumerate(players)),
        *_ends(scale, players, spell, size),
    )
    return (
        f'<svg class="score-graph" viewBox="0 0 {size.width} {size.height}" font-size="{size.text}">'
        f"{''.join(drawn)}</svg>"
    )


def _step(span: int) -> int:
    """Return the points between two lines of the grid: three to seven lines for `span` points."""
    steps = (step * tens for tens in (100, 1_000, 10_000, 100_000, 1_000_000) for step in (1, 2, 5))
    return next(step for step in steps if span <= 6 * step)


def _grid(scale: _Scale, step: int, spell: Callable[[int], str], size: GraphSize) -> Iterator[str]:
    right = size.width - size.right
    for points in range(scale.low, scale.high + 1, step):
        _, y = scale.at(0, points)
        base = " base" if points == 0 else ""
        yield f'<path class="grid{base}" d="M{scale.left:.1f} {y:.1f}H{right}"/>'
        yield _text(spell(points), scale.left - 8, y + size.text * 0.35, "end")


def _rounds(scale: _Scale, rounds: int, size: GraphSize) -> Iterator[str]:
    every = next(each for each in (1, 2, 5, 10, 20, 50, 100, 200) if each * scale.across >= 2.2 * size.text)
    for turn in range(every, rounds + 1, every):
        x, _ = scale.at(turn, 0)
        yield _text(str(turn), x, size.height - size.text * 0.35, "middle")


def _target(scale: _Scale, target: int, size: GraphSize) -> Iterator[str]:
    if target <= scale.high:
        _, y = scale.at(0, target)
        yield f'<path class="target" d="M{scale.left:.1f} {y:.1f}H{size.width - size.right}"/>'


def _line(scale: _Scale, seat: int, player: Series) -> str:
    points = [scale.at(turn, total) for turn, total in enumerate((0, *player.totals))]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    every = max(1, round(MARK_GAP / scale.across + 0.49))
    marks = (mark_at(seat, player.colour, *point) for point in points[::-every])
    return f'<polyline class="line" stroke="{player.colour}" points="{path}"/>{"".join(marks)}'


def _ends(
    scale: _Scale,
    players: Sequence[Series],
    spell: Callable[[int], str],
    size: GraphSize,
) -> Iterator[str]:
    """Name the players beside the ends of their lines, apart from each other."""
    wanted = [scale.at(0, player.total)[1] for player in players]
    room = size.height - size.text * 0.6
    places = spread(wanted, min(size.text * 1.25, room / len(players)), size.text * 0.5, room)
    x = size.width - size.right + BESIDE_MARK * size.text
    for seat, (player, y) in enumerate(zip(players, places, strict=True)):
        spelled, colour = spell(player.total), player.colour
        letters = int((size.width - EDGE - x) / (size.text * TEXT_WIDTH)) - len(spelled) - 1
        yield mark_at(seat, colour, x - 0.75 * size.text, y, size.text / 14)
        yield _text(_shortened(player.name, letters), x, y + size.text * 0.35, "start", colour)
        yield _text(spelled, size.width - EDGE, y + size.text * 0.35, "end", colour)


def _room_at_the_ends(players: Sequence[Series], spell: Callable[[int], str], size: GraphSize) -> int:
    letters = max(len(player.name) + 2 + len(spell(player.total)) for player in players)
    return min(size.right, round((BESIDE_MARK + letters * TEXT_WIDTH) * size.text + EDGE))


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Return places near those `wanted`, in their order, `gap` apart and between `low` and `high`."""
    places = list(wanted)
    order = sorted(range(len(places)), key=places.__getitem__)
    least = low
    for each in order:
        places[each] = least = max(least, places[each])
        least += gap
    most = high
    for each in reversed(order):
        places[each] = most = min(most, places[each])
        most -= gap
    return places


def _text(text: str, x: float, y: float, anchor: str, fill: str = "#a9b8b0") -> str:
    at = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{fill}"'
    return f"<text {at}>{html.escape(text)}</text>"


def _shortened(name: str, letters: int) -> str:
    return name if len(name) <= letters else name[: max(1, letters - 1)].rstrip() + "…"
