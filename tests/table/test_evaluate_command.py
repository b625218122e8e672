"""`titusind evaluate` on small folders, with a judge that says what the test tells it to."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import table.judging
import table.workers
from table.cli import main
from table.evaluation.formats import read_folder
from table.evaluation.grading import StillGrade
from table.evaluation.measuring import measure
from table.workers import in_order, opened_workers
from vision.domain import DieReading, DieState, Ruling, Verdict
from vision.opencv import cv2


@pytest.fixture
def sees_a_five(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table.workers, "usable_cores", lambda: 1)  # other processes know no make-believe

    def judge(image: object, calibration: object = None, expected_dice: object = None) -> Verdict:
        corners = np.array([[10.0, 10], [30, 10], [30, 30], [10, 30]])
        return Verdict(Ruling.VALID, (), (DieReading(5, 0.9, (20, 20), corners, DieState.FLAT),))

    monkeypatch.setattr(table.judging, "judge", judge)


def labelled(folder: Path, *faces: int) -> Path:
    (folder / "images").mkdir(parents=True)
    rows = ["image,dice,faces,condition"]
    for n, face in enumerate(faces):
        cv2.imwrite(str(folder / "images" / f"{n}.png"), np.full((40, 60, 3), 120, np.uint8))
        rows.append(f"{n}.png,1,{face},flat")
    (folder / "readings.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    return folder


def test_one_object_a_folder_and_one_in_all(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], sees_a_five: None
) -> None:
    a, b = labelled(tmp_path / "a", 5, 5, 6), labelled(tmp_path / "b", 5)
    assert main(["evaluate", str(a), str(b), "--json"]) == 0
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [record["folder"] for record in records] == [f"{tmp_path.name}/a", f"{tmp_path.name}/b", "all"]
    assert [record["images_right"] for record in records] == [0.6667, 1.0, 0.75]
    assert [record["wrong_and_not_unsure"] for record in records] == [0.3333, 0.0, 0.25]


def test_a_bad_picture_and_a_bad_folder_fail_and_the_others_are_done(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], sees_a_five: None
) -> None:
    folder = labelled(tmp_path / "a", 5, 5)
    (folder / "images" / "0.png").write_bytes(b"no picture")
    assert main(["evaluate", str(tmp_path / "none"), str(folder), "--json"]) == 1
    said = capsys.readouterr()
    assert json.loads(said.out.splitlines()[0])["images"] == 1
    assert json.loads(said.out.splitlines()[0])["failed"] == 1
    complaints = [line for line in said.err.splitlines() if line.startswith("titusind: ")]
    assert len(complaints) == 2


def test_only_misses_are_drawn_and_those_of_an_earlier_run_go(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], sees_a_five: None
) -> None:
    folder, misses = labelled(tmp_path / "a", 5, 6), tmp_path / "misses"
    drawn = misses / tmp_path.name / "a"
    drawn.mkdir(parents=True)
    (drawn / "sure-7.png").touch()
    assert main(["evaluate", str(folder), "--misses", str(misses)]) == 0
    assert sorted(path.name for path in drawn.iterdir()) == ["misses.txt", "sure-1.png"]
    assert "truth 6 valid, read 5 valid" in (drawn / "misses.txt").read_text(encoding="utf-8")


def test_a_folder_for_the_misses_that_cannot_be_made_is_a_bad_configuration(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, taken = labelled(tmp_path / "a", 5), tmp_path / "taken"
    taken.touch()
    assert main(["evaluate", str(folder), "--misses", str(taken / "misses")]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert str(taken) in said.err


@pytest.mark.parametrize("word", ["0", "-1", "two"])
def test_workers_out_of_range_are_wrong_usage(capsys: pytest.CaptureFixture[str], word: str) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["evaluate", ".", f"--workers={word}"])
    assert stop.value.code == 2
    assert word in capsys.readouterr().err


def test_several_workers_say_what_one_says(tmp_path: Path) -> None:
    folder = read_folder(labelled(tmp_path / "a", 5, 6, 1))
    alone, together = [], []
    for count, said in ((1, alone), (2, together)):
        with opened_workers(count) as workers:
            outcomes = in_order(measure(folder, workers))
            said += [outcome.verdict for outcome in outcomes if isinstance(outcome, StillGrade)]
    assert len(alone) == 3
    assert [(said.ruling, said.faces) for said in alone] == [(said.ruling, said.faces) for said in together]


def test_labels_of_no_picture_are_complained_of_and_the_others_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], sees_a_five: None
) -> None:
    folder = tmp_path / "a"
    (folder / "labels").mkdir(parents=True)
    (folder / "images").mkdir()
    cv2.imwrite(str(folder / "images" / "0.png"), np.full((40, 60, 3), 120, np.uint8))
    for name in ("0", "1"):
        (folder / "labels" / f"{name}.txt").write_text("4 0.3 0.5 0.2 0.3\n")
    assert main(["evaluate", str(folder), "--json"]) == 1
    said = capsys.readouterr()
    assert json.loads(said.out.splitlines()[0])["images"] == 1
    assert "1.txt: labels of no picture" in said.err
