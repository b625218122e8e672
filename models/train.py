"""Train the crop reader: `python -m models.train [--made DIR...]`; then `python -m models.export`.

Everything is drawn from the seed. A training that is cut off goes on where it was when started again.
Leaving one author out, `--without NAME`, shows what is read right of dice that the reader has not seen.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from models.reader_crops import Patches, gather
from models.reader_network import Course, save, train
from models.reader_pictures import Picture, made_grounds, real_pictures, rig_folder

REAL = Path(__file__).parents[2] / "shared" / "real" / "train"
OUT = Path("out") / "reader"
STEPS, SEED = 5000, 1
GROUNDS = 120
MADE = "made"
WEIGHTS = {"nellbyler": 0.3, "rune55": 0.2, "epanemu": 0.2, "crops128": 0.1, "grounds": 0.05, MADE: 0.25}
AUTHORS = tuple(WEIGHTS)


def pictures(real: Path, made: list[Path]) -> Iterator[tuple[int, Picture]]:
    """All pictures to learn from, with the row of their author in AUTHORS."""
    for author, of_author in real_pictures(real):
        for picture in of_author:
            yield AUTHORS.index(author), picture
        print(f"{author}: read", flush=True)
    for picture in made_grounds(GROUNDS, SEED):
        yield AUTHORS.index("grounds"), picture
    for folder in made:
        for rig in sorted({path.parent for path in folder.rglob("table.json")}):
            for picture in rig_folder(rig):
                yield AUTHORS.index(MADE), picture
        print(f"{folder}: read", flush=True)


def course(patches: Patches, steps: int, seed: int, without: str = "") -> Course:
    """A course of training on the authors that are there, but one."""
    there = {AUTHORS[row] for row in np.unique(patches.author)} - {without}
    return Course(steps, seed, {AUTHORS.index(name): WEIGHTS[name] for name in AUTHORS if name in there})


def main() -> None:
    """Gather patches, train, and write the trained network to `out/reader`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--real", type=Path, default=REAL, metavar="DIR", help="folders by author")
    parser.add_argument("--made", type=Path, nargs="*", default=[], metavar="DIR", help="rigs of made throws")
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--without", choices=AUTHORS, default="", help="an author to leave out")
    parser.add_argument("--out", type=Path, default=OUT, metavar="DIR")
    args = parser.parse_args()
    patches = gather(pictures(args.real, args.made), args.seed)
    for row, name in enumerate(AUTHORS):
        counts = np.bincount(patches.face[patches.author == row], minlength=7)
        print(f"{name}: faces 1 to 6 {counts[:6].tolist()}, none {counts[6]}", flush=True)
    model = train(patches, course(patches, args.steps, args.seed, args.without), args.out / "unfinished.pt")
    save(model, args.out / "trained.pt")
    print(f"trained: {args.out / 'trained.pt'}")


if __name__ == "__main__":
    main()
