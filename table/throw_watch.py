"""From frames to throws: waits until all is still, judges once, and tells a throw from dice lifted out.

Knows no game. A tray that comes to rest differently is a throw unless the dice in it are those of the throw
before, still in their places: dice were lifted out then, or a hand came and went. A die that was pushed while
others stayed is no throw either, and dice that lie beside the tray were set aside if they lay there before,
or were in it. Nothing is judged while something covers the tray, and what is judged while
the view is not the calibrated one is told as such. What one still frame leaves open is looked at again in
several, put together, before anybody is asked.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias

import numpy as np

from table.events import Moment, Wait, WaitKind, moment_of
from table.lying_dice import Kept, kept_dice
from table.second_sight import FRAMES, SecondSight, agreed, is_worth_it, still_before
from vision.arm_side import ArmSide, arm_side, crossed_border
from vision.calibration import size_fault
from vision.domain import DieReading, DieState, Frame, Image, ReasonKind, Ruling, TableCalibration, Verdict
from vision.errors import CalibrationError
from vision.judge import judge
from vision.lain_before import lain_before
from vision.misroll import without_dice
from vision.scene import Mask
from vision.settle import SettleEvent, SettleKind, Settler
from vision.tray_check import TrayView, ViewFault, ViewFaultKind, find_fault, view_of

FEW = 4  # frames back: so long after it has begun movement is noticed
LARGEST_UNREAD = 0.3  # of the tray's size: two large dice, or one and its shadow; light changes more
LOOK_AGAIN_S = 1.0  # how often a still view that did not fit is tried again
FAULTS = {
    ViewFaultKind.MOVED: WaitKind.VIEW_MOVED,
    ViewFaultKind.LIGHT: WaitKind.LIGHT_CHANGED,
    ViewFaultKind.UNCLEAR: WaitKind.VIEW_UNCLEAR,
}


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

    `started`: the last frame before the movement. `moved_after`: the verdict before, of a throw most of
    whose dice still lie in their places: after one that was not valid, a knock, a push, or a better look at
    the same throw; after a valid one, dice were pushed and show other faces now.
    `unfit`: why the view was not the calibrated one, so that the verdict may be wrong; the throw is seen
    again once it is, unless a person has answered. `arm`: from where an arm reached in, if one was seen.
    """

    started: Moment
    settled: Moment
    verdict: Verdict
    moved_after: Verdict | None = None
    unfit: Wait | None = None
    arm: ArmSide | None = None


@dataclass(frozen=True, slots=True)
class ViewChanged:
    """What lies cannot be judged now, and why; `blocked` is None when it can again, and nothing is new."""

    at: Moment
    blocked: Wait | None


@dataclass(frozen=True, slots=True)
class DiceTaken:
    """Dice of a valid throw were lifted out; those that show `left` still lie."""

    at: Moment
    left: Faces


@dataclass(frozen=True, slots=True)
class TrayClear:
    """The last dice left the tray."""

    at: Moment


Faces: TypeAlias = tuple[int, ...]
Observation: TypeAlias = ThrowSeen | DiceTaken | TrayClear | ViewChanged


class ThrowWatch:
    """Feed it every frame by `step`.

    `seen`: the latest throw where a game is taken up again; its dice, if they still lie, are no new one.
    """

    def __init__(
        self,
        calibration: TableCalibration | None = None,
        judge: Judge = judge,
        seen: Verdict | None = None,
    ) -> None:
        self._calibration = calibration
        self._judge = judge
        self._settler = Settler(calibration)
        self._throw = seen  # the latest throw, also once its dice are gone, as a person said
        self._as_read = seen  # the same as it was read
        self._in_tray: Verdict | None = None  # on the dice that lie now, thrown or left
        self._moving = False
        self._view: TrayView | None = None
        self._blocked: Wait | None = None  # why what lies cannot be judged
        self._looked: SettleEvent | None = None  # when that was found last
        self._unfit: Verdict | None = None  # on the throw told as seen on an unfit view
        self._cleared = False  # since the latest throw
        self._recent: deque[Image] = deque(maxlen=FEW)
        self._before: Image | None = None  # the picture before the latest movement
        self._unlike: Mask | None = None  # what differs from the still tray before
        self._crossed: list[Mask] = []  # of the picture's border, by arms, while something moves
        self._arm: ArmSide | None = None  # of the latest movement
        self._settling: deque[Frame] = deque(maxlen=FRAMES)  # the latest while not all is known to lie still
        self._again: SecondSight | None = None  # on what a first look left open

    @property
    def moving(self) -> bool:
        """Whether something moves in the tray right now."""
        return self._moving

    @property
    def comes_to_rest(self) -> bool:
        """Whether what moved lies still already, and is judged in a moment unless it moves again."""
        return self._settler.comes_to_rest

    @property
    def arm(self) -> ArmSide | None:
        """From where an arm reached in during the latest movement that is over, if one was seen."""
        return self._arm

    @property
    def in_view(self) -> Verdict | None:
        """What was read of the dice in the tray; None while they move or are covered, or there are none."""
        covered = self._blocked is not None and self._blocked.kind is WaitKind.COVERED
        return None if self._moving or covered else self._in_tray

    def step(self, frame: Frame, expected_dice: int | None = None) -> tuple[Observation, ...]:
        """Return what `frame` shows to have happened; `expected_dice` is how many a throw must have now.

        Raises CalibrationError if the calibration does not fit the frames.
        """
        return tuple(self._steps(frame, expected_dice))

    def begin_anew(self, calibration: TableCalibration | None) -> None:
        """Go on by another calibration; the dice of the latest throw, if they still lie, are no new one."""
        self._calibration, self._settler = calibration, Settler(calibration)
        self._in_tray = self._unfit = None
        self._view = self._blocked = self._looked = self._before = self._again = None
        self._recent.clear()
        self._settling.clear()
        self._unlike, self._crossed, self._arm = None, [], None
        self._moving = False

    def answered(self, *, accept_view: bool) -> None:
        """A person has said what the throw on an unfit view was: it is not told again.

        `accept_view`: they confirmed what was read, so that the view, as it was then, is right from now on.
        """
        if self._unfit is None or self._looked is None:
            return
        if accept_view and self._calibration is not None:
            image = self._looked.frame.image_bgr
            self._view = view_of(image, self._calibration, _size(image), self._unfit.dice)
            self._blocked = None
        self._throw, self._as_read, self._unfit = self._unfit, self._unfit, None

    def said(self, judged: Verdict, dice: tuple[DieReading, ...]) -> None:
        """A person has said which `dice` the throw that was `judged` so really has; it counts."""
        if judged is self._as_read and (judged.ruling is not Ruling.VALID or dice != judged.dice):
            self._throw = Verdict(Ruling.VALID, (), dice)

    def _steps(self, frame: Frame, expected_dice: int | None) -> Iterator[Observation]:
        fault = size_fault(self._calibration, frame.image_bgr)
        if fault is not None:
            raise CalibrationError(f"frame {frame.index}: {fault}")
        events = self._settler.step(frame)
        if self._again is not None:
            yield from self._see_again(self._again, frame, moving=bool(events))
        for event in events:
            self._moving = event.kind is SettleKind.MOTION_STARTED
            if self._moving:
                self._unlike, self._crossed, self._arm = None, [], None
                self._before = self._recent[0] if self._recent else self._before
            else:
                self._arm = arm_side(self._crossed, self._settler.area, self._unlike)
            if event.kind is SettleKind.SETTLED:
                yield from self._look(event, expected_dice)
            elif event.kind is SettleKind.CLEARED:
                yield from self._turn_to(_wait_for(self._fault(event.frame.image_bgr)), event)
                yield from self._clear(event)
        if self._moving:
            self._settling.append(frame)
            self._follow_arms()
            return
        self._settling.clear()
        self._recent.append(frame.image_bgr)
        if not events:
            yield from self._look_again(frame, expected_dice)

    def _follow_arms(self) -> None:
        self._unlike = self._settler.unlike_rest
        crossed = None if self._unlike is None else crossed_border(self._unlike, self._settler.area)
        if crossed is not None:
            self._crossed.append(crossed)

    def _look(self, event: SettleEvent, expected_dice: int | None) -> Iterator[Observation]:
        verdict = self._judged(event.frame.image_bgr, expected_dice)
        if not is_worth_it(verdict):
            yield from self._take(event, verdict)
            return
        sight = SecondSight(event, verdict, expected_dice, still_before(event, self._settling))
        seen = self._seen_in(sight) if sight.can_look_at_once else verdict
        if seen is verdict:
            self._again = sight
        else:
            yield from self._take(event, seen)

    def _see_again(self, sight: SecondSight, frame: Frame, *, moving: bool) -> Iterator[Observation]:
        """Add a still frame to those looked at; say what is seen once they are enough, or it moves again."""
        if not moving and not sight.add(frame):
            return
        self._again = None
        yield from self._take(sight.event, self._seen_in(sight))

    def _seen_in(self, sight: SecondSight) -> Verdict:
        image = sight.image
        return agreed(sight.verdict, None if image is None else self._judged(image, sight.expected_dice))

    def _judged(self, image: Image, expected_dice: int | None) -> Verdict:
        """Judge what lies, without the dice beside the tray that were set aside."""
        verdict = self._judge(image, self._known(), expected_dice)
        beside = [place for place, die in enumerate(verdict.dice) if die.state is DieState.OUTSIDE]
        if not beside:
            return verdict
        inside = without_dice(verdict, beside)
        if self._in_tray is not None and self._are_left(inside):
            return inside
        if self._before is None:
            return verdict
        alike = lain_before(image, self._before, [verdict.dice[place] for place in beside])
        lay = [place for place, before in zip(beside, alike, strict=True) if before]
        return without_dice(verdict, lay, expected_dice) if lay else verdict

    def _are_left(self, inside: Verdict) -> bool:
        """Whether the dice in the tray are what is left there of a valid throw, or none are left."""
        throw = self._throw
        if throw is None or throw.ruling is not Ruling.VALID or len(inside.dice) >= len(throw.dice):
            return False
        return None not in kept_dice(inside.dice, throw.dice).places

    def _take(self, event: SettleEvent, verdict: Verdict) -> Iterator[Observation]:
        blocked = self._obstacle(event.frame.image_bgr, verdict) or self._unread(event, verdict)
        covered = blocked is not None and blocked.kind is WaitKind.COVERED
        seen = tuple(self._compare(event, verdict, blocked)) if verdict.dice and not covered else ()
        if any(isinstance(each, ThrowSeen) for each in seen):
            self._blocked, self._looked = blocked, event
            yield from seen
            return
        yield from self._turn_to(blocked, event)
        yield from seen
        if not verdict.dice and verdict.ruling is not Ruling.UNSURE:  # else dice may be there, unseen
            if blocked is None:
                self._settler.learn_empty()
            yield from self._clear(event)

    def _known(self) -> TableCalibration | None:
        """The calibration, with the newest picture of the empty tray."""
        empty = self._settler.empty_image
        if self._calibration is None or empty is None:
            return self._calibration
        return replace(self._calibration, empty_image=empty)

    def _obstacle(self, image: Image, verdict: Verdict) -> Wait | None:
        """Say why `verdict` cannot be relied on, None when it can."""
        covers = [reason for reason in verdict.reasons if reason.kind is ReasonKind.OCCLUDED]
        fault = self._fault(image, verdict)
        if fault is not None and (fault.sure or not covers):
            return _wait_for(fault)
        return Wait(WaitKind.COVERED, covers[0].detail) if covers else None

    def _unread(self, event: SettleEvent, verdict: Verdict) -> Wait | None:
        """Say that something no larger than dice came into the clear tray of which no die was read."""
        if verdict.dice or self._in_tray is not None or event.changed_px is None:
            return None
        whole = _size(event.frame.image_bgr)
        room = whole if self._calibration is None else np.ptp(self._calibration.area_px, axis=0)
        x0, y0, x1, y1 = event.changed_px
        if max(x1 - x0, y1 - y0) > LARGEST_UNREAD * math.sqrt(room[0] * room[1]):
            return None
        return Wait(WaitKind.COVERED, f"what lies at {(x0 + x1) // 2}, {(y0 + y1) // 2} px is not read")

    def _fault(self, image: Image, verdict: Verdict | None = None) -> ViewFault | None:
        """Say why `image`, with the dice of `verdict`, is not the calibrated view, None when it is."""
        if self._calibration is None:
            return None
        calibrated = self._calibration.empty_image
        if self._view is None or self._view.size != _size(image):
            empty = self._settler.empty_image if calibrated is None else calibrated
            if empty is None:
                return None
            self._view = view_of(empty, self._calibration, _size(image))
        fault = find_fault(image, self._view, () if verdict is None else verdict.dice)
        if fault is None or fault.sure or fault.kind is ViewFaultKind.LIGHT or calibrated is not None:
            return fault
        return None  # something may have stood in a tray that was only learned to be empty

    def _look_again(self, frame: Frame, expected_dice: int | None) -> Iterator[Observation]:
        """Light comes back and a lens clears while nothing moves."""
        looked, blocked = self._looked, self._blocked
        if looked is None or blocked is None or blocked.kind is WaitKind.COVERED:
            return
        if frame.t_s - looked.frame.t_s < LOOK_AGAIN_S:
            return
        self._looked = replace(looked, frame=frame)
        if self._fault(frame.image_bgr, self._in_tray) is None:
            yield from self._look(self._looked, expected_dice)

    def _turn_to(self, blocked: Wait | None, event: SettleEvent) -> Iterator[Observation]:
        """Tell whether what lies can be judged, if that is news."""
        before, self._blocked, self._looked = self._blocked, blocked, event
        if (before and before.kind) is not (blocked and blocked.kind):
            yield ViewChanged(moment_of(event.frame), blocked)

    def _clear(self, event: SettleEvent) -> Iterator[Observation]:
        if self._in_tray is not None:
            yield TrayClear(moment_of(event.frame))
        self._in_tray = self._unfit = None
        self._cleared = True

    def _compare(
        self, event: SettleEvent, verdict: Verdict, unfit: Wait | None
    ) -> Iterator[ThrowSeen | DiceTaken]:
        self._in_tray = verdict
        throw = self._throw
        kept = None if throw is None else kept_dice(verdict.dice, throw.dice)
        if throw is not None and kept is not None and self._is_kept(verdict, throw, kept):
            yield from self._follow(event, verdict, throw, kept)
            return
        if (
            unfit
            and self._unfit
            and _is_same(verdict, self._unfit, kept_dice(verdict.dice, self._unfit.dice))
        ):
            return
        if unfit is None:
            self._throw, self._as_read, self._unfit, self._cleared = verdict, verdict, None, False
        else:
            self._unfit = verdict
        yield ThrowSeen(
            Moment(event.started_s, event.started_index),
            moment_of(event.frame),
            verdict,
            moved_after=throw if kept is not None and kept.mostly else None,
            unfit=unfit,
            arm=self._arm,
        )

    def _is_kept(self, now: Verdict, throw: Verdict, kept: Kept) -> bool:
        """Whether the dice `now` are those of `throw`; in a tray that was empty since none is pushed."""
        pushed = Ruling.VALID is throw.ruling is now.ruling and not self._cleared
        return _is_same(now, throw, kept) or (pushed and None not in kept.places)

    def _follow(
        self, event: SettleEvent, verdict: Verdict, throw: Verdict, kept: Kept
    ) -> Iterator[DiceTaken]:
        """Remember where pushed dice lie now; tell what is left of a valid throw.

        What is doubted of a die now was known when it was thrown; what may be a die more was not.
        """
        unread = any(reason.die is None for reason in verdict.reasons)
        if throw.ruling is not Ruling.VALID or unread or None in kept.places:
            return
        dice = list(throw.dice)
        places = [place for place in kept.places if place is not None]
        for place, die in zip(places, verdict.dice, strict=True):
            dice[place] = replace(die, face=dice[place].face, state=dice[place].state)
        if not self._cleared:
            self._throw = replace(throw, dice=tuple(dice))
        faces = [throw.dice[place].face for place in places]
        left = tuple(sorted(face for face in faces if face is not None))
        if len(left) == len(faces) < len(dice):
            yield DiceTaken(moment_of(event.frame), left)


def _wait_for(fault: ViewFault | None) -> Wait | None:
    return None if fault is None else Wait(FAULTS[fault.kind], fault.detail)


def _size(image: Image) -> tuple[int, int]:
    return image.shape[1], image.shape[0]


def _is_same(now: Verdict, before: Verdict, kept: Kept) -> bool:
    """Whether the dice `now` are those of the throw `before`: lifted out, covered, or not touched at all."""
    if kept.untouched:
        fewer = len(now.dice) < len(before.dice)
        return before.ruling is Ruling.VALID or fewer or now.ruling is before.ruling
    return kept.mostly and before.ruling is Ruling.VALID and now.ruling is not Ruling.VALID
