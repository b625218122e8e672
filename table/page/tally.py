"""The players with their totals, whose turn it is, and what the turn has brought so far."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from nicegui import ui

from scoring.game import Game
from table.page.colours import COLOURS, colours_of

CROWD = 3  # from so many players on names and totals stand in two lines
PACKED = 8  # and from so many on there is no room but for these


def tells_tally(game: Game, colours: Mapping[str, int]) -> object:
    """Return all of `game` that the tally shows, to compare."""
    return tuple(game.totals.items()), game.turn.seat, game.turn.points, game.over, game.out, colours


def build_tally(
    container: ui.element, game: Game, chosen: Mapping[str, int], ask: Callable[[int], object]
) -> None:
    """Build a cell for each player of `game` in `container`; `ask` is given the seat that was tapped."""
    container.classes(add="crowded" if len(game.players) >= CROWD else "")
    container.classes(add="packed" if len(game.players) >= PACKED else "")
    colours = colours_of(game.players, chosen)
    for seat in range(len(game.players)):
        _build_player(game, seat, COLOURS[colours[seat]], partial(ask, seat))


def _build_player(game: Game, seat: int, colour: str, ask: Callable[[], object]) -> None:
    name, turn = game.players[seat], game.turn
    at_turn = seat == turn.seat and not game.over
    kind = " at-turn" if at_turn else " out" if seat in game.out else ""
    cell = ui.element("div").classes(f"player{kind}").mark(f"player-{seat}")
    cell.props("role=button tabindex=0").on("click", ask)
    with cell:
        ui.element("span").classes("colour").style(f"--colour: {colour}")
        ui.label(name).classes("name")
        with ui.element("div").classes("figures"):
            if at_turn and turn.points:
                ui.label(f"+{turn.points}").classes("turn-points").mark("turn-points")
            ui.label(str(game.totals[name])).classes("total")
