"""A table that nobody has played at: it is set up by fingers alone, and played without a camera."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from scoring.languages import Language
from table.page.rule_words import RuleWords
from table.page.setup_words import SetupWords
from tests.browser.conftest import OpenScreen, StartTable
from tests.browser.screen import PATIENCE_MS, SIZES, Screen

NO_CAMERA = Path("none")
LEAST_TARGET = 60  # px, for a finger, at these sizes


def type_name(screen: Screen, words: SetupWords, name: str) -> None:
    """Type a name on the page's own keyboard."""
    screen.tap(words.add)
    for letter in name:
        screen.page.locator(".name-pad .key").get_by_text(letter, exact=True).tap()
    screen.page.locator(".name-pad .done").tap()
    expect(screen.page.locator(".name-pad")).to_have_count(0)


SMALLER_SIDES = """buttons => buttons.map(button => {
    const {width, height} = button.getBoundingClientRect();
    return [button.innerText, Math.min(width, height)];
})"""


def expect_fingers_fit(screen: Screen) -> None:
    """Hold that whatever can be tapped now is large enough for a finger; seen at once, as pages renew."""
    found = screen.page.get_by_role("button").evaluate_all(SMALLER_SIDES)
    assert found
    assert [name for name, side in found if side < LEAST_TARGET - 0.5] == []


@pytest.mark.parametrize("size", SIZES)
def test_a_table_nobody_has_played_at_is_set_up_and_played_by_taps(
    start_table: StartTable, open_screen: OpenScreen, size: tuple[int, int]
) -> None:
    table = start_table(camera=NO_CAMERA)
    screen, words = open_screen(table.url, size), SetupWords(Language.DANISH)
    screen.expect_says(words.nobody_yet)
    type_name(screen, words, "Åse")
    type_name(screen, words, "Bo")
    expect_fingers_fit(screen)
    screen.tap(words.parts["rules"])
    screen.tap(RuleWords(Language.DANISH).presets["norwegian"])
    expect_fingers_fit(screen)
    screen.tap(words.begin)
    screen.expect_prompt(screen.words.to_throw("Åse", 6))
    for face in (1, 1, 1, 2, 3, 4):
        screen.tap(screen.words.die_shows(face))
    screen.put_aside((1, 1, 1))
    screen.bank()
    screen.expect_tally({"Åse": 1000, "Bo": 0})
    expect_fingers_fit(screen)


def test_all_open_pages_speak_the_language_that_is_chosen_on_one(
    start_table: StartTable, open_screen: OpenScreen
) -> None:
    table = start_table("--players", "Åse,Bo", camera=NO_CAMERA)
    play, setup = open_screen(table.url), open_screen(f"{table.url}/setup")
    setup.tap(SetupWords(Language.DANISH).parts["voice"])
    setup.tap("Suomi")
    setup.expect_says(SetupWords(Language.FINNISH).table_language)
    expect(play.page.locator("html")).to_have_attribute("lang", "fi", timeout=PATIENCE_MS)
    play.expect_says("Åse, heitä 6 noppaa")
