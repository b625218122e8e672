"""`titusind judge IMAGE...`: the referee's verdict on still pictures."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from table.command_line import EXIT_DONE, EXIT_FAILED, EXIT_USAGE
from table.errors import ReportError
from table.folders import folder_fault
from table.judging import JudgedPicture, add_detector_argument, judge_picture, judge_with
from table.output import complain, print_json_line
from table.recording.report_reading import SUFFIX, opened_report
from table.recording.report_replay import judge_report, not_as_then
from table.throw_watch import Judge
from table.verdict_json import verdict_record
from vision.calibration import load_calibration
from vision.domain import DieReading, TableCalibration
from vision.errors import VisionError
from vision.images import write_png
from vision.overlay import draw_overlay

MOST_DICE = 99


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `titusind judge`."""
    parser.add_argument(
        "images", metavar="IMAGE", nargs="+", type=Path, help="picture of the table, or report of a throw"
    )
    parser.add_argument("--table", type=Path, metavar="FILE", help="calibration of the table, table.json")
    parser.add_argument("--expect", type=_dice, metavar="N", help="dice that should be there")
    parser.add_argument("--json", action="store_true", help="print one JSON object a picture")
    parser.add_argument(
        "--overlay", type=Path, metavar="DIR", help="write each picture with the verdict drawn on it into DIR"
    )
    add_detector_argument(parser)


def _dice(word: str) -> int:
    if not word.isdecimal() or not 1 <= int(word) <= MOST_DICE:
        raise argparse.ArgumentTypeError(f"{word!r}; a number of dice from 1 to {MOST_DICE} is accepted")
    return int(word)


def run(args: argparse.Namespace) -> int:
    """Judge the pictures in order; 1 when one could not be judged, 2 when calibration or detector are bad."""
    try:
        calibration = load_calibration(args.table) if args.table else None
        judge_with(args.detector)
    except (VisionError, OSError) as error:
        complain(error)
        return EXIT_USAGE
    fault = folder_fault("--overlay", args.overlay) if args.overlay else None
    if fault:
        complain(fault)
        return EXIT_USAGE
    names = overlay_names(args.images)
    judged = [
        _judge_and_print(path, calibration, args, name) for path, name in zip(args.images, names, strict=True)
    ]
    return EXIT_DONE if all(judged) else EXIT_FAILED


def overlay_names(images: Sequence[Path]) -> list[str]:
    """Return a file name for each picture's overlay; pictures of one name get their folder's before it."""
    names: list[str] = []
    for path in images:
        name, folder = f"{path.stem}.png", path.absolute().parent
        while name in names:
            name, folder = f"{folder.name or len(names)}-{name}", folder.parent
        names.append(name)
    return names


def _judge_and_print(
    path: Path, calibration: TableCalibration | None, args: argparse.Namespace, overlay_name: str
) -> bool:
    try:
        if path.suffix.lower() == SUFFIX:
            judged, calibration, as_then = _judge_report(path, judge_with(args.detector))
        else:
            judged, as_then = judge_picture(path, calibration, args.expect, judge_with(args.detector)), True
        if args.overlay:
            area_px = None if calibration is None else calibration.area_px
            write_png(args.overlay / overlay_name, draw_overlay(judged.image, judged.verdict, area_px))
    except (VisionError, ReportError, OSError) as error:
        complain(error)
        return False
    if args.json:
        print_json_line(
            {"image": str(path), **verdict_record(judged.verdict), "ms": round(judged.ms, 1)},
        )
    else:
        print(_for_a_person(path, judged), flush=True)
    return as_then


def _judge_report(path: Path, judge: Judge) -> tuple[JudgedPicture, TableCalibration | None, bool]:
    """Judge the picture of a report; return its calibration too, and whether the answer is that of then."""
    with opened_report(path) as report:
        judged, differences = judge_report(report, judge)
    if differences:
        complain(not_as_then(path, report))
        print("\n".join(differences), file=sys.stderr)
    return judged, report.calibration, not differences


def _for_a_person(path: Path, judged: JudgedPicture) -> str:
    verdict = judged.verdict
    faces = "" if verdict.faces is None else " " + (" ".join(map(str, verdict.faces)) or "no dice")
    lines = [f"{path}: {verdict.ruling}{faces} ({judged.ms:.0f} ms)"]
    lines += [f"  {reason.kind}: {reason.detail}" for reason in verdict.reasons]
    lines += [f"  {_die_line(die)}" for die in verdict.dice]
    return "\n".join(lines)


def _die_line(die: DieReading) -> str:
    x, y = die.center_px
    measures = (
        ("tilt", die.tilt_deg, "degrees"),
        ("height", die.height_mm, "mm"),
        ("margin", die.margin_mm, "mm"),
    )
    told = "".join(f", {name} {value:.1f} {unit}" for name, value, unit in measures if value is not None)
    return f"{die.face or '?'} at ({x:.0f}, {y:.0f}), {die.state}, confidence {die.confidence:.2f}{told}"
