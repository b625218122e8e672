"""What a camera does by itself, held still: which controls, to what values, and whether a frame shows them.

Exposure, gain, white balance and focus must not change while dice are compared and measured. The names are
libcamera's; its enumerations are written as their numbers, so that this needs no camera.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

Metadata: TypeAlias = Mapping[str, Any]
Value: TypeAlias = bool | int | float | tuple[float, ...]

AF_MANUAL, AF_CONTINUOUS, AF_FOCUSED = 0, 2, 2  # AfMode, AfMode, AfState
FLICKER_MANUAL, FLICKER_50_HZ_US = 1, 10_000  # lamps on 50 Hz mains shine and dim a hundred times a second
AUTOMATIC: dict[str, Value] = {
    "AfMode": AF_CONTINUOUS,
    "AeFlickerMode": FLICKER_MANUAL,
    "AeFlickerPeriod": FLICKER_50_HZ_US,
}
MANUAL: dict[str, Value] = {"AeEnable": False, "AwbEnable": False, "AfMode": AF_MANUAL}
STEADY_S = 0.5


@dataclass(frozen=True, slots=True)
class _Tolerance:
    """How far a value may be from another and still be the same: a share of it, or at least so much."""

    share: float
    least: float


# Sensors know exposures in lines (10 to 30 us) and gains in coarse steps: an IMX219 at its highest, 4 %.
LOCKED = {
    "ExposureTime": _Tolerance(0.01, 60.0),  # microseconds
    "AnalogueGain": _Tolerance(0.05, 0.0),
    "ColourGains": _Tolerance(0.02, 0.0),
    "LensPosition": _Tolerance(0.0, 0.1),  # dioptres
}
NEEDED = ("ExposureTime", "AnalogueGain")


@dataclass(frozen=True, slots=True)
class CameraLock:
    """`values` by the names of `LOCKED`; `controls`: what to tell the camera so that it keeps them."""

    values: Mapping[str, Value]
    controls: Mapping[str, Value]

    def departure(self, metadata: Metadata) -> str | None:
        """Say which value of a frame is not the locked one; None when all are."""
        for name, value in self.values.items():
            if not _alike(name, metadata.get(name), value):
                return f"{name} is {metadata.get(name)}, not the {value} that it was locked to"
        return None


def automatic(advertised: Collection[str]) -> dict[str, Value]:
    """Return the controls with which a camera finds its values by itself, of those it has."""
    return {name: value for name, value in AUTOMATIC.items() if name in advertised}


def lock_to(metadata: Metadata, advertised: Collection[str]) -> CameraLock | None:
    """Return the lock on the values of a frame, of those controls that the camera has.

    None if it cannot be locked: it lacks a control, or the frame the value of one.
    """
    names = [name for name in LOCKED if name in advertised]
    if not set(NEEDED) <= set(names) or any(metadata.get(name) is None for name in names):
        return None
    values = {name: metadata[name] for name in names}
    manual = {name: value for name, value in MANUAL.items() if name in advertised}
    return CameraLock(values, manual | values)


def is_steady(frames: Sequence[Metadata], advertised: Collection[str]) -> bool:
    """Whether a camera has found its values: its `frames` of the last half second show the same, in focus."""
    first, last = frames[0], frames[-1]
    names = [name for name in LOCKED if name in advertised]
    return (
        seconds_between(first, last) >= STEADY_S
        and is_focused(last, advertised)
        and all(_alike(name, frame.get(name), last.get(name)) for frame in frames for name in names)
    )


def is_focused(metadata: Metadata, advertised: Collection[str]) -> bool:
    """Whether a frame is in focus; a camera without a motor always is."""
    return "AfMode" not in advertised or metadata.get("AfState") == AF_FOCUSED


def seconds_between(before: Metadata, after: Metadata) -> float:
    """Return the time from one frame to another, by the sensor's clock."""
    return float(after["SensorTimestamp"] - before["SensorTimestamp"]) / 1e9


def _alike(name: str, found: object, wanted: object) -> bool:
    tolerance = LOCKED[name]
    pairs = zip(_numbers(found), _numbers(wanted), strict=False)
    return len(_numbers(found)) == len(_numbers(wanted)) > 0 and all(
        abs(is_ - ought) <= max(tolerance.least, tolerance.share * abs(ought)) for is_, ought in pairs
    )


def _numbers(value: object) -> tuple[float, ...]:
    """The numbers of a control: one, several, or none where it is absent."""
    if isinstance(value, int | float):
        return (value,)
    return tuple(value) if isinstance(value, tuple | list) else ()
