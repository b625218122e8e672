"""From a picture to a verdict: detect and read, measure, rule."""

from __future__ import annotations

import numpy as np

from vision.detection import Detection
from vision.die_detector import DieDetector, find_boxes
from vision.domain import DieReading, DieState, Image, TableCalibration, Verdict
from vision.measure import SQUARE_LAYOUTS, Measures, least_side_px, measure
from vision.misroll import Evidence, rule
from vision.occlusion import find_cover, with_cover
from vision.search import search
from vision.second_look import second_look


def judge(
    image_bgr: Image,
    calibration: TableCalibration | None = None,
    expected_dice: int | None = None,
    detector: DieDetector = find_boxes,
) -> Verdict:
    """Rule on the throw that lies in a picture (H, W, 3) BGR.

    Without `calibration` the whole picture is the area and nothing is measured; without `expected_dice` none
    can be missing or extra. `detector` says where to look first.
    """
    side_px = 0.0 if calibration is None else least_side_px(calibration)
    found = second_look(image_bgr, search(image_bgr, expected_dice, detector, side_px))
    measures = (
        [Measures(inside=True)] * len(found.dice) if calibration is None else measure(found.dice, calibration)
    )
    die_mm = None if calibration is None else calibration.die_mm
    readings = [_reading(die, known) for die, known in zip(found.dice, measures, strict=True)]
    evidence = [_evidence(die, known, die_mm) for die, known in zip(found.dice, measures, strict=True)]
    verdict = rule(readings, evidence, [doubt.seen for doubt in found.doubts], expected_dice)
    if calibration is None:
        return verdict
    return with_cover(verdict, find_cover(image_bgr, calibration, verdict.dice, side_px))


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


def _evidence(die: Detection, known: Measures, die_mm: float | None) -> Evidence:
    def in_dice(length_mm: float | None) -> float | None:
        return None if length_mm is None or die_mm is None else length_mm / die_mm

    slant_deg = float(np.degrees(np.arccos(1 / die.foreshortening)))
    by_layout = die.face in SQUARE_LAYOUTS
    rise, set_rise = in_dice(known.rise_mm), in_dice(known.set_rise_mm)
    return Evidence(
        known.inside, slant_deg, by_layout, rise, set_rise, die.by_pips, die.rival, known.how_it_lies
    )
