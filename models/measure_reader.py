"""Measure the exported crop reader: `python -m models.measure_reader`. None of these pictures is trained on.

Dice are given by their labels; what is measured is the reading alone. Backgrounds hold no dice: there the
crops are squares that pip geometry proposes, and squares drawn by chance.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models.arguments import must_be_file, must_be_folder
from models.geometry import labelled
from models.reader_crops import NONE
from models.reader_pictures import Squares, proposed, rig_folder
from table.command_line import OneLineParser
from vision.crop_reader import cut_crop
from vision.domain import FloatArray, Image
from vision.images import read_image
from vision.inference import Network

SHARED = Path(__file__).parents[2] / "shared"
READER = Path(__file__).parents[1] / "vision" / "weights" / "reader.onnx"
SURE = 0.9
STEPS = (0.0, 0.5, 0.8, 0.9, 0.95, 0.99, 0.999, 1.0)
DRAWN = 300


def chances(reader: Network, crops: list[Image]) -> FloatArray:
    """Chances (N, 7) of crops."""
    parts = []
    for start in range(0, len(crops), 64):
        some = np.array(crops[start : start + 64], dtype=np.float32).transpose(0, 3, 1, 2) / 255
        parts.append(reader(np.ascontiguousarray(some)))
    return np.concatenate(parts)


def boxed_dice(folder: Path) -> Iterator[tuple[Image, int]]:
    """Crops by labelled boxes, with their class."""
    for image, boxes in labelled(folder):
        for face, x, y, width, height in boxes:
            yield cut_crop(image, np.array([x, y]), max(width, height)), int(face) - 1


def rig_dice(folder: Path) -> Iterator[tuple[Image, int]]:
    """Crops by the corners of a rig's dice that are in view, with their class."""
    for picture in rig_folder(folder):
        for face, square in zip(picture.face, picture.dice, strict=True):
            if face:
                yield cut_crop(picture.image, square[:2], square[2]), int(face) - 1


def without_dice(folder: Path, seed: int = 1) -> Iterator[tuple[Image, int]]:
    """Crops of pictures without dice: what geometry proposes, then as many as DRAWN by chance."""
    random = np.random.default_rng(seed)
    for path in sorted(folder.glob("*.jpg")):
        image = read_image(path)
        height, width = image.shape[:2]
        side = np.exp(random.uniform(np.log(20), np.log(min(height, width) / 3), size=DRAWN))
        drawn: Squares = np.column_stack([random.uniform(0, (width, height), size=(DRAWN, 2)), side])
        for square in np.concatenate([proposed(image)[1], drawn]):
            yield cut_crop(image, square[:2], square[2]), NONE


def told(name: str, said: FloatArray, truth: NDArray[np.intp]) -> str:
    """One row of the table: share right, right and sure, wrong and sure, and how many are taken for none."""
    best, sure = said.argmax(axis=1), said.max(axis=1) >= SURE
    right = best == truth
    shares = [right.mean(), (right & sure).mean(), (~right & sure).mean(), (best == NONE).mean()]
    return f"| {name} | {len(truth)} | " + " | ".join(f"{100 * share:.2f} %" for share in shares) + " |"


def reliability(said: FloatArray, truth: NDArray[np.intp]) -> str:
    """Rows of confidence against truth."""
    confidence, right = said.max(axis=1), said.argmax(axis=1) == truth
    rows = []
    for low, high in pairwise(STEPS):
        within = (confidence >= low) & ((confidence < high) | (high == 1.0))
        if within.any():
            mean, share = 100 * confidence[within].mean(), 100 * right[within].mean()
            rows.append(f"| {low:g} to {high:g} | {within.sum()} | {mean:.1f} % | {share:.1f} % |")
    return "\n".join(rows)


def measured(sets: Iterable[tuple[str, Iterator[tuple[Image, int]]]], reader: Network) -> Iterator[str]:
    """The table's rows, then reliability over all sets."""
    all_said, all_truth = [], []
    for name, samples in sets:
        crops, classes = zip(*samples, strict=True)
        said, truth = chances(reader, list(crops)), np.array(classes, dtype=np.intp)
        yield told(name, said, truth)
        all_said.append(said)
        all_truth.append(truth)
    yield reliability(np.concatenate(all_said), np.concatenate(all_truth))


def main() -> None:
    """Print the figures of the model card."""
    parser = OneLineParser(prog="python -m models.measure_reader", description=__doc__)
    parser.add_argument("--reader", type=Path, default=READER)
    parser.add_argument("--shared", type=Path, default=SHARED)
    args = parser.parse_args()
    must_be_folder(args.shared, "--shared")
    reader = Network(must_be_file(args.reader, "--reader").read_bytes())
    sets = [("dev/nellbyler", boxed_dice(args.shared / "real" / "dev" / "nellbyler"))]
    rigs = sorted(path.parent for path in (args.shared / "bench" / "rigs").glob("*/table.json"))
    sets += [(f"rigs/{rig.name}", rig_dice(rig)) for rig in rigs]
    sets += [("backgrounds", without_dice(args.shared / "real" / "train" / "backgrounds"))]
    for line in measured(sets, reader):
        print(line, flush=True)


if __name__ == "__main__":
    main()
