"""`titusind odds` and `titusind advise`: what they print, and what they refuse."""

from __future__ import annotations

import json
from typing import Any

import pytest

from table.cli import main


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(list(words))
    said = capsys.readouterr()
    return code, said.out, said.err


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    code, out, err = run(capsys, *words, "--json")
    assert (code, out.count("\n"), err) == (0, 1, "")
    record = json.loads(out)
    assert isinstance(record, dict)
    return record


def test_odds_are_exact_counts(capsys: pytest.CaptureFixture[str]) -> None:
    odds = printed(capsys, "odds")
    assert [each["count"] for each in odds["bust"]] == [4, 16, 60, 204, 600, 1080]
    assert [each["throws"] for each in odds["bust"]] == [6**dice for dice in range(1, 7)]
    assert {each["combination"]: each["count"] for each in odds["combinations"]}["straight"] == 720
    assert odds["opening"]["least_points"] == 750
    assert odds["opening"]["probability"] == pytest.approx(0.42102, abs=5e-6)


def test_odds_follow_the_rules(capsys: pytest.CaptureFixture[str]) -> None:
    odds = printed(capsys, "odds", "--rules", "finnish", "--set", "three_pairs=0", "--set", "straight=0")
    assert odds["bust"][5]["count"] == 1440
    assert odds["opening"]["least_points"] == 0


def test_odds_for_people_say_both_readings_of_three_alike(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "odds")
    assert "17,136" in out
    assert "17,436" in out
    assert "counted twice" in out
    assert "66.667%" in out


def test_advice_before_a_throw(capsys: pytest.CaptureFixture[str]) -> None:
    advice = printed(capsys, "advise", "--turn-points", "300", "--dice", "2")
    assert advice["actions"] == [
        {"set_aside": None, "then": "bank", "expected_points": 300.0, "bust_probability": 0.0},
        {"set_aside": None, "then": "throw", "expected_points": 271.576945, "bust_probability": 0.444444},
    ]


def test_advice_on_a_throw_names_the_dice(capsys: pytest.CaptureFixture[str]) -> None:
    advice = printed(
        capsys, "advise", "--turn-points", "0", "--dice", "6", "--faces", "1", "1", "5", "3", "2", "6"
    )
    assert advice["faces"] == [1, 1, 2, 3, 5, 6]
    assert (advice["actions"][0]["set_aside"], advice["actions"][0]["then"]) == ([1], "throw")
    worths = [each["expected_points"] for each in advice["actions"]]
    assert worths == sorted(worths, reverse=True)
    assert printed(capsys, "advise", "--faces", "115326") == advice


def test_a_score_of_0_has_not_opened(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("advise", "--turn-points", "300", "--dice", "1", "--score", "0")
    assert [each["then"] for each in printed(capsys, *words)["actions"]] == ["throw"]
    assert [each["then"] for each in printed(capsys, *words, "--opened")["actions"]] == ["bank", "throw"]


def test_advice_against_an_opponent_says_how_often_it_wins(capsys: pytest.CaptureFixture[str]) -> None:
    advice = printed(
        capsys, "advise", "--turn-points", "300", "--dice", "2", "--score", "5000", "--opponent", "9900"
    )
    assert [each["then"] for each in advice["actions"]] == ["throw", "bank"]
    assert all(0 < each["win_probability"] < 0.01 for each in advice["actions"])


def test_advice_for_people_is_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "advise", "--faces", "115326", "--score", "3000", "--opponent", "2000")
    lines = out.splitlines()
    assert lines[0] == "1-1-2-3-5-6 thrown, 0 points this turn, score 3000, opponent 2000 (danish)"
    assert lines[1].split() == ["set", "aside", "then", "expected", "bust", "when", "thrown", "wins"]
    _, out, _ = run(capsys, "advise", "--faces", "234", "--turn-points", "500")
    assert out == "2-3-4 thrown, 500 points this turn (danish): bust\n"


def test_dice_that_pass_an_exact_target_are_told_as_such(capsys: pytest.CaptureFixture[str]) -> None:
    exact = ("--rules", "norwegian", "--set", "exact_target=yes")
    words = ("advise", "--faces", "115523", "--score", "9800", *exact)
    passing = [each for each in printed(capsys, *words)["actions"] if each.get("passes_target")]
    assert [each["set_aside"] for each in passing] == [[1, 1, 5, 5], [1, 1, 5]]
    assert "past the target" in run(capsys, *words)[1]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--dice", "7"], "dice: found 7; accepted: 1 to 6"),
        (["--faces", "115", "--dice", "4"], "faces: found 3 dice; accepted: 4"),
        (["--faces", "789"], "found '789'; accepted: 1 to 6 dice"),
        (["--turn-points", "330", "--dice", "2"], "turn points: found 330"),
        (["--score", "10000"], "score: found 10000; accepted: -1000000 to below the target, 10000"),
        (["--opponent", "100"], "opponent: found no score of the player"),
        (["--score", "0", "--opponent", "0", "--rules", "finnish"], "accepted: danish"),
        (["--rules", "swedish"], "rules: found 'swedish'"),
    ],
)
def test_positions_that_cannot_be_are_wrong_usage_in_one_line(
    capsys: pytest.CaptureFixture[str], words: list[str], complaint: str
) -> None:
    code, out, err = run(capsys, "advise", "--json", *words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert complaint in err
