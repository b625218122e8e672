"""`titusind replay VIDEO...`: clips through the table's own loop, with the clip's frame times as clock."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from scoring.errors import GameError
from scoring.faces import ALL_DICE
from scoring.game import Game
from scoring.languages import Language
from table.command_line import EXIT_DONE, EXIT_FAILED, EXIT_USAGE
from table.errors import EventFileError, TableError, TouchError
from table.events import TableEvent
from table.expectation import Record, differences, read_expectation
from table.game_arguments import (
    add_empty_banks_argument,
    add_game_arguments,
    chosen_calibration,
    chosen_game,
    chosen_language,
)
from table.judging import add_detector_argument, judge_with
from table.loop import TableLoop
from table.loop import run as run_loop
from table.output import Printout, complain
from table.progress import with_progress
from table.recording.clip_reading import with_exact
from table.recording.report_reading import SUFFIX, opened_report
from table.recording.report_replay import not_as_then, replay_report
from table.source_arguments import add_fps_argument
from table.telling import told
from table.throw_watch import ThrowWatch
from table.touches import TimedTouch, read_touches
from table.workers import Workers, add_workers_arguments, in_order, with_workers
from vision.domain import TableCalibration
from vision.errors import CalibrationError, VisionError
from vision.sources import open_recording
from vision.ultralytics_detector import DetectorError

MANY_CLIPS = 8  # from so many on it is shown how many are done

DICE = f"""\
Without --dice the dice are not counted: a throw is what was read, and counts in the game if it has as many
dice as the turn has to throw. --dice {ALL_DICE}: a throw with fewer is a misroll, as at the live table.
--dice 1 to {ALL_DICE - 1}: the same, but every throw has that many.

Without --touches nobody taps. What was set aside is known from the dice seen to be left and the number that
come back, where that leaves a single possibility, and banked is as --empty-banks says; elsewhere the game
waits (paused). Every throw is told.

A line of --touches is {{"t_s": 4.2, "action": "set_aside", "faces": [1, 5]}}. Actions: set_aside (faces),
bank, misroll, undo, decline_relief, knock (faces, or null: it did not help), correct (die: its place in the
list "dice", face: null when it is no die), confirm (the throw that waits), throw (faces, entered by hand),
new_game, begin_game (players: a list of names, rules: a preset or all fields, first_seat).

A report of a throw (.zip, from the page of `titusind play` or its --keep-recordings) brings its own table,
rules and game, and the events that were told: it is played by those alone, and 1 is the exit code when the
answer is not the same.

An event of --expect may leave fields out; those are not compared. With several clips each object names
its clip.
"""


@dataclass(frozen=True, slots=True, eq=False)
class _Set:
    """What every clip is played with."""

    game: Game
    calibration: TableCalibration | None
    dice: int | None
    empty_banks_s: float | None
    touches: Sequence[TimedTouch]
    expected: Sequence[Record] | None
    name: str  # of the expectation
    json: bool
    language: Language
    name_clips: bool
    detector: Path | None
    fps: float | None  # of folders of pictures


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `titusind replay`."""
    parser.epilog = DICE
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument(
        "videos",
        metavar="VIDEO",
        nargs="+",
        type=Path,
        help="clip of a table, a folder of pictures, or report of a throw",
    )
    add_fps_argument(parser)
    add_game_arguments(parser)
    add_empty_banks_argument(parser)
    parser.add_argument("--dice", type=_dice, metavar="N", help="dice that a throw must have, see below")
    parser.add_argument("--touches", type=Path, metavar="FILE.jsonl", help="what a person tapped")
    parser.add_argument("--expect", type=Path, metavar="FILE.jsonl", help="compare with these events")
    parser.add_argument("--json", action="store_true", help="print one JSON object an event")
    add_detector_argument(parser)
    add_workers_arguments(parser)


def _dice(word: str) -> int:
    if not word.isdecimal() or not 1 <= int(word) <= ALL_DICE:
        raise argparse.ArgumentTypeError(f"{word!r}; a number of dice from 1 to {ALL_DICE} is accepted")
    return int(word)


def run(args: argparse.Namespace) -> int:
    """Replay the clips in order; 1 when one failed or differs from the expectation, 2 for bad settings."""
    try:
        settings = _settings(args)
        judge_with(args.detector)
    except (GameError, CalibrationError, DetectorError, EventFileError) as error:
        complain(error)
        return EXIT_USAGE
    return with_workers(args, len(args.videos), partial(_replay_all, args.videos, settings))


def _replay_all(paths: Sequence[Path], settings: _Set, workers: Workers) -> int:
    """Replay the clips and print what each says in their order; 0 if all went well and as expected."""
    done = workers.as_done(partial(_replayed, settings=settings, at_once=workers.here), paths)
    if len(paths) >= MANY_CLIPS:
        done = with_progress(done, len(paths), "clips")
    went_well = True
    for well, out in in_order(done):
        out.print_kept()
        went_well = went_well and well
    return EXIT_DONE if went_well else EXIT_FAILED


def _replayed(path: Path, settings: _Set, *, at_once: bool) -> tuple[bool, Printout]:
    out = Printout(at_once=at_once)
    return _replay(path, settings, out), out


def _settings(args: argparse.Namespace) -> _Set:
    return _Set(
        game=chosen_game(args),
        calibration=chosen_calibration(args),
        dice=args.dice,
        empty_banks_s=args.empty_banks,
        touches=read_touches(args.touches) if args.touches else (),
        expected=read_expectation(args.expect) if args.expect else None,
        name=str(args.expect),
        json=args.json,
        language=chosen_language(args),
        name_clips=len(args.videos) > 1,
        detector=args.detector,
        fps=args.fps,
    )


def _replay(path: Path, settings: _Set, out: Printout) -> bool:
    """Play one clip or report and print its events; whether all went well and as expected."""
    return (_replay_report if path.suffix.lower() == SUFFIX else _replay_clip)(path, settings, out)


def _replay_clip(path: Path, settings: _Set, out: Printout) -> bool:
    """Play one clip and print its events as they come; whether all went well and as expected."""
    records: list[Record] = []
    failed = False
    judge = judge_with(settings.detector)
    if settings.name_clips and not settings.json:
        out.line(f"{path}:")
    try:
        watch = ThrowWatch(settings.calibration, judge)
        loop = TableLoop(settings.game, watch, settings.dice, empty_banks_s=settings.empty_banks_s)
        frames = with_exact(open_recording(path, settings.fps).frames(), path)
        for event in run_loop(loop, frames, settings.touches):
            records.append(event.record())
            _print(event, path, settings, out)
    except BrokenPipeError:  # no fault of the clip: nobody reads on, which ends the command
        raise
    except (CalibrationError, TouchError) as error:  # these do not know the clip
        out.complain(f"{path}: {error}")
        failed = True
    except (VisionError, OSError) as error:
        out.complain(error)
        failed = True
    return _is_as_expected(records, path, settings, out) and not failed


def _replay_report(path: Path, settings: _Set, out: Printout) -> bool:
    """Play the throw of one report and print its events; whether they are those of then."""
    if settings.name_clips and not settings.json:
        out.line(f"{path}:")
    try:
        with opened_report(path) as report:
            replayed = replay_report(report, judge_with(settings.detector))
    except (VisionError, TableError, OSError) as error:
        out.complain(error)
        return False
    for event in replayed.events:
        _print(event, path, settings, out)
    if report.throw is None:
        out.complain(f"{path}: no throw was seen when it was made, so there is no answer to compare")
    if replayed.differences:
        out.complain(not_as_then(path, report))
        out.error("\n".join(replayed.differences))
    return not replayed.differences


def _print(event: TableEvent, path: Path, settings: _Set, out: Printout) -> None:
    if not settings.json:
        out.line(told(event, settings.language))
    elif settings.name_clips:
        out.json_line({"clip": str(path), **event.record()})
    else:
        out.json_line(event.record())


def _is_as_expected(records: Sequence[Record], path: Path, settings: _Set, out: Printout) -> bool:
    if settings.expected is None:
        return True
    lines = differences(settings.expected, records, settings.name)
    if lines:
        out.complain(f"{path}: the events are not those of {settings.name}")
        out.error("\n".join(lines))
    return not lines
