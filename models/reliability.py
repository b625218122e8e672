"""How often readings are right, by the confidence they are given: `python -m models.reliability DIR...`.

This is the confidence of both readers together, as people see it. Folders must have labels that say where
the dice are; a reading where no labelled die lies is wrong, one of a die that nobody can be held to does not
count.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from models.arguments import existing_folder
from table.command_line import OneLineParser
from table.evaluation.formats import read_folder
from table.evaluation.grading import match_readings
from table.evaluation.labels import LabelError, LabelledFolder
from table.judging import judge_picture
from vision.calibration import load_calibration
from vision.errors import VisionError

EDGES = (0.0, 0.5, 0.8, 0.9, 0.95, 0.99, 0.999, 1.0 + 1e-9)


@dataclass(frozen=True, slots=True)
class Reading:
    """One die read: how confidently, and whether rightly."""

    confidence: float
    right: bool


def readings(folder: LabelledFolder) -> Iterator[Reading]:
    """Yield all readings of a folder's pictures that can be told right or wrong."""
    for still in folder.stills:
        calibration = load_calibration(still.table) if still.table else None
        judged = judge_picture(still.path, calibration, still.expected_dice)
        dice = judged.verdict.dice
        height, width = judged.image.shape[:2]
        labelled = {row: die for die, row in match_readings(still.dice, dice, (width, height)).items()}
        for row, die in enumerate(dice):
            truth = still.dice[labelled[row]] if row in labelled else None
            if truth is None or truth.required:
                yield Reading(die.confidence, truth is not None and die.face == truth.face)


def cells(found: list[Reading]) -> Iterator[str]:
    """Yield, for each bin of confidence, how many of how many readings are right."""
    confidence = np.array([reading.confidence for reading in found])
    right = np.array([reading.right for reading in found], dtype=np.bool_)
    for low, high in pairwise(EDGES):
        within = right[(confidence >= low) & (confidence < high)]
        yield f"{within.sum()} of {len(within)}" if len(within) else "-"


def main() -> None:
    """Print a column for each folder."""
    parser = OneLineParser(prog="python -m models.reliability", description=__doc__)
    parser.add_argument("folders", metavar="DIR", nargs="+", type=existing_folder)
    columns: dict[str, list[Reading]] = {}
    for path in parser.parse_args().folders:
        try:
            folder = read_folder(path)
            found = list(readings(folder))
        except (LabelError, VisionError) as error:
            raise SystemExit(str(error)) from error
        print(*folder.left_out, sep="\n", end="", file=sys.stderr)
        of_a_set = path.parent if (path / "table.json").exists() else path
        columns.setdefault(of_a_set.name, []).extend(found)
        print(f"{folder.name}: judged", file=sys.stderr)
    columns["all"] = [reading for column in columns.values() for reading in column]
    names = [f"{low:g} to {min(high, 1):g}" for low, high in pairwise(EDGES)]
    print("| confidence | " + " | ".join(columns) + " |")
    print("|---" * (1 + len(columns)) + "|")
    for name, *row in zip(names, *(cells(column) for column in columns.values()), strict=True):
        print(f"| {name} | " + " | ".join(row) + " |")


if __name__ == "__main__":
    main()
