"""The evening's page: what is drawn of the scores, what is told of players and dice, and that it keeps up."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nicegui.testing import User

from scoring.fairness import fairness
from scoring.languages import Language
from scoring.state import Game
from table.loop import TableLoop, TableState
from table.page import evening
from table.page.evening_words import EveningWords
from table.page.listeners import Listeners
from table.page.score_graph import LANDSCAPE, PORTRAIT, GraphSize, Series, score_graph, spread
from table.page.session import TableSession
from table.throw_watch import ThrowWatch
from table.touches import EnterThrow
from tests.scoring.playing import BANK, after, aside, game, throw, turn_of
from tests.table.browsing import browse

EVEN, UNEVEN = (100,) * 6, (100, 100, 100, 135, 80, 85)
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
names = st.text(min_size=1, max_size=40).filter(lambda name: name.isprintable() and name.strip())
totals = st.lists(st.integers(-3000, 30000), max_size=60)
evenings = st.lists(st.builds(Series, names, totals, st.just("#ffffff")), min_size=2, max_size=10)


def lines_of(svg: str) -> list[list[tuple[float, float]]]:
    """The points of each player's line."""
    found = ET.fromstring(svg).iter("polyline")
    numbers = ([float(each) for each in NUMBER.findall(line.attrib["points"])] for line in found)
    return [list(zip(each[::2], each[1::2], strict=True)) for each in numbers]


@given(evenings, st.sampled_from((LANDSCAPE, PORTRAIT)))
def test_every_total_is_drawn_to_scale_inside_the_picture(players: list[Series], size: GraphSize) -> None:
    lines = lines_of(score_graph(players, 10000, str, size))
    drawn = [
        (x, y, total)
        for line, player in zip(lines, players, strict=True)
        for (x, y), total in zip(line, (0, *player.totals), strict=True)
    ]
    assert all(0 <= x <= size.width and 0 <= y <= size.height for x, y, _ in drawn)
    origin = drawn[0][1]
    heights = {(origin - y) / total for _, y, total in drawn if abs(total) > 2000}
    assert not heights or max(heights) - min(heights) < 1e-3 * max(heights) + 1e-4
    assert all(a[0] < b[0] for line in lines for a, b in pairwise(line))


def test_names_are_no_markup() -> None:
    svg = score_graph([Series('<b>&"', [100], "red"), Series("Bo", [], "blue")], 10000, str, LANDSCAPE)
    assert '<b>&"' in {text.text for text in ET.fromstring(svg).iter("text")}


@given(st.lists(st.floats(0, 300), min_size=1, max_size=10))
def test_names_beside_the_lines_never_lie_on_each_other(wanted: list[float]) -> None:
    places = spread(wanted, 21, 8, 320)
    ordered = sorted(places)
    assert all(lower - upper >= 21 - 1e-9 for upper, lower in pairwise(ordered))
    assert 8 - 1e-9 <= ordered[0] <= ordered[-1] <= 320 + 1e-9
    seats = range(len(wanted))
    assert sorted(seats, key=wanted.__getitem__) == sorted(seats, key=places.__getitem__)


def test_places_with_room_are_the_ones_wanted() -> None:
    assert spread([200, 100, 50], 21, 0, 320) == [200, 100, 50]


def told_of(counts: tuple[int, ...], language: Language = Language.ENGLISH) -> str:
    thrown = (face for face, count in enumerate(counts, 1) for _ in range(count))
    return EveningWords(language).fairness(fairness(thrown))


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("counts", [(1, 0, 0, 0, 0, 0), (9,) * 6, EVEN, UNEVEN, (200, 50, 50, 50, 50, 50)])
def test_fairness_is_told_in_every_language(language: Language, counts: tuple[int, ...]) -> None:
    told = told_of(counts, language)
    assert "{" not in told
    assert told.endswith(".")


def test_fairness_is_told_with_the_odds_of_it() -> None:
    assert "too few" in told_of((9, 0, 0, 0, 0, 0))
    assert "in 100% of such games" in told_of(EVEN)
    assert "face 4" in told_of(UNEVEN)
    assert "about one of 400 games" in told_of(UNEVEN)
    assert "about one of 1,000,000 games" in told_of((400, 50, 50, 50, 50, 50))


def session_of(start: Game) -> TableSession:
    loop = TableLoop(TableState(start), ThrowWatch())
    loop.begin()
    return TableSession(loop, Listeners(lambda _: None))


def row(user: User, seat: int) -> list[str]:
    element = next(iter(user.find(marker=f"statistics-{seat}").elements))
    return [getattr(each, "text", "") for each in element.descendants() if getattr(each, "text", "")]


def test_the_page_tells_the_statistics_and_keeps_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evening, "REFRESH_S", 0.02)
    session = session_of(after(game("finnish"), throw("111236"), aside("111"), BANK, *turn_of(300)))

    async def scene(user: User) -> None:
        await user.should_see("Points a turn")
        await user.should_see(marker="statistics-0")
        assert row(user, 0)[:5] == ["Ada", "1,000", "0%", "1", "1,000"]
        await user.should_see("too few to say")
        session.touch(EnterThrow((2, 3, 4, 6, 6, 2)), session.state.version)
        await user.should_see("50%")
        assert row(user, 0)[:5] == ["Ada", "500", "50%", "1", "1,000"]

    browse(session, "/evening", scene)
