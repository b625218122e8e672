"""The table's events as lines for people on a terminal, in the language they play in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from gettext import NullTranslations
from typing import Any

from scoring.actions import (
    Amend,
    Bank,
    Correct,
    CountAs,
    DeclineRelief,
    EndTurn,
    Join,
    Knock,
    Misroll,
    PutAside,
    SetTotal,
    TakeIn,
    TakeOut,
    Throw,
    TurnTo,
)
from scoring.announcer import MOST_SPOKEN, announce, worth_hearing
from scoring.events import Misrolled, Options
from scoring.faces import spell_faces
from scoring.languages import Language, catalogue
from scoring.phrases import Wording, capitalised, misroll_reasons
from table.events import TableEvent, WaitKind
from table.reason_words import reasons_in_words
from vision.domain import MISROLL_KINDS, DieState, Ruling

Fields = Mapping[str, Any]


def told(event: TableEvent, language: Language = Language.ENGLISH) -> str:
    """Return one line on `event`: `   3.20 s  Ada banks 350, 1,100 in all`."""
    messages = catalogue("table", language)
    match event.of_game:
        case None:
            line = _TELLERS[event.name](event.fields, messages)
        case Options() as options:
            line = _options(options, language, messages)
        case Misrolled(reasons=(_, *_)) as misrolled:  # the line of the throw has said that it is one
            why = misroll_reasons(misrolled.reasons, Wording(language, aloud=False))
            line = f"{capitalised(why)}. {_ruling(misrolled, messages)}"
        case of_game:
            line = announce(of_game, language).screen
    return f"{event.at.t_s:7.2f} s  {line}"


def _options(event: Options, language: Language, messages: NullTranslations) -> str:
    """Show the set-asides that are said aloud too, and how many more there are: fifteen are no line."""
    shown = worth_hearing(event.set_asides)[:MOST_SPOKEN]
    line = announce(replace(event, set_asides=shown), language).screen
    count = len(event.set_asides) - len(shown)
    more = messages.npgettext("options", "{line}, and one more", "{line}, and {count} more", count)
    return more.format(line=line, count=count) if count else line


def _ruling(event: Misrolled, messages: NullTranslations) -> str:
    if event.relief is not None:
        return messages.pgettext("misroll", "One knock on the table may save the throw")
    if event.bust:
        return messages.pgettext("misroll", "A misroll is a bust")
    return messages.pgettext("misroll", "Throw all these dice again")


def _throw_settled(fields: Fields, messages: NullTranslations) -> str:
    pgettext = messages.pgettext
    rulings = {
        Ruling.VALID: pgettext("throw", "Valid throw, {faces}"),
        Ruling.MISROLL: pgettext("throw", "Misroll, read as {faces}"),
        Ruling.UNSURE: pgettext("throw", "Unsure throw, read as {faces}"),
    }
    read = spell_faces(fields["faces"]) if fields["faces"] else _as_read(fields["dice"])
    told_next = MISROLL_KINDS if fields["verdict"] == Ruling.MISROLL else frozenset()
    kinds = [each["kind"] for each in fields["reasons"] if each["kind"] not in told_next]
    reasons = reasons_in_words(kinds, messages)
    return rulings[fields["verdict"]].format(faces=read) + (f" ({reasons})" if reasons else "")


def _as_read(dice: list[Fields]) -> str:
    """Spell the faces read, sorted as those of a valid throw are; dice without one come last."""
    known = sorted(die["face"] for die in dice if die["face"])
    return "-".join([*map(str, known), *("?" for _ in range(len(dice) - len(known)))])


def _paused(fields: Fields, messages: NullTranslations) -> str:
    pgettext = messages.pgettext
    words = {
        WaitKind.UNSURE: pgettext("wait", "Waits: the throw was not read for sure"),
        WaitKind.WHICH_SET_ASIDE: pgettext("wait", "Waits: which dice were set aside?"),
        WaitKind.BANKED_OR_THROWN: pgettext("wait", "Waits: banked before, or thrown on?"),
        WaitKind.NOT_BANKED: pgettext("wait", "Waits: not banked after all, and thrown on?"),
        WaitKind.DICE_DO_NOT_FIT: pgettext("wait", "Waits: these dice do not fit the turn"),
        WaitKind.NUDGED: pgettext("wait", "Waits: dice were moved and show other faces now"),
        WaitKind.NOT_THROWN: pgettext("wait", "Waits: the dice of a misroll must all be thrown again"),
        WaitKind.GAME_OVER: pgettext("wait", "Waits: the game is over"),
        WaitKind.NOT_COUNTED: pgettext("wait", "Waits: count this throw? Confirm it, or throw again"),
        WaitKind.UNSEEN: pgettext("wait", "Waits: were these dice thrown while the camera was away?"),
        WaitKind.COVERED: pgettext("wait", "Waits: something covers the tray"),
        WaitKind.VIEW_MOVED: pgettext("wait", "Waits: the camera or the tray was moved"),
        WaitKind.LIGHT_CHANGED: pgettext("wait", "Waits: the light has changed too much"),
        WaitKind.VIEW_UNCLEAR: pgettext("wait", "Waits: the picture is not clear"),
        WaitKind.NOT_CALIBRATED: pgettext("wait", "Waits: the calibration does not fit this camera"),
        WaitKind.CALIBRATING: pgettext("wait", "Waits: the table is being calibrated"),
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
        CountAs.kind: pgettext("undone", "Took back: the ruling on the throw"),
        TurnTo.kind: pgettext("undone", "Took back: whose turn it is"),
        SetTotal.kind: pgettext("undone", "Took back: the total"),
        TakeOut.kind: pgettext("undone", "Took back: taking a player out"),
        TakeIn.kind: pgettext("undone", "Took back: taking a player in"),
        Join.kind: pgettext("undone", "Took back: a player's joining"),
        "lies": pgettext("undone", "Took back: how a die lies"),
        "would_be": pgettext("undone", "Took back: what a die would have been"),
        "add_die": pgettext("undone", "Took back: the die that was added"),
    }
    return words[fields["undone"]]


def _die_corrected(fields: Fields, messages: NullTranslations) -> str:
    pgettext = messages.pgettext
    if "state" in fields:
        return _lie_corrected(fields, messages)
    if "added" in fields:
        words = pgettext("corrected", "A die that was not seen shows {face}")
        return words.format(face=fields["added"])
    if "would_be" in fields:
        words = pgettext("corrected", "Die {number} would have been {face}")
        return words.format(number=fields["die"] + 1, face=fields["would_be"])
    if fields["face"] is None:
        words = pgettext("corrected", "Die {number} is no die, was read as {was}")
    else:
        words = pgettext("corrected", "Die {number} shows {face}, was read as {was}")
    return words.format(number=fields["die"] + 1, face=fields["face"], was=fields["was"] or "?")


def _lie_corrected(fields: Fields, messages: NullTranslations) -> str:
    pgettext = messages.pgettext
    words = {
        DieState.FLAT: pgettext("corrected", "Die {number} lies flat, a person says"),
        DieState.TILTED: pgettext("corrected", "Die {number} leans, a person says"),
        DieState.STACKED: pgettext("corrected", "Die {number} lies on another, a person says"),
        DieState.OUTSIDE: pgettext("corrected", "Die {number} lies outside, a person says"),
    }
    return words[DieState(fields["state"])].format(number=fields["die"] + 1)


_TELLERS: dict[str, Callable[[Fields, NullTranslations], str]] = {
    "throw_started": lambda _, messages: messages.pgettext("throw", "Dice are thrown"),
    "throw_settled": _throw_settled,
    "table_cleared": lambda _, messages: messages.pgettext("throw", "The table is clear"),
    "paused": _paused,
    "resumed": lambda _, messages: messages.pgettext("wait", "Goes on"),
    "corrected": _corrected,
}
