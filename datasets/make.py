"""Makes labelled pictures of throws: `python -m datasets.make --out DIR --count N --seed S [--recipe NAME]`.

DIR/rigs/<rig>/ gets pictures NNN.jpg with their truth NNN.json, the empty tray, table.json and, in rig.json,
what the rig is made of; DIR gets manifest.json and contact sheets. Stopped and started again it goes on.
"""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from datasets.library import LibraryError, add_rig, open_library, write_manifest, write_sheets
from datasets.progress import Progress
from datasets.recipes import MIXED, RECIPES
from datasets.renderers import RENDERERS
from datasets.rig_maker import Order, make_rig
from datasets.schedulers import Outcome, SchedulerError, in_turn, on_cluster, on_cores

DONE, FAILED, MISUSED = 0, 1, 2


def main(argv: Sequence[str] | None = None) -> int:
    """Read the command line, make what is missing, return the exit code."""
    args = _parser().parse_args(argv)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # a kill is a stop like Ctrl-C
    order = Order(args.seed, args.recipe, args.count, args.throws_per_rig, args.renderer)
    try:
        missing = open_library(args.out, order)
    except (LibraryError, OSError) as error:
        return _failed(error, MISUSED)
    try:
        return _make(args, order, missing)
    except (SchedulerError, RuntimeError, ImportError) as error:
        return _failed(error, FAILED)
    except KeyboardInterrupt:
        return _failed("stopped; the same command goes on from here", FAILED)
    finally:
        write_manifest(args.out, order)
        write_sheets(args.out, args.sheets)


def _make(args: argparse.Namespace, order: Order, missing: list[int]) -> int:
    there = order.count - sum(order.pictures_of(number) for number in missing)
    progress = Progress("throws", order.count, there)
    code = DONE
    for number, made in _outcomes(args, order, missing):
        if isinstance(made, ValueError):
            code = _failed(made, FAILED)
            continue
        add_rig(args.out, made)
        progress.step(order.pictures_of(number))
    return code


def _outcomes(args: argparse.Namespace, order: Order, missing: list[int]) -> Iterator[Outcome]:
    maker = partial(make_rig, threads=args.threads)
    if args.scheduler:
        return on_cluster(maker, order, missing, args.scheduler)
    if args.workers == 1:
        return in_turn(maker, order, missing)
    return on_cores(maker, order, missing, args.workers)


def _failed(what: object, code: int) -> int:
    print(f"datasets.make: {what}", file=sys.stderr)
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m datasets.make", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="made if it is not there")
    parser.add_argument("--count", type=_positive, required=True, metavar="N", help="pictures of throws")
    parser.add_argument(
        "--seed", type=_natural, default=1, metavar="S", help="the same seed gives the same set"
    )
    parser.add_argument("--recipe", choices=[MIXED, *RECIPES], default=MIXED, help="how the dice get to lie")
    parser.add_argument("--throws-per-rig", type=_positive, default=4, metavar="K", help="throws a table, 4")
    parser.add_argument(
        "--renderer", choices=list(RENDERERS), default="mitsuba", help="flat: quick, for trying"
    )
    parser.add_argument("--workers", type=_positive, default=1, metavar="W", help="processes on this machine")
    parser.add_argument("--threads", type=_positive, default=1, metavar="T", help="threads of each renderer")
    parser.add_argument("--scheduler", metavar="tcp://HOST:PORT", help="make them on a Dask cluster instead")
    parser.add_argument("--sheets", type=_natural, default=2, metavar="N", help="contact sheets, 2")
    return parser


def _positive(text: str) -> int:
    return _at_least(text, 1)


def _natural(text: str) -> int:
    return _at_least(text, 0)


def _at_least(text: str, least: int) -> int:
    if not text.isascii() or not text.isdigit() or int(text) < least:
        raise argparse.ArgumentTypeError(f"{text!r}; a whole number of at least {least} is accepted")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
