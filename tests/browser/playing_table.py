"""The real program, played in a process of its own on a free port."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from scoring.languages import Language

ROOT = Path(__file__).parents[2]
CLIPS = ROOT / "datasets" / "clips"
SEEN_BY_NICEGUI = ("PYTEST_CURRENT_TEST", "NICEGUI_SCREEN_TEST_PORT")  # it serves differently under test
LONGEST_START_S = 60.0


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def started(command: Sequence[str], port: int, log: Path) -> subprocess.Popen[bytes]:
    """Run a Python command that serves on `port`, its lines in `log`; returns once it answers."""
    not_under_test = {key: value for key, value in os.environ.items() if key not in SEEN_BY_NICEGUI}
    with log.open("ab") as lines:
        process = subprocess.Popen(
            [sys.executable, *command], cwd=ROOT, env=not_under_test, stdout=lines, stderr=subprocess.STDOUT
        )
    end = time.monotonic() + LONGEST_START_S
    while not _answers(port):
        if process.poll() is not None or time.monotonic() > end:
            process.kill()
            raise AssertionError(f"{command}: serves nothing:\n{log.read_text(encoding='utf-8')}")
        time.sleep(0.05)
    return process


def _answers(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=10) as page:
            return bool(page.status == 200)
    except urllib.error.HTTPError as refused:
        return refused.code < 500
    except (urllib.error.URLError, TimeoutError, ConnectionError):
        return False


class PlayingTable:
    """`titusind play` from its start to its end; what is kept, and its lines, lie in `folder`."""

    def __init__(
        self,
        folder: Path,
        *arguments: str,
        camera: Path,
        calibration: Path | None = None,
        language: Language = Language.DANISH,
    ) -> None:
        self.port, self.language = free_port(), language
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = folder / "printed.txt"
        self._command = [
            *("-m", "table.cli", "play", "--camera", str(camera), "--port", str(self.port)),
            *("--games", str(folder / "games.sqlite"), "--language", language.value, "--voice", "off"),
            *(("--table", str(calibration)) if calibration else ()),
            *arguments,
        ]
        self._process = started(self._command, self.port, self.log)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.send_signal(signal.SIGINT)
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """End it at once, as a power cut would."""
        self._process.kill()
        self._process.wait()

    def start_again(self) -> None:
        """Start it as it was started first."""
        self._process = started(self._command, self.port, self.log)
