"""What both makers' commands share: their options, and making what is missing from a folder."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from datasets.library import Kind, LibraryError, lay_down, open_library, write_manifest, write_sheets
from datasets.progress import Progress
from datasets.renderers import RENDERERS
from datasets.rig_maker import MadeRig, Order
from table.command_line import OneLineParser
from table.errors import SchedulerError
from table.folders import folder_fault
from table.workers import Workers, opened_workers

Maker = Callable[[Order, int], MadeRig]
Outcome = tuple[int, MadeRig | ValueError]

DONE, FAILED, MISUSED = 0, 1, 2
TASKS_PER_PROCESS = 40  # renderers keep what they once compiled: a fresh process now and then frees it


def run(args: argparse.Namespace, order: Order, kind: Kind) -> int:
    """Make what is missing, write manifest and contact sheets, return the exit code."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # a kill is a stop like Ctrl-C
    fault = folder_fault("--out", args.out)
    if fault:
        return _failed(kind, fault, MISUSED)
    try:
        missing = open_library(args.out, order, kind)
    except (LibraryError, OSError) as error:
        return _failed(kind, error, MISUSED)
    try:
        return _make(args, order, kind, missing)
    except ImportError as error:
        return _failed(kind, f"{error}; install what making needs: pip install -e '.[datasets]'", FAILED)
    except (SchedulerError, RuntimeError) as error:
        return _failed(kind, error, FAILED)
    except KeyboardInterrupt:
        return _failed(kind, "stopped; the same command goes on from here", FAILED)
    finally:
        write_manifest(args.out, order, kind)
        write_sheets(args.out, args.sheets, kind)


def _make(args: argparse.Namespace, order: Order, kind: Kind, missing: list[int]) -> int:
    there = order.count - sum(order.pictures_of(number) for number in missing)
    progress = Progress("throws" if order.throws > 1 else kind.noun, order.count, there)
    code = DONE
    if not missing:
        lay_down(args.out, order)  # with another count, perhaps
    for number, made in _outcomes(args, order, kind, missing):
        lay_down(args.out, order)  # not before: what cannot be made here may be with another renderer
        if isinstance(made, ValueError):
            code = _failed(kind, made, FAILED)
            continue
        kind.add(args.out, made)
        progress.step(order.pictures_of(number))
    return code


def _outcomes(args: argparse.Namespace, order: Order, kind: Kind, missing: list[int]) -> Iterator[Outcome]:
    maker = partial(kind.make, threads=args.threads)
    with opened_workers(args.workers, args.scheduler, TASKS_PER_PROCESS) as workers:
        yield from outcomes(workers, maker, order, missing)


def outcomes(workers: Workers, maker: Maker, order: Order, numbers: Sequence[int]) -> Iterator[Outcome]:
    """Make the rigs of `numbers`; they come as they are done.

    The files travel back as bytes: the machines of a cluster need the program, but no common folder.
    """
    for place, made in workers.as_done(partial(_made, maker, order), numbers):
        yield numbers[place], made


def _made(maker: Maker, order: Order, number: int) -> MadeRig | ValueError:
    """Return what came of a rig; one that cannot be made is no reason to stop, anything else is."""
    try:
        return maker(order, number)
    except ValueError as error:
        return error


def _failed(kind: Kind, what: object, code: int) -> int:
    print(f"{kind.command}: {what}", file=sys.stderr)
    return code


def common_parser(kind: Kind, says: str, counted: str) -> OneLineParser:
    """Return a parser of the options both makers have."""
    parser = OneLineParser(prog=f"python -m {kind.command}", description=says)
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="made if it is not there")
    parser.add_argument("--count", type=positive, required=True, metavar="N", help=counted)
    parser.add_argument(
        "--seed", type=_natural, default=1, metavar="S", help="the same seed gives the same set"
    )
    parser.add_argument(
        "--renderer", choices=list(RENDERERS), default="mitsuba", help="flat: quick, for trying"
    )
    parser.add_argument("--workers", type=positive, default=1, metavar="W", help="processes on this machine")
    parser.add_argument("--threads", type=positive, default=1, metavar="T", help="threads of each renderer")
    parser.add_argument("--scheduler", metavar="tcp://HOST:PORT", help="make them on a Dask cluster instead")
    parser.add_argument("--sheets", type=_natural, default=2, metavar="N", help="contact sheets, 2")
    return parser


def positive(text: str) -> int:
    """Return a whole number of at least 1; raises argparse.ArgumentTypeError."""
    return _at_least(text, 1)


def _natural(text: str) -> int:
    return _at_least(text, 0)


def _at_least(text: str, least: int) -> int:
    if not text.isascii() or not text.isdigit() or int(text) < least:
        raise argparse.ArgumentTypeError(f"{text!r}; a whole number of at least {least} is accepted")
    return int(text)
