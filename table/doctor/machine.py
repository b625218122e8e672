"""The machine under the table: versions, heat, throttling, memory on disk."""

from __future__ import annotations

import platform
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from table.doctor.finding import Finding, fault, good, warning

PACKAGES = ("titusind", "opencv-python", "numpy", "scipy", "onnxruntime", "nicegui")
HOT_C, TOO_HOT_C = 75.0, 84.0  # a Pi 5 slows down from 85 on
LITTLE_BYTES, TOO_LITTLE_BYTES = 500 * 10**6, 50 * 10**6
THERMAL = Path("/sys/class/thermal")
MODEL = Path("/proc/device-tree/model")  # of a Raspberry Pi, ends in a zero byte
OPTIONAL = ("picamera2", "paho-mqtt")
# Bits of `vcgencmd get_throttled`, as Raspberry Pi's documentation gives them.
THROTTLED = {0: "too low a voltage now", 1: "clock capped now", 2: "throttled now", 3: "too hot now"}
WAS_THROTTLED = {16: "too low a voltage", 17: "a capped clock", 18: "throttling", 19: "heat"}
POWER = "use the Pi's own power supply (27 W for a Pi 5) and give it a fan or a heat sink"


def versions(model: Path = MODEL) -> Iterator[Finding]:
    """Tell what is installed, and on what."""
    found = [_machine(model), f"Python {platform.python_version()}"]
    for package in PACKAGES:
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            yield fault("versions", f"{package} is not installed", "install titusind anew, with pip")
    for package in OPTIONAL:
        with suppress(PackageNotFoundError):
            found.append(f"{package} {version(package)}")
    yield good("versions", ", ".join(found))


def _machine(model: Path) -> str:
    try:
        name = model.read_text(encoding="utf-8").strip("\0\n ")
    except (OSError, UnicodeDecodeError):
        name = platform.machine()
    return f"{name} with {platform.system()} {platform.release()}"


def temperature(thermal: Path = THERMAL) -> Iterator[Finding]:
    """Tell how hot the hottest part is, where the system says so."""
    readings = []
    for zone in thermal.glob("thermal_zone*/temp"):
        try:
            readings.append(int(zone.read_text()) / 1000)
        except (OSError, ValueError):  # a sensor that is asleep
            continue
    if not readings:
        return
    found = f"{max(readings):.0f} degrees"
    if max(readings) > TOO_HOT_C:
        yield fault("temperature", found, "the machine slows down: give it a fan or a heat sink")
    elif max(readings) > HOT_C:
        yield warning("temperature", found, "give it a fan or a heat sink before it slows down")
    else:
        yield good("temperature", found)


def throttling() -> Iterator[Finding]:
    """Tell whether a Raspberry Pi runs slower than it could, or did since it was started."""
    program = shutil.which("vcgencmd")
    if program is None:
        return
    said = subprocess.run([program, "get_throttled"], capture_output=True, text=True, check=False).stdout
    yield throttled(said)


def throttled(said: str) -> Finding:
    """Read what `vcgencmd get_throttled` says, `throttled=0x50000`."""
    try:
        bits = int(said.strip().removeprefix("throttled="), 16)
    except ValueError:
        return warning("throttling", f"vcgencmd says {said.strip()!r}", "run `vcgencmd get_throttled`")
    now = [words for bit, words in THROTTLED.items() if bits >> bit & 1]
    was = [words for bit, words in WAS_THROTTLED.items() if bits >> bit & 1]
    if now:
        return fault("throttling", ", ".join(now), POWER)
    if was:
        return warning("throttling", f"since the start there was {', '.join(was)}", POWER)
    return good("throttling", "none since the start")


def disk(folder: Path) -> Iterator[Finding]:
    """Tell how much room there is where games and recordings are kept."""
    there = next(parent for parent in (folder, *folder.absolute().parents) if parent.exists())
    free = shutil.disk_usage(there).free
    found = f"{free / 10**9:.1f} GB free in {there}"
    if free < TOO_LITTLE_BYTES:
        yield fault("disk", found, "make room: a full disk cannot keep the tally")
    elif free < LITTLE_BYTES:
        yield warning("disk", found, "make room before it is full")
    else:
        yield good("disk", found)
