"""The decisions the rules list where the sources are silent or clash, one by one (1-4: test_set_asides)."""

from __future__ import annotations

import pytest

from scoring.actions import DeclineRelief, Knock, Misroll, PutAside
from scoring.banking import BankObstacle, BankObstacleKind
from scoring.events import Banked, Bust, GameOver, Misrolled, Relief, TargetPassed, TurnStarted
from scoring.game import Phase, bank_obstacles, can, legal_set_asides, options
from tests.scoring.playing import BANK, BUST, after, aside, events_of, game, misroll, refused, throw, turn_of


def test_decision_1_only_dice_that_belong_to_a_combination_can_be_set_aside() -> None:
    now = after(game("danish"), throw("115326"))
    refused(now, aside("112"), "1-1-2 cannot be set aside: only dice that all belong to a combination")
    refused(now, aside("111"), "1-1-1 cannot be set aside")
    refused(now, aside(""), "nothing cannot be set aside")
    assert after(now, aside("511")).turn.points == 250


def test_decision_3_combinations_are_of_one_throw() -> None:
    now = after(game("danish"), throw("552346"), aside("55"), throw("5234"), aside("5"))
    assert now.turn.points == 150
    hot = after(game("danish"), throw("111234"), aside("111"), throw("551"), aside("551"))
    assert (hot.turn.points, hot.turn.dice_left, hot.turn.hot_dice) == (1200, 6, True)


def test_decision_5_opening_is_the_turns_total() -> None:
    now = after(game("danish"), throw("666234"), aside("666"))
    refused(now, BANK, "needs 150 more to open")
    assert bank_obstacles(now) == (BankObstacle(BankObstacleKind.OPENING, missing=150, limit=750),)
    opened = after(now, throw("134"), aside("1"), throw("52"), aside("5"), BANK)
    assert opened.totals == {"Ada": 750, "Bo": 0}
    assert opened.tallies[0].opened


def test_decision_5_opening_stacks_with_least_banking() -> None:
    now = after(game("danish opening=200"), throw("115234"), aside("11"))
    refused(now, BANK, "needs 50 more to bank")
    opened = after(game("danish"), *turn_of(750), *turn_of(750), throw("666234"), aside("666"))
    assert bank_obstacles(opened) == ()
    low = after(game("danish"), *turn_of(750), *turn_of(750), throw("116234"), aside("11"))
    assert list(map(str, bank_obstacles(low))) == ["needs 50 more to bank"]


def test_decision_5_least_banking_holds_for_the_winning_banking_too() -> None:
    near = after(game("danish target=1000"), *turn_of(900), BUST, DeclineRelief())
    now = after(near, throw("112346"), aside("11"))
    refused(now, BANK, "needs 50 more to bank")
    assert after(now, throw("5234"), aside("5"), BANK).winners == (0,)


def test_decision_6_relief_is_optional_and_may_repeat() -> None:
    start = game("danish")
    assert events_of(start, BUST, BUST) == [Relief("Ada"), Relief("Ada")]
    relieved = after(start, BUST, BUST)
    assert relieved.turn.phase is Phase.RELIEF
    assert relieved.tally.busts_in_row == 0
    assert after(relieved, throw("111234"), aside("111"), BANK).totals["Ada"] == 1000
    declined = events_of(relieved, DeclineRelief())
    assert declined == [Bust("Ada", 0, 0, 0), TurnStarted("Bo")]
    refused(start, DeclineRelief(), "no relief")
    refused(relieved, BANK, "banking comes after setting aside")
    refused(relieved, aside("2"), "no throw to set aside from")


def test_decision_6_relief_only_on_the_first_throw_and_before_opening() -> None:
    second = events_of(game("danish"), throw("123446"), aside("1"), throw("23466"))
    assert second[-2:] == [Bust("Ada", 100, 0, 0), TurnStarted("Bo")]
    hot = after(game("danish"), throw("123456"), aside("123456"))
    assert events_of(hot, BUST) == [Bust("Ada", 1500, 0, 0), TurnStarted("Bo")]
    opened = after(game("danish"), *turn_of(750), *turn_of(750))
    assert events_of(opened, BUST) == [Bust("Ada", 0, 0, 750), TurnStarted("Bo")]
    assert events_of(game("norwegian"), BUST) == [Bust("Ada", 0, 0, 0), TurnStarted("Bo")]


def test_decision_7_over_9000_is_strictly_above_and_must_reach_the_target() -> None:
    rules = "danish over_limit=9000 first_throw_relief=no opening=0"
    at_limit = after(game(rules), *turn_of(9000), BUST, throw("111234"), aside("11"), throw("1234"))
    assert bank_obstacles(after(at_limit, aside("1"))) == ()
    above = after(game(rules), *turn_of(9050), BUST, throw("666234"), aside("666"))
    refused(above, BANK, "needs 350 more to reach the target, as the total is over 9000")
    exactly = after(above, throw("124"), aside("1"), throw("15"), aside("15"))
    refused(exactly, BANK, "needs 100 more to reach the target")
    assert after(exactly, throw("123446"), aside("1"), BANK).winners == (0,)


def test_decision_8_passing_the_exact_target_ends_the_turn_with_0() -> None:
    rules = "norwegian target=1000 exact_target=yes opening=0 three_busts=500"
    start = after(game(rules), *turn_of(800), *turn_of(100))
    events = events_of(start, throw("115234"), aside("115"))
    assert events[1:] == [TargetPassed("Ada", 250, 800), TurnStarted("Bo")]
    won = after(start, throw("115234"), aside("11"), BANK, BUST)
    assert (won.winners, won.totals) == ((0,), {"Ada": 1000, "Bo": 100})


@pytest.mark.parametrize(("before", "best"), [(700, 250), (750, 250), (800, 200), (900, 100), (950, 50)])
def test_decision_8_the_best_set_aside_is_one_that_does_not_pass(before: int, best: int) -> None:
    start = after(game("norwegian target=1000 exact_target=yes opening=0"), *turn_of(before), BUST)
    (offered,) = options(after(start, throw("115234")))
    assert [each.points for each in offered.set_asides] == [250, 200, 150, 100, 50]
    assert [each.passes_target for each in offered.set_asides] == [
        before + each.points > 1000 for each in offered.set_asides
    ]
    assert offered.best == best


def test_decision_8_the_points_of_the_turn_count_and_there_may_be_no_best() -> None:
    start = after(game("norwegian target=1000 exact_target=yes opening=0"), throw("666234"), aside("666"))
    (offered,) = options(after(start, throw("111")))
    assert [(each.points, each.passes_target) for each in offered.set_asides] == [
        (1000, True),
        (200, False),
        (100, False),
    ]
    (none_left,) = options(after(start, throw("115"), aside("115"), throw("444555")))
    assert all(each.passes_target for each in none_left.set_asides if each.points > 150)
    full = after(game("norwegian target=1000 exact_target=yes opening=0"), *turn_of(1000 - 50), BUST)
    (passing,) = options(after(full, throw("123446")))
    assert ([each.points for each in passing.set_asides], passing.best) == ([100], 0)


def test_decision_8_passing_is_no_bust_for_three_in_a_row() -> None:
    rules = "norwegian target=1000 exact_target=yes opening=0 three_busts=500"
    passing = (throw("111234"), aside("111"))
    start = after(game(rules), *turn_of(100), BUST, BUST, BUST, BUST, BUST)
    assert [tally.busts_in_row for tally in start.tallies] == [2, 0]
    assert start.totals == {"Ada": 100, "Bo": -500}
    passed = after(start, *passing)
    assert (passed.tallies[0].busts_in_row, passed.totals["Ada"]) == (0, 100)
    assert passed.tallies[0].entries == (100, 0, 0, 0)


@pytest.mark.parametrize("trigger", [0, 1, 2])
def test_decision_9_norwegian_last_turns_are_one_for_each_other_player(trigger: int) -> None:
    start = after(game("norwegian", players=3), *[BUST] * trigger, *turn_of(10000))
    assert not start.over
    assert after(start, BUST).turn.seat == (trigger + 2) % 3
    ended = after(start, BUST, BUST)
    assert ended.winners == (trigger,)
    assert [len(tally.entries) for tally in ended.tallies] == [1 + (seat < trigger) for seat in range(3)]


def test_decision_9_norwegian_equalling_does_not_beat_but_passing_does() -> None:
    start = after(game("norwegian", players=3), *turn_of(10000))
    assert after(start, *turn_of(10000), *turn_of(10000)).winners == (0,)
    assert after(start, *turn_of(10050), *turn_of(10000)).winners == (1,)
    assert after(start, *turn_of(10050), *turn_of(10050)).winners == (1, 2)


@pytest.mark.parametrize("first_seat", [0, 1, 2])
@pytest.mark.parametrize("turns_before", [0, 1, 2])
def test_decision_9_finnish_only_seats_after_the_trigger_play_on(first_seat: int, turns_before: int) -> None:
    start = game("finnish", players=3, first_seat=first_seat)
    now = after(start, *[BUST] * turns_before, *turn_of(10000))
    for _ in range(2 - turns_before):
        assert not now.over
        now = after(now, BUST)
    assert now.winners == ((first_seat + turns_before) % 3,)
    assert [len(tally.entries) for tally in now.tallies] == [1, 1, 1]


def test_decision_9_finnish_equal_highest_are_joint_winners() -> None:
    events = events_of(game("finnish", players=3), *turn_of(10000), *turn_of(10000), *turn_of(9000))
    assert events[-1] == GameOver(("Ada", "Bo"), {"Ada": 10000, "Bo": 10000, "Cy": 9000})


def test_decision_9_danish_first_to_reach_wins_at_once() -> None:
    events = events_of(game("danish", players=3), BUST, DeclineRelief(), *turn_of(10100))
    assert events[-2:] == [
        Banked("Bo", 10100, 10100, opened=True),
        GameOver(("Bo",), {"Ada": 0, "Bo": 10100, "Cy": 0}),
    ]


def test_decision_10_three_busts_in_a_row_of_one_player() -> None:
    start = game("finnish three_busts=1000")
    two = after(start, BUST, BUST, BUST, BUST)
    assert events_of(two, BUST) == [Bust("Ada", 0, 1000, -1000), TurnStarted("Bo")]
    assert after(two, BUST, *turn_of(500)).totals == {"Ada": -1000, "Bo": 500}
    again = after(two, *[BUST] * 6)
    assert (again.totals["Ada"], again.tallies[0].busts_in_row) == (-1000, 2)
    assert after(two, *[BUST] * 8, BUST).totals["Ada"] == -2000


def test_decision_10_banking_resets_the_count() -> None:
    two = after(game("finnish three_busts=1000"), BUST, BUST, BUST, BUST)
    banked = after(two, *turn_of(50), BUST, BUST)
    assert banked.totals == {"Ada": 50, "Bo": -1000}
    assert banked.tallies[0].busts_in_row == 1


def test_decision_11_a_misroll_is_neither_score_nor_bust() -> None:
    now = after(game("danish"), throw("666234"), aside("666"))
    assert events_of(now, misroll("outside")) == [Misrolled(misroll("outside").reasons, None)]
    again = after(now, misroll("outside"))
    assert (again.turn.points, again.turn.dice_left, again.turn.seat) == (600, 3, 0)
    assert again.turn.phase is Phase.THROW
    refused(again, BANK, "banking comes after setting aside")
    refused(again, throw("123456"), "the throw is of 3 dice, not 6")
    assert after(again, throw("111"), aside("111"), BANK).totals["Ada"] == 1600


def test_decision_11_a_first_throw_misrolled_is_still_the_first_throw() -> None:
    assert after(game("danish"), misroll("stacked"), BUST).turn.phase is Phase.RELIEF


def test_decision_11_a_person_may_call_the_lying_throw_a_misroll() -> None:
    now = after(game("danish"), throw("666234"), Misroll())
    assert (now.turn.phase, now.turn.faces, now.turn.dice_left) == (Phase.THROW, None, 6)


def test_decision_11_misroll_as_bust_loses_the_turn() -> None:
    now = after(game("danish misroll=bust"), throw("666234"), aside("666"))
    assert events_of(now, misroll("tilted")) == [
        Misrolled(misroll("tilted").reasons, None, bust=True),
        Bust("Ada", 600, 0, 0),
        TurnStarted("Bo"),
    ]


def test_decision_12_take_all_leaves_one_choice() -> None:
    now = after(game("norwegian take_all=yes"), throw("115326"))
    assert [each.faces for each in legal_set_asides(now)] == [(1, 1, 5)]
    refused(now, aside("11"), "1-1 cannot be set aside: every scoring die of this throw: 1-1-5")


def test_decision_13_first_reading_hot_dice_must_be_thrown() -> None:
    now = after(game("danish hot_dice=must"), throw("123456"), aside("123456"))
    refused(now, BANK, "all six dice are set aside and must be thrown again")
    assert after(now, throw("123446"), aside("1"), BANK).totals["Ada"] == 1600
    assert can(after(game("danish"), throw("123456"), aside("123456")), BANK)


@pytest.mark.parametrize(
    ("rules", "faces", "bankable"),
    [
        ("danish", "111555", {"111555", "555", "11155", "15", "1", "5"}),
        ("danish hot_dice=must", "111555", {"555", "11155", "15", "1", "5"}),
        ("danish confirmation=yes", "222346", set()),
        ("danish confirmation=yes", "111555", {"15", "1", "5", "11155"}),
        ("danish confirmation=yes", "111123", {"1", "11", "1111"}),
        ("danish confirmation=yes hot_dice=must", "123456", {"1", "5", "15"}),
    ],
)
def test_decision_13_each_offer_says_whether_the_turn_could_end_with_it(
    rules: str, faces: str, bankable: set[str]
) -> None:
    lying = after(game(f"{rules} opening=0 least_banking=0"), throw(faces))
    (offered,) = options(lying)
    for each in offered.set_asides:
        assert each.may_bank == can(after(lying, PutAside(each.faces)), BANK), each
    assert bankable <= {"".join(map(str, each.faces)) for each in offered.set_asides if each.may_bank}


def test_decision_13_second_reading_banking_needs_a_single_1_or_5() -> None:
    start = game("danish confirmation=yes")
    triple = after(start, throw("666234"), aside("666"))
    refused(triple, BANK, "needs a single 1 or 5 in the last set-aside")
    assert after(triple, throw("115"), aside("115"), BANK).totals["Ada"] == 850
    refused(after(start, throw("123456"), aside("123456")), BANK, "needs a single 1 or 5")
    assert can(after(start, throw("111523"), aside("1115")), BANK)
    refused(after(start, throw("115623"), aside("1")), BANK, "needs 650 more to open")
    low = after(start, throw("222346"), aside("222"))
    assert len(bank_obstacles(low)) == 2


def test_knock_saves_a_leaning_die_when_the_rules_allow() -> None:
    now = after(game("danish knock_relief=yes"), throw("666234"), aside("666"))
    assert events_of(now, misroll("tilted")) == [Misrolled(misroll("tilted").reasons, "knock")]
    leaning = after(now, misroll("tilted"))
    refused(leaning, Knock((1, 2)), "the throw is of 3 dice, not 2")
    refused(leaning, BANK, "banking comes after setting aside")
    saved = after(leaning, Knock((1, 2, 3)), aside("1"))
    assert saved.turn.points == 700
    assert events_of(leaning, Knock(None)) == [Misrolled((), None)]
    assert after(leaning, Knock(None)).turn.phase is Phase.THROW
    assert after(leaning, throw("123"), aside("1")).turn.points == 700
    refused(now, Knock((1, 2, 3)), "no leaning die")


@pytest.mark.parametrize("reasons", [("outside",), ("tilted", "stacked"), ("missing",), ()])
def test_knock_saves_nothing_but_leaning_dice(reasons: tuple[str, ...]) -> None:
    called = misroll(*reasons)
    assert events_of(game("danish knock_relief=yes"), called) == [Misrolled(called.reasons, None)]


def test_knock_comes_before_a_misroll_is_a_bust() -> None:
    leaning = after(game("danish knock_relief=yes misroll=bust"), misroll("tilted"))
    refused(leaning, throw("123456"), "the knock comes first")
    refused(leaning, Misroll(), "the knock comes first")
    assert events_of(leaning, Knock(None)) == [Bust("Ada", 0, 0, 0), TurnStarted("Bo")]
    assert after(leaning, Knock((1, 2, 3, 4, 5, 6))).turn.phase is Phase.SET_ASIDE


def test_nothing_on_six_is_points_and_six_new_dice() -> None:
    now = after(game("zilch"), BUST, aside("234466"))
    assert (now.turn.points, now.turn.dice_left, can(now, BANK)) == (500, 6, True)
    assert after(now, BUST, aside("234466"), BANK).totals["Ada"] == 1000
