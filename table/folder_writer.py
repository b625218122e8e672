"""Writes files into a folder and is in nobody's way: by a thread of its own, never on a nearly full disk.

What goes wrong is said once, until a file can be written again; the game goes on.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

LEAST_FREE_BYTES = 500 * 2**20


@dataclass(frozen=True, slots=True)
class Written:
    """What is written: `one` in words, what is `lost` while none can be, and how many may be `waiting`.

    What waits for a slow disk is held in memory.
    """

    one: str
    lost: str
    waiting: int


class FolderWriter:
    """Writes into `folder`, one thing after the other; `complain` is told why nothing is written."""

    def __init__(self, folder: Path, what: Written, complain: Callable[[object], None]) -> None:
        self.folder, self._what, self._complain = folder, what, complain
        self._thread = ThreadPoolExecutor(1, folder.name)
        self._waiting: list[Future[None]] = []
        self._said = self._closed = False

    def write(self, write: Callable[[], None], *, may_drop: bool = True) -> None:
        """Call `write`, which may raise OSError, soon; not at all if the folder is closed or nearly full.

        `may_drop`: nor if too much waits for the disk.
        """
        self._waiting = [each for each in self._waiting if not each.done() or each.exception() is not None]
        if self._closed:
            return
        if may_drop and sum(not each.done() for each in self._waiting) >= self._what.waiting:
            self._say("the disk is too slow for every throw")
            return
        self._waiting.append(self._thread.submit(self._try, write))

    def wait(self) -> None:
        """Wait until all that waits now is written."""
        self._thread.submit(lambda: None).result()

    def close(self) -> None:
        """Write what is still to be written."""
        self._closed = True
        self._thread.shutdown()
        for written in self._waiting:
            written.result()  # raises what is a mistake of the program, not of the disk

    def _try(self, write: Callable[[], None]) -> None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            free = shutil.disk_usage(self.folder).free
            if free < LEAST_FREE_BYTES:
                self._say(f"{free >> 20} MiB free on the disk; accepted: {LEAST_FREE_BYTES >> 20} and more")
                return
            write()
        except OSError as error:
            self._say(f"{self._what.one} cannot be written ({error.strerror or error})")
            return
        self._said = False

    def _say(self, why: str) -> None:
        if not self._said:
            self._said = True
            self._complain(f"{self.folder}: {why}; {self._what.lost} until it can be")
