"""`titusind evaluate DIR...`: how well the judge reads folders of labelled pictures."""

from __future__ import annotations

import argparse
from pathlib import Path

from table.cli import EXIT_DONE, EXIT_FAILED
from table.evaluation.figures import as_record, as_table, sum_up
from table.evaluation.formats import holds_clips, read_folder
from table.evaluation.grading import StillGrade
from table.evaluation.labels import LabelError, LabelledFolder
from table.evaluation.measuring import Failure, measure
from table.evaluation.misses import forget_misses, list_misses
from table.evaluation.progress import with_progress
from table.output import complain, print_json_line

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
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `titusind evaluate`."""
    parser.epilog = WHAT_IT_MEANS
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("folders", metavar="DIR", nargs="+", type=Path, help="folder of labelled pictures")
    parser.add_argument("--json", action="store_true", help="print one JSON object a folder")
    parser.add_argument(
        "--empty", action="store_true", help="pictures in folders without labels show no dice"
    )
    parser.add_argument("--workers", type=_positive, default=1, metavar="N", help="judge N pictures at once")
    parser.add_argument(
        "--misses", type=Path, metavar="DIR", help="draw the pictures not read right into DIR"
    )


def _positive(word: str) -> int:
    if not word.isdecimal() or int(word) < 1:
        raise argparse.ArgumentTypeError(f"{word!r}; a number of 1 or more is accepted")
    return int(word)


def run(args: argparse.Namespace) -> int:
    """Measure each folder; 1 when a folder or picture could not be measured, the others still are."""
    folders = [_read(path, args.empty) for path in args.folders if not _skip_clips(path)]
    rows, all_grades, failed = [], list[StillGrade](), folders.count(None)
    for folder in filter(None, folders):
        grades, failures = _measure(folder, args)
        rows.append(sum_up(folder.name, folder.labels, grades, failures))
        all_grades += grades
        failed += failures
        if args.json:
            print_json_line(as_record(rows[-1]))
    if rows:
        rows.append(sum_up("all", "all", all_grades, sum(row.failed for row in rows)))
        if args.json:
            print_json_line(as_record(rows[-1]))
        else:
            print(as_table(rows))
    return EXIT_FAILED if failed else EXIT_DONE


def _skip_clips(path: Path) -> bool:
    if not holds_clips(path):
        return False
    complain(f"{path}: holds clips, skipped; `titusind replay CLIP --expect FILE` measures them")
    return True


def _read(path: Path, unlabelled_is_empty: bool) -> LabelledFolder | None:
    try:
        return read_folder(path, unlabelled_is_empty=unlabelled_is_empty)
    except (LabelError, OSError) as error:
        complain(error)
        return None


def _measure(folder: LabelledFolder, args: argparse.Namespace) -> tuple[list[StillGrade], int]:
    """Grades of the pictures that could be judged, and the number of those that could not."""
    misses = args.misses / folder.name if args.misses else None
    if misses:
        forget_misses(misses)
    outcomes = list(with_progress(measure(folder, args.workers, misses), len(folder.stills), folder.name))
    grades = [outcome for outcome in outcomes if isinstance(outcome, StillGrade)]
    for outcome in outcomes:
        if isinstance(outcome, Failure):
            complain(outcome.message)
    if misses:
        list_misses(grades, misses)
    return grades, len(outcomes) - len(grades)
