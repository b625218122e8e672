"""The chances to win a game of two: the stored table and its maker, against the slow second opinion."""

from __future__ import annotations

import pytest

from models.win_chances import win_chances
from scoring.advice import Position, Then, advise
from scoring.aims import Standing
from scoring.ruleset import Ruleset, load_preset, to_record, with_overrides
from scoring.win_chances import SCALE, SIZE, STEP, win_chance
from tests.scoring.slow_turns import Outcomes, Turn, outcomes, throw_values

DANISH = load_preset("danish")
NOTHING_IN_FIRST_THROW = 1080 / 46656


def best_start(own: int, other: int, chance, ruleset: Ruleset, known: Outcomes) -> float:
    """The chance to win of the player in turn by best play, if `chance` is right everywhere else."""
    missing, opened = ruleset.target - own, own > 0
    least = ruleset.least_banking if opened else max(ruleset.opening, ruleset.least_banking)

    def bank(points: int) -> float | None:
        if points < least:
            return None
        return 1.0 if points >= missing else 1 - chance(other, own + points)

    bust = 1 - chance(other, own)
    start = throw_values(Turn(bank, bust, max(missing, least)), known)[0, 6]
    if opened or not ruleset.first_throw_relief:
        return start
    return (start - NOTHING_IN_FIRST_THROW * bust) / (1 - NOTHING_IN_FIRST_THROW)


@pytest.fixture(scope="module")
def known() -> Outcomes:
    return outcomes(to_record(DANISH))


@pytest.mark.parametrize(
    ("own", "other"), [(9950, 9950), (9700, 9000), (8000, 9900), (5000, 5000), (0, 9000), (750, 0), (0, 0)]
)
def test_stored_chances_are_those_of_best_play(own: int, other: int, known: Outcomes) -> None:
    assert win_chance(own, other) == pytest.approx(
        best_start(own, other, win_chance, DANISH, known), abs=2 / SCALE
    )


def test_maker_finds_the_chances_of_best_play(known: Outcomes) -> None:
    short = with_overrides(DANISH, {"target": "1000", "opening": "400"})
    found = win_chances(short)
    for own in (0, 500, 950):
        for other in (0, 700, 950):
            expected = best_start(own, other, lambda a, b: found[a // 50, b // 50], short, known)
            assert found[own // 50, other // 50] == pytest.approx(expected, abs=1e-7)


def test_more_points_are_never_worse() -> None:
    totals = range(750, SIZE * STEP, STEP)
    for other in (0, 2000, 9500):
        row = [win_chance(own, other) for own in totals]
        assert row == sorted(row)
        column = [win_chance(other, total) for total in totals]
        assert column == sorted(column, reverse=True)


def test_advice_against_an_opponent_is_what_wins() -> None:
    """Far behind an opponent about to win, 300 points are not worth stopping for."""
    far_behind = Position(300, 2, standing=Standing(5000), other=9900)
    assert [each.then for each in advise(far_behind, DANISH)] == [Then.THROW, Then.BANK]
    alone = Position(300, 2, standing=Standing(5000))
    assert [each.then for each in advise(alone, DANISH)] == [Then.BANK, Then.THROW]


def test_choices_of_a_first_throw_average_to_the_chance_at_the_start() -> None:
    start = advise(Position(0, 6, standing=Standing(3000), other=4000), DANISH)[0]
    assert start.win_probability == pytest.approx(win_chance(3000, 4000), abs=2 / SCALE)


@pytest.mark.parametrize("change", [{"misroll": "bust"}, {"knock_relief": "yes"}])
def test_what_a_misroll_costs_does_not_touch_the_chances(change: dict[str, str]) -> None:
    position = Position(0, 6, standing=Standing(0, opened=False), other=0)
    assert advise(position, with_overrides(DANISH, change)) == advise(position, DANISH)
