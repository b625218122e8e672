"""A person overrules the referee: how a die lies, what it would have been, a die that was not seen."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from scoring.actions import Amend, Bank, CountAs, EndTurn, Misroll, PutAside, SetTotal, TakeOut, Throw, TurnTo
from scoring.game import Phase, new_game
from scoring.languages import Language
from scoring.ruleset import load_preset, with_overrides
from table.errors import EventFileError, TouchError
from table.events import WaitKind
from table.loop import TableLoop
from table.state import TableState
from table.store.records import change_text, read_game
from table.telling import told
from table.throw_watch import ThrowWatch
from table.touches import (
    AddDie,
    Confirm,
    CorrectDie,
    Play,
    SayLie,
    Touch,
    Undo,
    WouldBe,
    read_touches,
)
from table.voice.lines import Narrator
from tests.table.staging import TILTED, UNREADABLE, Dice, Hand, Still, dice, frames, staged_judge
from vision.domain import DieState

SIX = dice(1, 1, 5, 3, 2, 6)
LEANING = dice(1, 1, TILTED, 3, 2, 6)
FLAT, LEANS = DieState.FLAT, DieState.TILTED


class Table:
    """A loop on the make-believe table."""

    def __init__(self, **overrides: str) -> None:
        rules = with_overrides(load_preset("norwegian"), {"opening": "0", **overrides})
        self.loop = TableLoop(new_game(rules, ("Ada", "Bo")), ThrowWatch(judge=staged_judge))

    @property
    def state(self) -> TableState:
        return self.loop.state

    def throw(self, thrown: Dice) -> Table:
        for frame in frames(Still({}), Hand({}), Still(thrown)):
            self.loop.step(frame)
        return self

    def touch(self, *touches: Touch) -> Table:
        for touch in touches:
            self.loop.touch(touch)
        return self

    def stands(self) -> tuple[str, Phase, tuple[int, ...] | None, bool]:
        turn, lying = self.state.game.turn, self.state.lying
        return self.state.game.player, turn.phase, turn.faces, lying is not None and lying.counted


OPEN = ("Ada", Phase.SET_ASIDE, (1, 1, 2, 3, 5, 6), True)


def test_a_die_that_leans_makes_the_throw_a_misroll_that_names_it_until_it_is_said_to_be_flat() -> None:
    table = Table().throw(SIX).touch(SayLie(2, LEANS))
    misroll = table.state.game.log[-1]
    assert isinstance(misroll, Misroll)
    assert [(each.kind, each.die, each.face) for each in misroll.reasons] == [("tilted", 2, 5)]
    assert table.stands() == ("Ada", Phase.THROW, None, False)
    assert table.touch(SayLie(2, FLAT)).stands() == OPEN


def test_a_die_ruled_to_be_flat_takes_the_misroll_back_once_its_face_is_known() -> None:
    table = Table().throw(LEANING).touch(SayLie(2, FLAT))
    assert table.state.wait is not None and table.state.wait.kind is WaitKind.NOT_COUNTED  # noqa: PT018
    table.touch(CorrectDie(2, 5), Confirm())
    assert table.stands() == OPEN
    assert [type(each) for each in table.state.game.history.turns[0][0][1:]] == [Throw]  # no misroll is left


@pytest.mark.parametrize("misroll", ["rethrow", "bust"])
def test_what_a_leaning_die_would_have_been_is_one_action_that_says_so(misroll: str) -> None:
    table = Table(misroll=misroll).throw(LEANING)
    before = len(table.state.game.log)
    table.touch(WouldBe(2, 4))
    (action,) = table.state.game.log[before:]
    ruled = action.action if isinstance(action, Amend) else action
    assert ruled == CountAs((1, 1, 2, 3, 4, 6), (4,))
    assert table.stands() == ("Ada", Phase.SET_ASIDE, (1, 1, 2, 3, 4, 6), True)


def test_of_two_leaning_dice_each_must_be_ruled_on() -> None:
    table = Table().throw(dice(1, 1, TILTED, TILTED, 2, 6)).touch(WouldBe(2, 4))
    assert table.stands() == ("Ada", Phase.THROW, None, False)
    table.touch(WouldBe(3, 4))
    assert table.state.game.log[-1] == CountAs((1, 1, 2, 4, 4, 6), (4, 4))


def test_a_die_that_was_not_seen_completes_the_throw() -> None:
    table = Table().throw(dice(1, 1, 5, 3, 2)).touch(AddDie(6, (220.0, 20.0)))
    assert table.stands() == OPEN
    assert table.state.lying is not None
    assert (table.state.lying.seen, table.state.lying.added_px) == (5, ((220.0, 20.0),))


def test_two_dice_that_were_not_seen_are_added_one_by_one() -> None:
    table = Table().throw(dice(1, 1, 5, 3)).touch(AddDie(2))
    assert table.stands() == ("Ada", Phase.THROW, None, False)
    assert table.touch(AddDie(6)).stands() == OPEN


def test_a_die_added_and_seen_later_is_no_new_throw() -> None:
    """Six dice that lie where five lay must not bank the turn as the next player's."""
    table = Table().throw(dice(1, 1, 5, 3, 2)).touch(AddDie(6))
    for frame in frames(Still(dice(1, 1, 5, 3, 2)), Hand({}), Still(SIX)):
        table.loop.step(frame)
    assert table.stands() == OPEN
    assert table.state.pause is None


def test_an_unsure_die_said_to_be_flat_counts_when_all_else_is_sure() -> None:
    unsure = Table().throw(dice(1, 1, UNREADABLE, 3, 2, 6)).touch(CorrectDie(2, 5), SayLie(2, FLAT))
    assert unsure.stands() == OPEN


def test_a_misroll_is_called_after_more_was_done_and_what_followed_counts_no_more() -> None:
    table = Table().throw(SIX).touch(Play(PutAside((1, 1, 5))), Play(Bank()), SayLie(0, LEANS))
    assert table.state.game.player == "Ada"
    assert table.state.game.totals == {"Ada": 0, "Bo": 0}
    table.touch(Undo())
    assert table.state.game.totals == {"Ada": 250, "Bo": 0}


SAID = [
    SayLie(1, LEANS),
    SayLie(1, FLAT),
    CorrectDie(2, 4),
    AddDie(3),
    WouldBe(2, 4),
    SayLie(0, DieState.OUTSIDE),
]


@pytest.mark.parametrize("thrown", [SIX, LEANING, dice(1, 1, UNREADABLE, 3, 2, 6), dice(1, 1, 5, 3, 2)])
@pytest.mark.parametrize("said", SAID, ids=str)
def test_what_is_said_of_a_die_is_told_kept_undone_and_hushes_the_voice(thrown: Dice, said: Touch) -> None:
    table = Table().throw(thrown)
    before = table.state
    try:
        events = table.loop.touch(said)
    except TouchError:
        assert isinstance(said, WouldBe)  # of a die that lies flat
        return
    for language in Language:
        assert all(told(event, language) for event in events)
    assert Narrator(Language.ENGLISH).narrate(events)[0].hushes
    text = change_text((), table.state, events)
    again = read_game(new_game(before.game.ruleset, ("Ada", "Bo")), [text])
    assert again.lying is not None
    assert replace(again.lying, verdict=None) == replace(table.state.lying, verdict=None)
    table.touch(Undo())
    assert (table.state.game, table.state.lying, table.state.wait) == (before.game, before.lying, before.wait)


RULINGS = [
    Play(SetTotal("Bo", 500)),
    Play(TurnTo("Bo")),
    Play(TakeOut("Bo")),
    Play(Amend(0, Misroll())),
    Play(Amend(0, EndTurn(300))),
]


@pytest.mark.parametrize("ruling", RULINGS, ids=str)
def test_a_ruling_is_told_and_undone_and_hushes_the_voice(ruling: Touch) -> None:
    table = Table().throw(SIX)
    before = table.state
    events = table.loop.touch(ruling)
    for language in Language:
        assert all(told(event, language) for event in events)
    assert Narrator(Language.ENGLISH).narrate(events)[0].hushes
    table.touch(Undo())
    assert (table.state.game, table.state.lying) == (before.game, before.lying)


def test_a_game_taken_up_again_asks_about_other_dice_than_those_that_lay() -> None:
    stored = Table().throw(SIX).state
    again = Table()
    again.loop = TableLoop(replace(stored, events=(), version=0), ThrowWatch(judge=staged_judge))
    again.loop.ask_about_what_lies_first()
    for frame in frames(Still(dice(2, 2, 3, 4, 6, 6))):
        again.loop.step(frame)
    assert again.state.game == stored.game  # nothing was banked
    assert again.state.wait is not None
    assert again.state.wait.kind is WaitKind.UNSEEN


def test_touches_of_a_file(tmp_path: Path) -> None:
    records = [
        {"action": "lies", "die": 2, "state": "tilted"},
        {"action": "would_be", "die": 2, "face": 4},
        {"action": "add_die", "face": 6, "at_px": [10, 20.5]},
        {"action": "add_die", "face": 6, "at_px": None},
        {"action": "turn_to", "player": "Bo"},
        {"action": "take_out", "player": "Bo"},
        {"action": "set_total", "player": "Bo", "total": 500},
        {"action": "amend", "place": 0, "really": {"action": "misroll", "reasons": []}},
    ]
    path = tmp_path / "touches.jsonl"
    path.write_text("\n".join(json.dumps({"t_s": 1, **each}) for each in records))
    assert [each.touch for each in read_touches(path)] == [
        SayLie(2, LEANS),
        WouldBe(2, 4),
        AddDie(6, (10.0, 20.5)),
        AddDie(6),
        Play(TurnTo("Bo")),
        Play(TakeOut("Bo")),
        Play(SetTotal("Bo", 500)),
        Play(Amend(0, Misroll())),
    ]


@pytest.mark.parametrize(
    ("record", "says"),
    [
        ({"action": "lies", "die": 2, "state": "unsure"}, 'state: found "unsure"; accepted are flat, tilted'),
        ({"action": "would_be", "die": 2, "face": 7}, "face: found 7"),
        ({"action": "add_die", "face": 2, "at_px": 7}, "at_px: found 7; accepted is"),
        ({"action": "set_total", "player": "Bo", "total": "5"}, "total: found '5'; accepted: a whole number"),
    ],
)
def test_touches_that_do_not_fit(tmp_path: Path, record: dict[str, object], says: str) -> None:
    path = tmp_path / "touches.jsonl"
    path.write_text(json.dumps({"t_s": 1, **record}))
    with pytest.raises(EventFileError, match=says):
        read_touches(path)


def test_nothing_can_be_said_of_dice_that_do_not_lie() -> None:
    with pytest.raises(TouchError, match="no throw lies"):
        Table().touch(AddDie(6))
    with pytest.raises(TouchError, match="no such die"):
        Table().throw(SIX).touch(SayLie(6, FLAT))
    with pytest.raises(TouchError, match="lies flat: correct its face"):
        Table().throw(SIX).touch(WouldBe(0, 4))
