"""A whole game for two by Danish rules, in Danish, by taps alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from scoring.actions import Action, Bank, DeclineRelief, Misroll, PutAside, Throw
from scoring.game import apply, new_game
from scoring.ruleset import load_preset
from tests.browser.conftest import OpenScreen, StartTable
from tests.browser.screen import SIZES, Screen
from tests.scoring.playing import BANK, aside, throw

GAME: tuple[Action, ...] = (
    *(throw("234466"), DeclineRelief()),  # Ada might throw again, as she has not opened
    *(throw("123456"), aside("123456"), BANK),  # Bo opens with a straight
    *(throw("111155"), aside("111155"), throw("111334"), aside("111"), BANK),  # Ada, with hot dice
    *(throw("111111"), aside("111111"), BANK),
    *(throw("666662"), aside("66666"), throw("2")),  # Ada loses 1800
    *(throw("555234"), Misroll(), throw("555234"), aside("555"), throw("111"), aside("111")),
    *(throw("444123"), aside("1444"), BANK),
    *(throw("666666"), aside("666666"), throw("223344"), aside("223344"), BANK),
    *(throw("111155"), aside("111155"), throw("555126"), aside("555"), BANK),
)
TOTALS = {"Ådel": 6500, "Bo": 10100}


def play(screen: Screen, action: Action) -> None:
    match action:
        case Throw(faces):
            screen.enter_throw(faces)
        case PutAside(faces):
            screen.put_aside(faces)
        case Bank():
            screen.bank()
        case Misroll():
            screen.tap(screen.words.misroll_button)
        case DeclineRelief():
            screen.tap(screen.words.pass_on)


@pytest.mark.parametrize("size", SIZES)
def test_a_whole_game_is_played_by_taps(
    size: tuple[int, int], start_table: StartTable, open_screen: OpenScreen, empty_tray: Path
) -> None:
    game = new_game(load_preset("danish"), tuple(TOTALS))
    table = start_table("--players", ",".join(TOTALS), camera=empty_tray)
    screen = open_screen(table.url, size)
    for action in GAME:
        turns = game.finished_turns
        play(screen, action)
        game, _ = apply(game, action)
        if game.finished_turns != turns:
            screen.expect_tally(dict(game.totals))
    assert game.over
    screen.expect_prompt(screen.words.wins(["Bo"]))
    screen.expect_tally(TOTALS)
