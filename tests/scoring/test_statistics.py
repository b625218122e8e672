"""Statistics of games: against a plain count of what a second recorder reads out, and games by hand."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from random import Random

import pytest
from hypothesis import given, settings

from scoring.actions import (
    Amend,
    Correct,
    CountAs,
    DeclineRelief,
    EndTurn,
    Knock,
    Misroll,
    PlainAction,
    SetTotal,
    TakeOut,
    Throw,
    TurnTo,
)
from scoring.events import Banked, Bust, Event, SetAsideMade, TargetPassed, TurnEnded
from scoring.game import Game, Phase, apply
from scoring.played_turns import Ending, played_turns
from scoring.statistics import game_statistics
from tests.scoring.playing import BANK, BUST, after, aside, game, misroll, throw, turn_of
from tests.scoring.recorder import Recorder
from tests.scoring.test_random_games import games, seeds, step


class Reader(Recorder):
    """Remembers what it reads out: the plain actions that stand, and at whose seat, in the order of turns."""

    def open_book(self) -> None:
        super().open_book()
        self.read: list[tuple[int, PlainAction]] = []

    def take(self, action: PlainAction) -> None:
        self.read.append((self.now.turn.seat, action))
        super().take(action)


@dataclass
class Count:
    """A tally of plain actions in order, kept line by line; `of_turn` goes to whoever the turn ends with."""

    told: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    of_turn: Counter[str] = field(default_factory=Counter)
    best: dict[str, int] = field(default_factory=dict)
    opened: dict[str, int] = field(default_factory=dict)
    totals: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    faces: Counter[int] = field(default_factory=Counter)
    lying: tuple[int, ...] = ()
    misrolled: bool = False  # the latest throw of the turn

    def play(self, start: Game, actions: Iterable[tuple[int, PlainAction]]) -> Count:
        now = start
        for seat, action in actions:
            now = replace(now, turn=replace(now.turn, seat=seat))
            self.enter_action(now, action)
            now, events = apply(now, action)
            for event in events:
                self.enter_event(event)
        self.told[now.player].update(self.of_turn)
        return self

    def enter_action(self, now: Game, action: PlainAction) -> None:
        saved = isinstance(action, CountAs) and self.misrolled
        if isinstance(action, Misroll):
            self.of_turn["misrolls"] += 1
            if now.turn.phase is Phase.SET_ASIDE:
                self.of_turn["throws"] -= 1
                self.faces.subtract(self.lying)
        if saved or (isinstance(action, Knock) and action.faces):
            self.of_turn["misrolls"] -= 1
        if isinstance(action, Throw | Knock | CountAs | Misroll):
            self.misrolled = isinstance(action, Misroll)
        if isinstance(action, Knock) and not action.faces:
            self.misrolled = True
        if isinstance(action, Throw | Knock | CountAs) and action.faces:
            self.of_turn["throws"] += 1
            self.lying = action.faces
            self.faces.update(action.faces)

    def enter_event(self, event: Event) -> None:
        self.of_turn["hot_dice"] += isinstance(event, SetAsideMade) and event.hot_dice
        if not isinstance(event, Banked | Bust | TargetPassed | TurnEnded):
            return
        player, counted = event.player, self.told[event.player]
        counted.update({**self.of_turn, "turns": 1, "busts": int(isinstance(event, Bust))})
        self.of_turn.clear()
        self.misrolled = False
        self.totals[player].append(event.total)
        if isinstance(event, Banked):
            self.best[player] = max(event.points, self.best.get(player, 0))
            self.opened.setdefault(player, counted["turns"])


@settings(deadline=None, max_examples=60)
@given(games, seeds)
def test_statistics_are_a_count_of_what_stands(start: Game, random: Random) -> None:
    books, now = Reader(start), start
    for _ in range(60):
        action, now, _ = step(now, random, amending=True)
        books.note(action)
    counted, told = Count().play(start, books.read), game_statistics(now)
    for player in told.players:
        name = player.player
        names = ("turns", "busts", "throws", "misrolls", "hot_dice")
        assert [getattr(player, each) for each in names] == [counted.told[name][each] for each in names]
        assert (player.best_turn, player.opened_in) == (counted.best.get(name), counted.opened.get(name))
        assert (player.total, player.totals) == (now.totals[name], tuple(counted.totals[name]))
    assert told.dice.counts == tuple(counted.faces[face] for face in range(1, 7))


@settings(deadline=None, max_examples=40)
@given(games, seeds)
def test_a_game_is_read_out_as_it_was_entered(start: Game, random: Random) -> None:
    books, now = Reader(start), start
    for _ in range(40):
        action, now, _ = step(now, random, amending=True)
        books.note(action)
    turns = played_turns(now)
    for seat, tally in enumerate(now.tallies):
        ended = [turn for turn in turns if turn.seat == seat and turn.ending is not None]
        assert [turn.points for turn in ended] == [*tally.entries]
        assert [turn.round for turn in ended] == [*range(1, len(ended) + 1)]
    assert [turn.number for turn in turns] == [*range(len(turns))]
    assert {turn.number for turn in turns if turn.ending is None} <= {now.finished_turns}
    thrown = [throw for turn in turns for throw in turn.throws if not throw.misroll]
    assert all(len(throw.faces) == throw.dice for throw in thrown)


def test_an_evening_by_hand() -> None:
    now = after(
        game("danish"),
        *(throw("111236"), aside("111"), throw("235"), aside("5"), BANK),  # Ada opens with 1050 in round 1
        *(
            misroll("tilted"),
            throw("223466"),
            throw("115566"),
            aside("11"),
            throw("2346"),
        ),  # relief; Bo busts
        *(throw("123456"), aside("123456"), throw("555234"), aside("555"), BANK),  # Ada: 1500 + 500
        EndTurn(0),
        BUST,
        *turn_of(800),  # Bo opens in round 3
        throw("115234"),  # Ada's, under way
    )
    ada, bo = game_statistics(now).players
    assert (ada.turns, ada.busts, ada.bust_rate, ada.made, ada.points_a_turn) == (
        3,
        1,
        1 / 3,
        3050,
        3050 / 3,
    )
    assert (ada.opened_in, ada.best_turn, ada.throws, ada.misrolls, ada.hot_dice) == (1, 2000, 6, 0, 1)
    assert ada.totals == (1050, 3050, 3050)
    assert (bo.turns, bo.busts, bo.opened_in, bo.best_turn, bo.misrolls) == (3, 1, 3, 800, 1)
    assert bo.totals == (0, 0, 800)
    assert [turn.ending for turn in played_turns(now)] == [
        *(Ending.BANKED, Ending.BUST, Ending.BANKED, Ending.RULED_OUT, Ending.BUST, Ending.BANKED, None)
    ]


def test_before_anything_happened() -> None:
    told = game_statistics(game("danish", players=4))
    assert played_turns(game("danish")) == ()
    assert {player.turns for player in told.players} == {0}
    assert told.players[0].bust_rate is told.players[0].points_a_turn is told.players[0].best_turn is None
    assert (told.players[0].luck, told.dice.dice) == (0, 0)


def test_a_correction_counts_and_what_was_read_first_does_not() -> None:
    now = after(game("finnish"), throw("223466"), Correct((1, 1, 1, 2, 3, 6)), aside("111"), BANK)
    ada = game_statistics(now).players[0]
    assert (ada.busts, ada.best_turn, game_statistics(now).dice.counts) == (0, 1000, (3, 1, 1, 0, 0, 1))
    amended = after(now, Amend(0, throw("111126")))
    assert game_statistics(amended).dice.counts == (4, 1, 0, 0, 0, 1)


def test_what_a_person_calls_a_misroll_is_no_luck_and_no_face() -> None:
    lucky = after(game("danish"), throw("111111"))
    called = game_statistics(after(lucky, misroll()))
    assert game_statistics(lucky).players[0].luck > 3000
    assert (called.players[0].luck, called.dice.dice, called.players[0].misrolls) == (0, 0, 1)


def test_a_knock_that_helps_makes_a_throw_of_a_misroll() -> None:
    saved = after(game("danish knock_relief=yes"), misroll("tilted"), Knock((1, 1, 1, 2, 3, 6)))
    vain = after(game("danish knock_relief=yes"), misroll("tilted"), Knock(None))
    assert [(each.misroll, each.faces, each.place) for each in played_turns(saved)[0].throws] == [
        (False, (1, 1, 1, 2, 3, 6), 1)
    ]
    assert [(each.misroll, each.faces) for each in played_turns(vain)[0].throws] == [(True, None)]


@pytest.mark.parametrize("declined", [False, True])
def test_a_first_throw_that_may_be_repeated_is_no_bust_unless_declined(declined: bool) -> None:
    now = after(game("danish"), BUST, *((DeclineRelief(),) if declined else (BUST,)))
    ada = game_statistics(now).players[0]
    assert (ada.busts, ada.throws) == ((1, 1) if declined else (0, 2))


def test_what_a_person_rules_on_players_and_totals_is_worked_in() -> None:
    now = after(
        game("finnish", players=3),
        *(throw("111236"), TurnTo("Bo"), aside("111"), BANK),  # Ada's turn is Bo's, and Cy follows
        SetTotal("Ada", 400),
        *(throw("555236"), TakeOut("Cy")),  # in the turn
        *turn_of(300),  # Ada's first
    )
    ada, bo, cy = game_statistics(now).players
    assert (bo.total, bo.best_turn, bo.opened_in, bo.throws) == (1000, 1000, 1, 1)
    assert (cy.turns, cy.busts, cy.throws, cy.total) == (1, 0, 1, 0)
    assert (ada.total, ada.made, ada.points_a_turn, ada.totals) == (700, 300, 300, (700,))
    assert [turn.player for turn in played_turns(now)] == ["Bo", "Cy", "Ada"]
