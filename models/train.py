"""Train the crop reader: `python -m models.train [--made DIR...]`; then `python -m models.export`.

Everything is drawn from the seed. A training that is cut off goes on where it was when started again.
Leaving one author out, `--without NAME`, shows what is read right of dice that the reader has not seen.

With `--own DIR...`, throws corrected at one's own table, it goes on from the weights in the repository, or
from those of `--from FILE`, for a short course; `--from scratch` trains on everything anew.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from models.arguments import existing_folder, must_be_file, seed, steps
from models.keeping import save
from models.own_throws import own_folder
from models.reader_crops import NONE, Patches, gather
from models.reader_network import OUT, Course, train, train_on
from models.reader_pictures import Picture, made_grounds, real_pictures, rig_folder, rigs_under
from models.reader_start import start_of
from models.rehearsal import laid_throws
from table.command_line import OneLineParser

REAL = Path(__file__).parents[2] / "shared" / "real" / "train"
SHIPPED = Path(__file__).parents[1] / "vision" / "weights" / "reader.onnx"
SCRATCH = "scratch"
STEPS, SHORT_STEPS, SEED = 7000, 200, 1
GROUNDS = 120
FEW_GROUNDS, LAID = 20, 60  # of a short course: pictures of grounds, and of dice laid on tables
MADE, OWN, REHEARSED = "made", "own", "laid"
WEIGHTS = {
    "nellbyler": 0.3,
    "rune55": 0.2,
    "epanemu": 0.2,
    "crops128": 0.1,
    "grounds": 0.05,
    MADE: 0.25,
    OWN: 0.4,
    REHEARSED: 0.3,
}
AUTHORS = tuple(WEIGHTS)


def pictures(
    real: Path, made: Sequence[Path], own: Sequence[Path] = (), *, short: bool = False
) -> Iterator[tuple[int, Picture]]:
    """All pictures to learn from, with the row of their author in AUTHORS; without `real`, the others.

    For a `short` course there are fewer grounds, and laid throws to rehearse on.
    """
    for author, of_author in real_pictures(real) if real.is_dir() else ():
        for picture in of_author:
            yield AUTHORS.index(author), picture
        print(f"{author}: read", flush=True)
    for picture in made_grounds(FEW_GROUNDS if short else GROUNDS, SEED):
        yield AUTHORS.index("grounds"), picture
    for picture in laid_throws(LAID, SEED) if short else ():
        yield AUTHORS.index(REHEARSED), picture
    for folder in made:
        for rig in rigs_under(folder):
            for picture in rig_folder(rig):
                yield AUTHORS.index(MADE), picture
        print(f"{folder}: read", flush=True)
    for folder in own:
        for picture in own_folder(folder):
            yield AUTHORS.index(OWN), picture
        print(f"{folder}: read", flush=True)


def course(patches: Patches, steps: int, seed: int, without: str = "") -> Course:
    """A course of training on the authors that are there, but one."""
    there = {AUTHORS[row] for row in np.unique(patches.author)} - {without}
    return Course(steps, seed, {AUTHORS.index(name): WEIGHTS[name] for name in AUTHORS if name in there})


def main() -> None:
    """Gather patches, train, and write the trained network to `out/reader`."""
    args = _arguments()
    start = args.start or (str(SHIPPED) if args.own else SCRATCH)
    if start == SCRATCH and not args.real.is_dir():
        raise SystemExit(f"{args.real}: no such folder; accepted are pictures by author, or --from FILE")
    short = start != SCRATCH
    patches = gather(pictures(args.real, args.made, args.own, short=short), args.seed)
    _tell_counts(patches)
    if not (patches.face != NONE).any():
        raise SystemExit(
            f"{args.real}: no labelled dice; accepted are pictures by author, see models/README.md"
        )
    if args.own and not (patches.face[patches.author == AUTHORS.index(OWN)] != NONE).any():
        folders = ", ".join(map(str, args.own))
        raise SystemExit(f"{folders}: no corrected dice found; accepted are folders of play --keep-throws")
    steps = args.steps or (SHORT_STEPS if short else STEPS)
    chosen = course(patches, steps, args.seed, args.without)
    if short:
        print(f"goes on from {start}", flush=True)
        model = train_on(patches, chosen, _taken_up(Path(start)))
    else:
        model = train(patches, chosen, args.out / "unfinished.pt")
    save(model, args.out / "trained.pt")
    print(f"trained: {args.out / 'trained.pt'}")


def _taken_up(start: Path) -> Any:
    try:
        return start_of(must_be_file(start, "--from"))
    except ValueError as error:
        raise SystemExit(str(error)) from error


def _tell_counts(patches: Patches) -> None:
    for row in np.unique(patches.author):
        counts = np.bincount(patches.face[patches.author == row], minlength=7)
        print(f"{AUTHORS[row]}: faces 1 to 6 {counts[:6].tolist()}, none {counts[6]}", flush=True)


def _arguments() -> argparse.Namespace:
    parser = OneLineParser(prog="python -m models.train", description=__doc__)
    parser.add_argument("--real", type=Path, default=REAL, metavar="DIR", help="folders by author")
    parser.add_argument(
        "--made", type=existing_folder, nargs="*", default=[], metavar="DIR", help="rigs of made throws"
    )
    parser.add_argument(
        "--own", type=existing_folder, nargs="+", default=[], metavar="DIR", help="corrected throws"
    )
    parser.add_argument(
        "--from",
        dest="start",
        metavar="FILE",
        help=f".pt or .onnx to go on from, or {SCRATCH} (default: with --own the shipped weights)",
    )
    parser.add_argument("--steps", type=steps, help=f"default {STEPS}, or {SHORT_STEPS} when it goes on")
    parser.add_argument("--seed", type=seed, default=SEED)
    parser.add_argument("--without", choices=AUTHORS, default="", help="an author to leave out")
    parser.add_argument("--out", type=Path, default=OUT, metavar="DIR")
    return parser.parse_args()


if __name__ == "__main__":
    main()
