"""The game's machinery: order of play, what is legal when, rulings, undo."""

from __future__ import annotations

import math
from typing import Any

import pytest

from scoring.actions import (
    Bank,
    Correct,
    DeclineRelief,
    EndTurn,
    Knock,
    Misroll,
    MisrollReason,
    PutAside,
    Throw,
)
from scoring.errors import GameError, IllegalActionError
from scoring.events import Banked, Bust, GameOver, SetAsideMade, TurnEnded, TurnStarted
from scoring.game import (
    Phase,
    apply,
    bank_obstacles,
    can,
    first_events,
    legal_set_asides,
    new_game,
    obstacle,
    undo,
)
from scoring.ruleset import load_preset
from scoring.ruleset_fields import MOST_POINTS
from tests.scoring.playing import BANK, BUST, after, aside, events_of, game, misroll, refused, throw, turn_of


def test_a_turn_as_the_table_sees_it() -> None:
    now, events = apply(game("danish"), throw("161523"))
    assert [(event.faces, event.best) for event in events] == [((1, 1, 2, 3, 5, 6), 250)]
    assert now.turn.faces == (1, 1, 2, 3, 5, 6)
    assert [each.points for each in legal_set_asides(now)] == [250, 200, 150, 100, 50]
    now, events = apply(now, PutAside((5, 1, 1), source="seen"))
    assert events == (SetAsideMade((1, 1, 5), 250, 250, "seen", 3, False, bank_obstacles(now)),)
    assert events[0].record() == {
        "event": "set_aside",
        "faces": (1, 1, 5),
        "points": 250,
        "turn_points": 250,
        "source": "seen",
        "dice_left": 3,
        "hot_dice": False,
        "bank_obstacles": ({"kind": "opening", "missing": 500, "limit": 750},),
    }
    assert (now.turn.phase, now.turn.faces, legal_set_asides(now)) == (Phase.DECIDE, None, ())


def test_play_goes_round_from_the_first_seat() -> None:
    start = game("norwegian", players=3, first_seat=1)
    assert first_events(start) == (TurnStarted("Bo"),)
    names = [event.player for event in events_of(start, *[BUST] * 5) if isinstance(event, TurnStarted)]
    assert names == ["Cy", "Ada", "Bo", "Cy", "Ada"]


def test_a_bust_loses_the_turns_points_and_keeps_the_banked() -> None:
    now = after(game("danish"), *turn_of(750), *turn_of(800), throw("666234"), aside("666"))
    assert events_of(now, throw("234")) == [Bust("Ada", 600, 0, 750), TurnStarted("Bo")]
    assert after(now, throw("234")).totals == {"Ada": 750, "Bo": 800}


def test_hot_dice_lets_the_turn_grow() -> None:
    now = after(game("danish"), throw("123456"), aside("123456"), throw("222234"), aside("2222"))
    assert (now.turn.points, now.turn.dice_left, now.turn.hot_dice) == (1900, 2, False)


def test_what_is_illegal_when() -> None:
    start = game("danish")
    refused(start, BANK, "banking comes after setting aside")
    refused(start, aside("1"), "no throw to set aside from")
    refused(start, Correct((1,)), "only the latest throw")
    refused(start, throw("12345"), "the throw is of 6 dice, not 5")
    refused(start, throw("123457"), r"found \[1, 2, 3, 4, 5, 7\]; accepted: 1 to 6 dice")
    refused(start, throw(""), "accepted: 1 to 6 dice")
    lying = after(start, throw("115326"))
    refused(lying, throw("115326"), "at least one scoring die must be set aside before throwing again")
    refused(lying, BANK, "banking comes after setting aside")
    aside_made = after(lying, aside("11"))
    refused(aside_made, aside("5"), "no throw to set aside from")
    refused(aside_made, Correct((1, 1, 1, 1, 1, 1)), "only the latest throw")


def test_nothing_but_a_correction_is_legal_once_the_game_is_over() -> None:
    over = after(game("danish"), *turn_of(10000))
    assert over.turn.phase is Phase.OVER
    for action in (throw("123456"), Misroll(), aside("1"), Bank(), EndTurn()):
        refused(over, action, "the game is over")
    refused(over, Knock(None), "no leaning die")
    refused(over, DeclineRelief(), "no relief")
    refused(over, Correct((1,)), "only the latest throw")
    assert bank_obstacles(over) == ()


def test_a_person_may_rule_that_the_turn_ends() -> None:
    """With points it is a banking whatever the limits; without, neither a banking nor a bust."""
    start = game("danish three_busts=1000")
    lying = after(start, throw("115326"))
    assert events_of(lying, EndTurn(450)) == [Banked("Ada", 450, 450, opened=True), TurnStarted("Bo")]
    assert events_of(lying, EndTurn()) == [TurnEnded("Ada", 0), TurnStarted("Bo")]
    assert not after(lying, EndTurn()).tallies[0].opened
    leaning = after(game("danish knock_relief=yes misroll=bust"), misroll("tilted"), EndTurn(50))
    assert leaning.totals == {"Ada": 50, "Bo": 0}
    assert can(start, EndTurn(MOST_POINTS))


@pytest.mark.parametrize("points", [-50, MOST_POINTS + 1, 50.0, True, None, "50"])
def test_a_turn_is_ended_with_a_whole_number_of_points(points: object) -> None:
    because = f"found {points!r} points for the turn; accepted: a whole number 0 to {MOST_POINTS}"
    refused(game("danish"), EndTurn(points), because)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("reason", "because"),
    [
        (MisrollReason("occluded"), "found 'occluded' .*; accepted: outside, missing, tilted, stacked"),
        (MisrollReason("tilted", face=7), "found 7 as the face of a die; accepted: a whole number 1 to 6"),
        (MisrollReason("tilted", amount=math.nan), "found nan .*; accepted: a finite number"),
        (MisrollReason("outside", amount=math.inf), "found inf .*; accepted: a finite number"),
    ],
)
def test_a_misroll_has_reasons_that_can_be_told(reason: MisrollReason, because: str) -> None:
    refused(game("danish"), Misroll((MisrollReason("stacked"), reason)), because)


@pytest.mark.parametrize("face", [None, 1.0, True, "1", 0])
def test_faces_are_whole_numbers(face: object) -> None:
    start, lying = game("danish knock_relief=yes"), after(game("danish"), throw("115326"))
    faces: tuple[Any, ...] = (face, 1, 2, 3, 5, 6)
    accepted = "accepted: 1 to 6 dice with faces 1 to 6"
    refused(start, Throw(faces), accepted)
    refused(after(start, misroll("tilted")), Knock(faces), accepted)
    refused(lying, PutAside(faces[:1]), accepted)
    refused(lying, Correct(faces), accepted)


def test_actions_own_what_they_are_made_of() -> None:
    """A list that its owner changes later must not rewrite the log."""
    faces: list[int] = [1, 1, 5, 3, 2, 6]
    reasons = [MisrollReason("tilted")]
    made = (Throw(faces), Knock(faces), PutAside(faces), Correct(faces), Misroll(reasons))  # type: ignore[arg-type]
    faces.clear()
    reasons.clear()
    *of_faces, of_reasons = made
    assert [each.faces for each in of_faces] == [(1, 1, 5, 3, 2, 6)] * 4
    assert of_reasons == Misroll((MisrollReason("tilted"),))
    assert len({*made}) == len(made)


@pytest.mark.parametrize("points", [0, 50])
def test_a_turn_ended_by_ruling_parts_the_busts_around_it(points: int) -> None:
    two = after(game("finnish three_busts=1000"), BUST, BUST, BUST, BUST)
    assert after(two, EndTurn(points), BUST, BUST).tallies[0].entries == (0, 0, points, 0)


def test_a_ruling_can_end_the_game() -> None:
    events = events_of(game("norwegian"), EndTurn(10000), EndTurn())
    assert events[0] == Banked("Ada", 10000, 10000, opened=True, final_round=True)
    assert events[-1] == GameOver(("Ada",), {"Ada": 10000, "Bo": 0})


def test_obstacle_is_none_for_what_is_legal() -> None:
    assert obstacle(game("danish"), throw("123456")) is None


def test_undo_goes_back_any_number_of_actions() -> None:
    actions = (throw("115326"), aside("11"), throw("2346"), throw("234555"), aside("555"))
    now = after(game("norwegian"), *actions)
    for count in range(len(actions) + 1):
        assert undo(now, count) == after(game("norwegian"), *actions[: len(actions) - count])
    for count in (-1, len(actions) + 1):
        with pytest.raises(IllegalActionError, match="5 actions to undo"):
            undo(now, count)


@pytest.mark.parametrize(
    "players", [(), ("Ada",), ("Ada", "Ada"), ("Ada", ""), ("Ada", " "), ("Ada", "Ada ")], ids=repr
)
def test_players_need_two_different_names(players: tuple[str, ...]) -> None:
    with pytest.raises(GameError, match="accepted: two or more different names"):
        new_game(load_preset("danish"), players)


@pytest.mark.parametrize("seat", [-1, 2])
def test_first_seat_must_be_at_the_table(seat: int) -> None:
    with pytest.raises(GameError, match="accepted: 0 to 1"):
        new_game(load_preset("danish"), ("Ada", "Bo"), seat)


def test_games_are_values() -> None:
    before = after(game("danish"), throw("115326"))
    apply(before, aside("11"))
    assert before == after(game("danish"), throw("115326"))
    assert can(before, aside("11"))
