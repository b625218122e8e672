"""Plays labelled clips as `titusind replay` does, and grades the throws that are told."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, cast

from scoring.game import new_game
from scoring.ruleset import DEFAULT_PRESET, load_preset
from table.evaluation.clip_labels import ClipFolder, LabelledClip, LabelledThrow
from table.evaluation.figures import Columns, Share, aligned, percent, share_of
from table.evaluation.grading import faces_agree, wrong_and_sure
from table.evaluation.measuring import Failure
from table.events import TableEvent
from table.game_arguments import DEFAULT_PLAYERS
from table.judging import judge_with
from table.loop import TableLoop, run
from table.recording.clip_reading import frames_of
from table.throw_watch import Judge, ThrowWatch
from table.workers import Workers
from vision.calibration import load_calibration
from vision.domain import Frame, Ruling
from vision.errors import CalibrationError, VisionError


@dataclass(frozen=True, slots=True)
class Telling:
    """A `throw_settled` event: when, and what was read."""

    frame: int
    t_s: float
    ruling: Ruling
    faces: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class ThrowGrade:
    """One labelled throw graded; told several times, the last telling stands and the others are invented.

    `told_once`: found, and not again. `faces_right`, `verdict_right`: so it was in the end. `wrong_and_sure`:
    some telling did not ask, and its ruling or (unless a true misroll) its faces are wrong. `delay_ms`: from
    the first frame of rest to the first telling, negative where that came while something still crept.
    """

    told: int
    faces_right: bool = False
    verdict_right: bool = False
    unsure: bool = False
    wrong_and_sure: bool = False
    delay_ms: float | None = None

    @property
    def told_once(self) -> bool:
        """Found, and not told again."""
        return self.told == 1


@dataclass(frozen=True, slots=True)
class ClipGrade:
    """One clip graded; `stray` throws were told where none came to rest."""

    throws: tuple[ThrowGrade, ...]
    stray: int


@dataclass(frozen=True, slots=True)
class ClipFigures:
    """The measured figures of one folder of clips, or of all; shares are of the labelled throws."""

    folder: str
    clips: int
    failed: int
    found_once: Share
    faces_right: Share
    verdict_right: Share
    unsure: Share
    wrong_and_sure: Share
    missed: int
    invented: int
    delay_ms_median: float | None


def measure_clips(
    folder: ClipFolder, workers: Workers, detector: Path | None = None
) -> Iterator[tuple[int, ClipGrade | Failure]]:
    """Yield the grade of each clip, or why it could not be played, as it is done, with its place.

    `detector` as in `measure`.
    """
    return workers.as_done(partial(_measure_one, detector=detector), folder.clips)


def _measure_one(clip: LabelledClip, detector: Path | None) -> ClipGrade | Failure:
    try:
        return _measure(clip, judge_with(detector))
    except CalibrationError as error:
        return Failure(clip.path, f"{clip.path}: {error}")
    except (VisionError, OSError) as error:
        return Failure(clip.path, str(error))


def _measure(clip: LabelledClip, judge: Judge) -> ClipGrade:
    calibration = load_calibration(clip.table) if clip.table else None
    game = new_game(load_preset(DEFAULT_PRESET), DEFAULT_PLAYERS.split(","))
    loop = TableLoop(game, ThrowWatch(calibration, judge), clip.expected_dice)
    clock: dict[int, float] = {}
    events = run(loop, _clocked(frames_of(clip.path), clock))
    tellings = [_telling(event) for event in events if event.name == "throw_settled"]
    return grade_clip(clip.throws, tellings, clock)


def _clocked(frames: Iterable[Frame], clock: dict[int, float]) -> Iterator[Frame]:
    """Pass `frames` on and note the time of each in `clock`."""
    for frame in frames:
        clock[frame.index] = frame.t_s
        yield frame


def _telling(event: TableEvent) -> Telling:
    fields = cast(Mapping[str, Any], event.fields)
    faces = tuple(die["face"] for die in fields["dice"])
    return Telling(event.at.frame, event.at.t_s, Ruling(fields["verdict"]), faces)


def grade_clip(
    throws: Sequence[LabelledThrow], tellings: Sequence[Telling], clock: Mapping[int, float]
) -> ClipGrade:
    """Grade what was told of `throws`; `clock` is the time of each frame.

    A telling belongs to the throw between whose first movement and last frame of rest it falls.
    """
    told = [[each for each in tellings if throw.start <= each.frame <= throw.last] for throw in throws]
    grades = tuple(_grade(throw, own, clock) for throw, own in zip(throws, told, strict=True))
    return ClipGrade(grades, len(tellings) - sum(grade.told for grade in grades))


def _grade(throw: LabelledThrow, told: Sequence[Telling], clock: Mapping[int, float]) -> ThrowGrade:
    if not told:
        return ThrowGrade(0)
    rights = [faces_agree(throw.dice, Counter(each.faces)) for each in told]
    wrongs = [
        wrong_and_sure(throw.verdict, each.ruling, right) for each, right in zip(told, rights, strict=True)
    ]
    still_s = clock.get(throw.still)
    return ThrowGrade(
        told=len(told),
        faces_right=rights[-1],
        verdict_right=told[-1].ruling is throw.verdict.ruling,
        unsure=told[-1].ruling is Ruling.UNSURE,
        wrong_and_sure=any(wrongs),
        delay_ms=None if still_s is None else 1000 * (told[0].t_s - still_s),
    )


def sum_up_clips(folder: str, grades: Sequence[ClipGrade], failed: int = 0) -> ClipFigures:
    """Figures of `grades`; `failed` clips could not be played and count in no share."""
    throws = [throw for grade in grades for throw in grade.throws]
    delays = [throw.delay_ms for throw in throws if throw.delay_ms is not None]
    return ClipFigures(
        folder=folder,
        clips=len(grades),
        failed=failed,
        found_once=share_of(throw.told_once for throw in throws),
        faces_right=share_of(throw.told_once and throw.faces_right for throw in throws),
        verdict_right=share_of(throw.told_once and throw.verdict_right for throw in throws),
        unsure=share_of(throw.unsure for throw in throws),
        wrong_and_sure=share_of(throw.wrong_and_sure for throw in throws),
        missed=sum(throw.told == 0 for throw in throws),
        invented=sum(grade.stray for grade in grades) + sum(max(0, throw.told - 1) for throw in throws),
        delay_ms_median=round(statistics.median(delays), 1) if delays else None,
    )


def clips_record(figures: ClipFigures) -> dict[str, object]:
    """The figures as one JSON object; shares 0 to 1, null where there was nothing to measure."""
    return {
        "folder": figures.folder,
        "labels": "clips",
        "clips": figures.clips,
        "failed": figures.failed,
        "throws": figures.found_once.cases,
        "found_once": figures.found_once.value,
        "faces_right": figures.faces_right.value,
        "verdict_right": figures.verdict_right.value,
        "unsure": figures.unsure.value,
        "wrong_and_not_unsure": figures.wrong_and_sure.value,
        "missed": figures.missed,
        "invented": figures.invented,
        "delay_ms_median": figures.delay_ms_median,
    }


COLUMNS: Columns[ClipFigures] = (
    ("clips", lambda f: f"{f.clips}"),
    ("throws", lambda f: f"{f.found_once.cases}"),
    ("found once", lambda f: percent(f.found_once)),
    ("faces right", lambda f: percent(f.faces_right)),
    ("verdict right", lambda f: percent(f.verdict_right)),
    ("unsure", lambda f: percent(f.unsure)),
    ("wrong, not unsure", lambda f: percent(f.wrong_and_sure)),
    ("missed", lambda f: f"{f.missed}"),
    ("invented", lambda f: f"{f.invented}"),
    ("delay ms", lambda f: "-" if f.delay_ms_median is None else f"{f.delay_ms_median:.0f}"),
)


def clips_table(rows: Sequence[ClipFigures]) -> str:
    """Lines for a person: a row a folder."""
    return "\n".join(aligned([row.folder for row in rows], rows, COLUMNS))
