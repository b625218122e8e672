"""A table that was killed shows the game as it stood."""

from __future__ import annotations

from pathlib import Path

from tests.browser.conftest import OpenScreen, StartTable


def test_a_killed_table_shows_the_same_tally_again(
    start_table: StartTable, open_screen: OpenScreen, empty_tray: Path
) -> None:
    table = start_table("--players", "Åse,Bo", camera=empty_tray)
    screen = open_screen(table.url)
    screen.enter_throw((1, 2, 3, 4, 5, 6))
    screen.put_aside((1, 2, 3, 4, 5, 6))
    screen.bank()
    screen.enter_throw((5, 5, 2, 2, 3, 6))
    screen.put_aside((5, 5))
    screen.expect_turn_points(100)
    table.kill()
    table.start_again()

    other = open_screen(table.url)
    for each in (other, screen):  # the latter was never touched: it finds the table again by itself
        each.expect_says(each.words.game_goes_on)
        each.expect_tally({"Åse": 1500, "Bo": 0})
        each.expect_turn_points(100)
        each.expect_prompt(each.words.to_throw("Bo", 4))
    screen.faults.clear()  # of the time when there was no table
    other.tap(other.words.undo)
    screen.put_aside((5,))
    other.expect_turn_points(50)
