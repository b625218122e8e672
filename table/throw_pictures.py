"""A small picture of every throw, as it was judged, beside the file that games are kept in.

`games-pictures/` beside `games.sqlite`, a JPEG a throw, named after the referee's verdict as it is stored: so
a game's throws find their pictures, whatever was undone and corrected. The folder holds at most MOST_BYTES,
the oldest go first.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from table.folder_writer import FolderWriter, Written
from table.page.picture import Cutout, cut, cutout_of, small_jpeg
from table.verdict_json import verdict_record
from vision.domain import DieReading, FloatArray, Image, TableCalibration, Verdict
from vision.overlay import draw_faces
from vision.whole_file import write_whole

LONGEST_PX = 480  # of the side of a picture: some 20 kB
MOST_BYTES = 500 * 2**20  # over a hundred evenings
PICTURES = Written("a picture", "no pictures of throws are kept", waiting=3)  # each is a whole frame
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
        self.folder = folder
        self._writer = FolderWriter(folder, PICTURES, complain)
        self._files: deque[tuple[Path, int]] | None = None  # with their sizes, the oldest first

    def keep(self, verdict: Verdict, picture: Image, calibration: TableCalibration | None) -> None:
        """Write the picture (H, W, 3) that was judged, soon: the tray of `calibration`, or all of it."""
        self._writer.write(partial(self._write, verdict, picture, calibration))

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

    def wait(self) -> None:
        """Wait until all that was kept so far is written."""
        self._writer.wait()

    def close(self) -> None:
        """Write what is still to be written."""
        self._writer.close()

    def _write(self, verdict: Verdict, picture: Image, calibration: TableCalibration | None) -> None:
        jpeg = throw_jpeg(verdict, picture, calibration)
        path = self.folder / picture_name(verdict_record(verdict))
        self._make_room(path, len(jpeg))
        write_whole(path, jpeg)

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
