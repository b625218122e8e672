"""The look of every page."""

from __future__ import annotations

from pathlib import Path

from nicegui import ui

STYLE = Path(__file__).with_name("page.css").read_text(encoding="utf-8")


def add_style() -> None:
    """Give the page that is being built the table's look."""
    ui.add_css(STYLE)
