"""Where rigs are made: here one by one, on this machine's cores, or on a Dask cluster."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from importlib import import_module
from typing import Any

from datasets.rig_maker import MadeRig, Order

Maker = Callable[[Order, int], MadeRig]
Outcome = tuple[int, MadeRig | ValueError]
TASKS_PER_PROCESS = 40  # renderers keep what they once compiled: a fresh process now and then frees it


class SchedulerError(RuntimeError):
    """The cluster cannot be reached, or Dask is not installed."""


def in_turn(maker: Maker, order: Order, numbers: Sequence[int]) -> Iterator[Outcome]:
    """Make the rigs in this process, in order."""
    for number in numbers:
        try:
            made: MadeRig | ValueError = maker(order, number)
        except ValueError as error:
            made = error
        yield number, made


def on_cores(maker: Maker, order: Order, numbers: Sequence[int], workers: int) -> Iterator[Outcome]:
    """Make the rigs in `workers` processes; they come as they are done."""
    fresh = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=fresh, max_tasks_per_child=TASKS_PER_PROCESS) as pool:
        futures = {pool.submit(maker, order, number): number for number in numbers}
        try:
            for future in as_completed(futures):
                yield futures[future], _outcome(future)
        finally:
            pool.shutdown(cancel_futures=True)


def on_cluster(maker: Maker, order: Order, numbers: Sequence[int], address: str) -> Iterator[Outcome]:
    """Make the rigs on the Dask cluster whose scheduler is at `address`, like tcp://192.168.0.2:8786.

    The files travel back as bytes: the machines need the program, but no common folder.
    Raises SchedulerError.
    """
    try:
        distributed: Any = import_module("distributed")
    except ImportError as error:
        raise SchedulerError("--scheduler needs Dask: pip install 'dask[distributed]'") from error
    try:
        client = distributed.Client(address, timeout="20s")
    except (OSError, ValueError) as error:
        raise SchedulerError(f"--scheduler {address}: no Dask scheduler answers there ({error})") from error
    with client:
        futures = {client.submit(maker, order, number, pure=False): number for number in numbers}
        for future in distributed.as_completed(futures):
            yield futures[future], _outcome(future)
            future.release()


def _outcome(future: Any) -> MadeRig | ValueError:
    """Return what came of a rig; a rig that cannot be made is no reason to stop, anything else is."""
    failed = future.exception()
    if isinstance(failed, ValueError):
        return failed
    made: MadeRig = future.result()
    return made
