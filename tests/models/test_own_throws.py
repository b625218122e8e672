"""Throws corrected at one's own table, as the training reads them: nothing is learnt that nobody said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from models.own_throws import own_folder
from models.reader_crops import patches_of
from models.reader_pictures import NOT_JUDGED, Picture
from tests.vision.drawn_dice import Camera, Die, draw
from tests.vision.drawn_dice import Picture as Drawn
from vision.opencv import cv2

CAMERA = Camera(420, 200, 50)
FACES = (3, 5, 4)


@pytest.fixture(scope="module")
def drawn() -> Drawn:
    return draw([Die(face, x=2.4 * place, turn_deg=15) for place, face in enumerate(FACES, -1)], CAMERA)


def entry(drawn: Drawn, place: int, face: int | None, read: int) -> dict[str, Any]:
    corners = drawn.dice[place].corners_px.tolist()
    return {"face": face, "corners_px": corners, "read": {"face": read}}


def write(folder: Path, drawn: Drawn, label: dict[str, Any], name: str = "001") -> Path:
    cv2.imwrite(str(folder / f"{name}.jpg"), drawn.image)
    (folder / f"{name}.json").write_text(json.dumps({"no_dice": [], "missed": [], **label}))
    return folder


def faces_at(picture: Picture, drawn: Drawn, place: int) -> list[int]:
    """Faces of the picture's dice about a drawn die's middle."""
    away = np.linalg.norm(picture.dice[:, :2] - drawn.dice[place].center_px, axis=1)
    return picture.face[away < 0.3 * drawn.dice[place].side_px].tolist()


def test_what_was_said_and_read_counts_and_what_is_open_is_no_background(
    tmp_path: Path, drawn: Drawn
) -> None:
    dice = [entry(drawn, 0, 3, 5), entry(drawn, 1, None, 5)]  # the four was not found
    (picture,) = own_folder(write(tmp_path, drawn, {"dice": dice}))
    assert faces_at(picture, drawn, 0) == [3]
    assert faces_at(picture, drawn, 1) == [NOT_JUDGED]
    assert set(faces_at(picture, drawn, 2)) == {NOT_JUDGED}
    assert len(picture.refused) == 0


def test_a_place_that_is_no_die_shows_no_face(tmp_path: Path, drawn: Drawn) -> None:
    dice, none = [entry(drawn, 0, 3, 3), entry(drawn, 1, 5, 5)], [entry(drawn, 2, None, 4)]
    (picture,) = own_folder(write(tmp_path, drawn, {"dice": dice, "no_dice": none}))
    assert picture.refused[:, :2] == pytest.approx(drawn.dice[2].corners_px.mean(axis=0)[None], abs=0.1)
    assert faces_at(picture, drawn, 2) == []


def test_a_die_that_was_missed_is_found_by_its_number_if_there_is_one_such_place(
    tmp_path: Path, drawn: Drawn
) -> None:
    dice = [entry(drawn, 0, 3, 3), entry(drawn, 1, 5, 5)]
    (picture,) = own_folder(write(tmp_path, drawn, {"dice": dice, "missed": [4]}))
    assert max(faces_at(picture, drawn, 2)) == 4
    (picture,) = own_folder(write(tmp_path, drawn, {"dice": dice, "missed": [4, 4]}))
    assert max(faces_at(picture, drawn, 2)) == NOT_JUDGED


def test_no_square_is_called_empty_while_a_missed_die_lies_somewhere(tmp_path: Path, drawn: Drawn) -> None:
    dice = [entry(drawn, 0, 3, 3), entry(drawn, 1, 5, 5)]
    (picture,) = own_folder(write(tmp_path, drawn, {"dice": dice, "missed": [2]}))
    _, classes, _ = patches_of(picture, np.random.default_rng(1))
    assert sorted(classes) == [2, 4]


def test_what_cannot_be_read_is_told_and_left_out(
    tmp_path: Path, drawn: Drawn, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, drawn, {"dice": []}, "001")
    write(tmp_path, drawn, {"dice": [{"face": 1}]}, "002")
    (tmp_path / "003.json").write_text("{")
    (tmp_path / "004.json").write_text(json.dumps({"dice": [], "no_dice": [], "missed": []}))
    assert len(list(own_folder(tmp_path))) == 1
    assert [line.split(":")[0].split("/")[-1] for line in capsys.readouterr().out.splitlines()] == [
        "002.json",
        "003.json",
        "004.json",
    ]
