"""The store of games: what is written before it is shown, read back, and refused."""

from __future__ import annotations

import contextlib
import hashlib
import json
import sqlite3
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from benchmarks.survival import ScriptedTable, ScriptedWatch, fingerprint, first_game, kill_again_and_again
from scoring.actions import Bank, PutAside, Throw
from scoring.game import Game, apply, new_game
from scoring.ruleset import load_preset, with_overrides
from table.errors import StoreError, StoreRefusedError
from table.events import TableEvent, Wait
from table.loop import TableLoop
from table.state import LyingThrow, Step, TableState
from table.store import database
from table.store.database import GameDatabase, Row
from table.store.journal import Journal
from table.store.records import change_text, read_game, read_start, stands, start_text
from table.throw_watch import ThrowWatch
from table.touches import BeginGame, Confirm, EnterThrow, NewGame, Play, Undo
from tests.table.staging import UNREADABLE, Hand, Still, dice, frames, staged_judge
from tests.table.storing import Table, stored

ROOT = Path(__file__).parents[2]
SIX = dice(1, 1, 5, 3, 2, 6)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a" / "games.sqlite"


def test_a_change_is_kept_before_it_is_shown() -> None:
    kept: list[tuple[int, int, tuple[TableEvent, ...]]] = []

    def keep(before: TableState, after: TableState, events: tuple[TableEvent, ...]) -> None:
        assert loop.state is before
        kept.append((before.version, after.version, events))

    loop = TableLoop(first_game(), ThrowWatch(judge=staged_judge), keep=keep)
    shown = [loop.begin()]
    shown += [loop.step(frame) for frame in frames(Still({}), Hand({}), Still(SIX))]
    shown += [loop.touch(touch) for touch in (Play(PutAside((1, 1, 5))), Undo(), Undo(), Confirm())]
    assert [event for _, _, events in kept for event in events] == [event for told in shown for event in told]
    assert [after for _, after, _ in kept] == list(range(1, loop.state.version + 1))


def test_no_part_of_a_state_is_forgotten_by_those_who_add_one() -> None:
    """A new field must be written by table.store.records, or be one that camera or loop tell anew."""
    told_anew = {"view", "events", "version", "games", "kept_as"}
    record = json.loads(change_text((), TableState(first_game(), LyingThrow((1,))), ()))
    assert {each.name for each in fields(TableState)} - told_anew == {
        *("game", "lying", "wait", "steps"),
        *("left", "assumed", "sides"),
    }
    assert {each.name for each in fields(Step)} == {"name", "game", "lying", "wait"}
    assert {each.name for each in fields(LyingThrow)} == record["lying"].keys()
    assert {each.name for each in fields(Wait)} == {"kind", "detail"}


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32))
@example(17779)  # six dice come back after a banking that ends the game
def test_after_every_change_the_game_is_read_back_as_it_stands(seed: int) -> None:
    texts: list[str] = []

    def keep(before: TableState, after: TableState, events: Iterable[TableEvent]) -> None:
        texts.append(change_text(before.game.log, after, events))

    watch = ScriptedWatch()
    table = ScriptedTable(TableLoop(first_game(), watch, keep=keep), watch, seed)
    for number in range(25):
        if table.loop.state.game.over:
            break
        table.change(number)
        again = read_game(read_start(start_text(first_game())), texts)
        assert fingerprint(again) == fingerprint(table.loop.state)


def test_what_was_lifted_out_and_what_was_assumed_is_read_back() -> None:
    thrown = apply(first_game(), Throw((1, 1, 2, 3, 5, 6)))[0]
    banked = apply(apply(thrown, PutAside((1, 1, 5), "seen"))[0], Bank())[0]
    state = TableState(banked, left=((1, 2, 3, 5, 6), (2, 3, 5, 6)), assumed=thrown)
    again = read_game(read_start(start_text(first_game())), [change_text((), state, ())])
    assert stands(again) == stands(state)


def test_a_game_taken_up_again_plays_on_as_if_nothing_had_been(path: Path) -> None:
    watch = ScriptedWatch()
    whole = ScriptedTable(TableLoop(first_game(), watch), watch, 7)
    for number in range(40):
        journal, ours = Journal(GameDatabase(path), pytest.fail), ScriptedWatch()
        loop = TableLoop(journal.resume(first_game()).state or first_game(), ours, keep=journal.keep)
        loop.begin()
        expected = [event.record() for event in whole.change(number)]
        assert [event.record() for event in ScriptedTable(loop, ours, 7).change(number)] == expected
        journal.close()


def test_twenty_kills_lose_nothing_that_was_shown(tmp_path: Path) -> None:
    found = kill_again_and_again(tmp_path, kills=20, seed=2)
    assert found.kills == 20
    assert found.changes > 20  # the kills came while it played


def test_dice_that_still_lie_are_not_counted_again(path: Path) -> None:
    table = Table(path)
    table.throw(SIX)
    table.loop.touch(Play(PutAside((1, 1, 5))))
    left = {3: 3, 4: 2, 5: 6}
    again = table.again(path)
    assert [event.name for event in again.told] == ["turn_started"]
    assert again.show(Still(left)) == []
    assert again.loop.state.game == table.loop.state.game
    assert "options" in [event.name for event in again.show(Hand(left), Still(dice(1, 2, 3, first_cell=9)))]


def test_dice_of_a_game_that_is_over_are_no_throw_of_the_next(path: Path) -> None:
    table = Table(path)
    table.throw(SIX)
    table.journal.close()
    assert Table(path, anew=True).show(Still(SIX)) == []


def test_what_waited_for_an_answer_waits_again(path: Path) -> None:
    table = Table(path)
    table.throw(dice(1, 1, UNREADABLE, 3, 2, 6))
    again = table.again(path)
    assert [event.name for event in again.told] == ["turn_started", "paused"]
    assert fingerprint(again.loop.state) == fingerprint(table.loop.state)


def test_an_undo_is_one_more_row_and_takes_none_away(path: Path) -> None:
    table = Table(path)
    table.turn()
    rows = 1 + 4
    table.loop.touch(Undo())
    table.loop.touch(Undo())
    again = table.again(path)
    assert len(again.loop.state.game.log) == 2
    again.journal.close()
    changes = stored(path)
    assert len(changes) == rows + 2 + 1
    assert [(each["keep"], len(each["actions"])) for each in changes[rows:]] == [(3, 0), (2, 0), (2, 0)]


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM changes",
        "UPDATE changes SET body = ''",
        "DELETE FROM games",
        "UPDATE games SET start = ''",
    ],
)
def test_nothing_stored_is_ever_changed(path: Path, statement: str) -> None:
    Table(path).journal.close()
    with (
        contextlib.closing(sqlite3.connect(path)) as raw,
        pytest.raises(sqlite3.IntegrityError, match="ever"),
    ):
        raw.execute(statement)


def test_every_commit_is_synced(path: Path) -> None:
    pragmas: dict[str, object] = {}

    def connect(*arguments: object, **options: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = sqlite3.connect(*arguments, **options)
        made.append(connection)
        return connection

    made: list[sqlite3.Connection] = []
    Table(path, connect)
    for name in ("journal_mode", "synchronous"):
        pragmas[name] = made[0].execute(f"PRAGMA {name}").fetchone()[0]
    assert pragmas == {"journal_mode": "wal", "synchronous": 2}


def test_a_finished_game_is_followed_by_a_new_one_and_other_players_have_their_own(path: Path) -> None:
    rules = with_overrides(load_preset("danish"), {"target": "1000", "opening": "0", "end": "first"})
    journal = Journal(GameDatabase(path), pytest.fail)
    loop = TableLoop(new_game(rules, ("Ada", "Bo")), ThrowWatch(), keep=journal.keep)
    for touch in (EnterThrow((1, 1, 1, 2, 3, 4)), Play(PutAside((1, 1, 1))), Play(Bank())):
        loop.touch(touch)
    assert loop.state.game.over
    journal.close()
    assert found_for(path, new_game(rules, ("Ada", "Bo"))) is None
    journal = Journal(GameDatabase(path), pytest.fail)
    loop = TableLoop(loop.state, ThrowWatch(), keep=journal.keep)
    loop.touch(NewGame())
    loop.touch(EnterThrow((1, 1, 1, 2, 3, 4)))
    journal.close()
    assert found_for(path, new_game(rules, ("Ada", "Bo"))) == loop.state.game
    assert found_for(path, new_game(rules, ("Bo", "Ada"))) is None
    assert found_for(path, new_game(load_preset("danish"), ("Ada", "Bo"))) is None


def test_an_abandoned_game_is_not_taken_up_after_the_one_that_followed(path: Path) -> None:
    table = Table(path)
    table.turn()
    table.journal.close()
    anew = Table(path, anew=True)
    assert anew.loop.state.game.log == ()
    anew.loop.touch(EnterThrow((2, 2, 2, 3, 4, 6)))
    assert anew.again(path).loop.state.game == anew.loop.state.game


def found_for(path: Path, game: Game) -> Game | None:
    journal = Journal(GameDatabase(path), pytest.fail)
    state = journal.resume(game).state
    journal.close()
    return None if state is None else state.game


def refusal(path: Path) -> str:
    """What is said of a file that must not be touched, which it is not."""
    before = hashlib.sha256(path.read_bytes()).digest() if path.is_file() else b""
    with pytest.raises(StoreRefusedError) as refused:
        Table(path)
    assert before == (hashlib.sha256(path.read_bytes()).digest() if path.is_file() else b"")
    said = str(refused.value)
    assert "\n" not in said
    assert str(path) in said
    assert "accepted" in said
    return said


def test_a_newer_version_is_refused_and_left_as_it_is(path: Path) -> None:
    Table(path).journal.close()
    with contextlib.closing(sqlite3.connect(path)) as raw:
        raw.execute("PRAGMA user_version = 7")
    assert "found version 7, a newer titusind's" in refusal(path)


def test_what_is_no_file_of_games_is_refused(tmp_path: Path) -> None:
    text, other, folder = tmp_path / "a.txt", tmp_path / "other.sqlite", tmp_path / "folder"
    text.write_text("shopping: dice\n" * 400)
    with contextlib.closing(sqlite3.connect(other)) as raw:
        raw.execute("CREATE TABLE cake (slice)")
    folder.mkdir()
    assert "no file of games" in refusal(text)
    assert "another program's database" in refusal(other)
    assert "found a folder" in refusal(folder)


def test_a_damaged_file_is_refused(path: Path) -> None:
    table = Table(path)
    for _ in range(10):
        table.turn()
        table.loop.touch(Play(Bank()))
    table.journal.close()
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\xa5" * (len(whole) - 4096))
    assert "damaged" in refusal(path)


def test_a_file_in_use_by_another_process_is_refused(path: Path) -> None:
    table = Table(path)
    table.turn()
    look = "import sys, pathlib, table.store.database as d; d.GameDatabase(pathlib.Path(sys.argv[1])).games()"
    second = subprocess.run(
        [sys.executable, "-c", look, str(path)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert "in use by another titusind" in second.stderr.splitlines()[-1]
    table.loop.touch(Play(Bank()))
    assert table.complaints == []


def test_an_older_schema_is_brought_up_to_date_with_all_its_games(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(path)
    table.turn()
    table.journal.close()
    newer = (*database.MIGRATIONS, ("ALTER TABLE games ADD COLUMN place TEXT NOT NULL DEFAULT 'home'",))
    monkeypatch.setattr(database, "MIGRATIONS", newer)
    assert Table(path).again(path).loop.state.game == table.loop.state.game


def test_a_migration_that_fails_changes_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(path)
    table.turn()
    table.journal.close()
    works = database.MIGRATIONS
    monkeypatch.setattr(
        database, "MIGRATIONS", (*works, ("ALTER TABLE games ADD COLUMN place TEXT", "no SQL at all"))
    )
    with pytest.raises(StoreError, match="syntax"):
        GameDatabase(path).games()
    monkeypatch.setattr(database, "MIGRATIONS", works)
    assert Table(path).loop.state.game == table.loop.state.game


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("{", "Expecting"),
        ('{"format":2}', "format 2; accepted is 1"),
        ('{"format":1,"events":[]}', "no 'keep'"),
        ('{"format":1,"keep":99,"actions":[]}', "keeps 99 of 1 actions"),
        (
            '{"format":1,"keep":1,"actions":[{"action":"bank"}],"lying":null,"wait":null,"steps":[]}',
            "banking",
        ),
    ],
)
def test_a_game_that_cannot_be_read_stays_stored_and_a_new_one_begins(
    path: Path, body: str, says: str
) -> None:
    table = Table(path)
    table.loop.touch(EnterThrow((1, 1, 5, 3, 2, 6)))
    table.journal.close()
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as raw:
        raw.execute("INSERT INTO changes (game, at, body) VALUES (1, '', ?)", (body,))
    again = Table(path)
    assert again.loop.state.game.log == ()
    assert len(again.complaints) == 1
    assert says in again.complaints[0]
    assert "stays stored" in again.complaints[0]


def test_rows_are_written_together_or_not_at_all(path: Path) -> None:
    games = GameDatabase(path)
    with pytest.raises(StoreError, match="NOT NULL"):
        games.write([Row("now", "{}", begins=True), Row("now", None)], None)  # type: ignore[arg-type]
    assert games.games() == []
    assert games.write([Row("now", "{}", begins=True), Row("now", "{}")], None) == 1
    games.close()


def test_the_same_players_begin_the_same_game_again_in_the_midst_of_one(path: Path) -> None:
    table = Table(path)
    table.turn()
    left = table.loop.state.game
    table.loop.touch(BeginGame(first_game()))
    begun = table.loop.state.game
    assert begun == first_game()
    again = table.again(path)
    assert again.loop.state.game == begun
    again.turn()
    table = again.again(path)
    assert table.loop.state.game == again.loop.state.game
    table.journal.close()
    file = GameDatabase(path)
    second, first = [
        read_game(read_start(game.start), file.changes(game.number)).game for game in file.games()
    ]
    assert (first, second) == (left, table.loop.state.game)
    file.close()


def test_without_a_word_the_latest_game_goes_on_whoever_plays(path: Path) -> None:
    table = Table(path)
    table.turn()
    others = new_game(load_preset("norwegian"), ("Eva", "Ib", "Åse"), 2)
    table.loop.touch(BeginGame(others))
    table.loop.touch(EnterThrow((1, 2, 3, 4, 5, 6)))
    table.journal.close()
    journal = Journal(GameDatabase(path), pytest.fail)
    found = journal.resume()
    assert found.state is not None
    assert (found.state.game, found.latest) == (table.loop.state.game, others)
    assert journal.resumed
    journal.close()


def test_players_of_games_in_which_something_happened_are_known(path: Path) -> None:
    table = Table(path).again(path)
    assert table.journal.players() == ()
    table.turn()
    for players in (("Bo", "Eva"), ("Åse", "Ib"), ("Nobody", "Ever")):
        table.loop.touch(BeginGame(new_game(load_preset("danish"), players)))
        if "Nobody" not in players:
            table.loop.touch(EnterThrow((1, 2, 3, 4, 5, 6)))
    assert table.journal.players() == ("Åse", "Ib", "Bo", "Eva", "Ada")
    table.journal.close()
