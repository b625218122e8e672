"""The session's own thread: the camera is lost and comes back, and the table is closed."""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterable
from dataclasses import dataclass, field, replace
from queue import SimpleQueue
from typing import ClassVar

import pytest

from scoring.actions import PutAside
from scoring.game import new_game
from scoring.ruleset import load_preset, with_overrides
from table.errors import TouchError
from table.events import TableEvent
from table.loop import TableLoop
from table.page.listeners import Listeners
from table.page.session import TableSession
from table.page.sight import SourceStatus
from table.state import TableState
from table.throw_watch import ThrowWatch
from table.touches import EnterThrow, Play, Undo
from tests.table.staging import Hand, Still, dice, frames, staged_judge
from vision.domain import Frame, Image, TableCalibration, Verdict
from vision.errors import NoCameraError, UnreadableClipError
from vision.sources import unbroken

SIX = dice(1, 1, 5, 3, 2, 6)
PATIENCE_S = 20.0  # of a test that fails; none waits so long otherwise


@dataclass
class PushedCamera:
    """Gives the frames that a test pushes, until it is unplugged."""

    live: ClassVar[bool] = True
    endless: bool = False  # its last frame comes again and again
    pushed: SimpleQueue[Frame | None] = field(default_factory=SimpleQueue)
    released: threading.Event = field(default_factory=threading.Event)

    def push(self, shown: Iterable[Frame]) -> None:
        for frame in shown:
            self.pushed.put(frame)

    def frames(self) -> Generator[Frame]:
        try:
            while (frame := self.pushed.get(timeout=PATIENCE_S)) is not None:
                yield frame
                if self.endless:
                    self.pushed.put(replace(frame, index=frame.index + 1, t_s=frame.t_s + 1 / 30))
            raise UnreadableClipError("usb:0: went away; accepted is a camera that stays")
        finally:
            self.released.set()


class Table:
    """A session in its own thread, on one camera after the other."""

    def __init__(self) -> None:
        rules = with_overrides(load_preset("danish"), {"first_throw_relief": "no"})
        self.cameras = [PushedCamera()]
        self.plugged_in: SimpleQueue[PushedCamera] = SimpleQueue()
        self.events: SimpleQueue[TableEvent] = SimpleQueue()
        self.complaints: list[object] = []
        self.lost, self.tried = threading.Event(), threading.Event()
        loop = TableLoop(new_game(rules, ("Ada", "Bo")), ThrowWatch(judge=staged_judge))
        self.followed, self.looked_at = threading.Condition(), -1
        self.session = TableSession(loop, Listeners(self.events.put, self.follow))
        shown = unbroken(self.cameras[0], self.reopen, self.lose, self.wait, iter(range(9999)).__next__)
        self.session.start(shown, self.complaints.append)

    def follow(self, _state: TableState) -> None:
        with self.followed:
            shown = self.session.picture.frame
            self.looked_at = -1 if shown is None else shown.index
            self.followed.notify_all()

    def wait_for_frame(self, index: int) -> None:
        """Wait until frame `index` has been looked at."""
        with self.followed:
            assert self.followed.wait_for(lambda: self.looked_at == index, PATIENCE_S)

    def reopen(self) -> PushedCamera:
        self.tried.set()
        if self.plugged_in.empty():
            raise NoCameraError("usb:0: no camera there")
        return self.plugged_in.get()

    def lose(self, error: UnreadableClipError) -> None:
        self.session.lose(error)
        self.lost.set()

    def wait(self, _seconds: float) -> bool:
        return self.session.stopped_within(0.001)

    def plug_in(self) -> PushedCamera:
        self.cameras.append(PushedCamera())
        self.plugged_in.put(self.cameras[-1])
        return self.cameras[-1]

    def unplug(self, camera: PushedCamera) -> None:
        camera.pushed.put(None)
        assert self.lost.wait(PATIENCE_S)
        assert self.tried.wait(PATIENCE_S)  # it tries, and the session is lost meanwhile

    def wait_for(self, name: str) -> TableEvent:
        while (event := self.events.get(timeout=PATIENCE_S)).name != name:
            pass
        return event


@pytest.fixture
def table() -> Generator[Table]:
    opened = Table()
    yield opened
    for camera in opened.cameras:
        camera.pushed.put(None)
    opened.session.stop()


def touch(table: Table, touched: EnterThrow | Play) -> None:
    table.session.touch(touched, table.session.state.version)


def test_a_throw_made_while_the_camera_was_away_is_seen_when_it_is_back(table: Table) -> None:
    table.cameras[0].push(frames(Still({})))
    table.unplug(table.cameras[0])
    assert table.session.status is SourceStatus.LOST
    assert "went away" in table.session.failure
    assert not table.session.moving
    table.plug_in().push(frames(Still(SIX)))
    assert table.wait_for("throw_settled").fields["verdict"] == "valid"
    assert table.wait_for("options").at.frame >= 30  # numbered on
    assert table.session.status is SourceStatus.RUNNING
    assert table.session.failure == ""
    assert table.complaints == []


@pytest.mark.parametrize("noticed", [True, False])
def test_touches_count_while_the_camera_is_away_and_what_lies_then_is_asked_about(
    table: Table, noticed: bool
) -> None:
    table.cameras[0].push(frames(Still({})))
    if noticed:
        table.unplug(table.cameras[0])
    table.wait_for_frame(29)
    touch(table, EnterThrow((1, 1, 2, 3, 5, 6)))
    touch(table, Play(PutAside((1, 1, 5))))
    if not noticed:
        table.unplug(table.cameras[0])
    table.plug_in().push(frames(Still(dice(3, 2, 6, first_cell=3)), Hand({}), Still(dice(1, 3, 4))))
    assert table.wait_for("paused").fields["reason"] == "unseen"
    table.wait_for("options")
    assert table.session.state.game.turn.faces == (1, 3, 4)


def test_closing_the_table_lets_go_of_the_camera(table: Table) -> None:
    camera = table.cameras[0]
    camera.endless = True
    camera.push(frames(Still({}, 1 / 30)))
    table.session.stop()
    assert camera.released.is_set()


def test_closing_the_table_ends_the_wait_for_a_camera_that_is_away(table: Table) -> None:
    table.unplug(table.cameras[0])
    table.session.stop()
    assert "table" not in [thread.name for thread in threading.enumerate()]


def test_a_mistake_of_the_program_is_not_taken_for_a_running_camera(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> Verdict:
        raise ZeroDivisionError

    rules = load_preset("danish")
    loop = TableLoop(new_game(rules, ("Ada", "Bo")), ThrowWatch(judge=broken))
    session, fallen = TableSession(loop, Listeners(lambda _: None)), threading.Event()
    monkeypatch.setattr(threading, "excepthook", lambda _: fallen.set())
    session.start(frames(Still({}), Hand({}), Still(SIX)), lambda _: None)
    assert fallen.wait(PATIENCE_S)
    assert session.status is SourceStatus.FAILED


@pytest.mark.parametrize("tapping", [2, 8])
def test_of_taps_on_the_same_state_at_once_one_is_done_and_the_others_are_told_so(tapping: int) -> None:
    loop = TableLoop(new_game(load_preset("danish"), ("Ada", "Bo")), ThrowWatch(judge=staged_judge))
    session = TableSession(loop, Listeners(lambda _: None))
    together = threading.Barrier(tapping)
    refused: SimpleQueue[str] = SimpleQueue()

    def tap(touched: Play | EnterThrow | Undo, version: int) -> None:
        together.wait(PATIENCE_S)
        try:
            session.touch(touched, version)
        except TouchError as error:
            refused.put(str(error))

    played = [
        EnterThrow((1, 1, 2, 3, 5, 6)),
        Play(PutAside((1, 1, 5))),
        EnterThrow((4, 4, 5)),
        Play(PutAside((5,))),
    ]
    for number, touched in enumerate([*played, *[Undo()] * len(played)], 1):
        version = session.state.version
        tapped = [threading.Thread(target=tap, args=(touched, version)) for _ in range(tapping)]
        for each in tapped:
            each.start()
        for each in tapped:
            each.join(PATIENCE_S)
        assert session.state.version == version + 1
        assert refused.qsize() == number * (tapping - 1)
    assert session.state.game.log == ()


def test_a_tap_that_waits_while_another_is_written_to_disk_is_refused() -> None:
    written, tapped = threading.Event(), threading.Event()

    def keep(before: TableState, after: TableState, events: tuple[TableEvent, ...]) -> None:
        if after.version == 2:
            written.set()
            assert tapped.wait(PATIENCE_S)

    game = new_game(load_preset("danish"), ("Ada", "Bo"))
    loop = TableLoop(game, ThrowWatch(judge=staged_judge), keep=keep)
    session = TableSession(loop, Listeners(lambda _: None))
    loop.begin()
    session.permit = lambda: tapped.set() if written.is_set() else None
    version, thrown = session.state.version, EnterThrow((1, 1, 2, 3, 5, 6))
    first = threading.Thread(target=session.touch, args=(thrown, version))
    first.start()
    assert written.wait(PATIENCE_S)
    with pytest.raises(TouchError, match="changed meanwhile"):
        session.touch(Undo(), version)
    first.join(PATIENCE_S)
    assert session.state.game.turn.faces == (1, 1, 2, 3, 5, 6)


def test_a_throw_that_is_entered_before_the_camera_that_is_back_has_read_it_counts_once(table: Table) -> None:
    table.cameras[0].push(frames(Still({})))
    table.unplug(table.cameras[0])
    back = table.plug_in()
    back.push(list(frames(Still(SIX)))[:2])
    table.wait_for_frame(31)
    assert table.session.status is SourceStatus.RUNNING
    touch(table, EnterThrow((1, 1, 5, 3, 2, 6)))
    back.push(list(frames(Still(SIX)))[2:])
    assert table.wait_for("throw_settled").fields["verdict"] == "valid"
    game = table.session.state.game
    assert [action.kind for action in game.log] == ["throw"]
    assert table.session.state.wait is None


def test_the_session_tells_when_a_throw_is_judged_so_that_pages_leave_it_the_machine() -> None:
    told: list[bool] = []

    def judge(image: Image, calibration: TableCalibration | None, expected_dice: int | None) -> Verdict:
        told.append(session.judging)
        return staged_judge(image, calibration, expected_dice)

    loop = TableLoop(new_game(load_preset("danish"), ("Ada", "Bo")), ThrowWatch(judge=judge))
    session = TableSession(loop, Listeners(lambda _: None))
    loop.begin()
    between = set()
    for frame in frames(Still({}), Hand({}), Still(SIX)):
        session.step(frame)
        between.add(session.judging)
    assert told
    assert all(told)
    assert between == {False}
