"""Where many like tasks are done: here one by one, in processes on this machine, or on a Dask cluster.

A task is a function of its item alone, both of which can be sent to another process, so that what comes of it
is the same wherever it is done. Dask comes in here alone, and only when a cluster is named.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from importlib import import_module
from typing import Any, TypeVar

from table.command_line import EXIT_FAILED, EXIT_USAGE
from table.errors import LostWorkerError, SchedulerError
from table.output import complain

Item = TypeVar("Item")
Result = TypeVar("Result")

LEAST_EACH = 4  # tasks: for fewer a process is not worth its start
ANSWER_S = 20  # within which a cluster must answer and have a worker


class Workers:
    """Does tasks by an `executor`; without one in this process, one by one."""

    def __init__(self, executor: Executor | None = None) -> None:
        self._executor = executor

    @property
    def here(self) -> bool:
        """Whether tasks are done in this process, one by one."""
        return self._executor is None

    def as_done(self, task: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[tuple[int, Result]]:
        """Yield what comes of each item as it is done, with the item's place.

        What a task raises is raised here; LostWorkerError when a process ended without an answer.
        """
        if self._executor is None:
            for place, item in enumerate(items):
                yield place, task(item)
            return
        places = {self._executor.submit(task, item): place for place, item in enumerate(items)}
        try:
            for future in as_completed(list(places)):
                yield places.pop(future), future.result()
        except BrokenExecutor as error:
            found = "a process ended before its work was done, killed or out of memory"
            raise LostWorkerError(f"{found}; accepted are fewer, --workers N") from error
        finally:
            for future in places:
                future.cancel()


def in_order(done: Iterable[tuple[int, Result]]) -> Iterator[Result]:
    """Put what comes as it is done back in the order of the places, from 0; each as soon as it can be."""
    early: dict[int, Result] = {}
    following = 0
    for place, result in done:
        early[place] = result
        while following in early:
            yield early.pop(following)
            following += 1


def add_workers_arguments(parser: argparse.ArgumentParser) -> None:
    """Add `--workers N` and `--scheduler tcp://HOST:PORT`, of which one may be given."""
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--workers",
        type=_positive,
        metavar="N",
        help="processes to work in (default: one a core, if worth it)",
    )
    where.add_argument(
        "--scheduler", metavar="tcp://HOST:PORT", help="work on a Dask cluster; files must be there too"
    )


def with_workers(args: argparse.Namespace, tasks: int, work: Callable[[Workers], int]) -> int:
    """Do `work` of so many `tasks` with the workers the arguments choose; return its exit code.

    Without a cluster where one is asked for that is 2, when workers were lost 1; both are complained of.
    """
    try:
        with chosen_workers(args, tasks) as workers:
            return work(workers)
    except SchedulerError as error:
        complain(error)
        return EXIT_USAGE
    except LostWorkerError as error:
        complain(error)
        return EXIT_FAILED


@contextmanager
def chosen_workers(args: argparse.Namespace, tasks: int) -> Iterator[Workers]:
    """Open what the arguments choose for so many `tasks`; raises SchedulerError."""
    most = tasks if args.workers else tasks // LEAST_EACH
    count = min(args.workers or usable_cores(), max(1, most))
    with opened_workers(count, args.scheduler) as workers:
        yield workers


@contextmanager
def opened_workers(
    count: int, scheduler: str | None = None, tasks_per_process: int | None = None
) -> Iterator[Workers]:
    """Open `count` processes, or the Dask cluster whose `scheduler` is named; raises SchedulerError.

    A process is replaced after `tasks_per_process`. What has not begun when this is closed is not done.
    """
    if scheduler is not None:
        with _client(scheduler) as client, client.get_executor(pure=False) as executor:
            yield Workers(executor)
    elif count == 1:
        yield Workers()
    else:
        fresh = multiprocessing.get_context("spawn")  # a forked copy of OpenCV's threads can hang
        with ProcessPoolExecutor(
            count, fresh, initializer=_end_quietly, max_tasks_per_child=tasks_per_process
        ) as pool:
            try:
                yield Workers(pool)
            finally:
                pool.shutdown(cancel_futures=True)


def usable_cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _end_quietly() -> None:
    """Let Ctrl-C, which every process of a terminal gets, end a worker without a traceback."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _client(scheduler: str) -> Any:
    """Return a client of the cluster, once it has a worker."""
    try:
        distributed: Any = import_module("distributed")
    except ImportError as error:
        raise SchedulerError(
            "--scheduler needs Dask, which is not installed: pip install 'titusind[cluster]'"
        ) from error
    try:
        client = distributed.Client(scheduler, timeout=f"{ANSWER_S}s")
    except (OSError, ValueError) as error:
        raise SchedulerError(f"--scheduler {scheduler}: no Dask scheduler answers there ({error})") from error
    try:
        client.wait_for_workers(1, timeout=ANSWER_S)
    except TimeoutError as error:
        client.close()
        found = f"--scheduler {scheduler}: no worker has joined it"
        raise SchedulerError(f"{found}; start `dask worker {scheduler}`") from error
    return client


def _positive(word: str) -> int:
    if not word.isdecimal() or int(word) < 1:
        raise argparse.ArgumentTypeError(f"{word!r}; a number of 1 or more is accepted")
    return int(word)
