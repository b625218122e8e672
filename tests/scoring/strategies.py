"""Hypothesis strategies shared by the tests of scoring."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st

from scoring.ruleset import Ruleset

untimed = settings(deadline=None)  # a busy machine is no failing test


def off_or(*points: int) -> st.SearchStrategy[int]:
    return st.sampled_from((0, *points))


@st.composite
def rulesets(draw: st.DrawFn) -> Ruleset:
    """Any rule set without clashes, with a low target so that games come to their end."""
    three_pairs = draw(off_or(750, 1000, 1500, 2000))
    pairs_on = st.booleans() if three_pairs else st.just(False)
    target = draw(st.sampled_from((1000, 1500, 2000, 10000)))
    return Ruleset(
        name=draw(st.sampled_from(("house", 'Bo\'s "best" \\ rules', "hjemme hos Åse"))),
        of_a_kind=draw(st.sampled_from(("adding", "doubling", (1000, 2000, 3000), (100, 300, 350)))),
        straight=draw(off_or(1000, 1500, 2500)),
        three_pairs=three_pairs,
        four_plus_two=draw(pairs_on),
        six_alike=draw(pairs_on),
        nothing_on_six=draw(off_or(500)),
        opening=draw(off_or(350, 500, 750, 1000)),
        least_banking=draw(off_or(250, 300)),
        first_throw_relief=draw(st.booleans()),
        hot_dice=draw(st.sampled_from(("may", "must"))),
        confirmation=draw(st.booleans()),
        take_all=draw(st.booleans()),
        target=target,
        end=draw(st.sampled_from(("first", "last_turn_each", "equal_turns"))),
        exact_target=draw(st.booleans()),
        over_limit=draw(off_or(target * 9 // 10, target // 2)),
        three_busts=draw(off_or(500, 1000)),
        misroll=draw(st.sampled_from(("rethrow", "bust"))),
        knock_relief=draw(st.booleans()),
    )
