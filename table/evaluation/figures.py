"""Sums grades up into the figures of a folder, as a record for JSON and as a table for a person."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from table.evaluation.grading import StillGrade
from vision.domain import MISROLL_KINDS, Ruling

Row = TypeVar("Row")
Columns: TypeAlias = tuple[tuple[str, Callable[[Row], str]], ...]


@dataclass(frozen=True, slots=True)
class Share:
    """`hits` of `cases`."""

    hits: int
    cases: int

    @property
    def value(self) -> float | None:
        """Between 0 and 1, None of nothing."""
        return round(self.hits / self.cases, 4) if self.cases else None

    def __str__(self) -> str:
        """Like 93.8 (15/16)."""
        return f"{100 * self.hits / self.cases:.1f}% ({self.hits}/{self.cases})" if self.cases else "-"


@dataclass(frozen=True, slots=True)
class KindFigures:
    """How one misroll kind fares: named where it is true, and named where it is not."""

    recall: Share
    false_alarms: Share


@dataclass(frozen=True, slots=True)
class Figures:
    """The measured figures of one folder, or of all."""

    folder: str
    labels: str
    images: int
    failed: int
    dice: Share
    misread: int
    missed: int
    invented: int
    right: Share
    right_and_sure: Share
    unsure: Share
    wrong_and_sure: Share
    misrolls: Mapping[str, KindFigures]
    ms_median: float | None
    ms_p95: float | None


def sum_up(folder: str, labels: str, grades: Sequence[StillGrade], failed: int = 0) -> Figures:
    """Figures of `grades`; `failed` pictures could not be judged and count in no share."""
    times = sorted(grade.ms for grade in grades)
    return Figures(
        folder=folder,
        labels=labels,
        images=len(grades),
        failed=failed,
        dice=Share(sum(grade.dice.right for grade in grades), sum(grade.dice.dice for grade in grades)),
        misread=sum(grade.dice.misread for grade in grades),
        missed=sum(grade.dice.missed for grade in grades),
        invented=sum(grade.dice.invented for grade in grades),
        right=share_of(grade.faces_right for grade in grades),
        right_and_sure=share_of(grade.right_and_sure for grade in grades),
        unsure=share_of(grade.unsure for grade in grades),
        wrong_and_sure=share_of(grade.wrong_and_sure for grade in grades),
        misrolls=_misrolls(grades),
        ms_median=round(statistics.median(times), 1) if times else None,
        ms_p95=round(times[min(len(times) - 1, int(0.95 * len(times)))], 1) if times else None,
    )


def share_of(hits: Iterable[bool]) -> Share:
    """Count the flags that are true."""
    flags = list(hits)
    return Share(sum(flags), len(flags))


def _misrolls(grades: Sequence[StillGrade]) -> dict[str, KindFigures]:
    """Only pictures that hold dice and whose verdict is known count: an empty mapping when there are none."""
    cases = [(grade, grade.still.verdict) for grade in grades if grade.still.verdict is not None]
    if not cases:
        return {}
    ruled = [
        (truth.ruling is Ruling.MISROLL, grade.verdict.ruling is Ruling.MISROLL) for grade, truth in cases
    ]
    figures = {"misroll": _kind_figures(ruled)}
    for kind in sorted(MISROLL_KINDS):
        figures[kind.value] = _kind_figures(
            [
                (kind in truth.kinds, kind in grade.kinds)
                for grade, truth in cases
                if kind not in truth.open_kinds
            ]
        )
    return figures


def _kind_figures(cases: Sequence[tuple[bool, bool]]) -> KindFigures:
    return KindFigures(
        share_of(named for true, named in cases if true), share_of(named for true, named in cases if not true)
    )


def as_record(figures: Figures) -> dict[str, object]:
    """The figures as one JSON object; shares 0 to 1, null where there was nothing to measure."""
    return {
        "folder": figures.folder,
        "labels": figures.labels,
        "images": figures.images,
        "failed": figures.failed,
        "dice": figures.dice.cases,
        "dice_right": figures.dice.value,
        "images_right": figures.right.value,
        "images_right_and_sure": figures.right_and_sure.value,
        "unsure": figures.unsure.value,
        "wrong_and_not_unsure": figures.wrong_and_sure.value,
        "misread": figures.misread,
        "missed": figures.missed,
        "invented": figures.invented,
        "misrolls": {
            kind: {
                "cases": shares.recall.cases,
                "recall": shares.recall.value,
                "others": shares.false_alarms.cases,
                "false_alarms": shares.false_alarms.value,
            }
            for kind, shares in figures.misrolls.items()
        },
        "ms_median": figures.ms_median,
        "ms_p95": figures.ms_p95,
    }


COLUMNS: Columns[Figures] = (
    ("images", lambda f: f"{f.images}"),
    ("dice", lambda f: f"{f.dice.cases}"),
    ("dice right", lambda f: percent(f.dice)),
    ("images right", lambda f: percent(f.right)),
    ("and sure", lambda f: percent(f.right_and_sure)),
    ("unsure", lambda f: percent(f.unsure)),
    ("wrong, not unsure", lambda f: percent(f.wrong_and_sure)),
    ("misread", lambda f: f"{f.misread}"),
    ("missed", lambda f: f"{f.missed}"),
    ("invented", lambda f: f"{f.invented}"),
    ("median ms", lambda f: "-" if f.ms_median is None else f"{f.ms_median:.0f}"),
    ("95 % ms", lambda f: "-" if f.ms_p95 is None else f"{f.ms_p95:.0f}"),
)


def percent(share: Share) -> str:
    """Like 93.8%, or - of nothing."""
    return f"{100 * share.hits / share.cases:.1f}%" if share.cases else "-"


def aligned(names: Sequence[str], rows: Sequence[Row], columns: Columns[Row]) -> list[str]:
    """Return a line of headings and one a row, each cell under its heading."""
    width = max(map(len, names))
    lines = [" " * width + "".join(f"  {head}" for head, _ in columns)]
    for name, row in zip(names, rows, strict=True):
        cells = (f"  {cell(row).rjust(len(head))}" for head, cell in columns)
        lines.append(name.ljust(width) + "".join(cells))
    return lines


def as_table(rows: Sequence[Figures]) -> str:
    """Lines for a person: a row a folder, then the misroll kinds where the labels know them."""
    width = max(len(row.folder) for row in rows)
    lines = aligned([row.folder for row in rows], rows, COLUMNS)
    for row in rows:
        lines += [
            f"{row.folder.ljust(width)}  {kind:8} recall {shares.recall}, false alarms {shares.false_alarms}"
            for kind, shares in row.misrolls.items()
            if shares.recall.cases or shares.false_alarms.hits
        ]
    return "\n".join(lines)
