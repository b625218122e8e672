"""Best play of a turn by dynamic programming: the one module of `scoring` that uses NumPy.

A turn is at (points so far, dice to throw). A throw leads, by each of its set-asides, to more points and
other dice; there the player banks, where the rules allow, or throws on. Points only grow, so the values
are found from the most points down. What banking and a bust are worth is the caller's: points, a chance to
win. Many such worths, G `goals`, are solved at once, along the last axis of every array.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from scoring.banking import counted_to_bank
from scoring.faces import ALL_DICE, Faces
from scoring.odds import orders
from scoring.ruleset import Ruleset, smallest_step
from scoring.set_asides import dice_left_after, set_asides

Floats: TypeAlias = npt.NDArray[np.float64]
Ints: TypeAlias = npt.NDArray[np.int64]
Flags: TypeAlias = npt.NDArray[np.bool_]
Outcome: TypeAlias = tuple[int, int, int]  # levels won, dice left, levels won if banked at once (or _NONE)

_NONE = -1
_COLUMNS = ALL_DICE + 1  # of a level: by dice to throw
_SAME_SLOPE = 1e-9
_LEAST_GAIN = 50  # points, of nearly every set-aside; levels nearer together are solved side by side


@dataclass(frozen=True, slots=True, eq=False)
class Throws:
    """What throws of so many dice lead to, those that lead to the same taken together.

    Of each of K set-asides: `gains`, levels won; `left`, dice to throw on with; `banked`, levels won when the
    turn ends with it, _NONE when it may not. Of each of T throws: `starts`, where its set-asides begin, and
    `chances`. `bust`: the chance that there is nothing to set aside.
    """

    gains: Ints
    left: Ints
    banked: Ints
    starts: Ints
    chances: Floats
    bust: float


@dataclass(frozen=True, slots=True, eq=False)
class Moves:
    """What throws of 1 to 6 dice lead to. A level is `step` points, `largest` the most levels won at once."""

    step: int
    throws: Mapping[int, Throws]
    largest: int


@dataclass(frozen=True, slots=True, eq=False)
class Worth:
    """What the end of a turn is worth, for each of G goals.

    `bank` (L, G): banking at each level from 0 points, -inf where not allowed. `beyond` (G,): banking at
    every higher level; with `growing` it is worth its points there instead, with `passed` the turn ends
    there at once. `bust` (G,). `relief` (G,): whether a first throw that gives nothing is thrown again.
    """

    bank: Floats
    beyond: Floats
    bust: Floats
    relief: Flags
    growing: bool = False
    passed: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """What throwing on is worth beyond all levels: `slope` (dice,) times points plus `constant` (dice, G)."""

    slope: Floats
    constant: Floats

    def at(self, points: Ints) -> Floats:
        """Return the worth (P, dice, G) at each of `points` (P,)."""
        return points[:, None, None] * self.slope[:, None] + self.constant


@dataclass(frozen=True, slots=True, eq=False)
class TurnValues:
    """What a turn is worth at every point of it, by best play; `points` are multiples of the step.

    `throws` (levels, dice, G): throwing on; `beyond`: at more points.
    """

    moves: Moves
    worth: Worth
    throws: Floats
    beyond: Lines

    @property
    def start(self) -> Floats:
        """The worth (G,) of a turn about to begin."""
        found: Floats = self.throws[0, ALL_DICE]
        return found

    def throw(self, points: int, dice: int) -> float:
        """Return the worth, for the first goal, of throwing `dice` with the turn at `points`."""
        level = points // self.moves.step
        if level < len(self.throws):
            return float(self.throws[level, dice, 0])
        return float(self.beyond.at(np.array([points]))[0, dice, 0])

    def bank(self, points: int) -> float:
        """Return the worth, for the first goal, of banking `points`, -inf where they are too few."""
        level = points // self.moves.step
        if level < len(self.worth.bank):
            return float(self.worth.bank[level, 0])
        return float(points if self.worth.growing else self.worth.beyond[0])

    def passed(self, points: int) -> bool:
        """Return whether the turn ends at once with so many points, for nothing."""
        return self.worth.passed and points // self.moves.step >= len(self.worth.bank)


@lru_cache(maxsize=32)
def moves_of(ruleset: Ruleset) -> Moves:
    """Return what the throws of `ruleset` lead to."""
    step = smallest_step(ruleset)
    throws = {dice: _throws(dice, ruleset, step) for dice in range(1, ALL_DICE + 1)}
    largest = max(int(each.gains.max()) for each in throws.values())
    return Moves(step, throws, largest)


def worth_of(bank: Sequence[float], beyond: float, busts: Sequence[float], *, relief: bool) -> Worth:
    """Return the worth with one goal for each of `busts`, all alike in the rest; see `Worth`."""
    goals = len(busts)
    banks = np.broadcast_to(np.array(bank, dtype=np.float64)[:, None], (len(bank), goals))
    return Worth(banks, np.full(goals, float(beyond)), np.array(busts), np.full(goals, relief))


def solve(moves: Moves, worth: Worth) -> TurnValues:
    """Return the values of a turn whose end has this `worth`."""
    levels, goals = worth.bank.shape
    above = np.arange(levels, levels + moves.largest) * moves.step
    beyond = far_lines(moves, worth.bust) if worth.growing else _level_lines(moves, worth)
    banked = np.where(worth.growing, above[:, None], worth.beyond)
    banks = np.concatenate((worth.bank, banked, np.full((1, goals), -np.inf)))
    throws = np.concatenate((np.empty((levels, _COLUMNS, goals)), beyond.at(above)))
    block = max(1, _LEAST_GAIN // moves.step)
    for stop in range(levels, 0, -block):
        _fill(throws, banks, np.arange(max(0, stop - block), stop), moves.throws, worth)
    bust, first = moves.throws[ALL_DICE].bust, throws[0, ALL_DICE]
    throws[0, ALL_DICE] = np.where(worth.relief, (first - bust * worth.bust) / (1 - bust), first)
    return TurnValues(moves, worth, throws, beyond)


def far_lines(moves: Moves, busts: Floats) -> Lines:
    """Return what throwing on is worth with so many points that losing fewest of them comes first.

    `busts` (G,): the worth of a bust. Where two ways on lose as few, the one that wins more is taken.
    """
    slope = _settled(moves, np.ones(1), np.zeros(1))[:, 0]
    constant = np.zeros((_COLUMNS, len(busts)))
    while True:
        before = constant.copy()
        for dice, outcomes in moves.throws.items():
            _, won = _steepest(outcomes, *_ways_on(outcomes, slope, constant, moves.step))
            constant[dice] = outcomes.chances @ won + outcomes.bust * busts
        if np.allclose(before, constant, rtol=1e-13, atol=1e-10):
            return Lines(slope, constant)


def enough(moves: Moves, busts: Sequence[float]) -> int:
    """Return the points from which on the play of `far_lines` is best.

    That is where its line is above those of all other ways on, after every throw: points only grow, so from
    there on they stay above.
    """
    lines = far_lines(moves, np.array(busts))
    points = 0.0
    for outcomes in moves.throws.values():
        slopes, constants = _ways_on(outcomes, lines.slope, lines.constant, moves.step)
        slope, constant = _steepest(outcomes, slopes, constants)
        lower = np.repeat(slope, _sizes(outcomes))[:, None] - slopes
        above = (constants - np.repeat(constant, _sizes(outcomes), axis=0)[:, None]).max(axis=2)
        crosses = (lower > _SAME_SLOPE) & np.isfinite(lower)
        points = max(points, float((above[crosses] / lower[crosses]).max(initial=0.0)))
    return math.ceil(points)


def _ways_on(outcomes: Throws, slope: Floats, constant: Floats, step: int) -> tuple[Floats, Floats]:
    """Return the lines (K, 2) and (K, 2, G) of throwing on and of banking after each set-aside."""
    may_bank = outcomes.banked >= 0
    slopes = np.stack((slope[outcomes.left], np.where(may_bank, 1.0, -np.inf)), axis=1)
    on = constant[outcomes.left] + (slope[outcomes.left] * outcomes.gains * step)[:, None]
    bank = np.where(may_bank, outcomes.banked * step, -np.inf)
    return slopes, np.stack((on, np.broadcast_to(bank[:, None], on.shape)), axis=1)


def _steepest(outcomes: Throws, slopes: Floats, constants: Floats) -> tuple[Floats, Floats]:
    """Return of each throw's lines the steepest (T,), and the highest constant (T, G) of those as steep."""
    steepest = np.maximum.reduceat(slopes.max(axis=1), outcomes.starts)
    as_steep = slopes >= np.repeat(steepest, _sizes(outcomes))[:, None] - _SAME_SLOPE
    highest = np.where(as_steep[..., None], constants, -np.inf).max(axis=1)
    return steepest, np.maximum.reduceat(highest, outcomes.starts)


def _sizes(outcomes: Throws) -> Ints:
    """Return how many set-asides each throw has."""
    return np.diff(outcomes.starts, append=len(outcomes.gains))


def _level_lines(moves: Moves, worth: Worth) -> Lines:
    """Return what throwing on is worth where more points change nothing."""
    shape = (_COLUMNS, len(worth.beyond))
    settled = worth.beyond if worth.passed else _settled(moves, worth.beyond, worth.bust)
    return Lines(np.zeros(_COLUMNS), np.broadcast_to(settled, shape))


def _settled(moves: Moves, bank: Floats, bust: Floats) -> Floats:
    """Return the worth (dice, G) of throwing on if banking is worth `bank` (G,) whatever the points."""
    throws = np.zeros((1, _COLUMNS, len(bank)))
    still = {
        dice: replace(each, gains=np.zeros_like(each.gains), banked=np.minimum(each.banked, 0))
        for dice, each in moves.throws.items()
    }
    banks = np.stack((bank, np.full_like(bank, -np.inf)))
    worth = Worth(bank[None], bank, bust, np.zeros(len(bank), dtype=np.bool_))
    _fill(throws, banks, np.zeros(1, dtype=np.int64), still, worth)
    settled: Floats = throws[0]
    return settled


def _fill(throws: Floats, banks: Floats, rows: Ints, moves: Mapping[int, Throws], worth: Worth) -> None:
    """Find what throwing is worth at the levels `rows`: in one go, unless throws lead from one to another."""
    in_one_go = all(each.gains.min() >= len(rows) for each in moves.values())
    throws[rows] = worth.bust
    while True:
        before = throws[rows]
        for dice, outcomes in moves.items():
            throws[rows, dice] = _throw_values(outcomes, throws, banks, rows, worth)
        if in_one_go or np.allclose(before, throws[rows], rtol=1e-14, atol=1e-14):
            return


def _throw_values(outcomes: Throws, throws: Floats, banks: Floats, rows: Ints, worth: Worth) -> Floats:
    """Return the worth (rows, G) of throwing at the levels `rows`."""
    level = rows[:, None]
    thrown_on = throws.reshape(-1, throws.shape[-1])[(level + outcomes.gains) * _COLUMNS + outcomes.left]
    banked = banks[np.where(outcomes.banked < 0, _NONE, level + outcomes.banked)]
    reached = np.maximum(thrown_on, banked)
    if worth.passed:
        reached[level + outcomes.gains >= len(worth.bank)] = worth.beyond
    best = np.maximum.reduceat(reached, outcomes.starts, axis=1)
    worths: Floats = np.tensordot(outcomes.chances, best, axes=(0, 1)) + outcomes.bust * worth.bust
    return worths


def _throws(dice: int, ruleset: Ruleset, step: int) -> Throws:
    counts: Counter[tuple[Outcome, ...]] = Counter()
    for faces in itertools.combinations_with_replacement(range(1, 7), dice):
        counts[_outcomes(faces, ruleset, step)] += orders(faces)
    busts = counts.pop((), 0)
    every = np.array([outcome for outcomes in counts for outcome in outcomes], dtype=np.int64)
    gains, left, banked = every.T
    starts = np.cumsum([0, *map(len, counts)])[:-1]
    chances = np.array([*counts.values()]) / 6**dice
    return Throws(gains, left, banked, starts, chances, busts / 6**dice)


def _outcomes(faces: Faces, ruleset: Ruleset, step: int) -> tuple[Outcome, ...]:
    """Return what each set-aside of a throw leads to, sorted; empty for a bust.

    Where more points are never worse: the most to throw on with each number of dice, and the most to bank.
    """
    found: set[Outcome] = set()
    for each in set_asides(faces, ruleset):
        counted = counted_to_bank(each, ruleset)
        banked = _NONE if counted is None else counted.points // step
        found.add((each.points // step, dice_left_after(each, len(faces)), banked))
    if ruleset.exact_target:
        return tuple(sorted(found))
    gains = {left: gain for gain, left, _ in sorted(found)}
    most = max((banked for *_, banked in found), default=_NONE)
    return tuple(sorted((gain, left, most) for left, gain in gains.items()))
