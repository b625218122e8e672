"""Games for other programs: read back by other readers, they say what was played."""

from __future__ import annotations

import csv
import io
import json
from random import Random

from hypothesis import given, settings

from scoring.game import Game, new_game, replay
from scoring.played_turns import played_turns
from scoring.records import action_of
from scoring.ruleset import from_record
from table.game_export import COLUMNS, game_as_record, games_as_csv
from table.store.past_games import PastGame
from tests.scoring.playing import BANK, after, aside, game, misroll, throw
from tests.scoring.test_random_games import games, seeds, step


def kept(now: Game, number: int = 1) -> PastGame:
    return PastGame(number, "2026-11-30T20:00:00.000+00:00", "2026-11-30T22:00:00.000+00:00", now, {})


def rows(*past: PastGame) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(games_as_csv(past), newline="")))


def played(start: Game, random: Random) -> Game:
    now = start
    for _ in range(40):
        _, now, _ = step(now, random, amending=True)
    return now


@settings(max_examples=30, deadline=None)
@given(games, seeds)
def test_the_rows_add_up_to_the_totals(start: Game, random: Random) -> None:
    now = played(start, random)
    told = rows(kept(now))
    for (name, total), tally in zip(now.totals.items(), now.tallies, strict=True):
        own = [row for row in told if row["player"] == name]
        assert sum(int(row["turn_points"] or 0) for row in own) == total - tally.ruled
        assert sum(bool(row["ending"]) for row in own) == len(tally.entries)
    assert sum(bool(row["throw"]) for row in told) == sum(len(turn.throws) for turn in played_turns(now))
    assert all(len(row["faces"]) == int(row["dice"]) for row in told if row["misroll"] == "no")


@settings(max_examples=30, deadline=None)
@given(games, seeds)
def test_the_whole_game_can_be_played_anew_from_its_record(start: Game, random: Random) -> None:
    now = played(start, random)
    told = json.loads(json.dumps(game_as_record(kept(now)), allow_nan=False))
    begun = new_game(from_record(told["rules"]), told["players"], told["first_seat"])
    assert replay(begun, map(action_of, told["log"])) == now
    assert told["totals"] == now.totals


def test_a_turn_by_hand() -> None:
    two_throws = (throw("111236"), aside("111"), throw("235"), aside("5"))
    told = rows(kept(after(game("danish"), misroll("tilted"), *two_throws, BANK), 7))
    assert tuple(told[0]) == COLUMNS
    cells = [
        [row[name] for name in ("throw", "dice", "faces", "misroll", "set_aside", "points")] for row in told
    ]
    assert cells == [
        ["1", "6", "", "yes", "", ""],
        ["2", "6", "111236", "no", "111", "1000"],
        ["3", "3", "235", "no", "5", "50"],
    ]
    assert {(row["game"], row["turn"], row["round"], row["player"]) for row in told} == {
        ("7", "1", "1", "Ada")
    }
    ends = [(row["ending"], row["turn_points"], row["total"]) for row in told]
    assert ends == [("", "", ""), ("", "", ""), ("banked", "1050", "1050")]


def test_no_name_is_a_formula() -> None:
    now = after(new_game(game("danish").ruleset, ("=1+1", "@Bo")), throw("111236"))
    assert [row["player"] for row in rows(kept(now))] == ["'=1+1"]
    assert game_as_record(kept(now))["players"] == ("=1+1", "@Bo")
