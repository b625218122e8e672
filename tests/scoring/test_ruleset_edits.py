"""Rules edited field by field: whatever people set, a game can be begun by it."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.actions import Throw
from scoring.errors import RulesetError
from scoring.game import apply, new_game
from scoring.ruleset import PRESETS, Ruleset, load_preset, rule_kinds, with_overrides
from scoring.ruleset_edits import differing, edited, named_after, nearest_preset
from scoring.ruleset_fields import MOST_POINTS, AlikePoints, FieldKind, OneOf, Points, YesNo

POINTS = st.one_of(st.integers(0, 400).map(lambda steps: 50 * steps), st.integers(0, MOST_POINTS))


def values_of(kind: FieldKind) -> st.SearchStrategy[Any]:
    match kind:
        case YesNo():
            return st.booleans()
        case OneOf(words):
            return st.sampled_from(words)
        case AlikePoints(words):
            fixed = st.tuples(*(st.integers(1, MOST_POINTS) for _ in range(3)))
            return st.one_of(st.sampled_from(words), fixed)
        case Points(least=least):
            return POINTS.filter(lambda points: points >= least)
    raise AssertionError(kind)


EDITS = st.sampled_from(list(rule_kinds())).flatmap(
    lambda key: st.tuples(st.just(key), values_of(rule_kinds()[key]))
)


def as_it_is(rules: Ruleset, key: str, value: Any) -> Ruleset | None:
    """The field replaced and nothing else, None where that clashes."""
    try:
        return dataclasses.replace(rules, **{key: value})
    except RulesetError:
        return None


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(PRESETS), st.lists(EDITS, max_size=12))
def test_any_legal_edits_give_rules_that_a_game_begins_by(preset: str, edits: list[tuple[str, Any]]) -> None:
    rules = load_preset(preset)
    for key, value in edits:
        before, rules = rules, edited(rules, key, value)
        plain = as_it_is(before, key, value)
        assert plain is None or plain == rules  # nothing else is moved where nothing need be
    game, events = apply(new_game(rules, ("Ada", "Bo")), Throw((1, 1, 2, 3, 5, 6)))
    assert events
    named = named_after(rules, preset)
    changes = dict(each.split("=") for each in named.name.split(", ")[1:])
    assert with_overrides(load_preset(preset), changes) == rules == game.ruleset


@pytest.mark.parametrize(
    ("key", "value", "gives_way"),
    [
        ("target", 5000, {}),
        ("target", 1000, {"opening": 1000, "over_limit": 950}),
        ("three_pairs", 0, {"four_plus_two": False, "six_alike": False}),
        ("over_limit", 20000, {"over_limit": 9950}),
        ("target", 10025, {"exact_target": False}),
    ],
)
def test_what_clashes_gives_way(key: str, value: int, gives_way: dict[str, object]) -> None:
    strict = with_overrides(
        load_preset("danish"),
        {"opening": "1500", "over_limit": "4500", "four_plus_two": "yes", "six_alike": "yes"}
        | {"exact_target": "yes"},
    )
    after = edited(strict, key, value)
    assert {name: getattr(after, name) for name in differing(after, strict)} == {key: value, **gives_way}


def test_a_switch_without_effect_stays_off() -> None:
    rules = edited(load_preset("danish"), "three_pairs", 0)
    assert edited(rules, "six_alike", True) == rules


@pytest.mark.parametrize(
    ("key", "value"), [("opening", -50), ("end", "never"), ("take_all", 3), ("dice", 5), ("target", 0)]
)
def test_what_is_never_accepted_is_refused(key: str, value: object) -> None:
    with pytest.raises(RulesetError):
        edited(load_preset("danish"), key, value)


@pytest.mark.parametrize("preset", PRESETS)
def test_rules_are_nearest_to_the_preset_they_were_made_of(preset: str) -> None:
    rules = load_preset(preset)
    assert nearest_preset(rules) == preset
    assert nearest_preset(edited(rules, "target", 12000)) == preset
    assert differing(rules, rules) == ()
