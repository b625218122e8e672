"""The page of the rules: what gives points in the present game, and how it is played, in plain words."""

from __future__ import annotations

from nicegui import ui

from scoring.ruleset import Ruleset
from scoring.score_table import alike_rows, whole_throws
from table.page.drawing import dice_svg, die_svg
from table.page.places import beside_the_table
from table.page.rule_words import RuleWords
from table.page.rules_page_words import RulesPageWords
from table.page.session import TableSession

REFRESH_S = 1.0


class RulesPage:
    """Shows the rules of the game that is played, also when another one begins."""

    def __init__(self, session: TableSession) -> None:
        language = session.words.language
        self._session = session
        self._words, self._rule_words = RulesPageWords(language), RuleWords(language)
        self._shown: Ruleset | None = None
        with beside_the_table("rules", session.words):
            self._body = ui.element("div")
        self._refresh()
        ui.timer(REFRESH_S, self._refresh)

    def _refresh(self) -> None:
        ruleset = self._session.state.game.ruleset
        if ruleset == self._shown:
            return
        self._shown = ruleset
        self._body.clear()
        with self._body:
            ui.label(self._rule_words.presets.get(ruleset.name, ruleset.name)).classes("past-when")
            self._score_table(ruleset)
            _paragraph(self._words.played, self._words.shared)
            for heading, keys in self._rule_words.groups:
                _paragraph(heading, [self._rule_words.line(ruleset, key).sentence for key in keys])

    def _score_table(self, ruleset: Ruleset) -> None:
        _heading(self._words.points)
        with ui.element("div").classes("score-table").props("role=table"):
            with ui.element("div").classes("row head").props("role=row"):
                ui.label().props("role=columnheader")
                for count in self._words.counts:
                    ui.label(count).props("role=columnheader")
            for row in alike_rows(ruleset):
                with ui.element("div").classes("row").props("role=row").mark(f"alike-{row.face}"):
                    ui.html(die_svg(row.face), sanitize=False).props("role=rowheader").props["aria-label"] = (
                        self._session.words.die_shows(row.face)
                    )
                    for points in row.points:
                        ui.label(self._words.number(points)).props("role=cell")
        for throw in whole_throws(ruleset):
            with ui.element("div").classes("whole-throw").mark(throw.kind):
                ui.html(dice_svg(throw.faces), sanitize=False).classes("whole-dice")
                ui.label(self._rule_words.titles[throw.kind]).classes("whole-name")
                ui.label(self._words.number(throw.points)).classes("figure")


def _paragraph(heading: str, sentences: list[str] | tuple[str, ...]) -> None:
    _heading(heading)
    for sentence in sentences:
        ui.label(sentence).classes("place-text rule-sentence")


def _heading(text: str) -> None:
    ui.label(text).classes("place-heading").props("role=heading aria-level=2")
