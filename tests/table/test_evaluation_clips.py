"""Labelled clips: their formats, what is told of each throw, and `titusind evaluate` on a folder of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import table.evaluation.clips
import table.workers
from table.cli import main
from table.evaluation.clip_labels import LabelledThrow, holds_clips, read_clip_folder
from table.evaluation.clips import Telling, grade_clip, sum_up_clips
from table.evaluation.labels import LabelError, LabelledDie, TrueVerdict
from table.throw_watch import ThrowWatch
from tests.table.staging import TILTED, UNREADABLE, dice, staged_judge, write_clip
from vision.domain import ReasonKind, Ruling, TableCalibration

DEMO = Path(__file__).parents[2] / "table" / "demo"
SHARED = Path(__file__).parents[2] / ".." / "shared"
SIX, FOUR = dice(1, 1, 1, 3, 4, 6), dice(5, 5, 2, 2, first_cell=8)
HEADS = "first_still_frame,last_still_frame,faces\n"
# `played` shows each throw after a second: half a second of hand, a second of rest, half a second of hand,
# a second of empty tray, at 30 frames a second.
ROWS = "45,74,1-1-1-3-4-6\n90,119,\n135,164,2-2-5-5\n180,209,\n"
CLOCK = {frame: frame / 30 for frame in range(300)}


def event(start: int, *faces: int, n_expected: int = 6, reasons: tuple[str, ...] = ()) -> dict[str, Any]:
    shown = [{"face": face, "in_frame": True, "visible": 1.0, "tilt_deg": 0.0} for face in faces]
    return {
        "kind": "throw",
        "frame_start": start,
        "frame_settled": start + 15,
        "faces": list(faces),
        "verdict": "misroll" if reasons else "valid",
        "reasons": list(reasons),
        "n_expected": n_expected,
        "dice": [{**die, "state": "flat"} for die in shown],
    }


def sidecar(path: Path, *events: dict[str, Any], **keys: object) -> None:
    truth: dict[str, Any] = {
        "area_px": [[0, 0], [319, 0], [319, 159], [0, 159]],
        "fps": 30,
        "n_frames": 210,
        "empty_frames": [0, 29],
        "events": events,
        "actions": [{"what": "dice lifted out", "frame_start": 75, "frame_end": 89}],
    }
    path.write_text(json.dumps(truth | keys), encoding="utf-8")


def throw(*faces: int, ruling: Ruling = Ruling.VALID) -> LabelledThrow:
    return LabelledThrow(30, 45, 74, tuple(map(LabelledDie, faces)), TrueVerdict(ruling))


def telling(frame: int, *faces: int | None, ruling: Ruling = Ruling.VALID) -> Telling:
    return Telling(frame, frame / 30, ruling, faces)


@pytest.fixture
def staged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table.workers, "usable_cores", lambda: 1)  # other processes know no make-believe

    def watch(calibration: TableCalibration | None = None, judge: object = None) -> ThrowWatch:
        return ThrowWatch(calibration, staged_judge)

    monkeypatch.setattr(table.evaluation.clips, "ThrowWatch", watch)


def test_rows_of_still_frames_are_throws_and_empty_tables(tmp_path: Path) -> None:
    (tmp_path / "a.mp4").touch()
    assert not holds_clips(tmp_path)
    (tmp_path / "a.events.csv").write_text(HEADS + ROWS)
    assert holds_clips(tmp_path)
    [clip] = read_clip_folder(tmp_path).clips
    frames = [(throw.start, throw.still, throw.last) for throw in clip.throws]
    assert frames == [(0, 45, 74), (120, 135, 164)]
    assert [die.face for die in clip.throws[1].dice] == [2, 2, 5, 5]
    assert clip.expected_dice is None


def test_dice_to_expect_must_be_a_number(tmp_path: Path) -> None:
    (tmp_path / "a.mkv").touch()
    sidecar(tmp_path / "a.json", event(30, 1) | {"n_expected": "6"})
    with pytest.raises(LabelError, match="found n_expected '6'"):
        read_clip_folder(tmp_path)


def test_a_sidecar_is_truth_and_calibration(tmp_path: Path) -> None:
    (tmp_path / "a.mkv").touch()
    lost = event(120, 2, 2, 5, 5, n_expected=6, reasons=("missing", "outside"))
    sidecar(tmp_path / "a.json", event(30, 1, 1, 1, 3, 4, 6), lost)
    [clip] = read_clip_folder(tmp_path).clips
    assert [(throw.still, throw.last) for throw in clip.throws] == [(45, 74), (135, 209)]
    assert clip.throws[1].verdict.open_kinds == {ReasonKind.OUTSIDE}
    assert (clip.expected_dice, clip.table) == (6, tmp_path / "a.json")


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("a.events.csv", "frame,faces\n", "column first_still_frame"),
        ("a.events.csv", HEADS + "45,x,1\n", "a.events.csv:2: frames '45' and 'x'"),
        ("a.events.csv", HEADS + "45,74,7\n", "faces '7'"),
        ("a.events.csv", HEADS + "45,40,1\n", "rest from 45 to 40"),
        ("a.events.csv", HEADS + "45\n", "frames '45' and ''"),
        ("a.json", "{", "not JSON"),
        ("a.json", "[]", "list"),
        ("a.json", '{"events": [], "n_frames": 9}', "actions"),
        ("a.json", '{"events": [{}], "actions": [], "n_frames": 9}', "frame_start"),
        ("a.json", '{"events": 3, "actions": [], "n_frames": 9}', "found"),
        ("b.mp4", "", "b.mp4: a clip without labels"),
    ],
)
def test_wrong_labels_are_told_in_one_line(tmp_path: Path, name: str, text: str, found: str) -> None:
    (tmp_path / "a.mp4").touch()
    if name == "b.mp4":
        (tmp_path / "a.events.csv").write_text(HEADS)
    (tmp_path / name).write_text(text)
    with pytest.raises(LabelError) as caught:
        read_clip_folder(tmp_path)
    assert found in str(caught.value)
    assert "accepted" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("told", "expected"),
    [  # told once, faces right, verdict right, unsure, wrong and sure, missed, invented
        ([telling(52, 1, 5)], (1, 1, 1, 0, 0, 0, 0)),
        ([telling(52, 1, 6)], (1, 0, 1, 0, 1, 0, 0)),
        ([telling(52, 1, 5, ruling=Ruling.MISROLL)], (1, 1, 0, 0, 1, 0, 0)),
        ([telling(52, 1, None, ruling=Ruling.UNSURE)], (1, 0, 0, 1, 0, 0, 0)),
        ([telling(52, 1, 6), telling(60, 1, 5)], (0, 0, 0, 0, 1, 0, 1)),
        ([telling(29, 1, 5), telling(75, 1, 5)], (0, 0, 0, 0, 0, 1, 2)),
        ([], (0, 0, 0, 0, 0, 1, 0)),
    ],
)
def test_what_is_told_of_a_throw_is_graded(told: list[Telling], expected: tuple[int, ...]) -> None:
    figures = sum_up_clips("a", [grade_clip([throw(1, 5)], told, CLOCK)])
    shares = (
        figures.found_once,
        figures.faces_right,
        figures.verdict_right,
        figures.unsure,
        figures.wrong_and_sure,
    )
    assert (*(share.hits for share in shares), figures.missed, figures.invented) == expected


def test_the_faces_of_a_true_misroll_do_not_count_as_wrong() -> None:
    told = [telling(52, 1, 6, ruling=Ruling.MISROLL)]
    [grade] = grade_clip([throw(1, 5, ruling=Ruling.MISROLL)], told, CLOCK).throws
    assert (grade.faces_right, grade.verdict_right, grade.wrong_and_sure) == (False, True, False)


def test_the_delay_is_from_the_first_still_frame_to_the_first_telling() -> None:
    told = [telling(54, 1, 5), telling(60, 1, 5)]
    [grade] = grade_clip([throw(1, 5)], told, CLOCK).throws
    assert grade.delay_ms == pytest.approx(300)


def test_a_folder_of_clips_is_played_and_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], staged: None
) -> None:
    write_clip(tmp_path / "a.mkv", SIX, FOUR)
    (tmp_path / "a.events.csv").write_text(HEADS + ROWS)
    write_clip(tmp_path / "b.mkv", dice(1, TILTED, 2, 3, 4, 5), dice(6, UNREADABLE, first_cell=8))
    tilted = event(30, 1, 6, 2, 3, 4, 5, reasons=("tilted",))
    sidecar(tmp_path / "b.json", tilted, event(120, 6, 1, n_expected=6, reasons=("missing",)))
    (tmp_path / "c.avi").touch()
    (tmp_path / "c.events.csv").write_text(HEADS)
    assert main(["evaluate", str(tmp_path), "--json"]) == 1
    said = capsys.readouterr()
    record, in_all = map(json.loads, said.out.splitlines())
    assert record | {"folder": "all clips"} == in_all
    assert 0 < record.pop("delay_ms_median") < 400
    assert record == {
        "folder": "/".join(tmp_path.parts[-2:]),
        "labels": "clips",
        "clips": 2,
        "failed": 1,
        "throws": 4,
        "found_once": 1.0,
        "faces_right": 0.5,
        "verdict_right": 1.0,
        "unsure": 0.0,
        "wrong_and_not_unsure": 0.0,
        "missed": 0,
        "invented": 0,
    }
    complaints = [line for line in said.err.splitlines() if line.startswith("titusind: ")]
    assert len(complaints) == 1
    assert "c.avi: empty file" in complaints[0]


def test_clips_and_pictures_are_measured_in_one_go(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], staged: None
) -> None:
    (tmp_path / "stills").mkdir()
    (tmp_path / "stills" / "readings.csv").write_text("image,dice,faces\ngone.jpg,1,5\n")
    (tmp_path / "clips").mkdir()
    write_clip(tmp_path / "clips" / "a.mkv", SIX)
    (tmp_path / "clips" / "a.events.csv").write_text(HEADS + "45,74,1-1-1-3-4-5\n")
    folders = [str(tmp_path / "stills"), str(tmp_path / "clips")]
    assert main(["evaluate", *folders, "--json"]) == 1
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    name = tmp_path.name
    assert [each["folder"] for each in records] == [f"{name}/stills", f"{name}/clips", "all", "all clips"]
    assert records[1]["wrong_and_not_unsure"] == 1.0
    assert main(["evaluate", *folders]) == 1
    stills, clips = capsys.readouterr().out.split("\n\n")
    assert "images right" in stills
    assert f"{name}/clips" in clips


def test_the_bundled_clip_can_be_measured() -> None:
    [clip] = read_clip_folder(DEMO).clips
    assert len(clip.throws) == 3


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs the shared clips beside the checkout")
def test_no_throw_of_the_real_clip_is_missed_invented_or_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", str(SHARED / "real" / "dev" / "clips"), "--json"]) == 0
    record = json.loads(capsys.readouterr().out.splitlines()[0])
    assert record["throws"] == 8
    assert (record["missed"], record["invented"], record["wrong_and_not_unsure"]) == (0, 0, 0)
