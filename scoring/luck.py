"""Luck: what a throw brought against what that throw brings on average, by the rules in play.

A throw brings the most points that may be set aside of it; one that ends the turn for nothing brings what
it costs, below zero: the turn's points, and the penalty of a third bust. The average is exact, over all
throws of as many dice with as much at stake. So the luck of a throw is zero on average, and so is the sum of
any throws, however the players choose: luck says nothing of how well they choose.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import lru_cache

from scoring.faces import Faces
from scoring.odds import orders
from scoring.ruleset import Ruleset
from scoring.set_asides import set_asides
from scoring.state import Game
from scoring.turns import busts_penalty, has_relief


@dataclass(frozen=True, slots=True)
class _Average:
    """Of all throws of so many dice: mean points offered, and the chances of nothing and of too much."""

    offered: float
    nothing: float
    too_much: float


def luck(before: Game, faces: Faces) -> float:
    """Return by how many points a throw of `faces` was better than average, as `before` was thrown on."""
    return _brought(before, faces) - _expected(before)


def _brought(before: Game, faces: Faces) -> float:
    offered = _offered(faces, before.ruleset, _room(before))
    if offered is None:
        return -_cost_of_nothing(before)
    return offered if offered else -before.turn.points


def _expected(before: Game) -> float:
    average = _average(before.turn.dice_left, before.ruleset, _room(before))
    lost = average.nothing * _cost_of_nothing(before) + average.too_much * before.turn.points
    return average.offered - lost


def _cost_of_nothing(before: Game) -> int:
    return 0 if has_relief(before) else before.turn.points + busts_penalty(before)


def _room(before: Game) -> int | None:
    """Return how many points the throw may bring at most, None where any number may."""
    missing = before.ruleset.target - before.tally.total - before.turn.points
    return missing if before.ruleset.exact_target else None


def _offered(faces: Faces, ruleset: Ruleset, room: int | None) -> int | None:
    """Return the most points that may be set aside, 0 when all are too many, None when there are none."""
    found = [each.points for each in set_asides(faces, ruleset)]
    return max((points for points in found if room is None or points <= room), default=0) if found else None


@lru_cache(maxsize=1024)
def _average(dice: int, ruleset: Ruleset, room: int | None) -> _Average:
    ways: dict[int | None, int] = {}
    for faces in itertools.combinations_with_replacement(range(1, 7), dice):
        offered = _offered(faces, ruleset, room)
        ways[offered] = ways.get(offered, 0) + orders(faces)
    throws = 6**dice
    points = sum(count * offered for offered, count in ways.items() if offered)
    return _Average(points / throws, ways.get(None, 0) / throws, ways.get(0, 0) / throws)
