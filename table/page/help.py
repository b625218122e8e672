"""The help page: how an evening at the table goes, in a few paragraphs."""

from __future__ import annotations

from nicegui import ui

from table.page.place_words import PlaceWords
from table.page.places import beside_the_table
from table.page.words import Words


def build_help(words: Words) -> None:
    """Build the help page."""
    with beside_the_table("help", words):
        for heading, text in PlaceWords(words.language).help:
            ui.label(heading).classes("place-heading").props("role=heading aria-level=2")
            ui.label(text).classes("place-text")
