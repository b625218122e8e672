"""What a throw that was seen does to the game: pure, and never a guess.

A valid throw counts when it has the number of dice that the turn has to throw. If nothing was set aside by
touch since the throw before, `table.set_asides_seen` says what was: from the dice that were seen to be left
and the number that come back. Six dice where not all could be set aside are the next player's: what the turn
had is banked. Where all six could be, they may be either's, and a person is asked, unless it was seen whose
hand threw.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from scoring.actions import Action, Bank, CountAs, Knock, Misroll, MisrollReason, PutAside, Throw
from scoring.events import Event, Misrolled
from scoring.faces import ALL_DICE, Faces, spell_faces
from scoring.game import Game, Phase, apply, can, obstacle
from table.events import Wait, WaitKind
from table.lying_dice import all_found
from table.set_asides_seen import bank_all, could_be_hot, seen_set_asides
from table.sides import Thrower
from vision.domain import MISROLL_KINDS, DieReading, DieState, ReasonKind, Ruling, Verdict

NOT_TO_BE_TOUCHED = MISROLL_KINDS - {ReasonKind.MISSING}  # missing dice may still have been on their way


@dataclass(frozen=True, slots=True)
class Outcome:
    """The game after a throw; `wait` says why the throw did not count, None when it did.

    `assumed`: the game before something that nobody said and that was not certain. `by_hand_seen`: whose
    hand threw has decided.
    """

    game: Game
    events: tuple[Event, ...] = ()
    wait: Wait | None = None
    assumed: Game | None = None
    by_hand_seen: bool = False


@dataclass(frozen=True, slots=True)
class Before:
    """What was seen between a throw and the next: the dice `left` each time some were lifted out.

    `banks`: whether all dice taken away, and six that come back, may bank a turn. `thrower`: whose hand
    threw, where that was seen.
    """

    left: tuple[Faces, ...] = ()
    banks: bool = False
    thrower: Thrower | None = None


NOTHING = Before()


def rule_on(
    game: Game, verdict: Verdict, moved_after: Verdict | None = None, before: Before = NOTHING
) -> Outcome:
    """Return what comes of a throw with `verdict`; `moved_after` as in `ThrowSeen`."""
    if game.over:
        return _wait(game, WaitKind.GAME_OVER, "the game is over")
    if verdict.ruling is Ruling.UNSURE:
        return _wait(game, WaitKind.UNSURE, _in_words(verdict))
    if game.turn.phase is Phase.KNOCK and moved_after is not None:
        return _take_knock(game, verdict.faces if _moved_none_that_lay_flat(verdict, moved_after) else None)
    if verdict.faces is None:
        return _take_misroll(game, verdict)
    pushed = None if moved_after is None else _pushed(verdict.faces, moved_after)
    if pushed is not None:
        as_before = pushed.kind is WaitKind.NUDGED and verdict.faces == game.turn.faces
        return Outcome(game, wait=None if as_before else pushed)
    return take_faces(game, verdict.faces, before)


def _pushed(faces: Faces, moved_after: Verdict) -> Wait | None:
    """Return why dice that were moved and not thrown count for nothing by themselves, if so."""
    if moved_after.ruling is Ruling.VALID:
        return Wait(WaitKind.NUDGED, f"the dice show {spell_faces(faces)} now")
    if NOT_TO_BE_TOUCHED & {each.kind for each in moved_after.reasons}:
        return Wait(WaitKind.NOT_THROWN, "the dice of a misroll must all be thrown again")
    return None


def throw_of(faces: Faces, ruled: Faces = ()) -> Throw | CountAs:
    """Return the action of a throw of `faces`, of which a person ruled on those `ruled`."""
    return CountAs(faces, ruled) if ruled else Throw(faces)


def take_faces(game: Game, faces: Faces, before: Before = NOTHING, ruled: Faces = ()) -> Outcome:
    """Return what comes of a throw of `faces` that counts; a person ruled on those `ruled`."""
    throw = throw_of(faces, ruled)
    if game.turn.phase is Phase.SET_ASIDE:
        return _take_next_throw(game, throw, before)
    reason = obstacle(game, throw)
    return take(game, [throw]) if reason is None else _wait(game, WaitKind.DICE_DO_NOT_FIT, reason)


def take_late(game: Game, faces: Faces, ruled: Faces = ()) -> Outcome:
    """Return what comes of a throw of `faces` that waited until it was said what came before it."""
    if game.turn.hot_dice and len(faces) == ALL_DICE and can(game, Bank()):
        return _wait(game, WaitKind.BANKED_OR_THROWN, "six dice lie now: was banked before, or thrown on?")
    return take_faces(game, faces, ruled=ruled)


def dismiss(game: Game, reasons: tuple[MisrollReason, ...] = ()) -> Outcome:
    """Return what comes of a person's calling a throw that waits a misroll; the throw before it stands."""
    if game.turn.phase is Phase.SET_ASIDE:
        return Outcome(game, (Misrolled(reasons, None),))
    return take(game, [Misroll(reasons)])


def take(game: Game, actions: Iterable[Action]) -> Outcome:
    """Apply `actions` in order; raises `IllegalActionError` at the first that is not legal."""
    events: list[Event] = []
    for action in actions:
        game, came = apply(game, action)
        events += came
    return Outcome(game, tuple(events))


def _take_next_throw(game: Game, throw: Throw | CountAs, before: Before) -> Outcome:
    """Take a throw while nothing has been set aside of the one before."""
    dice, seen = len(throw.faces), seen_set_asides(game, len(throw.faces), before.left)
    may_bank = dice == ALL_DICE and before.banks
    banked = bank_all(game) if may_bank else ()
    by_hand = bool(banked) and could_be_hot(game)
    if banked and (not by_hand or before.thrower is Thrower.NEXT):
        return _then_throw(replace(take(game, banked), by_hand_seen=by_hand), throw)
    thrown_on = not banked or before.thrower is Thrower.IN_TURN
    if seen.sure is not None and thrown_on and (may_bank or dice < ALL_DICE):
        aside = take(game, [PutAside(seen.sure, "seen")])
        return _then_throw(replace(aside, by_hand_seen=by_hand), throw)
    fits = bool(seen.possible) or dice == ALL_DICE
    kind = WaitKind.WHICH_SET_ASIDE if fits else WaitKind.DICE_DO_NOT_FIT
    return _wait(game, kind, _which(game, dice, seen.possible))


def _then_throw(before: Outcome, throw: Throw | CountAs) -> Outcome:
    """Take a throw after what was inferred to have come before it, which may have ended the game."""
    reason = obstacle(before.game, throw)
    if reason is not None:
        kind = WaitKind.GAME_OVER if before.game.over else WaitKind.DICE_DO_NOT_FIT
        return replace(before, wait=Wait(kind, reason))
    thrown = take(before.game, [throw])
    return replace(before, game=thrown.game, events=(*before.events, *thrown.events))


def _which(game: Game, dice: int, possible: Sequence[Faces]) -> str:
    """Ask which dice were set aside, of those that may have been."""
    lying, thrown = (
        f"{dice} {'die lies' if dice == 1 else 'dice lie'} now; ",
        spell_faces(game.turn.faces or ()),
    )
    if dice == ALL_DICE:
        return f"{lying}what was set aside of {thrown}, and banked?"
    if possible:
        return f"{lying}which dice of {thrown} were set aside? {', '.join(map(spell_faces, possible))}"
    return f"{lying}no set-aside of {thrown} leaves as many"


def _wait(game: Game, kind: WaitKind, detail: str) -> Outcome:
    return Outcome(game, wait=Wait(kind, detail))


def _take_knock(game: Game, faces: Faces | None) -> Outcome:
    knock = Knock(faces)
    reason = obstacle(game, knock)
    return take(game, [knock]) if reason is None else _wait(game, WaitKind.DICE_DO_NOT_FIT, reason)


def _moved_none_that_lay_flat(verdict: Verdict, before: Verdict) -> bool:
    """Whether the dice that lay flat `before` a knock lie where they lay, as they lay."""
    flat = [die for die in before.dice if die.state is DieState.FLAT]
    return all_found(flat, verdict.dice)


def _take_misroll(game: Game, verdict: Verdict) -> Outcome:
    reasons = tuple(misroll_reasons(verdict))
    if game.turn.phase is Phase.SET_ASIDE:  # the throw before stands; the one after it is thrown again
        return Outcome(game, (Misrolled(reasons, None),))
    misroll = Misroll(reasons)
    reason = obstacle(game, misroll)
    return take(game, [misroll]) if reason is None else _wait(game, WaitKind.DICE_DO_NOT_FIT, reason)


def misroll_reasons(verdict: Verdict) -> Iterator[MisrollReason]:
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
