"""A second recorder of games with corrections, which shares nothing with the game's own but plain actions.

A line for every action; a correction rewrites its line and all lines are read out again, turn by turn, to a
game that never hears of corrections. The books are kept from that game's events alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from scoring.actions import Action, Amend, Bank, Correct, EndTurn, Knock, PlainAction, Throw
from scoring.events import Banked, Bust, Event, GameOver, SetAsideMade, TargetPassed, TurnEnded
from scoring.game import Game, apply, can


@dataclass
class Line:
    turn: int
    action: PlainAction | None
    counts: bool = True


class Recorder:
    def __init__(self, start: Game) -> None:
        self.start = start
        self.lines: dict[int, Line] = {}
        self.places = 0  # in the log, corrections too
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
            self.strike_in(self.turns_ended)
            self.lines[self.places] = Line(self.turns_ended, action)
            self.take(action)
        self.places += 1

    def correct(self, correction: Correct) -> None:
        standing = [line for line in self.lines.values() if line.action is not None]
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
        last = max((line.turn for line in self.lines.values() if line.action is not None), default=0)
        for turn in range(last + 1):
            sound = True
            for line in self.lines.values():
                if line.turn == turn and line.action is not None:
                    sound = sound and self.turns_ended == turn and can(self.now, line.action)
                    line.counts = sound
                    if sound:
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
            case GameOver():
                assert event.totals == self.books
        if isinstance(event, Banked | Bust | TargetPassed | TurnEnded):
            self.turn_points, self.turns_ended = 0, self.turns_ended + 1
