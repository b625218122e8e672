"""Judges every picture of a folder, each on one core, wherever the workers are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path

from table.evaluation.grading import StillGrade, grade
from table.evaluation.labels import LabelledFolder, LabelledStill
from table.judging import judge_picture, judge_with
from table.workers import Workers
from vision.calibration import load_calibration
from vision.domain import TableCalibration
from vision.errors import VisionError


@dataclass(frozen=True, slots=True)
class Failure:
    """A picture that could not be judged, and why in one line."""

    path: Path
    message: str


def measure(
    folder: LabelledFolder, workers: Workers, detector: Path | None = None
) -> Iterator[tuple[int, StillGrade | Failure]]:
    """Yield the grade of each picture as it is done, with its place in the folder.

    `detector`: a network in the place of titusind's die detector; raises DetectorError.
    """
    return workers.as_done(partial(_measure_one, detector=detector), folder.stills)


def _measure_one(still: LabelledStill, detector: Path | None) -> StillGrade | Failure:
    try:
        calibration = _calibration(still.table) if still.table else None
        judged = judge_picture(still.path, calibration, still.expected_dice, judge_with(detector))
    except (VisionError, OSError) as error:
        return Failure(still.path, str(error))
    height, width = judged.image.shape[:2]
    return grade(still, judged.verdict, (width, height), judged.ms)


@lru_cache(maxsize=1)
def _calibration(table: Path) -> TableCalibration:
    return load_calibration(table)
