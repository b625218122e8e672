"""What a game tells of its players and its dice. Pure; corrections are worked in."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from scoring.fairness import Fairness, fairness
from scoring.luck import luck
from scoring.played_turns import Ending, PlayedThrow, PlayedTurn, played_turns
from scoring.state import Game


@dataclass(frozen=True, slots=True)
class PlayerStatistics:
    """One player's game so far.

    `turns`: finished ones. `busts`: of them. `opened_in`: the round, from 1, of the first banking, None
    before it. `best_turn`: most points banked at once, None before the first banking. `throws`: those that
    count; `misrolls`: those that do not. `hot_dice`: how often all six dice were set aside. `luck`: points by
    which the throws were better than average, see `scoring.luck`. `made`: points of all finished turns,
    penalties taken off; `total`: on the sheet, a person's rulings worked in; `totals`: after each turn.
    """

    player: str
    turns: int
    busts: int
    opened_in: int | None
    best_turn: int | None
    throws: int
    misrolls: int
    hot_dice: int
    luck: float
    made: int
    total: int
    totals: tuple[int, ...]

    @property
    def bust_rate(self) -> float | None:
        """The share of finished turns that were busts; None before the first."""
        return self.busts / self.turns if self.turns else None

    @property
    def points_a_turn(self) -> float | None:
        """Points of a finished turn on average, penalties taken off; None before the first."""
        return self.made / self.turns if self.turns else None


@dataclass(frozen=True, slots=True)
class GameStatistics:
    """`players` in seating order; `dice`: all that were thrown in throws that count."""

    players: tuple[PlayerStatistics, ...]
    dice: Fairness


def game_statistics(game: Game) -> GameStatistics:
    """Return the statistics of `game` as it now stands."""
    turns = played_turns(game)
    by_seat = ([turn for turn in turns if turn.seat == seat] for seat in range(len(game.players)))
    players = tuple(map(_of_player, game.players, by_seat, game.totals.values()))
    counted = (throw.counted_faces or () for turn in turns for throw in turn.throws)
    return GameStatistics(players, fairness(itertools.chain.from_iterable(counted)))


def _of_player(player: str, turns: Sequence[PlayedTurn], total: int) -> PlayerStatistics:
    finished = [turn for turn in turns if turn.ending is not None]
    throws = [throw for turn in turns for throw in turn.throws]
    banked = [turn for turn in finished if turn.ending is Ending.BANKED]
    return PlayerStatistics(
        player,
        len(finished),
        sum(turn.ending is Ending.BUST for turn in finished),
        banked[0].round if banked else None,
        max((turn.points for turn in banked), default=None),
        sum(not throw.misroll for throw in throws),
        sum(throw.misroll for throw in throws),
        sum(throw.hot_dice for throw in throws),
        sum(map(_luck, throws)),
        sum(turn.points for turn in finished),
        total,
        tuple(turn.total for turn in finished),
    )


def _luck(throw: PlayedThrow) -> float:
    faces = throw.counted_faces
    return 0.0 if faces is None else luck(throw.before, faces)
