"""A person's rulings: what a leaning die would have been, whose turn it is, totals, who plays."""

from __future__ import annotations

from random import Random

from hypothesis import given

from scoring.actions import Amend, Correct, CountAs, EndTurn, SetTotal, TakeIn, TakeOut, TurnTo
from scoring.events import GameOver, Options, PlayerOut, Ruled, TotalRuled, TurnEnded, TurnRuled, TurnStarted
from scoring.game import Game, Phase, apply, can, options, undo
from scoring.played_turns import played_turns
from tests.scoring.playing import BANK, BUST, after, aside, game, misroll, refused, throw, turn_of
from tests.scoring.strategies import untimed
from tests.scoring.test_random_games import any_ruling, games, play, seeds

RULES = "norwegian opening=0"


@untimed
@given(games, seeds)
def test_a_ruling_on_one_player_leaves_the_totals_of_all_others(start: Game, random: Random) -> None:
    now = play(start, random, steps=30, amending=True, ruling=True)
    for ruling in (any_ruling(random) for _ in range(20)):
        if can(now, ruling) and not isinstance(ruling, CountAs):
            then, _ = apply(now, ruling)
            changed = {name for name, total in then.totals.items() if total != now.totals.get(name, 0)}
            assert changed <= ({ruling.player} if isinstance(ruling, SetTotal) else set())
            assert undo(then) == now


@untimed
@given(games, seeds)
def test_nobody_who_is_out_is_given_a_turn(start: Game, random: Random) -> None:
    now = start
    for _ in range(12):
        now = play(now, random, steps=3)
        out = TakeOut(random.choice(now.players))
        now = apply(now, out)[0] if can(now, out) else now
        assert now.over or now.turn.seat not in now.out
        assert not set(now.winners) & now.out


@untimed
@given(games, seeds)
def test_turns_read_out_add_up_to_what_the_sheet_says_without_rulings(start: Game, random: Random) -> None:
    now = play(start, random, amending=True, ruling=True)
    ended = [turn for turn in played_turns(now) if turn.ending is not None]
    for seat, tally in enumerate(now.tallies):
        assert sum(turn.points for turn in ended if turn.seat == seat) == tally.total - tally.ruled


def test_a_leaning_die_that_would_have_been_a_four_counts_by_one_action() -> None:
    now, events = apply(after(game(RULES), misroll("tilted")), CountAs((1, 1, 5, 3, 2, 4), (4,)))
    assert events == (Ruled("Ada", (1, 1, 2, 3, 4, 5), (4,)), *options(now))
    assert isinstance(events[1], Options)
    assert after(now, aside("115")).turn.points == 250


def test_a_ruling_saves_the_throw_where_a_misroll_is_a_bust_and_a_knock_might_help() -> None:
    leaning = after(game(f"{RULES} misroll=bust knock_relief=yes"), misroll("tilted"))
    assert leaning.turn.phase is Phase.KNOCK
    assert after(leaning, CountAs((1, 1, 5, 3, 2, 4), (4,))).turn.phase is Phase.SET_ASIDE
    busted = after(game(f"{RULES} misroll=bust"), misroll("tilted"))
    assert busted.player == "Bo"
    ruled = after(busted, Amend(0, CountAs((1, 1, 5, 3, 2, 4), (4,))))
    assert (ruled.player, ruled.turn.phase) == ("Ada", Phase.SET_ASIDE)


def test_only_dice_of_the_throw_are_ruled_on() -> None:
    for ruled in ((), (6,), (4, 4)):
        refused(game(RULES), CountAs((1, 1, 5, 3, 2, 4), ruled), "as ruled on; accepted: one or more dice")
    refused(game(RULES), CountAs((1, 4), (4,)), "the throw is of 6 dice, not 2")
    refused(after(game(RULES), throw("115324")), CountAs((1,) * 6, (1,)), "at least one scoring die")


def test_the_turn_goes_to_another_player_with_all_that_was_done_in_it() -> None:
    now = after(game(RULES, players=3), throw("115326"), aside("1"))
    then, events = apply(now, TurnTo("Cy"))
    assert events == (TurnRuled("Cy", "Ada"), TurnStarted("Cy"))
    assert (then.player, then.turn.points, then.turn.dice_left) == ("Cy", 100, 5)
    assert after(then, EndTurn(300)).totals == {"Ada": 0, "Bo": 0, "Cy": 300}
    assert after(then, EndTurn(300)).player == "Ada"


def test_the_throw_that_lies_is_offered_to_whose_turn_it_is() -> None:
    thrown = after(game(RULES, players=3), throw("115326"))
    then, events = apply(thrown, TurnTo("Bo"))
    assert events[2:] == options(then) == options(thrown)


def test_what_was_the_relief_of_one_is_the_bust_of_another_who_has_opened() -> None:
    start = after(game("danish"), EndTurn(750), EndTurn(), EndTurn())
    relieved = after(start, BUST)
    assert relieved.turn.phase is Phase.RELIEF
    assert [each.kind for each in apply(relieved, TurnTo("Ada"))[1]][:3] == [
        "corrected",
        "turn_started",
        "bust",
    ]


def test_earlier_amendments_leave_throws_with_those_who_threw_them() -> None:
    """Bo was out for a round; that he was is taken back; what Cy threw meanwhile stays Cy's."""
    now = after(game(RULES, players=3), TakeOut("Bo"), EndTurn(100), EndTurn(200), EndTurn(300))
    assert now.totals == {"Ada": 400, "Bo": 0, "Cy": 200}
    back = after(now, Amend(0, None))
    assert back.totals == now.totals
    assert back.player == "Bo"


def test_who_is_taken_out_ends_their_turn_and_plays_again_once_taken_in() -> None:
    now = after(game(RULES, players=3), EndTurn(300), throw("115326"))
    out, events = apply(now, TakeOut("Bo"))
    assert events == (PlayerOut("Bo", 0), TurnEnded("Bo", 0), TurnStarted("Cy"))
    assert after(out, EndTurn(50), EndTurn(50)).player == "Cy"
    assert after(out, EndTurn(50), TakeIn("Bo"), EndTurn(50)).player == "Bo"


def test_last_turns_are_played_by_those_who_still_play() -> None:
    final = after(game("norwegian", players=3), EndTurn(10000))
    assert after(final, TakeOut("Bo"), EndTurn()).winners == (0,)
    ended, events = apply(after(final, TakeOut("Ada"), EndTurn(300)), EndTurn(400))
    assert (ended.over, events[-1]) == (
        True,
        GameOver(("Cy",), {"Ada": 10000, "Bo": 300, "Cy": 400}),
    )


def test_a_total_is_what_a_person_says_it_is_and_what_is_banked_comes_on_top() -> None:
    now, events = apply(after(game("danish"), EndTurn(750)), SetTotal("Bo", 1200))
    assert events == (TotalRuled("Bo", 0, 1200),)
    banked = after(now, *turn_of(300))
    assert banked.totals == {"Ada": 750, "Bo": 1500}  # who has points has opened: 300 may be banked
    refused(after(banked, SetTotal("Ada", 0), *list(turn_of(300))[:-1]), BANK, "needs 450 more to open")


def test_a_total_ruled_on_leaves_the_latest_throw_to_correct() -> None:
    busted = after(game(RULES), BUST, SetTotal("Ada", 500), SetTotal("Bo", 50))
    now = after(busted, Correct((1, 3, 4, 4, 6, 6)))
    assert (now.player, now.turn.phase, now.totals) == ("Ada", Phase.SET_ASIDE, {"Ada": 500, "Bo": 50})


def test_amending_a_turn_before_leaves_a_total_that_was_ruled_on() -> None:
    now = after(game(RULES), EndTurn(300), SetTotal("Ada", 500), EndTurn())
    assert after(now, Amend(0, EndTurn(100))).totals == {"Ada": 500, "Bo": 0}
    assert after(now, Amend(1, None)).totals == {"Ada": 300, "Bo": 0}


def test_what_cannot_be_ruled() -> None:
    start = game("danish")
    refused(start, SetTotal("Eve", 100), "found no player 'Eve'; accepted: Ada, Bo")
    refused(start, SetTotal("Ada", 10000), "found a total of 10000; accepted: -.* to below the target, 10000")
    refused(start, SetTotal("Ada", 0), "Ada has 0 already")
    refused(start, TurnTo("Ada"), "it is the turn of Ada already")
    refused(start, TakeIn("Ada"), "Ada plays already")
    alone = after(start, TakeOut("Bo"))
    refused(alone, TakeOut("Ada"), "one player at least must play")
    refused(alone, TakeOut("Bo"), "Bo does not play")
    refused(alone, TurnTo("Bo"), "Bo does not play")
    final = after(game("norwegian"), EndTurn(10000))
    refused(final, SetTotal("Ada", 500), "Ada has reached the target: correct the turn")
    refused(after(final, EndTurn()), SetTotal("Bo", 500), "the game is over")


def test_a_correction_offers_what_a_total_ruled_on_since_the_throw_leaves() -> None:
    start = game("danish exact_target=yes opening=0 least_banking=0 first_throw_relief=no")
    now = after(start, throw("123446"), SetTotal(start.player, start.ruleset.target - 100))
    corrected, events = apply(now, Correct((1, 1, 2, 2, 2, 3)))
    offered = [event for event in events if isinstance(event, Options)]
    assert offered == list(options(corrected))
    assert offered[0].best == 100
