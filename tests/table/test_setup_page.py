"""The set-up page as people meet it: who plays, by which rules, who begins, and that the game then begins."""

from __future__ import annotations

from functools import partial
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nicegui import ui
from nicegui.testing import User

from scoring.actions import Bank, PutAside
from scoring.languages import Language
from scoring.ruleset import load_preset, rule_kinds
from table.game_draft import draft_like
from table.page.colours import COLOURS, colours_of, next_free
from table.page.server import SETUP_URL
from table.page.setup_words import SetupWords
from table.preferences import RememberedPreferences
from table.touches import EnterThrow, Play
from tests.table.browsing import FullDisk, Table
from tests.table.browsing import act as act_on
from tests.table.staging import Hand, Still, dice, frames, played
from tests.table.test_voice import Talk

act = partial(act_on, path=SETUP_URL)


def tap(user: User, *markers: str) -> None:
    for marker in markers:
        user.find(marker=marker).click()


async def type_name(user: User, name: str) -> None:
    tap(user, "add-player")
    await user.should_see(marker="name-typed")
    user.find(marker="name-typed").clear().type(name)
    tap(user, "name-done")


def element(user: User, marker: str) -> ui.element:
    return next(iter(user.find(marker=marker).elements))


def is_enabled(user: User, marker: str) -> bool:
    button = element(user, marker)
    return isinstance(button, ui.button) and button.enabled


def test_a_game_is_set_up_and_begins() -> None:
    async def scene(table: Table, user: User) -> None:
        await type_name(user, "Åse")
        await user.should_see("Åse")
        tap(user, "remove-0")
        await user.should_not_see("Ada")
        tap(user, "down-0")
        tap(user, "part-rules")
        await user.should_see("The player chooses which of the dice")
        tap(user, "preset-norwegian")
        await user.should_see("one last turn each")
        tap(user, "rule-opening")
        await user.should_see(marker="rule-points")
        tap(user, "opening+250")
        await user.should_see("A player's first banking takes 750 points in one turn, or more.")
        await user.should_see("1 rule changed")
        tap(user, "close", "begin")
        await user.should_see("Åse, throw 6 dice")
        game = table.session.state.game
        assert game.players == ("Åse", "Bo")
        assert game.ruleset.name == "norwegian, opening=750"
        assert table.session.draft in (None, draft_like(game))

    act(Table(), scene)


def test_a_game_under_way_is_left_only_after_a_question() -> None:
    async def scene(table: Table, user: User) -> None:
        table.loop.touch(EnterThrow((1, 1, 1, 2, 3, 4)))
        tap(user, "begin")
        await user.should_see("A game is under way")
        await user.should_see("Ada 0, Bo 0. It stays stored")
        assert table.session.state.game.log
        tap(user, "begin-anew")
        await user.should_see("Ada, throw 6 dice")
        assert table.session.state.as_it_began

    act(Table(), scene)


def test_names_are_typed_on_the_page_too() -> None:
    async def scene(table: Table, user: User) -> None:
        tap(user, "add-player")
        await user.should_see(marker="key-e")
        tap(user, "key-e", "key-v", "key-a", "space", "key-b", "key-b", "erase", "name-done")
        await user.should_see("Eva B")
        assert table.session.draft is not None
        assert table.session.draft.players == ("Ada", "Bo", "Eva B")

    act(Table(), scene)


def test_a_name_that_is_there_already_is_said() -> None:
    async def scene(table: Table, user: User) -> None:
        await type_name(user, "bo ")
        await user.should_see("bo plays already")
        tap(user, "name-close")
        assert table.session.draft is not None
        assert table.session.draft.players == ("Ada", "Bo")

    act(Table(), scene)


def test_those_who_played_before_are_offered() -> None:
    class Evenings(FullDisk):
        fault = None

        def players(self) -> tuple[str, ...]:
            return ("Bo", "Eva", "Ib")

    async def scene(table: Table, user: User) -> None:
        await user.should_not_see(marker="known-Bo")
        tap(user, "known-Ib")
        await user.should_see(marker="name-2")
        await user.should_not_see(marker="known-Ib")
        assert table.session.draft is not None
        assert table.session.draft.players == ("Ada", "Bo", "Ib")

    act(Table(store=Evenings()), scene)


def test_who_begins_is_thrown_for_and_a_tie_thrown_again() -> None:
    async def scene(table: Table, user: User) -> None:
        tap(user, "by-throwing")
        await user.should_see("Ada, throw one die")
        assert not is_enabled(user, "begin")
        tap(user, "face-6", "face-2")
        await user.should_see("Cy, throw one die")
        tap(user, "face-6")
        await user.should_see("As high: Ada and Cy throw again")
        tap(user, "face-1", "face-5")
        await user.should_see("Cy begins")
        tap(user, "take-back", "face-4", "begin")
        await user.should_see("Cy, throw 6 dice")
        assert table.session.state.game.first_seat == 2

    act(Table("Ada", "Bo", "Cy"), scene)


def test_a_die_in_the_tray_is_read_for_who_begins() -> None:
    async def scene(table: Table, user: User) -> None:
        tap(user, "by-throwing")
        await user.should_see("Ada, throw one die")
        thrown = played(dice(5), dice(2, first_cell=9))
        table.show(islice(thrown, 75))  # until the first die has lain for a second
        await user.should_see("Bo, throw one die")
        table.show(thrown)
        await user.should_see("Ada begins")
        assert table.session.state.as_it_began  # nothing counted

    act(Table(), scene)


def test_a_test_throw_is_read_and_counts_for_nothing() -> None:
    async def scene(table: Table, user: User) -> None:
        tap(user, "part-trial")
        await user.should_see("no picture")
        table.throw(dice(1, 1, 1, 2, 2))
        await user.should_see("Valid throw")
        table.show(frames(Still(dice(1, 1, 1, 2, 2)), Hand({}), Still(dice(2, 2, first_cell=3)), Still({})))
        assert table.session.state.as_it_began
        assert table.session.state.left == ()

    act(Table(), scene)


def test_the_language_is_switched_for_page_voice_and_terminal(tmp_path: Path) -> None:
    async def scene(table: Table, user: User) -> None:
        tap(user, "part-voice", "language-fi")
        await user.should_see("Pelaajat")
        assert table.session.words.language is Language.FINNISH
        again = RememberedPreferences(tmp_path / "settings.json", pytest.fail)
        assert again.now.language is Language.FINNISH
        await user.open("/")
        await user.should_see("Ada, heitä 6 noppaa")

    table = Table()
    table.session.preferences = RememberedPreferences(tmp_path / "settings.json", pytest.fail)
    act(table, scene)


def test_the_table_leads_to_the_set_up_until_somebody_said_who_plays() -> None:
    async def scene(table: Table, user: User) -> None:
        await user.should_see("Nobody plays yet")
        await user.open("/")
        await user.should_see("Ada, throw 6 dice")

    table = Table()
    table.session.unchosen = True
    act(table, scene, path="/")


def test_colours_are_chosen_and_never_alike() -> None:
    async def scene(table: Table, user: User) -> None:
        before = dict(table.session.preferences.now.colours)
        tap(user, "colour-0")
        assert before == {}
        assert table.session.preferences.now.colours == {"Ada": 2, "Bo": 1}

    act(Table(), scene)


@given(
    st.lists(st.sampled_from("ABCDEFGHIJ"), min_size=2, max_size=10, unique=True),
    st.dictionaries(st.sampled_from("ABCDEFGHIJ"), st.integers(0, len(COLOURS) - 1)),
)
def test_no_two_players_have_one_colour(players: list[str], chosen: dict[str, int]) -> None:
    colours = colours_of(players, chosen)
    assert len(set(colours)) == len(players)
    assert chosen.get(players[0], colours[0]) == colours[0] or players[0] not in chosen
    assert next_free(colours[0], colours) not in colours or len(players) == len(COLOURS)


def test_every_field_of_the_rules_can_be_tapped() -> None:
    async def scene(table: Table, user: User) -> None:
        tap(user, "part-rules")
        await user.should_see(marker="preset-danish")
        for number, key in enumerate(rule_kinds(), 1):
            tap(user, f"rule-{key}")
            await user.should_see(marker="rule-told")
            assert len(user.find(marker="rule-told").elements) == number
        tap(user, "preset-finnish")
        assert table.session.draft is not None
        assert table.session.draft.rules == load_preset("finnish")

    act(Table(), scene)


@pytest.mark.parametrize("language", [each for each in Language if each is not Language.ENGLISH])
def test_nothing_of_the_set_up_is_left_in_english(language: Language) -> None:
    english, other = vars(SetupWords(Language.ENGLISH)), vars(SetupWords(language))
    alike = [text for name, text in english.items() if isinstance(text, str) and other[name] == text]
    assert alike == []


def test_without_a_camera_a_turn_is_the_dice_and_two_taps() -> None:
    async def scene(table: Table, user: User) -> None:
        await user.should_not_see("No picture yet")
        tap(user, "face-1", "face-1", "face-4", "take-back-die", "face-1", "face-2", "face-3", "face-4")
        await user.should_see("Entered by hand")
        tap(user, "face-6")  # while dice are to be set aside
        tap(user, "set-aside-1-1-1")
        await user.should_see("Ada, bank or throw 3 dice")
        tap(user, "bank")
        await user.should_see("Ada banks 1000")
        assert table.session.state.game.totals == {"Ada": 1000, "Bo": 0}

    table = Table()
    table.session.start_without_camera()
    act(table, scene, path="/")


def test_a_game_that_has_not_begun_and_one_that_is_over_lead_to_the_set_up() -> None:
    async def scene(table: Table, user: User) -> None:
        tap(user, "setup")
        await user.should_see("Begin the game")
        await user.open("/")
        table.loop.touch(EnterThrow((1, 1, 1, 2, 3, 4)))
        await user.should_not_see("Players and rules")
        for touch in (Play(PutAside((1, 1, 1))), Play(Bank())):
            table.loop.touch(touch)
        await user.should_see("Ada wins")
        await user.should_see("Players and rules")
        await user.should_see("New game")

    act(Table(target="1000"), scene, path="/")


def test_while_a_throw_is_tried_the_table_says_so() -> None:
    async def scene(table: Table, user: User) -> None:
        table.session.try_out(1000)
        await user.should_see("A test throw: nothing counts now")
        table.throw(dice(1, 1, 1, 2, 3, 4))
        assert table.session.state.as_it_began
        table.session.try_out(0)
        await user.should_not_see("A test throw")
        table.show(frames(Still(dice(1, 1, 1, 2, 3, 4)), Still({}), Hand({}), Still(dice(5, 5, 2, 3, 4, 6))))
        await user.should_see("Ada, set dice aside")
        assert table.session.state.game.turn.faces == (2, 3, 4, 5, 5, 6)

    act(Table(), scene, path="/")


def test_more_players_than_the_page_takes_are_said() -> None:
    async def scene(_table: Table, user: User) -> None:
        await user.should_see("ten players at most")
        tap(user, "remove-0")
        await user.should_not_see("ten players at most")
        assert is_enabled(user, "begin")

    act(Table(*"ABCDEFGHIJK"), scene)


def test_what_is_set_up_on_one_screen_shows_on_the_others() -> None:
    async def scene(table: Table, user: User) -> None:
        await user.should_see(marker="name-1")
        assert table.session.draft is not None
        table.session.draft = table.session.draft.with_player("Eva").by_rule("target", 5000)
        await user.should_see("Eva")
        tap(user, "part-rules")
        await user.should_see("The game goes to 5000 points.")

    act(Table(), scene)


def test_the_voice_is_turned_off_made_louder_and_tried() -> None:
    async def scene(table: Table, user: User) -> None:
        tap(user, "part-voice", "try-voice")
        assert talk.room.hears(1).text == "This is how the table sounds."
        tap(user, "volume-add")
        await user.should_see("Volume: 110 %")
        assert talk.voice.volume == table.session.preferences.now.volume == 110
        tap(user, "voice-off")
        await user.should_see("Off")
        assert talk.voice.muted
        assert table.session.preferences.now.muted
        tap(user, "voice-on")
        assert not talk.voice.muted

    talk, table = Talk(), Table()
    table.session.voice = talk.voice
    try:
        act(table, scene)
    finally:
        talk.voice.close()
