"""A small picture of every throw, as it was judged, beside the file that games are kept in.

`games-pictures/` beside `games.sqlite`, a JPEG a throw, named after the referee's verdict as it is stored: so
a game's throws find their pictures, whatever was undone and corrected. The folder holds at most MOST_BYTES,
the oldest go first, and a disk that is nearly full is left alone. What goes wrong is said once, until a
picture can be written again; the game goes on.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

from table.page.picture import Cutout, cut, cutout_of, small_jpeg
from table.verdict_json import verdict_record
from vision.domain import DieReading, FloatArray, Image, TableCalibration, Verdict
from vision.overlay import draw_faces
from vision.whole_file import write_whole

LONGEST_PX = 480  # of the side of a picture: some 20 kB
MOST_BYTES = 500 * 2**20  # over a hundred evenings
LEAST_FREE_BYTES = 500 * 2**20
MOST_WAITING = 3  # pictures that may wait for a slow disk; each is a whole frame in memory
NAME = re.compile(r"[0-9a-f]{32}\.jpg")


def pictures_beside(games: Path) -> Path:
    """Return the folder of pictures that belongs to a file of games."""
    return games.with_name(f"{games.stem}-pictures")


def picture_name(verdict: Mapping[str, Any]) -> str:
    """Return the name of the picture of a throw, by the verdict on it as `verdict_record` makes it."""
    text = json.dumps(verdict, sort_keys=True, separators=(",", ":"))
    return f"{hashlib.sha256(text.encode()).hexdigest()[:32]}.jpg"


class ThrowPictures:
    """Keeps pictures in `folder`, by a thread of its own; it is made when it is first needed."""

    def __init__(self, folder: Path, complain: Callable[[object], None]) -> None:
        self.folder, self._complain = folder, complain
        self._writer = ThreadPoolExecutor(1, "throw pictures")
        self._waiting: list[Future[None]] = []
        self._files: deque[tuple[Path, int]] | None = None  # with their sizes, the oldest first
        self._said = self._closed = False

    def keep(self, verdict: Verdict, picture: Image, calibration: TableCalibration | None) -> None:
        """Write the picture (H, W, 3) that was judged, soon: the tray of `calibration`, or all of it."""
        self._waiting = [each for each in self._waiting if not each.done() or each.exception() is not None]
        if self._closed:
            return
        if sum(not each.done() for each in self._waiting) >= MOST_WAITING:
            self._say("the disk is too slow for every throw")
            return
        self._waiting.append(self._writer.submit(self._write, verdict, picture, calibration))

    def picture(self, name: str) -> bytes | None:
        """Return the JPEG called `name`, None where it is not kept, or no more."""
        if NAME.fullmatch(name) is None:
            return None
        try:
            return (self.folder / name).read_bytes()
        except OSError:
            return None

    def has(self, name: str) -> bool:
        """Return whether the picture called `name` is kept."""
        return NAME.fullmatch(name) is not None and (self.folder / name).is_file()

    def close(self) -> None:
        """Write what is still to be written."""
        self._closed = True
        self._writer.shutdown()
        for written in self._waiting:
            written.result()  # raises what is a mistake of the program, not of the disk

    def _write(self, verdict: Verdict, picture: Image, calibration: TableCalibration | None) -> None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            free = shutil.disk_usage(self.folder).free
            if free < LEAST_FREE_BYTES:
                self._say(f"{free >> 20} MiB free on the disk; accepted: {LEAST_FREE_BYTES >> 20} and more")
                return
            jpeg = throw_jpeg(verdict, picture, calibration)
            path = self.folder / picture_name(verdict_record(verdict))
            self._make_room(path, len(jpeg))
            write_whole(path, jpeg)
        except OSError as error:
            self._say(f"a picture cannot be written ({error.strerror or error})")
            return
        self._said = False

    def _make_room(self, path: Path, size: int) -> None:
        """Delete the oldest until `path` of `size` bytes fits in, and remember it."""
        if self._files is None:
            self._files = _oldest_first(self.folder)
        self._files = deque(each for each in self._files if each[0] != path)
        total = sum(each_size for _, each_size in self._files)
        while self._files and total + size > MOST_BYTES:
            oldest, its_size = self._files.popleft()
            oldest.unlink(missing_ok=True)
            total -= its_size
        self._files.append((path, size))

    def _say(self, why: str) -> None:
        if not self._said:
            self._said = True
            self._complain(f"{self.folder}: {why}; no pictures of throws are kept until it can be")


def throw_jpeg(verdict: Verdict, picture: Image, calibration: TableCalibration | None) -> bytes:
    """Return the tray in a picture (H, W, 3) as a small JPEG, each die outlined with what was read of it."""
    part = cutout_of(picture, calibration, LONGEST_PX)
    shown = cut(picture, part)
    dice = (replace(die, corners_px=_within(part, die)) for die in verdict.dice)
    return small_jpeg(draw_faces(shown, tuple(dice)))


def _within(part: Cutout, die: DieReading) -> FloatArray:
    """Return the corners (4, 2) of a die in pixels of the part."""
    return (die.corners_px - (part.x0, part.y0)) * part.scale


def _oldest_first(folder: Path) -> deque[tuple[Path, int]]:
    found = [(path, path.stat()) for path in folder.iterdir() if NAME.fullmatch(path.name)]
    found.sort(key=lambda each: (each[1].st_mtime_ns, each[0].name))
    return deque((path, stat.st_size) for path, stat in found)
