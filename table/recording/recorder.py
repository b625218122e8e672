"""Watches a table that is played: keeps the latest seconds, the latest throw, and makes reports of it."""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass
from typing import TypeAlias

from table.events import TableEvent
from table.recording.kept import KeptReports
from table.recording.report import Seen, report_of
from table.recording.ring import KeptFrame, Ring
from table.recording.seen_throw import Judged, SeenThrow
from table.second_sight import FRAMES
from table.state import TableState
from table.throw_pictures import ThrowPictures
from table.throw_watch import Judge
from vision.arm_side import ArmSide
from vision.domain import Frame, Image, TableCalibration, Verdict
from vision.judge import judge

Frames: TypeAlias = tuple[KeptFrame, ...]

LEAD_S = 2.0  # of the clip before a throw's movement: the tray is seen at rest
LONGEST_LOOK_S = 0.8  # from the first frame that is looked at closely until a throw is told, if one is


@dataclass(frozen=True, slots=True)
class Step:
    """One frame, and what the table loop made of it; `arm` as in `TableLoop`."""

    frame: Frame
    before: TableState
    after: TableState
    events: tuple[TableEvent, ...]
    moving: bool
    arm: ArmSide | None


class Recorder:
    """Give `judge` to the throw watch and every step of the loop to `follow`.

    `kept`, where there is one, gets the report of each throw as soon as it is judged, and those that people
    make; `pictures` a picture of each throw. `report` may be called from any thread; `made` is the one made
    last.
    """

    def __init__(
        self,
        calibration: TableCalibration | None = None,
        judge: Judge = judge,
        kept: KeptReports | None = None,
        ring: Ring | None = None,
        pictures: ThrowPictures | None = None,
    ) -> None:
        self._calibration, self._judge, self._kept = calibration, judge, kept
        self._ring = ring or Ring()
        self.pictures = pictures
        self.made: bytes | None = None
        self._judged: Judged | None = None
        self._asked = 0  # times the judge, since the latest frame
        self._settling: deque[Frame] = deque(maxlen=FRAMES)  # the latest while not all is known to lie still
        self._looks = 0  # at the frames of
        self._looked: list[Frame] = []  # those that may have been looked at closely, all still
        self._throw: SeenThrow | None = None
        self._lock = threading.Lock()

    def recalibrate(self, calibration: TableCalibration | None) -> None:
        """Go on by another calibration: the clip of a report is of one."""
        with self._lock:
            self._calibration = calibration
            self._ring.forget()

    def judge(
        self, image_bgr: Image, calibration: TableCalibration | None = None, expected_dice: int | None = None
    ) -> Verdict:
        """Judge by the judge that this was made with, and remember what it was given."""
        verdict = self._judge(image_bgr, calibration, expected_dice)
        self._judged = Judged(image_bgr, calibration, expected_dice, verdict)
        self._asked += 1
        return verdict

    def follow(self, step: Step) -> None:
        """Take the next frame and what came of it."""
        self._look(step)
        told = any(event.name == "throw_settled" for event in step.events)
        with self._lock:
            self._ring.add(step.frame, moving=step.moving or bool(self._looked))
            throw = self._seen(step) if told else None
            self._throw = throw or self._throw
        if told or step.moving:
            self._looked, self._looks = [], 0
        if throw is not None and self._kept is not None:
            seen = Seen(throw.frames, throw)
            self._kept.keep_throw(lambda: report_of(seen, throw.calibration, step.after))
        if throw is not None and self.pictures is not None:
            self.pictures.keep(throw.verdict, throw.judged.picture, throw.judged.calibration)

    def _look(self, step: Step) -> None:
        """Remember the frames from which a throw may be told."""
        frame = step.frame
        if self._looked and frame.t_s - self._looked[0].t_s > LONGEST_LOOK_S:
            self._looked, self._looks = [], 0
        if self._asked and not self._looked:
            self._looked = list(self._settling)
        if self._asked or self._looked:
            self._looked.append(frame)
        self._looks, self._asked = self._looks + self._asked, 0
        if step.moving:
            self._settling.append(frame)
        else:
            self._settling.clear()

    def picture_of(self, verdict: Verdict) -> Image | None:
        """Return the picture that the latest throw was judged in, None where `verdict` is not on it."""
        throw = self._throw
        return throw.judged.picture if throw is not None and throw.verdict is verdict else None

    def report(self, state: TableState) -> bytes | None:
        """Make the report of the latest throw, of the latest seconds if there was none; None: no frame yet.

        `state`: of the table now, to tell what people have said of the throw.
        """
        with self._lock:
            frames, throw, calibration = self._ring.frames(), self._throw, self._calibration
        if throw is not None and throw.calibration is not calibration:
            frames, calibration = throw.frames, throw.calibration
        if not frames:
            return None
        clip, later = (frames, ()) if throw is None else _joined(throw.frames, frames)
        self.made = report = report_of(Seen(clip, throw, later), calibration, state)
        if self._kept is not None:
            self._kept.keep_report(report)
        return report

    def close(self) -> None:
        """Write what is still to be written."""
        if self._kept is not None:
            self._kept.close()
        if self.pictures is not None:
            self.pictures.close()

    def _seen(self, step: Step) -> SeenThrow | None:
        lying = step.after.lying
        if self._judged is None or lying is None or lying.verdict is None or not self._looked:
            return None
        started_s = min(event.at.t_s for event in step.events)
        return SeenThrow(
            judged=self._judged,
            verdict=lying.verdict,
            before=step.before,
            events=step.events,
            frames=tuple(each for each in self._ring.frames() if each.t_s >= started_s - LEAD_S),
            looked=tuple(self._looked if self._looks > 1 else self._looked[-1:]),
            calibration=self._calibration,
            arm=step.arm,
        )


def _joined(throw: Frames, latest: Frames) -> tuple[Frames, Frames]:
    """Return the clip of a throw with what followed it, and what is left over: all after a gap."""
    told_s = throw[-1].t_s
    if latest[0].t_s > told_s:
        return throw, latest
    return (*throw, *(each for each in latest if each.t_s > told_s)), ()
