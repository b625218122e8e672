"""From a picture to a verdict: detect and read, measure, rule."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.detect import Detection, detect
from vision.domain import DieReading, DieState, Image, TableCalibration, Verdict
from vision.measure import Measures, measure
from vision.misroll import Evidence, rule


def judge(
    image_bgr: Image, calibration: TableCalibration | None = None, expected_dice: int | None = None
) -> Verdict:
    """Rule on the throw that lies in a picture (H, W, 3) BGR.

    Without `calibration` the whole picture is the area and nothing is measured; without `expected_dice` none
    can be missing or extra.
    """
    found = detect(image_bgr)
    measures = [
        Measures(inside=True) if calibration is None else measure(die.corners_px, calibration)
        for die in found.dice
    ]
    readings = [_reading(die, known) for die, known in zip(found.dice, measures, strict=True)]
    evidence = _evidence(found.dice, measures, calibration)
    return rule(readings, evidence, [doubt.seen for doubt in found.doubts], expected_dice)


def _reading(die: Detection, known: Measures) -> DieReading:
    return DieReading(
        face=die.face,
        confidence=die.confidence,
        center_px=(float(die.center_px[0]), float(die.center_px[1])),
        corners_px=die.corners_px,
        state=DieState.UNSURE,
        tilt_deg=known.tilt_deg,
        height_mm=known.height_mm,
        margin_mm=known.margin_mm,
    )


def _evidence(
    dice: Sequence[Detection], measures: Sequence[Measures], calibration: TableCalibration | None
) -> list[Evidence]:
    heights = [known.height_mm for known in measures if known.height_mm is not None]
    usual = float(np.median(heights)) if heights else 0.0
    die_mm = calibration.die_mm if calibration is not None else None
    return [
        Evidence(
            inside=known.inside,
            slant_deg=float(np.degrees(np.arccos(1 / die.foreshortening))),
            rise=None if known.height_mm is None or die_mm is None else (known.height_mm - usual) / die_mm,
        )
        for die, known in zip(dice, measures, strict=True)
    ]
