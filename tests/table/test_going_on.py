"""A game that was left and is gone on with: by a touch, from the page of games, from the command line."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest
from nicegui.testing import User

from scoring.actions import EndTurn, PutAside
from scoring.game import Game, new_game
from scoring.ruleset import load_preset
from table.commands import play
from table.errors import StoreRefusedError, TouchError
from table.page.listeners import Listeners
from table.page.session import TableSession
from table.state import TableState
from table.store.arguments import begin_or_resume
from table.store.past_games import PastGame, PastGames
from table.touches import BeginGame, EnterThrow, GoOn, Play, Undo
from tests.table.browsing import browse
from tests.table.storing import Table

OTHERS = new_game(load_preset("danish"), ("Eva", "Ib", "Ole"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite"


def left_for_another(path: Path) -> Table:
    """A table whose first game, in which a throw lies, was left for one of others."""
    table = Table(path)
    table.loop.touch(Play(EndTurn(850)))
    table.loop.touch(EnterThrow((1, 1, 5, 3, 2, 6)))
    table.loop.touch(BeginGame(OTHERS))
    table.loop.touch(Play(EndTurn(750)))
    return table


def kept(table: Table, number: int) -> PastGame:
    return PastGames(table.journal.reading).numbered(number)


def go_on(table: Table, number: int) -> None:
    table.loop.touch(GoOn(kept(table, number).game, number))


def games_in(table: Table) -> dict[int, Game]:
    past = PastGames(table.journal.reading)
    return {each.number: past.game(each).game for each in past.played()}


def test_a_game_that_was_left_goes_on_and_both_are_kept_whole(path: Path) -> None:
    table = left_for_another(path)
    before = games_in(table)
    go_on(table, 1)
    assert table.loop.state.game == before[1]
    assert table.loop.state.lying is not None
    assert games_in(table) == before
    table.loop.touch(Play(PutAside((1, 1, 5))))
    assert games_in(table)[1].turn.points == 250
    go_on(table, 2)
    table.loop.touch(Play(EndTurn(300)))
    assert [game.totals for game in games_in(table).values()] == [
        {"Eva": 750, "Ib": 300, "Ole": 0},
        games_in(table)[1].totals,
    ]
    assert table.journal.number == 2
    table.journal.close()


def test_what_was_done_before_a_game_was_left_can_be_undone(path: Path) -> None:
    table = left_for_another(path)
    go_on(table, 1)
    table.loop.touch(Undo())
    table.loop.touch(Undo())
    assert table.loop.state.game.log == ()
    assert games_in(table)[2].totals == {"Eva": 750, "Ib": 0, "Ole": 0}
    table.journal.close()


def test_the_game_that_was_played_last_goes_on_at_the_next_start(path: Path) -> None:
    table = left_for_another(path)
    go_on(table, 1)
    before = table.loop.state.game
    table.journal.close()
    begun = begin_or_resume(arguments(path), OTHERS, live=True, complain=print)
    assert isinstance(begun.start, TableState)
    assert begun.start.game == before
    assert begun.journal is not None
    begun.journal.close()


def arguments(path: Path, *words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    play.configure(parser)
    return parser.parse_args(["--games", str(path), *words])


def test_the_command_line_names_the_game_to_go_on_with(path: Path) -> None:
    left_for_another(path).journal.close()
    begun = begin_or_resume(arguments(path, "--game", "1"), OTHERS, live=True, complain=print)
    assert isinstance(begun.start, TableState)
    assert begun.start.game.players == ("Ada", "Bo")
    assert "goes on" in begun.resumed
    assert begun.journal is not None
    begun.journal.close()


@pytest.mark.parametrize("number", ["3", "2"])
def test_a_game_that_is_not_there_or_over_is_refused(path: Path, number: str) -> None:
    table = left_for_another(path)
    table.loop.touch(Play(EndTurn(10000)))
    assert table.loop.state.game.over
    with pytest.raises(TouchError, match="over"):
        go_on(table, 2)
    table.journal.close()
    with pytest.raises(StoreRefusedError, match=f"--game {number}: .*accepted"):
        begin_or_resume(arguments(path, "--game", number), OTHERS, live=True, complain=print)


def test_a_game_is_gone_on_with_from_the_page_of_games(path: Path) -> None:
    async def scene(user: User) -> None:
        await user.should_see(marker="game-2")
        user.find(marker="game-2").click()
        await user.should_see("This game is played now")
        user.find(marker="all-games").click()
        await user.should_see(marker="game-1")
        user.find(marker="game-1").click()
        await user.should_see(marker="go-on")
        user.find(marker="go-on").click()
        await user.should_see("Bo, set dice aside")
        assert table.loop.state.game.players == ("Ada", "Bo")
        user.find(marker="set-aside-1-1-5").click()
        await user.should_see("+250")

    table = left_for_another(path)
    past = PastGames(table.journal.reading)
    session = TableSession(table.loop, Listeners(print, store=table.journal, past=past))
    browse(session, "/history", scene)
    table.journal.close()
