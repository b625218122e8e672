"""What a table has to tell of a story: set-asides and banking once the next throw lies, misrolls at once."""

from __future__ import annotations

from typing import Any

from datasets.expected_events import expected_events
from scoring.game import new_game
from scoring.ruleset import load_preset, with_overrides


def throw(*faces: int, reasons: tuple[str, ...] = ()) -> dict[str, Any]:
    verdict = "misroll" if reasons else "valid"
    return {"what": "throw", "faces": list(faces), "verdict": verdict, "reasons": list(reasons)}


def events(told: list[dict[str, Any]], **overrides: str) -> list[str]:
    game = new_game(with_overrides(load_preset("danish"), overrides), ["Ada", "Bo"])
    return [" ".join(map(str, each.values())) for each in expected_events(told, game)]


def test_a_set_aside_and_a_banking_are_told_with_the_next_throw() -> None:
    told = [
        throw(1, 1, 1, 3, 4, 6),
        {"what": "cleared"},
        {"what": "set_aside", "faces": [1, 1, 1]},
        {"what": "bank"},
        throw(2, 2, 3, 4, 5, 6),
    ]
    assert events(told) == [
        "turn_started Ada",
        "throw_started",
        "throw_settled valid [1, 1, 1, 3, 4, 6]",
        "options 1000",
        "table_cleared",
        "throw_started",
        "throw_settled valid [2, 2, 3, 4, 5, 6]",
        "set_aside (1, 1, 1) 1000 1000 seen",
        "banked Ada 1000 1000",
        "turn_started Bo",
        "options 50",
    ]


def test_a_misroll_leaves_what_was_set_aside_to_the_throw_that_counts() -> None:
    aside = {"what": "set_aside", "faces": [5]}
    told = [throw(2, 3, 3, 4, 5, 6), aside, throw(2, 3, 4, 6, 6, reasons=("outside",)), throw(1, 3, 4, 6, 6)]
    assert events(told)[4:] == [
        "throw_started",
        "throw_settled misroll None",
        "misroll None",
        "throw_started",
        "throw_settled valid [1, 3, 4, 6, 6]",
        "set_aside (5,) 50 50 seen",
        "options 100",
    ]


def test_a_knock_follows_a_leaning_die_and_a_throw_under_a_cup_is_told_when_it_is_gone() -> None:
    told = [throw(1, 2, 3, 4, 6, 6, reasons=("tilted",)), throw(1, 2, 3, 4, 6, 6)]
    assert events(told, knock_relief="yes")[3] == "misroll knock"
    assert events([{"what": "covered"}, throw(1, 2, 3, 4, 6, 6)])[1:] == [
        "paused covered",
        "throw_started",
        "throw_settled valid [1, 2, 3, 4, 6, 6]",
        "resumed",
        "options 100",
    ]
