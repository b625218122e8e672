"""What comes of what is seen: throws, dice lifted out, an empty tray, a view that does not fit. Pure."""

from __future__ import annotations

from dataclasses import replace

from scoring.actions import Misroll
from scoring.faces import ALL_DICE, Faces
from scoring.game import Phase
from table.changes import Change, Scene, as_lying
from table.events import Wait, WaitKind, paused, throw_settled
from table.rulings import Outcome, rule_on, take
from table.set_asides_seen import bank_all, could_be_hot
from table.sides import clear_side, thrower
from table.state import LyingThrow, TableState
from table.throw_watch import DiceTaken, Observation, ThrowSeen, ViewChanged
from vision.domain import Ruling, Verdict

UNSEEN = Wait(WaitKind.UNSEEN, "no picture came when this may have been thrown: confirm it, or throw again")
NOT_BANKED = Wait(WaitKind.NOT_BANKED, "fewer than six dice lie now: was thrown on, and not banked?")


def after_seen(scene: Scene, seen: Observation, unseen_until: int = -1) -> Change | None:
    """Return what comes of `seen`, None when nothing does.

    `unseen_until`: number of the frame before which people played on by hand, without a picture.
    """
    match seen:
        case ThrowSeen():
            return _after_throw(scene, seen, unseen_until)
        case ViewChanged(blocked=blocked):
            return _turned_to(scene, blocked)
        case DiceTaken(left=left):
            return Change(_without(scene.state, left))
    return Change(scene.state, (replace(scene, now=seen.at).told("table_cleared", {}),))


def after_left_empty(scene: Scene) -> Change | None:
    """Return what comes of a tray left empty for long: the turn is banked, unless all dice may be thrown."""
    game = scene.state.game
    banked = () if could_be_hot(game) else bank_all(game)
    if not banked:
        return None
    return scene.concluded(replace(take(game, banked), assumed=game), scene.state.lying, ())


def _without(state: TableState, left: Faces) -> TableState:
    """Return the state once only `left` lies of the throw that counts."""
    news = state.game.turn.phase is Phase.SET_ASIDE and left not in state.left
    return replace(state, left=(*state.left, left)) if news else state


def _turned_to(scene: Scene, blocked: Wait | None) -> Change:
    """Wait because nothing can be judged, or go on once it can and what lies is no throw."""
    before = scene.state
    lying, wait = before.lying, before.wait
    if blocked is None and before.waits_for_view:
        faces = before.game.turn.faces
        lying, wait = None if faces is None else as_lying(faces, None), None
    view = None if blocked is not None and wait is not None and blocked.kind is wait.kind else blocked
    after = replace(before, lying=lying, wait=wait, view=view)
    if after.pause is None:
        told = () if before.pause is None else (scene.told("resumed", {}),)
    else:
        told = () if after.pause == before.pause else (paused(scene.now, after.pause),)
    return Change(after, told)


def _after_throw(scene: Scene, seen: ThrowSeen, unseen_until: int) -> Change | None:
    outcome = _outcome_of(scene, seen, unseen_until)
    if outcome is None:
        return None
    faces = tuple(die.face for die in seen.verdict.dice)
    counted = seen.verdict.ruling is Ruling.VALID and outcome.wait is None
    place = len(outcome.game.log) - 1 if outcome.game.log else None
    called = outcome.game is not scene.state.game and isinstance(outcome.game.log[-1], Misroll)
    side_deg = None if outcome.by_hand_seen else clear_side(seen.arm)
    misrolled = place if called else None
    lying = LyingThrow(faces, seen.verdict, counted=counted, misrolled=misrolled, side_deg=side_deg)
    started = replace(scene, now=seen.started).told("throw_started", {})
    told = (started, throw_settled(seen.settled, seen.verdict))
    return scene.concluded(outcome, lying, (), told, in_view=True)


def _stands_by_a_persons_word(scene: Scene) -> bool:
    """Whether a throw lies open that counts; where it was not read as valid it may be read better now."""
    lying = scene.state.lying
    return scene.state.game.turn.phase is Phase.SET_ASIDE and lying is not None and lying.counted


def _is_entered_already(scene: Scene, verdict: Verdict) -> bool:
    """Whether the dice seen are those of the throw that lies, which a person was faster to enter."""
    game, lying = scene.state.game, scene.state.lying
    open_throw = game.turn.phase is Phase.SET_ASIDE and scene.state.wait is None
    return open_throw and lying is not None and lying.by_hand and verdict.faces == game.turn.faces


def _outcome_of(scene: Scene, seen: ThrowSeen, unseen_until: int) -> Outcome | None:
    """Return what comes of a throw; None when dice of one that is over were pushed."""
    game, pushed = scene.state.game, seen.moved_after is not None and seen.moved_after.faces is not None
    if pushed and game.turn.phase is not Phase.SET_ASIDE:
        return None
    if seen.unfit is not None or _is_entered_already(scene, seen.verdict):
        return Outcome(game, wait=seen.unfit)
    if seen.moved_after is not None and not pushed and _stands_by_a_persons_word(scene):
        same = seen.verdict.faces == game.turn.faces
        return Outcome(game, wait=None if same else Wait(WaitKind.NUDGED, "other dice are seen than counted"))
    if seen.started.frame <= unseen_until and not game.over:
        is_entered = seen.verdict.faces == game.turn.faces is not None
        return Outcome(game, wait=None if is_entered else UNSEEN)
    if scene.state.assumed is not None and len(seen.verdict.dice) != ALL_DICE:
        return Outcome(game, wait=NOT_BANKED)
    by = thrower(game, scene.state.sides, clear_side(seen.arm))
    return rule_on(game, seen.verdict, seen.moved_after, replace(scene.before, thrower=by))
