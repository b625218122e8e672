"""A game as plain values and back: its rules apart, its players by number, every action of its log."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from scoring.actions import (
    MISROLL_KINDS,
    Action,
    Amend,
    Bank,
    Correct,
    DeclineRelief,
    EndTurn,
    Knock,
    Misroll,
    MisrollReason,
    PlainAction,
    PutAside,
    Throw,
    action_record,
)
from scoring.errors import GameError
from scoring.faces import Faces, sorted_faces
from scoring.game import Game, new_game, replay
from scoring.ruleset import Ruleset

MOST_PLAYERS = 20


def game_record(game: Game) -> dict[str, object]:
    """Return how many play, who began, and the log. Players' names are left out."""
    log = [_logged(action) for action in game.log]
    return {"players": len(game.players), "first_seat": game.first_seat, "log": log}


def game_of(record: Mapping[str, Any], ruleset: Ruleset) -> Game:
    """Return the game of a `game_record`.

    Raises GameError, KeyError, TypeError or ValueError where it is none.
    """
    players = record["players"]
    if type(players) is not int or players > MOST_PLAYERS:
        raise GameError(f"players: found {players!r}; accepted: 2 to {MOST_PLAYERS}")
    start = new_game(ruleset, _names(players), _whole(record["first_seat"]))
    return replay(start, map(_action, record["log"]))


def _names(count: int) -> list[str]:
    return [f"Player {number}" for number in range(1, count + 1)]


def _logged(action: Action) -> dict[str, object]:
    match action:
        case Amend(place, now):
            return {"action": Amend.kind, "place": place, "now": now and action_record(now)}
        case Correct(faces):
            return {"action": Correct.kind, "faces": faces}
        case plain:
            return action_record(plain)


def _action(record: Mapping[str, Any]) -> Action:
    match record["action"]:
        case Amend.kind:
            return Amend(_whole(record["place"]), record["now"] and _plain(record["now"]))
        case Correct.kind:
            return Correct(_faces(record))
        case _:
            return _plain(record)


def _plain(record: Mapping[str, Any]) -> PlainAction:
    kind = record["action"]
    if kind not in _READERS:
        raise ValueError(f"action: found {kind!r}; accepted are {', '.join(_READERS)}")
    return _READERS[kind](record)


def _faces(record: Mapping[str, Any]) -> Faces:
    faces = tuple(map(_whole, record["faces"]))
    sorted_faces(faces)  # raises what is none; a log keeps them as they were said
    return faces


def _whole(value: object) -> int:
    if type(value) is not int:
        raise ValueError(f"found {value!r}; accepted is a whole number")
    return value


def _misroll(record: Mapping[str, Any]) -> Misroll:
    reasons = tuple(MisrollReason(**each) for each in record["reasons"])
    for each in reasons:
        if each.kind not in MISROLL_KINDS:
            raise ValueError(f"misroll: found {each.kind!r}; accepted are {', '.join(MISROLL_KINDS)}")
    return Misroll(reasons)


_READERS: dict[str, Callable[[Mapping[str, Any]], PlainAction]] = {
    Throw.kind: lambda record: Throw(_faces(record)),
    Misroll.kind: _misroll,
    Knock.kind: lambda record: Knock(None if record["faces"] is None else _faces(record)),
    PutAside.kind: lambda record: PutAside(_faces(record), str(record["source"])),
    Bank.kind: lambda _: Bank(),
    DeclineRelief.kind: lambda _: DeclineRelief(),
    EndTurn.kind: lambda record: EndTurn(_whole(record["points"])),
}
