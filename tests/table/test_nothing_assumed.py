"""What a person says of one die is no word on another, nor on the throw: all orders of what is said.

The oracle keeps a book of how each die was read and what was said of it, and knows no code of the table.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.actions import Misroll, PutAside, Throw
from scoring.game import Phase, new_game
from scoring.languages import Language
from scoring.ruleset import load_preset, with_overrides
from table.errors import TouchError
from table.loop import TableLoop
from table.page.offers import choices
from table.page.words import Words
from table.state import TableState
from table.throw_watch import ThrowWatch
from table.touches import (
    AddDie,
    Confirm,
    CorrectDie,
    CountAnyway,
    EnterThrow,
    Play,
    SayLie,
    Touch,
    Undo,
    WouldBe,
)
from tests.table.staging import TILTED, UNREADABLE, Hand, Still, dice, frames, staged_judge
from vision.domain import DieState

THROWS = {
    "valid": (1, 1, 5, 3, 2, 6),
    "leaning": (1, 1, 5, 3, 2, TILTED),
    "two lean": (1, 1, 5, 3, TILTED, TILTED),
    "unsure": (1, 1, 5, 3, 2, UNREADABLE),
    "one lacks": (1, 1, 5, 3, 2),
}
MISROLLS = ("leaning", "two lean", "one lacks")
RULES = ({}, {"misroll": "bust"}, {"knock_relief": "yes"}, {"misroll": "bust", "knock_relief": "yes"})
ENGLISH = Words(Language.ENGLISH)
LEANS, FLAT = DieState.TILTED, DieState.FLAT


@cache
def lying(thrown: str, rules: int, *, next_of_open: bool = False) -> TableState:
    """The table once the dice lie, thrown first or while all of the throw before is still open."""
    ruleset = with_overrides(load_preset("norwegian"), {"opening": "0", **RULES[rules]})
    loop = TableLoop(new_game(ruleset, ("Ada", "Bo")), ThrowWatch(judge=staged_judge), empty_banks_s=None)
    before = [Hand({}), Still(dice(1, 5, 2, 2, 3, 4, first_cell=16)), Hand({}), Still({})]
    for frame in frames(
        Still({}), *(before if next_of_open else ()), Hand({}), Still(dice(*THROWS[thrown]), 3.0)
    ):
        loop.step(frame)
    return loop.state


def table(state: TableState) -> TableLoop:
    return TableLoop(state, ThrowWatch(judge=staged_judge))


def counts(loop: TableLoop) -> bool:
    return loop.state.lying is not None and loop.state.lying.counted


@dataclass
class Book:
    """What stands against a throw as said so far: `askew` dice, `none`: no dice; `one_lacks`: not added."""

    askew: set[int]
    one_lacks: bool
    none: set[int] = field(default_factory=set)

    def note(self, touch: Touch) -> None:
        match touch:
            case SayLie(die, state):
                self.askew.discard(die)
                self.none.discard(die)
                if state is not FLAT:
                    self.askew.add(die)
            case WouldBe(die):
                self.askew.discard(die)
                self.none.discard(die)
            case CorrectDie(die, face):
                (self.none.add if face is None else self.none.discard)(die)
            case AddDie():
                self.one_lacks = False

    @property
    def against(self) -> bool:
        return self.one_lacks or bool(self.askew - self.none)


PLACES = st.integers(0, 5)
SAID = st.one_of(
    st.builds(CorrectDie, PLACES, st.sampled_from((None, 1, 4, 5))),
    st.builds(SayLie, PLACES, st.sampled_from((FLAT, LEANS))),
    st.builds(WouldBe, PLACES, st.integers(1, 6)),
    st.builds(AddDie, st.integers(1, 6)),
    st.just(Confirm()),
)


@settings(max_examples=400, deadline=None)
@given(
    st.sampled_from(sorted(THROWS)), st.integers(0, 3), st.booleans(), st.lists(SAID, min_size=1, max_size=6)
)
def test_a_throw_counts_only_once_nothing_that_was_read_or_said_speaks_against_it(
    thrown: str, rules: int, next_of_open: bool, said: list[Touch]
) -> None:
    loop = table(lying(thrown, rules, next_of_open=next_of_open))
    leaning = {place for place, face in enumerate(THROWS[thrown]) if face == TILTED}
    book = Book(leaning, one_lacks=thrown == "one lacks" and not next_of_open)
    for touch in said:
        counted = counts(loop)
        try:
            loop.touch(touch)
        except TouchError:
            assert counts(loop) is counted
            continue
        book.note(touch)
        if book.against:
            assert not counts(loop)
            assert loop.state.game.turn.phase is not Phase.SET_ASIDE or next_of_open
        if counts(loop) and not counted:
            assert not isinstance(touch, CorrectDie)


@pytest.mark.parametrize("next_of_open", [False, True])
@pytest.mark.parametrize("rules", range(len(RULES)))
@pytest.mark.parametrize("thrown", ["leaning", "two lean"])
def test_a_corrected_face_of_another_die_leaves_the_misroll_as_it_is(
    thrown: str, rules: int, next_of_open: bool
) -> None:
    before = lying(thrown, rules, next_of_open=next_of_open)
    loop = table(before)
    loop.touch(CorrectDie(0, 4))
    assert (loop.state.game, loop.state.wait) == (before.game, None)
    with pytest.raises(TouchError, match="the throw is a misroll: staged; say how the die lies"):
        loop.touch(Confirm())
    loop.touch(SayLie(0, FLAT))
    assert (loop.state.game, loop.state.wait, counts(loop)) == (before.game, None, False)


@pytest.mark.parametrize("rules", range(len(RULES)))
@pytest.mark.parametrize("thrown", MISROLLS)
def test_a_misroll_counts_where_a_person_says_expressly_that_it_does(thrown: str, rules: int) -> None:
    loop = table(lying(thrown, rules))
    for place, face in enumerate(THROWS[thrown]):
        if face == TILTED:
            loop.touch(CorrectDie(place, 6))
    if thrown == "one lacks":  # of six dice that the turn has to throw
        with pytest.raises(TouchError, match="of 6 dice, not 5"):
            loop.touch(CountAnyway())
        return
    offered = [offer.touch for offer in choices(loop.state, ENGLISH)]
    assert offered == [CountAnyway()] or loop.state.game.turn.phase is Phase.KNOCK
    loop.touch(CountAnyway())
    assert (counts(loop), loop.state.game.player) == (True, "Ada")
    for said in (SayLie(0, FLAT), CorrectDie(1, 5)):  # of other dice: it still counts
        loop.touch(said)
        assert counts(loop)
    loop.touch(SayLie(5, LEANS))
    assert not counts(loop)


def test_a_misroll_that_a_person_called_is_lifted_by_no_word_on_a_die() -> None:
    for said in (SayLie(0, FLAT), CorrectDie(0, 4), AddDie(3)):
        loop = table(lying("valid", 0))
        loop.touch(Play(Misroll()))
        loop.touch(said)
        assert (counts(loop), loop.state.wait) == (False, None)
        with pytest.raises(TouchError, match="a person called it one"):
            loop.touch(Confirm())


def test_what_leans_and_is_no_die_lifts_the_misroll_until_it_is_one_again() -> None:
    misroll = lying("leaning", 0)
    loop = table(misroll)
    loop.touch(CorrectDie(5, None))
    assert loop.state.wait is not None
    with pytest.raises(TouchError, match="of 6 dice, not 5"):
        loop.touch(Confirm())
    loop.touch(CorrectDie(5, 6))
    assert (loop.state.game, loop.state.wait) == (misroll.game, None)


def test_a_misroll_taken_back_is_called_none_and_still_needs_an_express_word() -> None:
    loop = table(lying("leaning", 0))
    loop.touch(Undo())
    loop.touch(CorrectDie(5, 6))
    assert not loop.state.game.log
    with pytest.raises(TouchError, match="misroll"):
        loop.touch(Confirm())
    loop.touch(SayLie(0, FLAT))
    assert (loop.state.game.log, counts(loop)) == ((), False)
    loop.touch(CountAnyway())
    assert loop.state.game.log == (Throw((1, 1, 2, 3, 5, 6)),)


def test_a_word_on_a_flat_die_takes_no_confirmed_throw_back() -> None:
    loop = table(lying("unsure", 0))
    loop.touch(CorrectDie(5, 6))
    loop.touch(Confirm())
    loop.touch(SayLie(0, FLAT))
    assert counts(loop)


def test_what_a_die_would_have_been_is_corrected_and_stays_a_ruling() -> None:
    loop = table(lying("leaning", 0))
    loop.touch(WouldBe(5, 4))
    loop.touch(CorrectDie(5, 6))
    assert loop.state.lying is not None
    assert (loop.state.lying.counted, loop.state.lying.ruled_faces) == (True, (6,))


def test_a_misroll_that_was_a_bust_never_counts_as_the_next_players_throw() -> None:
    """Ada had three dice to throw; six are made up for her misroll while Bo has six to throw."""
    loop = table(lying("valid", 1))
    loop.touch(Play(PutAside((1, 1, 5))))
    for frame in frames(Still({}), Hand({}), Still(dice(2, 3, TILTED, first_cell=9))):
        loop.step(frame)
    assert loop.state.game.player == "Bo"
    for touch in (CorrectDie(2, 4), AddDie(1), AddDie(1), AddDie(1)):
        loop.touch(touch)
    before = loop.state.game
    with pytest.raises(TouchError, match="of 3 dice, not 6"):
        loop.touch(CountAnyway())
    assert loop.state.game == before
    loop.touch(EnterThrow((1, 2, 3, 4, 5, 6)))
    assert loop.state.game.player == "Bo"
