"""Games on disks that fail, fill up or turn read-only: nothing shown is lost, and the game goes on."""

from __future__ import annotations

import contextlib
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scoring.actions import Bank
from table.store.journal import RETRY_S
from table.touches import EnterThrow, Play, Undo
from tests.table.storing import Table, stored

ROOT = Path(__file__).parents[2]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a" / "games.sqlite"


class FailingConnection(sqlite3.Connection):
    """A connection to a disk that fails when a test says so."""

    fault: str | None = None

    def execute(self, statement: str, *arguments: Any) -> sqlite3.Cursor:
        if FailingConnection.fault and statement.startswith(FailingConnection.at):
            raise sqlite3.OperationalError(FailingConnection.fault)
        return super().execute(statement, *arguments)

    at = "INSERT INTO changes"


def connect_to_failing(path: Path, **options: Any) -> sqlite3.Connection:
    return sqlite3.connect(path, factory=FailingConnection, **options)


@pytest.fixture(params=["BEGIN", "INSERT INTO changes", "COMMIT"])
def fail(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(FailingConnection, "at", request.param)
    return lambda fault: monkeypatch.setattr(FailingConnection, "fault", fault)


def test_a_disk_that_fails_stops_no_game_and_is_caught_up_with(path: Path, fail: Any) -> None:
    table = Table(path, connect_to_failing)
    fail("database or disk is full")
    table.turn()
    assert table.journal.fault == "database or disk is full"
    assert len(table.complaints) == 1
    assert "cannot be written to disk (database or disk is full); it goes on in memory" in table.complaints[0]
    fail(None)
    table.journal.retry()  # too soon
    assert table.journal.fault is not None
    table.now_s = RETRY_S
    table.journal.retry()
    assert table.journal.fault is None
    assert "written to disk again, nothing is lost" in table.complaints[1]
    table.loop.touch(Play(Bank()))
    again = table.again(path)
    assert again.loop.state.game == table.loop.state.game
    again.journal.close()
    assert len(stored(path)) == 1 + 4 + 1 + 1


def test_the_next_change_tries_the_disk_too(path: Path, fail: Any) -> None:
    table = Table(path, connect_to_failing)
    fail("attempt to write a readonly database")
    table.turn()
    fail(None)
    table.loop.touch(Play(Bank()))
    assert table.journal.fault is None
    assert table.again(path).loop.state.game == table.loop.state.game


def test_what_is_never_written_is_complained_of_in_the_end(path: Path, fail: Any) -> None:
    table = Table(path, connect_to_failing)
    fail("disk I/O error")
    table.turn()
    table.journal.close()
    assert "4 changes of the game are lost: disk I/O error" in table.complaints[-1]


def test_a_folder_that_cannot_be_made_stops_no_game(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    table = Table(tmp_path / "file" / "games.sqlite")
    table.turn()
    assert "cannot be written to disk" in table.complaints[0]
    (tmp_path / "file").unlink()
    table.loop.touch(Play(Bank()))
    assert table.journal.fault is None
    assert table.again(tmp_path / "file" / "games.sqlite").loop.state.game == table.loop.state.game


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 256 KiB."""
    mounted = tmp_path / "disk"
    mounted.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(mounted)]
    try:
        done = subprocess.run(mount, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        pytest.skip("there is no mount")
    if done.returncode:
        pytest.skip(f"a file system cannot be mounted here: {done.stderr.strip()}")
    yield mounted
    subprocess.run(["umount", "--lazy", str(mounted)], check=True)


def test_a_real_disk_that_fills_up(small_disk: Path) -> None:
    path, filler = small_disk / "games.sqlite", small_disk / "filler"
    table = Table(path)
    table.turn()
    with filler.open("wb", buffering=0) as full, contextlib.suppress(OSError):
        while True:
            full.write(b"x" * 512)
    while table.journal.fault is None:  # SQLite has a little room left
        table.loop.touch(Undo())
        table.turn_again()
    assert "full" in table.complaints[0]
    for _ in range(3):
        table.loop.touch(Undo())
        table.turn_again()
    filler.unlink()
    table.loop.touch(Play(Bank()))
    assert "nothing is lost" in table.complaints[-1]
    assert table.again(path).loop.state.game == table.loop.state.game


def test_a_disk_that_is_full_from_the_start(small_disk: Path) -> None:
    path, filler = small_disk / "games.sqlite", small_disk / "filler"
    with filler.open("wb", buffering=0) as full, contextlib.suppress(OSError):
        while True:
            full.write(b"x" * 512)
    table = Table(path)
    table.turn()
    assert "full" in table.complaints[0]
    filler.unlink()
    table.loop.touch(Play(Bank()))
    assert table.again(path).loop.state.game == table.loop.state.game


@pytest.mark.parametrize("killed", [True, False])
def test_a_real_disk_that_turned_read_only_still_gives_the_game_back(small_disk: Path, killed: bool) -> None:
    path = small_disk / "games.sqlite"
    game = play_and_leave(path, killed=killed)
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    table = Table(path)
    assert repr(table.loop.state.game) == game
    assert len(table.complaints) == 1
    table.loop.touch(Play(Bank()))
    assert table.journal.fault is not None
    subprocess.run(["mount", "-o", "remount,rw", str(small_disk)], check=True)
    table.loop.touch(EnterThrow((1, 1, 1, 2, 3, 4)))
    assert table.journal.fault is None
    assert table.again(path).loop.state.game == table.loop.state.game


def play_and_leave(path: Path, *, killed: bool) -> str:
    """Play a turn in a process that closes the file or is killed; the game as it saw it."""
    lines = (
        "import os, sys; from pathlib import Path; from tests.table.storing import Table",
        "table = Table(Path(sys.argv[1])); table.turn(); print(repr(table.loop.state.game), flush=True)",
        "os.kill(os.getpid(), 9)" if killed else "table.journal.close()",
    )
    player = [sys.executable, "-c", "\n".join(lines), str(path)]
    return subprocess.run(player, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()
