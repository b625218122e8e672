"""Corrections: what happened earlier was really something else, and everything after it is tried again.

The game is played anew from its start, turn by turn, with the actions as they now stand. In a turn, the first
action that breaks a rule is impossible and so is all that follows from it; so is what comes after the end of
its turn or of the game. A turn left open although others have played after it is closed with 0 points, so
that every turn ends once and keeps its number. Only the last turn may stay open.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from scoring.actions import Amend, Correct, Correction, EndTurn, Knock, PlainAction, Throw
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
    return after, (corrected, *events)


def _latest_throw(history: History) -> tuple[Entry, Faces]:
    """Return the throw that nothing followed, and its faces."""
    turns, impossible = history.turns, history.impossible_places
    counted = [each for each in turns[-1] if each[0] not in impossible] if turns else []
    match counted[-1:]:
        case [(place, Throw(faces) | Knock(faces) as throw)] if faces is not None:
            return Entry(place, len(turns) - 1, throw), faces
    raise IllegalActionError("only the latest throw can be corrected, before anything else is done")


def _amend(game: Game, place: int, action: PlainAction | None) -> Outcome:
    entry = _entry_to_amend(game, place)
    if action is not None and action.kind in (Correct.kind, Amend.kind):
        raise IllegalActionError("found a correction as what happened; accepted: any other action, or none")
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
    """Play anew with `action` at `place`, which must be possible; the events are the last action's."""
    after, events = _played_anew(start_of(game), history.with_action(place, action).entries)
    for each in after.history.impossible:
        if each.place == place:
            raise IllegalActionError(each.why)
    return replace(after, log=game.log), events


def _played_anew(start: Game, entries: tuple[Entry, ...]) -> Outcome:
    turns, now = History(entries).turns, start
    events: tuple[Event, ...] = ()
    impossible: list[Impossible] = []
    closed: list[int] = []
    for turn, actions in enumerate(turns):
        now, events, failed = _turn_anew(now, turn, actions)
        impossible += failed
        if turn < len(turns) - 1 and not _has_ended(now, turn):
            now, _ = take(now, EndTurn())
            closed.append(turn)
    return replace(now, history=History(entries, tuple(impossible), tuple(closed))), events


def _turn_anew(
    now: Game, turn: int, actions: Iterable[tuple[int, PlainAction]]
) -> tuple[Game, tuple[Event, ...], list[Impossible]]:
    events: tuple[Event, ...] = ()
    failed: list[Impossible] = []
    for place, action in actions:
        hindrance = _hindrance(now, turn, action, failed)
        if hindrance is None:
            now, events = take(now, action)
        else:
            failed.append(Impossible(place, now.player_of(turn), action, *hindrance))
    return now, events, failed


def _hindrance(
    now: Game, turn: int, action: PlainAction, failed: Sequence[Impossible]
) -> tuple[ImpossibleKind, str] | None:
    """Return why `action` of `turn` is impossible after the impossible actions `failed`, if it is."""
    if now.over:
        return ImpossibleKind.GAME_OVER, "the game is over"
    if _has_ended(now, turn):
        return ImpossibleKind.TURN_OVER, "its turn has already ended"
    if failed:
        return ImpossibleKind.FOLLOWS, f"it follows from what is impossible at place {failed[0].place}"
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
    same_turn = not before.over and before.finished_turns == after.finished_turns
    lying = of_the_lying_throw(after)
    known = same_turn and lying == of_the_lying_throw(before)  # a new total may change what passes the target
    started = () if same_turn else (TurnStarted(after.player),)
    return (*started, *(() if known else lying))
