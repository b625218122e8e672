"""What the page says: the verdict on the latest throw, and what the table waits for. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from scoring.faces import spell_faces
from scoring.game import Game, Phase, bank_obstacles
from table.events import Wait, WaitKind
from table.loop import LyingThrow, TableState
from table.page import words
from vision.domain import MISROLL_KINDS, Ruling


class Tone(StrEnum):
    """How a line feels; each has its colour and its symbol."""

    CALM = "calm"
    GOOD = "good"
    ASK = "ask"
    BAD = "bad"


AFTER_THROW = frozenset({Phase.THROW, Phase.DECIDE, Phase.OVER})
SYMBOLS = {Tone.CALM: "●", Tone.GOOD: "✓", Tone.ASK: "?", Tone.BAD: "✕"}


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the page, with a smaller one below it."""

    text: str
    tone: Tone = Tone.CALM
    detail: str = ""

    @property
    def symbol(self) -> str:
        """The sign that says the same as the colour."""
        return SYMBOLS[self.tone]


def verdict_line(state: TableState) -> Line | None:
    """Return what the referee says of the throw that lies, or, once the turn went on, what came of it."""
    lying = state.lying
    settled = lying is None or lying.counted
    if settled and state.wait is None and state.game.turn.phase in AFTER_THROW:
        return _latest_news(state)
    return None if lying is None else _verdict(lying)


def prompt(state: TableState) -> Line:
    """Return what the table waits for."""
    if state.pause is not None:
        return _WAITS[state.pause.kind](state, state.pause)
    return _PHASES[state.game.turn.phase](state.game)


def _verdict(lying: LyingThrow) -> Line:
    if lying.verdict is None:  # without `by_hand`, it was read, and later throws came in between
        return Line(words.BY_HAND if lying.by_hand else words.VALID, Tone.GOOD)
    kinds = [reason.kind.value for reason in lying.verdict.reasons]
    if lying.verdict.ruling is Ruling.VALID:
        return Line(words.VALID, Tone.GOOD)
    if lying.counted:
        return Line(words.COUNTED_BY_HAND, Tone.GOOD)
    if lying.verdict.ruling is Ruling.MISROLL:
        return Line(words.misroll([kind for kind in kinds if kind in MISROLL_KINDS]), Tone.BAD)
    return Line(words.NOT_SURE, Tone.ASK)


def _latest_news(state: TableState) -> Line | None:
    lines = [_NEWS[event.name](event.fields) for event in state.events if event.name in _NEWS]
    return lines[-1] if lines else None


def _unsure(state: TableState, _wait: Wait) -> Line:
    kinds = [] if state.lying is None or state.lying.verdict is None else state.lying.verdict.reasons
    why = words.reasons([reason.kind.value for reason in kinds])
    detail = f"{words.obstacle(why)}. {words.UNSURE_DETAIL}" if why else words.UNSURE_DETAIL
    return Line(words.UNSURE, Tone.ASK, detail)


def _which_set_aside(state: TableState, _wait: Wait) -> Line:
    count = 0 if state.lying is None else len(state.lying.faces)
    before = spell_faces(state.game.turn.faces or ())
    return Line(words.WHICH_SET_ASIDE, Tone.ASK, words.which_set_aside(before, count))


_WAITS: dict[WaitKind, Callable[[TableState, Wait], Line]] = {
    WaitKind.UNSURE: _unsure,
    WaitKind.WHICH_SET_ASIDE: _which_set_aside,
    WaitKind.BANKED_OR_THROWN: lambda *_: Line(
        words.BANKED_OR_THROWN, Tone.ASK, words.BANKED_OR_THROWN_DETAIL
    ),
    WaitKind.DICE_DO_NOT_FIT: lambda _, wait: Line(
        words.DICE_DO_NOT_FIT, Tone.ASK, words.obstacle(wait.detail)
    ),
    WaitKind.NOT_COUNTED: lambda *_: Line(words.NOT_COUNTED, Tone.ASK, words.NOT_COUNTED_DETAIL),
    WaitKind.NOT_THROWN: lambda *_: Line(words.NOT_THROWN, Tone.BAD, words.NOT_THROWN_DETAIL),
    WaitKind.GAME_OVER: lambda state, _: _over(state.game),
    WaitKind.COVERED: lambda *_: Line(words.COVERED, Tone.ASK, words.COVERED_DETAIL),
    WaitKind.VIEW_MOVED: lambda *_: Line(words.VIEW_MOVED, Tone.ASK, words.VIEW_MOVED_DETAIL),
    WaitKind.LIGHT_CHANGED: lambda *_: Line(words.LIGHT_CHANGED, Tone.ASK, words.LIGHT_CHANGED_DETAIL),
    WaitKind.VIEW_UNCLEAR: lambda *_: Line(words.VIEW_UNCLEAR, Tone.ASK, words.VIEW_UNCLEAR_DETAIL),
}


def _to_decide(game: Game) -> Line:
    obstacles = bank_obstacles(game)
    if obstacles:
        detail = words.obstacle("; ".join(map(str, obstacles)))
        return Line(words.to_throw(game.player, game.turn.dice_left), Tone.CALM, detail)
    return Line(words.to_decide(game.player, game.turn.dice_left), Tone.GOOD)


def _over(game: Game) -> Line:
    winners = [game.players[seat] for seat in game.winners]
    totals = ", ".join(f"{name} {total}" for name, total in game.totals.items())
    return Line(words.wins(winners), Tone.GOOD, totals)


_PHASES: dict[Phase, Callable[[Game], Line]] = {
    Phase.THROW: lambda game: Line(words.to_throw(game.player, game.turn.dice_left)),
    Phase.SET_ASIDE: lambda game: Line(words.to_set_aside(game.player), detail=words.TAP_WHAT_YOU_TAKE),
    Phase.DECIDE: _to_decide,
    Phase.RELIEF: lambda _: Line(words.RELIEF, Tone.ASK, words.RELIEF_DETAIL),
    Phase.KNOCK: lambda _: Line(words.KNOCK, Tone.ASK, words.KNOCK_DETAIL),
    Phase.OVER: _over,
}
_NEWS: dict[str, Callable[[Any], Line]] = {
    "bust": lambda fields: Line(words.busts(fields["player"], fields["lost"]), Tone.BAD),
    "banked": lambda fields: Line(words.banks(fields["player"], fields["points"]), Tone.GOOD),
    "set_aside": lambda fields: Line(
        words.set_aside(spell_faces(fields["faces"]), fields["points"]), Tone.GOOD
    ),
    "misroll": lambda fields: Line(words.misroll([reason["kind"] for reason in fields["reasons"]]), Tone.BAD),
    "target_passed": lambda fields: Line(words.passes_target(fields["player"]), Tone.BAD),
}
