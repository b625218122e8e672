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

import numpy as np

from models.own_throws import own_folder
from models.reader_crops import Patches, gather
from models.reader_network import OUT, Course, save, train, train_on
from models.reader_pictures import Picture, made_grounds, real_pictures, rig_folder
from models.reader_start import start_of

REAL = Path(__file__).parents[2] / "shared" / "real" / "train"
SHIPPED = Path(__file__).parents[1] / "vision" / "weights" / "reader.onnx"
SCRATCH = "scratch"
STEPS, SHORT_STEPS, SEED = 5000, 200, 1
GROUNDS, FEW_GROUNDS = 120, 40
MADE, OWN = "made", "own"
WEIGHTS = {
    "nellbyler": 0.3,
    "rune55": 0.2,
    "epanemu": 0.2,
    "crops128": 0.1,
    "grounds": 0.05,
    MADE: 0.25,
    OWN: 0.4,
}
AUTHORS = tuple(WEIGHTS)


def pictures(
    real: Path, made: Sequence[Path], own: Sequence[Path] = (), grounds: int = GROUNDS
) -> Iterator[tuple[int, Picture]]:
    """All pictures to learn from, with the row of their author in AUTHORS; without `real`, the others."""
    for author, of_author in real_pictures(real) if real.is_dir() else ():
        for picture in of_author:
            yield AUTHORS.index(author), picture
        print(f"{author}: read", flush=True)
    for picture in made_grounds(grounds, SEED):
        yield AUTHORS.index("grounds"), picture
    for folder in made:
        for rig in sorted({path.parent for path in folder.rglob("table.json")}):
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
    grounds = GROUNDS if start == SCRATCH else FEW_GROUNDS
    patches = gather(pictures(args.real, args.made, args.own, grounds), args.seed)
    for row, name in enumerate(AUTHORS):
        counts = np.bincount(patches.face[patches.author == row], minlength=7)
        print(f"{name}: faces 1 to 6 {counts[:6].tolist()}, none {counts[6]}", flush=True)
    steps = args.steps or (STEPS if start == SCRATCH else SHORT_STEPS)
    chosen = course(patches, steps, args.seed, args.without)
    if start == SCRATCH:
        model = train(patches, chosen, args.out / "unfinished.pt")
    else:
        print(f"goes on from {start}", flush=True)
        model = train_on(patches, chosen, start_of(Path(start)))
    save(model, args.out / "trained.pt")
    print(f"trained: {args.out / 'trained.pt'}")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--real", type=Path, default=REAL, metavar="DIR", help="folders by author")
    parser.add_argument("--made", type=Path, nargs="*", default=[], metavar="DIR", help="rigs of made throws")
    parser.add_argument("--own", type=Path, nargs="+", default=[], metavar="DIR", help="corrected throws")
    parser.add_argument(
        "--from",
        dest="start",
        metavar="FILE",
        help=f".pt or .onnx to go on from, or {SCRATCH} (default: with --own the shipped weights)",
    )
    parser.add_argument("--steps", type=int, help=f"default {STEPS}, or {SHORT_STEPS} when it goes on")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--without", choices=AUTHORS, default="", help="an author to leave out")
    parser.add_argument("--out", type=Path, default=OUT, metavar="DIR")
    return parser.parse_args()


if __name__ == "__main__":
    main()
