"""Who throws, told from the side that the hand comes from: pure, and never a guess.

Players sit round the table. From where an arm reached in is remembered of each throw that counts, by its
place in the game's log, so that whatever a person rules or takes back, the side follows the throw's player.
Where a throw may be the player's in turn or the next one's, it is told only if both are known by at least two
throws that agree, and the hand fits one of them and is clearly not the other's.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from scoring.actions import CountAs, Knock, Throw
from scoring.endings import seats_to_next
from scoring.game import Game
from vision.arm_side import ArmSide, apart_deg

SWAY_DEG = 20.0  # standard deviation of one player's sides from throw to throw; on made evenings 12 to 19
FITS, AGREE, CLEAR = 1.6, 2.0, 3.2  # standard deviations: hers, still hers, certainly another's
MOST_SPREAD_DEG = 35.0  # of a side that says anything: two arms make it wider
MOST = 100  # throws remembered
LEAST, LATEST = 2, 5  # throws by which a player is known; older ones are of a seat that may have changed


class Thrower(StrEnum):
    """Whose hand threw."""

    IN_TURN = "in_turn"
    NEXT = "next"


@dataclass(frozen=True, slots=True)
class SeenSide:
    """From where the hand came, in degrees, that threw what stands at `place` of the game's log."""

    place: int
    side_deg: float


Sides = tuple[SeenSide, ...]


def clear_side(arm: ArmSide | None) -> float | None:
    """Return the side of an arm, None when none was seen or it may have been two."""
    return None if arm is None or arm.spread_deg > MOST_SPREAD_DEG else arm.side_deg


def with_side(sides: Sides, game: Game, side_deg: float) -> Sides:
    """Return what is known once the latest throw of `game` is known to come from `side_deg`."""
    places = (place for place in reversed(range(len(game.log))) if _is_throw(game, place))
    place = next(places, None)
    if place is None:
        return sides
    others = tuple(each for each in sides if each.place != place)
    return (*others[1 - MOST :], SeenSide(place, round(side_deg, 1)))


def still_true(sides: Sides, before: Game, after: Game) -> Sides:
    """Return what is left of it where `before` became `after`: throws that were taken back are forgotten."""
    same = [one == other for one, other in zip(before.log, after.log, strict=False)]
    kept = same.index(False) if False in same else len(same)
    return tuple(each for each in sides if each.place < kept)


def thrower(game: Game, sides: Sides, side_deg: float | None) -> Thrower | None:
    """Return who threw from `side_deg`: the player in turn or the next one; None when it is not clear."""
    seats = {Thrower.IN_TURN: game.turn.seat, Thrower.NEXT: seats_to_next(game)[-1]}
    if side_deg is None or seats[Thrower.NEXT] == game.turn.seat:
        return None
    off = {who: _off(_sides_of(game, sides, seat), side_deg) for who, seat in seats.items()}
    for who, other in ((Thrower.IN_TURN, Thrower.NEXT), (Thrower.NEXT, Thrower.IN_TURN)):
        mine, others = off[who], off[other]
        if mine is not None and others is not None and mine <= FITS and others >= CLEAR:
            return who
    return None


def _off(known: Sequence[float], side_deg: float) -> float | None:
    """Return how far `side_deg` is from where a player threw before, in standard deviations.

    None where there are too few throws, or they do not agree.
    """
    if len(known) < LEAST:
        return None
    middle = _middle(known)
    if max(apart_deg(each, middle) for each in known) > AGREE * SWAY_DEG:
        return None
    return apart_deg(side_deg, middle) / (SWAY_DEG * math.sqrt(1 + 1 / len(known)))


def _middle(sides_deg: Sequence[float]) -> float:
    across = sum(math.cos(math.radians(each)) for each in sides_deg)
    down = sum(math.sin(math.radians(each)) for each in sides_deg)
    return math.degrees(math.atan2(down, across))


def _sides_of(game: Game, sides: Sides, seat: int) -> list[float]:
    """Return the latest sides of the player at `seat`, by whose turn each throw is of as the game stands."""
    ordered = sorted(sides, key=lambda each: each.place)
    return [each.side_deg for each in ordered if _seat_at(game, each.place) == seat][-LATEST:]


def _seat_at(game: Game, place: int) -> int | None:
    entry = game.history.entry_at(place)
    if entry is None or entry.action is None or place in game.history.impossible_places:
        return None
    is_over = entry.turn < len(game.turn_seats)
    return game.turn_seats[entry.turn] if is_over else game.turn.seat


def _is_throw(game: Game, place: int) -> bool:
    entry = game.history.entry_at(place)
    return entry is not None and isinstance(entry.action, Throw | Knock | CountAs)
