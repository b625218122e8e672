"""Games and their changes as the JSON that is stored, and back.

A start is `{"format": 1, "rules": {...}, "players": [...], "first_seat": 0}`, `rules` with every field.

A change is `{"format": 1, "events": [...], "keep": 7, "actions": [...], "lying": {...}, "wait": {...},
"steps": [...], "left": [...], "assumed": {...}, "sides": [...]}`:

    events    what was told, as the contract has it
    keep      how many actions of the game's log before still stand: an undo keeps fewer
    actions   those that came after them, see `scoring.actions.action_record`
    lying     the throw that lies, with the referee's verdict; null: none. `added_px`: face and place of each
              die that was not seen; `side_deg`: from where the hand came
    wait      why it does not count, or null
    steps     what a person did since the latest throw and may take back one by one: its name and what was
              before it (`keep` of the log after this change, `actions`, `lying`, `wait`)
    left      the faces left of the throw that counts, each time dice were lifted out of it
    assumed   the log before the turn was banked because the tray was left empty (`keep`, `actions`), or null
    sides     from where hands threw: place in the log, degrees

What the camera sees at the moment (a covered tray, a moved view) is not kept: it sees that again. FORMAT
grows when an older titusind would misread a record; the schema's version grows with it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scoring.actions import Action, CountAs, Knock, Misroll, Throw, action_record
from scoring.game import Game, new_game, replay, start_of
from scoring.records import action_of
from scoring.ruleset import from_record, to_record
from table.errors import StoredGameError
from table.events import THROW_SETTLED, TableEvent, Wait, WaitKind
from table.sides import SeenSide
from table.state import LyingThrow, Step, TableState
from table.verdict_json import verdict_of, verdict_record
from vision.domain import DieState, Verdict

FORMAT = 1
Log = tuple[Action, ...]
_FALLS: frozenset[type[Action]] = frozenset({Throw, Misroll, Knock, CountAs})  # say how a throw fell


def stands(state: TableState) -> tuple[object, ...]:
    """Return what is kept of a state: all but what the camera sees at the moment and what was told last."""
    return state.game, state.lying, state.wait, state.steps, state.left, state.assumed, state.sides


def start_text(game: Game) -> str:
    """Write how `game` began."""
    rules = to_record(game.ruleset)
    return _text({"rules": rules, "players": game.players, "first_seat": game.first_seat})


def change_text(before: Log, after: TableState, events: Iterable[TableEvent]) -> str:
    """Write the change to `after`, when the log stood as `before`, that was told as `events`."""
    return _text(
        {
            "events": [event.record() for event in events],
            **_log_record(before, after.game.log),
            **_throw_record(after.lying, after.wait),
            "steps": [_step_record(step, after.game.log) for step in after.steps],
            "left": after.left,
            "assumed": None if after.assumed is None else _log_record(after.game.log, after.assumed.log),
            "sides": [[each.place, each.side_deg] for each in after.sides],
        }
    )


def read_start(text: str) -> Game:
    """Return the game that `text` is the start of; raises StoredGameError."""
    try:
        record = _record(text)
        return new_game(from_record(record["rules"]), record["players"], record["first_seat"])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise _unreadable(error) from error


def read_game(start: Game, changes: Sequence[str]) -> TableState:
    """Return where the game that began as `start` stands after `changes`; raises StoredGameError."""
    log: Log = ()
    last: Mapping[str, Any] | None = None
    try:
        for text in changes:
            last = _record(text)
            log = _log_after(log, last)
        return TableState(start) if last is None else _state(start, log, last)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise _unreadable(error) from error


def read_throws(start: Game, changes: Sequence[str]) -> tuple[Game, dict[int, Mapping[str, Any]]]:
    """Return the game that began as `start` as it stands after `changes`, and what was seen of its throws.

    By the place in its log of what says how a throw fell: the referee's verdict, as it is stored. Raises
    StoredGameError.
    """
    log: Log = ()
    seen: dict[int, Mapping[str, Any]] = {}
    try:
        for text in changes:
            record = _record(text)
            log = _log_after(log, record)
            seen = {place: verdict for place, verdict in seen.items() if place < record["keep"]}
            lying, told = record["lying"], map(type, log[record["keep"] :])
            if lying is not None and lying["verdict"] is not None and (lying["counted"] or _FALLS & {*told}):
                seen[_latest_throw(log)] = lying["verdict"]
        return replay(start, log), seen
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise _unreadable(error) from error


def _latest_throw(log: Log) -> int:
    return next((place for place in reversed(range(len(log))) if type(log[place]) in _FALLS), -1)


def read_verdict(change: str) -> Verdict | None:
    """Return the verdict on the latest throw that a change told of, None where there is none to be read."""
    try:
        told = [event for event in _record(change)["events"] if event["event"] == THROW_SETTLED]
        return verdict_of(told[-1]) if told else None
    except (KeyError, TypeError, ValueError, AttributeError):
        return None


def _text(fields: Mapping[str, object]) -> str:
    record = {"format": FORMAT, **fields}
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _record(text: str) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(text)
    if record["format"] != FORMAT:
        raise ValueError(f"format {record['format']}; accepted is {FORMAT}")
    return record


def _unreadable(error: Exception) -> StoredGameError:
    missing = f"no {error}" if isinstance(error, KeyError) else str(error)
    return StoredGameError(f"what is stored of it cannot be read ({missing})")


def _log_record(before: Log, after: Log) -> dict[str, object]:
    same = 0
    while same < min(len(before), len(after)) and before[same] == after[same]:
        same += 1
    return {"keep": same, "actions": [action_record(action) for action in after[same:]]}


def _log_after(before: Log, record: Mapping[str, Any]) -> Log:
    keep = record["keep"]
    if not 0 <= keep <= len(before):
        raise ValueError(f"keeps {keep} of {len(before)} actions")
    return (*before[:keep], *map(action_of, record["actions"]))


def _throw_record(lying: LyingThrow | None, wait: Wait | None) -> dict[str, object]:
    waits = None if wait is None else {"kind": wait.kind.value, "detail": wait.detail}
    return {"lying": None if lying is None else _lying_record(lying), "wait": waits}


def _lying_record(lying: LyingThrow) -> dict[str, object]:
    return {
        "faces": lying.faces[: lying.seen],
        "verdict": None if lying.verdict is None else verdict_record(lying.verdict),
        "removed": sorted(lying.removed),
        "counted": lying.counted,
        "by_hand": lying.by_hand,
        "lies": [[place, state.value] for place, state in lying.lies],
        "ruled": sorted(lying.ruled),
        "added_px": list(zip(lying.faces[lying.seen :], lying.added_px, strict=True)),
        "misrolled": lying.misrolled,
        "side_deg": lying.side_deg,
    }


def _step_record(step: Step, log: Log) -> dict[str, object]:
    return {"name": step.name, **_log_record(log, step.game.log), **_throw_record(step.lying, step.wait)}


def _state(start: Game, log: Log, record: Mapping[str, Any]) -> TableState:
    steps = tuple(_step(start, log, each) for each in record["steps"])
    return TableState(
        replay(start, log),
        _lying(record["lying"]),
        _wait(record["wait"]),
        steps=steps,
        left=tuple(map(tuple, record.get("left", ()))),
        assumed=_assumed(start, log, record.get("assumed")),
        sides=tuple(SeenSide(place, side_deg) for place, side_deg in record.get("sides", ())),
    )


def _assumed(start: Game, log: Log, record: Mapping[str, Any] | None) -> Game | None:
    return None if record is None else replay(start_of(start), _log_after(log, record))


def _step(start: Game, log: Log, record: Mapping[str, Any]) -> Step:
    game = replay(start_of(start), _log_after(log, record))
    return Step(record["name"], game, _lying(record["lying"]), _wait(record["wait"]))


def _lying(record: Mapping[str, Any] | None) -> LyingThrow | None:
    if record is None:
        return None
    verdict = None if record["verdict"] is None else verdict_of(record["verdict"])
    added = record.get("added_px", ())
    return LyingThrow(
        (*record["faces"], *(face for face, _ in added)),
        verdict,
        frozenset(record["removed"]),
        record["counted"],
        record["by_hand"],
        tuple((place, DieState(state)) for place, state in record.get("lies", ())),
        frozenset(record.get("ruled", ())),
        tuple(None if at_px is None else (at_px[0], at_px[1]) for _, at_px in added),
        record.get("misrolled"),
        record.get("side_deg"),
    )


def _wait(record: Mapping[str, Any] | None) -> Wait | None:
    return None if record is None else Wait(WaitKind(record["kind"]), record["detail"])
