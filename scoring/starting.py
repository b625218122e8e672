"""Who starts: each player throws one die, the highest starts, tied players throw again.

Players throw in seating order; after a tie for the highest only the tied throw, until one is highest. From
the one who starts, the first seat of `scoring.game.new_game`, play goes clockwise, which is seating order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from scoring.errors import FacesError, IllegalActionError
from scoring.faces import is_face
from scoring.state import player_names


@dataclass(frozen=True, slots=True)
class StartThrow:
    """The player at `seat` threw `face` with one die."""

    seat: int
    face: int


@dataclass(frozen=True, slots=True)
class Starting:
    """Where the throwing for who starts stands; seats count from 0 in order of `players`.

    `throws`: all so far, oldest first.
    """

    players: tuple[str, ...]
    throws: tuple[StartThrow, ...] = ()

    @property
    def contenders(self) -> tuple[int, ...]:
        """Seats that may still start: all, then those tied, in the end the one that starts."""
        return self._round[0]

    @property
    def next_seat(self) -> int | None:
        """Who throws next; None when it is decided who starts."""
        contenders, thrown = self._round
        return contenders[len(thrown)] if len(contenders) > 1 else None

    @property
    def first_seat(self) -> int | None:
        """Who starts; None until it is decided."""
        contenders = self.contenders
        return contenders[0] if len(contenders) == 1 else None

    def throw(self, face: int) -> Starting:
        """Return it after the next player's throw of one die.

        Raises `FacesError` unless `face` is a whole number 1 to 6, `IllegalActionError` when it is decided
        who starts.
        """
        if self.next_seat is None:
            starter = self.players[self.contenders[0]]
            raise IllegalActionError(f"{starter} starts: no more throws are needed to decide it")
        if not is_face(face):
            raise FacesError(f"found {face!r}; accepted: one die with a face 1 to 6")
        return replace(self, throws=(*self.throws, StartThrow(self.next_seat, face)))

    def undo(self) -> Starting:
        """Return it as it was before the latest throw; raises `IllegalActionError` when there is none."""
        if not self.throws:
            raise IllegalActionError("there is no throw for who starts to undo")
        return replace(self, throws=self.throws[:-1])

    @property
    def _round(self) -> tuple[tuple[int, ...], tuple[StartThrow, ...]]:
        """The seats that throw in the latest round, and their throws in it so far."""
        contenders, left = tuple(range(len(self.players))), self.throws
        while 1 < len(contenders) <= len(left):
            thrown, left = left[: len(contenders)], left[len(contenders) :]
            highest = max(each.face for each in thrown)
            contenders = tuple(each.seat for each in thrown if each.face == highest)
        return contenders, left


def new_starting(players: Sequence[str]) -> Starting:
    """Return the throwing for who starts before its first throw.

    Raises `GameError` unless there are two or more players with different, non-empty names.
    """
    return Starting(player_names(players))
