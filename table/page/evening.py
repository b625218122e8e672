"""The page of the evening: the score graph, statistics of every player, and whether the dice look fair."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from nicegui import run, ui

from scoring.game import Game
from scoring.ruleset import Ruleset
from scoring.statistics import GameStatistics, game_statistics
from table.page.colours import COLOURS, colours_of
from table.page.drawing import die_svg
from table.page.evening_words import EveningWords
from table.page.places import beside_the_table
from table.page.player_marks import mark_svg
from table.page.score_graph import LANDSCAPE, PORTRAIT, Series, score_graph
from table.page.session import TableSession

REFRESH_S = 1.0

statistics_of = lru_cache(maxsize=2)(game_statistics)  # one count for all browsers


def build_evening(session: TableSession) -> None:
    """Build the page of the evening."""
    EveningPage(session)


class EveningPage:
    """Shows the present game as it stood when its latest turn ended."""

    def __init__(self, session: TableSession) -> None:
        self._session = session
        self._words = EveningWords(session.words.language)
        self._shown: object = None
        with beside_the_table("evening", session.words):
            self._body = ui.element("div")
        with self._body:
            ui.label(self._words.reckoning).classes("place-text")
        ui.timer(REFRESH_S, self._refresh)

    async def _refresh(self) -> None:
        """Count in a thread: a long game of many takes longer than a tap may wait."""
        game = self._session.state.game
        if self._shown == (game.players, game.tallies):
            return
        self._shown = (game.players, game.tallies)
        told = await run.io_bound(statistics_of, game)
        if told is None:  # the program ends
            return
        self._body.clear()
        with self._body:
            show_statistics(told, game, self._session)


def show_statistics(told: GameStatistics, game: Game, session: TableSession) -> None:
    """Build graph, table and dice of a game where the page is being built."""
    words = EveningWords(session.words.language)
    colours = [COLOURS[each] for each in colours_of(game.players, session.preferences.now.colours)]
    _graph(told, game.ruleset, words, colours)
    _table(told, words, colours)
    _dice(told, words)


def _graph(told: GameStatistics, ruleset: Ruleset, words: EveningWords, colours: Sequence[str]) -> None:
    players = [
        Series(player.player, (*player.totals[:-1], player.total) if player.totals else (), colour)
        for player, colour in zip(told.players, colours, strict=True)
    ]
    for name, size in (("lying", LANDSCAPE), ("standing", PORTRAIT)):
        drawn = score_graph(players, ruleset.target, words.number, size)
        shown = ui.html(drawn, sanitize=False).classes(f"graph {name}").props("role=img")
        shown.props["aria-label"] = words.graph


def _table(told: GameStatistics, words: EveningWords, colours: Sequence[str]) -> None:
    _heading(words.players)
    with ui.element("div").classes("statistics").props("role=table"):
        with ui.element("div").classes("row head").props("role=row"):
            ui.label(words.player).classes("who").props("role=columnheader")
            for heading in words.columns:
                ui.label(heading).props("role=columnheader")
        for seat, player in enumerate(told.players):
            with ui.element("div").classes("row").props("role=row").mark(f"statistics-{seat}"):
                with ui.element("div").classes("who").props("role=rowheader"):
                    ui.html(mark_svg(seat, colours[seat]), sanitize=False)
                    ui.label(player.player).classes("name")
                for figure in words.figures(player):
                    ui.label(figure).props("role=cell")
    ui.label(words.luck).classes("place-text")


def _dice(told: GameStatistics, words: EveningWords) -> None:
    _heading(words.dice)
    with ui.element("div").classes("face-counts"):
        for face, count in enumerate(told.dice.counts, 1):
            with ui.element("div").classes("face-count").props("role=img") as shown:
                ui.html(die_svg(face), sanitize=False)
                ui.label(words.number(count))
            shown.props["aria-label"] = words.face_count(face, count)
    ui.label(words.fairness(told.dice)).classes("place-text").mark("fairness")


def _heading(text: str) -> None:
    ui.label(text).classes("place-heading").props("role=heading aria-level=2")
