"""A person's rulings on the score sheet: whose turn it is, who plays, and what totals are.

A total is ruled below the target only, and never for a player who has reached it: games end by turns.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

from scoring.actions import Join, SetTotal, SheetAction, TakeIn, TakeOut, TurnTo
from scoring.endings import end_turn
from scoring.events import (
    Event,
    PlayerIn,
    PlayerJoined,
    PlayerOut,
    TotalRuled,
    TurnEnded,
    TurnRuled,
    TurnStarted,
)
from scoring.ruleset_fields import MOST_POINTS
from scoring.state import Game, Tally, without_points

Outcome: TypeAlias = tuple[Game, tuple[Event, ...]]


def no_ruling_on_sheet(game: Game, action: SheetAction | TurnTo) -> str | None:
    """Return the rule that forbids `action` now, in words, or None when it is legal."""
    return _no_newcomer(game, action) if isinstance(action, Join) else _no_ruling(game, action)


def _no_ruling(game: Game, action: SetTotal | TakeOut | TakeIn | TurnTo) -> str | None:
    if game.over:
        return "the game is over"
    if action.player not in game.players:
        return f"found no player {action.player!r}; accepted: {', '.join(game.players)}"
    is_out = game.players.index(action.player) in game.out
    match action:
        case TurnTo(player):
            wrong = f"it is the turn of {player} already" if player == game.player else None
            return f"{player} does not play" if is_out else wrong
        case SetTotal():
            return _no_total(game, action)
        case TakeOut(player):
            last = len(game.players) - len(game.out) == 1
            return f"{player} does not play" if is_out else "one player at least must play" if last else None
        case TakeIn(player):
            return None if is_out else f"{player} plays already"


def _no_newcomer(game: Game, joining: Join) -> str | None:
    """Return why a player cannot join; a game that is over takes them in, as corrections may reopen it."""
    player = joining.player
    if player in game.players:
        return f"{player} plays already"
    usable = player and player == player.strip()
    return None if usable else f"found {player!r} as a player's name; accepted: text without spaces around it"


def _no_total(game: Game, action: SetTotal) -> str | None:
    target, was = game.ruleset.target, game.totals[action.player]
    if was >= target:
        return f"{action.player} has reached the target: correct the turn that reached it"
    if type(action.total) is not int or not -MOST_POINTS <= action.total < target:
        return f"found a total of {action.total!r}; accepted: {-MOST_POINTS} to below the target, {target}"
    return f"{action.player} has {was} already" if action.total == was else None


def of_the_sheet(game: Game, action: SheetAction) -> Outcome:
    """Return the game after a ruling, which must be legal, and what came of it."""
    if isinstance(action, Join):
        return _with_newcomer(game, action.player), (PlayerJoined(action.player),)
    seat = game.players.index(action.player)
    match action:
        case SetTotal(player, total):
            return _with_total(game, seat, total), (TotalRuled(player, game.totals[player], total),)
        case TakeIn(player):
            return replace(game, out=game.out - {seat}), (PlayerIn(player, game.totals[player]),)
        case TakeOut(player):
            without = replace(game, out=game.out | {seat})
            gone = PlayerOut(player, game.totals[player])
            if seat != game.turn.seat:
                return without, (gone,)
            after, events = end_turn(without, without_points(game.tally))
            return after, (gone, TurnEnded(player, game.totals[player]), *events)


def _with_total(game: Game, seat: int, total: int) -> Game:
    """Who has points has opened, who has none has not; below zero it stays as it was."""
    tally = game.tallies[seat]
    ruled = tally.ruled + total - tally.total
    changed: Tally = replace(tally, ruled=ruled, opened=total > 0 or (tally.opened and total < 0))
    return replace(game, tallies=(*game.tallies[:seat], changed, *game.tallies[seat + 1 :]))


def _with_newcomer(game: Game, player: str) -> Game:
    players, tallies = (*game.players, player), (*game.tallies, Tally())
    return replace(game, players=players, tallies=tallies, joined=game.joined + 1)


def turned_to(game: Game, player: str) -> Outcome:
    """Return the game whose turn, as it stands, is that of `player`."""
    turn = replace(game.turn, seat=game.players.index(player))
    return replace(game, turn=turn), (TurnRuled(player, game.player), TurnStarted(player))
