"""The table's events as lines for people on a terminal, in the language they play in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from gettext import NullTranslations
from typing import Any

from scoring.actions import (
    Amend,
    Bank,
    Correct,
    DeclineRelief,
    EndTurn,
    Knock,
    Misroll,
    PutAside,
    Throw,
)
from scoring.announcer import announce
from scoring.faces import spell_faces
from scoring.languages import Language, catalogue
from table.events import TableEvent, WaitKind
from vision.domain import ReasonKind, Ruling

Fields = Mapping[str, Any]


def told(event: TableEvent, language: Language = Language.ENGLISH) -> str:
    """Return one line on `event`: `   3.20 s  Ada banks 350, 1,100 in all`."""
    if event.of_game is not None:
        line = announce(event.of_game, language).screen
    else:
        line = _TELLERS[event.name](event.fields, catalogue("table", language))
    return f"{event.at.t_s:7.2f} s  {line}"


def _throw_settled(fields: Fields, messages: NullTranslations) -> str:
    pgettext = messages.pgettext
    rulings = {
        Ruling.VALID: pgettext("throw", "Valid throw, {faces}"),
        Ruling.MISROLL: pgettext("throw", "Misroll, read as {faces}"),
        Ruling.UNSURE: pgettext("throw", "Unsure throw, read as {faces}"),
    }
    read = spell_faces(fields["faces"]) if fields["faces"] else _as_read(fields["dice"])
    reasons = _reasons([each["kind"] for each in fields["reasons"]], messages)
    return rulings[fields["verdict"]].format(faces=read) + (f" ({reasons})" if reasons else "")


def _as_read(dice: list[Fields]) -> str:
    return "-".join(str(die["face"] or "?") for die in dice)


def _reasons(kinds: list[str], messages: NullTranslations) -> str:
    """Name each kind of reason once."""
    pgettext = messages.pgettext
    words = {
        ReasonKind.OUTSIDE: pgettext("reason", "a die lies outside"),
        ReasonKind.MISSING: pgettext("reason", "dice are missing"),
        ReasonKind.TILTED: pgettext("reason", "a die leans"),
        ReasonKind.STACKED: pgettext("reason", "a die lies on another"),
        ReasonKind.EXTRA: pgettext("reason", "there are too many dice"),
        ReasonKind.UNREADABLE: pgettext("reason", "a die cannot be read"),
        ReasonKind.DISAGREE: pgettext("reason", "a die is read in two ways"),
        ReasonKind.OCCLUDED: pgettext("reason", "something covers the tray"),
        ReasonKind.UNCERTAIN: pgettext("reason", "a die is not certain"),
    }
    return ", ".join(words[ReasonKind(kind)] for kind in dict.fromkeys(kinds))


def _paused(fields: Fields, messages: NullTranslations) -> str:
    pgettext = messages.pgettext
    words = {
        WaitKind.UNSURE: pgettext("wait", "Waits: the throw was not read for sure"),
        WaitKind.WHICH_SET_ASIDE: pgettext("wait", "Waits: which dice were set aside?"),
        WaitKind.BANKED_OR_THROWN: pgettext("wait", "Waits: banked before, or thrown on?"),
        WaitKind.DICE_DO_NOT_FIT: pgettext("wait", "Waits: these dice do not fit the turn"),
        WaitKind.NOT_THROWN: pgettext("wait", "Waits: the dice of a misroll must all be thrown again"),
        WaitKind.GAME_OVER: pgettext("wait", "Waits: the game is over"),
        WaitKind.NOT_COUNTED: pgettext("wait", "Waits: the throw was taken back; confirm it, or throw again"),
    }
    return words[WaitKind(fields["reason"])]


def _corrected(fields: Fields, messages: NullTranslations) -> str:
    return _took_back(fields, messages) if "undone" in fields else _die_corrected(fields, messages)


def _took_back(fields: Fields, messages: NullTranslations) -> str:
    pgettext = messages.pgettext
    words = {
        Throw.kind: pgettext("undone", "Took back: the throw"),
        Misroll.kind: pgettext("undone", "Took back: the misroll"),
        Knock.kind: pgettext("undone", "Took back: the knock"),
        PutAside.kind: pgettext("undone", "Took back: the set-aside"),
        Bank.kind: pgettext("undone", "Took back: the banking"),
        DeclineRelief.kind: pgettext("undone", "Took back: not throwing again"),
        EndTurn.kind: pgettext("undone", "Took back: the end of the turn"),
        Correct.kind: pgettext("undone", "Took back: the correction of the throw"),
        Amend.kind: pgettext("undone", "Took back: the correction"),
    }
    return words[fields["undone"]]


def _die_corrected(fields: Fields, messages: NullTranslations) -> str:
    pgettext = messages.pgettext
    if fields["face"] is None:
        words = pgettext("corrected", "Die {number} is no die, was read as {was}")
    else:
        words = pgettext("corrected", "Die {number} shows {face}, was read as {was}")
    return words.format(number=fields["die"] + 1, face=fields["face"], was=fields["was"] or "?")


_TELLERS: dict[str, Callable[[Fields, NullTranslations], str]] = {
    "throw_started": lambda _, messages: messages.pgettext("throw", "Dice are thrown"),
    "throw_settled": _throw_settled,
    "table_cleared": lambda _, messages: messages.pgettext("throw", "The table is clear"),
    "paused": _paused,
    "resumed": lambda _, messages: messages.pgettext("wait", "Goes on"),
    "corrected": _corrected,
}
