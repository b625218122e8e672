"""The dice of the throw that lies, in a row, each one a button."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from nicegui import ui

from scoring.faces import ALL_DICE
from scoring.game import Phase
from table.overruling import ASKEW
from table.page.drawing import die_svg
from table.page.overrule_words import OverruleWords
from table.page.words import Words
from table.state import LyingThrow, TableState


def standing_of(state: TableState) -> str:
    """Return the class of the row of dice: waiting to be counted, thrown earlier, or neither."""
    if state.lying is None or not state.lying.counted:
        return "uncounted"
    return "past" if state.game.turn.phase is Phase.THROW and state.wait is None else ""


def build_throw(
    state: TableState, words: Words, ask: Callable[[int], object], add: Callable[[], object]
) -> None:
    """Build the dice of `state`; `ask` is given the place of one that was tapped, `add` puts in another."""
    lying = state.lying
    if lying is None:
        return
    row = sorted(range(len(lying.faces)), key=lambda place: lying.faces[place] or 0)
    for number, place in enumerate(row, 1):
        _build_die(lying, place, words.die_in_row(number, lying.faces[place])).on_click(partial(ask, place))
    if not lying.counted and len(lying.faces) < ALL_DICE:
        _build_adder(OverruleWords(words.language).add_die).on_click(add)


def _build_die(lying: LyingThrow, place: int, name: str) -> ui.button:
    face, removed = lying.faces[place], place in lying.removed
    askew = lying.state_of(place) in ASKEW and place not in lying.ruled
    kind = "removed" if removed else "askew" if askew else "unread" if face is None else ""
    button = ui.button(color=None).props("flat").classes(f"die {kind}").mark(f"die-{place}")
    button.props["aria-label"] = name
    with button:
        ui.html(die_svg(face, crossed=removed), sanitize=False).classes("drawn")
    return button


def _build_adder(name: str) -> ui.button:
    button = ui.button(color=None).props("flat").classes("die add").mark("add-die")
    button.props["aria-label"] = name
    with button:
        ui.label("+").classes("drawn")
    return button
