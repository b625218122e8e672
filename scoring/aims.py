"""What a turn may be played for - points, the opening, winning - and its values when it is played so.

Says what banking is worth, as plain numbers; `scoring.solver` does the rest.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from scoring.banking import least_to_bank
from scoring.ruleset import Ruleset
from scoring.solver import Moves, TurnValues, Worth, moves_of, solve, worth_of
from scoring.win_chances import TARGET, win_chance

_FAR = 20_000  # points of a turn beyond which the ways on differ too little, and come too seldom, to matter
_ACCURACY = 1e-4  # points, of what a bust costs


@dataclass(frozen=True, slots=True)
class Standing:
    """What the sheet says of a player. `total` None: not known, so far from the target."""

    total: int | None = None
    opened: bool = True
    busts_in_row: int = 0


@lru_cache(maxsize=64)
def most_points(ruleset: Ruleset, standing: Standing) -> TurnValues:
    """Return the values of a turn played for the most expected points.

    What passes the target counts for nothing. Where three busts in a row cost a penalty, a turn's worth
    includes what it does to the turns after it: its start is what a turn gives on average in the long run.
    """
    bust = _bust_worths(ruleset)[standing.busts_in_row] if ruleset.three_busts else 0.0
    return solve(moves_of(ruleset), _points_worth(ruleset, standing, (bust,)))


@lru_cache(maxsize=64)
def most_wins(ruleset: Ruleset, own: int, other: int) -> TurnValues:
    """Return the values of a turn played to win a game of two by the Danish rules, at these totals."""
    moves, opened = moves_of(ruleset), own > 0
    least = least_to_bank(ruleset, own, opened=opened)
    levels = _levels(moves, max(TARGET - own, least))
    bank = _bank(levels, least, lambda points: _chance_after(own + points, other))
    relief = ruleset.first_throw_relief and not opened
    return solve(moves, worth_of(bank, 1.0, (1 - win_chance(other, own),), relief=relief))


@lru_cache(maxsize=64)
def opening_chance(ruleset: Ruleset) -> float:
    """Return the chance to bank for the first time in one turn, by the play that makes the most of it."""
    moves = moves_of(ruleset)
    least = least_to_bank(ruleset, 0, opened=False)
    bank = _bank(_levels(moves, max(least, 1)), least, lambda _points: 1.0)
    worth = worth_of(bank, 1.0, (0.0,), relief=ruleset.first_throw_relief)
    return float(solve(moves, worth).start[0])


def _points_worth(ruleset: Ruleset, standing: Standing, busts: Sequence[float]) -> Worth:
    """Return the worth of banking points, once for each worth of a bust in `busts`."""
    moves, relief = moves_of(ruleset), ruleset.first_throw_relief and not standing.opened
    least = least_to_bank(ruleset, standing.total or 0, opened=standing.opened)
    if standing.total is None:
        levels = _levels(moves, max(_FAR, moves.step * (moves.enough or 0), least))
        worth = worth_of(_bank(levels, least, float), levels.stop, busts, relief=relief)
        return replace(worth, growing=True)
    missing = ruleset.target - standing.total
    if ruleset.exact_target:
        bank = _bank(_levels(moves, missing + 1), least, float)
        return replace(worth_of(bank, 0.0, busts, relief=relief), passed=True)
    bank = _bank(_levels(moves, max(missing, least)), least, lambda points: min(points, missing))
    return worth_of(bank, missing, busts, relief=relief)


@lru_cache(maxsize=16)
def _bust_worths(ruleset: Ruleset) -> tuple[float, float, float]:
    """Return what a first, second and third bust in a row is worth against a turn that starts the count anew.

    The first two bring the penalty nearer: found as a turn's loss of value over that of a new count.
    """
    penalty = -float(ruleset.three_busts)
    worths = (0.0, 0.0, penalty)
    while True:
        none, one, two = solve(moves_of(ruleset), _points_worth(ruleset, Standing(), worths)).start
        found = (float(one - none), float(two - none), penalty)
        if max(abs(old - new) for old, new in zip(worths, found, strict=True)) < _ACCURACY:
            return found
        worths = found


def _levels(moves: Moves, above: int) -> range:
    """Return the points at each level below `above`; `stop` is the first level not below it."""
    return range(0, -(-above // moves.step) * moves.step, moves.step)


def _bank(levels: range, least: int, worth: Callable[[int], float]) -> list[float]:
    return [worth(points) if points >= least else -math.inf for points in levels]


def _chance_after(own: int, other: int) -> float:
    return 1.0 if own >= TARGET else 1 - win_chance(other, own)
