"""The game: a pure `apply(game, action)`, and replay, undo and correction built on the log of actions.

What is legal is in `scoring.legality`, the end of turns and games in `scoring.endings`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeAlias

from scoring.actions import (
    Action,
    Bank,
    Correct,
    DeclineRelief,
    Knock,
    Misroll,
    MisrollReason,
    PutAside,
    Throw,
)
from scoring.endings import end_turn
from scoring.errors import IllegalActionError
from scoring.events import (
    Banked,
    Bust,
    Corrected,
    Event,
    Misrolled,
    Option,
    Options,
    Relief,
    SetAsideMade,
    TargetPassed,
    TurnStarted,
)
from scoring.faces import Faces, sorted_faces
from scoring.legality import bank_obstacles, can, latest_throw, legal_set_asides, obstacle, verify
from scoring.odds import bust_probability
from scoring.ruleset import MisrollRule
from scoring.set_asides import SetAside, dice_left_after, set_asides
from scoring.state import Game, Phase, Tally, Turn, new_game

__all__ = [
    "Game",
    "Phase",
    "Tally",
    "Turn",
    "apply",
    "bank_obstacles",
    "can",
    "first_events",
    "legal_set_asides",
    "new_game",
    "obstacle",
    "options",
    "replay",
    "start_of",
    "undo",
    "verify",
]

Outcome: TypeAlias = tuple[Game, tuple[Event, ...]]

KNOCKABLE = frozenset({"tilted"})  # a knock can lay a leaning die flat; it brings none back and unstacks none


def apply(game: Game, action: Action) -> Outcome:
    """Return the game after `action`, and what came of it.

    Raises `IllegalActionError`, naming the rule broken, when the action is not legal now.
    """
    verify(game, action)
    after, events = _take(game, action)
    return replace(after, log=(*game.log, action)), events


def first_events(game: Game) -> tuple[Event, ...]:
    """Return the events that come before the first action: whose turn it is."""
    return (TurnStarted(game.players[game.first_seat]),)


def replay(start: Game, actions: Iterable[Action]) -> Game:
    """Return `start` after all `actions`; raises `IllegalActionError` at the first that is not legal."""
    game = start
    for action in actions:
        game, _ = apply(game, action)
    return game


def start_of(game: Game) -> Game:
    """Return the game as it was before its first action."""
    return new_game(game.ruleset, game.players, game.first_seat)


def undo(game: Game, actions: int = 1) -> Game:
    """Return the game as it was `actions` actions ago; raises `IllegalActionError` when there were fewer."""
    if not 0 <= actions <= len(game.log):
        raise IllegalActionError(f"there are {len(game.log)} actions to undo, not {actions}")
    return replay(start_of(game), game.log[: len(game.log) - actions])


def _take(game: Game, action: Action) -> Outcome:
    match action:
        case Throw(faces):
            outcome = _throw(game, faces)
        case Misroll(reasons):
            outcome = _misroll(game, reasons)
        case Knock(faces):
            outcome = _throw(game, faces) if faces is not None else _rule_misroll(game)
        case PutAside():
            outcome = _set_aside(game, action)
        case Bank():
            outcome = _bank(game)
        case DeclineRelief():
            outcome = _bust(game)
        case Correct(faces):
            outcome = _correct(game, faces)
    return outcome


def _throw(game: Game, faces: Faces) -> Outcome:
    thrown = sorted_faces(faces)
    lying = replace(game.turn, phase=Phase.SET_ASIDE, faces=thrown)
    if set_asides(thrown, game.ruleset):
        after = replace(game, turn=lying)
        return after, options(after)
    if _has_relief(game):
        return replace(game, turn=replace(lying, phase=Phase.RELIEF)), (Relief(game.player),)
    return _bust(game)


def options(game: Game) -> tuple[Options, ...]:
    """Return what may be set aside of the throw that lies as the one event of it; empty when none lies."""
    legal = legal_set_asides(game)
    if game.turn.faces is None or not legal:
        return ()
    return (Options(game.turn.faces, tuple(_option(each, game) for each in legal), legal[0].points),)


def _option(each: SetAside, game: Game) -> Option:
    left = dice_left_after(each, game.turn.dice_left)
    return Option(each.faces, each.points, left, bust_probability(left, game.ruleset))


def _has_relief(game: Game) -> bool:
    first_throw = game.turn.last_set_aside is None
    return game.ruleset.first_throw_relief and first_throw and not game.tally.opened


def _misroll(game: Game, reasons: tuple[MisrollReason, ...]) -> Outcome:
    kinds = {reason.kind for reason in reasons}
    saveable = game.ruleset.knock_relief and bool(kinds) and kinds <= KNOCKABLE
    event = Misrolled(reasons, "knock" if saveable else None)
    if saveable:
        return replace(game, turn=replace(game.turn, phase=Phase.KNOCK, faces=None)), (event,)
    after, events = _rule_misroll(game)
    return after, (event, *events)


def _rule_misroll(game: Game) -> Outcome:
    """Let the misroll cost what the rules say: the same dice are thrown again, or the turn is lost."""
    if game.ruleset.misroll is MisrollRule.BUST:
        return _bust(game)
    return replace(game, turn=replace(game.turn, phase=Phase.THROW, faces=None)), ()


def _set_aside(game: Game, action: PutAside) -> Outcome:
    taken = sorted_faces(action.faces)
    chosen = next(each for each in legal_set_asides(game) if each.faces == taken)
    turn = Turn(
        game.turn.seat,
        phase=Phase.DECIDE,
        points=game.turn.points + chosen.points,
        dice_left=dice_left_after(chosen, game.turn.dice_left),
        last_set_aside=chosen,
    )
    after = replace(game, turn=turn)
    event = SetAsideMade(
        taken,
        chosen.points,
        turn.points,
        action.source,
        turn.dice_left,
        chosen.hot_dice,
        bank_obstacles(after),
    )
    if game.ruleset.exact_target and game.tally.total + turn.points > game.ruleset.target:
        after, events = _pass_target(after)
        return after, (event, *events)
    return after, (event,)


def _pass_target(game: Game) -> Outcome:
    tally = replace(game.tally, entries=(*game.tally.entries, 0), busts_in_row=0)
    after, events = end_turn(game, tally)
    return after, (TargetPassed(game.player, game.turn.points, tally.total), *events)


def _bank(game: Game) -> Outcome:
    tally = Tally(entries=(*game.tally.entries, game.turn.points), opened=True)
    after, events = end_turn(game, tally)
    banked = Banked(
        game.player,
        game.turn.points,
        tally.total,
        opened=not game.tally.opened,
        final_round=game.trigger is None and after.trigger is not None and not after.over,
    )
    return after, (banked, *events)


def _bust(game: Game) -> Outcome:
    busts = game.tally.busts_in_row + 1
    penalty = game.ruleset.three_busts if busts == 3 else 0
    tally = replace(
        game.tally, entries=(*game.tally.entries, -penalty), busts_in_row=0 if busts == 3 else busts
    )
    after, events = end_turn(game, tally)
    return after, (Bust(game.player, game.turn.points, penalty, tally.total), *events)


def _correct(game: Game, faces: Faces) -> Outcome:
    """Go back to before the latest throw and let it show `faces`."""
    before = replay(start_of(game), _as_corrected(game.log)[:-1])
    was, thrown = sorted_faces(latest_throw(game) or ()), sorted_faces(faces)
    after, events = _throw(before, thrown)
    return after, (Corrected(before.player, was, thrown), *events)


def _as_corrected(log: Iterable[Action]) -> list[Action]:
    """Return the actions with every correction worked into its throw: same state, nothing to go back to."""
    actions: list[Action] = []
    for action in log:
        if isinstance(action, Correct):
            misread = actions.pop()
            actions.append(Knock(action.faces) if isinstance(misread, Knock) else Throw(action.faces))
        else:
            actions.append(action)
    return actions
