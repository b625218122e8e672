"""Corrections: what happened earlier was really something else, and everything after it is tried again.

The game is played anew from its start, turn by turn, with the actions as they now stand. In a turn, the first
action that breaks a rule is impossible and so is all that follows from it; so is what comes after the end of
its turn or of the game. A turn left open although others have played after it is closed with 0 points, so
that every turn ends once and keeps its number, and the player who began it. Only the last turn may stay open.
Rulings on the score sheet are of no turn: only a rule or the end of the game makes them impossible. Who has
joined stays: nothing makes that impossible.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from scoring.actions import (
    Amend,
    Correct,
    Correction,
    CountAs,
    EndTurn,
    Join,
    Knock,
    PlainAction,
    SetTotal,
    SheetAction,
    TakeIn,
    Throw,
)
from scoring.endings import game_over
from scoring.errors import IllegalActionError
from scoring.events import Amended, Corrected, Event, TurnStarted
from scoring.faces import Faces, sorted_faces
from scoring.history import Entry, History, Impossible, ImpossibleKind
from scoring.legality import broken_rule
from scoring.state import Game, start_of
from scoring.turns import Outcome, of_the_lying_throw, take


def no_correction(game: Game, correction: Correction) -> str | None:
    """Return why `correction` is not legal now, in words, or None when it is."""
    try:
        correct(game, correction)
    except IllegalActionError as error:
        return str(error)
    return None


def correct(game: Game, correction: Correction) -> Outcome:
    """Return the game, its log as it was, once `correction` is worked into its history, and what came of it.

    Raises `IllegalActionError`, saying why, when the correction is not legal now.
    """
    match correction:
        case Correct(faces):
            outcome = _correct_latest(game, faces)
        case Amend(place, action):
            outcome = _amend(game, place, action)
    return outcome


def _correct_latest(game: Game, faces: Faces) -> Outcome:
    """Let the latest throw show `faces`; what has become impossible after it is taken as not happened."""
    entry, was = _latest_throw(game.history)
    action = Knock(faces) if isinstance(entry.action, Knock) else Throw(faces)
    after, events = _with_action(game, game.history.without_impossible_in(entry.turn), entry.place, action)
    corrected = Corrected(game.player_of(entry.turn), sorted_faces(was), sorted_faces(faces))
    # A total ruled on since the throw may change what of it passes the target.
    return after, (corrected, *(of_the_lying_throw(after) or events))


def _latest_throw(history: History) -> tuple[Entry, Faces]:
    """Return the throw that nothing followed, and its faces; a total ruled on or a player back may follow."""
    played = [
        entry for entry in history.entries if not isinstance(entry.action, SetTotal | TakeIn | Join | None)
    ]
    latest = max((entry.turn for entry in played), default=0)
    impossible = history.impossible_places
    counted = [entry for entry in played if entry.turn == latest and entry.place not in impossible]
    match [entry.action for entry in counted[-1:]]:
        case [Throw(faces) | Knock(faces) | CountAs(faces)] if faces is not None:
            return counted[-1], faces
    raise IllegalActionError("only the latest throw can be corrected, before anything else is done")


def _amend(game: Game, place: int, action: PlainAction | None) -> Outcome:
    entry = _entry_to_amend(game, place)
    if action is not None and action.kind in (Correct.kind, Amend.kind):
        raise IllegalActionError("found a correction as what happened; accepted: any other action, or none")
    if isinstance(entry.action, Join) or isinstance(action, Join):
        raise IllegalActionError("seats keep their order: take the newcomer out, or undo")
    after, _ = _with_action(game, game.history, place, action)
    return after, (_amended(game, after, entry, action), *_events_of_change(game, after))


def _entry_to_amend(game: Game, place: int) -> Entry:
    entry = game.history.entry_at(place)
    if entry is None:
        found = "itself a correction" if 0 <= place < len(game.log) else "no action"
        accepted = f"0 to {len(game.log) - 1}, corrections left out" if game.log else "none, the log is empty"
        raise IllegalActionError(f"place {place} of the log is {found}; accepted: {accepted}")
    return entry


def _with_action(game: Game, history: History, place: int, action: PlainAction | None) -> Outcome:
    """Play anew with `action` at `place`, which must be possible; the events are that action's."""
    after, events = _played_anew(start_of(game), history.with_action(place, action), place)
    for each in after.history.impossible:
        if each.place == place:
            raise IllegalActionError(each.why)
    return replace(after, log=game.log), events


def _played_anew(now: Game, history: History, place: int) -> Outcome:
    """Play all of `history`; the events are those of the action at `place`."""
    told: tuple[Event, ...] = ()
    impossible: list[Impossible] = []
    closed: list[int] = []
    for turn, actions in enumerate(history.turns):
        now, events, failed = _turn_anew(begun_by_its_starter(now, turn, history), turn, actions)
        told = events.get(place, told)
        impossible += failed
        if turn < history.last_turn and not _has_ended(now, turn):
            now, _ = take(now, EndTurn())
            closed.append(turn)
    return replace(now, history=replace(history, impossible=tuple(impossible), closed=tuple(closed))), told


def begun_by_its_starter(now: Game, turn: int, history: History) -> Game:
    """Return the game with `turn`, if it is the next, begun by the player who began it in `history`."""
    seat = history.seat_of(turn)
    if seat is None or now.over or now.finished_turns != turn:
        return now
    return replace(now, turn=replace(now.turn, seat=seat))


def _turn_anew(
    now: Game, turn: int, actions: Iterable[tuple[int, PlainAction]]
) -> tuple[Game, dict[int, tuple[Event, ...]], list[Impossible]]:
    """Return the game after `turn`, what came of each action by its place, and which are impossible."""
    events: dict[int, tuple[Event, ...]] = {}
    failed: list[Impossible] = []
    for place, action in actions:
        hindrance = _hindrance(now, turn, action, failed)
        if hindrance is None:
            now, events[place] = take(now, action)
        else:
            failed.append(Impossible(place, now.player_of(turn), action, *hindrance))
    return now, events, failed


def _hindrance(
    now: Game, turn: int, action: PlainAction, failed: Sequence[Impossible]
) -> tuple[ImpossibleKind, str] | None:
    """Return why `action` of `turn` is impossible after the impossible actions `failed`, if it is."""
    of_a_turn = not isinstance(action, SheetAction)
    before = next((each.place for each in failed if not isinstance(each.action, SheetAction)), None)
    if now.over and not isinstance(action, Join):
        return ImpossibleKind.GAME_OVER, "the game is over"
    if of_a_turn and _has_ended(now, turn):
        return ImpossibleKind.TURN_OVER, "its turn has already ended"
    if of_a_turn and before is not None:
        return ImpossibleKind.FOLLOWS, f"it follows from what is impossible at place {before}"
    rule = broken_rule(now, action)
    return None if rule is None else (ImpossibleKind.BREAKS_RULE, rule)


def _has_ended(game: Game, turn: int) -> bool:
    return game.over or game.finished_turns > turn


def _amended(before: Game, after: Game, entry: Entry, action: PlainAction | None) -> Amended:
    was, now = before.history.impossible_places, after.history.impossible_places
    return Amended(
        entry.place,
        before.player_of(entry.turn),
        entry.action,
        action,
        impossible=tuple(each for each in after.history.impossible if each.place not in was),
        restored=tuple(sorted(was - now - {entry.place})),
        closed=tuple(map(after.player_of, sorted({*after.history.closed} - {*before.history.closed}))),
        totals=after.totals,
    )


def _events_of_change(before: Game, after: Game) -> tuple[Event, ...]:
    """Return what tells where the game stands now, as far as it stood elsewhere before."""
    if after.over:
        return (game_over(after),)
    turns = [(each.finished_turns, each.turn.seat) for each in (before, after)]
    same_turn = not before.over and turns[0] == turns[1]
    lying = of_the_lying_throw(after)
    known = same_turn and lying == of_the_lying_throw(before)  # a new total may change what passes the target
    started = () if same_turn else (TurnStarted(after.player),)
    return (*started, *(() if known else lying))
