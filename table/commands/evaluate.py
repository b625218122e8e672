"""`titusind evaluate DIR...`: how well the judge reads folders of labelled pictures and clips."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from table.command_line import EXIT_DONE, EXIT_FAILED, EXIT_USAGE
from table.evaluation.clip_labels import ClipFolder, holds_clips, read_clip_folder
from table.evaluation.clips import (
    ClipFigures,
    ClipGrade,
    clips_record,
    clips_table,
    measure_clips,
    sum_up_clips,
)
from table.evaluation.figures import Figures, as_record, as_table, sum_up
from table.evaluation.formats import read_folder
from table.evaluation.grading import StillGrade
from table.evaluation.labels import LabelError, LabelledFolder
from table.evaluation.measuring import Failure, measure
from table.evaluation.misses import forget_misses, is_miss, list_misses, save_miss
from table.folders import folder_fault
from table.judging import add_detector_argument, judge_with
from table.output import complain, print_json_line
from table.progress import with_progress
from table.workers import Workers, add_workers_arguments, in_order, with_workers
from vision.ultralytics_detector import DetectorError

WHAT_IT_MEANS = """\
dice right          labelled dice found and read with the right face
images right        the faces read are the labelled ones, none too many or too few, whatever the verdict
and sure            the same, said without asking a person and with the right verdict
unsure              the verdict is unsure: a person is asked
wrong, not unsure   the verdict is not unsure, and the faces or the verdict (misroll or not) are wrong
misread             found, but read as another face or left unread
missed              labelled, but not found
invented            read where no labelled die is
recall              true misrolls of a kind that the verdict names; false alarms: named where not true

Clips (NAME.mp4 with NAME.json or NAME.events.csv) are played as `titusind replay` does. There:
found once          labelled throws that were told while they moved or lay, and not told again
faces right         found once with the labelled faces; verdict right: with the right verdict
missed, invented    labelled throws never told; throws told again, or where none came to rest
delay ms            from the first still frame to the throw being told, the middle of all
"""


@dataclass(frozen=True, slots=True)
class _Stills:
    """Pictures measured; `failed` of them could not be."""

    name: str
    labels: str
    grades: Sequence[StillGrade]
    failed: int

    @property
    def figures(self) -> Figures:
        return sum_up(self.name, self.labels, self.grades, self.failed)

    def record(self) -> dict[str, object]:
        return as_record(self.figures)


@dataclass(frozen=True, slots=True)
class _Clips:
    """Clips measured; `failed` of them could not be."""

    name: str
    grades: Sequence[ClipGrade]
    failed: int

    @property
    def figures(self) -> ClipFigures:
        return sum_up_clips(self.name, self.grades, self.failed)

    def record(self) -> dict[str, object]:
        return clips_record(self.figures)


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `titusind evaluate`."""
    parser.epilog = WHAT_IT_MEANS
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument(
        "folders", metavar="DIR", nargs="+", type=Path, help="folder of labelled pictures or clips"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object a folder")
    parser.add_argument(
        "--empty", action="store_true", help="pictures in folders without labels show no dice"
    )
    add_workers_arguments(parser)
    add_detector_argument(parser)
    parser.add_argument(
        "--misses", type=Path, metavar="DIR", help="draw the pictures not read right into DIR"
    )


def run(args: argparse.Namespace) -> int:
    """Measure each folder; 1 when a folder, picture or clip could not be measured, the others still are."""
    fault = folder_fault("--misses", args.misses) if args.misses else None
    if fault:
        complain(fault)
        return EXIT_USAGE
    try:
        judge_with(args.detector)
    except DetectorError as error:
        complain(error)
        return EXIT_USAGE
    read = [_read(path, args.empty) for path in args.folders]
    folders = [folder for folder in read if folder is not None]

    def measure_all(workers: Workers) -> int:
        measured = [_measure(folder, args, workers) for folder in folders]
        _print_all(measured, args)
        return EXIT_FAILED if len(folders) < len(read) or _failed(measured) else EXIT_DONE

    return with_workers(args, sum(map(_count, folders)), measure_all)


def _print_all(measured: Sequence[_Stills | _Clips], args: argparse.Namespace) -> None:
    """Print the figures of all folders together, and for a person those of each."""
    stills = [each for each in measured if isinstance(each, _Stills)]
    clips = [each for each in measured if isinstance(each, _Clips)]
    tables = []
    if stills:
        in_all = _Stills("all", "all", [grade for each in stills for grade in each.grades], _failed(stills))
        tables.append(as_table([each.figures for each in [*stills, in_all]]))
        _print_record(in_all, args)
    if clips:
        all_clips = _Clips("all clips", [grade for each in clips for grade in each.grades], _failed(clips))
        tables.append(clips_table([each.figures for each in [*clips, all_clips]]))
        _print_record(all_clips, args)
    if tables and not args.json:
        print("\n\n".join(tables))


def _failed(measured: Sequence[_Stills | _Clips]) -> int:
    return sum(each.failed for each in measured)


def _print_record(measured: _Stills | _Clips, args: argparse.Namespace) -> None:
    if args.json:
        print_json_line(measured.record())


def _read(path: Path, unlabelled_is_empty: bool) -> LabelledFolder | ClipFolder | None:
    try:
        if holds_clips(path):
            return read_clip_folder(path)
        return read_folder(path, unlabelled_is_empty=unlabelled_is_empty)
    except (LabelError, OSError) as error:
        complain(error)
        return None


def _count(folder: LabelledFolder | ClipFolder) -> int:
    return len(folder.clips) if isinstance(folder, ClipFolder) else len(folder.stills)


def _measure(
    folder: LabelledFolder | ClipFolder, args: argparse.Namespace, workers: Workers
) -> _Stills | _Clips:
    measured: _Stills | _Clips
    if isinstance(folder, ClipFolder):
        measured = _clips(folder, args, workers)
    else:
        measured = _stills(folder, args, workers)
    _print_record(measured, args)
    return measured


def _clips(folder: ClipFolder, args: argparse.Namespace, workers: Workers) -> _Clips:
    done = measure_clips(folder, workers, args.detector)
    outcomes = list(in_order(with_progress(done, len(folder.clips), folder.name)))
    return _Clips(folder.name, [each for each in outcomes if isinstance(each, ClipGrade)], _tell(outcomes))


def _stills(folder: LabelledFolder, args: argparse.Namespace, workers: Workers) -> _Stills:
    done = measure(folder, workers, args.detector)
    outcomes = list(in_order(with_progress(done, len(folder.stills), folder.name)))
    grades = [outcome for outcome in outcomes if isinstance(outcome, StillGrade)]
    if args.misses:
        _draw_misses(grades, args.misses / folder.name)
    for line in folder.left_out:
        complain(line)
    return _Stills(folder.name, folder.labels, grades, _tell(outcomes) + len(folder.left_out))


def _draw_misses(grades: Sequence[StillGrade], folder: Path) -> None:
    forget_misses(folder)
    for graded in filter(is_miss, grades):
        save_miss(graded, folder)
    list_misses(grades, folder)


def _tell(outcomes: Sequence[StillGrade | ClipGrade | Failure]) -> int:
    """Complain of each failure; how many there are."""
    failures = [outcome for outcome in outcomes if isinstance(outcome, Failure)]
    for failure in failures:
        complain(failure.message)
    return len(failures)
