"""What a table sees by, and whether pictures still come."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from vision.domain import TableCalibration


class SourceStatus(StrEnum):
    """Whether pictures still come."""

    RUNNING = "running"
    LOST = "lost"  # may come back; people play on by hand
    ENDED = "ended"
    FAILED = "failed"
    NONE = "none"  # there is no camera, and none is waited for


BY_HAND = frozenset({SourceStatus.LOST, SourceStatus.FAILED, SourceStatus.NONE})  # throws are tapped


@dataclass(frozen=True, slots=True)
class Sight:
    """What the table sees by: its `calibration`, and the file `kept_at` which a new one is written to.

    `live`: pictures come from a camera, which can be told to find light and focus anew.
    """

    calibration: TableCalibration | None = None
    kept_at: Path | None = None
    live: bool = False


UNCALIBRATED = Sight()
