"""Makes labelled clips: `python -m datasets.make_clips --out DIR --count N --seed S`.

DIR gets NAME.mp4 with its calibration and truth in NAME.json. Stopped and started again it goes on.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from datasets.filming import clip_name, film_clip
from datasets.progress import Progress
from datasets.renderers import RENDERERS
from datasets.rig_maker import MadeRig, Order
from datasets.schedulers import in_turn, on_cores


def main(argv: Sequence[str] | None = None) -> int:
    """Read the command line, film the clips that are missing, return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m datasets.make_clips", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="made if it is not there")
    parser.add_argument("--count", type=int, required=True, metavar="N", help="clips")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="the same seed gives the same clips")
    parser.add_argument(
        "--renderer", choices=list(RENDERERS), default="mitsuba", help="flat: quick, for trying"
    )
    parser.add_argument("--workers", type=int, default=1, metavar="W", help="processes on this machine")
    args = parser.parse_args(argv)
    order = Order(args.seed, "clip", args.count, 1, args.renderer)
    args.out.mkdir(parents=True, exist_ok=True)
    missing = [n for n in range(args.count) if not (args.out / f"{clip_name(n)}.json").is_file()]
    progress = Progress("clips", args.count, args.count - len(missing))
    cores = args.workers > 1
    code = 0
    for _, made in (
        on_cores(film_clip, order, missing, args.workers) if cores else in_turn(film_clip, order, missing)
    ):
        if isinstance(made, ValueError):
            print(f"datasets.make_clips: {made}", file=sys.stderr)
            code = 1
            continue
        _write(args.out, made)
        progress.step(1)
    return code


def _write(folder: Path, made: MadeRig) -> None:
    """Write the film first: a clip is there when its truth is."""
    for name, data in made.files.items():
        unfinished = folder / f".{name}"
        unfinished.write_bytes(data)
        unfinished.replace(folder / name)


if __name__ == "__main__":
    sys.exit(main())
