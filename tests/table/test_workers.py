"""The same work wherever it is done: here, in processes, on a cluster; the same lines in the same order."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import table.workers
from table.cli import main
from table.errors import LostWorkerError, SchedulerError
from table.workers import Workers, add_workers_arguments, chosen_workers, in_order, opened_workers
from tests.table.staging import dice, write_clip

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "table" / "demo"


def squared(number: int) -> int:
    return number * number


def picky(number: int) -> int:
    if number == 2:
        raise ValueError("not two")
    return number


def killed(number: int) -> int:
    if number == 1:
        os._exit(9)
    return number


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """The address of a scheduler with two workers."""
    distributed = pytest.importorskip("distributed", reason="needs dask[distributed] of the cluster extra")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as two:
        yield two.scheduler_address


@given(st.permutations(range(12)))
def test_what_comes_as_it_is_done_is_put_back_in_order(places: list[int]) -> None:
    assert list(in_order((place, f"result {place}") for place in places)) == [
        f"result {n}" for n in range(12)
    ]


def test_nothing_waits_longer_than_it_must() -> None:
    taken: list[int] = []

    def done() -> Iterator[tuple[int, int]]:
        for place in (1, 0, 2):
            taken.append(place)
            yield place, place

    ordered = in_order(done())
    assert next(ordered) == 0
    assert taken == [1, 0]


def test_one_by_one_is_done_here_and_only_when_asked_for() -> None:
    with opened_workers(1) as workers:
        assert workers.here
        done = workers.as_done(os.path.join, [])
        assert list(done) == []
        assert next(Workers().as_done(picky, [1, 2])) == (0, 1)


def test_processes_do_all_of_it() -> None:
    with opened_workers(2) as workers:
        assert not workers.here
        assert list(in_order(workers.as_done(squared, range(20)))) == [n * n for n in range(20)]


def test_what_a_task_raises_is_raised_and_the_rest_is_not_done() -> None:
    for count in (1, 2):
        with opened_workers(count) as workers, pytest.raises(ValueError, match="not two"):
            list(workers.as_done(picky, range(4)))


def test_a_process_that_dies_is_one_line() -> None:
    with opened_workers(2) as workers, pytest.raises(LostWorkerError, match="killed or out of memory"):
        list(workers.as_done(killed, range(4)))


def test_a_cluster_does_all_of_it(cluster: str) -> None:
    with opened_workers(1, cluster) as workers:
        assert list(in_order(workers.as_done(squared, range(20)))) == [n * n for n in range(20)]
        with pytest.raises(ValueError, match="not two"):
            list(workers.as_done(picky, range(4)))


def test_a_cluster_that_does_not_answer_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed", reason="needs dask[distributed] of the cluster extra")
    monkeypatch.setattr(table.workers, "ANSWER_S", 1)
    with (
        pytest.raises(SchedulerError, match="no Dask scheduler answers"),
        opened_workers(1, "tcp://127.0.0.1:9"),
    ):
        pass


def test_a_cluster_without_dask_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert main(["replay", str(DEMO / "demo.mp4"), "--scheduler", "tcp://127.0.0.1:9"]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert "pip install 'titusind[cluster]'" in said.err


@pytest.mark.parametrize(
    ("words", "tasks", "here"),
    [([], 3, True), ([], 40, False), (["--workers", "2"], 3, False), (["--workers", "2"], 1, True)],
)
def test_a_process_is_started_where_it_is_worth_it_or_asked_for(
    words: list[str], tasks: int, here: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table.workers, "usable_cores", lambda: 4)
    parser = argparse.ArgumentParser()
    add_workers_arguments(parser)
    with chosen_workers(parser.parse_args(words), tasks) as workers:
        assert workers.here is here


@pytest.mark.parametrize("command", ["replay", "evaluate"])
def test_processes_or_a_cluster_not_both(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main([command, "x", "--workers", "2", "--scheduler", "tcp://127.0.0.1:9"])
    assert stop.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


def said_by(*arguments: str) -> tuple[int, bytes, list[bytes]]:
    """Exit code, standard output, and the lines of standard error that are no progress."""
    command = [sys.executable, "-m", "table.cli", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    errors = [line for line in done.stderr.splitlines() if not line.startswith(b"clips [")]
    return done.returncode, done.stdout, errors


@pytest.fixture(scope="module")
def clips(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Clips of different lengths, and two that cannot be played."""
    folder = tmp_path_factory.mktemp("clips")
    (folder / "broken.mp4").write_bytes(b"no clip")
    gone, broken = (str(folder / name) for name in ("gone.mp4", "broken.mp4"))
    short, long = write_clip(folder / "short.mkv"), write_clip(folder / "long.mkv", dice(1), dice(2))
    return [str(DEMO / "demo.mp4"), gone, short, broken, long]


@pytest.fixture(scope="module")
def alone(clips: list[str]) -> tuple[int, bytes, list[bytes]]:
    return said_by("replay", *clips, "--json", "--workers", "1")


def test_replay_says_the_same_in_processes(clips: list[str], alone: tuple[int, bytes, list[bytes]]) -> None:
    assert alone[0] == 1
    assert alone[1].count(b'"event":"throw_settled"') >= 3
    assert len(alone[2]) == 2
    assert said_by("replay", *clips, "--json", "--workers", "2") == alone


def test_replay_says_the_same_on_a_cluster(
    clips: list[str], alone: tuple[int, bytes, list[bytes]], cluster: str
) -> None:
    assert said_by("replay", *clips, "--json", "--scheduler", cluster) == alone
