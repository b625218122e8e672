"""A table whose throws are reported, and reports that were tampered with."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from scoring.game import new_game
from scoring.ruleset import load_preset, with_overrides
from table.loop import TableLoop
from table.recording.kept import KeptReports
from table.recording.recorder import Recorder, Step
from table.recording.report import META
from table.throw_watch import Judge, ThrowWatch
from table.touches import Touch
from tests.table.staging import FPS, Dice, Hand, Still, dice, frames, staged_judge
from vision.domain import Frame, TableCalibration

SIX, ELSEWHERE = dice(1, 1, 5, 3, 2, 6), dice(1, 4, 5, 3, 2, 6, first_cell=9)
RULES_FOR_ALL = {"first_throw_relief": "no", "opening": "0", "knock_relief": "yes"}
START = 4123.25  # seconds that the table has stood there already


class Table:
    """A table that is recorded, run by the test."""

    def __init__(
        self,
        calibration: TableCalibration | None = None,
        judge: Judge = staged_judge,
        kept: KeptReports | None = None,
        rules: Mapping[str, str] = RULES_FOR_ALL,
    ) -> None:
        self.recorder = Recorder(calibration, judge, kept)
        game = new_game(with_overrides(load_preset("danish"), rules), ("Sigurd", "Borghild"))
        self.loop = TableLoop(game, ThrowWatch(calibration, self.recorder.judge))
        self.shown = 0

    def show(self, acts: Iterable[Frame]) -> Table:
        for frame in acts:
            self.take(Frame(self.shown, START + round(self.shown / FPS, 6), frame.image_bgr))
            self.shown += 1
        return self

    def take(self, frame: Frame) -> None:
        before = self.loop.state
        events = self.loop.step(frame)
        self.recorder.follow(Step(frame, before, self.loop.state, events, self.loop.moving, self.loop.arm))

    def throw(self, thrown: Dice, lying: Dice | None = None, still_s: float = 1.0) -> Table:
        return self.show(frames(Still(lying or {}, 0.7), Hand(lying or {}), Still(thrown, still_s)))

    def touch(self, *touches: Touch) -> Table:
        for touch in touches:
            self.loop.touch(touch)
        return self

    def report(self, path: Path) -> Path:
        report = self.recorder.report(self.loop.state)
        assert report is not None
        path.write_bytes(report)
        return path


def repacked(path: Path, files: Mapping[str, bytes | None], compressed: bool = False) -> None:
    """Replace files of a zip; None leaves one out."""
    with zipfile.ZipFile(path) as archive:
        held: dict[str, bytes | None] = {name: archive.read(name) for name in archive.namelist()}
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED if compressed else zipfile.ZIP_STORED) as archive:
        for name, data in (held | dict(files)).items():
            if data is not None:
                archive.writestr(name, data)
    path.write_bytes(packed.getvalue())


def changed(path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change `report.json` of a report."""
    with zipfile.ZipFile(path) as archive:
        record = json.loads(archive.read(META))
    change(record)
    repacked(path, {META: json.dumps(record).encode()})
