"""The table loop on a make-believe table: what is thrown and tapped, and the events that come of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np
import pytest

from scoring.actions import Bank, DeclineRelief, Misroll, PutAside
from scoring.game import Game, Phase, legal_set_asides, new_game
from scoring.ruleset import load_preset, with_overrides
from table.errors import TouchError
from table.events import TableEvent
from table.loop import TableLoop, run
from table.throw_watch import ThrowWatch
from table.touches import Confirm, CorrectDie, EnterThrow, Play, TimedTouch, Touch, Undo
from tests.table.staging import TILTED, UNREADABLE, Hand, Still, dice, frames, played, staged_judge
from tests.vision.sources.pi_camera_stand_in import Sensor, mode, plug_in
from vision.domain import Frame, Image, Verdict
from vision.opencv import cv2
from vision.sources import PiCameraSource

SIX = dice(1, 1, 5, 3, 2, 6)
CYCLE_S = 3.0  # of `played`: hand 0.5, throw 1.0, hand 0.5, clear 1.0


def game(**overrides: str) -> Game:
    return new_game(with_overrides(load_preset("norwegian"), overrides), ["Ada", "Bo"])


def loop_of(counted: int | None = 6, **overrides: str) -> TableLoop:
    return TableLoop(game(**overrides), ThrowWatch(judge=staged_judge), counted)


def lines(events: Iterable[TableEvent], *left_out: str) -> list[str]:
    """Events as short words: name and what tells them apart."""
    tell: dict[str, Any] = {
        "throw_settled": lambda f: f["verdict"] + " " + "".join(str(die["face"] or "?") for die in f["dice"]),
        "misroll": lambda f: (
            ",".join(reason["kind"] for reason in f["reasons"]) + (f" {f['relief']}" if f["relief"] else "")
        ),
        "options": lambda f: f["best"],
        "set_aside": lambda f: (
            "".join(map(str, f["faces"])) + f" {f['points']} {f['turn_points']} {f['source']}"
        ),
        "banked": lambda f: f"{f['player']} {f['points']} {f['total']}",
        "bust": lambda f: f["player"],
        "turn_started": lambda f: f["player"],
        "paused": lambda f: f["reason"],
        "corrected": lambda f: f.get("undone") or "",
    }
    return [
        f"{event.name} {tell.get(event.name, lambda _: '')(event.fields)}".strip()
        for event in events
        if event.name not in left_out
    ]


def watched(loop: TableLoop, shown: Iterable[Frame]) -> list[TableEvent]:
    return [event for frame in shown for event in loop.step(frame)]


def test_two_turns_by_touch() -> None:
    touches = [
        TimedTouch(2.4, Play(PutAside((1, 1, 5)))),  # while the first throw lies (1.5 s to 2.5 s)
        TimedTouch(5.4, Play(PutAside((2, 2, 2)))),
        TimedTouch(6.0, Play(Bank())),
    ]
    shown = played(SIX, dice(2, 2, 2, first_cell=9), dice(2, 3, 4, 4, 6, 6, first_cell=4))
    assert lines(run(loop_of(opening="0"), shown, touches)) == [
        "turn_started Ada",
        "throw_started",
        "throw_settled valid 115326",
        "options 250",
        "set_aside 115 250 250 touch",
        "table_cleared",
        "throw_started",
        "throw_settled valid 222",
        "options 200",
        "set_aside 222 200 450 touch",
        "banked Ada 450 450",
        "turn_started Bo",
        "table_cleared",
        "throw_started",
        "throw_settled valid 234466",
        "bust Bo",
        "turn_started Ada",
        "table_cleared",
    ]


def test_events_carry_the_times_of_their_frames() -> None:
    events = list(run(loop_of(), played(SIX)))
    started, settled = (
        next(each for each in events if each.name == f"throw_{name}") for name in ("started", "settled")
    )
    assert started.at.t_s == pytest.approx(1.0, abs=0.15)
    assert 1.5 < settled.at.t_s < 2.1
    assert all(each.at.frame == pytest.approx(30 * each.at.t_s, abs=0.01) for each in events)
    record = settled.record()
    assert list(record)[:3] == ["t_s", "frame", "event"]
    assert record["faces"] == [1, 1, 2, 3, 5, 6]


def test_options_say_points_dice_left_and_the_risk() -> None:
    events = list(run(loop_of(), played(dice(1, 5, 2, 2, 3, 4))))
    offered = next(each for each in events if each.name == "options").fields["set_asides"]
    usable = {"passes_target": False, "may_bank": True}
    assert list(offered) == [
        {"faces": (1, 5), "points": 150, "dice_left": 4, "bust_probability": 0.157407, **usable},
        {"faces": (1,), "points": 100, "dice_left": 5, "bust_probability": 0.07716, **usable},
        {"faces": (5,), "points": 50, "dice_left": 5, "bust_probability": 0.07716, **usable},
    ]


def test_dice_lifted_out_are_no_throw() -> None:
    left = {3: 3, 4: 2, 5: 6}
    shown = frames(
        Still({}),
        Hand({}),
        Still(SIX),
        Hand(SIX),
        Still(left),
        Hand(left),
        Still({4: 2}),
        Hand({}),
        Still({}),
    )
    assert lines(run(loop_of(), shown), "options") == [
        "turn_started Ada",
        "throw_started",
        "throw_settled valid 115326",
        "table_cleared",
    ]


def test_a_hand_that_comes_and_goes_changes_nothing() -> None:
    shown = frames(Still({}), Hand({}), Still(SIX), Hand(SIX), Still(SIX), Hand(SIX), Still(SIX))
    assert [each.name for each in run(loop_of(), shown)].count("throw_settled") == 1


def test_the_only_set_aside_that_leaves_as_many_dice_is_seen() -> None:
    shown = played(dice(1, 1, 1, 3, 4, 6), dice(5, 5, 2, first_cell=8))
    assert lines(run(loop_of(), shown), "throw_started", "table_cleared") == [
        "turn_started Ada",
        "throw_settled valid 111346",
        "options 1000",
        "throw_settled valid 552",
        "set_aside 111 1000 1000 seen",
        "options 100",
    ]


@pytest.mark.parametrize(
    ("second", "reason"),
    [
        (dice(2, 3, 4, 4, 6), "which_set_aside"),  # one die is gone: a 1 or the 5
        (dice(2, 3, 4, 4, 6, 6), "which_set_aside"),  # six dice: banked, or hot dice, or neither
        (dice(2, 3), "dice_do_not_fit"),  # nothing legal leaves two
    ],
)
def test_what_was_set_aside_is_never_guessed(second: dict[int, int], reason: str) -> None:
    loop = loop_of()
    events = lines(run(loop, played(SIX, {cell + 9: face for cell, face in second.items()})), "throw_started")
    assert events[-2:] == [f"paused {reason}", "table_cleared"]
    assert loop.state.game.turn.faces == (1, 1, 2, 3, 5, 6)


def test_a_set_aside_told_late_lets_the_waiting_throw_count() -> None:
    loop = loop_of()
    watched(loop, played(SIX, dice(2, 2, 2, 4, 6, first_cell=9)))
    assert lines(loop.touch(Play(PutAside((1,))))) == ["resumed", "set_aside 1 100 100 touch", "options 200"]
    assert loop.state.game.turn.faces == (2, 2, 2, 4, 6)


def test_a_banking_told_late_gives_the_waiting_throw_to_the_next_player() -> None:
    loop = TableLoop(game(opening="0"), ThrowWatch(judge=staged_judge), empty_banks_s=None)
    watched(loop, played(SIX, dice(2, 2, 2, 4, 6, 6, first_cell=9)))
    assert lines(loop.touch(Play(PutAside((1, 1, 5))))) == [
        "set_aside 115 250 250 touch",
        "paused dice_do_not_fit",
    ]
    assert lines(loop.touch(Play(Bank()))) == [
        "resumed",
        "banked Ada 250 250",
        "turn_started Bo",
        "options 200",
    ]
    assert loop.state.game.player == "Bo"


@pytest.mark.parametrize(
    ("answer", "events"),
    [
        (Play(Bank()), ["resumed", "banked Ada 1500 1500", "turn_started Bo", "options 400"]),
        (Confirm(), ["resumed", "options 400"]),
    ],
)
def test_six_dice_after_six_set_aside_are_asked_for(answer: Touch, events: list[str]) -> None:
    loop = loop_of(opening="0")
    watched(loop, played(dice(1, 2, 3, 4, 5, 6), dice(4, 4, 4, 3, 2, 6, first_cell=9)))
    told = lines(loop.touch(Play(PutAside((1, 2, 3, 4, 5, 6)))))
    assert told == ["set_aside 123456 1500 1500 touch", "paused banked_or_thrown"]
    assert lines(loop.touch(answer)) == events


def test_a_misroll_is_thrown_again() -> None:
    shown = played(dice(1, 1, TILTED, 3, 2, 6), dice(1, 2, 3), dice(4, 4, 4, 3, 2, 6, first_cell=9))
    assert lines(run(loop_of(), shown), "throw_started", "table_cleared") == [
        "turn_started Ada",
        "throw_settled misroll 11?326",
        "misroll tilted",
        "throw_settled misroll 123",
        "misroll missing",
        "throw_settled valid 444326",
        "options 400",
    ]


def test_a_misrolled_second_throw_leaves_the_first_as_it_is() -> None:
    loop = loop_of()
    watched(loop, played(SIX, dice(1, TILTED, 2, first_cell=9)))
    assert loop.state.game.turn.faces == (1, 1, 2, 3, 5, 6)
    assert loop.state.wait is None


def test_a_misroll_called_twice_leaves_the_open_throw_before_it() -> None:
    loop = loop_of()
    watched(loop, played(SIX, dice(1, TILTED, 2, first_cell=9)))
    before = loop.state
    assert loop.touch(Play(Misroll())) == ()
    assert loop.state is before


def test_a_leaning_die_pushed_flat_waits_for_a_person() -> None:
    before, after = dice(1, 1, TILTED, 3, 2, 6), dice(1, 1, 5, 3, 2, 6)
    loop = loop_of()
    events = watched(loop, frames(Still({}), Hand({}), Still(before), Hand(before), Still(after)))
    assert lines(events)[-2:] == ["throw_settled valid 115326", "paused not_thrown"]
    assert lines(loop.touch(Confirm())) == ["resumed", "options 250"]


def test_a_knock_saves_the_throw_where_the_rules_have_it() -> None:
    before, after = dice(1, 1, TILTED, 3, 2, 6), dice(1, 1, 5, 3, 2, 6)
    shown = frames(Still({}), Hand({}), Still(before), Hand(before), Still(after))
    assert lines(run(loop_of(knock_relief="yes"), shown), "throw_started") == [
        "turn_started Ada",
        "throw_settled misroll 11?326",
        "misroll tilted knock",
        "throw_settled valid 115326",
        "options 250",
    ]


def test_a_knock_that_moves_a_die_that_lay_flat_saves_nothing() -> None:
    before, after = dice(1, 1, TILTED, 3, 2, 6), dice(1, 1, 5, 3, 2) | {20: 6}
    shown = frames(Still({}), Hand({}), Still(before), Hand(before), Still(after))
    told = lines(run(loop_of(knock_relief="yes"), shown), "throw_started")
    assert told[2:4] == ["misroll tilted knock", "throw_settled valid 115326"]
    assert "misroll" in told[4]
    assert not any(line.startswith("options") for line in told)


def test_a_misroll_stays_one_when_another_die_is_corrected() -> None:
    loop = loop_of()
    watched(loop, played(dice(1, 1, TILTED, 3, 2, 6)))
    before = loop.state.game
    assert lines(loop.touch(CorrectDie(0, 4))) == ["corrected"]
    assert (loop.state.game, loop.state.wait) == (before, None)


def test_a_late_die_completes_the_throw() -> None:
    shown = frames(Still({}), Hand({}), Still(dice(1, 1, 5, 3, 2)), Hand(dice(1, 1, 5, 3, 2)), Still(SIX))
    assert lines(run(loop_of(), shown), "throw_started")[1:] == [
        "throw_settled misroll 11532",
        "misroll missing",
        "throw_settled valid 115326",
        "options 250",
    ]


def test_an_unsure_throw_waits_and_is_answered_by_correcting_and_confirming() -> None:
    loop = loop_of()
    assert lines(watched(loop, played(dice(1, 1, UNREADABLE, 3, 2, 6))))[1:3] == [
        "throw_settled unsure 11?326",
        "paused unsure",
    ]
    with pytest.raises(TouchError, match="corrected first"):
        loop.touch(Confirm())
    assert lines(loop.touch(CorrectDie(2, 5))) == ["corrected", "paused unsure"]
    assert lines(loop.touch(Confirm())) == ["resumed", "options 250"]


def test_an_unsure_throw_is_over_when_dice_are_thrown_again() -> None:
    shown = played(dice(1, 1, UNREADABLE, 3, 2, 6), dice(4, 4, 4, 3, 2, 6, first_cell=9))
    assert lines(run(loop_of(), shown), "throw_started", "table_cleared")[-3:] == [
        "throw_settled valid 444326",
        "resumed",
        "options 400",
    ]


def test_a_waiting_throw_may_be_called_a_misroll() -> None:
    loop = loop_of()
    watched(loop, played(dice(1, 1, UNREADABLE, 3, 2, 6)))
    assert lines(loop.touch(Play(Misroll()))) == ["resumed", "misroll"]
    assert loop.state.game.turn.phase is Phase.THROW


def test_a_misread_die_is_corrected() -> None:
    loop = loop_of(opening="0")
    watched(loop, played(dice(2, 3, 4, 4, 6, 6)))
    assert loop.state.game.player == "Bo"  # a bust, as read
    assert lines(loop.touch(CorrectDie(0, 1))) == ["corrected", "options 100"]
    assert loop.state.game.player == "Ada"
    loop.touch(Play(PutAside((1,))))
    loop.touch(CorrectDie(0, 5))  # and once more, after something was done that it makes impossible
    assert (loop.state.game.player, loop.state.game.turn.points) == ("Ada", 0)
    assert [each.faces for each in legal_set_asides(loop.state.game)] == [(5,)]


def test_what_is_no_die_takes_the_throw_back() -> None:
    loop = loop_of(counted=None)
    watched(loop, played(SIX))
    assert lines(loop.touch(CorrectDie(5, None))) == ["corrected throw", "paused not_counted"]
    assert loop.state.game.turn.phase is Phase.THROW
    with pytest.raises(TouchError, match="of 6 dice, not 5"):
        loop.touch(Confirm())
    assert lines(loop.touch(CorrectDie(5, 4))) == ["corrected", "paused not_counted"]
    assert lines(loop.touch(Confirm())) == ["resumed", "options 250"]


def test_undo_goes_back_action_by_action() -> None:
    loop = loop_of(opening="0")
    watched(loop, played(SIX))
    loop.touch(Play(PutAside((1, 1, 5))))
    loop.touch(Play(Bank()))
    assert lines(loop.touch(Undo())) == ["corrected bank"]
    assert lines(loop.touch(Undo())) == ["corrected set_aside", "options 250"]
    assert lines(loop.touch(Undo())) == ["corrected throw", "paused not_counted"]
    assert lines(loop.touch(Confirm())) == ["resumed", "options 250"]
    for _ in range(1):
        loop.touch(Undo())
    with pytest.raises(TouchError, match="nothing to undo"):
        loop.touch(Undo())


def test_undoing_a_correction_shows_what_was_read() -> None:
    loop = loop_of()
    watched(loop, played(SIX))
    loop.touch(CorrectDie(0, 4))
    loop.touch(Undo())
    lying = loop.state.lying
    assert lying is not None
    assert lying.known_faces == loop.state.game.turn.faces == (1, 1, 2, 3, 5, 6)
    assert lying.verdict is not None


@pytest.mark.parametrize(
    ("second", "touch"),
    [
        (dice(1, 1, TILTED, 3, 2, 6, first_cell=9), CorrectDie(2, 5)),  # a misroll, corrected
        (dice(1, 1, UNREADABLE, 3, 2, 6, first_cell=9), CorrectDie(2, None)),  # unsure, corrected
        (dice(2, 3, 4, 4, 6, 6, first_cell=9), CorrectDie(0, 1)),  # a bust, corrected
        (dice(1, 2, 2, 2, 3, 4, first_cell=9), CorrectDie(0, None)),  # counted, and then no longer
        (dice(1, 1, UNREADABLE, 3, 2, 6, first_cell=9), Play(Misroll())),  # unsure, dismissed
    ],
)
def test_undo_takes_back_the_latest_thing_a_person_did(second: dict[int, int], touch: Touch) -> None:
    loop = loop_of(opening="0")
    banked = [TimedTouch(2.4, Play(PutAside((1, 1, 5)))), TimedTouch(2.4, Play(Bank()))]
    list(run(loop, played(SIX, second), banked))
    before = loop.state
    for _ in range(2):
        loop.touch(touch)
        loop.touch(Undo())
        now = loop.state
        assert (now.game, now.lying, now.wait) == (before.game, before.lying, before.wait)


def test_undoing_the_dismissal_of_a_throw_leaves_the_open_throw_before_it() -> None:
    loop = loop_of()
    watched(loop, played(SIX, dice(1, 1, UNREADABLE, 3, first_cell=9)))
    before = loop.state
    loop.touch(Play(Misroll()))
    assert lines(loop.touch(Undo())) == [
        "corrected misroll",
        "paused " + str(before.wait and before.wait.kind),
    ]
    assert (loop.state.game, loop.state.lying) == (before.game, before.lying)


def test_throws_entered_by_hand_play_a_game_to_its_end() -> None:
    loop = loop_of(opening="0", target="1000", end="first")
    for event in ("throw", "bust"):
        loop.touch(EnterThrow((1, 1, 1, 1, 2, 3) if event == "throw" else (2, 3, 4, 4, 6, 6)))
        if event == "throw":
            loop.touch(Play(PutAside((1,))))
            loop.touch(Play(Bank()))
    loop.touch(EnterThrow((1, 1, 1, 2, 2, 3)))
    loop.touch(Play(PutAside((1, 1, 1))))
    (_, over) = loop.touch(Play(Bank()))
    assert over.record() == {
        "t_s": 0.0,
        "frame": 0,
        "event": "game_over",
        "winners": ("Ada",),
        "totals": {"Ada": 1100, "Bo": 0},
    }
    with pytest.raises(TouchError, match="game is over"):
        loop.touch(EnterThrow((1, 1, 1, 2, 2, 3)))


def test_a_game_on_the_pi_camera_is_the_game_on_a_clip(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = list(frames(Still({}, 4), Hand({}), Still(SIX), Hand({}), Still(dice(2, 3, 3, first_cell=9))))
    size = tuple(4 * side for side in shown[0].image_bgr.shape[1::-1])

    def scene(number: int, wanted: tuple[int, int]) -> Image:
        seen = shown[min(number, len(shown) - 1)].image_bgr
        return cv2.resize(seen, wanted, interpolation=cv2.INTER_NEAREST)  # type: ignore[return-value]

    def judge(image_bgr: Image, *rest: Any) -> Verdict:
        return staged_judge(np.ascontiguousarray(image_bgr[::4, ::4]), *rest)

    plug_in(monkeypatch, Sensor(scene, modes=[mode(size, 40.0, (0, 0, *size))]))
    live = islice(PiCameraSource().frames(), len(shown) - 60)
    assert lines(run(TableLoop(game(), ThrowWatch(judge=judge)), live)) == lines(run(loop_of(), shown))


def later(shown: Iterable[Frame]) -> Iterator[Frame]:
    """The frames of a camera that comes back after a while."""
    return (replace(frame, index=frame.index + 1000, t_s=frame.t_s + 60) for frame in shown)


@pytest.mark.parametrize("lying", [dice(3, 2, 6, first_cell=3), dice(2, 3, 4, first_cell=9)])
def test_what_lies_when_the_camera_is_back_is_asked_about_if_people_played_on(lying: dict[int, int]) -> None:
    loop = loop_of(opening="0")
    watched(loop, frames(Still({})))
    loop.touch(EnterThrow((1, 1, 2, 3, 5, 6)))
    loop.touch(Play(PutAside((1, 1, 5))))
    back = list(later(frames(Still(lying), Hand({}), Still(dice(1, 3, 4, first_cell=11)))))
    loop.ask_about_throws_before(back[0])
    told = lines(watched(loop, back), "options", "throw_started")
    assert told[0].startswith("throw_settled valid")  # as the remains of a throw, or a throw nobody saw
    assert told[1:] == [
        "paused unseen",
        "throw_settled valid 134",
        "resumed",
    ]
    assert loop.state.game.turn.faces == (1, 3, 4)


def test_what_lies_when_the_camera_is_back_may_be_confirmed() -> None:
    loop = loop_of(opening="0")
    watched(loop, frames(Still({})))
    loop.touch(EnterThrow((1, 1, 2, 3, 5, 6)))
    loop.touch(Play(PutAside((1, 1, 5))))
    back = list(later(frames(Still(dice(1, 3, 4)))))
    loop.ask_about_throws_before(back[0])
    watched(loop, back)
    loop.touch(Confirm())
    assert loop.state.game.turn.faces == (1, 3, 4)
    assert loop.state.wait is None


def test_an_entered_throw_that_still_lies_when_the_camera_is_back_is_no_question() -> None:
    loop = loop_of(opening="0")
    watched(loop, frames(Still({})))
    loop.touch(EnterThrow((1, 1, 2, 3, 5, 6)))
    back = list(later(frames(Still(SIX))))
    loop.ask_about_throws_before(back[0])
    assert lines(watched(loop, back), "throw_started") == ["throw_settled valid 115326"]
    assert loop.state.wait is None
    assert loop.state.lying is not None
    assert loop.state.lying.counted
    assert len(loop.state.game.log) == 1


def test_a_throw_after_the_end_is_told_and_not_counted() -> None:
    loop = loop_of(opening="0", target="1000", end="first")
    loop.touch(EnterThrow((1, 1, 1, 2, 2, 3)))
    loop.touch(Play(PutAside((1, 1, 1))))
    loop.touch(Play(Bank()))
    assert lines(watched(loop, played(SIX)))[1:3] == ["throw_settled valid 115326", "paused game_over"]


def test_relief_is_thrown_again_or_declined() -> None:
    loop = loop_of(first_throw_relief="yes")
    events = watched(loop, played(dice(2, 3, 4, 4, 6, 6), dice(2, 3, 4, 4, 3, 6, first_cell=9)))
    assert [event.name for event in events].count("relief") == 2
    assert lines(loop.touch(Play(DeclineRelief()))) == ["bust Ada", "turn_started Bo"]


def test_uncounted_dice_are_told_and_score_only_where_they_fit() -> None:
    events = lines(run(loop_of(counted=None), played(dice(5), dice(5, 6, first_cell=9))), "throw_started")
    assert events == [
        "turn_started Ada",
        "throw_settled valid 5",
        "paused dice_do_not_fit",
        "table_cleared",
        "throw_settled valid 56",
        "paused dice_do_not_fit",
        "table_cleared",
    ]


def test_a_number_below_six_is_asked_of_every_throw() -> None:
    events = lines(run(loop_of(counted=2), played(dice(5), dice(5, 6, first_cell=9))), "throw_started")
    assert events[1:3] == ["throw_settled misroll 5", "misroll missing"]
    assert "throw_settled valid 56" in events


def test_a_touch_that_cannot_be_done_says_why_and_changes_nothing() -> None:
    loop = loop_of()
    before = loop.state
    for touch in (Play(Bank()), Play(PutAside((1,))), Confirm(), CorrectDie(0, 1), EnterThrow((1, 2))):
        with pytest.raises(TouchError):
            loop.touch(touch)
    assert loop.state is before


def test_every_change_gives_the_state_a_new_version() -> None:
    loop = loop_of()
    seen = {loop.state.version}
    loop.begin()
    seen.add(loop.state.version)
    loop.touch(EnterThrow((1, 1, 1, 2, 2, 3)))
    seen.add(loop.state.version)
    assert len(seen) == 3
