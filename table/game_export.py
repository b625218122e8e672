"""Kept games for other programs: CSV, a row a throw, and JSON, an object a game. Pure.

The columns of the CSV, `COLUMNS`; a field that does not apply is empty:

    game         number of the game in the file
    begun        when, UTC, ISO 8601
    turn, round  of the game, and of the player, each from 1
    player       whose turn it was; begins with an apostrophe where a spreadsheet would take it for a formula
    throw        number in the turn, from 1; empty for a turn that ended without one
    dice, faces  how many were thrown, and what they showed as digits, `112356`
    misroll      yes, or no: the throw counts
    set_aside    the dice set aside of it as digits
    points       what they gave
    luck         points by which the throw was better than average, see `scoring.luck`
    ending       how the turn ended, in the row of its last throw: banked, bust, passed_target, ruled_out
    turn_points  what the turn put on the sheet, in that row
    total        the player's total after it, in that row
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator

from scoring.actions import action_record
from scoring.faces import Faces
from scoring.luck import luck
from scoring.played_turns import PlayedThrow, PlayedTurn, played_turns
from scoring.ruleset import to_record
from scoring.statistics import GameStatistics, PlayerStatistics, game_statistics
from table.store.past_games import PastGame
from table.throw_pictures import picture_name

COLUMNS = (
    *("game", "begun", "turn", "round", "player", "throw", "dice", "faces", "misroll"),
    *("set_aside", "points", "luck", "ending", "turn_points", "total"),
)
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what a cell may begin with that a spreadsheet would work out
LUCK_DIGITS, SHARE_DIGITS = 2, 4


def games_as_csv(games: Iterable[PastGame]) -> str:
    """Return all games with one heading, lines ended as RFC 4180 has it."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    for game in games:
        writer.writerows(_rows(game))
    return text.getvalue()


def _rows(past: PastGame) -> Iterator[tuple[object, ...]]:
    for turn in played_turns(past.game):
        player = f"'{turn.player}" if turn.player.startswith(FORMULA) else turn.player
        of_turn = (past.number, past.begun, turn.number + 1, turn.round, player)
        throws = turn.throws or (None,)
        for number, throw in enumerate(throws, 1):
            last = number == len(throws) and turn.ending is not None
            end = (turn.ending, turn.points, turn.total) if last else ("", "", "")
            yield *of_turn, *_throw_cells(number, throw), *end


def _throw_cells(number: int, throw: PlayedThrow | None) -> tuple[object, ...]:
    if throw is None:
        return ("",) * 7
    misroll, set_aside = "yes" if throw.misroll else "no", throw.set_aside
    points = "" if set_aside is None else throw.points
    return (number, throw.dice, _digits(throw.faces), misroll, _digits(set_aside), points, _luck(throw))


def _digits(faces: Faces | None) -> str:
    return "".join(map(str, faces or ()))


def _luck(throw: PlayedThrow) -> float | str:
    faces = throw.counted_faces
    return "" if faces is None else round(luck(throw.before, faces), LUCK_DIGITS)


def game_as_record(past: PastGame) -> dict[str, object]:
    """Return the whole game as plain values: rules, players, turns with throws, statistics, and its log.

    `log`: every action as it was entered, corrections too, from which the game can be played anew; `place` of
    a throw is where in it stands how the throw fell. `picture`: its file's name in the folder of pictures,
    whether it is still kept or not; null where no camera saw the throw. Names of fields are those of the CSV.
    """
    game, told = past.game, game_statistics(past.game)
    return {
        "game": past.number,
        "begun": past.begun,
        "until": past.until,
        "rules": to_record(game.ruleset),
        "players": game.players,
        "first_seat": game.first_seat,
        "totals": game.totals,
        "over": game.over,
        "winners": [game.players[seat] for seat in game.winners],
        "turns": [_turn_record(turn, past) for turn in played_turns(game)],
        "statistics": _statistics_record(told),
        "log": [action_record(action) for action in game.log],
    }


def _turn_record(turn: PlayedTurn, past: PastGame) -> dict[str, object]:
    return {
        "turn": turn.number + 1,
        "round": turn.round,
        "player": turn.player,
        "throws": [_throw_record(throw, past) for throw in turn.throws],
        "ending": turn.ending,
        "turn_points": turn.points,
        "total": turn.total,
    }


def _throw_record(throw: PlayedThrow, past: PastGame) -> dict[str, object]:
    seen, faces = past.seen.get(throw.place), throw.counted_faces
    return {
        "place": throw.place,
        "dice": throw.dice,
        "faces": throw.faces,
        "misroll": throw.misroll,
        "set_aside": throw.set_aside,
        "points": throw.points,
        "hot_dice": throw.hot_dice,
        "luck": None if faces is None else round(luck(throw.before, faces), LUCK_DIGITS),
        "picture": None if seen is None else picture_name(seen),
    }


def _statistics_record(told: GameStatistics) -> dict[str, object]:
    return {
        "players": [_player_record(player) for player in told.players],
        "dice": {
            "counts": told.dice.counts,
            "chi_square": round(told.dice.chi_square, SHARE_DIGITS),
            "p_value": round(told.dice.p_value, SHARE_DIGITS + 2),
            "finding": told.dice.finding,
        },
    }


def _player_record(player: PlayerStatistics) -> dict[str, object]:
    rate, mean = player.bust_rate, player.points_a_turn
    return {
        "player": player.player,
        "turns": player.turns,
        "busts": player.busts,
        "bust_rate": None if rate is None else round(rate, SHARE_DIGITS),
        "points_a_turn": None if mean is None else round(mean, LUCK_DIGITS),
        "opened_in": player.opened_in,
        "best_turn": player.best_turn,
        "throws": player.throws,
        "misrolls": player.misrolls,
        "hot_dice": player.hot_dice,
        "luck": round(player.luck, LUCK_DIGITS),
        "made": player.made,
        "total": player.total,
        "totals": player.totals,
    }
