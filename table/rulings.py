"""What a throw that was seen does to the game: pure, and never a guess.

A valid throw counts when it has the number of dice that the turn has to throw. If nothing was set aside by
touch since the throw before, the number of dice that come back tells what was, but only when exactly one
legal set-aside leaves that many, and fewer than six: six dice may as well be the next player's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from scoring.actions import Action, Bank, Knock, Misroll, MisrollReason, PutAside, Throw
from scoring.events import Event, Misrolled
from scoring.faces import ALL_DICE, Faces, spell_faces
from scoring.game import Game, Phase, apply, can, legal_set_asides, obstacle
from scoring.set_asides import dice_left_after
from table.events import Wait, WaitKind
from vision.domain import MISROLL_KINDS, DieReading, ReasonKind, Ruling, Verdict

NOT_TO_BE_TOUCHED = MISROLL_KINDS - {ReasonKind.MISSING}  # missing dice may still have been on their way


@dataclass(frozen=True, slots=True)
class Outcome:
    """The game after a throw; `wait` says why the throw did not count, None when it did."""

    game: Game
    events: tuple[Event, ...] = ()
    wait: Wait | None = None


def rule_on(game: Game, verdict: Verdict, moved_after: Verdict | None = None) -> Outcome:
    """Return what comes of a throw with `verdict`; `moved_after` as in `ThrowSeen`."""
    if game.over:
        return _wait(game, WaitKind.GAME_OVER, "the game is over")
    if verdict.ruling is Ruling.UNSURE:
        return _wait(game, WaitKind.UNSURE, _in_words(verdict))
    if game.turn.phase is Phase.KNOCK and moved_after is not None:
        return _take_knock(game, verdict.faces)
    if verdict.faces is None:
        return _take_misroll(game, verdict)
    if moved_after is not None and NOT_TO_BE_TOUCHED & {each.kind for each in moved_after.reasons}:
        return _wait(game, WaitKind.NOT_THROWN, "the dice of a misroll must all be thrown again")
    return take_faces(game, verdict.faces)


def take_faces(game: Game, faces: Faces) -> Outcome:
    """Return what comes of a valid throw of `faces`."""
    if game.turn.phase is Phase.SET_ASIDE:
        return _take_next_throw(game, faces)
    throw = Throw(faces)
    reason = obstacle(game, throw)
    return take(game, [throw]) if reason is None else _wait(game, WaitKind.DICE_DO_NOT_FIT, reason)


def take_late(game: Game, faces: Faces) -> Outcome:
    """Return what comes of a throw of `faces` that waited until it was said what came before it."""
    if game.turn.hot_dice and len(faces) == ALL_DICE and can(game, Bank()):
        return _wait(game, WaitKind.BANKED_OR_THROWN, "six dice lie now: was banked before, or thrown on?")
    return take_faces(game, faces)


def dismiss(game: Game) -> Outcome:
    """Return what comes of a person's calling a throw that waits a misroll; the throw before it stands."""
    if game.turn.phase is Phase.SET_ASIDE:
        return Outcome(game, (Misrolled((), None),))
    return take(game, [Misroll()])


def take(game: Game, actions: Iterable[Action]) -> Outcome:
    """Apply `actions` in order; raises `IllegalActionError` at the first that is not legal."""
    events: list[Event] = []
    for action in actions:
        game, came = apply(game, action)
        events += came
    return Outcome(game, tuple(events))


def _take_next_throw(game: Game, faces: Faces) -> Outcome:
    """Take a throw while nothing has been set aside of the one before."""
    before, dice = game.turn.faces or (), len(faces)
    leaving = [
        each
        for each in legal_set_asides(game)
        if dice_left_after(each, game.turn.dice_left) == dice < ALL_DICE
    ]
    if len(leaving) == 1:
        return take(game, [PutAside(leaving[0].faces, "seen"), Throw(faces)])
    lying = f"{dice} {'die lies' if dice == 1 else 'dice lie'} now; "
    if leaving:
        found = ", ".join(spell_faces(each.faces) for each in leaving)
        return _wait(
            game,
            WaitKind.WHICH_SET_ASIDE,
            f"{lying}which dice of {spell_faces(before)} were set aside? {found}",
        )
    if dice == ALL_DICE:
        return _wait(
            game, WaitKind.WHICH_SET_ASIDE, f"{lying}what was set aside of {spell_faces(before)}, and banked?"
        )
    return _wait(
        game, WaitKind.DICE_DO_NOT_FIT, f"{lying}no set-aside of {spell_faces(before)} leaves as many"
    )


def _wait(game: Game, kind: WaitKind, detail: str) -> Outcome:
    return Outcome(game, wait=Wait(kind, detail))


def _take_knock(game: Game, faces: Faces | None) -> Outcome:
    knock = Knock(faces)
    reason = obstacle(game, knock)
    return take(game, [knock]) if reason is None else _wait(game, WaitKind.DICE_DO_NOT_FIT, reason)


def _take_misroll(game: Game, verdict: Verdict) -> Outcome:
    reasons = tuple(_misroll_reasons(verdict))
    if game.turn.phase is Phase.SET_ASIDE:  # the throw before stands; the one after it is thrown again
        return Outcome(game, (Misrolled(reasons, None),))
    misroll = Misroll(reasons)
    reason = obstacle(game, misroll)
    return take(game, [misroll]) if reason is None else _wait(game, WaitKind.DICE_DO_NOT_FIT, reason)


def _misroll_reasons(verdict: Verdict) -> Iterator[MisrollReason]:
    """Yield the referee's reasons in the words of the game, which knows no picture."""
    for each in verdict.reasons:
        if each.kind in MISROLL_KINDS:
            die = None if each.die is None else verdict.dice[each.die]
            face = None if die is None else die.face
            yield MisrollReason(each.kind.value, each.die, face, _amount(each.kind, die), each.detail)


def _amount(kind: ReasonKind, die: DieReading | None) -> float | None:
    """Return by how much `die` breaks the rule: degrees it leans, mm it lies above the floor or outside."""
    if die is None:
        return None
    outside_mm = None if die.margin_mm is None else -die.margin_mm
    measures = {
        ReasonKind.TILTED: die.tilt_deg,
        ReasonKind.STACKED: die.height_mm,
        ReasonKind.OUTSIDE: outside_mm,
    }
    return measures.get(kind)


def _in_words(verdict: Verdict) -> str:
    reasons = dict.fromkeys(f"{each.kind}: {each.detail}" for each in verdict.reasons)
    return "; ".join(reasons) or "the throw was not read for sure"
