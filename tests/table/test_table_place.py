"""Where a calibration made on the page is kept: beside the games, the one before it not lost."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from table.store.arguments import default_path
from table.table_place import found_table, kept_place, write_anew
from vision.calibration import load_calibration
from vision.domain import Image, TableCalibration

AREA = np.array([[10.0, 10], [90, 10], [90, 60], [10, 60]])


def picture(level: int) -> Image:
    return np.full((80, 120, 3), level, np.uint8)


def table(level: int) -> TableCalibration:
    return TableCalibration(AREA + level / 100, image_size=(120, 80), die_mm=16.0, empty_image=picture(level))


def test_what_is_written_is_found_at_the_next_start(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    games = tmp_path / "evenings" / "games.sqlite"
    path = kept_place(None, games, live=True)
    assert path is not None
    assert found_table(games, pytest.fail) is None
    written = write_anew(path, table(80))
    found = found_table(games, pytest.fail)
    assert found is not None
    assert str(path) in capsys.readouterr().out
    for read in (written, found):
        assert read.area_px == pytest.approx(AREA + 0.8)
        assert read.empty_image is not None
        assert (read.empty_image == picture(80)).all()


def test_the_table_before_is_kept_with_its_own_empty_picture(tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    write_anew(path, table(40))
    write_anew(path, table(90))
    old, new = load_calibration(tmp_path / "table-old.json"), load_calibration(path)
    assert old.area_px == pytest.approx(AREA + 0.4)
    assert new.area_px == pytest.approx(AREA + 0.9)
    assert old.empty_image is not None
    assert new.empty_image is not None
    assert (old.empty_image == picture(40)).all()
    assert (new.empty_image == picture(90)).all()


def test_a_table_that_is_broken_is_said_played_without_and_kept(tmp_path: Path) -> None:
    path, said = tmp_path / "table.json", []
    path.write_text("{no table")
    assert found_table(tmp_path / "games.sqlite", said.append) is None
    assert "table.json" in str(said)
    write_anew(path, table(70))
    assert (tmp_path / "table-old.json").read_text() == "{no table"
    assert load_calibration(path).die_mm == 16.0


def test_a_clip_has_no_place_but_the_one_named(tmp_path: Path) -> None:
    named = tmp_path / "mine.json"
    assert kept_place(None, None, live=False) is None
    assert kept_place(named, None, live=False) == named
    assert kept_place(named, None, live=True) == named
    assert kept_place(None, None, live=True) == default_path().with_name("table.json")


def test_the_truth_of_a_labelled_clip_is_not_written_over(tmp_path: Path) -> None:
    truth = tmp_path / "clip.json"
    truth.write_text(json.dumps({"area_px": AREA.tolist(), "events": []}))
    assert kept_place(truth, None, live=False) is None
