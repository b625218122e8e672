"""A part of the page that is built anew when what it tells has changed, and else left alone.

A button that is built anew under a finger is another one, and the tap on it is lost.
"""

from __future__ import annotations

from collections.abc import Callable

from nicegui import ui

from table.state import TableState

_NOTHING = object()


class Section:
    """Shows in `container` what `build` makes of a state; `tells`: all of it that shows, to compare."""

    def __init__(
        self,
        container: ui.element,
        tells: Callable[[TableState], object],
        build: Callable[[TableState], None],
    ) -> None:
        self._container, self._tells, self._build = container, tells, build
        self._told: object = _NOTHING

    def show(self, state: TableState) -> None:
        """Show `state`."""
        told = self._tells(state)
        if told == self._told:
            return
        self._told = told
        self._container.clear()
        with self._container:
            self._build(state)
