"""A game read out turn by turn and throw by throw, as it now stands: every correction is worked in."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from scoring.actions import CountAs, EndTurn, Knock, Misroll, PlainAction, PutAside, Throw
from scoring.corrections import begun_by_its_starter
from scoring.events import Banked, Bust, Event, SetAsideMade, TargetPassed, TurnEnded
from scoring.faces import Faces, sorted_faces
from scoring.state import Game, Phase, start_of
from scoring.turns import take

_NO_PLACE = -1  # in the log, of what ends a turn that a correction left open


class Ending(StrEnum):
    """How a turn ended."""

    BANKED = "banked"
    BUST = "bust"
    PASSED_TARGET = "passed_target"
    RULED_OUT = "ruled_out"  # a person, or a correction, ended it without points


@dataclass(frozen=True, slots=True)
class PlayedThrow:
    """One throw of `dice` dice.

    `place`: in the log, of what says how it fell. `before`: the game as the dice left the hand, without log.
    `faces`: sorted, None for a misroll of which nobody wrote them down. `misroll`: it does not count.
    `set_aside`: the faces, None when nothing was, for `points`. `hot_dice`: all six were set aside by then.
    """

    place: int
    before: Game
    faces: Faces | None
    misroll: bool = False
    set_aside: Faces | None = None
    points: int = 0
    hot_dice: bool = False

    @property
    def dice(self) -> int:
        """How many dice were thrown."""
        return self.before.turn.dice_left

    @property
    def counted_faces(self) -> Faces | None:
        """The sorted faces where the throw counts, else None."""
        return None if self.misroll else self.faces


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """A turn of `player` at `seat`; `number` counts the game's turns from 0, `round` each player's from 1.

    `points`: set aside so far, or once it has ended (`ending`) what it put on the sheet, below zero for a
    penalty. `total`: the player's after it. A turn that a person gave to another player is that player's.
    """

    number: int
    round: int
    seat: int
    player: str
    throws: tuple[PlayedThrow, ...] = ()
    ending: Ending | None = None
    points: int = 0
    total: int = 0


@dataclass(frozen=True, slots=True)
class _Step:
    place: int
    action: PlainAction
    before: Game
    after: Game
    events: tuple[Event, ...]


def played_turns(game: Game) -> tuple[PlayedTurn, ...]:
    """Return the turns of `game` so far, oldest first, with the one under way once dice fell in it."""
    grouped = itertools.groupby(_steps(game), key=lambda step: step.before.finished_turns)
    told = (_turn(number, list(steps)) for number, steps in grouped)
    return tuple(turn for turn in told if turn.throws or turn.ending is not None)


def _steps(game: Game) -> Iterator[_Step]:
    """Play again what counts, turn by turn; a turn that a correction left open is ended."""
    now, impossible = start_of(game), game.history.impossible_places
    for number, actions in enumerate(game.history.turns):
        now = begun_by_its_starter(now, number, game.history)
        counted = [(place, action) for place, action in actions if place not in impossible]
        closed = number in game.history.closed
        for place, action in (*counted, *([(_NO_PLACE, EndTurn())] if closed else [])):
            before = now
            now, events = take(before, action)
            yield _Step(place, action, before, now, events)


def _turn(number: int, steps: Sequence[_Step]) -> PlayedTurn:
    after = steps[-1].after
    ended = after.finished_turns > number
    seat = after.turn_seats[number] if ended else after.turn.seat
    tally = after.tallies[seat]
    endings = (_ENDINGS.get(type(event)) for step in steps for event in step.events)
    return PlayedTurn(
        number,
        len(tally.entries) + (not ended),
        seat,
        after.players[seat],
        tuple(_throws(steps)),
        next(filter(None, endings), None),
        tally.entries[-1] if ended else after.turn.points,
        tally.total,
    )


_ENDINGS: dict[type[Event], Ending] = {
    Banked: Ending.BANKED,
    Bust: Ending.BUST,
    TargetPassed: Ending.PASSED_TARGET,
    TurnEnded: Ending.RULED_OUT,
}


def _throws(steps: Iterable[_Step]) -> Iterator[PlayedThrow]:
    """Put together what the steps say of each throw: how it fell, and what was set aside of it."""
    throw: PlayedThrow | None = None
    for step in steps:
        same = None if throw is None else _gone_on(throw, step)
        if same is None and isinstance(step.action, Throw | CountAs | Misroll):
            if throw is not None:
                yield throw
            same = _fallen(step)
        throw = same or throw
    if throw is not None:
        yield throw


def _fallen(step: _Step) -> PlayedThrow:
    if isinstance(step.action, Throw | CountAs):
        return PlayedThrow(step.place, step.before, sorted_faces(step.action.faces))
    return PlayedThrow(step.place, step.before, None, misroll=True)


def _gone_on(throw: PlayedThrow, step: _Step) -> PlayedThrow | None:
    """Return `throw` as `step` makes it, None where the step says nothing of it."""
    match step.action:
        case Misroll() if step.before.turn.phase is Phase.SET_ASIDE:
            return replace(throw, misroll=True)
        case CountAs(faces) if throw.misroll:
            return replace(throw, place=step.place, faces=sorted_faces(faces), misroll=False)
        case Knock(faces) if faces is not None:
            return replace(throw, place=step.place, faces=sorted_faces(faces), misroll=False)
        case PutAside():
            made = next(event for event in step.events if isinstance(event, SetAsideMade))
            return replace(throw, set_aside=made.faces, points=made.points, hot_dice=made.hot_dice)
    return None
