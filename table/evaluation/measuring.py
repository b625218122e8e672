"""Judges every picture of a folder, in one process or several, each on one core."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path

from table.evaluation.grading import StillGrade, grade
from table.evaluation.labels import LabelledFolder, LabelledStill
from table.evaluation.misses import is_miss, save_miss
from table.judging import judge_picture, judge_with
from vision.calibration import load_calibration
from vision.domain import TableCalibration
from vision.errors import VisionError


@dataclass(frozen=True, slots=True)
class Failure:
    """A picture that could not be judged, and why in one line."""

    path: Path
    message: str


def measure(
    folder: LabelledFolder, workers: int, misses: Path | None = None, detector: Path | None = None
) -> Iterator[StillGrade | Failure]:
    """Yield the grade of each picture in order; with `misses`, pictures not right are drawn into it.

    `detector`: a network in the place of titusind's die detector; raises DetectorError.
    """
    judge_one = partial(_measure_one, misses=misses, detector=detector)
    if workers == 1:
        yield from map(judge_one, folder.stills)
        return
    context = multiprocessing.get_context("spawn")  # a forked copy of OpenCV's threads can hang
    with ProcessPoolExecutor(workers, context) as pool:
        yield from pool.map(judge_one, folder.stills)


def _measure_one(still: LabelledStill, misses: Path | None, detector: Path | None) -> StillGrade | Failure:
    try:
        calibration = _calibration(still.table) if still.table else None
        judged = judge_picture(still.path, calibration, still.expected_dice, judge_with(detector))
    except (VisionError, OSError) as error:
        return Failure(still.path, str(error))
    height, width = judged.image.shape[:2]
    graded = grade(still, judged.verdict, (width, height), judged.ms)
    if misses and is_miss(graded):
        save_miss(judged.image, graded, misses)
    return graded


@lru_cache(maxsize=1)
def _calibration(table: Path) -> TableCalibration:
    return load_calibration(table)
