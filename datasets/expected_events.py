"""What the table has to tell of a clip, in its own words, from what the clip's maker knows of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from scoring.actions import Action, Bank, Knock, Misroll, MisrollReason, PutAside, Throw
from scoring.events import Event
from scoring.game import Game, Phase, apply, first_events

Told = Mapping[str, Any]
Record = dict[str, Any]
NAMED = {  # the fields that are held; others depend on what is read of the picture
    "options": ("best",),
    "misroll": ("relief",),
    "set_aside": ("faces", "points", "turn_points", "source"),
    "banked": ("player", "points", "total"),
    "turn_started": ("player",),
    "bust": ("player",),
    "relief": (),
}


def expected_events(told: Iterable[Told], game: Game) -> Iterator[Record]:
    """Yield the events, without their times, of a game that begins as `game`.

    What was set aside, and that was banked, is known once the next throw lies.
    """
    yield from _records(first_events(game))
    waiting: list[Action] = []
    covered = False
    for step in told:
        match step["what"]:
            case "set_aside":
                waiting.append(PutAside(tuple(step["faces"]), "seen"))
            case "bank":
                waiting.append(Bank())
            case "cleared":
                yield {"event": "table_cleared"}
            case "covered":
                covered = True
                yield {"event": "paused", "reason": "covered"}
            case "uncovered":
                covered = False
                yield {"event": "resumed"}
            case "throw":
                yield from _settled(step)
                if covered:
                    yield {"event": "resumed"}
                covered = False
                if step["verdict"] == "valid":
                    game, events = _after(game, [*waiting, _counted(game, step)])
                    waiting = []
                    yield from events
                else:
                    game, events = _misrolled(game, step)
                    yield from events


def _settled(step: Told) -> Iterator[Record]:
    yield {"event": "throw_started"}
    faces = step["faces"] if step["verdict"] == "valid" else None
    yield {"event": "throw_settled", "verdict": step["verdict"], "faces": faces}


def _counted(game: Game, step: Told) -> Action:
    faces = tuple(step["faces"])
    return Knock(faces) if game.turn.phase is Phase.KNOCK else Throw(faces)


def _misrolled(game: Game, step: Told) -> tuple[Game, list[Record]]:
    if game.turn.phase is Phase.SET_ASIDE:  # the throw before it stands
        return game, [{"event": "misroll", "relief": None}]
    return _after(game, [Misroll(tuple(MisrollReason(kind) for kind in step["reasons"]))])


def _after(game: Game, actions: Iterable[Action]) -> tuple[Game, list[Record]]:
    told: list[Record] = []
    for action in actions:
        game, events = apply(game, action)
        told += _records(events)
    return game, told


def _records(events: Iterable[Event]) -> list[Record]:
    records = [event.record() for event in events]
    return [{key: each[key] for key in ("event", *NAMED[str(each["event"])])} for each in records]
