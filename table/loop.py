"""The table loop: frames and touches in, events of the contract out. The only one, live and in replay.

What it waits for is the game's phase, plus `wait` when the latest throw did not count:

    a throw settles    on a view that is not the calibrated one -> paused, until it is or a person answers
                       valid and of the right number of dice -> it counts: options, relief or bust
                       misroll -> the same dice are thrown again (or a knock, a bust, as the rules say)
                       unsure, or dice that do not fit -> paused, until a person answers or dice are thrown
    dice are lifted    out -> remembered: the next throw tells what was set aside, or that it must be asked
    all are gone       for long, or six come back -> banked, where nothing else can be meant
    something covers   the tray -> paused, until it is gone
    a person touches   set aside, bank, misroll, undo; correct a die, confirm, enter a throw

What comes of what is seen is in `table.after_seen`, of touches in `table.after_touch`; the loop holds the
clock, the state and the lock. The clock is the frames'. A touch happens at the latest frame. `step` and
`touch` may be called from different threads; reading frames and judging hold no lock, so a touch never waits
for the judge.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Protocol

from scoring.errors import IllegalActionError
from scoring.faces import ALL_DICE
from scoring.game import Game, Phase, first_events
from table.after_seen import after_left_empty, after_seen
from table.after_touch import after_touch
from table.answers import what_was_said
from table.changes import Change, Scene
from table.errors import PastTouchError, TouchError
from table.events import Moment, TableEvent, Wait, game_events, moment_of, paused
from table.state import TableState
from table.throw_watch import Observation, ThrowSeen, ThrowWatch, TrayClear, ViewChanged
from table.touches import Confirm, CountAnyway, TimedTouch, Touch
from vision.arm_side import ArmSide
from vision.domain import DieReading, Frame, TableCalibration, Verdict

EMPTY_BANKS_S = 20.0  # longer than people shake dice and think with all of them in their hands


class Keeper(Protocol):
    """Is told of every change before anybody can see it."""

    def __call__(self, before: TableState, after: TableState, events: tuple[TableEvent, ...]) -> None:
        """Keep the change from `before` to `after`, which `events` tell; must not raise for a disk's sake."""
        ...


def keep_nothing(before: TableState, after: TableState, events: tuple[TableEvent, ...]) -> None:
    """Let the game be forgotten when the program ends."""


class TableLoop:
    """One game at one table. `state` is always whole: it is replaced, never changed.

    `start`: a new game, or where one is taken up again. `dice`: how many dice a throw must have. 6: as many
    as the turn has to throw, fewer is a misroll. Less: each throw that many. None: dice are not counted, only
    what was read is judged. `keep` is called before anything new is shown. `empty_banks_s`: for how long the
    tray must be left empty after a throw to bank it; six dice that come back, where the turn cannot have gone
    on with six, bank it at once. None: only a person banks.
    """

    def __init__(
        self,
        start: Game | TableState,
        watch: ThrowWatch,
        dice: int | None = ALL_DICE,
        keep: Keeper = keep_nothing,
        empty_banks_s: float | None = EMPTY_BANKS_S,
    ) -> None:
        self._watch = watch
        self._keep = keep
        self._dice = dice
        self._empty_banks_s = empty_banks_s
        self._empty_since_s: float | None = None  # the tray, after the latest throw
        self._lock = threading.Lock()
        self._now = Moment(0.0, 0)
        self._unseen_until = -1  # frame, before which people played on by hand
        self._answered: bool | None = None  # a person answered on an unfit view; True: and confirmed it
        self._said: tuple[Verdict, tuple[DieReading, ...]] | None = None  # of a throw: as read, and as it is
        self.trying = False  # what is thrown now counts for nothing
        self.tried: Verdict | None = None  # on the latest throw while it counted for nothing
        self._tried_lies = False  # the latest throw was such a one
        self._held: Wait | None = None  # why no frame is looked at
        self._anew: tuple[TableCalibration | None] | None = None  # to begin anew with at the next frame
        self._asks_first = False  # about what lies in the first frame
        self.state = start if isinstance(start, TableState) else TableState(start)

    @property
    def moving(self) -> bool:
        """Whether something moves in the tray right now."""
        return self._held is None and self._watch.moving

    @property
    def arm(self) -> ArmSide | None:
        """From where an arm reached in during the latest movement that is over, if one was seen."""
        return self._watch.arm

    @property
    def comes_to_rest(self) -> bool:
        """Whether what moved lies still already, and is judged in a moment unless it moves again."""
        return self._watch.comes_to_rest

    @property
    def in_view(self) -> Verdict | None:
        """What was read of the dice that lie in the tray, as `ThrowWatch.in_view`."""
        return None if self._held is not None else self._watch.in_view

    def begin(self) -> tuple[TableEvent, ...]:
        """Return the events that come before the first frame: whose turn it is, what the game waits for."""
        told = game_events(self._now, first_events(self.state.game))
        waits = () if self.state.pause is None else (paused(self._now, self.state.pause),)
        return self._tell(Change(self.state, (*told, *waits)))

    def step(self, frame: Frame) -> tuple[TableEvent, ...]:
        """Take the next frame; raises CalibrationError if the calibration does not fit it."""
        if self._is_held_at(frame):
            return ()
        self._pass_on_answer()
        if self._asks_first:
            self.ask_about_throws_before(frame)
            self._asks_first = False
        seen = self._watch.step(frame, self._expected_dice())
        with self._lock:
            self._now = moment_of(frame)
            told = [event for observation in seen for event in self._observe(observation)]
            if self._held is not None:  # meanwhile
                return (*told, *self._turn_to(self._held))
            return (*told, *self._bank_when_left_empty())

    def hold(self, why: Wait) -> tuple[TableEvent, ...]:
        """Look at no frame until `look_again`, and tell `why`; the game goes on by touch."""
        with self._lock:
            self._held = why
            return self._turn_to(why)

    def look_again(self, calibration: TableCalibration | None) -> tuple[TableEvent, ...]:
        """Look at frames again, by `calibration`; what lies then and is news counts once it is confirmed."""
        with self._lock:
            self._held, self._anew = None, (calibration,)
            return self._turn_to(None)

    def _turn_to(self, view: Wait | None) -> tuple[TableEvent, ...]:
        return self._tell(after_seen(self._scene, ViewChanged(self._now, view), self._unseen_until))

    def _is_held_at(self, frame: Frame) -> bool:
        with self._lock:
            if self._held is not None:
                self._now = moment_of(frame)
                return True
            anew, self._anew = self._anew, None
            if self._empty_since_s is not None and anew is not None:
                self._empty_since_s = frame.t_s
        if anew is not None:
            self._watch.begin_anew(*anew)
            self.ask_about_throws_before(frame)
        return False

    def ask_about_what_lies_first(self) -> None:
        """Count no throw that lies in the first frame of a game taken up again: nobody saw it thrown."""
        self._asks_first = True

    def ask_about_throws_before(self, frame: Frame) -> None:
        """Count no throw that lay when `frame` came until a person confirms it.

        People played on by hand while no pictures came: what lies may be left of a throw they have entered.
        """
        self._unseen_until = frame.index

    def touch(self, touch: Touch, seen_version: int | None = None) -> tuple[TableEvent, ...]:
        """Do what a person tapped; raises TouchError, saying why, when it cannot be done now.

        `seen_version`: of the state the person saw; PastTouchError when it is another by now. None: any.
        """
        with self._lock:
            before = self.state
            if seen_version not in (None, before.version):
                raise PastTouchError("the table has changed meanwhile")
            if self._empty_since_s is not None:
                self._empty_since_s = self._now.t_s
            try:
                change = after_touch(self._scene, touch)
            except IllegalActionError as error:
                raise TouchError(str(error)) from error
            events = self._tell(change)
            if before.waits_for_view and not self.state.waits_for_view:
                self._answered = isinstance(touch, Confirm | CountAnyway)
            self._said = what_was_said(before, self.state) or self._said
            return events

    def _pass_on_answer(self) -> None:
        """Tell the watch what was answered, in the thread that it runs in."""
        with self._lock:
            answered, self._answered = self._answered, None
            said, self._said = self._said, None
        if answered is not None:
            self._watch.answered(accept_view=answered)
        if said is not None:
            self._watch.said(*said)

    def _expected_dice(self) -> int | None:
        if self.trying or self._dice != ALL_DICE:
            return None if self.trying else self._dice
        turn = self.state.game.turn
        # While nothing is set aside yet, or banking was but assumed, the next throw may be of any number.
        open_number = turn.phase in (Phase.SET_ASIDE, Phase.OVER) or self.state.assumed is not None
        return None if open_number else turn.dice_left

    @property
    def _scene(self) -> Scene:
        return Scene(self.state, self._now, banks=self._empty_banks_s is not None)

    def _observe(self, seen: Observation) -> tuple[TableEvent, ...]:
        if self._is_tried(seen):
            return ()
        change = after_seen(self._scene, seen, self._unseen_until)
        if isinstance(seen, TrayClear):
            self._empty_since_s = seen.at.t_s
        elif isinstance(seen, ThrowSeen) and change is not None:
            self._empty_since_s = None
        return self._tell(change)

    def _is_tried(self, seen: Observation) -> bool:
        """Whether `seen` is of a throw that counts for nothing, and of dice that lie of one."""
        if isinstance(seen, ThrowSeen):
            pushed = self._tried_lies and seen.moved_after is not None
            self._tried_lies = self.trying or pushed
            if self._tried_lies:
                self.tried, self._empty_since_s = seen.verdict, None
        return self._tried_lies and not isinstance(seen, ViewChanged)

    def _bank_when_left_empty(self) -> tuple[TableEvent, ...]:
        """Bank the turn once the tray has been empty and still for long, unless all dice may be thrown."""
        if self._empty_banks_s is None or self._empty_since_s is None:
            return ()
        if self._watch.moving or self.state.pause is not None:
            self._empty_since_s = self._now.t_s
        if self._now.t_s - self._empty_since_s < self._empty_banks_s:
            return ()
        self._empty_since_s = None
        return self._tell(after_left_empty(self._scene))

    def _tell(self, change: Change | None) -> tuple[TableEvent, ...]:
        """Move on to the state after a change, once it is kept, and return what tells it."""
        if change is None:
            return ()
        events = change.events or self.state.events
        after = replace(change.state, events=events, version=self.state.version + 1)
        self._keep(self.state, after, change.events)
        self.state = after
        return change.events


def run(loop: TableLoop, frames: Iterable[Frame], touches: Iterable[TimedTouch] = ()) -> Iterator[TableEvent]:
    """Yield all events of a game played by `frames` and `touches`, those in order of time.

    A touch happens after the first frame that is not earlier; what is left over, after the last.
    A touch that cannot be done raises TouchError with its time.
    """
    waiting = list(touches)
    yield from loop.begin()
    for frame in frames:
        yield from loop.step(frame)
        while waiting and waiting[0].t_s <= frame.t_s:
            yield from _touch_of_file(loop, waiting.pop(0))
    for late in waiting:
        yield from _touch_of_file(loop, late)


def _touch_of_file(loop: TableLoop, timed: TimedTouch) -> tuple[TableEvent, ...]:
    try:
        return loop.touch(timed.touch)
    except TouchError as error:
        raise TouchError(f"touch at {timed.t_s:g} s: {error}") from error
