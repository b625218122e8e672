"""The table of combinations over 46,656 throws, against the Danish page and counted throw by throw."""

from __future__ import annotations

from itertools import product

from scoring.odds import throw_counts

DANISH_PAGE = {
    "single_5": 31031,
    "single_1": 31031,
    "three_alike_each": 17436,
    "four_alike": 2436,
    "five_alike": 186,
    "six_alike": 6,
    "straight": 720,
    "three_pairs": 1800,
}


def test_danish_page_is_met_row_by_row_and_its_three_alike_row_in_both_readings() -> None:
    counted = {each.combination: each.count for each in throw_counts()}
    assert counted == {**DANISH_PAGE, "three_alike": 17136}
    assert sum("counted twice" in each.meaning for each in throw_counts()) == 1


def test_counts_agree_with_counting_throw_by_throw() -> None:
    counted = {each.combination: each for each in throw_counts()}
    every = list(product(range(1, 7), repeat=6))
    pairs = sum(sorted(map(throw.count, set(throw))) == [2, 2, 2] for throw in every)
    triplets = sum(any(throw.count(face) >= 3 for face in range(1, 7)) for throw in every)
    assert (counted["three_pairs"].count, counted["three_alike"].count) == (pairs, triplets)
    assert counted["three_alike"].probability == triplets / len(every)
