"""The score table: every number in it as the slow oracle counts it."""

from __future__ import annotations

import pytest
from hypothesis import given

from scoring.ruleset import Ruleset, load_preset, to_record
from scoring.score_table import COUNTS, alike_rows, whole_throws
from tests.scoring.oracle import expected_set_asides
from tests.scoring.strategies import rulesets, untimed


@untimed
@given(rulesets())
def test_every_number_is_that_of_the_oracle(ruleset: Ruleset) -> None:
    rules = to_record(ruleset)
    for row in alike_rows(ruleset):
        for count, points in zip(COUNTS, row.points, strict=True):
            dice = (row.face,) * count
            assert expected_set_asides(dice, rules, {}).get(dice) == points
    for throw in whole_throws(ruleset):
        assert expected_set_asides(throw.faces, rules, {})[throw.faces] >= throw.points


@pytest.mark.parametrize(
    ("preset", "kinds", "six_ones"),
    [
        ("danish", ["straight", "three_pairs"], 4000),
        ("norwegian", ["straight", "three_pairs"], 8000),
        ("zilch", ["straight", "three_pairs", "four_plus_two", "nothing_on_six"], 8000),
    ],
)
def test_the_presets(preset: str, kinds: list[str], six_ones: int) -> None:
    rules = load_preset(preset)
    assert [throw.kind for throw in whole_throws(rules)] == kinds
    assert alike_rows(rules)[0].points[-1] == six_ones
    assert [row.points[0] for row in alike_rows(rules)] == [100, None, None, None, 50, None]
