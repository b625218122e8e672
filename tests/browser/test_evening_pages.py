"""The evening, the games kept and the rules in a browser: all fits the screen, fingers hit the buttons."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenScreen, StartTable
from tests.browser.screen import PATIENCE_MS, SIZES, Screen

PLAYERS = ("Ada", "Bo", "Bartholomæus Frederik Åge Nørregård-Søre", *map(str, range(4, 11)))
LEAST_TARGET_PX = 60
OVERFLOWING = """() => [...document.querySelectorAll('.place-body')]
    .filter(each => each.scrollWidth > each.clientWidth + 1).length"""


def expect_to_fit(screen: Screen) -> None:
    assert screen.page.evaluate(OVERFLOWING) == 0
    for button in screen.page.get_by_role("button").all():
        box = button.bounding_box()
        assert box is None or (min(box["width"], box["height"]) >= LEAST_TARGET_PX - 1)


@pytest.mark.parametrize("size", SIZES, ids=("lying", "standing"))
def test_what_was_played_is_told_on_every_page(
    start_table: StartTable, open_screen: OpenScreen, empty_tray: Path, size: tuple[int, int]
) -> None:
    table = start_table("--players", ",".join(PLAYERS), camera=empty_tray)
    screen = open_screen(table.url, size)
    screen.enter_throw((1, 1, 1, 2, 3, 4))
    screen.put_aside((1, 1, 1))
    screen.bank()
    for place, shown in (("evening", ".statistics .row >> nth=10"), ("rules", ".score-table .row >> nth=6")):
        screen.open(f"{table.url}/{place}")
        expect(screen.page.locator(shown)).to_be_attached(timeout=PATIENCE_MS)
        expect_to_fit(screen)
    screen.open(f"{table.url}/history")
    screen.page.locator(".past-game").tap()
    turn = screen.page.locator(".past-turn")
    expect(turn).to_contain_text("1.000", timeout=PATIENCE_MS)
    expect(screen.page.locator(".past-die.aside")).to_have_count(3)
    expect_to_fit(screen)
    turn.tap()
    expect(screen.page.locator(".past-large")).to_be_visible(timeout=PATIENCE_MS)
