"""The page of kept games: listed, opened, fetched as files, and said plainly where there are none."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from nicegui.testing import User

from benchmarks.survival import first_game
from scoring.game import new_game
from scoring.languages import Language
from scoring.played_turns import Ending, PlayedTurn
from table.loop import TableLoop
from table.page import history, history_files
from table.page.history_words import HistoryWords
from table.page.listeners import Listeners
from table.page.session import TableSession
from table.store.database import GameDatabase, Row
from table.store.past_games import PastGames
from table.store.records import start_text
from table.throw_pictures import ThrowPictures, picture_name, pictures_beside
from table.throw_watch import ThrowWatch
from table.touches import BeginGame, EnterThrow
from tests.table.browsing import browse
from tests.table.staging import dice
from tests.table.storing import Table

SIX = dice(1, 1, 5, 3, 2, 6)


class Shelf:
    """A session whose games are those of a store."""

    def __init__(self, path: Path) -> None:
        self.table = Table(path)
        self.past = PastGames(self.table.journal.reading)
        self.pictures = ThrowPictures(pictures_beside(path), print)
        loop = TableLoop(first_game(), ThrowWatch())
        self.session = TableSession(loop, Listeners(print, past=self.past, pictures=self.pictures))

    def open(self, scene: Callable[[User], Awaitable[None]]) -> None:
        browse(self.session, "/history", scene)
        self.table.journal.close()


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path / "games.sqlite")


def html_of(user: User) -> str:
    return "".join(str(getattr(each, "content", "")) for each in user.client.elements.values())


def test_without_games_that_is_said(shelf: Shelf) -> None:
    async def scene(user: User) -> None:
        await user.should_see("No games yet")

    shelf.open(scene)


def test_where_no_games_are_kept_that_is_said() -> None:
    async def scene(user: User) -> None:
        await user.should_see("keeps no games")

    browse(TableSession(TableLoop(first_game(), ThrowWatch()), Listeners(print)), "/history", scene)


def test_a_game_is_opened_and_told_turn_by_turn(shelf: Shelf) -> None:
    shelf.table.throw(SIX)
    seen = shelf.past.numbered(1).seen[0]
    shelf.pictures.folder.mkdir()
    (shelf.pictures.folder / picture_name(seen)).write_bytes(b"jpeg")

    async def scene(user: User) -> None:
        await user.should_see(marker="game-1")
        await user.should_see("not over")
        user.find(marker="game-1").click()
        await user.should_see("Turn by turn")
        await user.should_see("under way")
        assert f"/throw-picture/{picture_name(seen)}" in html_of(user)
        user.find(marker="all-games").click()
        await user.should_see(marker="game-1")
        fetched = await user.http_client.get(f"/throw-picture/{picture_name(seen)}")
        assert (fetched.content, fetched.headers["content-type"]) == (b"jpeg", "image/jpeg")
        assert (await user.http_client.get("/throw-picture/no.jpg")).status_code == 404

    shelf.open(scene)


def test_games_are_fetched_as_files(shelf: Shelf) -> None:
    shelf.table.turn()

    async def scene(user: User) -> None:
        get = user.http_client.get
        one, every = (await get("/games/1.csv")).text, (await get("/games.csv")).text
        assert one.splitlines()[0].removeprefix("\ufeff").startswith("game,begun,turn")
        assert one == every
        (told,) = (await get("/games.jsonl")).text.splitlines()
        assert json.loads(told)["players"] == [*first_game().players]
        missing = await get("/games/7.csv")
        assert (missing.status_code, missing.text) == (404, "found no game 7\n")
        assert (await get("/games.exe")).status_code == 404

    shelf.open(scene)


def test_all_games_at_once_are_for_those_who_may_touch(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf.table.turn()
    monkeypatch.setattr(history_files, "request_may_touch", lambda *_: False)

    async def scene(user: User) -> None:
        assert (await user.http_client.get("/games.csv")).status_code == 403
        assert (await user.http_client.get("/games/1.csv")).status_code == 200

    shelf.open(scene)


def test_a_game_that_cannot_be_read_is_named_and_the_others_are_there(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    store = GameDatabase(path)
    broken = Row("2026-11-30T20:00:00+00:00", start_text(first_game()), begins=True)
    store.write([broken, Row("2026-11-30T20:01:00+00:00", '{"actions":[{}]}')], None)
    store.close()
    shelf = Shelf(path)
    shelf.table.turn()

    async def scene(user: User) -> None:
        await user.should_see("This cannot be read")
        user.find(marker="game-2").click()
        await user.should_see("Turn by turn")
        assert len((await user.http_client.get("/games.jsonl")).text.splitlines()) == 1

    shelf.open(scene)


def test_many_games_and_long_ones_come_a_few_at_a_time(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "GAMES_SHOWN", 2)
    for _ in range(3):  # numbered from 2: in the first nothing happened
        shelf.table.loop.touch(BeginGame(new_game(first_game().ruleset, ("<i>Ada</i>", "Bo"))))
        shelf.table.loop.touch(EnterThrow((1, 1, 5, 3, 2, 6)))

    async def scene(user: User) -> None:
        await user.should_see(marker="game-4")
        await user.should_not_see(marker="game-2")
        user.find(marker="earlier").click()
        await user.should_see(marker="game-2")
        await user.should_not_see(marker="game-4")
        await user.should_see("<i>Ada</i>")

    shelf.open(scene)


@pytest.mark.parametrize("language", Language)
def test_every_ending_is_told_in_every_language(language: Language) -> None:
    words = HistoryWords(language)
    told = [words.ending(PlayedTurn(0, 1, 0, "Ada", (), ending, 1500)) for ending in (None, *Ending)]
    assert len(set(told)) == len(told)
    assert not any("{" in each for each in told)
    assert "1" in words.ending(PlayedTurn(0, 1, 0, "Ada", (), Ending.BUST, -1000))
