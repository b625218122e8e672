"""A game being set up: what people add, rename, move and throw always leaves a game that can be begun."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.game import new_game
from scoring.ruleset import load_preset
from scoring.ruleset_edits import edited
from table.game_draft import LONGEST_NAME, MOST_PLAYERS, GameDraft, NameFault, draft_like

NORWEGIAN = new_game(load_preset("norwegian"), ("Ada", "Bo", "Cy"), 1)
SEATS = st.integers(0, MOST_PLAYERS - 1)
TAPS = st.one_of(
    st.tuples(st.just("with_player"), st.text(max_size=LONGEST_NAME + 2)),
    st.tuples(st.just("renamed"), SEATS, st.sampled_from(["Ada", "ada ", "Eva", " ", "Åse"])),
    st.tuples(st.just("without_player"), SEATS),
    st.tuples(st.just("moved"), SEATS, st.sampled_from([-1, 1])),
    st.tuples(st.just("throwing")),
    st.tuples(st.just("in_order")),
    st.tuples(st.just("thrown"), st.integers(1, 6)),
    st.tuples(st.just("throw_taken_back")),
)


def possible(draft: GameDraft, tap: tuple[Any, ...]) -> bool:
    """Whether the page offers it."""
    if tap[0] in ("renamed", "without_player", "moved"):
        return tap[1] < len(draft.players)
    return tap[0] != "throwing" or len(draft.players) > 1


@settings(max_examples=200, deadline=None)
@given(st.lists(TAPS, max_size=30))
def test_whatever_is_tapped_a_draft_that_is_ready_is_a_game(taps: list[tuple[Any, ...]]) -> None:
    draft = draft_like(NORWEGIAN)
    for tap in taps:
        if possible(draft, tap):
            draft = getattr(draft, tap[0])(*tap[1:])
        assert len(draft.players) <= MOST_PLAYERS
        assert len({name.casefold() for name in draft.players}) == len(draft.players)
        assert draft.ready or len(draft.players) < 2 or draft.starting is not None
        if draft.ready:
            game = draft.game()
            assert (game.players, game.first_seat) == (draft.players, draft.first_seat)
            assert game.ruleset == load_preset("norwegian")


def test_tied_players_throw_again_and_the_highest_begins() -> None:
    draft = draft_like(NORWEGIAN).throwing()
    for face in (6, 2, 6):
        assert not draft.ready
        draft = draft.thrown(face)
    assert not draft.ready
    draft = draft.thrown(3).thrown(1)
    assert draft.ready
    assert draft.game().first_seat == 0
    assert draft.thrown(5) == draft  # decided
    assert not draft.throw_taken_back().ready


def test_another_player_makes_them_throw_anew() -> None:
    draft = draft_like(NORWEGIAN).throwing().thrown(6).with_player("Di")
    assert draft.starting is not None
    assert draft.starting.players == ("Ada", "Bo", "Cy", "Di")
    assert draft.starting.throws == ()


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("  ", NameFault.EMPTY),
        ("ADA", NameFault.TAKEN),
        ("x" * (LONGEST_NAME + 1), NameFault.TOO_LONG),
        ("a\tb", NameFault.UNPRINTABLE),
        ("Åse-Marie", None),
    ],
)
def test_a_name_that_cannot_be_is_told_apart(name: str, fault: NameFault | None) -> None:
    draft = draft_like(NORWEGIAN)
    assert draft.fault_of(name) is fault
    assert (draft.with_player(name) == draft) is (fault is not None)
    assert draft.fault_of("ada", 0) is None  # one's own name


def test_the_table_is_full_at_ten() -> None:
    draft = draft_like(NORWEGIAN)
    for number in range(12):
        draft = draft.with_player(f"Player {number}")
    assert len(draft.players) == MOST_PLAYERS


def test_rules_go_back_to_the_preset_field_by_field_and_all_at_once() -> None:
    draft = draft_like(NORWEGIAN).by_rule("target", 5000).by_rule("straight", 2500)
    assert draft.changed == ("straight", "target")
    assert draft.game().ruleset.name == "norwegian, straight=2500, target=5000"
    assert draft.by_preset_rule("target").changed == ("straight",)
    assert draft.by_preset("norwegian").changed == ()
    assert draft.by_preset("danish").game().ruleset == load_preset("danish")


def test_the_next_game_is_like_the_one_before() -> None:
    house = new_game(edited(load_preset("finnish"), "opening", 350), ("Ada", "Bo"))
    draft = draft_like(house)
    assert (draft.preset, draft.changed, draft.players) == ("finnish", ("opening",), ("Ada", "Bo"))
    assert draft_like(house, players=False).players == ()
