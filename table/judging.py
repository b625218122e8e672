"""Judges one picture file and times it: the path `judge` and `evaluate` share."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from vision.domain import Image, TableCalibration, Verdict
from vision.errors import CalibrationError
from vision.images import read_image
from vision.judge import judge


@dataclass(frozen=True, slots=True, eq=False)
class JudgedPicture:
    """A picture, its verdict and the time from decoded picture to verdict."""

    image: Image
    verdict: Verdict
    ms: float


def judge_picture(
    path: Path, calibration: TableCalibration | None, expected_dice: int | None
) -> JudgedPicture:
    """Judge the picture at `path`.

    Raises UnreadableImageError when it cannot be decoded, CalibrationError when the calibration was made
    for pictures of another size.
    """
    image = read_image(path)
    height, width = image.shape[:2]
    if calibration and calibration.image_size and calibration.image_size != (width, height):
        made_for = "x".join(str(side) for side in calibration.image_size)
        raise CalibrationError(f"{path}: {width}x{height} pixels; the table's image_size is {made_for}")
    start = time.perf_counter()
    verdict = judge(image, calibration=calibration, expected_dice=expected_dice)
    return JudgedPicture(image, verdict, 1000 * (time.perf_counter() - start))
