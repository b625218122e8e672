"""The end of a turn: the score sheet, whose turn is next, and when and how the game ends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from scoring.events import Event, GameOver, TurnStarted
from scoring.ruleset import End
from scoring.state import Game, Phase, Tally, Turn

# Whether the game is over when `seat` would be next, once the target has been reached.
_IS_OVER: dict[End, Callable[[Game, int], bool]] = {
    End.FIRST: lambda _game, _seat: True,
    End.LAST_TURN_EACH: lambda game, seat: seat == game.trigger,
    End.EQUAL_TURNS: lambda game, seat: seat == game.first_seat,
}


def end_turn(game: Game, tally: Tally) -> tuple[Game, tuple[Event, ...]]:
    """Write the finished turn's `tally` and start the next turn, or end the game."""
    seat = game.turn.seat
    tallies = (*game.tallies[:seat], tally, *game.tallies[seat + 1 :])
    reached = game.trigger is None and tally.total >= game.ruleset.target
    written = replace(game, tallies=tallies, trigger=seat if reached else game.trigger)
    following = (seat + 1) % len(game.players)
    if written.trigger is not None and _IS_OVER[game.ruleset.end](written, following):
        return _end_game(written)
    started = replace(written, turn=Turn(following))
    return started, (TurnStarted(started.player),)


def game_over(game: Game) -> GameOver:
    """Return the event that `game`, which is over, has ended."""
    return GameOver(tuple(game.players[seat] for seat in game.winners), game.totals)


def _end_game(game: Game) -> tuple[Game, tuple[Event, ...]]:
    over = replace(game, winners=_winners(game), turn=Turn(game.turn.seat, phase=Phase.OVER))
    return over, (game_over(over),)


def _winners(game: Game) -> tuple[int, ...]:
    """Return the seats with the most points; with last turns, equalling the trigger does not beat it."""
    most = max(tally.total for tally in game.tallies)
    leaders = tuple(seat for seat, tally in enumerate(game.tallies) if tally.total == most)
    if game.ruleset.end is not End.EQUAL_TURNS and game.trigger in leaders:
        return (game.trigger,)
    return leaders
