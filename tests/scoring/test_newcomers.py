"""Players who join a game that is being played: who is next, and when it ends, by a model of seats alone."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.actions import Amend, EndTurn, Join, PutAside, TakeOut, Throw, TurnTo
from scoring.events import PlayerJoined
from scoring.game import apply, replay, start_of, undo
from scoring.legality import bank_obstacles
from tests.scoring.playing import after, aside, game, refused, throw

BEGINNERS = ("Ada", "Bo", "Cy")
NEWCOMERS = ("Dee", "Eve", "Fay")
deeds = st.lists(st.one_of(st.just("join"), st.sampled_from((0, 300, 1200))), max_size=40)


@dataclass
class Seats:
    """The seats round the table, whose turn it is, and their totals; a game to 2000."""

    totals: dict[str, int]
    end: str
    first: str
    at: int
    reached: str | None = None
    over: bool = False

    def join(self, name: str) -> None:
        self.totals[name] = 0

    def end_turn(self, points: int) -> None:
        names = list(self.totals)
        player = names[self.at]
        self.totals[player] += points
        if self.reached is None and self.totals[player] >= 2000:
            self.reached = player
        self.at = (self.at + 1) % len(names)
        following = names[self.at]
        ends = {
            "first": True,
            "last_turn_each": following == self.reached,
            "equal_turns": following == self.first,
        }
        self.over = self.reached is not None and ends[self.end]


@given(deeds, st.integers(0, 2), st.sampled_from(("first", "last_turn_each", "equal_turns")))
def test_newcomers_throw_in_turn_and_share_the_last_round(
    deeds: list[str | int], first: int, end: str
) -> None:
    now = game(f"finnish target=2000 end={end}", players=3, first_seat=first)
    seats = Seats(dict.fromkeys(BEGINNERS, 0), end, BEGINNERS[first], first)
    coming = list(NEWCOMERS)
    for deed in deeds:
        if deed == "join" and coming:
            seats.join(coming[0])
            now, events = apply(now, Join(coming[0]))
            assert events == (PlayerJoined(coming.pop(0)),)
        elif deed != "join":
            seats.end_turn(int(deed))
            now = after(now, EndTurn(int(deed)))
        assert now.totals == seats.totals
        assert now.over == seats.over
        if now.over:
            return
        assert now.player == list(seats.totals)[seats.at]


@given(deeds, st.data())
def test_a_joining_is_undone_like_anything_else(deeds: list[str | int], data: st.DataObject) -> None:
    start, coming = game("finnish target=2000", players=3), list(NEWCOMERS)
    actions = [Join(coming.pop(0)) if deed == "join" and coming else EndTurn(50) for deed in deeds]
    now = replay(start, actions)
    assert start_of(now) == start
    back = data.draw(st.integers(0, len(actions)))
    assert undo(now, back) == replay(start, actions[: len(actions) - back])


def test_a_newcomer_has_no_points_and_has_not_opened() -> None:
    now = after(game("danish"), EndTurn(750), EndTurn(750), Join("Cy"), EndTurn(), EndTurn())
    assert (now.player, now.tally.total, now.tally.opened) == ("Cy", 0, False)
    thrown = after(now, throw("111236"), aside("111"))
    assert bank_obstacles(thrown) == ()
    assert bank_obstacles(after(now, throw("115236"), aside("11")))


def test_who_joins_while_dice_lie_leaves_the_throw_as_it_is() -> None:
    thrown = after(game("danish"), throw("115236"))
    now = after(thrown, Join("Cy"))
    assert now.turn == thrown.turn
    assert after(now, PutAside((1, 1)), EndTurn(300), EndTurn()).player == "Cy"


def test_a_turn_is_given_to_a_newcomer_and_a_newcomer_is_taken_out() -> None:
    now = after(game("danish"), Join("Cy"), throw("115236"), TurnTo("Cy"))
    assert now.player == "Cy"
    assert after(now, TakeOut("Cy")).player == "Ada"


def test_corrections_before_and_after_a_joining_leave_the_newcomer_where_they_sit() -> None:
    now = after(game("finnish"), EndTurn(300), Join("Cy"), EndTurn(200), EndTurn(100))
    assert after(now, Amend(0, EndTurn(350))).totals == {"Ada": 350, "Bo": 200, "Cy": 100}
    assert after(now, Amend(3, EndTurn(150))).totals == {"Ada": 300, "Bo": 200, "Cy": 150}
    reopened = after(game("finnish"), EndTurn(300), Join("Cy"), Amend(0, None), TurnTo("Cy"), EndTurn(200))
    assert after(reopened, EndTurn(100), Amend(5, EndTurn(150))).totals == {"Ada": 150, "Bo": 0, "Cy": 200}
    over = after(game("finnish target=2000 end=first"), EndTurn(300), Join("Cy"), EndTurn(200), EndTurn(100))
    assert after(over, Amend(0, EndTurn(2000))).totals == {"Ada": 2000, "Bo": 0, "Cy": 0}


@pytest.mark.parametrize(
    ("action", "why"),
    [
        (Join("Bo"), "Bo plays already"),
        (Join(""), "accepted: text without spaces"),
        (Join(" Cy"), "accepted: text without spaces"),
        (Amend(0, None), "take the newcomer out"),
        (Amend(1, Join("Eve")), "seats keep their order"),
    ],
)
def test_who_cannot_join(action: Join | Amend, why: str) -> None:
    refused(after(game("danish"), Join("Dee"), Throw((1, 1, 5, 2, 3, 6))), action, why)
