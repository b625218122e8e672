"""Whether the table sees: camera, calibration, and how fast a throw is judged."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

from table.doctor.finding import Finding, fault, good, warning
from table.throw_watch import FAULTS
from vision.calibration import load_calibration, size_fault
from vision.domain import Frame, Image, ReasonKind, TableCalibration, Verdict
from vision.errors import VisionError
from vision.judge import judge
from vision.sources import ClipSource, first_camera, open_source
from vision.tray_check import find_fault, view_of

WATCHED_S = 2.0
LEAST_FPS = 14.0
STEADY = 0.05  # share by which the mean brightness of a tray left alone may change
COARSE = 8  # every so many pixels are enough for a mean
ROUNDS = 3
SLOW_MS = 700.0  # a hand is back at the dice in about a second
PLUG_IN = "plug it in, or name another one: --camera"
NO_TABLE = "titusind calibrate, then name it with --table: without it no lean or height is measured"


def camera(
    spec: str | None, clock: Callable[[], float] = time.monotonic
) -> tuple[list[Finding], Image | None]:
    """Tell what the camera, the first if None, gives within WATCHED_S; and return its last picture."""
    try:
        found = (spec, open_source(spec)) if spec is not None else first_camera()
        if found is None:
            return [fault("camera", "none is there", PLUG_IN)], None
        spec, source = found
        frames: list[Frame] = []
        brightness: list[float] = []
        with closing(source.frames()) as shown:
            for frame in shown:
                if not frames:
                    start_s = clock()  # a Pi camera takes its time to the first
                frames.append(frame)
                brightness.append(float(frame.image_bgr[::COARSE, ::COARSE].mean()))
                if clock() - start_s >= WATCHED_S:
                    break
    except VisionError as error:
        return [fault("camera", str(error), PLUG_IN)], None
    if not frames:
        return [fault("camera", f"{spec}: no picture", PLUG_IN)], None
    image = frames[-1].image_bgr
    findings = [good("camera", f"{spec}: {image.shape[1]}x{image.shape[0]} pixels"), _frame_rate(frames)]
    if source.live:
        findings.append(exposure(spec, brightness))
    return findings, image


def _frame_rate(frames: Sequence[Frame]) -> Finding:
    passed_s = frames[-1].t_s - frames[0].t_s
    fps = (len(frames) - 1) / passed_s if passed_s else 0.0
    found = f"{fps:.0f} frames a second"
    if fps < LEAST_FPS:
        return warning("frame rate", found, "more light, or another camera: 15 a second are needed")
    return good("frame rate", found)


def exposure(spec: str, brightness: Sequence[float]) -> Finding:
    """Tell whether exposure is held, by the mean `brightness` of each picture of a tray left alone, 0 to 255.

    A Pi camera's is locked, or its source would give no picture at all; a webcam's can only be watched.
    """
    drift = (max(brightness) - min(brightness)) / max(1.0, min(brightness))
    how = "locked" if spec.startswith("pi") else "steady"
    if drift <= STEADY:
        return good("exposure", f"{how}, within {drift:.1%} while it was watched")
    return warning(
        "exposure",
        f"the brightness of the picture changed by {drift:.0%} while it was watched",
        "nothing should move and no lamp flicker; a webcam's automatic exposure is switched off with "
        "`v4l2-ctl -c auto_exposure=1`",
    )


def calibration(path: Path | None, seen: Image | None) -> Iterator[Finding]:
    """Tell whether there is a calibration, whether it is whole, and whether the camera's picture fits it."""
    if path is None:
        yield warning("calibration", "none named", NO_TABLE)
        return
    try:
        table = load_calibration(path)
    except VisionError as error:
        yield fault("calibration", str(error), "titusind calibrate")
        return
    yield from _lacks(path, table)
    if seen is not None:
        yield from _fits(path, table, seen)


def _lacks(path: Path, table: TableCalibration) -> Iterator[Finding]:
    lacks = [
        words
        for words, there in (
            ("camera and floor", table.floor_pose is not None),
            ("size of the dice", table.die_mm is not None),
            ("picture of the empty tray", table.empty_image is not None),
        )
        if not there
    ]
    if lacks:
        yield warning(
            "calibration", f"{path}: no {', no '.join(lacks)}", "titusind calibrate --die MM --empty"
        )
    else:
        yield good("calibration", f"{path}: whole")


def _fits(path: Path, table: TableCalibration, seen: Image) -> Iterator[Finding]:
    misfit = size_fault(table, seen)
    if misfit is not None:
        yield fault("view", f"{path}: {misfit}", "calibrate anew with this camera")
    elif table.empty_image is not None:
        size = (seen.shape[1], seen.shape[0])
        verdict = judge(seen, table)
        off = find_fault(seen, view_of(table.empty_image, table, size), verdict.dice)
        if off is None:
            yield good("view", "the camera sees the tray as it was calibrated")
        else:
            yield fault("view", f"{FAULTS[off.kind]}: {off.detail}", "put it right, or calibrate anew")
        yield from _sizes(path, verdict)


def _sizes(path: Path, verdict: Verdict) -> Iterator[Finding]:
    """Tell whether the dice that lie there are of the size that is calibrated."""
    for reason in verdict.reasons:
        if reason.kind is ReasonKind.SIZE:
            remedy = "measure a die and calibrate anew with that: titusind calibrate --die MM, or on the page"
            yield fault("dice", f"{path}: {reason.detail}", remedy)


def judging(clip: Path, table: Path) -> Iterator[Finding]:
    """Tell how long the throw that lies at the end of `clip` takes to judge on this machine."""
    times, known = [], load_calibration(table)
    *_, last = ClipSource(clip).frames()
    for _ in range(ROUNDS):
        start_s = time.perf_counter()
        judge(last.image_bgr, known, None)
        times.append(1000 * (time.perf_counter() - start_s))
    found = f"{statistics.median(times):.0f} ms a throw"
    if statistics.median(times) > SLOW_MS:
        yield warning("judging", found, "close what else runs on the machine")
    else:
        yield good("judging", found)
