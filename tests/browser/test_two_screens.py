"""Two screens of one table: they stay in step, and what is tapped on both at once is done once."""

from __future__ import annotations

from pathlib import Path

from tests.browser.conftest import OpenScreen, StartTable
from tests.browser.screen import LYING, STANDING, tap_at_once

TURN = (1, 1, 1, 2, 3, 4)


def test_a_tap_on_one_screen_shows_on_the_other(
    start_table: StartTable, open_screen: OpenScreen, empty_tray: Path
) -> None:
    table = start_table("--players", "Ada,Bo", camera=empty_tray)
    one, other = (open_screen(table.url, size) for size in (LYING, STANDING))
    one.enter_throw(TURN)
    other.expect_dice(sorted(TURN))
    other.put_aside((1, 1, 1))
    one.expect_turn_points(1000)
    one.bank()
    other.expect_tally({"Ada": 1000, "Bo": 0})
    other.expect_prompt(other.words.to_throw("Bo", 6))


def test_two_taps_at_once_bank_once(
    start_table: StartTable, open_screen: OpenScreen, empty_tray: Path
) -> None:
    table = start_table("--players", "Ada,Bo", camera=empty_tray)
    screens = [open_screen(table.url) for _ in range(2)]
    for totals in ({"Ada": 1000, "Bo": 0}, {"Ada": 1000, "Bo": 1000}, {"Ada": 2000, "Bo": 1000}):
        screens[0].enter_throw(TURN)
        screens[0].put_aside((1, 1, 1))
        for screen in screens:
            screen.expect_turn_points(1000)
        tap_at_once(*((screen, screen.words.bank) for screen in screens))
        for screen in screens:
            screen.expect_tally(totals)
            screen.expect_prompt(screen.words.to_throw("Bo" if totals["Bo"] < totals["Ada"] else "Ada", 6))


def test_of_two_set_asides_tapped_at_once_one_counts(
    start_table: StartTable, open_screen: OpenScreen, empty_tray: Path
) -> None:
    table = start_table("--players", "Ada,Bo", camera=empty_tray)
    screens = [open_screen(table.url) for _ in range(2)]
    screens[0].enter_throw((1, 5, 2, 3, 4, 4))
    for screen in screens:
        screen.expect_offered((1,))
    tap_at_once((screens[0], screens[0].named((1,))), (screens[1], screens[1].named((5,))))
    for screen in screens:
        screen.expect_prompt(screen.words.to_throw("Ada", 5))
    shown = {screen.turn_points() for screen in screens}
    assert shown in ({100}, {50})
