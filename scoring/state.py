"""The state of a game: frozen values that say all there is to know between two actions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from scoring.actions import Action
from scoring.errors import GameError
from scoring.faces import ALL_DICE, Faces
from scoring.history import History
from scoring.ruleset import Ruleset
from scoring.set_asides import SetAside


class Phase(StrEnum):
    """What the turn waits for."""

    THROW = "throw"  # the dice in hand must be thrown
    SET_ASIDE = "set_aside"  # a throw lies: something must be set aside
    DECIDE = "decide"  # bank, or throw on
    RELIEF = "relief"  # nothing in the first throw: throw again, or decline
    KNOCK = "knock"  # a misroll that one knock may save
    OVER = "over"  # the game is over


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn under way at `seat`.

    `dice_left`: dice not set aside, in hand or lying; `faces`: the sorted throw that lies, if one does;
    `last_set_aside`: None until the turn's first.
    """

    seat: int
    phase: Phase = Phase.THROW
    points: int = 0
    dice_left: int = ALL_DICE
    faces: Faces | None = None
    last_set_aside: SetAside | None = None

    @property
    def hot_dice(self) -> bool:
        """Whether all six dice are set aside and may be thrown again."""
        last = self.last_set_aside
        return self.phase is Phase.DECIDE and last is not None and last.hot_dice


@dataclass(frozen=True, slots=True)
class Tally:
    """One player's score sheet: `entries` are the points of each finished turn (bust 0, a penalty below).

    `ruled`: points that a person's rulings on the total have added.
    """

    entries: tuple[int, ...] = ()
    opened: bool = False
    busts_in_row: int = 0
    ruled: int = 0

    @property
    def total(self) -> int:
        """Points on the sheet; below zero when penalties took more than was banked."""
        return sum(self.entries) + self.ruled


def without_points(tally: Tally) -> Tally:
    """Return the tally after a turn of 0 points that was no bust: it parts busts before and after it."""
    return replace(tally, entries=(*tally.entries, 0), busts_in_row=0)


@dataclass(frozen=True, slots=True)
class Game:
    """A game between two actions; `log` holds every action so far, oldest first.

    Seats count from 0 in playing order of `players`. `tallies` is by seat. `trigger` is the seat that first
    reached the target. `winners` (seats) is empty until the game is over. `out`: seats of those who play no
    further; `turn_seats`: whose each finished turn was; `joined`: how many of the
    last seats were taken since the game began. `history` is what the log says once corrections are
    worked in; everything else follows from it.
    """

    ruleset: Ruleset
    players: tuple[str, ...]
    first_seat: int
    tallies: tuple[Tally, ...]
    turn: Turn
    trigger: int | None = None
    winners: tuple[int, ...] = ()
    out: frozenset[int] = frozenset()
    joined: int = 0
    turn_seats: tuple[int, ...] = ()
    log: tuple[Action, ...] = ()
    history: History = field(default_factory=History)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.winners)

    @property
    def player(self) -> str:
        """Name of the player whose turn it is (was, when the game is over)."""
        return self.players[self.turn.seat]

    @property
    def tally(self) -> Tally:
        """The score sheet of the player whose turn it is."""
        return self.tallies[self.turn.seat]

    @property
    def finished_turns(self) -> int:
        """How many turns have ended; also the number, from 0, of the turn under way."""
        return len(self.turn_seats)

    def player_of(self, turn: int) -> str:
        """Return the name of the player whose turn is number `turn` of the game, from 0."""
        if turn < self.finished_turns:
            return self.players[self.turn_seats[turn]]
        began = self.history.seat_of(turn)
        current = turn == self.finished_turns and not self.over
        return self.player if current or began is None else self.players[began]

    @property
    def totals(self) -> dict[str, int]:
        """Total by player's name, in seating order."""
        return {name: tally.total for name, tally in zip(self.players, self.tallies, strict=True)}


def new_game(ruleset: Ruleset, players: Sequence[str], first_seat: int = 0) -> Game:
    """Return a game about to start at `first_seat`.

    Raises `GameError` unless there are two or more players with different, non-empty names.
    """
    names = player_names(players)
    if not 0 <= first_seat < len(names):
        raise GameError(f"first seat: found {first_seat}; accepted: 0 to {len(names) - 1}")
    return Game(ruleset, names, first_seat, (Tally(),) * len(names), Turn(first_seat))


def start_of(game: Game) -> Game:
    """Return the game as it was before its first action."""
    beginners = len(game.players) - game.joined
    return new_game(game.ruleset, game.players[:beginners], game.first_seat)


def player_names(players: Sequence[str]) -> tuple[str, ...]:
    """Return the names, trimmed; raises `GameError` unless they are two or more, different and not empty."""
    names = tuple(name.strip() for name in players)
    if len(names) < 2 or len(set(names)) < len(names) or not all(names):
        raise GameError(
            f"players: found {', '.join(map(repr, names)) or 'none'}; accepted: two or more different names"
        )
    return names
