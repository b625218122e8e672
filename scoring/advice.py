"""The best way on from any moment of a turn: every choice with what it is worth, best first."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from scoring.aims import Standing, most_points, most_wins
from scoring.banking import counted_to_bank
from scoring.errors import PositionError
from scoring.faces import ALL_DICE, Faces
from scoring.odds import bust_probability
from scoring.ruleset import DEFAULT_PRESET, HotDice, Ruleset, load_preset
from scoring.ruleset_fields import MOST_POINTS
from scoring.set_asides import SetAside, dice_left_after, set_asides
from scoring.solver import TurnValues, moves_of
from scoring.win_chances import STEP, TARGET

UNKNOWN = Standing()
_TIE = 9  # digits; choices that differ by less are alike


class Then(StrEnum):
    """What to do once dice are set aside."""

    BANK = "bank"
    THROW = "throw"


@dataclass(frozen=True, slots=True)
class Position:
    """A moment of a turn: `turn_points` are set aside, and `dice` are about to be thrown or lie as `faces`.

    Without faces the last set-aside is taken to be one that banking may follow. `other`: total of the other
    player in a game of two, None when the chance to win is not asked for.
    """

    turn_points: int
    dice: int
    faces: Faces | None = None
    standing: Standing = UNKNOWN
    other: int | None = None


@dataclass(frozen=True, slots=True)
class Advice:
    """One choice: what to set aside of the throw that lies (None: none lies), and what then.

    `expected_points` of the turn, if the best follows; what passes the target counts for nothing.
    `bust_probability`: that the next throw gives nothing. `win_probability`: in a game of two.
    `passes_target`: the dice are too many for a target to be met exactly, and the turn ends with nothing.
    """

    set_aside: Faces | None
    then: Then
    expected_points: float
    bust_probability: float
    win_probability: float | None = None
    passes_target: bool = False


@dataclass(frozen=True, slots=True)
class _Values:
    """What the turn is worth, in points and, when asked for, in chances to win."""

    points: TurnValues
    wins: TurnValues | None


def advise(position: Position, ruleset: Ruleset) -> tuple[Advice, ...]:
    """Return every choice in `position`, best first; none when the throw that lies is a bust.

    The best is the one that wins most often when the other player is known, else the one with the most
    expected points. Raises `PositionError` for a position that the rules, or the known chances, do not have.
    """
    _verify(position, ruleset)
    values = _values(position, ruleset)
    if values.points.passed(position.turn_points):
        raise PositionError(f"turn points: found {position.turn_points}, past the target; accepted: fewer")
    if position.faces is None:
        choices = [*_now(position, values, ruleset)]
    else:
        found = set_asides(position.faces, ruleset)
        choices = [each for made in found for each in _after(made, position, values, ruleset)]
        if not found and _has_relief(position, ruleset):
            again = replace(position, faces=None)
            choices = [*_now(again, values, ruleset)]
    return tuple(sorted(choices, key=_rank, reverse=True))


def _rank(choice: Advice) -> tuple[float, float, bool]:
    worth = choice.expected_points if choice.win_probability is None else choice.win_probability
    return round(worth, _TIE), round(choice.expected_points, _TIE), choice.then is Then.BANK


def _now(position: Position, values: _Values, ruleset: Ruleset) -> Iterator[Advice]:
    """Yield the choices when no throw lies."""
    points, dice = position.turn_points, position.dice
    hot = dice == ALL_DICE and ruleset.hot_dice is HotDice.MUST
    if points and not hot:
        yield from _bank(None, points, values)
    bust = 0.0 if _has_relief(position, ruleset) else bust_probability(dice, ruleset)
    yield _throw(None, points, dice, values, bust)


def _after(made: SetAside, position: Position, values: _Values, ruleset: Ruleset) -> Iterator[Advice]:
    """Yield the choices once `made` is set aside; past a target to be met exactly, only to bank nothing."""
    points = position.turn_points + made.points
    if values.points.passed(points):
        yield Advice(made.faces, Then.BANK, values.points.bank(points), 0.0, passes_target=True)
        return
    counted = counted_to_bank(made, ruleset)
    if counted is not None:
        yield from _bank(made.faces, position.turn_points + counted.points, values)
    left = dice_left_after(made, position.dice)
    yield _throw(made.faces, points, left, values, bust_probability(left, ruleset))


def _bank(faces: Faces | None, points: int, values: _Values) -> Iterator[Advice]:
    """Yield the banking of `points` if they are enough."""
    worth = values.points.bank(points)
    if worth > -math.inf:
        wins = None if values.wins is None else values.wins.bank(points)
        yield Advice(faces, Then.BANK, worth, 0.0, wins)


def _throw(faces: Faces | None, points: int, dice: int, values: _Values, bust: float) -> Advice:
    wins = None if values.wins is None else values.wins.throw(points, dice)
    return Advice(faces, Then.THROW, values.points.throw(points, dice), bust, wins)


def _has_relief(position: Position, ruleset: Ruleset) -> bool:
    """Return whether the throw is the turn's first, of a player who may throw it again."""
    first = position.turn_points == 0 and position.dice == ALL_DICE
    return first and ruleset.first_throw_relief and not position.standing.opened


def _values(position: Position, ruleset: Ruleset) -> _Values:
    standing, other = position.standing, position.other
    if other is None or standing.total is None:
        return _Values(most_points(ruleset, standing), None)
    return _Values(most_points(ruleset, standing), most_wins(ruleset, standing.total, other))


def _verify(position: Position, ruleset: Ruleset) -> None:
    """Raise `PositionError`, in one line, unless `position` may come up under `ruleset`."""
    step = moves_of(ruleset).step
    standing, faces = position.standing, position.faces
    if not 1 <= position.dice <= ALL_DICE:
        raise PositionError(f"dice: found {position.dice}; accepted: 1 to {ALL_DICE}")
    if faces is not None and len(faces) != position.dice:
        raise PositionError(
            f"faces: found {len(faces)} dice; accepted: {position.dice}, as many as dice says"
        )
    if not 0 <= position.turn_points <= MOST_POINTS or position.turn_points % step:
        accepted = f"0 to {MOST_POINTS} in steps of {step}"
        raise PositionError(f"turn points: found {position.turn_points}; accepted: {accepted}")
    if standing.total is not None and not -MOST_POINTS <= standing.total < ruleset.target:
        accepted = f"{-MOST_POINTS} to below the target, {ruleset.target}"
        raise PositionError(f"score: found {standing.total}; accepted: {accepted}")
    if not 0 <= standing.busts_in_row < 3:
        raise PositionError(f"busts: found {standing.busts_in_row}; accepted: 0 to 2 in a row")
    if position.other is not None:
        _verify_game_of_two(standing, position.other, ruleset)


def _verify_game_of_two(standing: Standing, other: int, ruleset: Ruleset) -> None:
    danish = load_preset(DEFAULT_PRESET)
    if replace(ruleset, misroll=danish.misroll, knock_relief=danish.knock_relief) != danish:
        raise PositionError(
            f"opponent: found the rules {ruleset.name}; accepted: danish, whose chances to win are known"
        )
    if standing.total is None:
        raise PositionError("opponent: found no score of the player; accepted: both totals")
    for whose, total in (("score", standing.total), ("opponent", other)):
        if not 0 <= total < TARGET or total % STEP:
            raise PositionError(f"{whose}: found {total}; accepted: 0 to {TARGET - STEP} in steps of {STEP}")
    if standing.opened != (standing.total > 0):
        found = f"{'opened' if standing.opened else 'not opened'} with {standing.total} points"
        raise PositionError(f"opponent: found a player who has {found}; accepted: opened above 0 points")
