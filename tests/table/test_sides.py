"""Whose hand threw: told only from sides that are known, agree, and are clearly apart."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.actions import Action, Amend, Bank, PutAside, Throw
from scoring.game import Game, new_game, replay, undo
from scoring.ruleset import load_preset
from table.loop import TableLoop, run
from table.sides import SWAY_DEG, Sides, Thrower, clear_side, still_true, thrower, with_side
from table.throw_watch import ThrowWatch
from table.touches import Play, Undo
from tests.table.staging import Arm, Dice, Hand, Still, dice, frames, staged_judge
from vision.arm_side import ArmSide, apart_deg

START = new_game(load_preset("finnish"), ("Ada", "Bo", "Eva"))
TURN: list[Action] = [Throw((1, 2, 3, 3, 4, 6)), PutAside((1,), "seen"), Throw((1, 2, 3, 3, 4))]
TURNS = [*TURN, PutAside((1,), "seen"), Bank()]
SIDES = {0: 90.0, 1: 270.0, 2: 180.0}


def played(actions: list[Action], sides: dict[int, float]) -> tuple[Game, Sides]:
    """Play and note each throw as from its player's side."""
    game, known = START, Sides()
    for action in actions:
        seat = game.turn.seat
        game = replay(game, [action])
        if isinstance(action, Throw) and seat in sides:
            known = with_side(known, game, sides[seat])
    return game, known


HOT = [*TURNS, *TURNS, *TURNS, Throw((1, 1, 1, 5, 5, 5))]  # Ada's, and all six can be set aside


@settings(deadline=None)
@given(st.floats(0, 360))
def test_a_hand_is_one_players_only_where_it_is_clearly_no_others(side_deg: float) -> None:
    game, known = played(HOT, SIDES)
    told = thrower(game, known, side_deg)
    off = {who: apart_deg(side_deg, SIDES[seat]) for who, seat in ((Thrower.IN_TURN, 0), (Thrower.NEXT, 1))}
    if told is not None:
        assert off[told] <= 2 * SWAY_DEG
        assert min(off[who] for who in off if who is not told) >= 3 * SWAY_DEG
    elif min(off.values()) < 30:
        pytest.fail("nobody is told though the sides are opposite")


@settings(deadline=None)
@given(st.floats(0, 360), st.floats(0, 60))
def test_players_side_by_side_are_never_told_apart(side_deg: float, apart: float) -> None:
    game, known = played(HOT, {0: 90.0, 1: 90.0 + apart / 2})
    assert thrower(game, known, side_deg) is None


@pytest.mark.parametrize("missing", [0, 1])
def test_both_must_be_known(missing: int) -> None:
    game, known = played(HOT, {seat: side for seat, side in SIDES.items() if seat != missing})
    assert [thrower(game, known, side) for side in (90.0, 180.0, 270.0)] == [None] * 3


def test_sides_that_do_not_agree_say_nothing_until_the_new_ones_are_many() -> None:
    game, known = played(HOT, SIDES)
    moved = (*known[:-1], replace(known[-1], side_deg=0.0))
    assert thrower(game, known, 92.0) is Thrower.IN_TURN
    assert thrower(game, moved, 92.0) is None


def test_what_is_taken_back_or_done_otherwise_is_forgotten() -> None:
    game, known = played(TURN, SIDES)
    assert [each.place for each in known] == [0, 2]
    assert still_true(known, game, undo(game)) == known[:1]
    other = replay(undo(game), [Throw((2, 2, 3, 3, 4))])
    assert still_true(known, game, other) == known[:1]


def test_the_side_follows_the_player_whose_throw_it_really_was() -> None:
    game, known = played([*TURNS, *TURNS, *TURNS], SIDES)
    place = next(place for place, action in enumerate(game.log) if isinstance(action, Bank))
    corrected = replay(game, [Amend(place, None)])
    for each in known:
        entry = corrected.history.entry_at(each.place)
        assert entry is not None
        assert each.side_deg == SIDES[corrected.turn_seats[entry.turn]]


def test_an_arm_of_many_sides_has_none() -> None:
    assert clear_side(None) is None
    assert clear_side(ArmSide(40.0, 15.0, 5)) == 40.0
    assert clear_side(ArmSide(40.0, 70.0, 5)) is None


# At the table

ADA, BO = 180.0, 0.0
FIVE_ONES = dice(1, 1, 1, 3, 4, 6)


def throw(lying: Dice, side_deg: float, fell: Dice) -> list[Still | Hand | Arm]:
    return [Arm(lying, side_deg), Still(fell)]


def turn_of(side_deg: float) -> list[Still | Hand | Arm]:
    """A throw, three 1s set aside, the others thrown again; then all is taken away: banked."""
    rest = {cell: face for cell, face in FIVE_ONES.items() if face != 1}
    acts = throw({}, side_deg, FIVE_ONES)
    acts += [Hand(rest), Still(rest), Hand(rest), Still({})]
    return [*acts, *throw({}, side_deg, dice(5, 2, 3, first_cell=9)), Hand({}), Still({})]


HOT_THROW = dice(1, 2, 3, 4, 5, 6, first_cell=16)


def acts_until_hot(side_deg: float) -> list[Still | Hand | Arm]:
    """Ada and Bo play a turn, Ada throws a straight, and six dice are thrown from `side_deg`."""
    acts: list[Still | Hand | Arm] = [Still({}), *turn_of(ADA), *turn_of(BO), *throw({}, ADA, HOT_THROW)]
    return [*acts, Hand({}), Still({}), *throw({}, side_deg, dice(1, 1, 3, 3, 4, 6, first_cell=8))]


def log_after(side_deg: float) -> tuple[TableLoop, list[str]]:
    """Play until six dice after hot ones are thrown from `side_deg`."""
    loop = TableLoop(new_game(load_preset("finnish"), ["Ada", "Bo"]), ThrowWatch(judge=staged_judge))
    events = list(run(loop, frames(*acts_until_hot(side_deg))))
    return loop, [event.name for event in events if event.name in ("paused", "banked", "set_aside")]


def test_the_hand_that_throws_six_dice_after_hot_ones_tells_whether_they_were_banked() -> None:
    on, told = log_after(ADA)
    assert "paused" not in told
    assert (on.state.game.player, on.state.game.turn.points) == ("Ada", 1500)
    banked, told = log_after(BO)
    assert "paused" not in told
    assert banked.state.game.player == "Bo"
    assert banked.state.game.totals["Ada"] == 2550


def test_a_hand_from_another_side_is_asked_about() -> None:
    loop, told = log_after(90.0)
    assert told[-1] == "paused"
    assert loop.state.game.turn.faces == (1, 2, 3, 4, 5, 6)


def test_a_touch_wins_over_the_hand_and_nothing_is_learned_of_a_hand_that_told() -> None:
    loop, _ = log_after(BO)
    learned = loop.state.sides
    while loop.state.game.log[-1] != Throw((1, 2, 3, 4, 5, 6)):
        loop.touch(Undo())
    loop.touch(Play(PutAside((1, 2, 3, 4, 5, 6))))
    assert loop.state.game.player == "Ada"
    assert loop.state.sides == learned
    assert [each for each in learned if each.place == len(loop.state.game.log)] == []
