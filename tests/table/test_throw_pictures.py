"""Pictures of throws: found by what was judged, small, bounded, never on a full disk, never in the way."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import numpy as np
import pytest

from benchmarks.survival import first_game
from table import throw_pictures
from table.loop import TableLoop
from table.recording.recorder import Recorder, Step
from table.store.database import GameDatabase
from table.store.journal import Journal
from table.store.past_games import PastGames
from table.throw_pictures import LONGEST_PX, ThrowPictures, picture_name, pictures_beside, throw_jpeg
from table.throw_watch import ThrowWatch
from table.verdict_json import verdict_record
from tests.table.staging import Hand, Still, dice, frames, staged_judge
from vision.domain import DieReading, DieState, Image, Ruling, TableCalibration, Verdict
from vision.opencv import cv2

GREY = np.full((600, 800, 3), 90, np.uint8)


def verdict(place: int = 0) -> Verdict:
    square = np.array([[0.0, 0], [60, 0], [60, 60], [0, 60]])
    corners = square + np.array([200 + 20 * place, 200])
    die = DieReading(4, 0.9, (230.0 + 20 * place, 230.0), corners, DieState.FLAT)
    return Verdict(Ruling.VALID, (), (die,))


def decoded(jpeg: bytes | None) -> Image:
    assert jpeg is not None
    return cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)


class Folder:
    """Keeps pictures one after the other, and hears what is said."""

    def __init__(self, folder: Path) -> None:
        self.said: list[str] = []
        self.pictures = ThrowPictures(folder, lambda line: self.said.append(str(line)))

    def keep(self, *places: int) -> Folder:
        for place in places:
            self.pictures.keep(verdict(place), GREY, None)
            self.pictures.wait()
        return self

    def kept(self, place: int) -> bytes | None:
        return self.pictures.picture(picture_name(verdict_record(verdict(place))))


def test_every_throw_at_the_table_finds_its_picture_in_the_store(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    journal, folder = Journal(GameDatabase(path), print), Folder(pictures_beside(path))
    journal.resume(first_game())
    recorder = Recorder(judge=staged_judge, pictures=folder.pictures)
    loop = TableLoop(first_game(), ThrowWatch(judge=recorder.judge), keep=journal.keep)
    loop.begin()
    for frame in frames(Still({}), Hand({}), Still(dice(1, 1, 5, 3, 2, 6))):
        before = loop.state
        events = loop.step(frame)
        recorder.follow(Step(frame, before, loop.state, events, loop.moving, loop.arm))
    recorder.close()
    past = PastGames(journal.reading).numbered(1)
    shown = decoded(folder.pictures.picture(picture_name(past.seen[0])))
    assert shown.shape == frame.image_bgr.shape
    assert folder.said == []
    journal.close()


def test_the_name_is_that_of_the_verdict_as_it_is_stored() -> None:
    stored = json.loads(json.dumps(verdict_record(verdict())))
    assert picture_name(stored) == picture_name(verdict_record(verdict()))
    assert picture_name(stored) != picture_name(verdict_record(verdict(1)))


def test_a_picture_is_small_and_of_the_tray_and_shows_what_was_read() -> None:
    area = np.array([[100.0, 100], [500, 100], [500, 400], [100, 400]])
    tables = (None, TableCalibration(area_px=area))
    whole, tray = (decoded(throw_jpeg(verdict(), GREY, table)) for table in tables)
    assert whole.shape[:2] == (360, LONGEST_PX)
    assert tray.shape[1] == 448  # 400 and a margin of 24 on both sides
    green = (tray[..., 1].astype(int) - tray[..., 2]) > 60
    ys, xs = np.nonzero(green[:, : 200 - 76 + 58])  # the outline, without its label
    assert abs(xs.min() - (200 - 76)) <= 3
    assert abs(ys.min() - (200 - 76)) <= 3


def test_the_oldest_go_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    size = len(throw_jpeg(verdict(), GREY, None))
    monkeypatch.setattr(throw_pictures, "MOST_BYTES", round(3.5 * size))
    folder = Folder(tmp_path / "p").keep(0, 1, 2, 3, 4)
    assert [folder.kept(place) is not None for place in range(5)] == [False, False, True, True, True]
    for age, place in enumerate((4, 3, 2)):
        os.utime(tmp_path / "p" / picture_name(verdict_record(verdict(place))), (age, age))
    again = Folder(tmp_path / "p").keep(5)
    assert [again.kept(place) is not None for place in range(6)] == [*(False,) * 2, *(True,) * 2, False, True]


def test_what_others_put_there_is_neither_shown_nor_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "secret.jpg").write_bytes(b"precious")
    monkeypatch.setattr(throw_pictures, "MOST_BYTES", 1)
    folder = Folder(tmp_path).keep(0, 1)
    assert (tmp_path / "secret.jpg").exists()
    for name in ("secret.jpg", "../x.jpg", "a" * 32, f"../{tmp_path.name}/{'a' * 32}.jpg"):
        assert folder.pictures.picture(name) is None


def test_on_a_nearly_full_disk_nothing_is_written_and_that_is_said_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage, free = shutil.disk_usage(tmp_path), [1 << 20]
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=free[0]))
    folder = Folder(tmp_path).keep(0, 1, 2)
    assert ([*tmp_path.iterdir()], len(folder.said)) == ([], 1)
    assert "1 MiB free" in folder.said[0]
    free[0] = 1 << 40
    assert folder.keep(3).kept(3) is not None


def test_a_folder_that_cannot_be_is_said_and_the_game_goes_on(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    folder = Folder(tmp_path / "file" / "pictures").keep(0, 1)
    assert len(folder.said) == 1
    assert folder.kept(0) is None
    folder.pictures.close()
    folder.pictures.keep(verdict(), GREY, None)
