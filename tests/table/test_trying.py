"""Throws that are only tried: whatever is done with their dice, the game under way stands as it stood."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.actions import PutAside
from scoring.game import new_game
from scoring.ruleset import load_preset
from table.loop import TableLoop
from table.store.records import stands
from table.throw_watch import ThrowWatch
from table.touches import Play
from tests.table.staging import Hand, Still, dice, frames, staged_judge
from vision.domain import Frame

GAMES = ((1, 1, 5, 3, 2, 6), dice(1, 1, 5, 3, 2, 6))
TRIED = st.lists(st.integers(1, 6), min_size=1, max_size=6).map(lambda faces: dice(*faces, first_cell=9))
LONGER_S = 21.0  # than an empty tray waits before it banks


class Table:
    """A table in the midst of a turn; one stream of frames, as a camera gives it."""

    def __init__(self) -> None:
        rules = load_preset("norwegian")
        self.loop = TableLoop(new_game(rules, ("Ada", "Bo")), ThrowWatch(judge=staged_judge))
        self.index = 0
        self.show(Still({}), Hand({}), Still(GAMES[1]))
        assert self.loop.state.game.turn.faces == tuple(sorted(GAMES[0]))

    def show(self, *acts: Still | Hand) -> None:
        for frame in frames(*acts):
            self.loop.step(Frame(self.index, self.index / 30, frame.image_bgr))
            self.index += 1


@settings(max_examples=6, deadline=None)
@given(st.lists(TRIED, min_size=1, max_size=3), st.booleans())
def test_the_game_stands_as_it_stood_whatever_is_tried(tried: list[dict[int, int]], lift_some: bool) -> None:
    table = Table()
    before = stands(table.loop.state)
    table.loop.trying = True
    for thrown in tried:
        table.show(Hand({}), Still({}), Hand({}), Still(thrown))
        if lift_some:
            table.show(Hand({}), Still(dict(list(thrown.items())[:-1])))
    assert table.loop.tried is not None
    table.loop.trying = False
    table.show(Hand({}), Still({}, LONGER_S))
    assert stands(table.loop.state) == before


def test_the_turn_goes_on_after_what_was_tried() -> None:
    table = Table()
    table.loop.trying = True
    table.show(Hand({}), Still({}), Hand({}), Still(dice(4, 4, first_cell=9)))
    table.loop.trying = False
    table.loop.touch(Play(PutAside((1, 1, 5))))
    table.show(Hand({}), Still({}), Hand({}), Still(dice(2, 2, 2, first_cell=17)))
    game = table.loop.state.game
    assert (game.turn.faces, game.turn.points) == ((2, 2, 2), 250)
    assert table.loop.state.wait is None
