"""`titusind replay`: what it prints, compares and refuses."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import table.commands.replay
import table.workers
from table.cli import main
from table.throw_watch import ThrowWatch
from tests.table.staging import Still, dice, frames, played, staged_judge, write_clip
from vision.domain import Frame, TableCalibration
from vision.opencv import cv2

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "table" / "demo"
FELT = ROOT / ".." / "shared" / "real" / "dev" / "clips" / "felt_rolls.mp4"
SIX, THREE = dice(1, 1, 1, 3, 4, 6), dice(5, 5, 2, first_cell=8)


@pytest.fixture(autouse=True)
def staged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table.workers, "usable_cores", lambda: 1)  # other processes know no make-believe

    def watch(calibration: TableCalibration | None = None, judge: object = None) -> ThrowWatch:
        return ThrowWatch(calibration, staged_judge)

    monkeypatch.setattr(table.commands.replay, "ThrowWatch", watch)


@pytest.fixture
def two_throws(tmp_path: Path) -> str:
    return write_clip(tmp_path / "two.mkv", SIX, THREE)


def records(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def write_stills(folder: Path, shown: Iterable[Frame]) -> str:
    folder.mkdir()
    for number, frame in enumerate(shown):
        assert cv2.imwrite(str(folder / f"{number:04}.png"), frame.image_bgr)
    return str(folder)


def test_a_folder_of_the_frames_of_a_clip_replays_as_the_clip_does(
    two_throws: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_stills(tmp_path / "frames", played(SIX, THREE))
    assert main(["replay", folder, "--fps", "30", "--json"]) == 0
    of_folder = records(capsys)
    assert main(["replay", two_throws, "--json"]) == 0
    of_clip = records(capsys)
    both = (of_folder, of_clip)
    times = [[record.pop("t_s") for record in printed] for printed in both]
    places = [[record.pop("frame") for record in printed] for printed in both]
    assert of_folder == of_clip
    assert times[0] == pytest.approx(times[1], abs=0.04)  # the clip counts milliseconds, the folder exactly:
    assert places[0] == pytest.approx(places[1], abs=1)  # one or the other may be still a frame sooner


def test_each_photograph_of_a_folder_is_a_throw_that_lies_for_a_second(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    photographs = [next(frames(Still(lying))) for lying in ({}, SIX, THREE)]
    assert main(["replay", write_stills(tmp_path / "photographs", photographs), "--json"]) == 0
    settled = [record for record in records(capsys) if record["event"] == "throw_settled"]
    assert [record["faces"] for record in settled] == [[1, 1, 1, 3, 4, 6], [2, 5, 5]]
    assert [int(record["t_s"]) for record in settled] == [1, 2]


def write_lines(path: Path, *lines: object) -> str:
    path.write_text("".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines))
    return str(path)


def test_json_has_the_fields_of_the_contract(two_throws: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", two_throws, "--json", "--rules", "norwegian", "--players", "Eva,Ib"]) == 0
    printed = records(capsys)
    assert all({"t_s", "frame", "event"} <= record.keys() for record in printed)
    by_name = {record["event"]: record for record in reversed(printed)}
    assert by_name["turn_started"]["player"] == "Eva"
    assert by_name["throw_settled"].keys() >= {"verdict", "faces", "reasons", "dice"}
    assert by_name["options"].keys() >= {"set_asides", "best"}
    assert by_name["options"]["set_asides"][0].keys() >= {"faces", "points", "dice_left", "bust_probability"}
    assert by_name["set_aside"].keys() >= {"faces", "points", "turn_points", "source"}
    assert by_name["set_aside"]["source"] == "seen"


def test_two_runs_print_the_same_bytes() -> None:
    command = [sys.executable, "-m", "table.cli", "replay", str(DEMO / "demo.mp4"), "--json"]
    command += ["--table", str(DEMO / "table.json"), "--touches", str(DEMO / "touches.jsonl"), "--dice", "6"]
    runs = [subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout for _ in range(2)]
    assert runs[0] == runs[1]
    assert runs[0].count(b'"event":"throw_settled"') == 3


def test_a_person_reads_lines(two_throws: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", two_throws]) == 0
    out = capsys.readouterr().out
    assert "Valid throw, 1-1-1-3-4-6" in out
    assert "1-1-1-3-4-6: set aside 1-1-1 = 1,000 (3 left, bust 28%)" in out
    assert "Set aside 1-1-1 for 1,000: 1,000 this turn, 3 dice left" in out


def test_a_person_reads_their_language(two_throws: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", two_throws, "--language", "da"]) == 0
    out = capsys.readouterr().out
    assert "Gyldigt kast, 1-1-1-3-4-6" in out
    assert "1-1-1 til side for 1.000: 1.000 i turen, 3 terninger tilbage" in out


def test_programs_read_the_same_in_every_language(
    two_throws: str, capsys: pytest.CaptureFixture[str]
) -> None:
    outs = []
    for language in ([], ["--language", "fi"]):
        assert main(["replay", two_throws, "--json", *language]) == 0
        outs.append(capsys.readouterr().out)
    assert outs[0] == outs[1]


def test_a_language_that_is_not_there_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["replay", "clip.mp4", "--language", "sv"])
    assert stop.value.code == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert all(code in said for code in ("sv", "da", "nb", "fi", "en"))


def test_touches_are_replayed(two_throws: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    touches = write_lines(
        tmp_path / "touches.jsonl",
        {"t_s": 3.2, "action": "bank"},
        {"t_s": 2.4, "action": "set_aside", "faces": [1, 1, 1]},
        "",
        {"t_s": 99, "action": "throw", "faces": [5, 5, 2, 3, 4, 6]},
        {"t_s": 99, "action": "set_aside", "faces": [5, 5]},
    )
    assert main(["replay", two_throws, "--json", "--touches", touches]) == 0
    told = [(record["event"], record["t_s"]) for record in records(capsys)]
    assert ("set_aside", 2.4) in told
    assert ("banked", 3.2) in told
    assert told[-1][0] == "set_aside"


def test_a_touch_that_cannot_be_done_fails_with_its_time(
    two_throws: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    touches = write_lines(tmp_path / "touches.jsonl", {"t_s": 2.4, "action": "bank"})
    assert main(["replay", two_throws, "--touches", touches]) == 1
    assert "touch at 2.4 s: banking comes after setting aside" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("{", "line 1: not JSON"),
        ("[1]", "line 1: found [1]"),
        ({"action": "bank"}, "t_s: found null"),
        ({"t_s": -1, "action": "bank"}, "t_s: found -1"),
        ({"t_s": 1, "action": "sing"}, 'action: found "sing"'),
        ({"t_s": 1, "action": "bank", "faces": [1]}, "bank: found fields faces"),
        ({"t_s": 1, "action": "set_aside"}, "set_aside: found fields none"),
        ({"t_s": 1, "action": "set_aside", "faces": [7]}, "faces: found [7]"),
        ({"t_s": 1, "action": "set_aside", "faces": "15"}, 'faces: found "15"'),
        ({"t_s": 1, "action": "correct", "die": 0, "face": 9}, "face: found 9"),
        ({"t_s": 1, "action": "correct", "die": True, "face": 2}, "die: found true"),
    ],
)
def test_a_bad_touch_is_one_line_before_anything_is_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: object, found: str
) -> None:
    touches = write_lines(tmp_path / "touches.jsonl", line)
    assert main(["replay", "gone.mp4", "--touches", touches]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert found in said.err
    assert "accepted" in said.err


def test_what_happened_as_expected(
    two_throws: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["replay", two_throws, "--json"])
    golden = tmp_path / "golden.jsonl"
    golden.write_text(capsys.readouterr().out)
    assert main(["replay", two_throws, "--json", "--expect", str(golden)]) == 0
    assert capsys.readouterr().err == ""


def test_fields_left_out_are_not_compared(
    two_throws: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["replay", two_throws, "--json"])
    names = [{"event": record["event"]} for record in records(capsys)]
    assert main(["replay", two_throws, "--expect", write_lines(tmp_path / "names.jsonl", *names)]) == 0
    assert main(["replay", two_throws, "--expect", write_lines(tmp_path / "fewer.jsonl", *names[:-1])]) == 1


def test_a_difference_is_shown_and_fails(
    two_throws: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["replay", two_throws, "--json"])
    expected = [record for record in records(capsys) if record["event"] != "table_cleared"]
    next(record for record in expected if record["event"] == "options")["best"] = 1100
    path = write_lines(tmp_path / "expected.jsonl", *expected)
    assert main(["replay", two_throws, "--json", "--expect", path]) == 1
    said = capsys.readouterr()
    assert all(json.loads(line) for line in said.out.splitlines())
    lines = said.err.splitlines()
    assert "the events are not those of" in lines[0]
    changed = [line for line in lines[3:] if line[0] in "+-"]
    assert len(changed) == 4  # the changed one twice, and the two that were not expected
    assert '"best":1100' in changed[0]
    assert '"best":1000' in changed[1]


def test_a_bad_clip_is_one_line_and_the_others_are_done(
    two_throws: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty = tmp_path / "empty.mp4"
    empty.touch()
    assert main(["replay", str(empty), two_throws, str(tmp_path / "gone.mp4"), "--json"]) == 1
    said = capsys.readouterr()
    clips = {record["clip"] for record in map(json.loads, said.out.splitlines())} - {str(empty)}
    assert two_throws in clips
    assert ["empty.mp4" in said.err.splitlines()[0], "gone.mp4" in said.err.splitlines()[1]] == [True, True]
    assert said.err.count("\n") == 2


def test_a_bad_clip_prints_no_event(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(tmp_path / "gone.mp4"), "--json"]) == 1
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ["--players", "Ada"],
        ["--players", "Ada,Ada"],
        ["--rules", "martian"],
        ["--set", "target=1"],
        ["--table", "gone.json"],
        ["--touches", "gone.jsonl"],
        ["--expect", "gone.jsonl"],
    ],
)
def test_bad_settings_are_one_line(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    assert main(["replay", "clip.mp4", *arguments]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)


@pytest.mark.parametrize("word", ["0", "7", "six", "-1", "²"])
def test_dice_out_of_range_is_wrong_usage(capsys: pytest.CaptureFixture[str], word: str) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["replay", "clip.mp4", f"--dice={word}"])
    assert stop.value.code == 2


def test_a_calibration_for_another_shape_names_the_clip(
    two_throws: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cv2.imwrite(str(tmp_path / "empty.jpg"), np.full((300, 300, 3), 90, np.uint8))
    table_json = tmp_path / "table.json"
    table_json.write_text(json.dumps({"area_px": [[0, 0], [300, 0], [300, 300]]}))
    assert main(["replay", two_throws, "--table", str(table_json)]) == 1
    assert two_throws in capsys.readouterr().err


@pytest.mark.skipif(not FELT.exists(), reason="the real clips are not at hand")
def test_a_real_clip_is_told_throw_by_throw() -> None:
    command = [sys.executable, "-m", "table.cli", "replay", str(FELT), "--json"]
    out = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True).stdout
    throws = [r for r in map(json.loads, out.splitlines()) if r["event"] == "throw_settled"]
    assert [throw["faces"] for throw in throws] == [[1], [2], [3], [4], [5], [6], [5, 6], [3, 4]]


def test_a_reader_that_has_seen_enough_ends_the_replay_in_silence(two_throws: str) -> None:
    command = [sys.executable, "-m", "table.cli", "replay", two_throws]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as replay:
        assert replay.stdout is not None
        assert replay.stderr is not None
        replay.stdout.close()
        assert replay.stderr.read() == b""
