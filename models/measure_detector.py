"""Measure the die detector: `python -m models.measure_detector` prints the model card's table.

For each set: the share of dice whose top face lies about the middle of a box, by the least confidence asked
of it; boxes a picture that hold no die; and the pictures in which the quick look is trusted, when as many
dice are expected as are labelled (see `vision/search.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from models.arguments import existing_folder, must_be_folder
from models.geometry import labelled
from models.measure_reader import SHARED
from models.reader_pictures import rig_folder, rigs_under
from table.command_line import OneLineParser
from vision.die_detector import DieBoxes, find_boxes
from vision.domain import FloatArray, Image
from vision.search import quick_look, sizes_of

LEAST = (0.03, 0.1, 0.3)
NEAR = 0.35  # of a box's sides around its middle
SIZES = (0.6, 2.5)  # longer side of a box in that of the die's


def rig_dice(folder: Path) -> Iterator[tuple[Image, FloatArray]]:
    """Pictures of a rig with the squares (N, 3) of the dice in view: middle x, y and longer side."""
    for picture in rig_folder(folder):
        yield picture.image, picture.dice


def boxed_dice(folder: Path) -> Iterator[tuple[Image, FloatArray]]:
    """Pictures of a folder with labelled boxes, as squares."""
    for image, boxes in labelled(folder):
        yield image, np.column_stack([boxes[:, 1:3], boxes[:, 3:5].max(axis=1)])


def holding(boxes: DieBoxes, dice: FloatArray) -> FloatArray:
    """Which boxes (N,) hold which dice (M,)."""
    away = np.abs(boxes.center_px[:, None] - dice[None, :, :2])
    near = (away < NEAR * boxes.size_px[:, None]).all(axis=2)
    size = boxes.size_px.max(axis=1)[:, None] / dice[None, :, 2]
    return np.asarray(near & (size > SIZES[0]) & (size < SIZES[1]))


def row(name: str, pictures: Iterable[tuple[Image, FloatArray]]) -> str:
    """A row of the table."""
    found: list[float] = []
    idle: list[float] = []
    count = trusted = 0
    for image, dice in pictures:
        boxes = find_boxes(image)
        held = holding(boxes, dice)
        found += np.where(held, boxes.confidence[:, None], 0.0).max(axis=0, initial=0.0).tolist()
        idle += boxes.confidence[~held.any(axis=1)].tolist()
        trusted += quick_look(image, boxes, len(dice), sizes_of(boxes)) is not None
        count += 1
    shares = [f"{100 * np.mean(np.array(found) >= least):.1f} %" for least in LEAST]
    none = [f"{np.sum(np.array(idle) >= least) / count:.2f}" for least in LEAST]
    return f"| {name} | {len(found)} | " + " | ".join([*shares, *none, f"{trusted} of {count}"]) + " |"


def main() -> None:
    """Print the rows."""
    parser = OneLineParser(prog="python -m models.measure_detector", description=__doc__)
    parser.add_argument("--shared", type=Path, default=SHARED)
    parser.add_argument(
        "--made",
        type=existing_folder,
        nargs="*",
        default=[],
        metavar="DIR",
        help="throws not trained on",
    )
    args = parser.parse_args()
    must_be_folder(args.shared, "--shared")
    print(row("dev/nellbyler", boxed_dice(args.shared / "real" / "dev" / "nellbyler")), flush=True)
    sets = {"bench/rigs": args.shared / "bench" / "rigs", **{str(folder): folder for folder in args.made}}
    for name, folder in sets.items():
        print(row(name, (each for rig in rigs_under(folder) for each in rig_dice(rig))), flush=True)


if __name__ == "__main__":
    main()
