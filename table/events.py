"""What the table tells: events with the names and fields of the contract, for every sink alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from scoring.events import Event
from table.verdict_json import verdict_record
from vision.domain import Frame, Verdict

SECONDS_DIGITS, FLOAT_DIGITS = 3, 6
THROW_SETTLED = "throw_settled"


@dataclass(frozen=True, slots=True)
class Moment:
    """A frame's own time and number."""

    t_s: float
    frame: int


@dataclass(frozen=True, slots=True)
class TableEvent:
    """Something happened at the table; `fields` are plain values, ready for JSON.

    `of_game`: the event of the game that it tells, None for what the game knows nothing of.
    """

    at: Moment
    name: str
    fields: Mapping[str, object]
    of_game: Event | None = None

    def record(self) -> dict[str, object]:
        """Return the event as one object of the contract."""
        at = {"t_s": round(self.at.t_s, SECONDS_DIGITS), "frame": self.at.frame}
        return {**at, "event": self.name, **self.fields}


class WaitKind(StrEnum):
    """Why the game waits for a person, or for another throw."""

    UNSURE = "unsure"  # the throw was not read for sure
    WHICH_SET_ASIDE = "which_set_aside"  # dice were thrown again, and several set-asides leave as many
    BANKED_OR_THROWN = "banked_or_thrown"  # six dice after six set aside: the same player's or the next one's
    NOT_BANKED = "not_banked"  # banked because the tray was left empty, and then fewer than six dice
    DICE_DO_NOT_FIT = "dice_do_not_fit"  # not the number of dice that the turn has to throw
    NUDGED = "nudged"  # dice of a throw that counts were moved, and show other faces now
    NOT_THROWN = "not_thrown"  # the dice of a misroll were put right by hand
    GAME_OVER = "game_over"
    NOT_COUNTED = "not_counted"  # a person took the throw back, or what made it a misroll
    UNSEEN = "unseen"  # people played on by hand while no picture came: it may be what they entered
    COVERED = "covered"  # something that is no die covers the tray
    VIEW_MOVED = "view_moved"  # the camera or the tray is not where it was calibrated
    LIGHT_CHANGED = "light_changed"  # far brighter or darker than calibrated
    VIEW_UNCLEAR = "view_unclear"  # the picture is not as sharp as when calibrated
    NOT_CALIBRATED = "not_calibrated"  # the calibration is not of this camera
    CALIBRATING = "calibrating"  # a person calibrates the table: what lies in the tray is no throw


UNFIT_VIEWS = frozenset({WaitKind.VIEW_MOVED, WaitKind.LIGHT_CHANGED, WaitKind.VIEW_UNCLEAR})


@dataclass(frozen=True, slots=True)
class Wait:
    """Why the game waits, for programs and, in `detail`, for people."""

    kind: WaitKind
    detail: str


def moment_of(frame: Frame) -> Moment:
    """Return when `frame` was taken."""
    return Moment(frame.t_s, frame.index)


def game_events(at: Moment, events: Iterable[Event]) -> tuple[TableEvent, ...]:
    """Return what scoring says of an action as events of the table."""
    return tuple(_game_event(at, event) for event in events)


def _game_event(at: Moment, event: Event) -> TableEvent:
    fields = {key: _rounded(value) for key, value in event.record().items() if key != "event"}
    return TableEvent(at, event.kind, fields, event)


def _rounded(value: object) -> object:
    """Return `value` with every float in it rounded for print."""
    match value:
        case float():
            return round(value, FLOAT_DIGITS)
        case tuple() | list():
            return tuple(map(_rounded, value))
        case dict():
            return {key: _rounded(each) for key, each in value.items()}
    return value


def throw_settled(at: Moment, verdict: Verdict) -> TableEvent:
    """Return the event of a throw at rest, with all that was read."""
    return TableEvent(at, THROW_SETTLED, verdict_record(verdict))


def paused(at: Moment, wait: Wait) -> TableEvent:
    """Return the event that the game waits."""
    return TableEvent(at, "paused", {"reason": wait.kind.value, "detail": wait.detail})
