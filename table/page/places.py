"""The pages beside the play page: the menu that leads to them, and the frame that they share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from nicegui import ui

from table.page.dialogs import open_pad
from table.page.place_words import PlaceWords
from table.page.style import add_style
from table.page.words import Words

TABLE_URL = "/"


@dataclass(frozen=True, slots=True)
class Place:
    """A page beside the play page; `name` is a key of `PlaceWords.titles`, `icon` one of Material Icons."""

    name: str
    icon: str

    @property
    def url(self) -> str:
        """The path of the page on this server."""
        return f"/{self.name}"


PLACES = (
    Place("setup", "tune"),
    Place("calibrate", "crop_free"),
    Place("evening", "show_chart"),
    Place("history", "history"),
    Place("rules", "menu_book"),
    Place("guests", "qr_code_2"),
    Place("help", "help_outline"),
)


@dataclass(frozen=True, slots=True)
class MenuAction:
    """Something that the menu does on the play page: its `name` in tests, its `title`, what a tap does."""

    name: str
    icon: str
    title: str
    done: Callable[[], object]


def ask_where_to(words: Words, actions: Sequence[MenuAction] = ()) -> None:
    """Show the menu: every place, `actions` of the play page, and the way back to the table."""
    titles = PlaceWords(words.language).titles
    with ui.dialog() as dialog, ui.card().classes("pad"), ui.element("div").classes("places"):
        for place in PLACES:
            _tile(titles[place.name], place.icon, place.name).on_click(
                lambda place=place: ui.navigate.to(place.url)
            )
        for action in actions:
            tile = _tile(action.title, action.icon, action.name).on_click(dialog.close)
            tile.on_click(action.done)
        _tile(words.close, "close", "close").on_click(dialog.close)
    open_pad(dialog, PlaceWords(words.language).menu)


@contextmanager
def beside_the_table(place: str, words: Words) -> Iterator[ui.element]:
    """Build the frame of a page: its title and the way back; what is built inside scrolls below.

    Gives the head, for more to be put there.
    """
    own = PlaceWords(words.language)
    add_style()
    with ui.element("main").classes(f"place-page {place}-page"):
        with ui.element("header").classes("place-head") as head:
            back = ui.button(icon="arrow_back", color=None, on_click=lambda: ui.navigate.to(TABLE_URL))
            back.props("flat").classes("round").mark("to-the-table").props["aria-label"] = own.to_the_table
            ui.label(own.titles[place]).classes("place-title").props("role=heading aria-level=1")
        with ui.element("div").classes("place-body").props("tabindex=0"):  # keys scroll it, too
            yield head


def _tile(title: str, icon: str, name: str) -> ui.button:
    tile = ui.button(color=None).props("flat").classes("offer").mark(name)
    with tile:
        ui.icon(icon).classes("tile-icon")
        ui.label(title).classes("title")
    return tile
