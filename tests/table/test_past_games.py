"""Games that are kept, looked at: what was seen of each throw, and reading while the table writes."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.survival import ScriptedTable, ScriptedWatch, first_game
from scoring.actions import PutAside
from table.errors import StoredGameError, StoreError
from table.loop import TableLoop
from table.store import database
from table.store.database import GameDatabase, Row, copy_of
from table.store.past_games import PastGame, PastGames, past_games_in
from table.store.records import change_text, read_throws, start_text
from table.touches import Confirm, CorrectDie, EnterThrow, Play, Undo
from table.verdict_json import verdict_of, verdict_record
from tests.table.staging import TILTED, UNREADABLE, Hand, Still, dice
from tests.table.storing import Table

THROWN = '{"actions":[{}]}'  # enough to say that somebody did something
SIX = dice(1, 1, 5, 3, 2, 6)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path / "games.sqlite")
    yield table
    table.journal.close()


def read(table: Table) -> PastGame:
    past = PastGames(table.journal.reading)
    (stored,) = past.played()
    return past.game(stored)


def faces_seen(table: Table) -> dict[int, list[int | None]]:
    """What the camera is said to have read of the throws, by their places in the log."""
    past = read(table)
    assert past.game == table.loop.state.game
    return {place: [die["face"] for die in verdict["dice"]] for place, verdict in past.seen.items()}


def test_each_throw_has_what_was_seen_of_it(table: Table) -> None:
    table.throw(SIX)
    table.loop.touch(Play(PutAside((1, 1, 5))))
    table.show(Hand({}), Still({}), Hand({}), Still(dice(1, 4, 4, first_cell=9)))
    table.loop.touch(Play(PutAside((1,))))
    assert faces_seen(table) == {0: [1, 1, 5, 3, 2, 6], 2: [1, 4, 4]}


def test_a_misroll_is_seen_as_well(table: Table) -> None:
    table.throw({**SIX, 20: TILTED} | {5: TILTED})
    assert [*faces_seen(table)] == [0]
    assert read(table).seen[0]["verdict"] == "misroll"


def test_what_is_not_sure_belongs_to_no_throw_until_it_counts(table: Table) -> None:
    table.throw(SIX)
    table.loop.touch(Play(PutAside((1, 1, 5))))
    table.show(Hand({}), Still({}), Hand({}), Still(dice(1, 4, UNREADABLE, first_cell=9), 3.0))
    assert [*faces_seen(table)] == [0]
    table.loop.touch(CorrectDie(2, 6))
    table.loop.touch(Confirm())
    assert faces_seen(table) == {0: [1, 1, 5, 3, 2, 6], 2: [1, 4, None]}


def test_a_throw_that_was_taken_back_leaves_nothing_to_the_next_one(table: Table) -> None:
    table.throw(SIX)
    table.loop.touch(Undo())
    assert faces_seen(table) == {}
    table.loop.touch(EnterThrow((1, 1, 5, 3, 2, 6)))
    assert faces_seen(table) == {}


def test_a_corrected_throw_keeps_its_picture(table: Table) -> None:
    table.throw(SIX)
    table.loop.touch(CorrectDie(3, 1))
    assert faces_seen(table) == {0: [1, 1, 5, 3, 2, 6]}


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32))
def test_what_is_read_of_any_game_is_as_it_was_told(seed: int) -> None:
    texts: list[str] = []
    watch = ScriptedWatch()
    loop = TableLoop(
        first_game(),
        watch,
        keep=lambda before, after, told: texts.append(change_text(before.game.log, after, told)),
    )
    table = ScriptedTable(loop, watch, seed)
    for number in range(30):
        if loop.state.game.over:
            break
        table.change(number)
        game, seen = read_throws(first_game(), texts)
        assert game == loop.state.game
        assert all(game.log[place].kind in ("throw", "misroll", "knock") for place in seen)
        assert all(verdict_record(verdict_of(verdict)) == verdict for verdict in seen.values())
        lying = loop.state.lying
        if lying is not None and lying.verdict is not None and lying.counted:
            stored = json.loads(json.dumps(verdict_record(lying.verdict)))
            assert stored == seen[max(seen)]


def test_games_in_which_nothing_happened_are_left_out_and_the_latest_comes_first(tmp_path: Path) -> None:
    store = GameDatabase(tmp_path / "games.sqlite")
    for day in (1, 2, 3):
        begun = Row(f"2026-01-0{day}", start_text(first_game()), begins=True)
        store.write([begun, Row("a", '{"actions":[]}')], None)
    store.write([Row("b", THROWN), Row("c", '{"actions":[]}')], 3)
    store.write([Row("d", THROWN)], 1)
    assert [(game.number, game.begun, game.until) for game in store.played()] == [
        (3, "2026-01-03", "c"),
        (1, "2026-01-01", "d"),
    ]
    store.close()


def test_a_game_is_told_as_it_stood_when_it_was_listed(table: Table) -> None:
    past = PastGames(table.journal.reading)
    table.loop.touch(EnterThrow((1, 1, 5, 3, 2, 6)))
    (before,) = past.played()
    table.loop.touch(Play(PutAside((1, 1, 5))))
    assert len(past.game(before).game.log) == 1
    (after,) = past.played()
    assert len(past.game(after).game.log) == 2
    assert past.game(after) is past.game(after)


def test_what_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    store = GameDatabase(path)
    store.write([Row("a", start_text(first_game()), begins=True), Row("b", THROWN)], None)
    store.close()
    with past_games_in(path) as past:
        with pytest.raises(StoredGameError, match="cannot be read"):
            past.numbered(1)
        with pytest.raises(StoredGameError, match="found no game 7"):
            past.numbered(7)
    with pytest.raises(StoreError, match="found no file"), past_games_in(tmp_path / "none"):
        pass


class Writer:
    """Writes rows of numbers as the table does: a lock on the file, and a log that is added to."""

    def __init__(self, path: Path) -> None:
        store = GameDatabase(path)
        store.write([Row("a", start_text(first_game()), begins=True)], None)
        store.close()
        self.raw = sqlite3.connect(path, isolation_level=None)
        self.raw.execute("PRAGMA locking_mode = EXCLUSIVE")
        self.raw.execute("PRAGMA journal_mode = WAL")
        self.raw.execute("PRAGMA wal_autocheckpoint = 0")
        self.number = 0

    def write(self, rows: int) -> None:
        for _ in range(rows):
            self.number += 1
            self.raw.execute(
                "INSERT INTO changes (game, at, body) VALUES (1, 'now', ?)", (str(self.number) * 900,)
            )

    def write_into_the_file(self) -> None:
        self.raw.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def begin_the_log_anew(self) -> None:
        self.write_into_the_file()
        self.write(3)


MEANWHILE: dict[str, Callable[[Writer], object]] = {
    "nothing": lambda writer: None,
    "more is written": lambda writer: writer.write(5),
    "the log is written into the file": Writer.write_into_the_file,
    "and begun anew": Writer.begin_the_log_anew,
}


@pytest.mark.parametrize("meanwhile", MEANWHILE)
@pytest.mark.parametrize("moment", [0, 1, 2])
def test_a_copy_is_whole_whatever_is_written_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, meanwhile: str, moment: int
) -> None:
    """The log is 40 rows long, the file 20; it happens within the copying of either, or between them."""
    path = tmp_path / "games.sqlite"
    writer = Writer(path)
    writer.write(20)
    writer.write_into_the_file()
    writer.write(40)
    copies = 0

    def copy(source: Path, target: Path) -> None:
        nonlocal copies
        copies += 1
        data, begun = bytearray(source.read_bytes()), copies == (1 if moment < 2 else 2)
        if begun and moment != 1:
            MEANWHILE[meanwhile](writer)
            now = source.read_bytes()
            data[len(data) // 2 :] = now[len(data) // 2 :]
        target.write_bytes(data)
        if begun and moment == 1:
            MEANWHILE[meanwhile](writer)

    monkeypatch.setattr(database.shutil, "copyfile", copy)
    with copy_of(path) as copied:
        bodies = copied.changes(1)
        copied.close()
        with contextlib.closing(sqlite3.connect(copied.path)) as raw:
            assert raw.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert bodies == [str(number) * 900 for number in range(1, len(bodies) + 1)]
    assert 60 <= len(bodies) <= writer.number
    writer.raw.close()


def test_a_log_that_never_rests_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "games.sqlite"
    writer = Writer(path)

    def copy(source: Path, target: Path) -> None:
        target.write_bytes(source.read_bytes())
        writer.begin_the_log_anew()

    monkeypatch.setattr(database, "COPYING_TRIES", 3)
    monkeypatch.setattr(database.shutil, "copyfile", copy)
    with pytest.raises(StoreError, match="too fast"), copy_of(path):
        pass
    writer.raw.close()


def test_the_table_goes_on_while_its_games_are_read(table: Table) -> None:
    table.turn()
    with past_games_in(table.journal.path) as past:
        table.loop.touch(EnterThrow((1, 1)))
        (stored,) = past.played()
        assert len(past.game(stored).game.log) == 4
    assert table.journal.fault is None
    assert table.complaints == []
