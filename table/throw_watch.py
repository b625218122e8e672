"""From frames to throws: waits until all is still, judges once, and tells a throw from dice lifted out.

Knows no game. A tray that comes to rest differently is a throw unless the dice in it are those of the throw
before, still in their places: dice were lifted out then, or a hand came and went.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from table.events import Moment, moment_of
from table.lying_dice import count_in_place
from vision.domain import Frame, Image, Ruling, TableCalibration, Verdict
from vision.judge import judge
from vision.settle import SettleEvent, SettleKind, Settler


class Judge(Protocol):
    """Rules on the throw in a still picture."""

    def __call__(
        self, image_bgr: Image, calibration: TableCalibration | None = None, expected_dice: int | None = None
    ) -> Verdict:
        """Return the verdict on `image_bgr` (H, W, 3)."""
        ...


@dataclass(frozen=True, slots=True)
class ThrowSeen:
    """A throw came to rest.

    `started`: the last frame before the movement. `moved_after`: the verdict before, not a valid one, of a
    throw most of whose dice still lie in their places: a knock, a push, or a better look at the same throw.
    """

    started: Moment
    settled: Moment
    verdict: Verdict
    moved_after: Verdict | None = None


@dataclass(frozen=True, slots=True)
class TrayClear:
    """The last dice left the tray."""

    at: Moment


Observation: TypeAlias = ThrowSeen | TrayClear


class ThrowWatch:
    """Feed it every frame by `step`."""

    def __init__(self, calibration: TableCalibration | None = None, judge: Judge = judge) -> None:
        self._calibration = calibration
        self._judge = judge
        self._settler = Settler(calibration)
        self._throw: Verdict | None = None  # the latest throw, also once its dice are gone
        self._in_tray: Verdict | None = None  # on the dice that lie now, thrown or left
        self._moving = False

    @property
    def moving(self) -> bool:
        """Whether something moves in the tray right now."""
        return self._moving

    @property
    def in_view(self) -> Verdict | None:
        """What was read of the dice in the tray; None while something moves, and when there are none."""
        return None if self._moving else self._in_tray

    def step(self, frame: Frame, expected_dice: int | None = None) -> tuple[Observation, ...]:
        """Return what `frame` shows to have happened; `expected_dice` is how many a throw must have now.

        Raises CalibrationError if the calibration does not fit the frames.
        """
        return tuple(self._steps(frame, expected_dice))

    def _steps(self, frame: Frame, expected_dice: int | None) -> Iterator[Observation]:
        for event in self._settler.step(frame):
            self._moving = event.kind is SettleKind.MOTION_STARTED
            if event.kind is SettleKind.SETTLED:
                yield from self._look(event, expected_dice)
            elif event.kind is SettleKind.CLEARED:
                yield from self._clear(event)

    def _look(self, event: SettleEvent, expected_dice: int | None) -> Iterator[Observation]:
        verdict = self._judge(event.frame.image_bgr, self._calibration, expected_dice)
        if verdict.dice:
            yield from self._compare(event, verdict)
        elif verdict.ruling is not Ruling.UNSURE:  # else something covers the tray, and nothing can be said
            self._settler.learn_empty()
            yield from self._clear(event)

    def _clear(self, event: SettleEvent) -> Iterator[Observation]:
        if self._in_tray is not None:
            yield TrayClear(moment_of(event.frame))
        self._in_tray = None

    def _compare(self, event: SettleEvent, verdict: Verdict) -> Iterator[Observation]:
        self._in_tray = verdict
        in_place = 0 if self._throw is None else count_in_place(verdict.dice, self._throw.dice)
        if self._throw is not None and _is_no_news(verdict, self._throw, in_place):
            return
        before, self._throw = self._throw, verdict
        again = before is not None and before.ruling is not Ruling.VALID and 2 * in_place > len(verdict.dice)
        yield ThrowSeen(
            Moment(event.started_s, event.started_index),
            moment_of(event.frame),
            verdict,
            moved_after=before if again else None,
        )


def _is_no_news(now: Verdict, before: Verdict, in_place: int) -> bool:
    """Whether the dice `now` are those of the throw `before`: lifted out, covered, or not touched at all."""
    if in_place == len(now.dice):
        return (
            before.ruling is Ruling.VALID or len(now.dice) < len(before.dice) or now.ruling is before.ruling
        )
    disturbed = 2 * in_place > len(now.dice)
    return disturbed and before.ruling is Ruling.VALID and now.ruling is not Ruling.VALID
