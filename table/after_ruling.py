"""What comes of what a person says of dice: how one lies, would have shown, or was not seen. Pure.

The throw is ruled on anew: what speaks against it makes it a misroll, with each die named; once nothing does,
and all its faces are known, it counts. Else it waits to be confirmed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from scoring.actions import Action, Amend, Correct, CountAs, Knock, Misroll, MisrollReason, Throw
from scoring.errors import IllegalActionError
from scoring.game import Game, Phase, can
from table.changes import TO_CONFIRM, Change, Scene
from table.errors import TouchError
from table.events import WaitKind
from table.overruling import ASKEW, faults, is_doubted
from table.rulings import Outcome, dismiss, take, take_faces, throw_of
from table.state import LyingThrow, TableState
from table.touches import AddDie, DieRuling, SayLie, WouldBe
from vision.domain import DieState


def after_ruling(scene: Scene, touch: DieRuling) -> Change:
    """Return what comes of `touch`; raises TouchError, saying why, when it cannot be done now."""
    lying = scene.state.lying
    if lying is None:
        raise TouchError("no throw lies of which anything could be said")
    match touch:
        case SayLie():
            name, amended, fields = "lies", *_with_lie(lying, touch)
        case WouldBe():
            name, amended, fields = "would_be", *_with_would_be(lying, touch)
        case AddDie():
            name, amended, fields = "add_die", *_with_die(lying, touch)
    told = (scene.told("corrected", fields),)
    outcome, after = _ruled_anew(scene, amended, None if isinstance(touch, AddDie) else touch.die)
    return scene.concluded(outcome, after, scene.state.with_step(name), told)


def place_of_throw(game: Game) -> int | None:
    """Return the place in the log of the latest throw that counts."""
    impossible = game.history.impossible_places
    thrown = (
        entry.place
        for entry in reversed(game.history.entries)
        if isinstance(entry.action, Throw | Knock | CountAs) and entry.place not in impossible
    )
    return next(thrown, None)


def counted_anew(game: Game, lying: LyingThrow) -> Outcome | None:
    """Return what comes of letting a throw count that the game holds for a misroll, or has as another.

    None when it may not count so, or the game holds it for neither.
    """
    thrown = throw_of(lying.known_faces or (), lying.ruled_faces)
    ways = _ways_if_counted(game, thrown) if lying.counted else _ways_if_misrolled(game, lying, thrown)
    return next(filter(None, (_taken(game, actions) for actions in ways)), None)


def _taken(game: Game, actions: Sequence[Action]) -> Outcome | None:
    try:
        return take(game, actions)
    except IllegalActionError:
        return None


def _ways_if_counted(game: Game, thrown: Throw | CountAs) -> Iterator[Sequence[Action]]:
    place = place_of_throw(game)
    if isinstance(thrown, Throw):
        yield [Correct(thrown.faces)]
    if place is not None:
        yield [Amend(place, thrown)]


def _ways_if_misrolled(game: Game, lying: LyingThrow, thrown: Throw | CountAs) -> Iterator[Sequence[Action]]:
    """Where a person ruled what dice would have been, the misroll stands, if nothing was done since."""
    place, before = lying.misrolled, place_of_throw(game)
    if place is None:
        return
    if isinstance(thrown, CountAs) and _is_latest(game, place):
        yield [thrown]
    yield [Amend(place, thrown)]
    if before is not None and before == _place_before(game, place):  # it was called one after it had counted
        yield [Amend(place, None), Amend(before, thrown)]


def may_count(state: TableState) -> bool:
    """Whether a misroll that lies may be let count as its dice were read and corrected."""
    lying = state.lying
    if lying is None or lying.known_faces is None:
        return False
    if lying.misrolled is not None:
        return counted_anew(state.game, lying) is not None
    return can(state.game, Throw(lying.known_faces))


def _place_before(game: Game, place: int) -> int | None:
    """Return the place in the log of what happened last in any turn before what stands at `place`."""
    places = (entry.place for entry in game.history.entries if entry.is_of_a_turn and entry.place < place)
    return max(places, default=None)


def _is_latest(game: Game, place: int) -> bool:
    """Whether what stands at `place` is the latest that was done in the turn under way."""
    *_, latest = (entry for entry in game.history.entries if entry.is_of_a_turn)
    return (latest.place, latest.turn) == (place, game.finished_turns)


def _with_lie(lying: LyingThrow, touch: SayLie) -> tuple[LyingThrow, dict[str, object]]:
    was = _state_at(lying, touch.die)
    fields: dict[str, object] = {"die": touch.die, "state_was": was.value, "state": touch.state.value}
    return lying.with_lie(touch.die, touch.state), fields


def _state_at(lying: LyingThrow, place: int) -> DieState:
    if place >= len(lying.faces):
        raise TouchError("there is no such die")
    return lying.state_of(place)


def _with_would_be(lying: LyingThrow, touch: WouldBe) -> tuple[LyingThrow, dict[str, object]]:
    if _state_at(lying, touch.die) not in ASKEW:
        raise TouchError("the die lies flat: correct its face")
    was = lying.faces[touch.die]
    faces = (*lying.faces[: touch.die], touch.face, *lying.faces[touch.die + 1 :])
    fields: dict[str, object] = {"die": touch.die, "was": was, "would_be": touch.face}
    ruled, removed = lying.ruled | {touch.die}, lying.removed - {touch.die}
    return replace(lying, faces=faces, ruled=ruled, removed=removed), fields


def _with_die(lying: LyingThrow, touch: AddDie) -> tuple[LyingThrow, dict[str, object]]:
    faces, added = (*lying.faces, touch.face), (*lying.added_px, touch.at_px)
    fields: dict[str, object] = {"die": len(lying.faces), "added": touch.face, "at_px": touch.at_px}
    return replace(lying, faces=faces, added_px=added), fields


def after_correction(scene: Scene, amended: LyingThrow) -> tuple[Outcome, LyingThrow]:
    """Return what comes of correcting a die of a throw that does not count: what it shows is not how it lies.

    A misroll stays one unless what made it one is no die; then it waits to be confirmed.
    """
    state, against = scene.state, faults(amended)
    if state.wait is None and against:
        return _called_misroll(scene, amended, against)
    if is_called_without_reason(state):
        return Outcome(state.game), amended
    was_none = state.lying is not None and not faults(state.lying)
    if against and was_none and state.wait is not None and state.wait.kind is WaitKind.NOT_COUNTED:
        return _called_misroll(scene, amended, against)
    return Outcome(state.game, wait=state.wait or TO_CONFIRM), amended


def is_misroll(state: TableState) -> bool:
    """Whether the throw that lies is a misroll and no question is open about it."""
    return state.lying is not None and not state.lying.counted and state.wait is None


def is_called_without_reason(state: TableState) -> bool:
    """Whether a person called the throw that lies a misroll, and not because of how a die lies."""
    return is_misroll(state) and state.lying is not None and not faults(state.lying)


def _ruled_anew(scene: Scene, amended: LyingThrow, said: int | None) -> tuple[Outcome, LyingThrow]:
    """Return what comes of what was said of the die at `said`; a misroll is called only for what was said."""
    state, against = scene.state, faults(amended)
    newly = said is not None and any(each.die == said for each in against)
    if newly or (against and is_misroll(state)):
        return _called_misroll(scene, amended, against)
    if is_called_without_reason(state) or (against and not amended.counted):
        return Outcome(state.game, wait=state.wait), amended
    is_open = is_doubted(amended) and not amended.counted
    counted = None if is_open or amended.known_faces is None else _let_count(scene, amended)
    if counted is not None and counted.wait is None:
        return counted, replace(amended, counted=True, misrolled=None)
    return _waiting(scene, amended)


def _called_misroll(
    scene: Scene, amended: LyingThrow, reasons: tuple[MisrollReason, ...]
) -> tuple[Outcome, LyingThrow]:
    state, game, misroll = scene.state, scene.state.game, Misroll(reasons)
    place = place_of_throw(game) if amended.counted else amended.misrolled
    if amended.counted and game.turn.phase is Phase.SET_ASIDE:
        return take(game, [misroll]), replace(amended, counted=False, misrolled=len(game.log))
    if place is not None and _is_known(game, place, reasons):
        return Outcome(game), amended
    if place is not None:
        return take(game, [Amend(place, misroll)]), replace(amended, counted=False, misrolled=place)
    if state.wait is None:  # one of an open throw's next, which the game has not taken
        return Outcome(game), amended
    outcome = dismiss(game, reasons)
    return outcome, replace(amended, misrolled=len(game.log) if outcome.game is not game else None)


def _is_known(game: Game, place: int, reasons: Sequence[MisrollReason]) -> bool:
    """Whether the misroll at `place` has been called one for all of `reasons`."""
    entry = game.history.entry_at(place)
    called = entry.action.reasons if entry and isinstance(entry.action, Misroll) else ()
    return {(each.kind, each.die) for each in reasons} <= {(each.kind, each.die) for each in called}


def _let_count(scene: Scene, amended: LyingThrow) -> Outcome | None:
    game, faces = scene.state.game, amended.known_faces or ()
    if amended.counted or amended.misrolled is not None:
        return counted_anew(game, amended)
    return take_faces(game, faces, scene.before, amended.ruled_faces)


def _waiting(scene: Scene, amended: LyingThrow) -> tuple[Outcome, LyingThrow]:
    """Let the throw wait to be confirmed; one that counted as something else does so no longer."""
    game, place = scene.state.game, place_of_throw(scene.state.game)
    if not amended.counted or place is None:
        return Outcome(game, wait=scene.state.wait or TO_CONFIRM), amended
    before = take(game, [Amend(place, None)])
    return replace(before, wait=TO_CONFIRM), replace(amended, counted=False)
