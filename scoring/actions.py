"""What can happen in a game: frozen actions. Their log is the history of the game."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import ClassVar, TypeAlias

from scoring.faces import Faces

MISROLL_KINDS = ("outside", "missing", "tilted", "stacked")


@dataclass(frozen=True, slots=True)
class Throw:
    """A valid throw of all the dice in hand shows `faces`, in any order."""

    kind: ClassVar[str] = "throw"
    faces: Faces

    def __post_init__(self) -> None:
        """Own the faces: a list that its owner changes must not change the log."""
        object.__setattr__(self, "faces", tuple(self.faces))


@dataclass(frozen=True, slots=True)
class MisrollReason:
    """Why a throw does not count: `kind` is one of `MISROLL_KINDS`.

    `die`: its place among the dice read, and `face` what it shows, None where no one die is meant or read.
    `amount`: how far it leans in degrees, or lies above the floor or beyond the edge in mm, None when not
    measured. `detail`: the referee's own words.
    """

    kind: str
    die: int | None = None
    face: int | None = None
    amount: float | None = None
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Misroll:
    """A throw was ruled a misroll for `reasons`; none: a person said so."""

    kind: ClassVar[str] = "misroll"
    reasons: tuple[MisrollReason, ...] = ()

    def __post_init__(self) -> None:
        """Own the reasons: a list that its owner changes must not change the log."""
        object.__setattr__(self, "reasons", tuple(self.reasons))


@dataclass(frozen=True, slots=True)
class Knock:
    """The one knock on a leaning die: `faces` of the throw now, or None when it did not help."""

    kind: ClassVar[str] = "knock"
    faces: Faces | None

    def __post_init__(self) -> None:
        """Own the faces: a list that its owner changes must not change the log."""
        if self.faces is not None:
            object.__setattr__(self, "faces", tuple(self.faces))


@dataclass(frozen=True, slots=True)
class CountAs:
    """A person rules what dice that did not lie flat would have shown: the throw counts as `faces`.

    `ruled`: those of the faces that were ruled on, "it would have been a 4".
    """

    kind: ClassVar[str] = "count_as"
    faces: Faces
    ruled: Faces

    def __post_init__(self) -> None:
        """Own the faces: a list that its owner changes must not change the log."""
        object.__setattr__(self, "faces", tuple(self.faces))
        object.__setattr__(self, "ruled", tuple(self.ruled))


@dataclass(frozen=True, slots=True)
class PutAside:
    """The player sets aside `faces` of the throw that lies; `source`, how it was known: `seen` or `touch`."""

    kind: ClassVar[str] = "set_aside"
    faces: Faces
    source: str = "touch"

    def __post_init__(self) -> None:
        """Own the faces: a list that its owner changes must not change the log."""
        object.__setattr__(self, "faces", tuple(self.faces))


@dataclass(frozen=True, slots=True)
class Bank:
    """The player stops and banks the turn's points."""

    kind: ClassVar[str] = "bank"


@dataclass(frozen=True, slots=True)
class DeclineRelief:
    """The player does not take the first throw's relief: the throw is a bust."""

    kind: ClassVar[str] = "decline_relief"


@dataclass(frozen=True, slots=True)
class EndTurn:
    """A person rules that the turn ends: `points` above 0 are banked whatever they are; 0 is no bust."""

    kind: ClassVar[str] = "end_turn"
    points: int = 0


@dataclass(frozen=True, slots=True)
class TurnTo:
    """A person rules that it is the turn of `player`: what was thrown and set aside in it is theirs."""

    kind: ClassVar[str] = "turn_to"
    player: str


@dataclass(frozen=True, slots=True)
class SetTotal:
    """A person rules that `player` has `total` points in all."""

    kind: ClassVar[str] = "set_total"
    player: str
    total: int


@dataclass(frozen=True, slots=True)
class TakeOut:
    """`player` plays no further; their turn, if it is theirs, ends without points and without a bust."""

    kind: ClassVar[str] = "take_out"
    player: str


@dataclass(frozen=True, slots=True)
class TakeIn:
    """`player`, who was taken out, plays again, with the total they had."""

    kind: ClassVar[str] = "take_in"
    player: str


@dataclass(frozen=True, slots=True)
class Join:
    """`player`, who did not play yet, plays from now on, after all others, with nothing on the sheet.

    It cannot be amended: who is not to play after all is taken out.
    """

    kind: ClassVar[str] = "join"
    player: str


SheetAction: TypeAlias = SetTotal | TakeOut | TakeIn | Join  # of no turn: changes the score sheet itself
TurnAction: TypeAlias = Throw | Misroll | Knock | CountAs | PutAside | Bank | DeclineRelief | EndTurn | TurnTo
PlainAction: TypeAlias = TurnAction | SheetAction


@dataclass(frozen=True, slots=True)
class Correct:
    """The latest throw was misread: it shows `faces`. What came of the misreading, even a bust, is void."""

    kind: ClassVar[str] = "correct"
    faces: Faces

    def __post_init__(self) -> None:
        """Own the faces: a list that its owner changes must not change the log."""
        object.__setattr__(self, "faces", tuple(self.faces))


@dataclass(frozen=True, slots=True)
class Amend:
    """What happened at `place`, counted from 0 in the log, was really `action`; None: it did not happen.

    All that followed is tried again; what has become impossible does not count, but stays in the log.
    """

    kind: ClassVar[str] = "amend"
    place: int
    action: PlainAction | None


Correction: TypeAlias = Correct | Amend
Action: TypeAlias = PlainAction | Correction


def action_record(action: Action) -> dict[str, object]:
    """Return the action as `{"action": kind, field: value, ...}` of plain values.

    What an amendment says to have happened is its field `really`. `scoring.records` reads it back.
    """
    if isinstance(action, Amend):
        really = None if action.action is None else action_record(action.action)
        return {"action": action.kind, "place": action.place, "really": really}
    return {"action": action.kind, **asdict(action)}
