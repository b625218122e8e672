"""What systemd is told: that the table is ready, and that it lives as long as its thread and server do."""

from __future__ import annotations

import asyncio
import os
import socket
import threading
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

from scoring.game import new_game
from scoring.ruleset import load_preset
from table.loop import TableLoop
from table.page.listeners import Listeners
from table.page.session import LONGEST_SILENCE_S, TableSession
from table.page.watchdog import tell_while_alive, web_server_answers
from table.service_notice import ALIVE, READY, ServiceNotice
from table.throw_watch import ThrowWatch
from tests.table.staging import Still, frames, staged_judge
from vision.domain import Frame, Verdict
from vision.errors import UnreadableClipError

PATIENCE_S = 20.0  # of a test that fails; none waits so long otherwise


class Systemd:
    """Listens where a service tells."""

    def __init__(self, address: str) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(f"\0{address[1:]}" if address.startswith("@") else address)
        self._socket.settimeout(PATIENCE_S)
        self.environment = {"NOTIFY_SOCKET": address, "WATCHDOG_USEC": "30000000"}

    def heard(self) -> str:
        return self._socket.recv(1000).decode()

    def heard_nothing(self) -> bool:
        self._socket.setblocking(False)
        try:
            return not self._socket.recv(1000)
        except BlockingIOError:
            return True

    def close(self) -> None:
        self._socket.close()


class Clock:
    now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def systemd(tmp_path: Path) -> Iterator[Systemd]:
    listens = Systemd(str(tmp_path / "notify"))
    yield listens
    listens.close()


def session(clock: Clock, judge: object = staged_judge) -> TableSession:
    loop = TableLoop(new_game(load_preset("danish"), ("Ada", "Bo")), ThrowWatch(judge=judge))  # type: ignore[arg-type]
    return TableSession(loop, Listeners(lambda _: None), clock=clock)


def wait_for_its_thread() -> None:
    for thread in threading.enumerate():
        if thread.name == "table":
            thread.join(PATIENCE_S)


def watched(
    table: TableSession, notice: ServiceNotice, rounds: int, server: list[bool] | None = None
) -> None:
    """Let the table be watched for so many rounds; `server`: whether it answers, one a round."""
    answers = list(server or [])

    async def answer() -> bool:
        return answers.pop(0) if answers else True

    async def sleep(_: float) -> None:
        nonlocal rounds
        rounds -= 1
        if rounds < 0:
            raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(tell_while_alive(table, notice, answer, sleep))


class Held:
    """Frames that come while the test lets them."""

    def __init__(self) -> None:
        self.seen, self.go = threading.Event(), threading.Event()

    def frames(self) -> Generator[Frame]:
        yield from frames(Still({}, 1 / 30))
        self.seen.set()
        self.go.wait(PATIENCE_S)


@pytest.mark.parametrize("abstract", [False, True])
def test_it_is_told_in_the_protocol(abstract: bool, tmp_path: Path) -> None:
    address = f"@titusind-{os.getpid()}" if abstract else str(tmp_path / "notify")
    listens = Systemd(address)
    ServiceNotice(listens.environment).tell(READY, ALIVE)
    assert listens.heard() == "READY=1\nWATCHDOG=1"
    listens.close()


@pytest.mark.parametrize(
    ("environment", "wanted", "within_s"),
    [
        ({}, False, None),
        ({"NOTIFY_SOCKET": ""}, False, None),
        ({"NOTIFY_SOCKET": "/run/notify"}, True, None),
        ({"NOTIFY_SOCKET": "/run/notify", "WATCHDOG_USEC": "30000000"}, True, 30.0),
        ({"NOTIFY_SOCKET": "/run/notify", "WATCHDOG_USEC": "0"}, True, None),
        ({"NOTIFY_SOCKET": "/run/notify", "WATCHDOG_USEC": "soon"}, True, None),
        ({"NOTIFY_SOCKET": "/run/notify", "WATCHDOG_USEC": "9", "WATCHDOG_PID": "1"}, True, None),
        ({"NOTIFY_SOCKET": "vsock:2:1"}, False, None),
    ],
)
def test_what_is_asked_for_is_in_the_environment(
    environment: dict[str, str], wanted: bool, within_s: float | None
) -> None:
    notice = ServiceNotice(environment)
    assert (notice.wanted, notice.within_s) == (wanted, within_s)


def test_a_systemd_that_no_longer_listens_stops_no_table(tmp_path: Path) -> None:
    ServiceNotice({"NOTIFY_SOCKET": str(tmp_path / "gone")}).tell(ALIVE)


def test_ready_once_and_then_alive_while_thread_and_server_are(systemd: Systemd) -> None:
    clock, held = Clock(), Held()
    table, notice = session(clock), ServiceNotice(systemd.environment)
    table.start(held.frames(), lambda _: None)
    assert held.seen.wait(PATIENCE_S)
    watched(table, notice, 4, server=[False, False, True, True, False, True])
    assert [systemd.heard() for _ in range(3)] == [READY, ALIVE, ALIVE]
    assert systemd.heard_nothing()
    held.go.set()
    table.stop()


def test_a_thread_that_hangs_is_not_alive(systemd: Systemd) -> None:
    clock, held = Clock(), Held()
    table = session(clock)
    table.start(held.frames(), lambda _: None)
    assert held.seen.wait(PATIENCE_S)
    clock.now_s += LONGEST_SILENCE_S
    assert not table.alive
    watched(table, ServiceNotice(systemd.environment), 3)
    assert systemd.heard_nothing()
    table.stopped_within(0.0)  # as while a camera is sought again
    assert table.alive
    held.go.set()
    table.stop()


def test_a_clip_that_is_over_or_a_camera_that_failed_for_a_told_reason_is_no_death() -> None:
    def broken() -> Generator[Frame]:
        yield from frames(Still({}, 1 / 30))
        raise UnreadableClipError("clip.mkv: broken; accepted is a whole one")

    for shown in (frames(Still({}, 1 / 30)), broken()):
        table = session(Clock())
        table.start(shown, lambda _: None)
        wait_for_its_thread()
        assert table.alive


def test_a_thread_that_fell_by_a_mistake_of_the_program_is_dead(monkeypatch: pytest.MonkeyPatch) -> None:
    def mistaken(*_: object) -> Verdict:
        raise ZeroDivisionError

    monkeypatch.setattr(threading, "excepthook", lambda _: None)
    table = session(Clock(), mistaken)
    assert not table.alive  # not begun
    table.start(broken_frames(), lambda _: None)
    wait_for_its_thread()
    assert not table.alive


def broken_frames() -> Generator[Frame]:
    yield from frames(Still({}, 1 / 30))
    raise ZeroDivisionError


@pytest.mark.parametrize(
    ("said", "answers"), [(b"HTTP/1.1 200 OK", True), (b"HTTP/1.1 500 No", False), (b"", False)]
)
def test_the_web_server_is_asked_as_a_browser_would(said: bytes, answers: bool) -> None:
    async def asked() -> bool:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(said + b"\r\n\r\n" if said else b"")
            writer.close()

        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        async with server:
            return await web_server_answers("0.0.0.0", server.sockets[0].getsockname()[1])

    assert asyncio.run(asked()) is answers


def test_no_web_server_is_none_that_answers() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and does not listen
        assert not asyncio.run(web_server_answers("127.0.0.1", taken.getsockname()[1]))
