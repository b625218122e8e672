"""The pad in the place of the picture where there is no camera: tap what was thrown, die by die."""

from __future__ import annotations

from collections.abc import Callable

from nicegui import ui

from scoring.faces import Faces
from scoring.game import Game, Phase
from table.page.dialogs import faces_grid, show_entered
from table.page.words import Words

TO_THROW = frozenset({Phase.THROW, Phase.DECIDE, Phase.RELIEF})


def build_throw_pad(words: Words, game: Game, entered: list[int], enter: Callable[[Faces], object]) -> None:
    """Build the six faces; `enter` gets the throw once as many were tapped as `game` has to throw.

    Those tapped until then are kept in `entered`.
    """
    dice = game.turn.dice_left
    ready = game.turn.phase in TO_THROW

    def show() -> None:
        show_entered(row, entered, dice if ready else 0)
        erase.set_enabled(bool(entered))

    def add(face: int) -> None:
        if not ready:
            return
        entered.append(face)
        if len(entered) < dice:
            show()
        else:
            enter(tuple(entered))

    def take_back() -> None:
        del entered[-1:]
        show()

    with ui.element("div").classes("throw-pad" + ("" if ready else " at-rest")):
        with ui.element("div").classes("throw-line"):
            row = ui.element("div").classes("entered")
            erase = ui.button(icon="backspace", color=None, on_click=take_back).props("flat").classes("round")
            erase.mark("take-back-die").props["aria-label"] = words.back
        faces_grid(words, add, enabled=ready)
    show()
