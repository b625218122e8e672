"""Measures the committed accuracy figures anew: `make accuracy`, or

    python -m benchmarks.accuracy [--shared ../shared] [--workers 2]

and writes them to tests/accuracy.json, unless one got worse. Raise DEFINITION, and say why in the changelog,
when labels or the meaning of a figure change: figures of different definitions are not compared.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

from table.command_line import OneLineParser
from table.evaluation.figures import as_record, sum_up
from table.evaluation.formats import read_folder
from table.evaluation.grading import StillGrade
from table.evaluation.labels import LabelError
from table.evaluation.measuring import measure
from table.progress import with_progress
from table.workers import Workers, in_order, opened_workers

Figures = Mapping[str, Mapping[str, float | None]]

DEFINITION = 2
FILE = Path(__file__).parents[1] / "tests" / "accuracy.json"
SHARED = Path(__file__).parents[1].parent / "shared"
PHOTOGRAPHS = ("autoyahtzee", "damiantab", "llkadenll", "nellbyler", "tomek", "wiktoria")
EVERY = 5  # the sample a test measures in seconds: every fifth picture of each folder
MAY_ONLY_RISE = ("dice_right", "images_right")
MAY_ONLY_FALL = ("wrong_and_not_unsure", "invented")
KEPT = ("images", "dice", *MAY_ONLY_RISE, "images_right_and_sure", "unsure", *MAY_ONLY_FALL)


def groups(shared: Path) -> dict[str, list[Path]]:
    """The folders measured, by name; the rigs together, since one throw in a rig of sixteen is noise.

    Backgrounds are the one folder without labels: they show no dice.
    """
    photographs = [shared / "real" / "dev" / name for name in PHOTOGRAPHS]
    single = [*photographs, shared / "real" / "train" / "backgrounds"]
    rigs = sorted(path.parent for path in (shared / "bench" / "rigs").glob("*/table.json"))
    return {"/".join(path.parts[-2:]): [path] for path in single} | {"bench/rigs": rigs}


def measure_groups(shared: Path, workers: Workers, *, every: int = 1) -> dict[str, dict[str, float | None]]:
    """Figures of every `every`-th picture of each group of folders, by its name."""
    figures = {}
    for name, paths in groups(shared).items():
        grades: list[StillGrade] = []
        for path in paths:
            folder = read_folder(path, unlabelled_is_empty=True)
            if folder.left_out:
                raise LabelError(folder.left_out[0])
            folder = replace(folder, stills=folder.stills[::every])
            done = with_progress(measure(folder, workers), len(folder.stills), folder.name)
            grades += [outcome for outcome in in_order(done) if isinstance(outcome, StillGrade)]
        record = as_record(sum_up(name, folder.labels, grades))
        figures[name] = {key: cast("float | None", record[key]) for key in KEPT}
    return figures


def worse(before: Figures, after: Figures) -> list[str]:
    """A line for each figure of `before` that is worse, or gone, in `after`."""
    lines = []
    for name, figures in before.items():
        for key in (*MAY_ONLY_RISE, *MAY_ONLY_FALL):
            was, now = figures.get(key), after.get(name, {}).get(key)
            if was is None:
                continue
            if now is None or (now < was if key in MAY_ONLY_RISE else now > was):
                lines.append(f"{name}: {key} was {was}, is {now}")
    return lines


def main(argv: Sequence[str] | None = None) -> int:
    """Measure all and the sample; 1 and nothing written when a figure got worse."""
    parser = OneLineParser(prog="python -m benchmarks.accuracy", description=main.__doc__)
    parser.add_argument("--shared", type=Path, default=SHARED, help="where the shared pictures are")
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args(argv)
    before = json.loads(FILE.read_text(encoding="utf-8"))
    with opened_workers(args.workers) as workers:
        after = {
            "folders": measure_groups(args.shared, workers),
            "sample": measure_groups(args.shared, workers, every=EVERY),
        }
    if before["definition"] == DEFINITION:
        lines = [line for part, figures in after.items() for line in worse(before[part], figures)]
        if lines:
            print(
                "\n".join(["benchmarks.accuracy: nothing written, these got worse:", *lines]), file=sys.stderr
            )
            return 1
    FILE.write_text(json.dumps({"definition": DEFINITION, **after}, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
