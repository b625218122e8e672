"""From a picture to a verdict: detect, read, measure, judge."""

from __future__ import annotations

import math

from vision.detect import detect
from vision.domain import DieReading, DieState, Image, Reason, ReasonKind, Ruling, TableCalibration, Verdict


def judge(
    image_bgr: Image, calibration: TableCalibration | None = None, expected_dice: int | None = None
) -> Verdict:
    """Rule on the throw in a picture (H, W, 3) BGR."""
    found = detect(image_bgr)
    dice = tuple(
        DieReading(
            face=d.face,
            confidence=1 / (1 + math.exp(-d.log_odds)),
            center_px=(float(d.center_px[0]), float(d.center_px[1])),
            corners_px=d.corners_px,
            state=DieState.FLAT,
        )
        for d in found.dice
    )
    unsure = tuple(Reason(ReasonKind.UNREADABLE, None, d.seen) for d in found.doubts)
    unsure += tuple(
        Reason(ReasonKind.UNCERTAIN, k, "x") for k, d in enumerate(found.dice) if d.log_odds < 0.5
    )
    return Verdict(Ruling.UNSURE if unsure else Ruling.VALID, unsure, dice)
