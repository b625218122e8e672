"""What an action does to the turn under way, corrections apart; `scoring.endings` ends it."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

from scoring.actions import (
    Bank,
    CountAs,
    DeclineRelief,
    EndTurn,
    Knock,
    Misroll,
    MisrollReason,
    PlainAction,
    PutAside,
    SheetAction,
    Throw,
    TurnTo,
)
from scoring.banking import counted_to_bank
from scoring.endings import end_turn
from scoring.events import (
    Banked,
    Bust,
    Event,
    Misrolled,
    Option,
    Options,
    Relief,
    Ruled,
    SetAsideMade,
    TargetPassed,
    TurnEnded,
)
from scoring.faces import Faces, sorted_faces
from scoring.legality import bank_obstacles, legal_set_asides, points_when_banked
from scoring.odds import bust_probability
from scoring.ruleset import MisrollRule
from scoring.set_asides import SetAside, dice_left_after, set_asides
from scoring.sheet import of_the_sheet, turned_to
from scoring.state import Game, Phase, Turn, without_points

Outcome: TypeAlias = tuple[Game, tuple[Event, ...]]

KNOCKABLE = frozenset({"tilted"})  # a knock can lay a leaning die flat; it brings none back and unstacks none


def take(game: Game, action: PlainAction) -> Outcome:
    """Return the game after `action`, which must be legal, and what came of it; log and history stay."""
    match action:
        case Throw(faces):
            outcome = _throw(game, faces)
        case Misroll(reasons):
            outcome = _misroll(game, reasons)
        case Knock(faces):
            outcome = _throw(game, faces) if faces is not None else _knocked_in_vain(game)
        case PutAside():
            outcome = _set_aside(game, action)
        case Bank():
            outcome = _bank(game, points_when_banked(game))
        case DeclineRelief():
            outcome = _bust(game)
        case _:
            outcome = _take_ruling(game, action)
    return outcome


def _take_ruling(game: Game, ruling: CountAs | EndTurn | TurnTo | SheetAction) -> Outcome:
    match ruling:
        case CountAs(faces, ruled):
            after, events = _throw(game, faces)
            return after, (Ruled(game.player, sorted_faces(faces), sorted_faces(ruled)), *events)
        case EndTurn(points):
            return _rule_ended(game, points)
        case TurnTo(player):
            return _turn_to(game, player)
        case _:
            return _rule_on_sheet(game, ruling)


def _throw(game: Game, faces: Faces) -> Outcome:
    thrown = sorted_faces(faces)
    lying = replace(game.turn, phase=Phase.SET_ASIDE, faces=thrown)
    if set_asides(thrown, game.ruleset):
        after = replace(game, turn=lying)
    elif has_relief(game):
        after = replace(game, turn=replace(lying, phase=Phase.RELIEF))
    else:
        return _bust(game)
    return after, of_the_lying_throw(after)


def of_the_lying_throw(game: Game) -> tuple[Event, ...]:
    """Return the event of the throw that lies: its options, or its relief; empty when none lies."""
    return (Relief(game.player),) if game.turn.phase is Phase.RELIEF else options(game)


def options(game: Game) -> tuple[Options, ...]:
    """Return what may be set aside of the throw that lies as the one event of it; empty when none lies."""
    legal = legal_set_asides(game)
    if game.turn.faces is None or not legal:
        return ()
    offered = tuple(_option(each, game) for each in legal)
    best = max((each.points for each in offered if not each.passes_target), default=0)
    return (Options(game.turn.faces, offered, best),)


def _option(each: SetAside, game: Game) -> Option:
    left = dice_left_after(each, game.turn.dice_left)
    return Option(
        each.faces,
        each.points,
        left,
        bust_probability(left, game.ruleset),
        passes_target=_passes_target(game, each),
        may_bank=counted_to_bank(each, game.ruleset) is not None,
    )


def _passes_target(game: Game, each: SetAside) -> bool:
    reached = game.tally.total + game.turn.points + each.points
    return game.ruleset.exact_target and reached > game.ruleset.target


def has_relief(game: Game) -> bool:
    """Return whether a throw that gives nothing may be thrown again."""
    first_throw = game.turn.last_set_aside is None
    return game.ruleset.first_throw_relief and first_throw and not game.tally.opened


def _misroll(game: Game, reasons: tuple[MisrollReason, ...]) -> Outcome:
    kinds = {reason.kind for reason in reasons}
    saveable = game.ruleset.knock_relief and bool(kinds) and kinds <= KNOCKABLE
    bust = game.ruleset.misroll is MisrollRule.BUST and not saveable
    event = Misrolled(reasons, "knock" if saveable else None, bust)
    if saveable:
        return replace(game, turn=replace(game.turn, phase=Phase.KNOCK, faces=None)), (event,)
    after, events = _rule_misroll(game)
    return after, (event, *events)


def _knocked_in_vain(game: Game) -> Outcome:
    after, events = _rule_misroll(game)
    return after, events or (Misrolled((), None),)


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
    if _passes_target(game, chosen):
        after, events = _pass_target(after)
        return after, (event, *events)
    return after, (event,)


def _pass_target(game: Game) -> Outcome:
    tally = without_points(game.tally)
    after, events = end_turn(game, tally)
    return after, (TargetPassed(game.player, game.turn.points, tally.total), *events)


def _rule_ended(game: Game, points: int) -> Outcome:
    if points:
        return _bank(game, points)
    tally = without_points(game.tally)
    after, events = end_turn(game, tally)
    return after, (TurnEnded(game.player, tally.total), *events)


def _rule_on_sheet(game: Game, ruling: SheetAction) -> Outcome:
    """Rule on the score sheet; a new total may change what of the lying throw passes the target."""
    after, events = of_the_sheet(game, ruling)
    lying = of_the_lying_throw(after)
    return after, (*events, *(() if lying == of_the_lying_throw(game) else lying))


def _turn_to(game: Game, player: str) -> Outcome:
    """Let the turn, as it stands, be that of `player`; a first throw that their rules let fall is a bust."""
    after, events = turned_to(game, player)
    if after.turn.phase is Phase.RELIEF and not has_relief(after):
        after, bust = _bust(after)
        return after, (*events, *bust)
    return after, (*events, *of_the_lying_throw(after))


def _bank(game: Game, points: int) -> Outcome:
    entries = (*game.tally.entries, points)
    tally = replace(game.tally, entries=entries, opened=True, busts_in_row=0)
    after, events = end_turn(game, tally)
    banked = Banked(
        game.player,
        points,
        tally.total,
        opened=game.ruleset.opening > 0 and not game.tally.opened,
        final_round=game.trigger is None and after.trigger is not None and not after.over,
    )
    return after, (banked, *events)


def busts_penalty(game: Game) -> int:
    """Return what a bust now takes off the total, beside the turn's points."""
    return game.ruleset.three_busts if game.tally.busts_in_row == 2 else 0


def _bust(game: Game) -> Outcome:
    busts, penalty = game.tally.busts_in_row + 1, busts_penalty(game)
    tally = replace(
        game.tally, entries=(*game.tally.entries, -penalty), busts_in_row=0 if busts == 3 else busts
    )
    after, events = end_turn(game, tally)
    return after, (Bust(game.player, game.turn.points, penalty, tally.total), *events)
