"""A folder of reports with bounds: the oldest go first, and a disk that is nearly full is left alone.

    throw-000012.zip    a throw, kept as it was judged
    report-000013.zip   a throw that a person reported; deleted only once no other is left to delete

Each file is written whole or not at all. What goes wrong is said once, until a file can be written again;
the game goes on.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from table.errors import RecordingError
from vision.whole_file import write_whole

MOST_BYTES = 2 * 2**30  # some hundred throws at 1280x720
MOST_FILES = 200
LEAST_FREE_BYTES = 500 * 2**20
MOST_WAITING = 2  # reports that may wait for a slow disk; each holds a clip in memory
THROW, REPORT = "throw", "report"
NAME = re.compile(rf"({THROW}|{REPORT})-(\d{{6,}})\.zip")


@dataclass(frozen=True, slots=True)
class _File:
    path: Path
    number: int
    bytes: int
    reported: bool


class KeptReports:
    """Keeps reports in `folder`, by a thread of its own.

    Raises RecordingError if the folder cannot be made. `complain` is told why nothing is written.
    """

    def __init__(self, folder: Path, complain: Callable[[object], None]) -> None:
        self._folder, self._complain = folder, complain
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._next = max((file.number for file in _listed(folder)), default=0) + 1
        except OSError as error:
            found = f"{folder}: cannot be written to ({error.strerror})"
            raise RecordingError(f"{found}; accepted is a folder for recordings") from error
        self._writer = ThreadPoolExecutor(1, "kept reports")
        self._waiting: list[Future[None]] = []
        self._said = self._closed = False

    def keep_throw(self, made: Callable[[], bytes]) -> None:
        """Write the report that `made` returns, soon."""
        self._waiting = [each for each in self._waiting if not each.done() or each.exception() is not None]
        if self._closed:
            return
        if sum(not each.done() for each in self._waiting) >= MOST_WAITING:
            self._say("the disk is too slow for every throw")
            return
        self._waiting.append(self._writer.submit(self._write, THROW, made))

    def keep_report(self, report: bytes) -> None:
        """Write a report that a person asked for, soon."""
        if not self._closed:
            self._waiting.append(self._writer.submit(self._write, REPORT, lambda: report))

    def close(self) -> None:
        """Write what is still to be written."""
        self._closed = True
        self._writer.shutdown()
        for written in self._waiting:
            written.result()  # raises what is a mistake of the program, not of the disk

    def _write(self, kind: str, made: Callable[[], bytes]) -> None:
        try:
            free = shutil.disk_usage(self._folder).free
            if free < LEAST_FREE_BYTES:
                accepted = f"accepted: {LEAST_FREE_BYTES >> 20} and more"
                self._say(f"{free >> 20} MiB free on the disk; {accepted}")
                return
            report = made()
            self._make_room(len(report))
            write_whole(self._folder / f"{kind}-{self._next:06}.zip", report)
        except OSError as error:
            self._say(f"a recording cannot be written ({error.strerror or error})")
            return
        self._next += 1
        self._said = False

    def _make_room(self, needed: int) -> None:
        """Delete the oldest until one more file of `needed` bytes fits the bounds."""
        files = sorted(_listed(self._folder), key=lambda file: (file.reported, file.number))
        total = sum(file.bytes for file in files)
        while files and (len(files) >= MOST_FILES or total + needed > MOST_BYTES):
            oldest = files.pop(0)
            oldest.path.unlink(missing_ok=True)
            total -= oldest.bytes

    def _say(self, why: str) -> None:
        if not self._said:
            self._said = True
            self._complain(f"{self._folder}: {why}; nothing is kept until it can be")


def _listed(folder: Path) -> list[_File]:
    found = [(path, NAME.fullmatch(path.name)) for path in folder.iterdir()]
    return [_File(path, int(name[2]), path.stat().st_size, name[1] == REPORT) for path, name in found if name]
