"""`titusind score` as the contract has it: one throw, a stream, house rules, bad input, a closed pipe."""

from __future__ import annotations

import io
import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from table.cli import main

BAD_THROWS = ("abc", "7", "0", "1111111", "1 1 x", "1.5", "-1", "１")


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["score", *words])
    return code, *capsys.readouterr()


def stream(monkeypatch: pytest.MonkeyPatch, lines: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines), encoding="utf-8"))


def test_one_throw_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "115326", "--json")
    assert (code, err, out.count("\n")) == (0, "", 1)
    record = json.loads(out)
    assert list(record) == ["faces", "bust", "best", "set_asides"]
    assert (record["faces"], record["bust"], record["best"]) == ([1, 1, 2, 3, 5, 6], False, 250)
    assert [each["points"] for each in record["set_asides"]] == [250, 200, 150, 100, 50]
    assert record["set_asides"][2] == {
        "faces": [1, 5],
        "points": 150,
        "parts": [
            {"combination": "single", "faces": [1], "points": 100},
            {"combination": "single", "faces": [5], "points": 50},
        ],
        "hot_dice": False,
    }


@pytest.mark.parametrize(
    "words", [("1", "1", "5", "3", "2", "6"), ("11", "5326"), ("6-2-3-5-1-1",), ("1,1,5 326",)]
)
def test_spellings_of_a_throw(capsys: pytest.CaptureFixture[str], words: tuple[str, ...]) -> None:
    assert run(capsys, *words, "--json") == run(capsys, "115326", "--json")


def test_a_bust_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "234466", "--json")
    assert json.loads(out) == {"faces": [2, 3, 4, 4, 6, 6], "bust": True, "best": 0, "set_asides": []}


def test_rules_and_set(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    house = tmp_path / "house.toml"
    house.write_text('based_on = "norwegian"\nstraight = 2500\n', encoding="utf-8")

    def best(*words: str) -> int:
        return json.loads(run(capsys, *words, "--json")[1])["best"]

    assert best("222222") == 800
    assert best("222222", "--rules", "norwegian") == 1600
    assert best("123456", "--rules", str(house)) == 2500
    assert best("123456", "--rules", str(house), "--set", "straight=0") == 150
    assert best("556666", "--set", "three_pairs=1500", "--set", "four_plus_two=yes") == 1500


def test_for_a_person(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "222255")
    assert code == 0
    title, _, best, *_, last = out.splitlines()
    assert title == "2-2-2-2-5-5  best 500 (danish)"
    assert " ".join(best.split()) == "500 2-2-2-2-5-5 four 2s 400 + two single 5s 100 6 new 2.3%"
    assert " ".join(last.split()) == "50 5 single 5 50 5 7.7%"
    assert run(capsys, "234466")[1] == "2-3-4-4-6-6  bust: nothing to set aside (danish)\n"


@pytest.mark.parametrize(
    ("throw", "rules", "words"),
    [
        ("123456", "danish", "straight 1500"),
        ("223344", "danish", "three pairs 1000"),
        ("234466", "zilch", "nothing on six dice 500"),
        ("111555", "danish", "three 1s 1000 + three 5s 500"),
    ],
)
def test_combinations_spelled_out(
    capsys: pytest.CaptureFixture[str], throw: str, rules: str, words: str
) -> None:
    assert words in run(capsys, throw, "--rules", rules)[1]


def test_stream_answers_every_line_in_order(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    dice = random.Random(5)
    throws = ["".join(dice.choices("123456", k=1 + n % 6)) for n in range(500)]
    stream(monkeypatch, "\n".join(throws).encode())
    code, out, err = run(capsys, "--json")
    assert (code, err) == (0, "")
    assert out.splitlines() == [run(capsys, throw, "--json")[1].rstrip("\n") for throw in throws]


def test_bad_lines_are_told_by_number_and_the_others_done(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    stream(monkeypatch, b"11\nabc\n\n5 5 5\r\n\xff\xfe\n1111111\n" + b"x" * 10000 + b"\n6\x00\n5")
    code, out, err = run(capsys, "--json")
    assert code == 1
    assert [json.loads(line)["faces"] for line in out.splitlines()] == [[1, 1], [5, 5, 5], [5]]
    assert [line.split(":")[1] for line in err.splitlines()] == [f" line {n}" for n in (2, 5, 6, 7, 8)]
    assert all(len(line) < 200 and "accepted: 1 to 6 dice" in line for line in err.splitlines())


def test_empty_stream_is_done(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    stream(monkeypatch, b"")
    assert run(capsys) == (0, "", "")


@pytest.mark.parametrize("throw", [*BAD_THROWS, ""])
def test_bad_throw_is_wrong_usage_in_one_line(capsys: pytest.CaptureFixture[str], throw: str) -> None:
    code, out, err = run(capsys, "--json", "--", throw)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "accepted: 1 to 6 dice with faces 1 to 6" in err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--rules", "swedish"], "rules: found 'swedish'; accepted: danish, norwegian, finnish, zilch"),
        (["--rules", "none.toml"], "none.toml: rules: found a file that cannot be read"),
        (["--set", "strait=0"], "strait: found no such field; accepted: of_a_kind"),
        (["--set", "straight"], "--set: found 'straight'; accepted: KEY=VALUE"),
        (["--set", "straight=lots"], "straight: found 'lots'; accepted: 0 (off) or 1 to"),
        (["--set", "opening=20000"], "opening: found 20000; accepted: at most the target, 10000"),
    ],
)
def test_bad_rules_are_wrong_usage_in_one_line(
    capsys: pytest.CaptureFixture[str], words: list[str], told: str
) -> None:
    code, out, err = run(capsys, "115326", *words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert told in err


def python(code: str, **kwargs: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, **kwargs)


def test_a_byte_order_mark_is_no_part_of_the_first_throw(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stream(monkeypatch, b"\xef\xbb\xbf115326\n")
    code, out, err = run(capsys, "--json")
    assert (code, out.count("\n"), err) == (0, 1, "")


def test_starts_without_the_camera_side() -> None:
    code = (
        "import sys; from table.cli import main; assert main(['score', '115326']) == 0;"
        "print([name for name in ('cv2', 'numpy', 'nicegui', 'vision.domain') if name in sys.modules])"
    )
    assert python(code).stdout.splitlines()[-1] == "[]"


def test_a_reader_that_stops_reading_is_no_traceback() -> None:
    command = [sys.executable, "-m", "table.cli", "score", "--json"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdout.close()
        _, err = process.communicate("115326\n" * 20000)
    assert err == ""
