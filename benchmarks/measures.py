"""Measures how well tilt and height are measured, and what the referee makes of them.

    python -m benchmarks.measures RIGS... [--histograms FILE.png]

RIGS are folders of rigs, as `../shared/bench/rigs` or what `python -m datasets.make` writes. Every die is
matched with the nearest reading; what no reading lies on counts as not found. Histograms need Matplotlib,
which the `train` extra brings.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from table.command_line import OneLineParser
from table.progress import with_progress
from vision.calibration import load_calibration
from vision.domain import DieReading, DieState, ReasonKind, Ruling, TableCalibration, Verdict
from vision.images import read_image
from vision.judge import judge

NEAR = 0.6  # sides of the true top face between its middle and that of a reading that is this die's
LEAST_VISIBLE = 0.45
BANDS_DEG = ((0.0, 1.5), (1.5, 6.0), (6.0, 10.0), (10.0, 20.0), (20.0, 90.0))


@dataclass(frozen=True, slots=True)
class Measured:
    """One die inside the area: the truth, the reading on it if any, and the kinds of reasons that name it."""

    state: DieState
    tilt_deg: float
    height_mm: float
    reading: DieReading | None
    named: frozenset[ReasonKind]


@dataclass(frozen=True, slots=True)
class Throw:
    """One picture: what is true of the throw, what was ruled, and its dice."""

    valid: bool
    ruling: Ruling
    dice: tuple[Measured, ...]


def main(argv: Sequence[str] | None = None) -> int:
    """Judge all pictures and print the figures."""
    parser = OneLineParser(prog="python -m benchmarks.measures", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("rigs", nargs="+", type=Path, metavar="RIGS")
    parser.add_argument("--histograms", type=Path, metavar="FILE.png")
    args = parser.parse_args(argv)
    labels = [label for folder in args.rigs for label in sorted(folder.rglob("[0-9]*.json"))]
    if not labels:
        print("benchmarks.measures: no labelled pictures found", file=sys.stderr)
        return 2
    throws = list(with_progress(_throws(labels), len(labels), "judged"))
    dice = [die for throw in throws for die in throw.dice]
    print("\n".join([*_errors(dice), *_bands(dice), *_rulings(throws)]))
    if args.histograms:
        draw_histograms(dice, args.histograms)
    return 0


def _throws(labels: Sequence[Path]) -> Iterator[Throw]:
    tables: dict[Path, TableCalibration] = {}
    for label in labels:
        table = label.parent / "table.json"
        tables.setdefault(table, load_calibration(table))
        truth = json.loads(label.read_text(encoding="utf-8"))
        verdict = judge(read_image(label.with_suffix(".jpg")), tables[table], truth["n_expected"])
        dice = tuple(_measured(die, verdict) for die in truth["dice"] if _counts(die))
        yield Throw(truth["verdict"] == "valid", verdict.ruling, dice)


def _counts(die: dict[str, Any]) -> bool:
    return bool(die["in_frame"] and die["state"] != "outside" and die["visible"] >= LEAST_VISIBLE)


def _measured(die: dict[str, Any], verdict: Verdict) -> Measured:
    corners = np.array(die["corners_px"])
    middle, side = (
        corners.mean(axis=0),
        float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean()),
    )
    away = [float(np.hypot(*(np.array(seen.center_px) - middle))) / side for seen in verdict.dice]
    index = int(np.argmin(away)) if away and min(away) < NEAR else None
    named = frozenset(reason.kind for reason in verdict.reasons if reason.die == index is not None)
    reading = None if index is None else verdict.dice[index]
    return Measured(DieState(die["state"]), die["tilt_deg"], die["height_mm"], reading, named)


def _errors(dice: Sequence[Measured]) -> Iterator[str]:
    tilts, heights = errors_of_flat(dice)
    for name, errors, unit in (("tilt", tilts, "degrees"), ("height", heights, "mm")):
        middle, most, worst = np.percentile(errors, [50, 95, 99])
        yield (
            f"flat dice, {name} off: {len(errors)} measured, median {middle:.2f}, "
            f"95 % within {most:.2f}, 99 % within {worst:.2f} {unit}"
        )


def errors_of_flat(dice: Sequence[Measured]) -> tuple[list[float], list[float]]:
    """Errors of tilt, degrees, and height, mm, of the dice that lie flat on the floor and were measured."""
    flat = [die for die in dice if die.state is DieState.FLAT and die.tilt_deg < BANDS_DEG[0][1]]
    readings = [(die, die.reading) for die in flat if die.reading is not None]
    tilts = [abs(seen.tilt_deg - die.tilt_deg) for die, seen in readings if seen.tilt_deg is not None]
    heights = [abs(seen.height_mm - die.height_mm) for die, seen in readings if seen.height_mm is not None]
    return tilts, heights


def _bands(dice: Sequence[Measured]) -> Iterator[str]:
    on_floor = [die for die in dice if die.state is not DieState.STACKED]
    for low, high in BANDS_DEG:
        yield _shares(f"tilt {low:g} to {high:g} degrees", [d for d in on_floor if low <= d.tilt_deg < high])
    yield _shares("on another die", [die for die in dice if die.state is DieState.STACKED])


def _shares(name: str, dice: Sequence[Measured]) -> str:
    count = max(len(dice), 1)
    lying = {ReasonKind.TILTED, ReasonKind.STACKED}
    called = {
        "tilted": sum(ReasonKind.TILTED in die.named for die in dice),
        "stacked": sum(ReasonKind.STACKED in die.named for die in dice),
        "asked about": sum(bool(die.named) and not die.named & lying for die in dice),
        "not found": sum(die.reading is None for die in dice),
        "called flat": sum(die.reading is not None and not die.named for die in dice),
    }
    told = ", ".join(f"{what} {100 * number / count:.1f} %" for what, number in called.items())
    return f"{name}: {len(dice)} dice, {told}"


def _rulings(throws: Sequence[Throw]) -> Iterator[str]:
    for valid in (True, False):
        ruled = [throw.ruling for throw in throws if throw.valid is valid]
        told = ", ".join(f"{each} {100 * ruled.count(each) / max(len(ruled), 1):.1f} %" for each in Ruling)
        yield f"throws that are {'valid' if valid else 'misrolls'}: {len(ruled)}, ruled {told}"
    wrong = sum(
        throw.ruling is not Ruling.UNSURE and throw.valid != (throw.ruling is Ruling.VALID)
        for throw in throws
    )
    yield f"ruled wrongly and without asking: {100 * wrong / len(throws):.1f} % of {len(throws)} throws"


def draw_histograms(dice: Sequence[Measured], path: Path) -> None:
    """Draw how far off tilt and height of flat dice are measured."""
    figure = import_module("matplotlib.figure").Figure(figsize=(8, 3), layout="constrained")
    for axes, errors, unit in zip(
        figure.subplots(1, 2), errors_of_flat(dice), ("degrees", "mm"), strict=True
    ):
        axes.hist(errors, bins=30, color="#33669a")
        axes.axvline(float(np.percentile(errors, 95)), color="#c03030", label="95 %")
        axes.set_xlabel(f"{'tilt' if unit == 'degrees' else 'height'} measured on flat dice, off by {unit}")
        axes.set_ylabel("dice")
        axes.legend()
    figure.savefig(path, dpi=110)


if __name__ == "__main__":
    raise SystemExit(main())
