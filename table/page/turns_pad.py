"""The pad of what was done in the game, newest first, each to be put right."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from nicegui import ui

from scoring.actions import Amend, Bank, CountAs, EndTurn, Knock, Misroll, PlainAction, Throw
from scoring.faces import Faces
from scoring.game import Game, can
from scoring.history import Entry
from scoring.phrases import Wording, action_in_words, capitalised
from table.page.dialogs import ask_for_throw, open_pad, pad_button
from table.page.overrule_words import OverruleWords
from table.page.player_pad import ask_for_points
from table.page.words import Words
from table.touches import Play, Touch

MOST_SHOWN = 30  # of what was done latest: an evening's corrections go a turn or two back

Answer = Callable[[Touch], None]


def ask_which_to_correct(words: Words, game: Game, answer: Answer) -> None:
    """Show what was done, newest first; `answer` gets the touch that puts one of it right."""
    own = OverruleWords(words.language)
    done = [entry for entry in reversed(game.history.entries) if entry.action is not None][:MOST_SHOWN]
    with ui.context.client.content, ui.dialog() as dialog, ui.card().classes("pad"):

        def choose(entry: Entry) -> None:
            dialog.close()
            _ask_what_happened(words, game, entry, answer)

        ui.label(own.turns if done else own.no_turns).classes("pad-title")
        with ui.element("div").classes("done-list"):
            for entry in done:
                name = f"done-{entry.place}"
                pad_button(_told(words, game, entry), partial(choose, entry), name).classes("done")
        with ui.element("div").classes("pad-row"):
            pad_button(words.close, dialog.close, "close")
    open_pad(dialog)


def _told(words: Words, game: Game, entry: Entry) -> str:
    told = capitalised(action_in_words(entry.action, Wording(words.language, aloud=False)))
    return f"{game.player_of(entry.turn)}: {told}"


def _ask_what_happened(words: Words, game: Game, entry: Entry, answer: Answer) -> None:
    own, title = OverruleWords(words.language), _told(words, game, entry)

    def amend(action: PlainAction | None) -> None:
        dialog.close()
        answer(Play(Amend(entry.place, action)))

    def other_dice(faces: Faces) -> None:
        dialog.close()
        ask_for_throw(words, len(faces), lambda said: answer(Play(Amend(entry.place, Throw(said)))))

    def other_points() -> None:
        dialog.close()
        ask_for_points(words, title, lambda points: answer(Play(Amend(entry.place, EndTurn(points)))))

    with ui.context.client.content, ui.dialog() as dialog, ui.card().classes("pad"):
        ui.label(title).classes("pad-title")
        with ui.element("div").classes("pad-column"):
            match entry.action:
                case Throw(faces) | CountAs(faces) | Knock(tuple(faces)):
                    pad_button(own.other_throw, partial(other_dice, faces), "other-dice")
                    misroll = pad_button(own.was_misroll, partial(amend, Misroll()), "was-misroll")
                    misroll.set_enabled(can(game, Amend(entry.place, Misroll())))
                case Bank() | EndTurn():
                    pad_button(own.other_points, other_points, "other-points")
            undone = pad_button(own.did_not_happen, partial(amend, None), "did-not-happen")
            undone.set_enabled(can(game, Amend(entry.place, None)))
            pad_button(words.close, dialog.close, "close")
    open_pad(dialog)
