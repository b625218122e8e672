"""What the page says: the verdict on the latest throw, and what the table waits for. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from scoring.faces import Faces, spell_faces
from scoring.game import Game, Phase, bank_obstacles, legal_set_asides
from scoring.set_asides import dice_left_after
from table.events import WaitKind
from table.overruling import faults
from table.page.calibrate_words import CalibrateWords
from table.page.words import Words, as_sentence
from table.set_asides_seen import taken_of
from table.state import LyingThrow, TableState
from vision.domain import Ruling


class Tone(StrEnum):
    """How a line feels; each has its colour and its symbol."""

    CALM = "calm"
    GOOD = "good"
    ASK = "ask"
    BAD = "bad"


AFTER_THROW = frozenset({Phase.THROW, Phase.DECIDE, Phase.OVER})
TOLD_AT_END = 4  # players whose totals have room below the winner
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


def verdict_line(state: TableState, words: Words) -> Line | None:
    """Return what the referee says of the throw that lies, or, once the turn went on, what came of it."""
    lying = state.lying
    settled = lying is None or lying.counted
    if settled and state.wait is None and state.game.turn.phase in AFTER_THROW:
        return _latest_news(state, words)
    return None if lying is None else verdict_of(lying, words)


def prompt(state: TableState, words: Words) -> Line:
    """Return what the table waits for."""
    if state.pause is not None:
        return _WAITS[state.pause.kind](state, words)
    if state.game.turn.phase is Phase.SET_ASIDE and state.left:
        detail = _taken(state.game, state.left[-1], words)
        return Line(words.to_set_aside(state.game.player), detail=detail)
    return _PHASES[state.game.turn.phase](state.game, words)


def _taken(game: Game, left: Faces, words: Words) -> str:
    """Say what the dice lifted out so far would be worth."""
    taken = taken_of(game, left)
    for each in legal_set_asides(game):
        if each.faces == taken:
            count = dice_left_after(each, game.turn.dice_left)
            return words.taken(spell_faces(taken), each.points, count)
    return words.not_to_be_taken(spell_faces(taken))


def verdict_of(lying: LyingThrow, words: Words) -> Line:
    """Return what the referee says of a throw, whatever the game makes of it."""
    against = [each.kind for each in faults(lying)]
    spoken_of = lying.lies or lying.ruled or lying.added_px  # else a person called it one, without a reason
    if not lying.counted and (against or (lying.misrolled is not None and not spoken_of)):
        return Line(words.misroll(against), Tone.BAD)
    if lying.verdict is None:  # without `by_hand`, it was read, and later throws came in between
        return Line(words.by_hand if lying.by_hand else words.valid, Tone.GOOD)
    if lying.verdict.ruling is Ruling.VALID:
        return Line(words.valid, Tone.GOOD)
    if lying.counted:
        return Line(words.counted_by_hand, Tone.GOOD)
    return Line(words.not_sure, Tone.ASK)


def _latest_news(state: TableState, words: Words) -> Line | None:
    lines = [_NEWS[event.name](event.fields, words) for event in state.events if event.name in _NEWS]
    return lines[-1] if lines else None


def _unsure(state: TableState, words: Words) -> Line:
    kinds = [] if state.lying is None or state.lying.verdict is None else state.lying.verdict.reasons
    why = words.reasons([reason.kind.value for reason in kinds])
    detail = f"{as_sentence(why)}. {words.unsure_detail}" if why else words.unsure_detail
    return Line(words.unsure, Tone.ASK, detail)


def _which_set_aside(state: TableState, words: Words) -> Line:
    before = spell_faces(state.game.turn.faces or ())
    return Line(words.which_set_aside, Tone.ASK, words.from_throw(before, _lying_dice(state)))


def _do_not_fit(state: TableState, words: Words) -> Line:
    turn, there = state.game.turn, _lying_dice(state)
    if turn.phase is Phase.SET_ASIDE:
        detail = words.leaves_none(spell_faces(turn.faces or ()), there)
    else:
        detail = words.not_as_many(there, turn.dice_left)
    return Line(words.dice_do_not_fit, Tone.ASK, detail)


def _lying_dice(state: TableState) -> int:
    return 0 if state.lying is None else len(state.lying.faces) - len(state.lying.removed)


def _not_calibrated(_state: TableState, words: Words) -> Line:
    own = CalibrateWords(words.language)
    return Line(own.not_calibrated, Tone.BAD, own.not_calibrated_detail)


def _calibrating(_state: TableState, words: Words) -> Line:
    own = CalibrateWords(words.language)
    return Line(own.calibrating, Tone.ASK, own.calibrating_detail)


_WAITS: dict[WaitKind, Callable[[TableState, Words], Line]] = {
    WaitKind.UNSURE: _unsure,
    WaitKind.WHICH_SET_ASIDE: _which_set_aside,
    WaitKind.BANKED_OR_THROWN: lambda _, words: Line(
        words.banked_or_thrown, Tone.ASK, words.banked_or_thrown_detail
    ),
    WaitKind.DICE_DO_NOT_FIT: _do_not_fit,
    WaitKind.NOT_BANKED: lambda _, words: Line(words.not_banked, Tone.ASK, words.not_banked_detail),
    WaitKind.NUDGED: lambda _, words: Line(words.nudged, Tone.ASK, words.nudged_detail),
    WaitKind.NOT_COUNTED: lambda _, words: Line(words.not_counted, Tone.ASK, words.not_counted_detail),
    WaitKind.UNSEEN: lambda _, words: Line(words.not_counted, Tone.ASK, words.unseen_detail),
    WaitKind.NOT_THROWN: lambda _, words: Line(words.not_thrown, Tone.BAD, words.not_thrown_detail),
    WaitKind.GAME_OVER: lambda state, words: _over(state.game, words),
    WaitKind.COVERED: lambda _, words: Line(words.covered, Tone.ASK, words.covered_detail),
    WaitKind.VIEW_MOVED: lambda _, words: Line(words.view_moved, Tone.ASK, words.view_moved_detail),
    WaitKind.LIGHT_CHANGED: lambda _, words: Line(words.light_changed, Tone.ASK, words.light_changed_detail),
    WaitKind.VIEW_UNCLEAR: lambda _, words: Line(words.view_unclear, Tone.ASK, words.view_unclear_detail),
    WaitKind.NOT_CALIBRATED: _not_calibrated,
    WaitKind.CALIBRATING: _calibrating,
}


def _to_decide(game: Game, words: Words) -> Line:
    obstacles = bank_obstacles(game)
    if obstacles:
        detail = as_sentence(words.obstacles(obstacles))
        return Line(words.to_throw(game.player, game.turn.dice_left), Tone.CALM, detail)
    return Line(words.to_decide(game.player, game.turn.dice_left), Tone.GOOD)


def _over(game: Game, words: Words) -> Line:
    winners = [game.players[seat] for seat in game.winners]
    totals = ", ".join(f"{name} {total}" for name, total in game.totals.items())
    told = totals if len(game.players) <= TOLD_AT_END else ""  # the tally tells them, too
    return Line(words.wins(winners), Tone.GOOD, told)


_PHASES: dict[Phase, Callable[[Game, Words], Line]] = {
    Phase.THROW: lambda game, words: Line(words.to_throw(game.player, game.turn.dice_left)),
    Phase.SET_ASIDE: lambda game, words: Line(
        words.to_set_aside(game.player), detail=words.tap_what_you_take
    ),
    Phase.DECIDE: _to_decide,
    Phase.RELIEF: lambda _, words: Line(words.relief, Tone.ASK, words.relief_detail),
    Phase.KNOCK: lambda _, words: Line(words.knock, Tone.ASK, words.knock_detail),
    Phase.OVER: _over,
}
_NEWS: dict[str, Callable[[Any, Words], Line]] = {
    "bust": lambda fields, words: Line(words.busts(fields["player"], fields["lost"]), Tone.BAD),
    "banked": lambda fields, words: Line(words.banks(fields["player"], fields["points"]), Tone.GOOD),
    "set_aside": lambda fields, words: Line(
        words.set_aside(spell_faces(fields["faces"]), fields["points"]), Tone.GOOD
    ),
    "misroll": lambda fields, words: Line(
        words.misroll([reason["kind"] for reason in fields["reasons"]]), Tone.BAD
    ),
    "target_passed": lambda fields, words: Line(words.target_passed(fields["player"]), Tone.BAD),
}
