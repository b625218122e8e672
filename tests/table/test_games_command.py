"""`titusind games`: what is kept is listed, told and written, also while the table plays."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.survival import first_game
from table.cli import main
from table.store.database import GameDatabase, Row
from table.store.records import start_text
from table.touches import EnterThrow
from tests.table.storing import Table

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Two games, of which the latter is still played."""
    path = tmp_path / "games.sqlite"
    for _ in range(2):
        table = Table(path, anew=True)
        table.turn()
        table.journal.close()
    return path


@pytest.fixture
def run(path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*words: str) -> tuple[int, str, str]:
        code = main(["games", "--games", str(path), *words])
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


def test_games_are_listed_the_latest_first(run: Run) -> None:
    code, out, err = run()
    assert (code, err) == (0, "")
    assert [line.split()[0] for line in out.splitlines()] == ["2", "1"]
    assert all("not over" in line for line in out.splitlines())


def test_a_game_is_told_turn_by_turn(run: Run) -> None:
    code, out, _ = run("1")
    assert code == 0
    assert "1-1-2-3-5-6 takes 1-1-5, 1-2-3 takes 1" in out


def test_json_is_an_object_a_game_and_nothing_else(run: Run) -> None:
    code, out, _ = run("--json", "2", "1")
    told = [json.loads(line) for line in out.splitlines()]
    assert (code, [each["game"] for each in told]) == (0, [2, 1])
    assert told[0]["turns"][0]["throws"][0]["faces"] == [1, 1, 2, 3, 5, 6]


def test_csv_is_printed_or_written(run: Run, tmp_path: Path) -> None:
    _, out, _ = run("--csv", "-")
    code, nothing, _ = run("--csv", str(tmp_path / "games.csv"))
    assert (code, nothing) == (0, "")
    assert (tmp_path / "games.csv").read_text("utf-8-sig").splitlines() == out.splitlines()
    assert len(out.splitlines()) == 5


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["7", "--json"], "found no game 7; accepted: 1 of 1, 2"),
        (["--csv", "/nowhere/x.csv"], "--csv /nowhere/x.csv: cannot be written"),
        (["--games", "/nowhere/games.sqlite"], "/nowhere/games.sqlite: found no file"),
    ],
)
def test_what_fails_is_one_line(run: Run, words: list[str], why: str) -> None:
    code, _, err = run(*words)
    assert (code, err.count("\n")) == (1, 1)
    assert why in err


def test_a_game_that_cannot_be_read_is_named_and_the_others_are_told(run: Run, path: Path) -> None:
    store = GameDatabase(path)
    store.write([Row("c", start_text(first_game()), begins=True), Row("d", '{"actions":[{}]}')], None)
    store.close()
    code, out, err = run("--json")
    assert (code, [json.loads(line)["game"] for line in out.splitlines()]) == (1, [2, 1])
    assert err.startswith("titusind: game 3: what is stored of it cannot be read")


@pytest.mark.parametrize("words", [["0"], ["two"], ["--csv", ""], ["--json", "--csv", "x"]])
def test_wrong_usage_is_one_line(run: Run, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        run(*words)
    assert (stop.value.code, capsys.readouterr().err.count("\n")) == (2, 1)


def test_the_table_plays_on_meanwhile(run: Run, path: Path) -> None:
    table = Table(path)
    assert run()[0] == 0
    table.loop.touch(EnterThrow((1, 1)))
    assert (table.journal.fault, table.complaints) == (None, [])
    table.journal.close()
