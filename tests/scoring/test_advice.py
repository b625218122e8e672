"""Advice: the rules' numbers, published ones, a slow second opinion, and play by it in the real game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.actions import Bank, PutAside, Throw
from scoring.advice import Advice, Position, Then, advise
from scoring.aims import Standing, most_points, opening_chance
from scoring.errors import PositionError
from scoring.game import Game, Phase, can, legal_set_asides, new_game
from scoring.ruleset import Ruleset, load_preset, to_record, with_overrides
from scoring.set_asides import set_asides
from tests.scoring.playing import after
from tests.scoring.slow_turns import Turn, outcomes, throw_values
from tests.scoring.strategies import rulesets

UNKNOWN = Standing()


def rules(words: str) -> Ruleset:
    preset, *overrides = words.split()
    return with_overrides(load_preset(preset), dict(word.split("=") for word in overrides))


@pytest.mark.parametrize(
    ("words", "points"),
    [
        ("danish", 559.003183),
        ("norwegian", 582.317214),
        ("norwegian four_plus_two=yes", 590.660837),
        ("danish confirmation=yes", 512.110902),
        ("norwegian take_all=yes", 533.320684),
        ("danish take_all=yes", 509.967044),
        ("zilch", 620.855),  # Busche's Zilch, penalty included
    ],
)
def test_most_expected_points_a_turn(words: str, points: float) -> None:
    assert most_points(rules(words), UNKNOWN).start[0] == pytest.approx(points, abs=1e-3)


def test_published_row_of_amund211_for_six_to_one_dice() -> None:
    values = most_points(rules("norwegian straight=2000"), UNKNOWN)
    row = [round(values.throw(0, dice), 2) for dice in (6, 5, 4, 3, 2, 1)]
    assert row == [590.66, 336.84, 240.80, 197.23, 185.01, 217.15]


def test_danish_thresholds_of_banking() -> None:
    danish = rules("danish")
    first = []
    for dice in range(1, 7):
        banking = (points for points in range(0, 20000, 50) if best(danish, points, dice).then is Then.BANK)
        first.append(next(banking))
    assert first == [300, 250, 450, 1050, 3050, 16850]


def best(ruleset: Ruleset, points: int, dice: int) -> Advice:
    return advise(Position(points, dice), ruleset)[0]


def capped(ruleset: Ruleset, total: int, *, opened: bool) -> Turn:
    """A turn near the target, worth its points up to the target, as the rules say it."""
    missing = ruleset.target - total
    least = max(
        ruleset.least_banking,
        0 if opened else ruleset.opening,
        missing if 0 < ruleset.over_limit < total else 0,
    )
    exact = ruleset.exact_target
    return Turn(
        bank=lambda points: min(points, missing) if points >= least else None,
        bust=0.0,
        top=missing + 50 if exact else max(missing, least),
        passed=lambda points: exact and points > missing,
    )


@settings(max_examples=12, deadline=None)
@given(rulesets(), st.integers(6, 24), st.booleans())
def test_values_near_the_target_agree_with_the_slow_opinion(
    ruleset: Ruleset, steps: int, opened: bool
) -> None:
    house = replace(ruleset, three_busts=0, of_a_kind="adding", first_throw_relief=False)
    missing = steps * 50
    turn = capped(house, house.target - missing, opened=opened)
    expected = throw_values(turn, outcomes(to_record(house)))
    values = most_points(house, Standing(house.target - missing, opened))
    for points in range(0, missing + 1, 50):
        for dice in range(1, 7):
            assert values.throw(points, dice) == pytest.approx(expected[points, dice], abs=1e-8)


def test_relief_takes_the_bust_out_of_the_first_throw() -> None:
    danish = rules("danish")
    with_relief, without = (
        most_points(replace(danish, first_throw_relief=relief), Standing(0, opened=False)).start[0]
        for relief in (True, False)
    )
    assert with_relief == pytest.approx(without / (1 - 1080 / 46656))


def test_chance_to_open_agrees_with_the_slow_opinion() -> None:
    house = rules("danish first_throw_relief=no")
    turn = Turn(bank=lambda points: 1.0 if points >= 750 else None, bust=0.0, top=750)
    expected = throw_values(turn, outcomes(to_record(house)))[0, 6]
    assert opening_chance(house) == pytest.approx(expected, abs=1e-10)
    assert opening_chance(rules("danish")) == pytest.approx(expected / (1 - 1080 / 46656), abs=1e-10)


@pytest.mark.parametrize(("opening", "chance"), [(1000, 0.183733), (950, 0.216065)])
def test_chance_to_open_counts_an_exact_target(opening: int, chance: float) -> None:
    house = rules(f"norwegian target=1000 exact_target=yes opening={opening}")
    turn = Turn(
        bank=lambda points: 1.0 if points >= opening else None,
        bust=0.0,
        top=1050,
        passed=lambda points: points > 1000,
    )
    assert throw_values(turn, outcomes(to_record(house)))[0, 6] == pytest.approx(chance, abs=1e-6)
    assert opening_chance(house) == pytest.approx(chance, abs=1e-6)


@pytest.mark.parametrize("words", ["zilch three_busts=0", "danish hot_dice=must", "danish confirmation=yes"])
def test_values_of_many_points_agree_with_the_slow_opinion(words: str) -> None:
    """Where no turn gets to in practice, the advice still knows what a bust would cost."""
    house = rules(words)
    turn = Turn(lambda points: points if points >= house.least_banking else None, bust=0.0, top=32_000)
    slow = throw_values(turn, outcomes(to_record(house)))
    values = most_points(house, UNKNOWN)
    for points in (500, 5000, 20000):
        for dice in range(1, 7):
            assert values.throw(points, dice) == pytest.approx(slow[points, dice], abs=0.01)


def test_dice_that_cannot_bust_are_thrown_on_whatever_the_points() -> None:
    zilch = rules("zilch")
    for points in (5000, 20000, 400_000):
        assert best(zilch, points, 6).then is Then.THROW
        assert best(zilch, points, 5).then is Then.BANK


def test_penalty_for_three_busts_is_what_the_long_run_costs() -> None:
    """A turn's worth with a penalty is the average over many turns, played by the advice."""
    ruleset = rules("finnish three_busts=1000")
    average = most_points(ruleset, UNKNOWN).start[0]
    assert 560 < average < most_points(rules("finnish"), UNKNOWN).start[0]
    random, total, busts, turns = Random(7), 0, 0, 6000
    for _ in range(turns):
        won = play_a_turn(ruleset, Standing(busts_in_row=busts), random)
        busts = 0 if won else (busts + 1) % 3
        total += won if won or busts else -1000
    assert total / turns == pytest.approx(average, abs=30)  # three standard errors


def play_a_turn(ruleset: Ruleset, standing: Standing, random: Random) -> int:
    """Play one turn as advised, with throws from `random`; returns what was banked, 0 for a bust."""
    points, dice = 0, 6
    while True:
        faces = tuple(sorted(random.choices(range(1, 7), k=dice)))
        choices = advise(Position(points, dice, faces, standing), ruleset)
        if not choices:
            return 0
        taken = choices[0].set_aside or ()
        points += next(each.points for each in set_asides(faces, ruleset) if each.faces == taken)
        if choices[0].then is Then.BANK:
            return points
        dice = dice - len(taken) or 6


@settings(max_examples=25, deadline=None)
@given(rulesets(), st.integers(0, 2**32 - 1).map(Random))
def test_what_is_advised_is_what_the_game_allows(ruleset: Ruleset, random: Random) -> None:
    game = new_game(replace(ruleset, three_busts=0), ("Ada", "Bo"))
    for _ in range(20):
        if game.over:
            return
        if game.turn.phase is Phase.SET_ASIDE:
            choices = advise(position_of(game), game.ruleset)
            offered = [(each.set_aside, each.then) for each in choices]
            assert sorted(offered) == sorted(allowed(game))
            game = after(game, PutAside(random.choice(choices).set_aside or ()))
        elif can(game, Bank()) and random.random() < 0.5:
            game = after(game, Bank())
        else:
            game = after(game, Throw(tuple(random.choices(range(1, 7), k=game.turn.dice_left))))


def position_of(game: Game) -> Position:
    turn, tally = game.turn, game.tally
    standing = Standing(tally.total, tally.opened, tally.busts_in_row)
    return Position(turn.points, turn.dice_left, turn.faces, standing)


def allowed(game: Game) -> Iterator[tuple[tuple[int, ...], Then]]:
    """What the game itself allows; a turn that passes the target is over, and banks nothing."""
    for each in legal_set_asides(game):
        then = after(game, PutAside(each.faces))
        over = len(then.tallies[game.turn.seat].entries) > len(game.tally.entries)
        if over or can(then, Bank()):
            yield each.faces, Then.BANK
        if not over:
            yield each.faces, Then.THROW


def test_best_first_and_bust_risks_of_the_next_throw() -> None:
    choices = advise(Position(0, 6, (1, 1, 2, 3, 5, 6)), rules("danish"))
    worths = [each.expected_points for each in choices]
    assert worths == sorted(worths, reverse=True)
    assert [(each.set_aside, each.then) for each in choices[:2]] == [((1,), Then.THROW), ((5,), Then.THROW)]
    assert choices[0].bust_probability == pytest.approx(600 / 7776)
    assert choices[-1] == Advice((1, 1, 5), Then.BANK, 250.0, 0.0)
    assert advise(Position(300, 3, (2, 3, 4)), rules("danish")) == ()


def test_before_a_throw_the_choice_is_to_bank_or_throw() -> None:
    danish = rules("danish")
    assert [each.then for each in advise(Position(300, 1), danish)] == [Then.BANK, Then.THROW]
    assert [each.then for each in advise(Position(0, 6), danish)] == [Then.THROW]
    assert [each.then for each in advise(Position(200, 2), danish)] == [Then.THROW]
    assert [each.then for each in advise(Position(2000, 6), rules("danish hot_dice=must"))] == [Then.THROW]
    unopened = Position(500, 2, standing=Standing(0, opened=False))
    assert [each.then for each in advise(unopened, danish)] == [Then.THROW]


def test_first_throw_with_relief_is_thrown_again() -> None:
    nothing = Position(0, 6, (2, 2, 3, 3, 4, 6), Standing(0, opened=False))
    assert [
        (each.set_aside, each.then, each.bust_probability) for each in advise(nothing, rules("danish"))
    ] == [(None, Then.THROW, 0.0)]
    assert advise(nothing, rules("norwegian")) == ()


@pytest.mark.parametrize("other", [None, 9000])
def test_reaching_the_target_is_banked_at_once(other: int | None) -> None:
    position = Position(500, 5, standing=Standing(9500), other=other)
    first = advise(position, rules("danish"))[0]
    assert (first.then, first.expected_points) == (Then.BANK, 500)
    assert first.win_probability == (None if other is None else 1.0)


def test_over_limit_leaves_only_the_bankings_that_reach_the_target() -> None:
    position = Position(300, 2, standing=Standing(9500))
    assert [each.then for each in advise(position, rules("danish over_limit=9000"))] == [Then.THROW]


def test_passing_an_exact_target_is_worth_nothing() -> None:
    position = Position(300, 6, (1, 1, 5, 5, 2, 3), Standing(9500))
    choices = advise(position, rules("norwegian exact_target=yes"))
    assert (choices[0].expected_points, choices[0].then) == (500, Then.BANK)
    passing = [each for each in choices if each.set_aside == (1, 1, 5, 5)]
    assert passing == [Advice((1, 1, 5, 5), Then.BANK, 0.0, 0.0, passes_target=True)]


@pytest.mark.parametrize(
    ("position", "words", "complaint"),
    [
        (Position(0, 7), "danish", "dice: found 7; accepted: 1 to 6"),
        (Position(0, 0), "danish", "dice: found 0; accepted: 1 to 6"),
        (Position(0, 5, (1,)), "danish", "faces: found 1 dice; accepted: 5"),
        (Position(-50, 5), "danish", "turn points: found -50; accepted: 0 to 1000000 in steps of 50"),
        (Position(333, 5), "danish", "turn points: found 333; accepted: 0 to"),
        (Position(10**7, 5), "danish", "turn points: found 10000000; accepted: 0 to 1000000"),
        (Position(0, 6, standing=Standing(-(10**7))), "danish", "score: found -10000000; accepted: -1000000"),
        (Position(550, 2, standing=Standing(9500)), "danish exact_target=yes", "past the target"),
        (
            Position(0, 6, standing=Standing(0), other=0),
            "danish",
            "found a player who has opened with 0 points",
        ),
        (Position(0, 6, standing=Standing(50, opened=False), other=0), "danish", "not opened with 50 points"),
        (
            Position(0, 6, standing=Standing(10000)),
            "danish",
            "score: found 10000; accepted: -1000000 to below",
        ),
        (Position(0, 6, standing=Standing(busts_in_row=3)), "zilch", "busts: found 3; accepted: 0 to 2"),
        (Position(0, 6, other=500), "danish", "opponent: found no score of the player"),
        (
            Position(0, 6, standing=Standing(50), other=75),
            "danish",
            "opponent: found 75; accepted: 0 to 9950",
        ),
        (Position(0, 6, standing=Standing(25), other=50), "danish", "score: found 25; accepted: 0 to 9950"),
        (
            Position(0, 6, standing=Standing(50), other=0),
            "norwegian",
            "found the rules norwegian",
        ),
    ],
)
def test_positions_that_cannot_be_are_refused(position: Position, words: str, complaint: str) -> None:
    with pytest.raises(PositionError) as refusal:
        advise(position, rules(words))
    assert complaint in str(refusal.value)
    assert "\n" not in str(refusal.value)
