"""What a person taps: one frozen type each, and the JSON Lines file that replays them.

A line is `{"t_s": 4.2, "action": "set_aside", "faces": [1, 5]}`. Actions and their fields: `set_aside` faces;
`bank`; `misroll`; `undo`; `decline_relief`; `knock` faces, or null when it did not help; `correct` die (its
place among the `dice` of the throw) and face, null when it is no die; `confirm` the throw as it was read and
corrected; `count_anyway` the throw although it is a misroll; `throw` faces, a throw entered by hand; `lies`
die and state, `flat`, `tilted`, `stacked` or `outside`; `would_be` die and face, what a die that does not lie
flat would have shown; `add_die` face and at_px, a die that was not seen and where in the frame it lies, or
null; `turn_to`, `take_out`, `take_in` and `join` player; `set_total` player and total; `amend` place in the
game's log and really, the action that happened there as `scoring.actions` writes it, or null for none;
`new_game`, once a game is over; `begin_game` players, rules, the name of a preset or every field of a rule
set, and first_seat, at any time.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from scoring.actions import Action, Bank, DeclineRelief, Knock, Misroll, PutAside
from scoring.errors import FacesError, GameError, RecordError, RulesetError
from scoring.faces import Faces, sorted_faces
from scoring.game import Game, new_game
from scoring.records import action_of
from scoring.ruleset import from_record, load_preset
from table.errors import EventFileError
from vision.domain import DieState

SAYABLE = (DieState.FLAT, DieState.TILTED, DieState.STACKED, DieState.OUTSIDE)


@dataclass(frozen=True, slots=True)
class Play:
    """An action of the game itself."""

    action: Action


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back the latest thing a person did or, after that, the game's latest action."""


@dataclass(frozen=True, slots=True)
class CorrectDie:
    """The die at place `die` of the throw shows `face`; None: it is no die."""

    die: int
    face: int | None


@dataclass(frozen=True, slots=True)
class SayLie:
    """The die at place `die` lies as `state` says: a misroll is named by it, or taken back."""

    die: int
    state: DieState


@dataclass(frozen=True, slots=True)
class WouldBe:
    """The die at place `die`, which does not lie flat, would have shown `face`, and counts as that."""

    die: int
    face: int


@dataclass(frozen=True, slots=True)
class AddDie:
    """A die that was not seen shows `face`; it lies `at_px` in the frame, None if nobody said where."""

    face: int
    at_px: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Confirm:
    """Count the throw that waits as it was read and corrected; a misroll stays one."""


@dataclass(frozen=True, slots=True)
class CountAnyway:
    """Count the throw that lies as it was read and corrected, whatever makes it a misroll."""


@dataclass(frozen=True, slots=True)
class EnterThrow:
    """A throw the camera did not see, entered by hand."""

    faces: Faces


@dataclass(frozen=True, slots=True)
class NewGame:
    """Play again, the same players; the next one begins."""


@dataclass(frozen=True, slots=True)
class BeginGame:
    """Play `game`, a new one, and leave the one under way as it stands."""

    game: Game


@dataclass(frozen=True, slots=True)
class GoOn:
    """Go on with `game`, which was left and is kept as `number`; the one under way is left as it stands."""

    game: Game
    number: int


DieRuling: TypeAlias = SayLie | WouldBe | AddDie
Touch: TypeAlias = (
    Play | Undo | CorrectDie | DieRuling | Confirm | CountAnyway | EnterThrow | NewGame | BeginGame | GoOn
)


@dataclass(frozen=True, slots=True)
class TimedTouch:
    """A touch and the clip's time when it was made."""

    t_s: float
    touch: Touch


class _UnfitError(Exception):
    """A field that does not fit: what was found, and what is accepted."""


def read_touches(path: Path) -> list[TimedTouch]:
    """Return the touches in `path` in order of time.

    Raises EventFileError naming file, line, what was found and what is accepted.
    """
    touches = []
    for number, record in read_records(path):
        try:
            touches.append(_timed_touch(record))
        except _UnfitError as unfit:
            raise EventFileError(f"{path}: line {number}: {unfit}") from unfit
    return sorted(touches, key=lambda touch: touch.t_s)


def read_records(path: Path) -> list[tuple[int, dict[str, object]]]:
    """Return the objects of the JSON Lines file at `path` with their line numbers; empty lines are skipped.

    Raises EventFileError if it cannot be read or a line holds no object.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise EventFileError(f"{path}: cannot be read ({error.strerror}); accepted is JSON Lines") from error
    except UnicodeDecodeError as error:
        raise EventFileError(f"{path}: not UTF-8; accepted is JSON Lines in UTF-8") from error
    return [(number, _object(path, number, line)) for number, line in enumerate(lines, 1) if line.strip()]


def _object(path: Path, number: int, line: str) -> dict[str, object]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise EventFileError(
            f"{path}: line {number}: not JSON ({error}); accepted is one object a line"
        ) from error
    if not isinstance(record, dict):
        raise EventFileError(f"{path}: line {number}: found {_shown(record)}; accepted is one object a line")
    return record


def _timed_touch(record: dict[str, object]) -> TimedTouch:
    t_s, name = record.pop("t_s", None), record.pop("action", None)
    if isinstance(t_s, bool) or not isinstance(t_s, int | float) or not 0 <= t_s < 1e9:
        raise _UnfitError(f"t_s: found {_shown(t_s)}; accepted are seconds of the clip, 0 or more")
    if not isinstance(name, str) or name not in _READERS:
        raise _UnfitError(f"action: found {_shown(name)}; accepted are {', '.join(_READERS)}")
    fields, read = _READERS[name]
    if record.keys() != fields:
        found = ", ".join(record) or "none"
        raise _UnfitError(f"{name}: found fields {found}; accepted are {', '.join(sorted(fields)) or 'none'}")
    return TimedTouch(float(t_s), read(record))


def _faces(record: Mapping[str, object]) -> Faces:
    faces = record["faces"]
    numbers = isinstance(faces, list) and all(type(face) is int for face in faces)
    try:
        return sorted_faces(faces if numbers and isinstance(faces, list) else ())
    except FacesError as error:
        raise _UnfitError(
            f"faces: found {_shown(faces)}; accepted are 1 to 6 faces like [1, 1, 5]"
        ) from error


def _whole_number(record: Mapping[str, object], key: str, least: int, most: int) -> int:
    value = record[key]
    if type(value) is not int or not least <= value <= most:
        raise _UnfitError(f"{key}: found {_shown(value)}; accepted is a whole number {least} to {most}")
    return value


def _knock(record: Mapping[str, object]) -> Touch:
    return Play(Knock(None if record["faces"] is None else _faces(record)))


def _correct(record: Mapping[str, object]) -> Touch:
    face = None if record["face"] is None else _whole_number(record, "face", 1, 6)
    return CorrectDie(_whole_number(record, "die", 0, 99), face)


def _begin_game(record: Mapping[str, object]) -> Touch:
    players, rules = record["players"], record["rules"]
    if not isinstance(players, list) or not all(isinstance(name, str) for name in players):
        raise _UnfitError(f'players: found {_shown(players)}; accepted are names like ["Ada", "Bo"]')
    if not isinstance(rules, str | dict):
        raise _UnfitError(f"rules: found {_shown(rules)}; accepted is a preset's name, or every field")
    first_seat = _whole_number(record, "first_seat", 0, max(0, len(players) - 1))
    try:
        ruleset = load_preset(rules) if isinstance(rules, str) else from_record(rules)
        return BeginGame(new_game(ruleset, players, first_seat))
    except (GameError, RulesetError) as error:
        raise _UnfitError(str(error)) from error


def _lies(record: Mapping[str, object]) -> Touch:
    accepted = [state.value for state in SAYABLE]
    if record["state"] not in accepted:
        raise _UnfitError(f"state: found {_shown(record['state'])}; accepted are {', '.join(accepted)}")
    return SayLie(_whole_number(record, "die", 0, 99), DieState(str(record["state"])))


def _would_be(record: Mapping[str, object]) -> Touch:
    return WouldBe(_whole_number(record, "die", 0, 99), _whole_number(record, "face", 1, 6))


def _add_die(record: Mapping[str, object]) -> Touch:
    face, at_px = _whole_number(record, "face", 1, 6), record["at_px"]
    if at_px is None:
        return AddDie(face)
    match at_px:
        case [int() | float() as x, int() | float() as y]:
            return AddDie(face, (float(x), float(y)))
    raise _UnfitError(f"at_px: found {_shown(at_px)}; accepted is [x, y] in the frame, or null")


def _ruling(name: str, *fields: str) -> tuple[frozenset[str], Callable[[Mapping[str, object]], Touch]]:
    """Return how an action of the game is read that is written as `scoring.records` reads it."""

    def read(record: Mapping[str, object]) -> Touch:
        try:
            return Play(action_of({"action": name, **record}))
        except RecordError as error:
            raise _UnfitError(str(error)) from error

    return frozenset(fields), read


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else text[:40] + "..."


_NO_FIELDS: frozenset[str] = frozenset()
_READERS: dict[str, tuple[frozenset[str], Callable[[Mapping[str, object]], Touch]]] = {
    "set_aside": (frozenset({"faces"}), lambda record: Play(PutAside(_faces(record)))),
    "bank": (_NO_FIELDS, lambda _: Play(Bank())),
    "misroll": (_NO_FIELDS, lambda _: Play(Misroll())),
    "undo": (_NO_FIELDS, lambda _: Undo()),
    "decline_relief": (_NO_FIELDS, lambda _: Play(DeclineRelief())),
    "knock": (frozenset({"faces"}), _knock),
    "correct": (frozenset({"die", "face"}), _correct),
    "confirm": (_NO_FIELDS, lambda _: Confirm()),
    "count_anyway": (_NO_FIELDS, lambda _: CountAnyway()),
    "throw": (frozenset({"faces"}), lambda record: EnterThrow(_faces(record))),
    "lies": (frozenset({"die", "state"}), _lies),
    "would_be": (frozenset({"die", "face"}), _would_be),
    "add_die": (frozenset({"face", "at_px"}), _add_die),
    "turn_to": _ruling("turn_to", "player"),
    "take_out": _ruling("take_out", "player"),
    "take_in": _ruling("take_in", "player"),
    "join": _ruling("join", "player"),
    "set_total": _ruling("set_total", "player", "total"),
    "amend": _ruling("amend", "place", "really"),
    "new_game": (_NO_FIELDS, lambda _: NewGame()),
    "begin_game": (frozenset({"players", "rules", "first_seat"}), _begin_game),
}
