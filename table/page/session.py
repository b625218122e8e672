"""One table while it is played: the loop in its own thread, and what the page needs to know of it."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

from scoring.languages import Language
from table.errors import PastTouchError, TouchError
from table.events import TableEvent, Wait, WaitKind
from table.game_draft import GameDraft
from table.loop import TableLoop
from table.page.guests import Guests
from table.page.holding import Holders
from table.page.listeners import Listeners
from table.page.picture import Picture
from table.page.sight import UNCALIBRATED, Sight, SourceStatus
from table.page.speech import Speech
from table.page.words import Words
from table.preferences import RememberedPreferences
from table.recording.recorder import Step
from table.state import TableState
from table.touches import TimedTouch, Touch
from vision.domain import Frame, TableCalibration, Verdict
from vision.errors import CalibrationError, VisionError

CALIBRATING = Wait(WaitKind.CALIBRATING, "the table is being calibrated: no throw counts")
AS_IT_BEGAN = 1  # version of a state to which nothing has happened but to be told
TRYING_S = 3.0  # longer than a page needs to ask again, however slow the machine
LONGEST_FRAME_S = 5.0  # that one frame may take: a slow camera, and the judging of a throw
LONGEST_SILENCE_S = 60.0  # of the table's thread, longer than a camera takes to open and to find its exposure


class TableSession:
    """Runs a loop over frames in the background, and tells `listeners`; the page speaks `language`.

    `preferences`: what people have set, remembered by whoever puts them there; else for this session alone.
    """

    def __init__(
        self,
        loop: TableLoop,
        listeners: Listeners,
        sight: Sight = UNCALIBRATED,
        language: Language = Language.ENGLISH,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._loop = loop
        self._tell = listeners.tell
        self._follow = listeners.follow
        self.voice = listeners.voice
        self.recorder = listeners.recorder
        self._store = listeners.store
        self.hub = listeners.hub
        self.preferences = RememberedPreferences(language=language)
        self._words = Words(self.preferences.now.language)
        self.past, self.pictures = listeners.past, listeners.pictures
        self.guests = Guests()
        self.listens_at: tuple[str, int] | None = None  # host and port of the web server, once it runs
        self.permit: Callable[[], None] = lambda: None  # raises TouchError: `table.page.gate`
        self._clock = clock
        self._heard_s = clock()  # of the table's thread, the last time
        self.unchosen = False  # nobody has said yet who plays, and nobody was asked to
        self.draft: GameDraft | None = None  # of the next game, once somebody sets one up
        self._trying_until_s = 0.0  # by the clock
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None
        self.sight = sight
        self.picture, self.whole_picture = Picture(sight.calibration), Picture()
        self._holders = Holders(clock)
        self._renew = threading.Event()
        self.status = SourceStatus.RUNNING
        self.failure = ""
        self._stepping = False  # a frame is being looked at
        self._version_at_frame = 0  # of the state, when the latest frame had been looked at

    @property
    def words(self) -> Words:
        """The words of the page in the language that is set now."""
        language = self.preferences.now.language
        if self._words.language is not language:
            self._words = Words(language)
        return self._words

    @property
    def speech(self) -> Speech:
        """How the table speaks, to be changed."""
        return Speech(self.voice, self.preferences, lambda: self.state.game.player)

    @property
    def state(self) -> TableState:
        """The game and the throw that lies, at this moment."""
        return self._loop.state

    @property
    def alive(self) -> bool:
        """Whether the table's thread does its work, or has ended for a reason that the page tells."""
        if self._thread is not None and self._thread.is_alive():
            return self._clock() - self._heard_s < LONGEST_SILENCE_S
        return self.status in (SourceStatus.ENDED, SourceStatus.NONE) or bool(self.failure)

    @property
    def moving(self) -> bool:
        """Whether something moves in the tray."""
        return self.status is SourceStatus.RUNNING and self._loop.moving

    @property
    def judging(self) -> bool:
        """Whether what lies still is being judged: that should have the machine for itself."""
        return self._stepping and not self._loop.moving

    @property
    def judges_soon(self) -> bool:
        """Whether it is being judged or will be in a moment: what is begun now would still be in its way."""
        return self.judging or (self.status is SourceStatus.RUNNING and self._loop.comes_to_rest)

    @property
    def in_view(self) -> Verdict | None:
        """What was read of the dice in the tray, None while something moves."""
        return self._loop.in_view

    @property
    def trying(self) -> bool:
        """Whether what is thrown now counts for nothing."""
        return self._clock() < self._trying_until_s

    def try_out(self, seconds: float = TRYING_S) -> None:
        """Let what is thrown count for nothing for so long; say it again to go on."""
        self._trying_until_s = self._clock() + seconds

    def take_tried(self) -> Verdict | None:
        """Return the verdict on a throw that counted for nothing, each one once."""
        tried, self._loop.tried = self._loop.tried, None
        return tried

    @property
    def store_fault(self) -> str | None:
        """Why the tally is not on the disk, None while it is or nobody wants it to be."""
        return None if self._store is None else self._store.fault

    @property
    def game_number(self) -> int | None:
        """The number of the game that is played among those kept, None where it is not kept."""
        return None if self._store is None else self._store.number

    @property
    def known_players(self) -> tuple[str, ...]:
        """All names that this table has played with, the latest first."""
        return () if self._store is None else self._store.players()

    @property
    def just_resumed(self) -> bool:
        """Whether a stored game goes on in which nothing has happened since."""
        return self._store is not None and self._store.resumed and self.state.version <= AS_IT_BEGAN

    def touch(self, touch: Touch, seen_version: int) -> None:
        """Do what a person tapped who saw the state of `seen_version`; raises TouchError with the reason.

        NotPermittedError is that of a guest without the PIN. May be called from several threads: of touches
        on the same state the first is done, the others are refused.
        """
        self.permit()
        try:
            events = self._loop.touch(touch, seen_version)
        except PastTouchError as error:
            raise TouchError(self.words.table_moved_on) from error
        self._tell_all(events)

    def hold(self, name: str) -> None:
        """Look at no throw while `name` calibrates; to be said again every second or so."""
        if self._holders.hold(name):
            self._tell_all(self._loop.hold(CALIBRATING))

    def let_go(self, name: str) -> None:
        """Look at throws again, if nobody else calibrates."""
        if self._holders.let_go(name):
            self._look_again()

    def recalibrate(self, calibration: TableCalibration, name: str) -> None:
        """See by another calibration from now on, which `name` has made; the game goes on."""
        self.sight = replace(self.sight, calibration=calibration)
        self.picture.calibration = calibration
        if self.recorder is not None:
            self.recorder.recalibrate(calibration)
        self._holders.let_go(name)
        self._look_again()

    def renew_camera(self) -> None:
        """Let a camera find exposure, white balance and focus anew."""
        if self.sight.live:
            self._renew.set()

    def camera_to_renew(self) -> bool:
        """Whether `renew_camera` was called since this was asked last."""
        asked = self._renew.is_set()
        self._renew.clear()
        return asked

    def _look_again(self) -> None:
        self._tell_all(self._loop.look_again(self.sight.calibration))

    def step(self, frame: Frame) -> None:
        """Take the next frame; raises CalibrationError if the calibration does not fit it."""
        self._heard_s = self._clock()
        self.picture.show(frame)
        self.whole_picture.show(frame)
        if self._holders.let_go_of_gone():
            self._look_again()
        self._loop.trying = self.trying
        before = self.state
        self._stepping = True
        try:
            events = self._loop.step(frame)
        finally:
            self._stepping = False
        after = self.state
        self._version_at_frame = after.version
        step = Step(frame, before, after, events, self._loop.moving, self._loop.arm)
        self._tell_all(events)
        if self.recorder is not None:
            self.recorder.follow(step)

    def start(
        self,
        frames: Iterable[Frame],
        complain: Callable[[object], None],
        touches: Iterable[TimedTouch] = (),
    ) -> None:
        """Begin the game and run the loop over `frames` in a thread; `complain` of what stops it.

        `touches` show how a clip goes on; one that people at the page have made impossible is left out.
        """
        self._heard_s = self._clock()
        self._tell_all(self._loop.begin())
        run = partial(self._run, frames, complain, deque(touches))
        self._thread = threading.Thread(target=run, name="table", daemon=True)
        self._thread.start()

    def start_without_camera(self) -> None:
        """Begin the game; people enter all throws."""
        self.status = SourceStatus.NONE
        self._tell_all(self._loop.begin())

    def lose(self, error: VisionError) -> None:
        """Say that no picture comes, and why, until the next frame does; touches count meanwhile."""
        self.failure, self.status = str(error), SourceStatus.LOST

    def stopped_within(self, seconds: float) -> bool:
        """Wait so long, or until the session is stopped; whether it is."""
        self._heard_s = self._clock()
        return self._stopped.wait(seconds)

    def stop(self) -> None:
        """End the thread at its next frame; one whose camera gives none any more is left behind."""
        self._stopped.set()
        if self._thread is not None:  # a thread inside OpenCV while Python ends aborts the program
            self._thread.join(LONGEST_FRAME_S)

    def _run(
        self, frames: Iterable[Frame], complain: Callable[[object], None], touches: deque[TimedTouch]
    ) -> None:
        try:
            for frame in frames:
                if self._stopped.is_set():
                    return
                if self.status is SourceStatus.LOST:
                    self._regain(frame)
                self._step_or_wait(frame, complain)
                while touches and touches[0].t_s <= frame.t_s:
                    with suppress(TouchError):
                        self._tell_all(self._loop.touch(touches.popleft().touch))
            self.status = SourceStatus.ENDED
        except VisionError as error:
            self.failure, self.status = str(error), SourceStatus.FAILED
            complain(error)
        finally:
            if self.status is SourceStatus.RUNNING and not self._stopped.is_set():
                self.status = SourceStatus.FAILED  # by a mistake of the program: the page must not pretend
            if isinstance(frames, Generator):
                frames.close()  # lets go of the camera, here and now

    def _step_or_wait(self, frame: Frame, complain: Callable[[object], None]) -> None:
        """Take the next frame; where the calibration does not fit the camera, wait for another."""
        try:
            self.step(frame)
        except CalibrationError as error:
            if not self.sight.live:
                raise
            complain(error)
            self._tell_all(self._loop.hold(Wait(WaitKind.NOT_CALIBRATED, str(error))))

    def _regain(self, frame: Frame) -> None:
        """Go on with the first frame of a camera that was lost."""
        if self.state.version != self._version_at_frame:
            self._loop.ask_about_throws_before(frame)
        self.failure, self.status = "", SourceStatus.RUNNING

    def _tell_all(self, events: Sequence[TableEvent]) -> None:
        for event in events:
            self._tell(event)
        if self.voice is not None:
            self.voice.hear(events)
        if self._follow is not None:
            self._follow(self.state)
        if self._store is not None:
            self._store.retry()
