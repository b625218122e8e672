"""Who starts: each throws one die, highest starts, tied players throw again; play goes clockwise."""

from __future__ import annotations

from functools import reduce

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.errors import FacesError, GameError, IllegalActionError
from scoring.events import TurnStarted
from scoring.game import first_events, new_game
from scoring.ruleset import load_preset
from scoring.starting import Starting, StartThrow, new_starting
from tests.scoring.playing import BUST, PLAYERS, events_of
from tests.scoring.strategies import untimed


def thrown(faces: str, players: int = 3) -> Starting:
    return reduce(Starting.throw, map(int, faces), new_starting(PLAYERS[:players]))


def test_the_highest_starts_and_play_goes_clockwise() -> None:
    decided = thrown("254")
    assert (decided.first_seat, decided.next_seat) == (1, None)
    start = new_game(load_preset("norwegian"), decided.players, decided.first_seat)
    events = [*first_events(start), *events_of(start, BUST, BUST, BUST)]
    names = [event.player for event in events if isinstance(event, TurnStarted)]
    assert names == ["Bo", "Cy", "Ada", "Bo"]


def test_each_throws_once_in_seating_order() -> None:
    seats = [thrown("654"[:count]).next_seat for count in range(3)]
    assert seats == [0, 1, 2]
    assert [thrown("654"[:count]).first_seat for count in range(4)] == [None, None, None, 0]
    assert thrown("65").throws == (StartThrow(0, 6), StartThrow(1, 5))


def test_only_the_tied_throw_again_until_one_is_highest() -> None:
    tied = thrown("5352", players=4)
    assert (tied.contenders, tied.next_seat, tied.first_seat) == ((0, 2), 0, None)
    again = tied.throw(1).throw(1)
    assert (again.contenders, again.next_seat) == ((0, 2), 0)
    decided = again.throw(2).throw(6)
    assert (decided.first_seat, decided.throws[-1]) == (2, StartThrow(2, 6))


def test_a_tie_below_the_highest_decides_nothing() -> None:
    assert thrown("3363", players=4).first_seat == 2


@pytest.mark.parametrize("face", [0, 7, -1, 1.0, True, "1", None])
def test_other_faces_are_refused(face: int) -> None:
    with pytest.raises(FacesError, match=f"found {face!r}; accepted: one die with a face 1 to 6"):
        thrown("6").throw(face)


def test_a_throw_after_the_decision_is_refused() -> None:
    with pytest.raises(IllegalActionError, match="Bo starts: no more throws"):
        thrown("264").throw(1)


def test_undo_drops_the_latest_throw() -> None:
    assert thrown("264").undo() == thrown("26")
    assert thrown("5526").undo().undo() == thrown("55")
    with pytest.raises(IllegalActionError, match="no throw for who starts"):
        thrown("").undo()


def test_players_are_those_of_a_game() -> None:
    with pytest.raises(GameError, match="accepted: two or more different names"):
        new_starting(("Ada", "Ada "))


@untimed
@given(st.integers(2, 6), st.lists(st.integers(1, 6), max_size=40))
def test_every_round_leaves_its_highest(players: int, faces: list[int]) -> None:
    """A second opinion that keeps a list of who is left and strikes out the lower ones."""
    now, left = new_starting([f"player {seat}" for seat in range(players)]), list(range(players))
    waiting: list[int] = list(left)
    round_: dict[int, int] = {}
    for face in faces:
        if now.next_seat is None:
            break
        assert now.next_seat == waiting[0]
        round_[waiting.pop(0)] = face
        now = now.throw(face)
        if not waiting:
            left = [seat for seat in left if round_[seat] == max(round_.values())]
            waiting, round_ = list(left), {}
    assert now.contenders == tuple(left)
    assert now.first_seat == (left[0] if len(left) == 1 else None)
