"""The judge as commands ask for it, and one picture file judged and timed: what the commands share."""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from table.throw_watch import Judge
from vision.calibration import size_fault
from vision.die_detector import DieDetector
from vision.domain import Image, TableCalibration, Verdict
from vision.errors import CalibrationError
from vision.images import read_image
from vision.judge import judge
from vision.ultralytics_detector import UltralyticsDieDetector


@dataclass(frozen=True, slots=True, eq=False)
class JudgedPicture:
    """A picture, its verdict and the time from decoded picture to verdict."""

    image: Image
    verdict: Verdict
    ms: float


def add_detector_argument(parser: argparse.ArgumentParser) -> None:
    """Add `--detector FILE`."""
    parser.add_argument(
        "--detector",
        type=Path,
        metavar="FILE",
        help="your own YOLO network, run by Ultralytics, in the place of titusind's die detector",
    )


def judge_with(detector: Path | None) -> Judge:
    """Return the judge that looks where the network of a file sees dice; raises DetectorError."""
    return judge if detector is None else partial(judge, detector=_loaded(detector))


@cache
def _loaded(detector: Path) -> DieDetector:
    return UltralyticsDieDetector(detector)


def judge_picture(
    path: Path, calibration: TableCalibration | None, expected_dice: int | None, judge: Judge = judge
) -> JudgedPicture:
    """Judge the picture at `path` by `judge`.

    Raises UnreadableImageError when it cannot be decoded, CalibrationError when the calibration was made
    for pictures of another size.
    """
    image = read_image(path)
    fault = size_fault(calibration, image)
    if fault is not None:
        raise CalibrationError(f"{path}: {fault}")
    return judge_image(image, calibration, expected_dice, judge)


def judge_image(
    image: Image, calibration: TableCalibration | None, expected_dice: int | None, judge: Judge = judge
) -> JudgedPicture:
    """Judge `image` (H, W, 3) by `judge`."""
    start = time.perf_counter()
    verdict = judge(image, calibration=calibration, expected_dice=expected_dice)
    return JudgedPicture(image, verdict, 1000 * (time.perf_counter() - start))
