"""Actions and rule sets written down as JSON and read back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.actions import (
    MISROLL_KINDS,
    Action,
    Amend,
    Bank,
    Correct,
    CountAs,
    DeclineRelief,
    EndTurn,
    Join,
    Knock,
    Misroll,
    MisrollReason,
    PutAside,
    SetTotal,
    TakeIn,
    TakeOut,
    Throw,
    TurnTo,
    action_record,
)
from scoring.errors import RecordError, RulesetError
from scoring.records import action_of
from scoring.ruleset import Ruleset, from_record, load_preset, to_record
from tests.scoring.strategies import rulesets

faces = st.lists(st.integers(1, 6), min_size=1, max_size=6).map(tuple)
maybe = st.one_of
reasons = st.builds(
    MisrollReason,
    st.sampled_from(MISROLL_KINDS),
    maybe(st.none(), st.integers(0, 5)),
    maybe(st.none(), st.integers(1, 6)),
    maybe(st.none(), st.floats(-500, 500)),
    st.text(max_size=20),
)
plain_actions = st.one_of(
    st.builds(Throw, faces),
    st.builds(Misroll, st.lists(reasons, max_size=3).map(tuple)),
    st.builds(Knock, maybe(st.none(), faces)),
    st.builds(PutAside, faces, st.sampled_from(("seen", "touch"))),
    st.just(Bank()),
    st.just(DeclineRelief()),
    st.builds(EndTurn, st.integers(0, 5000)),
    st.builds(CountAs, faces, faces),
    st.builds(TurnTo, st.text()),
    st.builds(SetTotal, st.text(), st.integers(-5000, 9999)),
    st.builds(TakeOut, st.text()),
    st.builds(TakeIn, st.text()),
    st.builds(Join, st.text()),
)
actions = st.one_of(
    plain_actions,
    st.builds(Correct, faces),
    st.builds(Amend, st.integers(0, 300), maybe(st.none(), plain_actions)),
)


def through_json(record: Mapping[str, object]) -> Any:
    return json.loads(json.dumps(record))


@given(actions)
def test_every_action_is_read_back_as_it_was(action: Action) -> None:
    assert action_of(through_json(action_record(action))) == action


@given(rulesets())
def test_every_rule_set_is_read_back_as_it_was(rules: Ruleset) -> None:
    again = from_record(through_json(to_record(rules)))
    assert again == rules
    assert again.name == rules.name


@pytest.mark.parametrize(
    ("record", "says"),
    [
        (None, "an action: found None; accepted: an object"),
        ({}, "action: found None; accepted: throw, misroll"),
        ({"action": "sing"}, "action: found 'sing'"),
        ({"action": ["throw"]}, "action: found \\['throw'\\]"),
        ({"action": "throw"}, "throw: fields: found ''; accepted: faces"),
        ({"action": "bank", "points": 5}, "bank: fields: found 'points'; accepted: none"),
        ({"action": "throw", "faces": [7]}, "faces: found \\[7\\]; accepted: a list of faces 1 to 6"),
        ({"action": "throw", "faces": "15"}, "faces: found '15'"),
        ({"action": "set_aside", "faces": [1], "source": 3}, "source: found 3; accepted: text"),
        ({"action": "count_as", "faces": [4], "ruled": 4}, "ruled: found 4; accepted: a list of faces"),
        ({"action": "set_total", "player": "Ada", "total": "9"}, "total: found '9'"),
        ({"action": "turn_to", "player": 1}, "player: found 1; accepted: text"),
        ({"action": "end_turn", "points": True}, "points: found True; accepted: a whole number"),
        ({"action": "misroll", "reasons": 1}, "reasons: found 1; accepted: a list"),
        ({"action": "misroll", "reasons": [{"kind": "tilted"}]}, "reason: found {'kind': 'tilted'}"),
        ({"action": "amend", "place": 0, "really": {"action": "correct", "faces": [1]}}, "any action but"),
    ],
)
def test_what_is_no_action_says_what_is_accepted(record: object, says: str) -> None:
    with pytest.raises(RecordError, match=says):
        action_of(record)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"blue_dice": True}, "blue_dice: found no such field"),
        ({"target": "high"}, "target: found 'high'"),
        ({"name": None}, "name: found None"),
    ],
)
def test_a_rule_set_of_other_fields_is_refused(change: dict[str, object], says: str) -> None:
    with pytest.raises(RulesetError, match=says):
        from_record({**to_record(load_preset("danish")), **change})


@pytest.mark.parametrize("key", ["name", "target"])
def test_a_rule_set_lacks_no_field(key: str) -> None:
    record = to_record(load_preset("danish"))
    del record[key]
    with pytest.raises(RulesetError, match=key):
        from_record(record)
