"""A folder of reports: bounded, oldest first, never on a full disk, and never in the way of the game."""

from __future__ import annotations

import os
import shutil
import threading
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table.errors import RecordingError
from table.recording import kept
from table.recording.kept import KeptReports


class Folder:
    """Keeps reports one after the other, and hears what is said."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.said = folder, list[str]()
        self.kept = KeptReports(folder, lambda line: self.said.append(str(line)))

    def throw(self, *sizes: int) -> Folder:
        for size in sizes:
            self.kept.keep_throw(partial(bytes, size))
            self.wait()
        return self

    def report(self, size: int = 1) -> Folder:
        self.kept.keep_report(bytes(size))
        self.wait()
        return self

    def wait(self) -> None:
        self.kept.wait()

    @property
    def names(self) -> list[str]:
        return sorted(path.name for path in self.folder.iterdir())


def small(monkeypatch: pytest.MonkeyPatch, files: int = 200, size: int = 2**31) -> None:
    monkeypatch.setattr(kept, "MOST_FILES", files)
    monkeypatch.setattr(kept, "MOST_BYTES", size)


def test_the_oldest_go_first_and_reported_ones_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch, files=3)
    folder = Folder(tmp_path / "kept").throw(1).report().throw(1, 1, 1)
    assert folder.names == ["report-000002.zip", "throw-000004.zip", "throw-000005.zip"]
    folder.report().report().report()
    assert folder.names == ["report-000006.zip", "report-000007.zip", "report-000008.zip"]
    assert folder.said == []


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(1, 60), max_size=25), st.integers(1, 6), st.integers(60, 200))
def test_the_bounds_hold_at_every_moment(sizes: list[int], files: int, most: int) -> None:
    with pytest.MonkeyPatch.context() as patch, TemporaryDirectory() as name:
        small(patch, files, most)
        folder = Folder(Path(name))
        for size in sizes:
            folder.throw(size)
            there = [each.stat().st_size for each in folder.folder.iterdir()]
            assert len(there) <= files
            assert sum(there) <= most
            assert size in there


def test_what_others_put_there_is_not_touched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch, files=1)
    (tmp_path / "throw-me-not.zip").write_text("precious")
    Folder(tmp_path).throw(1, 1)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["throw-000002.zip", "throw-me-not.zip"]


def test_another_evening_goes_on_counting(tmp_path: Path) -> None:
    Folder(tmp_path).throw(1).kept.close()
    assert Folder(tmp_path).report().names == ["report-000002.zip", "throw-000001.zip"]


def test_on_a_nearly_full_disk_nothing_is_written_and_that_is_said_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage, free = shutil.disk_usage(tmp_path), [1 << 20]
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=free[0]))
    folder = Folder(tmp_path).throw(1, 1, 1)
    assert (folder.names, len(folder.said)) == ([], 1)
    assert "1 MiB free" in folder.said[0]
    free[0] = 1 << 40
    assert folder.throw(1).names == ["throw-000001.zip"]
    free[0] = 1 << 20
    assert len(folder.throw(1).said) == 2


def full(_file: int) -> None:
    raise OSError(28, "No space left on device")


def test_a_disk_that_fails_leaves_nothing_half_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Folder(tmp_path)
    with monkeypatch.context() as broken:
        broken.setattr(os, "fsync", full)
        folder.throw(1, 1)
    assert (folder.names, len(folder.said)) == ([], 1)
    assert "No space left on device" in folder.said[0]
    assert folder.throw(1).names == ["throw-000001.zip"]
    folder.kept.close()


def test_a_disk_that_cannot_keep_up_is_said_and_not_waited_for(tmp_path: Path) -> None:
    folder, free = Folder(tmp_path), threading.Event()

    def slow() -> bytes:
        free.wait(60)
        return b"late"

    for _ in range(kept.RECORDINGS.waiting + 3):
        folder.kept.keep_throw(slow)
    free.set()
    folder.wait()
    assert len(folder.names) == kept.RECORDINGS.waiting
    assert len(folder.said) == 1
    assert "too slow" in folder.said[0]


def test_a_closed_folder_takes_no_more(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    folder.kept.close()
    folder.kept.keep_throw(lambda: b"late")
    folder.kept.keep_report(b"late")
    assert folder.names == []


def test_a_folder_that_cannot_be_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RecordingError, match="cannot be written to") as error:
        KeptReports(tmp_path / "file" / "kept", print)
    assert "\n" not in str(error.value)
