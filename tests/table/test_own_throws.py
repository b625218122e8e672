"""Corrected throws kept for training: what is written, and that keeping never stands in a game's way."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scoring.actions import Bank, PutAside
from scoring.game import new_game
from scoring.ruleset import load_preset, with_overrides
from table import own_throws
from table.errors import OwnThrowsError
from table.loop import TableLoop
from table.own_throws import CROPS, OwnThrows
from table.page.listeners import Listeners
from table.page.session import TableSession
from table.throw_watch import ThrowWatch
from table.touches import Confirm, CorrectDie, EnterThrow, Play, Touch, Undo
from tests.table.staging import FPS, TILTED, UNREADABLE, Dice, Hand, Still, dice, frames, staged_judge
from vision.crop_reader import CROP_SIDE
from vision.domain import Frame, Image
from vision.images import read_image

SIX = dice(1, 1, 5, 3, 2, 6)
UNSURE = dice(1, 1, 5, 3, UNREADABLE, 6)
FIVE = dice(1, 1, 5, 3, 2)  # one is missing: a misroll


class Table:
    """A session on the make-believe table that keeps corrected throws, run by the test."""

    def __init__(self, folder: Path) -> None:
        self.complaints: list[str] = []
        self.own = OwnThrows(folder, lambda line: self.complaints.append(str(line)), staged_judge)
        rules = with_overrides(load_preset("danish"), {"first_throw_relief": "no", "opening": "0"})
        self.loop = TableLoop(new_game(rules, ("Ada", "Bo")), ThrowWatch(judge=self.own.judge))
        self.session = TableSession(self.loop, Listeners(lambda _: None, self.own.follow))
        self.picture: Image | None = None
        self.shown = 0

    def throw(self, thrown: Dice) -> Table:
        for frame in frames(Still({}), Hand({}), Still(thrown)):
            self.loop.step(Frame(self.shown, self.shown / FPS, frame.image_bgr))
            self.shown += 1
            self.own.follow(self.loop.state)
            self.picture = frame.image_bgr
        return self

    def touch(self, *touches: Touch) -> Table:
        for touch in touches:
            self.session.touch(touch, self.session.state.version)
        return self


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "own"


@pytest.fixture
def table(folder: Path) -> Iterator[Table]:
    table = Table(folder)
    yield table
    table.own.close()


def label(folder: Path, number: int = 1) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / f"{number:03}.json").read_text(encoding="utf-8"))
    return found


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def faces_said(folder: Path, number: int = 1) -> list[tuple[int | None, str | None]]:
    return [(die["face"], die["said_by"]) for die in label(folder, number)["dice"]]


def test_what_nobody_corrects_is_not_kept(table: Table, folder: Path) -> None:
    table.throw(SIX).touch(Play(PutAside((1, 1, 5))), Play(Bank())).throw(UNSURE).own.close()
    assert files(folder) == {}


def test_a_corrected_die_keeps_picture_answer_and_crop(table: Table, folder: Path) -> None:
    table.throw(SIX).touch(CorrectDie(3, 4)).own.close()
    assert sorted(files(folder)) == ["001.jpg", "001.json", "crops/001-3.png"]
    said, reader = "person", "reader"
    assert faces_said(folder) == [(1, reader), (1, reader), (5, reader), (4, said), (2, reader), (6, reader)]
    kept = label(folder)
    assert (kept["verdict"], kept["reasons"], kept["n_expected"]) == ("valid", [], 6)
    die = kept["dice"][3]
    assert die["read"] == {"face": 3, "confidence": 0.9, "state": "flat"}
    assert (die["center_px"], die["state"], die["in_frame"]) == ([140.0, 20.0], "flat", True)
    assert np.ptp(die["corners_px"], axis=0).tolist() == [24.0, 24.0]
    assert read_image(folder / die["crop"]).shape == (CROP_SIDE, CROP_SIDE, 3)
    assert table.picture is not None
    apart = read_image(folder / "001.jpg").astype(int) - table.picture
    assert np.abs(apart).mean() < 2  # the noise of another frame, and JPEG's


def test_the_last_answer_counts(table: Table, folder: Path) -> None:
    table.throw(SIX).touch(CorrectDie(3, 4), CorrectDie(5, 5), CorrectDie(3, 3)).own.close()
    assert sorted(files(folder)) == ["001.jpg", "001.json", "crops/001-5.png"]
    assert [face for face, said in faces_said(folder) if said == "person"] == [5]


@pytest.mark.parametrize("later", [(), (Play(PutAside((1, 1))), Undo())])
def test_undo_takes_the_answer_back(table: Table, folder: Path, later: tuple[Touch, ...]) -> None:
    table.throw(SIX).touch(CorrectDie(3, 4), *later, Undo()).own.close()
    assert files(folder) == {}


def test_a_correction_after_an_undo_is_kept_in_its_place(table: Table, folder: Path) -> None:
    table.throw(SIX).touch(CorrectDie(3, 4), Undo(), CorrectDie(3, 5)).throw(dice(1, 2, 3, 4, 6, 6))
    table.touch(CorrectDie(0, 2)).own.close()
    assert (faces_said(folder)[3], faces_said(folder, 2)[0]) == ((5, "person"), (2, "person"))
    assert not (folder / "003.json").exists()


def test_an_unsure_throw_confirmed_is_an_answer_on_every_die(table: Table, folder: Path) -> None:
    table.throw(UNSURE).touch(CorrectDie(4, 2))
    table.own._writer.submit(lambda: None).result()
    assert faces_said(folder)[4] == (2, "person")
    assert label(folder)["verdict"] is label(folder)["n_expected"] is None
    table.touch(Confirm()).own.close()
    assert faces_said(folder) == [(face, "person") for face in (1, 1, 5, 3, 2, 6)]
    assert label(folder)["verdict"] == "valid"
    assert {path.name for path in (folder / CROPS).iterdir()} == {f"001-{place}.png" for place in range(6)}


def test_dice_read_with_a_doubt_are_not_taken_for_known(table: Table, folder: Path) -> None:
    table.throw(dice(1, TILTED, 5, 3, UNREADABLE, 6)).touch(CorrectDie(0, 2)).own.close()
    assert faces_said(folder)[:2] == [(2, "person"), (None, None)]
    assert [die["state"] for die in label(folder)["dice"]] == [
        "flat", "tilted", "flat", "flat", None, "flat",
    ]  # fmt: skip


def test_no_die_is_kept_as_a_place_without_one(table: Table, folder: Path) -> None:
    table.throw(dice(1, 1, 5, 3, 2, 6, 4)).touch(CorrectDie(6, None)).own.close()
    kept = label(folder)
    assert len(kept["dice"]) == 6
    assert [place["center_px"] for place in kept["no_dice"]] == [[260.0, 20.0]]
    assert (folder / kept["no_dice"][0]["crop"]).exists()


def test_entered_faces_that_hold_what_was_read_tell_what_was_missed(table: Table, folder: Path) -> None:
    table.throw(FIVE).touch(EnterThrow((1, 1, 2, 3, 5, 6))).own.close()
    assert faces_said(folder) == [(face, "person") for face in (1, 1, 5, 3, 2)]
    assert (label(folder)["missed"], label(folder)["n_expected"]) == ([6], 6)


def test_entered_faces_that_leave_open_which_die_is_which_are_not_kept(table: Table, folder: Path) -> None:
    table.throw(FIVE).touch(EnterThrow((1, 1, 2, 3, 6, 6))).own.close()
    assert files(folder) == {}


def test_a_later_throw_entered_by_hand_changes_no_answer(table: Table, folder: Path) -> None:
    table.throw(UNSURE).touch(CorrectDie(4, 2), Confirm(), Play(PutAside((1, 1, 5))), EnterThrow((1, 5, 6)))
    table.own.close()
    assert faces_said(folder) == [(face, "person") for face in (1, 1, 5, 3, 2, 6)]


def test_the_same_game_keeps_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        table = Table(tmp_path / name).throw(SIX).touch(CorrectDie(3, 4)).throw(UNSURE)
        table.touch(CorrectDie(4, None), CorrectDie(4, 2), Confirm()).own.close()
    assert files(tmp_path / "one") == files(tmp_path / "two") != {}


def test_another_game_goes_on_counting(folder: Path) -> None:
    for _ in range(2):
        Table(folder).throw(SIX).touch(CorrectDie(3, 4)).own.close()
    assert sorted(path.name for path in folder.glob("*.json")) == ["001.json", "002.json"]


def test_the_oldest_stay_when_the_folder_is_full(
    table: Table, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_throws, "MOST_THROWS", 2)
    for face in (2, 3, 4, 5):
        table.throw(SIX).touch(CorrectDie(0, face))
        table.throw(dice(2, 2, 2, 2, 3, 3))
    table.own.close()
    assert [faces_said(folder, number)[0][0] for number in (1, 2)] == [2, 3]
    assert not (folder / "003.json").exists()
    assert len(table.complaints) == 1
    assert "2 corrected throws are kept" in table.complaints[0]


def test_a_full_disk_ends_the_keeping_and_not_the_game(
    table: Table, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_file: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    for face in (2, 3):
        table.throw(SIX).touch(CorrectDie(0, face)).throw(dice(2, 2, 2, 2, 3, 3))
    table.touch(Undo()).own.close()
    assert files(folder) == {}
    assert len(table.complaints) == 1
    assert "No space left on device" in table.complaints[0]


def test_a_disk_is_not_filled_to_the_brim(
    table: Table, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage(folder)
    monkeypatch.setattr(own_throws.shutil, "disk_usage", lambda _: usage._replace(free=1 << 20))
    table.throw(SIX).touch(CorrectDie(0, 2), CorrectDie(0, 3)).own.close()
    assert files(folder) == {}
    assert len(table.complaints) == 1


def test_a_folder_that_cannot_be_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OwnThrowsError, match="cannot be written to") as error:
        OwnThrows(tmp_path / "file" / "own", print, staged_judge)
    assert "\n" not in str(error.value)
