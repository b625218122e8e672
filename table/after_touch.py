"""What comes of what a person taps. Pure."""

from __future__ import annotations

from dataclasses import replace

from scoring.actions import Action, Amend, Bank, Correct, CountAs, Knock, Misroll, Throw
from scoring.faces import Faces
from scoring.game import Game, Phase, first_events, new_game, options, undo
from table.after_ruling import after_correction, after_ruling, counted_anew, is_misroll
from table.changes import TO_CONFIRM, Change, Scene, as_lying
from table.errors import TouchError
from table.events import TableEvent, WaitKind
from table.overruling import faults
from table.rulings import Outcome, dismiss, take, take_faces, take_late, throw_of
from table.state import LyingThrow
from table.touches import (
    AddDie,
    BeginGame,
    Confirm,
    CorrectDie,
    CountAnyway,
    EnterThrow,
    GoOn,
    NewGame,
    Play,
    SayLie,
    Touch,
    Undo,
    WouldBe,
)

ANSWERABLE = frozenset(  # by saying what came before
    {WaitKind.WHICH_SET_ASIDE, WaitKind.DICE_DO_NOT_FIT, WaitKind.BANKED_OR_THROWN}
)


def after_touch(scene: Scene, touch: Touch) -> Change | None:
    """Return what comes of `touch`, None when nothing does.

    Raises TouchError, or scoring's IllegalActionError, saying why it cannot be done now.
    """
    match touch:
        case Play(action):
            change = _played(scene, action)
        case Undo():
            change = _undone(scene)
        case CorrectDie(die, face):
            change = _corrected(scene, die, face)
        case SayLie() | WouldBe() | AddDie():
            change = after_ruling(scene, touch)
        case Confirm() | CountAnyway():
            change = _confirmed(scene, anyway=isinstance(touch, CountAnyway))
        case EnterThrow(faces):
            outcome = _counted(take_faces(scene.state.game, faces))
            entered = LyingThrow(faces, counted=True, by_hand=True)
            change = scene.concluded(outcome, entered, scene.state.with_step("throw"))
        case NewGame():
            change = _begun(scene, _next_game(scene.state.game))
        case BeginGame(game):
            change = _begun(scene, game)
        case GoOn(game, number):
            change = _gone_on(scene, game, number)
    return change


def _next_game(over: Game) -> Game:
    if not over.over:
        raise TouchError("a new game begins when this one is over")
    return new_game(over.ruleset, over.players, (over.first_seat + 1) % len(over.players))


def _begun(scene: Scene, game: Game) -> Change:
    """Begin `game` in the place of the one before, whose throw, if one lies, is of no game any more."""
    change = scene.concluded(Outcome(game, first_events(game)), None, ())
    return replace(change, state=replace(change.state, games=scene.state.games + 1, kept_as=None))


def _gone_on(scene: Scene, game: Game, number: int) -> Change:
    """Go on with a game that was left, and with the throw that lay in it."""
    if game.over:
        raise TouchError("the game is over")
    change = _begun(scene, game)
    lying = None if game.turn.faces is None else as_lying(game.turn.faces, None)
    return replace(change, state=replace(change.state, lying=lying, kept_as=number))


def _played(scene: Scene, action: Action) -> Change | None:
    game, lying, wait = scene.state.game, scene.state.lying, scene.state.wait
    steps = scene.state.with_step(action.kind)
    if lying is None or wait is None:
        if isinstance(action, Misroll) and lying is not None and not lying.counted:
            return None  # it is one already; the open throw before it stands
        if isinstance(action, Misroll) and lying is not None and game.turn.phase is Phase.SET_ASIDE:
            lying = replace(lying, counted=False, misrolled=len(game.log))
        outcome = take(game, [action])
        return scene.concluded(outcome, _lying_after(outcome.game, lying, action), steps)
    if isinstance(action, Misroll):
        outcome = dismiss(game)
        place = len(game.log) if outcome.game is not game else None
        return scene.concluded(outcome, replace(lying, misrolled=place), steps)
    after = take(game, [action])
    if wait.kind is WaitKind.NUDGED:  # the throw counts as it fell
        return scene.concluded(after, as_lying(game.turn.faces or (), None), steps)
    if wait.kind not in ANSWERABLE or lying.known_faces is None:
        return scene.concluded(replace(after, wait=wait), lying, steps)
    then = take_late(after.game, lying.known_faces, lying.ruled_faces)
    both = replace(then, events=(*after.events, *then.events))
    return scene.concluded(both, replace(lying, counted=then.wait is None), steps)


def _lying_after(game: Game, lying: LyingThrow | None, action: Action) -> LyingThrow | None:
    """Return the throw that lies once `action` is done: an amendment may have made it another, or none."""
    if not isinstance(action, Amend):
        return lying
    if game.turn.faces is not None:
        return as_lying(game.turn.faces, lying)
    return replace(lying, misrolled=None) if lying is not None else None


def _undone(scene: Scene) -> Change:
    """Take back the latest thing a person did since the latest throw, else the game's latest action."""
    if not scene.state.steps:
        return _action_undone(scene)
    *steps, latest = scene.state.steps
    offered = () if latest.game == scene.state.game else options(latest.game)
    outcome = Outcome(latest.game, offered, latest.wait)
    told = (scene.took_back(latest.name, latest.game),)
    return scene.concluded(outcome, latest.lying, tuple(steps), told)


def _action_undone(scene: Scene) -> Change:
    game, lying = scene.state.game, scene.state.lying
    if not game.log:
        raise TouchError("there is nothing to undo")
    before, undone = undo(game), game.log[-1]
    if lying is not None and lying.misrolled is not None and lying.misrolled >= len(before.log):
        lying = replace(lying, misrolled=None)
    if isinstance(undone, Throw | Knock | CountAs) and lying is not None:
        lying = replace(lying, counted=False)
    elif before.turn.faces is not None:
        lying = as_lying(before.turn.faces, lying)
    wait = None if lying is None or lying.counted else TO_CONFIRM
    told = (scene.took_back(undone.kind, before),)
    return scene.concluded(Outcome(before, options(before), wait), lying, (), told)


def _corrected(scene: Scene, place: int, face: int | None) -> Change:
    lying = scene.state.lying
    if lying is None or place >= len(lying.faces):
        raise TouchError("there is no such die to correct")
    faces = (*lying.faces[:place], face or lying.faces[place], *lying.faces[place + 1 :])
    removed = lying.removed | {place} if face is None else lying.removed - {place}
    amended = replace(lying, faces=faces, removed=removed)
    steps = scene.state.with_step("correct")
    anew = counted_anew(scene.state.game, amended) if lying.counted else None
    if anew is not None:
        return scene.concluded(anew, amended, steps)
    if lying.counted:
        return _uncounted(scene, amended)
    fields = {"die": place, "was": lying.faces[place], "face": face}
    outcome, after = after_correction(scene, amended)
    return scene.concluded(outcome, after, steps, (scene.told("corrected", fields),))


def _uncounted(scene: Scene, amended: LyingThrow) -> Change:
    """Take a counted throw back that, as corrected, is not of as many dice."""
    game = scene.state.game
    if not game.log or not isinstance(game.log[-1], Throw | Knock | CountAs | Correct):
        raise TouchError("only the latest throw can be corrected, before anything else is done")
    before = undo(game)
    while before.log and isinstance(game.log[len(before.log)], Correct):
        before = undo(before)
    uncounted, steps = replace(amended, counted=False), scene.state.with_step("correct")
    told = (scene.took_back("throw", before),)
    return scene.concluded(Outcome(before, wait=TO_CONFIRM), uncounted, steps, told)


def _confirmed(scene: Scene, *, anyway: bool) -> Change:
    lying = scene.state.lying
    if lying is None or lying.counted:
        raise TouchError("no throw waits to be confirmed")
    if not anyway and (is_misroll(scene.state) or faults(lying)):
        raise TouchError(f"the throw is a misroll: {_why_misroll(lying)}")
    if lying.known_faces is None:
        raise TouchError("a die without a face must be corrected first")
    outcome, told = _once_confirmed(scene, lying, lying.known_faces)
    counted = replace(lying, counted=True, misrolled=None)
    return scene.concluded(outcome, counted, scene.state.with_step("throw"), told)


def _why_misroll(lying: LyingThrow) -> str:
    details = dict.fromkeys(each.detail or each.kind for each in faults(lying))
    why = ", ".join(details) or "a person called it one"
    return f"{why}; say how the die lies or what it would have been, or count the throw anyway"


def _once_confirmed(scene: Scene, lying: LyingThrow, faces: Faces) -> tuple[Outcome, tuple[TableEvent, ...]]:
    """Return what comes of counting a throw of `faces` that waits, and what is told before that."""
    state = scene.state
    anew = counted_anew(state.game, lying)
    if anew is not None:
        return anew, ()
    if lying.misrolled is not None:
        return take(state.game, [Amend(lying.misrolled, throw_of(faces, lying.ruled_faces))]), ()
    kind = None if state.wait is None else state.wait.kind
    if kind is WaitKind.NUDGED:
        return take(state.game, [Correct(faces)]), ()
    if kind is WaitKind.NOT_BANKED and state.assumed is not None:
        told = (scene.took_back(Bank.kind, state.assumed),)
        return _counted(take_faces(state.assumed, faces, scene.before)), told
    return _counted(take_faces(state.game, faces, ruled=lying.ruled_faces)), ()


def _counted(outcome: Outcome) -> Outcome:
    if outcome.wait is not None:
        raise TouchError(outcome.wait.detail)
    return outcome
