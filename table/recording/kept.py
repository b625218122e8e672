"""A folder of reports with bounds: the oldest go first, and a disk that is nearly full is left alone.

    throw-000012.zip    a throw, kept as it was judged
    report-000013.zip   a throw that a person reported; deleted only once no other is left to delete

Each file is written whole or not at all.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from table.errors import RecordingError
from table.folder_writer import FolderWriter, Written
from vision.whole_file import write_whole

MOST_BYTES = 2 * 2**30  # some hundred throws at 1280x720
MOST_FILES = 200
RECORDINGS = Written("a recording", "nothing is kept", waiting=2)  # each holds a clip in memory
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
        self._folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._next = max((file.number for file in _listed(folder)), default=0) + 1
        except OSError as error:
            found = f"{folder}: cannot be written to ({error.strerror})"
            raise RecordingError(f"{found}; accepted is a folder for recordings") from error
        self._writer = FolderWriter(folder, RECORDINGS, complain)

    def keep_throw(self, made: Callable[[], bytes]) -> None:
        """Write the report that `made` returns, soon."""
        self._writer.write(partial(self._write, THROW, made))

    def keep_report(self, report: bytes) -> None:
        """Write a report that a person asked for, soon, however much waits."""
        self._writer.write(partial(self._write, REPORT, lambda: report), may_drop=False)

    def wait(self) -> None:
        """Wait until all that was kept so far is written."""
        self._writer.wait()

    def close(self) -> None:
        """Write what is still to be written."""
        self._writer.close()

    def _write(self, kind: str, made: Callable[[], bytes]) -> None:
        report = made()
        self._make_room(len(report))
        write_whole(self._folder / f"{kind}-{self._next:06}.zip", report)
        self._next += 1

    def _make_room(self, needed: int) -> None:
        """Delete the oldest until one more file of `needed` bytes fits the bounds."""
        files = sorted(_listed(self._folder), key=lambda file: (file.reported, file.number))
        total = sum(file.bytes for file in files)
        while files and (len(files) >= MOST_FILES or total + needed > MOST_BYTES):
            oldest = files.pop(0)
            oldest.path.unlink(missing_ok=True)
            total -= oldest.bytes


def _listed(folder: Path) -> list[_File]:
    found = [(path, NAME.fullmatch(path.name)) for path in folder.iterdir()]
    return [_File(path, int(name[2]), path.stat().st_size, name[1] == REPORT) for path, name in found if name]
