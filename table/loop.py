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

The clock is the frames'. A touch happens at the latest frame. `step` and `touch` may be called from
different threads; reading frames and judging hold no lock, so a touch never waits for the judge.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Protocol

from scoring.actions import Action, Bank, Correct, Knock, Misroll, Throw
from scoring.errors import IllegalActionError
from scoring.faces import ALL_DICE, Faces
from scoring.game import Game, Phase, can, first_events, new_game, options, undo
from table.errors import TouchError
from table.events import (
    UNFIT_VIEWS,
    Moment,
    TableEvent,
    Wait,
    WaitKind,
    game_events,
    moment_of,
    paused,
    throw_settled,
)
from table.lying_dice import entered_faces
from table.rulings import Before, Outcome, dismiss, rule_on, take, take_faces, take_late
from table.set_asides_seen import bank_all, could_be_hot
from table.throw_watch import DiceTaken, Observation, ThrowSeen, ThrowWatch, ViewChanged
from table.touches import Confirm, CorrectDie, EnterThrow, NewGame, Play, TimedTouch, Touch, Undo
from vision.domain import DieReading, DieState, Frame, Ruling, Verdict

ANSWERABLE = frozenset(  # by saying what came before
    {WaitKind.WHICH_SET_ASIDE, WaitKind.DICE_DO_NOT_FIT, WaitKind.BANKED_OR_THROWN}
)
UNSEEN = Wait(WaitKind.UNSEEN, "no picture came when this may have been thrown: confirm it, or throw again")
EMPTY_BANKS_S = 20.0  # longer than people shake dice and think with all of them in their hands
NOT_BANKED = Wait(WaitKind.NOT_BANKED, "fewer than six dice lie now: was thrown on, and not banked?")
TAKEN_BACK = Wait(WaitKind.NOT_COUNTED, "the throw was taken back: confirm it, or throw again")


@dataclass(frozen=True, slots=True)
class LyingThrow:
    """The latest throw as it stands: what was read, and what a person made of it.

    `faces`: by die of `verdict.dice`, None where no face could be read; a throw entered by hand has no
    verdict. `removed`: places of dice that a person says are none. `counted`: the game has taken the throw.
    `by_hand`: a person entered it.
    """

    faces: tuple[int | None, ...]
    verdict: Verdict | None = None
    removed: frozenset[int] = frozenset()
    counted: bool = False
    by_hand: bool = False

    @property
    def known_faces(self) -> Faces | None:
        """The sorted faces when every die's is known, else None."""
        left = [face for place, face in enumerate(self.faces) if place not in self.removed]
        known = [face for face in left if face is not None]
        return tuple(sorted(known)) if known and len(known) == len(left) else None


@dataclass(frozen=True, slots=True)
class Step:
    """What a person did, by its name in `corrected`, and what was before it."""

    name: str
    game: Game
    lying: LyingThrow | None
    wait: Wait | None


@dataclass(frozen=True, slots=True)
class TableState:
    """All that a screen shows, at one moment.

    `wait`: why the latest throw does not count; `view`: why no throw can be judged now, whatever lies.
    """

    game: Game
    lying: LyingThrow | None = None
    wait: Wait | None = None
    view: Wait | None = None
    events: tuple[TableEvent, ...] = ()  # of the latest step or touch that had any
    version: int = 0  # grows with every change
    steps: tuple[Step, ...] = ()  # what a person did since the camera saw the latest throw
    left: tuple[Faces, ...] = ()  # of the throw that counts, each time dice were lifted out of it
    assumed: Game | None = None  # before the turn was banked because the tray was left empty

    @property
    def pause(self) -> Wait | None:
        """Why the game waits, None while it goes on."""
        return self.view or self.wait

    @property
    def can_undo(self) -> bool:
        """Whether there is anything to take back."""
        return bool(self.steps or self.game.log)

    def with_step(self, name: str) -> tuple[Step, ...]:
        """Return the steps once a person has done `name` now."""
        return (*self.steps, Step(name, self.game, self.lying, self.wait))


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
        self.state = start if isinstance(start, TableState) else TableState(start)

    @property
    def moving(self) -> bool:
        """Whether something moves in the tray right now."""
        return self._watch.moving

    @property
    def in_view(self) -> Verdict | None:
        """What was read of the dice that lie in the tray, as `ThrowWatch.in_view`."""
        return self._watch.in_view

    def begin(self) -> tuple[TableEvent, ...]:
        """Return the events that come before the first frame: whose turn it is, what the game waits for."""
        told = game_events(self._now, first_events(self.state.game))
        waits = () if self.state.pause is None else (paused(self._now, self.state.pause),)
        return self._tell(self.state, (*told, *waits))

    def step(self, frame: Frame) -> tuple[TableEvent, ...]:
        """Take the next frame; raises CalibrationError if the calibration does not fit it."""
        self._pass_on_answer()
        seen = self._watch.step(frame, self._expected_dice())
        with self._lock:
            self._now = moment_of(frame)
            told = [event for observation in seen for event in self._observe(observation)]
            return (*told, *self._bank_when_left_empty())

    def ask_about_throws_before(self, frame: Frame) -> None:
        """Count no throw that lay when `frame` came until a person confirms it.

        People played on by hand while no pictures came: what lies may be left of a throw they have entered.
        """
        self._unseen_until = frame.index

    def touch(self, touch: Touch) -> tuple[TableEvent, ...]:
        """Do what a person tapped; raises TouchError, saying why, when it cannot be done now."""
        with self._lock:
            waited, before = self._waits_for_view, self.state
            if self._empty_since_s is not None:
                self._empty_since_s = self._now.t_s
            try:
                events = self._touch(touch)
            except IllegalActionError as error:
                raise TouchError(str(error)) from error
            if waited and not self._waits_for_view:
                self._answered = isinstance(touch, Confirm)
            self._said = _what_was_said(before, self.state) or self._said
            return events

    @property
    def _waits_for_view(self) -> bool:
        """Whether the latest throw was seen on a view that is not the calibrated one, and waits for it."""
        return self.state.wait is not None and self.state.wait.kind in UNFIT_VIEWS

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
        if self._dice != ALL_DICE:
            return self._dice
        turn = self.state.game.turn
        # While nothing is set aside yet, or banking was but assumed, the next throw may be of any number.
        open_number = turn.phase in (Phase.SET_ASIDE, Phase.OVER) or self.state.assumed is not None
        return None if open_number else turn.dice_left

    def _observe(self, seen: Observation) -> tuple[TableEvent, ...]:
        match seen:
            case ThrowSeen():
                return self._take_throw(seen)
            case ViewChanged():
                return self._turn_to(seen.blocked)
            case DiceTaken():
                return self._tell(self._without(seen.left), ())
        self._empty_since_s = seen.at.t_s
        return self._tell(self.state, (TableEvent(seen.at, "table_cleared", {}),))

    def _without(self, left: Faces) -> TableState:
        """Return the state once only `left` lies of the throw that counts."""
        state = self.state
        news = state.game.turn.phase is Phase.SET_ASIDE and left not in state.left
        return replace(state, left=(*state.left, left)) if news else state

    def _bank_when_left_empty(self) -> tuple[TableEvent, ...]:
        """Bank the turn once the tray has been empty and still for long, unless all dice may be thrown."""
        if self._empty_banks_s is None or self._empty_since_s is None:
            return ()
        if self._watch.moving or self.state.pause is not None:
            self._empty_since_s = self._now.t_s
        if self._now.t_s - self._empty_since_s < self._empty_banks_s:
            return ()
        self._empty_since_s, game = None, self.state.game
        banked = () if could_be_hot(game) else bank_all(game)
        if not banked:
            return ()
        return self._conclude(replace(take(game, banked), assumed=game), self.state.lying, ())

    def _turn_to(self, blocked: Wait | None) -> tuple[TableEvent, ...]:
        """Wait because nothing can be judged, or go on once it can and what lies is no throw."""
        before = self.state
        lying, wait = before.lying, before.wait
        if blocked is None and self._waits_for_view:
            faces = before.game.turn.faces
            lying, wait = None if faces is None else _showing(faces, None), None
        view = None if blocked is not None and wait is not None and blocked.kind is wait.kind else blocked
        after = replace(before, lying=lying, wait=wait, view=view)
        if after.pause is None:
            told = () if before.pause is None else (TableEvent(self._now, "resumed", {}),)
        else:
            told = () if after.pause == before.pause else (paused(self._now, after.pause),)
        return self._tell(after, told)

    def _take_throw(self, seen: ThrowSeen) -> tuple[TableEvent, ...]:
        outcome = self._outcome_of(seen)
        if outcome is None:
            return ()
        self._empty_since_s = None
        faces = tuple(die.face for die in seen.verdict.dice)
        counted = seen.verdict.ruling is Ruling.VALID and outcome.wait is None
        lying = LyingThrow(faces, seen.verdict, counted=counted)
        told = (TableEvent(seen.started, "throw_started", {}), throw_settled(seen.settled, seen.verdict))
        return self._conclude(outcome, lying, (), told, in_view=True)

    def _outcome_of(self, seen: ThrowSeen) -> Outcome | None:
        """Return what comes of a throw; None when dice of one that is over were pushed."""
        game, pushed = self.state.game, seen.moved_after is not None and seen.moved_after.faces is not None
        if pushed and game.turn.phase is not Phase.SET_ASIDE:
            return None
        if seen.unfit is not None:
            return Outcome(game, wait=seen.unfit)
        if seen.started.frame <= self._unseen_until and not game.over:
            is_entered = seen.verdict.faces == game.turn.faces is not None
            return Outcome(game, wait=None if is_entered else UNSEEN)
        if self.state.assumed is not None and len(seen.verdict.dice) != ALL_DICE:
            return Outcome(game, wait=NOT_BANKED)
        return rule_on(game, seen.verdict, seen.moved_after, self._before)

    @property
    def _before(self) -> Before:
        return Before(self.state.left, banks=self._empty_banks_s is not None)

    def _touch(self, touch: Touch) -> tuple[TableEvent, ...]:
        match touch:
            case Play(action):
                events = self._play(action)
            case Undo():
                events = self._undo()
            case CorrectDie(die, face):
                events = self._correct(die, face)
            case Confirm():
                events = self._confirm()
            case EnterThrow(faces):
                outcome = _counted(take_faces(self.state.game, faces))
                entered = LyingThrow(faces, counted=True, by_hand=True)
                events = self._conclude(outcome, entered, self.state.with_step("throw"))
            case NewGame():
                events = self._new_game()
        return events

    def _new_game(self) -> tuple[TableEvent, ...]:
        over = self.state.game
        if not over.over:
            raise TouchError("a new game begins when this one is over")
        game = new_game(over.ruleset, over.players, (over.first_seat + 1) % len(over.players))
        return self._conclude(Outcome(game, first_events(game)), None, ())

    def _play(self, action: Action) -> tuple[TableEvent, ...]:
        game, lying, wait = self.state.game, self.state.lying, self.state.wait
        steps = self.state.with_step(action.kind)
        if lying is None or wait is None:
            if isinstance(action, Misroll) and lying is not None and not lying.counted:
                return ()  # it is one already; the open throw before it stands
            return self._conclude(take(game, [action]), lying, steps)
        if isinstance(action, Misroll):
            return self._conclude(dismiss(game), lying, steps)
        after = take(game, [action])
        if wait.kind is WaitKind.NUDGED:  # the throw counts as it fell
            return self._conclude(after, _showing(game.turn.faces or (), None), steps)
        if wait.kind not in ANSWERABLE or lying.known_faces is None:
            return self._conclude(replace(after, wait=wait), lying, steps)
        then = take_late(after.game, lying.known_faces)
        both = replace(then, events=(*after.events, *then.events))
        return self._conclude(both, replace(lying, counted=then.wait is None), steps)

    def _undo(self) -> tuple[TableEvent, ...]:
        """Take back the latest thing a person did since the latest throw, else the game's latest action."""
        if not self.state.steps:
            return self._undo_action()
        *steps, latest = self.state.steps
        offered = () if latest.game == self.state.game else options(latest.game)
        outcome = Outcome(latest.game, offered, latest.wait)
        return self._conclude(outcome, latest.lying, tuple(steps), self._took_back(latest.name, latest.game))

    def _undo_action(self) -> tuple[TableEvent, ...]:
        game, lying = self.state.game, self.state.lying
        if not game.log:
            raise TouchError("there is nothing to undo")
        before, undone = undo(game), game.log[-1]
        if isinstance(undone, Throw | Knock) and lying is not None:
            lying = replace(lying, counted=False)
        elif before.turn.faces is not None:
            lying = _showing(before.turn.faces, lying)
        wait = None if lying is None or lying.counted else TAKEN_BACK
        told = self._took_back(undone.kind, before)
        return self._conclude(Outcome(before, options(before), wait), lying, (), told)

    def _took_back(self, name: str, before: Game) -> tuple[TableEvent, ...]:
        return (TableEvent(self._now, "corrected", {"undone": name, **_standing(before)}),)

    def _correct(self, place: int, face: int | None) -> tuple[TableEvent, ...]:
        lying = self.state.lying
        if lying is None or place >= len(lying.faces):
            raise TouchError("there is no such die to correct")
        faces = (*lying.faces[:place], face or lying.faces[place], *lying.faces[place + 1 :])
        removed = lying.removed | {place} if face is None else lying.removed - {place}
        amended = replace(lying, faces=faces, removed=removed)
        correct = Correct(amended.known_faces or ())
        steps = self.state.with_step("correct")
        if lying.counted and can(self.state.game, correct):
            return self._conclude(take(self.state.game, [correct]), amended, steps)
        if lying.counted:
            return self._uncount(amended)
        fields = {"die": place, "was": lying.faces[place], "face": face}
        outcome = Outcome(self.state.game, wait=self.state.wait or TAKEN_BACK)
        return self._conclude(outcome, amended, steps, (TableEvent(self._now, "corrected", fields),))

    def _uncount(self, amended: LyingThrow) -> tuple[TableEvent, ...]:
        """Take a counted throw back that, as corrected, is not of as many dice."""
        game = self.state.game
        if not game.log or not isinstance(game.log[-1], Throw | Knock | Correct):
            raise TouchError("only the latest throw can be corrected, before anything else is done")
        before = undo(game)
        while before.log and isinstance(game.log[len(before.log)], Correct):
            before = undo(before)
        uncounted, steps = replace(amended, counted=False), self.state.with_step("correct")
        told = self._took_back("throw", before)
        return self._conclude(Outcome(before, wait=TAKEN_BACK), uncounted, steps, told)

    def _confirm(self) -> tuple[TableEvent, ...]:
        lying = self.state.lying
        if lying is None or lying.counted:
            raise TouchError("no throw waits to be confirmed")
        if lying.known_faces is None:
            raise TouchError("a die without a face must be corrected first")
        outcome, told = self._confirmed(lying.known_faces)
        return self._conclude(outcome, replace(lying, counted=True), self.state.with_step("throw"), told)

    def _confirmed(self, faces: Faces) -> tuple[Outcome, tuple[TableEvent, ...]]:
        """Return what comes of counting a throw of `faces` that waits, and what is told before that."""
        state = self.state
        kind = None if state.wait is None else state.wait.kind
        if kind is WaitKind.NUDGED:
            return take(state.game, [Correct(faces)]), ()
        if kind is WaitKind.NOT_BANKED and state.assumed is not None:
            told = self._took_back(Bank.kind, state.assumed)
            return _counted(take_faces(state.assumed, faces, self._before)), told
        return _counted(take_faces(state.game, faces)), ()

    def _conclude(
        self,
        outcome: Outcome,
        lying: LyingThrow | None,
        steps: tuple[Step, ...],
        told: tuple[TableEvent, ...] = (),
        *,
        in_view: bool = False,
    ) -> tuple[TableEvent, ...]:
        """Tell what came of a throw or touch, and move on to the state after it.

        `in_view`: it came of what is seen right now, so that nothing hides it.
        """
        before = self.state
        view = None if in_view else before.view
        after = replace(before, game=outcome.game, lying=lying, wait=outcome.wait, view=view, steps=steps)
        after = _with_seen(after, before, outcome.assumed)
        events = [*told]
        if before.pause is not None and after.pause is None:
            events.append(TableEvent(self._now, "resumed", {}))
        events += game_events(self._now, outcome.events)
        if after.pause is not None and after.pause != (None if told else before.pause):
            events.append(paused(self._now, after.pause))
        return self._tell(after, tuple(events))

    def _tell(self, state: TableState, events: tuple[TableEvent, ...]) -> tuple[TableEvent, ...]:
        after = replace(state, events=events or state.events, version=state.version + 1)
        self._keep(self.state, after, events)
        self.state = after
        return events


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


def _with_seen(after: TableState, before: TableState, assumed: Game | None) -> TableState:
    """Return the state with what was seen of the throw that counts, as long as it is the same turn's."""
    same = after.game is before.game
    left = before.left if same or assumed or after.game.turn == before.game.turn else ()
    return replace(after, left=left, assumed=assumed or (before.assumed if same else None))


def _what_was_said(before: TableState, after: TableState) -> tuple[Verdict, tuple[DieReading, ...]] | None:
    """Return the verdict on a throw that counts now and its dice as a person said them, if all are known."""
    lying, read = after.lying, before.lying
    verdict = None if read is None else read.verdict
    if lying is None or read is None or verdict is None or not lying.counted:
        return None
    places = [place for place in range(len(verdict.dice)) if place not in read.removed | lying.removed]
    faces = lying.faces if lying.verdict is verdict else entered_faces(read.faces, lying.faces, places)
    if faces is None:
        return None
    dice = (replace(verdict.dice[place], face=faces[place], state=DieState.FLAT) for place in places)
    return verdict, tuple(dice)


def _standing(game: Game) -> dict[str, object]:
    return {"player": game.player, "turn_points": game.turn.points, "totals": game.totals}


def _showing(faces: Faces, lying: LyingThrow | None) -> LyingThrow:
    """Return the throw of `faces` that the game has taken, with its verdict if that is the one read."""
    if lying is not None and lying.known_faces == faces:
        return replace(lying, counted=True)
    if lying is not None and lying.verdict is not None and lying.verdict.faces == faces:
        return LyingThrow(tuple(die.face for die in lying.verdict.dice), lying.verdict, counted=True)
    return LyingThrow(faces, counted=True)


def _counted(outcome: Outcome) -> Outcome:
    if outcome.wait is not None:
        raise TouchError(outcome.wait.detail)
    return outcome
