"""The pad of one player: whose turn it is, the total, and whether they play."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from nicegui import ui

from scoring.actions import SetTotal, TakeIn, TakeOut, TurnTo
from scoring.game import Game, can
from table.page.dialogs import open_pad, pad_button
from table.page.overrule_words import OverruleWords
from table.page.words import Words
from table.touches import Play, Touch

MOST_DIGITS = 6
KEYS = "1234567890"


def ask_about_player(words: Words, game: Game, seat: int, answer: Callable[[Touch], None]) -> None:
    """Offer what can be ruled on the player at `seat`; `answer` gets the touch."""
    own, player = OverruleWords(words.language), game.players[seat]
    is_out = seat in game.out
    plays = TakeIn(player) if is_out else TakeOut(player)

    def say(touch: Touch) -> None:
        dialog.close()
        answer(touch)

    def correct_total() -> None:
        dialog.close()
        ask_for_points(words, own.of_player(player, game.totals[player]), set_total)

    def set_total(total: int) -> None:
        answer(Play(SetTotal(player, total)))

    with ui.context.client.content, ui.dialog() as dialog, ui.card().classes("pad player-pad"):
        ui.label(own.of_player(player, game.totals[player])).classes("pad-title")
        with ui.element("div").classes("pad-column"):
            turn = pad_button(own.is_turn(player), lambda: say(Play(TurnTo(player))), "turn-to")
            turn.set_enabled(can(game, TurnTo(player)))
            total = pad_button(own.correct_total, correct_total, "correct-total")
            total.set_enabled(not game.over)
            out = pad_button(own.take_in if is_out else own.take_out, lambda: say(Play(plays)), plays.kind)
            out.set_enabled(can(game, plays))
            pad_button(words.close, dialog.close, "close")
    open_pad(dialog)


def ask_for_points(words: Words, title: str, answer: Callable[[int], None]) -> None:
    """Ask for a number of points by keys as large as fingers; `answer` gets it."""
    own = OverruleWords(words.language)

    def change(text: str) -> None:
        shown.text = text if len(text) <= MOST_DIGITS else shown.text

    def add(key: str) -> None:
        change(shown.text + key)

    def turn_sign() -> None:
        change(shown.text[1:] if "-" in shown.text else f"-{shown.text}")

    def done() -> None:
        if shown.text.lstrip("-"):
            dialog.close()
            answer(int(shown.text))

    with ui.context.client.content, ui.dialog() as dialog, ui.card().classes("pad points-pad"):
        ui.label(title).classes("pad-title")
        shown = ui.label("").classes("points-shown").mark("points")
        with ui.element("div").classes("points-keys"):
            for key in (*KEYS, "00"):
                pad_button(key, partial(add, key), f"key-{key}")
            pad_button("\u2212", turn_sign, "key-minus")
        with ui.element("div").classes("pad-row"):
            pad_button(words.back, lambda: change(shown.text[:-1]), "back")
            pad_button(own.set_it, done, "set").classes("best")
            pad_button(words.close, dialog.close, "close")
    open_pad(dialog)
