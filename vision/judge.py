"""From a picture to a verdict: detect and read, measure, rule."""

from __future__ import annotations

from collections.abc import Sequence

from vision.camera import Camera
from vision.detection import Detection, Detections, Doubt, chance_of
from vision.die_detector import DieDetector, find_boxes
from vision.domain import DieReading, DieState, Image, Reason, ReasonKind, Ruling, TableCalibration, Verdict
from vision.measure import Measures, die_size, least_side_px, measure
from vision.misroll import Evidence, rule
from vision.occlusion import HIDING, find_cover, with_cover, with_hidden
from vision.pose_reader import SURE_FIT
from vision.search import search
from vision.second_look import look_closer, second_look
from vision.side_pips import without_side_pips
from vision.size_check import with_checked_size
from vision.tray_check import ViewFaultKind, find_fault, view_of
from vision.turning import fit_squares


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
    measured, doubts = _measured(image_bgr, found, calibration)
    readings = [_reading(die, known) for die, known in measured]
    evidence = [Evidence(known, die.by_pips, die.rival) for die, known in measured]
    verdict = rule(readings, evidence, [doubt.seen for doubt in doubts], expected_dice)
    if calibration is None:
        return verdict
    camera = Camera.of(calibration)
    if camera is not None and calibration.die_mm is not None:
        verdict = with_checked_size(verdict, [die for die, _ in measured], camera, calibration.die_mm)
    if ReasonKind.MISSING in {reason.kind for reason in verdict.reasons}:
        verdict = _unless_unseen(verdict, image_bgr, calibration, side_px)
    return with_cover(verdict, find_cover(image_bgr, calibration, verdict.dice, side_px))


def _unless_unseen(
    verdict: Verdict, image_bgr: Image, calibration: TableCalibration, side_px: float
) -> Verdict:
    """A die that is not found is missing only where it would be seen."""
    if calibration.empty_image is not None and not verdict.dice:
        view = view_of(calibration.empty_image, calibration, (image_bgr.shape[1], image_bgr.shape[0]))
        fault = find_fault(image_bgr, view, ())
        if fault is not None and (fault.sure or fault.kind is not ViewFaultKind.MOVED):
            detail = f"no die seen, nor the tray as it was calibrated: {fault.detail}"
            return Verdict(Ruling.UNSURE, (Reason(ReasonKind.UNCERTAIN, None, detail),), ())
    return with_hidden(verdict, find_cover(image_bgr, calibration, verdict.dice, side_px, HIDING))


def _measured(
    image_bgr: Image, found: Detections, calibration: TableCalibration | None
) -> tuple[list[tuple[Detection, Measures]], Sequence[Doubt]]:
    """The dice and how they lie, as far as the calibration can say it, and the doubts that this leaves."""
    if calibration is None:
        return [(die, Measures(inside=True)) for die in found.dice], found.doubts
    camera = Camera.of(calibration)
    size = None if camera is None else die_size(found.dice, camera, calibration)
    if camera is None or size is None:
        return list(zip(found.dice, measure(found.dice, calibration), strict=True)), found.doubts
    fitted, poses = fit_squares(image_bgr, calibration.empty_image, camera, found.dice, size.mm)
    dice = [
        look_closer(image_bgr, die) if not die.by_pips and fits > SURE_FIT else die
        for die, fits in zip(fitted, poses.fits, strict=True)
    ]
    doubts = tuple(without_side_pips(found.doubts, dice, poses, camera, size.mm))
    return list(zip(dice, measure(dice, calibration, size, poses), strict=True)), doubts


def _reading(die: Detection, known: Measures) -> DieReading:
    lean, raised = (None if odds is None else chance_of(odds) for odds in (known.lean, known.raised))
    return DieReading(
        face=die.face,
        confidence=die.confidence,
        center_px=(float(die.center_px[0]), float(die.center_px[1])),
        corners_px=die.corners_px,
        state=DieState.UNSURE,
        tilt_deg=known.tilt_deg,
        height_mm=known.height_mm,
        margin_mm=known.margin_mm,
        lean_chance=lean,
        raised_chance=raised,
        rival=die.rival or None,
    )
