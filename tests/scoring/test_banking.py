"""Banking where a single 1 or 5 must stand in the last set-aside: decision 13, second reading."""

from __future__ import annotations

import pytest

from scoring.banking import counted_to_bank
from scoring.events import Banked
from scoring.ruleset import load_preset, with_overrides
from scoring.set_asides import set_asides
from tests.scoring.playing import BANK, after, aside, events_of, game, refused, throw

CONFIRMING = with_overrides(load_preset("danish"), {"confirmation": "yes"})


@pytest.mark.parametrize(
    ("dice", "points", "counted"),
    [
        ("1111", 2000, 1100),  # three 1s and a single 1
        ("111", 1000, 300),
        ("555", 500, 150),
        ("55555", 1500, 1050),  # four 5s and a single 5
        ("111555", 1500, 1150),  # three 1s and three single 5s
        ("1115", 1050, 1050),
        ("222", 200, None),
        ("123456", 1500, None),
        ("115522", 1000, None),
        ("222555", 700, 350),
    ],
)
def test_decision_13_dice_may_be_counted_for_less_so_that_a_single_stands_alone(
    dice: str, points: int, counted: int | None
) -> None:
    made = next(each for each in set_asides(map(int, dice), CONFIRMING) if len(each.faces) == len(dice))
    assert made.points == points
    as_banked = counted_to_bank(made, CONFIRMING)
    assert (None if as_banked is None else as_banked.points) == counted


def test_decision_13_banking_counts_the_last_set_aside_for_less_and_throwing_on_does_not() -> None:
    now = after(game("danish confirmation=yes"), throw("111123"), aside("1111"))
    assert now.turn.points == 2000
    assert events_of(now, BANK)[0] == Banked("Ada", 1100, 1100, opened=True)
    confirmed = after(now, throw("52"), aside("5"))
    assert events_of(confirmed, BANK)[0] == Banked("Ada", 2050, 2050, opened=True)


def test_decision_13_limits_hold_for_what_is_banked() -> None:
    now = after(game("danish confirmation=yes"), throw("111234"), aside("111"))
    refused(now, BANK, "needs 450 more to open")
    assert after(now, throw("555"), aside("555"), throw("111234"), aside("1"), BANK).totals["Ada"] == 1600


def test_decision_13_hot_dice_must_be_thrown_whatever_is_counted() -> None:
    now = after(game("danish hot_dice=must confirmation=yes"), throw("111555"), aside("111555"))
    refused(now, BANK, "all six dice are set aside and must be thrown again")
