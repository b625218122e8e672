"""A second recorder of games with corrections, which shares nothing with the game's own but plain actions.

A line for every action; a correction rewrites its line and all lines are read out again, turn by turn, to a
game that never hears of corrections. The books are kept from that game's events alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from scoring.actions import (
    Action,
    Amend,
    Bank,
    Correct,
    EndTurn,
    Join,
    Knock,
    PlainAction,
    SetTotal,
    TakeIn,
    TakeOut,
    Throw,
)
from scoring.events import (
    Banked,
    Bust,
    Event,
    GameOver,
    PlayerJoined,
    SetAsideMade,
    TargetPassed,
    TotalRuled,
    TurnEnded,
)
from scoring.game import Game, apply, can


@dataclass
class Line:
    turn: int
    action: PlainAction | None
    counts: bool = True

    @property
    def plays(self) -> bool:
        """Whether it says what was done in a turn, and not to the score sheet."""
        return self.action is not None and not isinstance(self.action, SetTotal | TakeOut | TakeIn | Join)


class Recorder:
    def __init__(self, start: Game) -> None:
        self.start = start
        self.lines: dict[int, Line] = {}
        self.places = 0  # in the log, corrections too
        self.starters: dict[int, int] = {}  # seats by turn
        self.open_book()

    def open_book(self) -> None:
        self.now = self.start
        self.books = dict.fromkeys(self.start.players, 0)
        self.turn_points = self.turns_ended = 0

    def note(self, action: Action) -> None:
        """Write down an action that the game has accepted."""
        if isinstance(action, Amend):
            self.lines[action.place].action = action.action
            self.read_out()
        elif isinstance(action, Correct):
            self.correct(action)
            self.read_out()
        else:
            line = Line(self.turns_ended, action)
            if line.plays:
                self.strike_in(line.turn)
                if not self.played(line.turn):
                    self.starters[line.turn] = self.now.turn.seat
            for earlier in self.lines.values():  # a turn that had ended goes on: who joined since, plays
                if isinstance(earlier.action, Join):
                    earlier.turn = min(earlier.turn, line.turn)
            self.lines[self.places] = line
            self.take(action)
        self.places += 1

    def played(self, turn: int) -> bool:
        return any(line.plays for line in self.lines.values() if line.turn == turn)

    def correct(self, correction: Correct) -> None:
        free = (SetTotal, TakeIn, Join)
        standing = [each for each in self.lines.values() if each.action and not isinstance(each.action, free)]
        turn = max(line.turn for line in standing)
        latest = [line for line in standing if line.turn == turn and line.counts][-1]
        self.strike_in(turn)
        knocked = isinstance(latest.action, Knock)
        latest.action = Knock(correction.faces) if knocked else Throw(correction.faces)

    def strike_in(self, turn: int) -> None:
        for line in self.lines.values():
            if line.turn == turn and not line.counts:
                line.action = None

    def read_out(self) -> None:
        self.open_book()
        last = max((line.turn for line in self.lines.values() if line.plays), default=-1)
        for turn in range(max((line.turn for line in self.lines.values()), default=0) + 1):
            begun = turn <= last and turn in self.starters
            if begun and self.turns_ended == turn and not self.now.over:
                self.now = replace(self.now, turn=replace(self.now.turn, seat=self.starters[turn]))
            sound = True
            for line in self.lines.values():
                if line.turn == turn and line.action is not None:
                    line.counts = can(self.now, line.action)
                    if line.plays:
                        line.counts = sound = sound and self.turns_ended == turn and line.counts
                    if line.counts:
                        self.take(line.action)
            if turn < last and self.turns_ended == turn and not self.now.over:
                self.take(EndTurn(0))

    def take(self, action: PlainAction) -> None:
        self.now, events = apply(self.now, action)
        if isinstance(action, Bank) and not self.start.ruleset.confirmation:
            assert events[0].points == self.turn_points
        for event in events:
            self.enter(event)

    def enter(self, event: Event) -> None:
        match event:
            case SetAsideMade(points=points):
                self.turn_points += points
                assert event.turn_points == self.turn_points
            case Banked(player=player, points=points):
                self.books[player] += points
                assert event.total == self.books[player]
            case Bust(player=player):
                assert event.lost == self.turn_points
                self.books[player] -= event.penalty
                assert event.total == self.books[player]
            case TotalRuled(player=player):
                assert event.total_was == self.books[player]
                self.books[player] = event.total
            case PlayerJoined(player=player):
                self.books[player] = 0
            case GameOver():
                assert event.totals == self.books
        if isinstance(event, Banked | Bust | TargetPassed | TurnEnded):
            self.turn_points, self.turns_ended = 0, self.turns_ended + 1
