"""A game that a clip begins, corrected twice by a person, played to its end by hand."""

from __future__ import annotations

from tests.browser.conftest import OpenScreen, StartTable
from tests.browser.playing_table import CLIPS


def test_a_clip_corrected_twice_is_played_to_the_end(
    start_table: StartTable, open_screen: OpenScreen
) -> None:
    """The clip: Ada throws 1-1-1-3-4-6 and takes the ones, banked as Bo throws 2-2-3-4-5-6."""
    clip = CLIPS / "banked"
    table = start_table("--set", "target=2000", camera=clip / "clip.mp4", calibration=clip / "table.json")
    screen = open_screen(table.url)
    words = screen.words
    screen.expect_says(words.clip_ended)
    screen.expect_tally({"Ada": 1000, "Bo": 0})
    assert screen.dice() == [2, 2, 3, 4, 5, 6]

    screen.correct_die(2, 1)
    screen.expect_dice([1, 2, 3, 4, 5, 6])
    screen.expect_offered((1, 2, 3, 4, 5, 6), points=1500)
    screen.correct_in_picture(3, 5)
    screen.expect_dice([1, 2, 4, 5, 5, 6])
    screen.put_aside((1, 5, 5))
    screen.expect_turn_points(200)

    screen.tap(words.undo)
    screen.put_aside((1, 5, 5))
    screen.enter_throw((1, 1, 1))
    screen.put_aside((1, 1, 1))
    screen.bank()
    screen.expect_tally({"Ada": 1000, "Bo": 1200})

    screen.enter_throw((1, 1, 1, 2, 3, 4))
    screen.put_aside((1, 1, 1))
    screen.bank()
    screen.expect_prompt(words.wins(["Ada"]))
    screen.expect_tally({"Ada": 2000, "Bo": 1200})
