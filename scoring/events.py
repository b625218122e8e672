"""What came of an action: frozen events for the tally, the touchscreen, the voice and the log."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from scoring.actions import MisrollReason, PlainAction, action_record
from scoring.banking import BankObstacle
from scoring.faces import Faces
from scoring.history import Impossible


@dataclass(frozen=True, slots=True)
class Event:
    """Base of all events; `kind` is its name in the program's output. Players go by name."""

    kind: ClassVar[str]

    def record(self) -> dict[str, object]:
        """Return the event as `{"event": kind, field: value, ...}` of plain values."""
        return {"event": self.kind, **dataclasses.asdict(self)}


@dataclass(frozen=True, slots=True)
class TurnStarted(Event):
    """It is `player`'s turn."""

    kind: ClassVar[str] = "turn_started"
    player: str


@dataclass(frozen=True, slots=True)
class Misrolled(Event):
    """The throw does not count; `relief` is `knock` when one knock may still save it.

    `bust`: the rules make it one, and no knock can save it; else the same dice may be thrown again.
    """

    kind: ClassVar[str] = "misroll"
    reasons: tuple[MisrollReason, ...]
    relief: str | None
    bust: bool = False


@dataclass(frozen=True, slots=True)
class Ruled(Event):
    """A person ruled that the throw of `player` counts as `faces`; what did not lie flat as `ruled`."""

    kind: ClassVar[str] = "ruled"
    player: str
    faces: Faces
    ruled: Faces


@dataclass(frozen=True, slots=True)
class Option:
    """One set-aside on offer; `bust_probability` is that of throwing the `dice_left` after it.

    `passes_target`: with the target to be met exactly, it ends the turn with 0. `may_bank`: as far as the
    dice go, the turn could be banked with it; whether its points reach the limits is not asked.
    """

    faces: Faces
    points: int
    dice_left: int
    bust_probability: float
    passes_target: bool = False
    may_bank: bool = True


@dataclass(frozen=True, slots=True)
class Options(Event):
    """The throw of `faces` lies; `set_asides` are all that may be made of it, most points first.

    `best`: the most points of those that do not pass the target; 0 when all do.
    """

    kind: ClassVar[str] = "options"
    faces: Faces
    set_asides: tuple[Option, ...]
    best: int


@dataclass(frozen=True, slots=True)
class SetAsideMade(Event):
    """`faces` were set aside for `points`; `dice_left` to throw (six again after `hot_dice`).

    `bank_obstacles`: all that still keeps the player from banking.
    """

    kind: ClassVar[str] = "set_aside"
    faces: Faces
    points: int
    turn_points: int
    source: str
    dice_left: int
    hot_dice: bool
    bank_obstacles: tuple[BankObstacle, ...] = ()


@dataclass(frozen=True, slots=True)
class Bust(Event):
    """The turn's points, `lost`, are gone; `penalty` is what a third bust in a row takes off the total."""

    kind: ClassVar[str] = "bust"
    player: str
    lost: int
    penalty: int
    total: int


@dataclass(frozen=True, slots=True)
class Relief(Event):
    """Nothing in the first throw of a player who has not opened: all six may be thrown again."""

    kind: ClassVar[str] = "relief"
    player: str


@dataclass(frozen=True, slots=True)
class TargetPassed(Event):
    """With the target to be met exactly, `points` would pass it: the turn scores 0."""

    kind: ClassVar[str] = "target_passed"
    player: str
    points: int
    total: int


@dataclass(frozen=True, slots=True)
class Banked(Event):
    """`points` were banked and make `total`.

    `opened`: it is the player's first banking, where the rules ask for an opening; `final_round`: it reached
    the target, and others have turns left.
    """

    kind: ClassVar[str] = "banked"
    player: str
    points: int
    total: int
    opened: bool = False
    final_round: bool = False


@dataclass(frozen=True, slots=True)
class TurnEnded(Event):
    """A person ruled that the turn of `player` ends without points, and without a bust."""

    kind: ClassVar[str] = "turn_ended"
    player: str
    total: int


@dataclass(frozen=True, slots=True)
class TurnRuled(Event):
    """A person ruled that the turn is that of `player`, and not of `turn_was_of`."""

    kind: ClassVar[str] = "corrected"
    player: str
    turn_was_of: str


@dataclass(frozen=True, slots=True)
class TotalRuled(Event):
    """A person ruled that `player`, who had `total_was`, has `total` in all."""

    kind: ClassVar[str] = "corrected"
    player: str
    total_was: int
    total: int


@dataclass(frozen=True, slots=True)
class PlayerOut(Event):
    """`player` plays no further, and keeps `total`."""

    kind: ClassVar[str] = "player_out"
    player: str
    total: int


@dataclass(frozen=True, slots=True)
class PlayerIn(Event):
    """`player` plays again, with `total`."""

    kind: ClassVar[str] = "player_in"
    player: str
    total: int


@dataclass(frozen=True, slots=True)
class PlayerJoined(Event):
    """`player` plays from now on, with no points yet."""

    kind: ClassVar[str] = "player_joined"
    player: str


@dataclass(frozen=True, slots=True)
class Corrected(Event):
    """The latest throw, of `player`, was read as `was` and shows `faces`."""

    kind: ClassVar[str] = "corrected"
    player: str
    was: Faces
    faces: Faces


@dataclass(frozen=True, slots=True)
class Amended(Event):
    """What stood at `place` of the log as `was`, in a turn of `player`, is now `now`; None: nothing happened.

    By this, `impossible` no longer counts, what is at the places `restored` counts again, and the players
    `closed` have a turn that now ends with 0: what ended it is impossible, and others have played after it.
    `totals` by player, in seating order. In the record an action is `{"action": kind, field: value, ...}`.
    """

    kind: ClassVar[str] = "corrected"
    place: int
    player: str
    was: PlainAction | None
    now: PlainAction | None
    impossible: tuple[Impossible, ...]
    restored: tuple[int, ...]
    closed: tuple[str, ...]
    totals: Mapping[str, int]

    def record(self) -> dict[str, object]:
        """Return the event as `{"event": kind, field: value, ...}` of plain values."""
        return {
            **Event.record(self),
            "was": self.was and action_record(self.was),
            "now": self.now and action_record(self.now),
            "impossible": tuple(each.record() for each in self.impossible),
        }


@dataclass(frozen=True, slots=True)
class GameOver(Event):
    """The game is over; joint winners are all named. `totals` by player, in seating order."""

    kind: ClassVar[str] = "game_over"
    winners: tuple[str, ...]
    totals: Mapping[str, int]
