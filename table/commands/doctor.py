"""`titusind doctor`: looks over camera, calibration, machine and voice, each with what to do about it."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from scoring.languages import Language
from table.command_line import EXIT_DONE, EXIT_FAILED
from table.doctor.finding import Finding, Health
from table.doctor.games import games
from table.doctor.machine import disk, temperature, throttling, versions
from table.doctor.sight import calibration, camera, judging
from table.doctor.voice import voice
from table.output import print_json_line
from table.source_arguments import CAMERA
from table.store.arguments import default_path
from table.table_place import default_table
from table.voice.speech_engines import ESPEAK_VOICE

DEMO = Path(__file__).parents[1] / "demo"
SIGNS = {Health.GOOD: "ok", Health.WARNING: "warning", Health.FAULT: "FAULT"}


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `titusind doctor`."""
    parser.add_argument("--camera", metavar=CAMERA, help="default the first Pi camera, else the first webcam")
    parser.add_argument("--table", type=Path, metavar="FILE", help="calibration of the table, table.json")
    parser.add_argument("--games", type=Path, metavar="FILE", help="where games are kept")
    parser.add_argument("--voice", default=ESPEAK_VOICE, metavar="espeak|piper:VOICE.onnx|off")
    parser.add_argument(
        "--language", default=Language.ENGLISH.value, choices=[language.value for language in Language]
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object a finding")


def run(args: argparse.Namespace) -> int:
    """Print every finding; 1 if there is a fault among them."""
    worst = EXIT_DONE
    for finding in _findings(args):
        if finding.health is Health.FAULT:
            worst = EXIT_FAILED
        if args.json:
            print_json_line(finding.record())
        else:
            print(_line(finding), flush=True)
    return worst


def _findings(args: argparse.Namespace) -> Iterator[Finding]:
    yield from versions()
    seen, picture = camera(args.camera)
    yield from seen
    kept = default_table(args.games)
    yield from calibration(args.table or (kept if kept.exists() else None), picture)
    yield from judging(DEMO / "demo.mp4", DEMO / "table.json")
    yield from voice(args.voice, Language(args.language))
    yield from games(args.games or default_path())
    yield from disk((args.games or default_path()).parent)
    yield from temperature()
    yield from throttling()


def _line(finding: Finding) -> str:
    line = f"{SIGNS[finding.health]:8}{finding.what}: {finding.found}"
    return f"{line}\n{'':8}-> {finding.remedy}" if finding.remedy else line
