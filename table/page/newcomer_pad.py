"""The pad for a player who joins a game that is being played: a name the table knows, or another one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from nicegui import ui

from scoring.actions import Join
from scoring.game import Game
from table.game_draft import MOST_PLAYERS, draft_like
from table.page.dialogs import open_pad, pad_button
from table.page.menu_words import MenuWords
from table.page.name_pad import ask_for_name
from table.page.setup_words import SetupWords
from table.page.words import Words
from table.touches import Play, Touch

MOST_KNOWN = 9  # names that are offered


def may_join(game: Game) -> bool:
    """Whether there is room for one more player."""
    return not game.over and len(game.players) < MOST_PLAYERS


def ask_who_joins(words: Words, game: Game, known: Sequence[str], answer: Callable[[Touch], None]) -> None:
    """Ask who joins `game`, of the names `known` or another; `answer` gets the touch that does it."""
    own, draft = MenuWords(words.language), draft_like(game)
    offered = [name for name in known if draft.fault_of(name) is None][:MOST_KNOWN]

    def join(name: str) -> None:
        answer(Play(Join(name.strip())))

    def ask() -> None:
        ask_for_name(SetupWords(words.language), "", draft.fault_of, join)

    if not offered:
        ask()
        return
    with ui.context.client.content, ui.dialog() as dialog, ui.card().classes("pad"):

        def choose(done: Callable[[], None]) -> None:
            dialog.close()
            done()

        ui.label(own.who_joins).classes("pad-title")
        with ui.element("div").classes("places"):
            for name in offered:
                pad_button(name, partial(choose, partial(join, name)), f"known-{name}")
        with ui.element("div").classes("pad-row"):
            pad_button(own.another_name, partial(choose, ask), "another-name")
            pad_button(words.close, dialog.close, "close")
    open_pad(dialog)
