"""The look of every page."""

from __future__ import annotations

from pathlib import Path

from nicegui import ui

SHEETS = ("page.css", "guests.css", "evening.css", "setup.css", "overrule.css", "calibrate.css")
STYLE = "\n".join(Path(__file__).with_name(sheet).read_text(encoding="utf-8") for sheet in SHEETS)


def add_style() -> None:
    """Give the page that is being built the table's look."""
    ui.add_css(STYLE)
