"""A picture with an outline whose corners a finger drags; what moves under the finger is in the browser."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from nicegui.element import Element
from nicegui.events import GenericEventArguments

from vision.calibrate.hand_outline import HandOutline


class OutlineEditor(Element, component="outline_editor.js"):
    """Shows `hand` over a picture of `size` (width, height); `moved` is told each corner and where it is put.

    `labels` name the corners for those who hear the page.
    """

    def __init__(
        self, source: str, size: tuple[int, int], moved: Callable[[int, float, float], None]
    ) -> None:
        super().__init__()
        self.chosen = 0
        self._moved = moved
        self._corners = 0
        self._props["src"] = source
        self._props["width"], self._props["height"] = size
        self.on("moved", self._take)
        self.on("chosen", self._choose)

    def show(self, hand: HandOutline, labels: Sequence[str], *, bad: bool) -> None:
        """Show an outline; `bad`: something is wrong with it."""
        self._corners = len(hand.corners_px)
        self.chosen = min(self.chosen, self._corners - 1)
        self._props["corners"] = hand.corners_px.tolist()
        self._props["bends"] = [bend.tolist() for bend in hand.bends]
        self._props["labels"] = list(labels)
        self._props["bad"], self._props["chosen"] = bad, self.chosen
        self.update()

    def _take(self, event: GenericEventArguments) -> None:
        """Pass on what the browser says, if it can be so."""
        corner, x, y = (event.args.get(key) for key in ("corner", "x", "y"))
        if not self._is_corner(corner) or not all(map(_is_place, (x, y))):
            return
        self.chosen = corner
        self._moved(corner, float(x), float(y))

    def _choose(self, event: GenericEventArguments) -> None:
        corner = event.args.get("corner")
        if self._is_corner(corner):
            self.chosen = self._props["chosen"] = corner
            self.update()

    def _is_corner(self, corner: object) -> bool:
        return isinstance(corner, int) and not isinstance(corner, bool) and 0 <= corner < self._corners


def _is_place(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
