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
    written = replace(
        game,
        tallies=tallies,
        trigger=seat if reached else game.trigger,
        turn_seats=(*game.turn_seats, seat),
    )
    passed = seats_to_next(written)
    if written.trigger is not None and any(_IS_OVER[game.ruleset.end](written, each) for each in passed):
        return _end_game(written)
    started = replace(written, turn=Turn(passed[-1]))
    return started, (TurnStarted(started.player),)


def seats_to_next(game: Game) -> tuple[int, ...]:
    """Return the seats from the present one to the next who plays: those who are out, then that player."""
    count = len(game.players)
    around = [(game.turn.seat + step) % count for step in range(1, count + 1)]
    plays = next(place for place, seat in enumerate(around) if seat not in game.out)
    return tuple(around[: plays + 1])


def game_over(game: Game) -> GameOver:
    """Return the event that `game`, which is over, has ended."""
    return GameOver(tuple(game.players[seat] for seat in game.winners), game.totals)


def _end_game(game: Game) -> tuple[Game, tuple[Event, ...]]:
    over = replace(game, winners=_winners(game), turn=Turn(game.turn.seat, phase=Phase.OVER))
    return over, (game_over(over),)


def _winners(game: Game) -> tuple[int, ...]:
    """Return the seats with the most points; with last turns, equalling the trigger does not beat it."""
    playing = {seat: tally.total for seat, tally in enumerate(game.tallies) if seat not in game.out}
    most = max(playing.values())
    leaders = tuple(seat for seat, total in playing.items() if total == most)
    if game.ruleset.end is not End.EQUAL_TURNS and game.trigger in leaders:
        return (game.trigger,)
    return leaders
