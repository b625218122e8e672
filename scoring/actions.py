"""What can happen in a game: frozen actions. Their log is the history of the game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from scoring.faces import Faces


@dataclass(frozen=True, slots=True)
class Throw:
    """A valid throw of all the dice in hand shows `faces`, in any order."""

    faces: Faces


@dataclass(frozen=True, slots=True)
class Misroll:
    """A throw was ruled a misroll; `reasons` are the referee's, like `tilted` (none: a person said so)."""

    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Knock:
    """The one knock on a leaning die: `faces` of the throw now, or None when it did not help."""

    faces: Faces | None


@dataclass(frozen=True, slots=True)
class PutAside:
    """The player sets aside `faces` of the throw that lies; `source`, how it was known: `seen` or `touch`."""

    faces: Faces
    source: str = "touch"


@dataclass(frozen=True, slots=True)
class Bank:
    """The player stops and banks the turn's points."""


@dataclass(frozen=True, slots=True)
class DeclineRelief:
    """The player does not take the first throw's relief: the throw is a bust."""


@dataclass(frozen=True, slots=True)
class Correct:
    """The latest throw was misread: it shows `faces`. What came of the misreading, even a bust, is void."""

    faces: Faces


Action: TypeAlias = Throw | Misroll | Knock | PutAside | Bank | DeclineRelief | Correct
