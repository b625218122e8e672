"""Corrections: of the latest throw, and of anything earlier, with what became of all that followed."""

from __future__ import annotations

import json
from dataclasses import replace

from scoring.actions import Action, Amend, Correct, EndTurn, Knock, PutAside
from scoring.events import Amended, Bust, Corrected, GameOver, TurnStarted
from scoring.game import Game, Phase, apply, legal_set_asides, options, replay, start_of, undo
from scoring.history import Impossible, ImpossibleKind
from tests.scoring.playing import BANK, BUST, after, aside, events_of, game, misroll, refused, throw, turn_of

RULES = "norwegian opening=0"
TURN = (throw("115326"), aside("1"), throw("52346"), aside("5"), BANK)  # of 150, at places 0 to 4


def amended(now: Game, place: int, action: Action | None) -> Amended:
    """What an amendment says of itself, once undoing it is seen to be exact."""
    then, events = apply(now, Amend(place, action))
    assert undo(then) == now
    return events[0]


def lost(event: Amended) -> dict[int, ImpossibleKind]:
    return {each.place: each.kind for each in event.impossible}


def test_correction_of_the_throw_that_lies() -> None:
    now = after(game("danish"), throw("115326"), Correct((1, 1, 1, 3, 2, 6)))
    assert now.turn.faces == (1, 1, 1, 2, 3, 6)
    assert after(now, aside("111")).turn.points == 1000
    refused(now, Correct((1, 1)), "the throw is of 6 dice, not 2")
    refused(now, Correct((0,) * 6), "accepted: 1 to 6 dice")


def test_correction_takes_back_a_bust_and_the_next_players_turn() -> None:
    busted = after(game("danish"), throw("666234"), aside("666"), throw("234"))
    assert busted.player == "Bo"
    now, events = apply(busted, Correct((2, 3, 5)))
    assert events == (Corrected("Ada", (2, 3, 4), (2, 3, 5)), *options(now))
    assert (now.player, now.turn.points, now.turn.faces) == ("Ada", 600, (2, 3, 5))
    assert now.tallies[0].entries == ()


def test_correction_can_turn_points_into_a_bust() -> None:
    now = after(game("norwegian"), throw("234566"))
    assert events_of(now, Correct((2, 3, 4, 4, 6, 6))) == [
        Corrected("Ada", (2, 3, 4, 5, 6, 6), (2, 3, 4, 4, 6, 6)),
        Bust("Ada", 0, 0, 0),
        TurnStarted("Bo"),
    ]


def test_correction_takes_back_the_end_of_the_game() -> None:
    over = after(game("finnish"), *turn_of(10000), BUST)
    assert over.winners == (0,)
    assert not after(over, Correct((1, 3, 4, 4, 6, 6))).over


def test_correction_of_corrections_and_of_a_knock() -> None:
    leaning = after(game("danish knock_relief=yes"), misroll("tilted"), Knock((1, 2, 3, 4, 6, 6)))
    twice = after(leaning, Correct((5, 2, 3, 4, 6, 6)), Correct((1, 1, 3, 4, 6, 6)))
    assert legal_set_asides(twice)[0].points == 200
    assert replay(start_of(twice), twice.log) == twice
    assert undo(twice) == after(leaning, Correct((5, 2, 3, 4, 6, 6)))
    refused(after(game("danish knock_relief=yes"), misroll("tilted"), Knock(None)), Correct((1,)), "latest")


def test_correction_after_an_earlier_corrected_knock() -> None:
    """Where a misroll is a bust, no plain throw may stand in the knock's place when the log is replayed."""
    knocked = (misroll("tilted"), Knock((1, 2, 3, 4, 6, 6)), Correct((5, 2, 3, 4, 6, 6)))
    now = after(game("danish knock_relief=yes misroll=bust"), *knocked, aside("5"), throw("12346"))
    assert after(now, Correct((1, 1, 3, 4, 6)), aside("11")).turn.points == 250


def test_many_corrections_do_not_slow_the_game_down() -> None:
    """Each correction replays the log once, not every earlier correction's replay again."""
    now = game("norwegian")
    for _ in range(60):
        now = after(now, throw("234566"), Correct((2, 3, 4, 4, 6, 6)))
    assert [len(tally.entries) for tally in now.tallies] == [30, 30]


def test_latest_throw_after_an_earlier_one_was_amended_is_the_one_that_lies() -> None:
    """What the amendment made impossible after it is void, even if the correction would allow it again."""
    now = after(game(RULES), *TURN[:3], Amend(0, throw("223366")))
    assert now.turn.faces == (2, 2, 3, 3, 6, 6)
    then, events = apply(now, Correct((1, 1, 5, 3, 2, 6)))
    assert events == (Corrected("Ada", (2, 2, 3, 3, 6, 6), (1, 1, 2, 3, 5, 6)), *options(then))
    assert (then.turn.phase, then.history.impossible) == (Phase.SET_ASIDE, ())


def test_a_set_aside_that_did_not_happen_leaves_the_latest_throw_to_correct() -> None:
    now = after(game(RULES), *TURN[:2], Amend(1, None), Correct((2, 2, 3, 3, 6, 6)))
    assert legal_set_asides(now)[0].points == 1500


def test_amended_set_aside_and_all_that_followed_is_still_legal() -> None:
    now = after(game(RULES), *TURN, BUST, throw("115326"))
    then, events = apply(now, Amend(1, aside("5")))
    totals = {"Ada": 100, "Bo": 0}
    assert events == (Amended(1, "Ada", PutAside((1,)), PutAside((5,)), (), (), (), totals),)
    assert then.totals == totals
    assert then.turn == now.turn
    assert undo(then) == now


def test_amended_throw_that_changes_nothing_that_followed() -> None:
    now = after(game(RULES), *TURN, BUST)
    event = amended(now, 0, throw("134466"))
    assert (lost(event), event.closed, event.totals) == ({}, (), now.totals)


def test_rest_of_a_turn_is_impossible_after_a_set_aside_of_other_dice() -> None:
    """The next throw has the wrong number of dice; the players who threw after it keep their turns."""
    now = after(game(RULES), *TURN, *turn_of(300), throw("115326"))
    event = amended(now, 1, aside("11"))
    broken, follows = ImpossibleKind.BREAKS_RULE, ImpossibleKind.FOLLOWS
    because = "it follows from what is impossible at place 2"
    assert event.impossible == (
        Impossible(2, "Ada", TURN[2], broken, "the throw is of 4 dice, not 5"),
        Impossible(3, "Ada", TURN[3], follows, because),
        Impossible(4, "Ada", TURN[4], follows, because),
    )
    assert (event.closed, event.totals) == (("Ada",), {"Ada": 0, "Bo": 300})
    assert after(now, Amend(1, aside("11"))).turn == now.turn


def test_turn_left_open_is_open_again_when_nobody_has_played_after_it() -> None:
    now = after(game(RULES), *TURN)
    then, events = apply(now, Amend(3, None))
    assert (lost(events[0]), events[0].closed) == ({4: ImpossibleKind.BREAKS_RULE}, ())
    assert events[1:] == (TurnStarted("Ada"), *options(then))
    assert (then.player, then.turn.points, then.turn.faces) == ("Ada", 100, (2, 3, 4, 5, 6))


def test_turn_that_goes_on_has_not_had_what_is_impossible_in_it() -> None:
    """What is played now took its place: it stays away even when the amendment is taken back."""
    now = after(game(RULES), *TURN, Amend(0, throw("223366")), aside("223366"), EndTurn(1500))
    assert (now.totals["Ada"], now.history.impossible) == (1500, ())
    assert [entry.action for entry in now.history.entries[1:5]] == [None] * 4
    back = after(now, Amend(0, TURN[0]))
    assert [each.place for each in back.history.impossible] == [6, 7]
    assert legal_set_asides(back)[0].points == 250
    assert undo(now, 2).history.impossible != ()


def test_bust_corrected_to_points_after_others_have_played() -> None:
    now = after(game(RULES), BUST, *turn_of(300), throw("115326"))
    event = amended(now, 0, throw("134466"))
    assert (lost(event), event.closed, event.totals) == ({}, ("Ada",), {"Ada": 0, "Bo": 300})
    closed = after(now, Amend(0, throw("134466")))
    ruled = amended(closed, 0, EndTurn(100))
    assert (ruled.closed, ruled.totals) == ((), {"Ada": 100, "Bo": 300})


def test_points_corrected_to_a_bust() -> None:
    now = after(game(RULES), *TURN)
    event = amended(now, 2, throw("22346"))
    over = ImpossibleKind.TURN_OVER
    assert (lost(event), event.closed, event.totals) == ({3: over, 4: over}, (), {"Ada": 0, "Bo": 0})
    assert {(each.player, each.why) for each in event.impossible} == {("Ada", "its turn has already ended")}
    assert event.player == "Ada"


def test_amended_banking_is_a_ruling() -> None:
    now = after(game(RULES), *TURN, BUST, BUST, BUST)
    event = amended(now, 4, EndTurn(450))
    assert (lost(event), event.totals) == ({}, {"Ada": 450, "Bo": 0})


def test_impossible_actions_count_again_once_they_are_possible() -> None:
    """And an amendment tells only what it changed: what was impossible before it is no news."""
    now = after(game(RULES), *TURN, BUST, Amend(1, aside("11")))
    ruled = amended(now, 2, EndTurn(450))
    assert (lost(ruled), ruled.restored, ruled.totals) == ({}, (), {"Ada": 450, "Bo": 0})
    elsewhere = amended(now, 5, EndTurn(100))
    assert (lost(elsewhere), elsewhere.closed) == ({}, ())
    rethrown = amended(now, 2, throw("5234"))
    assert (rethrown.restored, rethrown.totals) == ((3, 4), {"Ada": 250, "Bo": 0})


def test_later_amendment_of_a_place_wins() -> None:
    now = after(game(RULES), *TURN, BUST)
    twice = after(now, Amend(1, aside("11")), Amend(1, aside("5")))
    assert twice.totals == {"Ada": 100, "Bo": 0}
    back = after(twice, Amend(1, aside("1")))
    assert replace(back, log=()) == replace(now, log=())
    assert replay(start_of(back), back.log) == back
    assert undo(back, 3) == now


def test_what_did_not_happen_can_have_happened_after_all() -> None:
    now = after(game(RULES), *TURN, *turn_of(300), Amend(4, None))
    event = amended(now, 4, BANK)
    assert (event.was, event.now, event.totals) == (None, BANK, {"Ada": 150, "Bo": 300})


def test_turn_of_which_nothing_happened_ends_with_0() -> None:
    now = after(game(RULES), BUST, BUST, BUST)
    event = amended(now, 1, None)
    assert (event.closed, lost(event)) == (("Bo",), {})


def test_turn_after_the_last_in_which_anything_happened_is_gone() -> None:
    now = after(game(RULES), *TURN, throw("115326"), Amend(5, None), Amend(4, None))
    assert (now.player, now.turn.points) == ("Ada", 150)


def test_same_faces_of_an_earlier_turn_are_offered_anew() -> None:
    now = after(game(RULES), throw("115326"), EndTurn(100), throw("115326"), Amend(1, None))
    then, events = apply(now, Amend(2, None))
    assert events[1:] == (TurnStarted("Ada"), *options(then))
    assert then.turn.faces == now.turn.faces


def test_later_turns_are_judged_by_the_corrected_tally() -> None:
    """Not opened after all: the nothing of a later first throw was a relief, and no bust."""
    now = after(game("danish"), EndTurn(750), EndTurn(), BUST, throw("115326"))
    assert (amended(now, 0, EndTurn()).closed, now.history.closed) == (("Ada",), ())
    reopened = after(undo(now), Amend(0, EndTurn()))
    assert (reopened.player, reopened.turn.phase) == ("Ada", Phase.RELIEF)


def test_end_of_the_game_revoked() -> None:
    over = after(game("danish"), *turn_of(10000))
    bank = len(over.log) - 1
    then, events = apply(over, Amend(bank, EndTurn(750)))
    assert events[1:] == (TurnStarted("Bo"),)
    assert not then.over
    open_again, events = apply(over, Amend(bank, None))
    assert events[1:] == (TurnStarted("Ada"),)
    assert open_again.turn.phase is Phase.DECIDE


def test_end_of_the_game_brought_forward_and_put_off_again() -> None:
    now = after(game("danish first_throw_relief=no"), EndTurn(750), BUST, EndTurn(800), throw("115326"))
    over, events = apply(now, Amend(0, EndTurn(10000)))
    ended = ImpossibleKind.GAME_OVER
    assert lost(events[0]) == {1: ended, 2: ended, 3: ended}
    assert events[1:] == (GameOver(("Ada",), {"Ada": 10000, "Bo": 0}),)
    again, events = apply(over, Amend(0, EndTurn(900)))
    assert events[0].restored == (1, 2, 3)
    assert events[1:] == (TurnStarted("Bo"), *options(again))
    assert again.totals == {"Ada": 1700, "Bo": 0}


def test_other_winner_of_a_game_that_stays_over() -> None:
    over = after(game("finnish"), EndTurn(10000), EndTurn(9000))
    assert apply(over, Amend(1, EndTurn(11000)))[1][1:] == (GameOver(("Bo",), {"Ada": 10000, "Bo": 11000}),)


def test_amended_first_throw_may_be_a_relief() -> None:
    now = after(game("danish"), throw("115326"))
    assert [event.kind for event in events_of(now, Amend(0, BUST))] == ["corrected", "relief"]


def test_what_cannot_be_amended() -> None:
    start = game("norwegian")
    refused(start, Amend(0, None), "place 0 of the log is no action; accepted: none, the log is empty")
    now = after(start, throw("115326"), Correct((1, 1, 5, 3, 2, 2)), aside("11"), Amend(2, aside("1")))
    for place in (1, 3):
        refused(now, Amend(place, None), f"place {place} of the log is itself a correction; accepted: 0 to 3")
    for place in (-1, 4):
        refused(now, Amend(place, None), f"place {place} of the log is no action; accepted: 0 to 3")
    for correction in (Correct((1, 1, 5, 3, 2, 6)), Amend(0, None)):
        refused(now, Amend(0, correction), "found a correction as what happened; accepted: any other action")


def test_what_happened_instead_must_have_been_possible() -> None:
    now = after(game("norwegian"), *TURN[:4], throw("1346"), aside("1"), EndTurn(), BUST)
    refused(now, Amend(2, throw("111111")), "the throw is of 5 dice, not 6")
    refused(now, Amend(1, aside("111")), "1-1-1 cannot be set aside: only dice that all belong")
    refused(now, Amend(1, throw("11532")), "at least one scoring die must be set aside")
    refused(now, Amend(6, BANK), "needs 250 more to open")
    refused(now, Amend(6, EndTurn(-1)), "found -1 points for the turn")
    refused(after(now, Amend(2, throw("22346"))), Amend(3, aside("5")), "its turn has already ended")
    follows = after(now, Amend(1, aside("11")))
    refused(follows, Amend(3, aside("5")), "it follows from what is impossible at place 2")
    refused(after(now, Amend(0, EndTurn(10000))), Amend(1, aside("5")), "its turn has already ended")


def test_what_happened_instead_must_have_been_before_the_end_of_the_game() -> None:
    over = after(game("danish"), EndTurn(750), EndTurn(750), Amend(0, EndTurn(10000)))
    refused(over, Amend(1, EndTurn(50)), "the game is over")


def test_amendments_are_told_in_plain_values() -> None:
    now = after(game(RULES), throw("115326"), aside("11"), misroll("outside"), throw("5234"))
    record = amended(now, 1, PutAside((1,), "seen")).record()
    assert json.loads(json.dumps(record)) == {
        "event": "corrected",
        "place": 1,
        "player": "Ada",
        "was": {"action": "set_aside", "faces": [1, 1], "source": "touch"},
        "now": {"action": "set_aside", "faces": [1], "source": "seen"},
        "impossible": [
            {
                "place": 3,
                "player": "Ada",
                "action": {"action": "throw", "faces": [5, 2, 3, 4]},
                "kind": "breaks_rule",
                "why": "the throw is of 5 dice, not 4",
            }
        ],
        "restored": [],
        "closed": [],
        "totals": {"Ada": 0, "Bo": 0},
    }
    assert amended(now, 3, None).record()["now"] is None
