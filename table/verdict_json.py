"""A verdict as the JSON fields of the contract, the same for a picture and for a throw in a clip."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from vision.domain import DieReading, DieState, Reason, ReasonKind, Ruling, Verdict

PX_DIGITS, MM_DIGITS, CONFIDENCE_DIGITS = 1, 2, 3


def verdict_record(verdict: Verdict) -> dict[str, object]:
    """`verdict`, `faces` (sorted, null unless valid), `reasons` and `dice` of the contract."""
    return {
        "verdict": verdict.ruling.value,
        "faces": None if verdict.faces is None else list(verdict.faces),
        "reasons": [_reason(reason) for reason in verdict.reasons],
        "dice": [_die(die) for die in verdict.dice],
    }


def verdict_of(record: Mapping[str, Any]) -> Verdict:
    """Return the verdict that `verdict_record` made `record` of, its numbers rounded as there.

    Raises KeyError, TypeError or ValueError for any other record.
    """
    reasons = (Reason(ReasonKind(each["kind"]), each["die"], each["detail"]) for each in record["reasons"])
    return Verdict(Ruling(record["verdict"]), tuple(reasons), tuple(map(_reading, record["dice"])))


def _reading(die: Mapping[str, Any]) -> DieReading:
    x, y = die["center_px"]
    measures = ("tilt_deg", "height_mm", "margin_mm", "lean_chance", "raised_chance")
    return DieReading(
        die["face"],
        die["confidence"],
        (x, y),
        np.array(die["corners_px"], np.float64).reshape(4, 2),
        DieState(die["state"]),
        **{name: die[name] for name in measures},
        rival=die.get("rival"),
    )


def _reason(reason: Reason) -> dict[str, object]:
    return {"kind": reason.kind.value, "die": reason.die, "detail": reason.detail}


def _die(die: DieReading) -> dict[str, object]:
    return {
        "face": die.face,
        "confidence": round(float(die.confidence), CONFIDENCE_DIGITS),
        "center_px": [round(float(value), PX_DIGITS) for value in die.center_px],
        "corners_px": [[round(float(value), PX_DIGITS) for value in corner] for corner in die.corners_px],
        "state": die.state.value,
        "tilt_deg": _measure(die.tilt_deg),
        "height_mm": _measure(die.height_mm),
        "margin_mm": _measure(die.margin_mm),
        "lean_chance": _chance(die.lean_chance),
        "raised_chance": _chance(die.raised_chance),
        "rival": die.rival,
    }


def _measure(value: float | None) -> float | None:
    return None if value is None else round(float(value), MM_DIGITS)


def _chance(value: float | None) -> float | None:
    return None if value is None else round(float(value), CONFIDENCE_DIGITS)
