"""A camera that is lost is opened again; numbers and times go on."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import ClassVar

import pytest

from tests.vision.sources.views import view
from vision.domain import Frame
from vision.errors import NoCameraError, UnreadableClipError
from vision.sources import RenewableSource, unbroken


@dataclass
class Table:
    """A clock, and a camera that is away for so many seconds each time it is lost."""

    away_s: list[float]
    lasts: int = 3  # frames, until it is lost
    now_s: float = 50.0
    lost_at: list[float] = field(default_factory=list)
    opened: int = 0
    released: int = 0
    given_up: bool = False

    def camera(self) -> Camera:
        if self.lost_at and self.now_s < self.lost_at[-1] + self.away_s[len(self.lost_at) - 1]:
            raise NoCameraError("usb:0: no camera there; accepted is one")
        self.opened += 1
        return Camera(self)

    def lose(self, error: UnreadableClipError) -> None:
        assert str(error) == "usb:0: went away"
        assert self.released == self.opened  # it can only be opened again once it is let go of
        self.lost_at.append(self.now_s)

    def stopped(self, seconds: float) -> bool:
        self.now_s += seconds
        return self.given_up or len(self.lost_at) > len(self.away_s)

    def frames(self) -> Generator[Frame]:
        return unbroken(self.camera(), self.camera, self.lose, self.stopped, lambda: self.now_s)


@dataclass
class Camera:
    live: ClassVar[bool] = True
    table: Table

    def frames(self) -> Generator[Frame]:
        try:
            for number in range(self.table.lasts):
                yield Frame(
                    2 * number, round(number / 30, 6), view(number)
                )  # every other one was passed over
                self.table.now_s += 1 / 30
            self.table.released += 1
            raise UnreadableClipError("usb:0: went away")
        except GeneratorExit:
            self.table.released += 1
            raise


def test_frames_go_on_when_the_camera_is_back_by_a_clock_that_never_stood() -> None:
    table = Table(away_s=[7.5, 0.0])
    frames = list(table.frames())
    assert [frame.index for frame in frames] == [0, 2, 4, 5, 7, 9, 10, 12, 14]
    assert all(after.t_s > before.t_s for before, after in pairwise(frames))
    assert (table.opened, len(table.lost_at)) == (3, 3)
    lost_s, back_s = frames[2].t_s, frames[3].t_s
    assert back_s - lost_s == pytest.approx(8 + 1 / 30, abs=0.001)  # tried every second
    assert [frame.t_s - back_s for frame in frames[3:6]] == pytest.approx([0, 1 / 30, 2 / 30], abs=1e-5)


def test_a_camera_that_stays_away_is_tried_until_the_table_is_closed() -> None:
    table = Table(away_s=[1e9])
    frames = table.frames()
    for _ in range(3):
        next(frames)
    table.given_up = True
    assert next(frames, None) is None
    assert table.released == table.opened == 1


def test_a_camera_is_let_go_of_and_opened_again_to_find_light_and_focus_anew() -> None:
    table, asked = Table(away_s=[0.0]), iter([False, True])

    def renewable() -> RenewableSource:
        return RenewableSource(table.camera(), table.camera, lambda: next(asked, False), lambda: table.now_s)

    frames = list(unbroken(renewable(), renewable, table.lose, table.stopped, lambda: table.now_s))
    assert [frame.index for frame in frames[:5]] == [0, 2, 3, 5, 7]  # of five: two, then three of another
    assert all(after.t_s > before.t_s for before, after in pairwise(frames))
    assert len(table.lost_at) == 2  # when the second broke off, and the third: never for being renewed
    assert table.opened == 3


def test_closing_lets_go_of_the_camera() -> None:
    table = Table(away_s=[])
    frames = table.frames()
    next(frames)
    frames.close()
    assert (table.released, table.lost_at) == (1, [])
