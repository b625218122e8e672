"""Every pad of the pages, each opened by a function of its own as a tap would."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from table.page.dialogs import ask_for_report, ask_for_throw
from table.page.die_pad import DieAsked, ask_about_die, ask_for_unseen
from table.page.die_picture import die_url
from table.page.gate import ask_for_pin
from table.page.name_pad import ask_for_name
from table.page.places import MenuAction, ask_where_to
from table.page.player_pad import ask_about_player, ask_for_points
from table.page.session import TableSession
from table.page.setup_desk import Desk
from table.page.setup_rules import ask_about_rule
from table.page.setup_words import SetupWords
from table.page.turns_pad import ask_which_to_correct
from table.page.words import Words

RULES = ("target", "of_a_kind", "six_alike", "hot_dice", "end")


def _nothing(*_: object) -> None: ...


def _menu(session: TableSession) -> None:
    words = session.words
    actions = (
        MenuAction("turns", "edit_note", words.enter_throw, lambda: None),
        MenuAction("report", "flag", words.report, lambda: None),
    )
    ask_where_to(words, actions)


def _die(session: TableSession) -> None:
    lying = session.state.lying
    assert lying is not None
    ask_about_die(session.words, DieAsked(lying, 2, die_url((60.0, 60.0), 24.0, 1)), _nothing)


def _by_words(ask: Callable[[Words], None]) -> Callable[[TableSession], None]:
    return lambda session: ask(session.words)


def _rule(key: str, session: TableSession) -> None:
    ask_about_rule(Desk(session, lambda: None), key)


PADS: dict[str, Callable[[TableSession], None]] = {
    "menu": _menu,
    "pin": ask_for_pin,
    "name": lambda session: ask_for_name(SetupWords(session.words.language), "Åse", lambda _: None, _nothing),
    "throw": _by_words(lambda words: ask_for_throw(words, 6, _nothing)),
    "report": _by_words(lambda words: ask_for_report(words, _nothing)),
    "points": _by_words(lambda words: ask_for_points(words, "Wilhelmina Østergaard: 10350", _nothing)),
    "unseen": _by_words(lambda words: ask_for_unseen(words, "", None, _nothing)),
    "die": _die,
    "player": lambda session: ask_about_player(session.words, session.state.game, 0, _nothing),
    "turns": lambda session: ask_which_to_correct(session.words, session.state.game, _nothing),
    **{f"rule-{key}": partial(_rule, key) for key in RULES},
}
