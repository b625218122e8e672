"""A game as plain values and back: its rules apart, its players by number, every action of its log."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoring.actions import action_record
from scoring.errors import GameError
from scoring.game import Game, new_game, replay
from scoring.records import action_of
from scoring.ruleset import Ruleset

MOST_PLAYERS = 20


def game_record(game: Game) -> dict[str, object]:
    """Return how many play, who began, and the log. Players' names are left out."""
    log = [action_record(action) for action in game.log]
    return {"players": len(game.players), "first_seat": game.first_seat, "log": log}


def game_of(record: Mapping[str, Any], ruleset: Ruleset) -> Game:
    """Return the game of a `game_record`.

    Raises GameError, KeyError, TypeError or ValueError where it is none.
    """
    players, first_seat = record["players"], record["first_seat"]
    if type(players) is not int or players > MOST_PLAYERS:
        raise GameError(f"players: found {players!r}; accepted: 2 to {MOST_PLAYERS}")
    if type(first_seat) is not int:
        raise GameError(f"first_seat: found {first_seat!r}; accepted is a whole number")
    start = new_game(ruleset, [f"Player {number}" for number in range(1, players + 1)], first_seat)
    return replay(start, map(action_of, record["log"]))
