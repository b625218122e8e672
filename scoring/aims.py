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
from scoring.solver import TurnValues, Worth, enough, moves_of, solve, worth_of
from scoring.win_chances import TARGET, win_chance

_ACCURACY = 1e-4  # points, of what a bust costs; that much of a penalty of a thousand


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
    missing = TARGET - own
    worth = _worth(
        ruleset,
        Standing(own, opened=own > 0),
        (1 - win_chance(other, own),),
        lambda points: 1.0 if points >= missing else 1 - win_chance(other, own + points),
        missing,
    )
    return solve(moves_of(ruleset), worth)


@lru_cache(maxsize=64)
def opening_chance(ruleset: Ruleset) -> float:
    """Return the chance to bank for the first time in one turn, by the play that makes the most of it."""
    worth = _worth(ruleset, Standing(0, opened=False), (0.0,), lambda _points: 1.0, 1)
    return float(solve(moves_of(ruleset), worth).start[0])


def _points_worth(ruleset: Ruleset, standing: Standing, busts: Sequence[float]) -> Worth:
    """Return the worth of banking points, once for each worth of a bust in `busts`."""
    moves = moves_of(ruleset)
    far = enough(moves, busts)
    missing = math.inf if standing.total is None else ruleset.target - standing.total
    if missing > far + moves.largest * moves.step:  # no turn gets there
        return replace(_worth(ruleset, replace(standing, total=None), busts, float, far), growing=True)
    return _worth(ruleset, standing, busts, lambda points: min(points, missing), int(missing))


def _worth(
    ruleset: Ruleset,
    standing: Standing,
    busts: Sequence[float],
    worth: Callable[[int], float],
    reach: int,
) -> Worth:
    """Return the worth of a turn where banking is worth `worth` of its points, no more above `reach` points.

    With a target to be met exactly, passing it is worth nothing and ends the turn.
    """
    moves, relief = moves_of(ruleset), ruleset.first_throw_relief and not standing.opened
    least = least_to_bank(ruleset, standing.total or 0, opened=standing.opened)
    exact = ruleset.exact_target and standing.total is not None
    above = ruleset.target - (standing.total or 0) + 1 if exact else max(reach, least, 1)
    levels = range(0, -(-above // moves.step) * moves.step, moves.step)
    bank = [worth(points) if points >= least else -math.inf for points in levels]
    beyond = 0.0 if exact else worth(levels.stop)
    return replace(worth_of(bank, beyond, busts, relief=relief), passed=exact)


@lru_cache(maxsize=16)
def _bust_worths(ruleset: Ruleset) -> tuple[float, float, float]:
    """Return what a first, second and third bust in a row is worth against a turn that starts the count anew.

    The first two bring the penalty nearer: found as a turn's loss of value over that of a new count.
    """
    penalty, accuracy = -float(ruleset.three_busts), _ACCURACY * max(1.0, ruleset.three_busts / 1000)
    worths = (0.0, 0.0, penalty)
    while True:
        none, one, two = solve(moves_of(ruleset), _points_worth(ruleset, Standing(), worths)).start
        found = (float(one - none), float(two - none), penalty)
        if max(abs(old - new) for old, new in zip(worths, found, strict=True)) < accuracy:
            return found
        worths = found
