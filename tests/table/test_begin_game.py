"""A new game at any time: from a file of touches, with a throw lying, and with dice that lie still."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scoring.game import new_game
from scoring.ruleset import load_preset, to_record
from table.errors import EventFileError
from table.loop import TableLoop
from table.throw_watch import ThrowWatch
from table.touches import BeginGame, TimedTouch, read_touches
from tests.table.staging import Hand, Still, dice, frames, staged_judge

NORWEGIAN = load_preset("norwegian")
FIELDS = {"players": ["Eva", "Ib", "Åse"], "rules": "norwegian", "first_seat": 2}


def one_touch(path: Path, **fields: object) -> list[TimedTouch]:
    line = {"t_s": 1.5, "action": "begin_game", **FIELDS, **fields}
    (path / "touches.jsonl").write_text(json.dumps(line), encoding="utf-8")
    return read_touches(path / "touches.jsonl")


@pytest.mark.parametrize("rules", ["norwegian", to_record(NORWEGIAN)])
def test_a_file_of_touches_begins_a_game(tmp_path: Path, rules: object) -> None:
    game = new_game(NORWEGIAN, ("Eva", "Ib", "Åse"), 2)
    assert one_touch(tmp_path, rules=rules) == [TimedTouch(1.5, BeginGame(game))]


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"players": ["Eva"], "first_seat": 0}, "two or more"),
        ({"players": ["Eva", "Ib", "Eva"]}, "different names"),
        ({"players": "Eva"}, "accepted are names"),
        ({"first_seat": 3}, "0 to 2"),
        ({"rules": "martian"}, "danish"),
        ({"rules": 7}, "preset"),
        ({"rules": {"name": "house"}}, "found nothing"),
    ],
)
def test_a_game_that_cannot_be_is_one_line(tmp_path: Path, fields: dict[str, object], said: str) -> None:
    with pytest.raises(EventFileError, match=said) as refused:
        one_touch(tmp_path, **fields)
    assert "line 1" in str(refused.value)


def test_dice_that_lie_when_a_game_begins_are_no_throw_of_it() -> None:
    loop = TableLoop(new_game(load_preset("danish"), ("Ada", "Bo")), ThrowWatch(judge=staged_judge))
    six = dice(1, 1, 5, 3, 2, 6)
    for frame in frames(Still({}), Hand({}), Still(six)):
        loop.step(frame)
    assert loop.state.game.turn.faces
    game = new_game(NORWEGIAN, ("Eva", "Ib"), 1)
    told = loop.touch(BeginGame(game))
    assert [(event.name, event.fields) for event in told] == [("turn_started", {"player": "Ib"})]
    for frame in frames(Still(six), Hand({}), Still({}), Hand({}), Still(dice(1, 2, 2, 2, 2, first_cell=9))):
        if loop.state.lying is None:
            assert loop.state.game == game
        loop.step(frame)
    assert loop.state.lying is not None
    assert loop.state.game.players == ("Eva", "Ib")
    assert not loop.state.lying.counted  # five dice: a misroll of the new game
