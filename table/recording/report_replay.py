"""Replays a report by the table's own path, and says whether it comes to the same answer.

The answer is what was told of the throw: verdict, faces, reasons, how each die lies, and what the game made
of it. Measures are no part of it: their last digits differ from machine to machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from table.errors import ReportError
from table.events import TableEvent
from table.expectation import Record, differences
from table.judging import JudgedPicture, judge_image
from table.loop import TableLoop
from table.recording.report import versions
from table.recording.report_reading import Report, ReportedThrow
from table.state import TableState
from table.throw_watch import Judge, Observation, ThrowSeen, ThrowWatch, ViewChanged
from table.verdict_json import verdict_record
from vision.arm_side import ArmSide
from vision.domain import Frame, Image, TableCalibration, Verdict

SETTLED = "throw_settled"
NEAR_S = 0.5  # a throw seen so long before the reported one was judged is an earlier one
MEASURED = frozenset(
    [
        *("t_s", "frame", "confidence", "center_px", "corners_px", "tilt_deg", "height_mm", "margin_mm"),
        *("lean_chance", "raised_chance", "amount", "detail"),
    ]
)


@dataclass(frozen=True, slots=True)
class Replayed:
    """What came of the throw this time, and how it differs: lines of a diff, none when all is the same."""

    events: tuple[TableEvent, ...]
    differences: tuple[str, ...]


class _JudgeAsThen:
    """Judges as the watch asks, and from the time of the reported throw on with what the judge had then."""

    def __init__(self, judge: Judge, throw: ReportedThrow) -> None:
        self._judge, self._throw = judge, throw
        self.as_then = False

    def __call__(
        self, image_bgr: Image, calibration: TableCalibration | None = None, expected_dice: int | None = None
    ) -> Verdict:
        """Return the verdict."""
        if self.as_then:
            calibration, expected_dice = self._throw.calibration, self._throw.expected_dice
        return self._judge(image_bgr, calibration, expected_dice)


class _LateWatch(ThrowWatch):
    """Tells nothing of the throws that lay there before the reported one: the game has taken them.

    That was thrown by the hand that was seen then: few frames of the clip are as they were to the last bit.
    """

    def __init__(
        self, calibration: TableCalibration | None, judge: Judge, from_s: float, arm: ArmSide | None
    ) -> None:
        super().__init__(calibration, judge)
        self._from_s, self._arm_then = from_s, arm

    def step(self, frame: Frame, expected_dice: int | None = None) -> tuple[Observation, ...]:
        """Return what `frame` shows to have happened."""
        return tuple(
            replace(seen, arm=self._arm_then) if isinstance(seen, ThrowSeen) else seen
            for seen in super().step(frame, expected_dice)
            if isinstance(seen, ViewChanged) or _time(seen) >= self._from_s
        )


def _time(seen: Observation) -> float:
    return seen.settled.t_s if isinstance(seen, ThrowSeen) else seen.at.t_s


def replay_report(report: Report, judge: Judge) -> Replayed:
    """Play the clip of `report` up to its throw, or to its end where it has none.

    Raises VisionError or ReportError when the clip cannot be read.
    """
    throw = report.throw
    if throw is None:
        return Replayed(tuple(_all_events(report, judge)), ())
    events = _events_of_throw(report, throw, judge)
    told = [answer_of(event.record()) for event in events]
    expected = [answer_of(record) for record in throw.events]
    return Replayed(events, tuple(differences(expected, told, "then")))


def judge_report(report: Report, judge: Judge) -> tuple[JudgedPicture, tuple[str, ...]]:
    """Judge the picture of `report` as it was judged then; also how the answer differs, as in `Replayed`.

    Raises ReportError if it holds none.
    """
    throw = report.throw
    if throw is None:
        raise ReportError("found no picture that was judged; accepted is the report of a throw")
    judged = judge_image(throw.picture, throw.calibration, throw.expected_dice, judge)
    then, now = answer_of(throw.judged), answer_of(verdict_record(judged.verdict))
    return judged, tuple(differences([then], [now], "then"))


def not_as_then(path: Path, report: Report) -> str:
    """Return the line that says that `report` does not come to the same answer."""
    made_with = _other_versions(report)
    return f"{path}: not the same answer as then" + (f"; it was made with {made_with}" if made_with else "")


def _other_versions(report: Report) -> str:
    """Name what the report was made with where that is not what runs now; empty when it is."""
    now = versions()
    apart = [f"{name} {then} (here {now.get(name)})" for name, then in report.versions.items()]
    return ", ".join(
        words
        for words, (name, then) in zip(apart, report.versions.items(), strict=True)
        if now.get(name) != then
    )


def answer_of(record: Record) -> Record:
    """Return what counts of an event's record: all but measures, and when and how it was measured."""
    return {key: _stripped(value) for key, value in record.items() if key not in MEASURED}


def _stripped(value: object) -> object:
    if isinstance(value, Mapping):
        return answer_of(value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_stripped(each) for each in value]
    return value


def _all_events(report: Report, judge: Judge) -> Iterator[TableEvent]:
    loop = TableLoop(report.game, ThrowWatch(report.calibration, judge))
    for frame in report.frames():
        yield from loop.step(frame)


def _events_of_throw(report: Report, throw: ReportedThrow, judge: Judge) -> tuple[TableEvent, ...]:
    """Return what is told at the frame at which the throw comes to rest; nothing if it does not."""
    looked_s = next((t_s for index, t_s in report.numbers if index == throw.looked[0]), 0.0)
    judge_then = _JudgeAsThen(judge, throw)
    loop = TableLoop(report.game, _LateWatch(report.calibration, judge_then, looked_s - NEAR_S, throw.arm))
    before = TableState(report.game, wait=throw.wait, view=throw.view, left=throw.left)
    loop.state = replace(before, sides=throw.sides)
    for frame in report.frames():
        judge_then.as_then = frame.t_s >= looked_s
        events = loop.step(frame)
        if any(event.name == SETTLED for event in events):
            return events
    return ()
