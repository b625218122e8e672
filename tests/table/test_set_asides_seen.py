"""What was set aside without a touch: told from the dice left and those that come back, or asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain, combinations, combinations_with_replacement

import pytest

from scoring.actions import PutAside, Throw
from scoring.faces import Faces
from scoring.game import Game, apply, legal_set_asides, new_game
from scoring.languages import Language
from scoring.ruleset import load_preset, with_overrides
from table.events import TableEvent
from table.loop import TableLoop, run
from table.page.prompts import prompt
from table.page.words import Words
from table.set_asides_seen import seen_set_asides, taken_of
from table.throw_watch import ThrowWatch
from table.touches import Confirm, CorrectDie, EnterThrow, Play, TimedTouch, Touch, Undo
from tests.table.staging import UNREADABLE, Dice, Hand, Still, dice, frames, staged_judge
from vision.domain import DieState, Image, Reason, ReasonKind, Ruling, TableCalibration, Verdict
from vision.misroll import without_dice

SIX = dice(1, 1, 5, 3, 2, 6)
EMPTY_S = 2.0
WORDS = Words(Language.ENGLISH)


def thrown(faces: Faces, **overrides: str) -> Game:
    return apply(new_game(with_overrides(load_preset("norwegian"), overrides), ["Ada", "Bo"]), Throw(faces))[
        0
    ]


def ways(game: Game, aside: Faces) -> Iterator[tuple[Faces, ...]]:
    """The stages that may be seen: what is set aside goes first, the last of it perhaps unseen, or last."""
    parts = {tuple(sorted(part)) for size in range(1, len(aside)) for part in combinations(aside, size)}
    goes: Iterable[tuple[Faces, ...]] = chain([()], ((part,) for part in parts))
    for first in goes:
        left = tuple(taken_of(game, part) for part in first)
        yield left
        yield (*left, taken_of(game, aside))
    yield (aside,)


def test_what_is_sure_is_what_was_set_aside() -> None:
    games = map(thrown, combinations_with_replacement(range(1, 7), 6))
    for game, each in [(thrown, each) for thrown in games for each in legal_set_asides(thrown)]:
        aside, count = each.faces, 6 - len(each.faces) or 6
        for left in ways(game, aside):
            seen = seen_set_asides(game, count, left)
            assert seen.sure in (None, aside), (aside, left)
            assert aside in seen.possible
        assert seen_set_asides(game, count, (taken_of(game, aside),)).sure == aside or 2 * len(aside) == 6


def table_of(seconds: float | None = EMPTY_S, **overrides: str) -> TableLoop:
    game = new_game(with_overrides(load_preset("norwegian"), overrides), ["Ada", "Bo"])
    return TableLoop(game, ThrowWatch(judge=staged_judge), empty_banks_s=seconds)


def without(lying: Dice, *cells: int) -> Dice:
    return {cell: face for cell, face in lying.items() if cell not in cells}


def lifts(*lying: Dice) -> list[Still | Hand]:
    """What lies before and after each go of a hand."""
    acts: list[Still | Hand] = [Still(lying[0])]
    for left in lying[1:]:
        acts += [Hand(left), Still(left)]
    return acts


def told(loop: TableLoop, acts: list[Still | Hand], touches: Iterable[TimedTouch] = ()) -> list[str]:
    events = run(loop, frames(Still({}), Hand({}), *acts), touches)
    return [_line(each) for each in events if each.name not in ("throw_started", "table_cleared")][1:]


def _line(event: TableEvent) -> str:
    tell = {"set_aside": "faces", "banked": "total", "paused": "reason", "turn_started": "player"}
    if event.name not in tell:
        return event.name
    value = event.fields[tell[event.name]]
    return f"{event.name} {''.join(map(str, value)) if isinstance(value, tuple) else value}"


FIVE = dice(2, 3, 4, 4, 5, first_cell=9)


def test_the_die_that_was_lifted_out_is_what_was_set_aside() -> None:
    acts = [*lifts(SIX, without(SIX, 0), {}), Hand({}), Still(FIVE)]
    assert told(table_of(), acts) == ["throw_settled", "options", "throw_settled", "set_aside 1", "options"]
    acts = [*lifts(SIX, without(SIX, 2), {}), Hand({}), Still(FIVE)]
    assert "set_aside 5" in told(table_of(), acts)


def test_dice_lifted_out_one_after_the_other_are_set_aside_together() -> None:
    acts = [
        *lifts(SIX, without(SIX, 0), without(SIX, 0, 2), {}),
        Hand({}),
        Still(dice(2, 3, 5, 6, first_cell=9)),
    ]
    assert "set_aside 15" in told(table_of(), acts)


def test_dice_picked_up_first_to_be_thrown_leave_what_was_set_aside() -> None:
    thrown_again = dice(2, 3, 5, 6, first_cell=9)
    left = {0: 1, 2: 5}
    assert "set_aside 15" in told(table_of(), [*lifts(SIX, left, {}), Hand({}), Still(thrown_again)])


def test_the_hand_may_throw_before_the_tray_was_seen_empty() -> None:
    acts = [*lifts(SIX, without(SIX, 0)), Hand(without(SIX, 0)), Hand({}), Still(FIVE)]
    assert "set_aside 1" in told(table_of(), acts)


def test_other_dice_than_were_seen_to_be_taken_are_asked_for() -> None:
    illegal = [*lifts(SIX, without(SIX, 3), {}), Hand({}), Still(FIVE)]
    assert told(table_of(), illegal)[-1] == "paused which_set_aside"
    one_lost = [*lifts(SIX, without(SIX, 0, 2), {}), Hand({}), Still(dice(2, 3, 5, first_cell=9))]
    assert told(table_of(), one_lost)[-1] == "paused which_set_aside"  # 1-1-5 would leave three


def test_a_die_pushed_while_another_is_taken_is_no_throw() -> None:
    pushed = {1: 1, 2: 5, 3: 3, 4: 2, 13: 6}
    acts = [*lifts(SIX, pushed, {}), Hand({}), Still(FIVE)]
    assert told(table_of(), acts) == ["throw_settled", "options", "throw_settled", "set_aside 1", "options"]


def test_a_touch_wins_over_what_was_seen() -> None:
    acts = [*lifts(SIX, without(SIX, 0), {}), Hand({}), Still(FIVE)]
    events = told(table_of(), acts, [TimedTouch(3.9, Play(PutAside((5,))))])
    assert [each for each in events if each.startswith("set_aside")] == ["set_aside 5"]


def test_the_page_tells_what_has_been_taken_so_far() -> None:
    loop = table_of()
    told(loop, lifts(SIX, without(SIX, 0, 2)))
    assert "Taken: 1-5 = 150; 4 dice left to throw" in prompt(loop.state, WORDS).detail
    loop = table_of()
    told(loop, lifts(SIX, without(SIX, 3)))
    assert "cannot be set aside" in prompt(loop.state, WORDS).detail


NEXT = dice(2, 3, 4, 4, 6, 5, first_cell=9)


def test_six_dice_that_come_back_bank_the_turn() -> None:
    acts = [*lifts(SIX, {}), Hand({}), Still(NEXT)]
    assert told(table_of(opening="0"), acts)[2:] == [
        "throw_settled",
        "set_aside 115",
        "banked 250",
        "turn_started Bo",
        "options",
    ]


def test_six_dice_that_come_back_do_not_bank_where_the_rules_forbid_it_or_nobody_wants_it() -> None:
    acts = [*lifts(SIX, {}), Hand({}), Still(NEXT)]
    assert told(table_of(opening="500"), acts)[-1] == "paused which_set_aside"
    assert told(table_of(None, opening="0"), acts)[-1] == "paused which_set_aside"


HOT = dice(2, 2, 2, 3, 3, 3)


def test_six_dice_after_six_that_may_all_be_set_aside_are_asked_for() -> None:
    acts = [*lifts(HOT, {}), Hand({}), Still(NEXT)]
    assert told(table_of(opening="0"), acts)[-1] == "paused which_set_aside"


def test_hot_dice_that_cannot_be_banked_are_thrown_on() -> None:
    acts = [*lifts(HOT, {}), Hand({}), Still(NEXT)]
    assert told(table_of(opening="750"), acts)[2:] == ["throw_settled", "set_aside 222333", "options"]


def test_a_tray_left_empty_banks_the_turn_once_and_the_next_throw_is_the_next_players() -> None:
    acts = [*lifts(SIX, without(SIX, 0, 1, 2), {}), Still({}, 2 * EMPTY_S), Hand({}), Still(NEXT)]
    assert told(table_of(opening="0"), acts)[2:] == [
        "set_aside 115",
        "banked 250",
        "turn_started Bo",
        "throw_settled",
        "options",
    ]


@pytest.mark.parametrize(
    "acts",
    [
        [*lifts(SIX, without(SIX, 0)), Still(without(SIX, 0), 2 * EMPTY_S)],  # dice still lie
        [*lifts(SIX, {}), Still({}, EMPTY_S / 2)],
        [*lifts(SIX, {}), *[Hand({}), Still({}, EMPTY_S / 2)] * 3],  # somebody is at it
        [*lifts(dice(2, 3, 4, 4, 6, UNREADABLE), {}), Still({}, 2 * EMPTY_S)],
        [*lifts(HOT, {}), Still({}, 2 * EMPTY_S)],
    ],
)
def test_nothing_else_banks_by_itself(acts: list[Still | Hand]) -> None:
    assert not [line for line in told(table_of(opening="0"), acts) if line.startswith("banked")]


def test_fewer_dice_after_a_tray_was_left_empty_are_asked_for_and_may_have_been_thrown_on() -> None:
    acts = [*lifts(SIX, without(SIX, 0), {}), Still({}, 2 * EMPTY_S), Hand({}), Still(FIVE)]
    loop = table_of(opening="0")
    assert told(loop, acts)[-2:] == ["throw_settled", "paused not_banked"]
    answered = [_line(each) for each in loop.touch(Confirm())]
    assert answered == ["corrected", "resumed", "set_aside 1", "options"]
    assert (loop.state.game.player, loop.state.game.turn.points) == ("Ada", 100)


@pytest.mark.parametrize(
    ("touch", "faces"),
    [(Play(PutAside((1,))), None), (Confirm(), (1, 1, 1, 2, 3, 5))],
)
def test_a_die_turned_over_by_hand_is_asked_about(touch: Touch, faces: Faces | None) -> None:
    turned = {**SIX, 5: 1}
    loop = table_of()
    assert told(loop, lifts(SIX, turned))[2:] == ["throw_settled", "paused nudged"]
    loop.touch(touch)
    assert loop.state.wait is None
    assert loop.state.game.turn.faces == faces
    loop.touch(Undo())
    assert loop.state.wait is not None


def test_a_die_turned_over_and_put_back_is_no_question_any_more() -> None:
    events = told(table_of(), lifts(SIX, {**SIX, 5: 1}, SIX))
    assert events[2:] == ["throw_settled", "paused nudged", "throw_settled", "resumed"]


def test_a_die_pushed_aside_is_followed() -> None:
    pushed = {**without(SIX, 5), 30: 6}
    acts = [*lifts(SIX, pushed, without(pushed, 2), {}), Hand({}), Still(FIVE)]
    assert told(table_of(), acts) == ["throw_settled", "options", "throw_settled", "set_aside 5", "options"]


def test_dice_of_a_throw_that_is_over_may_be_pushed_about() -> None:
    bust = dice(2, 3, 4, 4, 6, 6)
    assert told(table_of(), lifts(bust, {**bust, 5: 1}, {})) == ["throw_settled", "bust", "turn_started Bo"]


@pytest.mark.parametrize("answer", [EnterThrow((1, 1, 2, 3, 5, 6)), [CorrectDie(2, 5), Confirm()]])
def test_of_a_throw_that_a_person_answered_the_set_aside_is_seen_too(answer: Touch | list[Touch]) -> None:
    unread = {**SIX, 2: UNREADABLE}
    touches = [TimedTouch(3.3, each) for each in (answer if isinstance(answer, list) else [answer])]
    acts = [Still(unread, 2.0), *lifts(unread, without(unread, 0), {})[1:], Hand({}), Still(FIVE)]
    events = told(table_of(), acts, touches)
    assert events[-3:] == ["throw_settled", "set_aside 1", "options"]


def edged_judge(
    image_bgr: Image, calibration: TableCalibration | None = None, expected_dice: int | None = None
) -> Verdict:
    """Judge as staged, but the two columns of cells at the right lie beside the tray."""
    verdict = staged_judge(image_bgr, calibration, None)
    dice = [replace(die, state=DieState.OUTSIDE) if die.center_px[0] > 240 else die for die in verdict.dice]
    outside = [place for place, die in enumerate(dice) if die.state is DieState.OUTSIDE]
    reasons = [Reason(ReasonKind.OUTSIDE, place, "staged") for place in outside]
    ruling = Ruling.MISROLL if outside else verdict.ruling
    whole = Verdict(ruling, (*verdict.reasons, *reasons), tuple(dice))
    return without_dice(whole, (), expected_dice)


def edged_table() -> TableLoop:
    game = new_game(with_overrides(load_preset("norwegian"), {"opening": "0"}), ["Ada", "Bo"])
    return TableLoop(game, ThrowWatch(judge=edged_judge))


BESIDE = {15: 1, 23: 5}


def test_dice_laid_beside_the_tray_are_set_aside_and_of_no_later_throw() -> None:
    left = {**without(SIX, 0, 2), **BESIDE}
    again = {**dice(2, 3, 1, 6, first_cell=16), **BESIDE}
    acts = [*lifts(SIX, left, BESIDE), Hand(BESIDE), Still(again)]
    acts += [Hand(again), Still({**BESIDE, 31: 1}), Hand({}), Still({})]
    assert told(edged_table(), acts) == [
        "throw_settled",
        "options",
        "throw_settled",
        "set_aside 15",
        "options",
    ]


def test_dice_beside_the_tray_do_not_hide_that_one_is_thrown_out() -> None:
    left = {**without(SIX, 0, 2), **BESIDE}
    again = {**dice(2, 3, 1, first_cell=16), **BESIDE, 31: 4}
    acts = [*lifts(SIX, left, BESIDE), Hand(BESIDE), Still(again)]
    assert told(edged_table(), acts)[2:] == ["throw_settled", "misroll"]


def test_a_first_throw_with_a_die_beside_the_tray_is_a_misroll() -> None:
    assert told(edged_table(), [Still({**without(SIX, 0), 15: 1})]) == ["throw_settled", "misroll"]
