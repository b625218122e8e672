"""Luck: zero on average whatever is thrown on, by counting out all throws; each by the slow oracle."""

from __future__ import annotations

import itertools
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.game import Game, new_game
from scoring.luck import luck
from scoring.odds import orders
from scoring.ruleset import to_record
from scoring.set_asides import SetAside
from scoring.state import Tally, Turn
from scoring.statistics import game_statistics
from tests.scoring.oracle import expected_set_asides
from tests.scoring.playing import BANK, BUST, after, aside, game, throw
from tests.scoring.strategies import rulesets, untimed


def standing(start: Game, dice: int, points: int, entries: tuple[int, ...], busts: int) -> Game:
    """A game whose first player throws `dice` with `points` at stake."""
    tally = Tally(entries, opened=any(entries), busts_in_row=busts)
    last = None if dice == 6 and not points else SetAside((1,), 100, (), hot_dice=False)
    turn = Turn(0, points=points, dice_left=dice, last_set_aside=last)
    return replace(start, tallies=(tally, *start.tallies[1:]), turn=turn)


@st.composite
def moments(draw: st.DrawFn) -> Game:
    """Any rules, and a player about to throw one to four dice: all their throws are soon counted out."""
    start = new_game(draw(rulesets()), ("Ada", "Bo"))
    stake = draw(st.sampled_from((0, 50, 400, 1250)))
    entries = draw(st.sampled_from(((), (0,), (500,), (800, 0, 150))))
    return standing(start, draw(st.integers(1, 4)), stake, entries, draw(st.integers(0, 2)))


def brought(before: Game, faces: tuple[int, ...], known: dict) -> int:
    """What a throw brings, from the words of the rules and the slow oracle."""
    rules = to_record(before.ruleset)
    offered = expected_set_asides(faces, rules, known).values()
    missing = before.ruleset.target - before.tally.total - before.turn.points
    fitting = [each for each in offered if not rules["exact_target"] or each <= missing]
    if fitting:
        return max(fitting)
    if offered:
        return -before.turn.points
    first = before.turn.last_set_aside is None
    if rules["first_throw_relief"] and first and not before.tally.opened:
        return 0
    return -before.turn.points - (before.ruleset.three_busts if before.tally.busts_in_row == 2 else 0)


@untimed
@given(moments(), st.integers(0, 2**32))
def test_the_luck_of_a_throw_is_what_it_brings_less_what_all_bring_on_average(
    before: Game, seed: int
) -> None:
    dice, known = before.turn.dice_left, {}
    throws = list(itertools.product(range(1, 7), repeat=dice))
    mean = Fraction(sum(brought(before, each, known) for each in throws), len(throws))
    thrown = Random(seed).choice(throws)
    assert luck(before, thrown) == pytest.approx(float(brought(before, thrown, known) - mean), abs=1e-6)


@untimed
@given(moments())
def test_luck_is_zero_on_average(before: Game) -> None:
    throws = itertools.product(range(1, 7), repeat=before.turn.dice_left)
    assert sum(luck(before, each) for each in throws) == pytest.approx(0, abs=1e-6)


MOMENTS = {
    "a game's first throw, with relief": game("danish"),
    "three dice, 1000 at stake": after(game("danish"), throw("111236"), aside("111")),
    "six dice again after hot dice": after(game("norwegian"), throw("123456"), aside("123456")),
    "before a third bust in a row": after(
        game("finnish three_busts=1000"), *(BUST, throw("111234"), aside("111"), BANK) * 2
    ),
    "nothing on six dice": game("zilch"),
    "near a target to be met exactly": after(
        game("finnish exact_target=yes target=1000"), throw("666234"), aside("666")
    ),
}


@pytest.mark.parametrize("name", MOMENTS)
def test_the_luck_told_of_a_game_is_zero_on_average_over_all_next_throws(name: str) -> None:
    now = MOMENTS[name]
    so_far = game_statistics(now).players[now.turn.seat].luck
    total = 0.0
    for faces in itertools.combinations_with_replacement(range(1, 7), now.turn.dice_left):
        told = game_statistics(after(now, throw("".join(map(str, faces)))))
        total += orders(faces) * (told.players[now.turn.seat].luck - so_far)
    assert total / 6**now.turn.dice_left == pytest.approx(0, abs=1e-9)


def test_a_bust_costs_what_was_at_stake() -> None:
    """One die left with 2000 points: 4 of 6 bust, else 100 or 50. On average -4/6 x 2000 + 150/6."""
    now = after(game("finnish"), throw("111552"), aside("111"), throw("552"), aside("55"))
    now = replace(now, turn=replace(now.turn, points=2000))
    average = Fraction(-4 * 2000 + 150, 6)
    assert luck(now, (2,)) == pytest.approx(float(-2000 - average))
    assert luck(now, (1,)) == pytest.approx(float(100 - average))
