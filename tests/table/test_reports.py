"""Reports of throws: each replays to the same answer anywhere, or says that it does not."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import table.commands.judge
import table.commands.replay
from scoring.actions import Amend, Bank, Correct, EndTurn, Knock, Misroll, PutAside, Throw
from scoring.game import Game, new_game, replay
from scoring.ruleset import Ruleset, load_preset, with_overrides
from table.cli import main
from table.recording import kept as kept_module
from table.recording.game_record import game_of, game_record
from table.recording.kept import KeptReports
from table.recording.report import CLIP, LATER, META, PICTURE
from table.recording.report_reading import opened_report
from table.recording.report_replay import replay_report
from table.throw_watch import Judge
from table.touches import Confirm, CorrectDie, Play, read_touches
from tests.table.reporting import SIX, START, Table, changed, repacked
from tests.table.staging import TILTED, UNREADABLE, Still, SureAt, dice, frames, staged_judge
from tests.table.test_sides import acts_until_hot
from vision.calibration import load_calibration
from vision.images import read_image
from vision.judge import judge
from vision.sources import ClipSource

DEMO = Path(__file__).parents[2] / "table" / "demo"


@pytest.fixture
def staged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table.commands.replay, "judge_with", lambda _: staged_judge)


def told(path: Path, judge: Judge = staged_judge) -> tuple[list[str], tuple[str, ...]]:
    with opened_report(path) as report:
        replayed = replay_report(report, judge)
    return [event.name for event in replayed.events], replayed.differences


KNOCKED = {"misroll": "rethrow"}
THROWS: dict[str, tuple[Callable[[Table], object], list[str]]] = {
    "valid": (lambda table: table.throw(SIX), ["options"]),
    "bust": (lambda table: table.throw(dice(2, 3, 4, 4, 6, 6)), ["bust", "turn_started"]),
    "unsure": (lambda table: table.throw(dice(1, 1, UNREADABLE, 3, 2, 6)), ["paused"]),
    "misroll": (lambda table: table.throw(dice(1, 1, TILTED, 3, 2, 6)), ["misroll"]),
    "missing": (lambda table: table.throw(dice(1, 1, 5)), ["misroll"]),
    "set aside as seen": (
        lambda table: table.throw(dice(1, 1, 1, 3, 4, 6)).throw(dice(5, 5, 2, first_cell=9)),
        ["set_aside", "options"],
    ),
    "which was set aside": (
        lambda table: table.throw(SIX).throw(dice(2, 3, 5, 6, first_cell=9)),
        ["paused"],
    ),
    "set aside as lifted out": (
        lambda table: (
            table.throw(SIX)
            .throw(dice(1, 5, 3, 2, 6, first_cell=1), dice(1, 5, 3, 2, 6, first_cell=1))
            .throw(dice(2, 3, 4, 4, 5, first_cell=9))
        ),
        ["set_aside", "options"],
    ),
    "after an answer": (
        lambda table: (
            table.throw(dice(1, 1, UNREADABLE, 3, 2, 6))
            .touch(CorrectDie(2, 5), Confirm(), Play(PutAside((1, 1, 5))), Play(Bank()))
            .throw(dice(1, 1, 5, 3, 2, 6, first_cell=9))
        ),
        ["options"],
    ),
    "after an unsure one": (
        lambda table: table.throw(dice(1, 1, UNREADABLE, 3, 2, 6)).throw(
            dice(1, 4, 5, 3, 2, 6, first_cell=9)
        ),
        ["resumed", "options"],
    ),
    "knocked flat": (
        lambda table: table.throw(dice(1, 1, TILTED, 3, 2, 6)).throw(SIX, dice(1, 1, TILTED, 3, 2, 6)),
        ["options"],
    ),
    "twenty seconds later": (lambda table: table.throw(SIX, still_s=23.0), ["options"]),
    "as the first thing seen": (lambda table: table.show(frames(Still(SIX))), ["options"]),
}


@pytest.mark.parametrize("name", THROWS)
def test_a_report_replays_to_the_same_answer(name: str, tmp_path: Path) -> None:
    play, came = THROWS[name]
    at_table = Table()
    play(at_table)
    events, differences = told(at_table.report(tmp_path / "report.zip"))
    assert differences == ()
    assert events == ["throw_started", "throw_settled", *came]


@pytest.mark.parametrize(("side_deg", "came"), [(180.0, "set_aside"), (0.0, "set_aside"), (90.0, "paused")])
def test_whose_hand_threw_is_in_it(side_deg: float, came: str, tmp_path: Path) -> None:
    at_table = Table().show(frames(*acts_until_hot(side_deg)))
    events, differences = told(at_table.report(tmp_path / "report.zip"))
    assert differences == ()
    assert events[2] == came
    assert ("banked" in events) == (side_deg == 0.0)


@pytest.mark.parametrize(("look", "came"), [(2, "options"), (3, "options"), (4, "paused")])
def test_a_throw_that_needs_several_looks_replays_to_the_same_answer(
    look: int, came: str, tmp_path: Path
) -> None:
    path = Table(judge=SureAt(look)).throw(SIX).report(tmp_path / "report.zip")
    events, differences = told(path, SureAt(look))
    assert differences == ()
    assert events[2:] == [came]
    with opened_report(path) as report:
        throw = report.throw
        assert throw is not None
        first, last = throw.looked
        shown = [frame.image_bgr.astype(float) for frame in report.frames() if first <= frame.index <= last]
    means = [np.rint(np.mean(shown[moving:], axis=0)) for moving in range(3)]
    assert any(np.array_equal(mean, throw.picture) for mean in means)


def test_the_real_judge_comes_to_the_very_same_measures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        kept_module, "RECORDINGS", replace(kept_module.RECORDINGS, waiting=9)
    )  # the clip is played faster than it was thrown
    calibration = load_calibration(DEMO / "table.json")
    kept = KeptReports(tmp_path, print)
    at_table = Table(calibration, judge, kept)
    touches = read_touches(DEMO / "touches.jsonl")
    for frame in ClipSource(DEMO / "demo.mp4").frames():
        at_table.take(frame)
        while touches and touches[0].t_s <= frame.t_s:
            at_table.touch(touches.pop(0).touch)
    at_table.recorder.close()
    reports = sorted(tmp_path.iterdir())
    assert len(reports) == 3
    for path in reports:
        with opened_report(path) as report:
            replayed = replay_report(report, judge)
            assert report.throw is not None
            then = list(report.throw.events)
        assert replayed.differences == ()
        assert json.loads(json.dumps([event.record() for event in replayed.events])) == then


@pytest.mark.usefixtures("staged")
def test_replay_prints_what_was_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = Table().throw(SIX).report(tmp_path / "report.zip")
    assert main(["replay", str(path), "--json"]) == 0
    printed = capsys.readouterr()
    assert [json.loads(line)["event"] for line in printed.out.splitlines()] == [
        "throw_started", "throw_settled", "options",
    ]  # fmt: skip
    assert json.loads(printed.out.splitlines()[1])["t_s"] > START
    assert printed.err == ""


@pytest.mark.usefixtures("staged")
def test_another_answer_is_said_plainly(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = Table().throw(SIX).report(tmp_path / "report.zip")

    def other(record: dict[str, Any]) -> None:
        record["throw"]["events"][1]["faces"] = [1, 1, 1, 3, 5, 6]
        record["versions"]["numpy"] = "0.0.1"

    changed(path, other)
    assert main(["replay", str(path)]) == 1
    err = capsys.readouterr().err
    assert "not the same answer as then" in err
    assert "numpy 0.0.1 (here" in err
    assert "+{" in err


def test_judge_says_whether_the_verdict_is_that_of_then(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table.commands.judge, "judge_with", lambda _: staged_judge)
    path = Table().throw(SIX).report(tmp_path / "report.zip")
    assert main(["judge", str(path), "--json"]) == 0
    printed = capsys.readouterr()
    assert (json.loads(printed.out)["faces"], printed.err) == ([1, 1, 2, 3, 5, 6], "")
    changed(path, lambda record: record["throw"]["judged"].update(verdict="unsure"))
    assert main(["judge", str(path)]) == 1
    assert "not the same answer as then" in capsys.readouterr().err
    empty = Table().show(frames(Still({}, 2.0))).report(tmp_path / "empty.zip")
    assert main(["judge", str(empty)]) == 1
    assert "no picture that was judged" in capsys.readouterr().err


@pytest.mark.usefixtures("staged")
def test_a_throw_that_does_not_come_to_rest_in_the_clip_is_another_answer(tmp_path: Path) -> None:
    path = Table().throw(SIX).report(tmp_path / "report.zip")
    other = Table().show(frames(Still({}, 2.0))).report(tmp_path / "other.zip")
    with zipfile.ZipFile(other) as archive:
        clip, numbers = archive.read(CLIP), json.loads(archive.read(META))["frames"]
    repacked(path, {CLIP: clip})
    changed(path, lambda record: record.update(frames=numbers))
    assert main(["replay", str(path)]) == 1


@pytest.mark.usefixtures("staged")
def test_before_the_first_throw_a_report_is_what_was_seen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = Table().show(frames(Still({}, 2.0))).report(tmp_path / "report.zip")
    assert main(["replay", str(path)]) == 0
    assert "no throw" in capsys.readouterr().err


def test_a_throw_that_was_missed_may_be_in_the_latest_seconds(tmp_path: Path) -> None:
    at_table = Table().throw(SIX, still_s=23.0)
    path = at_table.report(tmp_path / "report.zip")
    with zipfile.ZipFile(path) as archive:
        (tmp_path / LATER).write_bytes(archive.read(LATER))
        numbers = json.loads(archive.read(META))["frames"]
    latest = list(ClipSource(tmp_path / LATER).frames())
    assert 19 < latest[-1].t_s <= 20
    assert numbers[-1][1] < START + 3
    soon = Table().throw(SIX, still_s=5.0).report(tmp_path / "soon.zip")
    with zipfile.ZipFile(soon) as archive:
        assert LATER not in archive.namelist()
        assert json.loads(archive.read(META))["frames"][-1][1] > START + 6


def test_before_the_first_frame_there_is_no_report() -> None:
    at_table = Table()
    assert at_table.recorder.report(at_table.loop.state) is None


def test_the_picture_is_the_one_that_was_judged_and_names_are_left_out(tmp_path: Path) -> None:
    at_table = Table().throw(SIX).touch(Play(PutAside((1, 1, 5))), Play(Bank())).throw(dice(2, 3, 4, 4, 6, 6))
    path = at_table.report(tmp_path / "report.zip")
    assert b"Sigurd" not in path.read_bytes()
    assert b"Borghild" not in path.read_bytes()
    lying = at_table.loop.state.lying
    assert lying is not None
    with opened_report(path) as report:
        assert report.throw is not None
        assert staged_judge(report.throw.picture).faces == (2, 3, 4, 4, 6, 6)
        judged = [frame for frame in report.frames() if frame.index == report.throw.looked[0]]
        assert np.array_equal(judged[0].image_bgr, report.throw.picture)
        assert (judged[0].index, judged[0].t_s) in report.numbers


def test_what_people_said_is_in_it(tmp_path: Path) -> None:
    path = Table().throw(SIX).touch(CorrectDie(3, 4)).report(tmp_path / "report.zip")
    with zipfile.ZipFile(path) as archive:
        throw = json.loads(archive.read(META))["throw"]
    assert throw["said"] == {"faces": [1, 1, 5, 4, 2, 6], "no_dice": [], "counted": True}
    assert throw["events"][1]["dice"][3]["face"] == 3


# The game


def games() -> list[Game]:
    rules = with_overrides(load_preset("finnish"), {"misroll": "rethrow", "knock_relief": "yes"})
    game = new_game(rules, ("Ada", "Bo", "Eva"), 2)
    throw = Throw((1, 1, 5, 3, 2, 6))
    return [
        game,
        replay(game, [throw, PutAside((1, 1), "seen"), Bank()]),
        replay(game, [throw, Correct((1, 1, 1, 3, 2, 6)), PutAside((1, 1, 1)), EndTurn(350)]),
        replay(game, [Misroll(), throw, PutAside((1,)), Bank(), Amend(1, Throw((2, 2, 2, 3, 4, 6)))]),
        replay(game, [throw, PutAside((1,)), Bank(), Amend(2, None)]),
    ]


@pytest.mark.parametrize("place", range(5))
def test_a_game_is_the_same_again(place: int) -> None:
    game = games()[place]
    again = game_of(json.loads(json.dumps(game_record(game))), game.ruleset)
    same = ("log", "turn", "tallies", "first_seat", "trigger", "winners")
    assert [getattr(again, name) for name in same] == [getattr(game, name) for name in same]


def test_a_knock_and_its_reasons_are_the_same_again() -> None:
    at_table = Table().throw(dice(1, 1, TILTED, 3, 2, 6))
    at_table.touch(Play(Knock((1, 1, 2, 3, 5, 6))))
    game = at_table.loop.state.game
    again = game_of(json.loads(json.dumps(game_record(game))), game.ruleset)
    assert replace(again, players=game.players) == game
    assert len(game.log) == 2


def test_the_rules_are_those_of_then(tmp_path: Path) -> None:
    own = with_overrides(load_preset("zilch"), {"straight": "1234"})
    at_table = Table(rules={})
    at_table.loop.state = replace(at_table.loop.state, game=new_game(own, ("A", "B")))
    path = at_table.throw(dice(1, 2, 3, 4, 5, 6)).report(tmp_path / "report.zip")
    with opened_report(path) as report:
        rules: Ruleset = report.game.ruleset
    assert rules == own


def test_a_report_holds_a_picture_that_anybody_can_open(tmp_path: Path) -> None:
    with zipfile.ZipFile(Table().throw(SIX).report(tmp_path / "report.zip")) as archive:
        (tmp_path / PICTURE).write_bytes(archive.read(PICTURE))
    assert read_image(tmp_path / PICTURE).shape == (160, 320, 3)
