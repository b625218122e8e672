"""Set-asides against an independent oracle, and the numbers the rules publish."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.errors import FacesError
from scoring.odds import bust_count, bust_probability
from scoring.ruleset import Ruleset, load_preset, to_record, with_overrides
from scoring.set_asides import dice_left_after, set_asides
from tests.scoring.oracle import Dice, expected_set_asides
from tests.scoring.strategies import untimed

RULE_SETS = {
    "danish": "danish",
    "norwegian": "norwegian",
    "zilch": "zilch",
    "danish doubling": "danish of_a_kind=doubling",
    "danish 4+2": "danish four_plus_two=yes",
    "norwegian 4+2": "norwegian four_plus_two=yes",
    "norwegian 2500/750": "norwegian straight=2500 three_pairs=750",
    "finnish without straight and pairs": "finnish straight=0 three_pairs=0",
    "finnish pairs 2000": "finnish three_pairs=2000",
    "finnish six alike": "finnish three_pairs=2000 six_alike=yes four_plus_two=yes",
    "low fixed": "danish of_a_kind=100,300,350",
    "high fixed, take all": "danish of_a_kind=1000,2000,3000 take_all=yes",
    "take all, nothing on six": "zilch take_all=yes straight=100",
}


def rules(name: str) -> Ruleset:
    preset, *overrides = RULE_SETS[name].split()
    return with_overrides(load_preset(preset), dict(word.split("=") for word in overrides))


def throws(dice: int) -> list[Dice]:
    """Every throw of so many dice, order aside."""
    return list(itertools.combinations_with_replacement(range(1, 7), dice))


def points_by_faces(throw: Dice, ruleset: Ruleset) -> dict[Dice, int]:
    return {each.faces: each.points for each in set_asides(throw, ruleset)}


def dice_of(text: str) -> Dice:
    return tuple(map(int, text))


@pytest.mark.parametrize("name", RULE_SETS)
def test_every_throw_of_one_to_six_dice_agrees_with_the_oracle(name: str) -> None:
    ruleset, known = rules(name), dict[Dice, int | None]()
    for throw in itertools.chain.from_iterable(map(throws, range(1, 7))):
        assert points_by_faces(throw, ruleset) == expected_set_asides(throw, to_record(ruleset), known), throw


@pytest.mark.parametrize("name", RULE_SETS)
def test_parts_make_up_the_set_aside_and_order_is_best_first(name: str) -> None:
    ruleset = rules(name)
    for throw in itertools.chain.from_iterable(map(throws, range(1, 7))):
        found = set_asides(throw, ruleset)
        assert list(found) == sorted(found, key=lambda each: (-each.points, len(each.faces), each.faces))
        for each in found:
            assert sorted(itertools.chain(*(part.faces for part in each.parts))) == list(each.faces)
            assert sum(part.points for part in each.parts) == each.points
            assert each.hot_dice == (len(each.faces) == len(throw))


@untimed
@given(
    st.lists(st.integers(1, 6), min_size=1, max_size=6),
    st.sampled_from(list(RULE_SETS)),
    st.permutations(range(6)),
)
def test_order_of_dice_never_matters(throw: list[int], name: str, order: list[int]) -> None:
    shuffled = [throw[place] for place in order if place < len(throw)]
    assert set_asides(shuffled, rules(name)) == set_asides(throw, rules(name))


@pytest.mark.parametrize(
    ("name", "sums"),
    [
        ("danish", [2, 15, 68, 240, 720, 1941]),
        ("norwegian", [2, 15, 68, 240, 720, 1941]),
        ("finnish without straight and pairs", [2, 15, 68, 240, 720, 1920]),
        ("norwegian 4+2", [2, 15, 68, 240, 720, 1961]),
    ],
)
def test_number_of_set_asides_over_all_throws(name: str, sums: list[int]) -> None:
    ruleset = rules(name)
    assert [sum(len(set_asides(throw, ruleset)) for throw in throws(dice)) for dice in range(1, 7)] == sums


@pytest.mark.parametrize(
    ("name", "total"),
    [
        ("danish", 18_159_000),
        ("danish doubling", 18_261_000),
        ("norwegian", 19_161_000),
        ("norwegian 4+2", 19_402_500),
        ("norwegian 2500/750", 18_531_000),
        ("finnish without straight and pairs", 15_759_000),
    ],
)
def test_best_points_summed_over_all_46656_throws(name: str, total: int) -> None:
    ruleset = rules(name)
    best = (max((e.points for e in set_asides(t, ruleset)), default=0) for t in six_dice_in_every_order())
    assert sum(best) == total


def six_dice_in_every_order() -> itertools.product:
    return itertools.product(range(1, 7), repeat=6)


@pytest.mark.parametrize(
    ("name", "on_six"),
    [("danish", 1080), ("norwegian", 1080), ("finnish without straight and pairs", 1440), ("zilch", 0)],
)
def test_bust_throws_of_one_to_six_dice(name: str, on_six: int) -> None:
    counts = [bust_count(dice, rules(name)) for dice in range(1, 7)]
    assert counts == [4, 16, 60, 204, 600, on_six]
    assert bust_probability(3, rules(name)) == pytest.approx(60 / 216, abs=1e-15)


@pytest.mark.parametrize("dice", [1, 2, 3, 4, 5, 6])
def test_bust_count_agrees_with_counting_throw_by_throw(dice: int) -> None:
    ruleset = rules("finnish six alike")
    every = itertools.product(range(1, 7), repeat=dice)
    assert bust_count(dice, ruleset) == sum(not set_asides(throw, ruleset) for throw in every)


@pytest.mark.parametrize("dice", [0, 7, -1])
def test_odds_of_no_dice_are_refused(dice: int) -> None:
    with pytest.raises(ValueError, match="1 to 6"):
        bust_probability(dice, rules("danish"))


@pytest.mark.parametrize(
    ("throw", "name", "expected"),
    [
        ("222233", "danish", {"222": 200, "2222": 400}),
        ("222233", "norwegian", {"222": 200, "2222": 400}),
        ("222233", "norwegian 4+2", {"222": 200, "2222": 400, "222233": 1500}),
        ("123456", "norwegian", {"1": 100, "5": 50, "15": 150, "123456": 1500}),
        ("223344", "norwegian", {"223344": 1500}),
        ("234466", "danish", {}),
        ("234466", "norwegian 4+2", {}),
    ],
)
def test_table_of_throws_with_all_their_set_asides(throw: str, name: str, expected: dict[str, int]) -> None:
    found = points_by_faces(dice_of(throw), rules(name))
    assert found == {dice_of(faces): points for faces, points in expected.items()}


@pytest.mark.parametrize(
    ("throw", "name", "best", "options"),
    [
        ("556666", "danish", 1300, None),
        ("556666", "norwegian", 1300, None),
        ("556666", "norwegian 4+2", 1500, None),
        ("556666", "danish 4+2", 1300, None),
        ("115555", "norwegian", 1200, None),
        ("115555", "norwegian 4+2", 1500, None),
        ("222222", "norwegian", 1600, None),
        ("222222", "danish", 800, None),
        ("222222", "danish doubling", 1600, None),
        ("222222", "finnish pairs 2000", 1600, None),
        ("222222", "finnish six alike", 2000, None),
        ("111111", "norwegian", 8000, None),
        ("111111", "danish", 4000, None),
        ("112255", "norwegian", 1500, None),
        ("112255", "danish", 1000, 9),
        ("133333", "norwegian", 1300, None),
        ("133333", "danish", 1000, 7),
        ("111555", "norwegian", 1500, 15),
    ],
)
def test_table_of_throws(throw: str, name: str, best: int, options: int | None) -> None:
    found = set_asides(dice_of(throw), rules(name))
    assert found[0].points == best
    assert options in (None, len(found))


def test_danish_page_counts_over_46656_throws() -> None:
    """The page's table: its "three alike" row, 17436, counts the 300 double triplets twice."""
    every = list(six_dice_in_every_order())
    most = [max(throw.count(face) for face in range(1, 7)) for throw in every]
    assert [sum(count >= alike for count in most) for alike in (3, 4, 5, 6)] == [17136, 2436, 186, 6]
    triplets = (sum(throw.count(face) >= 3 for face in range(1, 7)) for throw in every)
    assert sum(triplets) == 17436
    names = {
        throw: {part.name for each in set_asides(throw, rules("danish")) for part in each.parts}
        for throw in throws(6)
    }
    counts = Counter(name for throw in every for name in names[tuple(sorted(throw))])
    assert (counts["straight"], counts["three_pairs"]) == (720, 1800)
    assert (counts["three_alike"], counts["four_alike"]) == (17136, 2436)
    assert (counts["five_alike"], counts["six_alike"]) == (186, 6)
    assert sum(1 in throw for throw in every) == sum(5 in throw for throw in every) == 31031


def test_decision_1_best_set_aside_need_not_use_the_most_dice() -> None:
    best, *others = set_asides(dice_of("111122"), rules("norwegian 4+2"))
    assert (best.faces, best.points) == (dice_of("1111"), 2000)
    assert (dice_of("111122"), 1500) in [(each.faces, each.points) for each in others]


def test_decision_1_points_are_the_best_partitions() -> None:
    assert points_by_faces(dice_of("111155"), rules("low fixed"))[dice_of("1111")] == 1100  # 3 + 1, not 100
    assert points_by_faces(dice_of("666666"), rules("low fixed"))[dice_of("666666")] == 1200  # 3 + 3


def test_decision_1_of_equal_partitions_the_one_with_fewest_combinations_counts() -> None:
    four_fives_550 = with_overrides(load_preset("danish"), {"of_a_kind": "550,1500,2000"})
    best = set_asides(dice_of("5555"), four_fives_550)[0]
    assert [(part.name, part.points) for part in best.parts] == [("four_alike", 550)]


def test_decision_2_ones_and_fives_in_any_number_others_from_three() -> None:
    assert points_by_faces(dice_of("111"), rules("danish")) == {(1,): 100, (1, 1): 200, (1, 1, 1): 1000}
    for face in (2, 3, 4, 6):
        found = points_by_faces((face,) * 5, rules("danish"))
        assert sorted(map(len, found)) == [3, 4, 5]


def test_decision_3_straight_and_pairs_combine_with_nothing() -> None:
    assert points_by_faces(dice_of("112255"), rules("norwegian"))[dice_of("115")] == 250
    assert set_asides(dice_of("12345"), rules("norwegian"))[0].points == 150


def test_decision_4_two_triplets_are_two_triplets() -> None:
    best = set_asides(dice_of("111555"), rules("norwegian 4+2"))[0]
    assert [part.name for part in best.parts] == ["three_alike", "three_alike"]


def test_decision_4_six_alike_are_three_pairs_only_when_the_field_says_so() -> None:
    pairs_and_four_plus_two = with_overrides(rules("norwegian 4+2"), {"three_pairs": "5000"})
    assert set_asides(dice_of("222222"), pairs_and_four_plus_two)[0].points == 1600
    six_too = with_overrides(pairs_and_four_plus_two, {"six_alike": "yes"})
    assert set_asides(dice_of("222222"), six_too)[0].points == 5000


def test_decision_12_take_all_leaves_the_set_asides_with_most_dice() -> None:
    take_all = with_overrides(load_preset("norwegian"), {"take_all": "yes"})
    assert points_by_faces(dice_of("115326"), take_all) == {dice_of("115"): 250}
    assert points_by_faces(dice_of("123456"), take_all) == {dice_of("123456"): 1500}


def test_nothing_on_six_counts_and_gives_six_new_dice() -> None:
    (only,) = set_asides(dice_of("234466"), rules("zilch"))
    assert (only.points, only.hot_dice, only.parts[0].name) == (500, True, "nothing_on_six")
    assert dice_left_after(only, 6) == 6
    assert set_asides(dice_of("23446"), rules("zilch")) == ()


@pytest.mark.parametrize("faces", [(), (0,), (7,), (1,) * 7, (1, -1)])
def test_faces_that_are_no_throw_are_refused(faces: Dice) -> None:
    with pytest.raises(FacesError, match="1 to 6 dice"):
        set_asides(faces, rules("danish"))
