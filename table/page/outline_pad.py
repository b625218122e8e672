"""The step in which the tray's outline is drawn: the picture with its grips, and buttons beside it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from table.calibration_draft import Draft
from table.page.calibrate_parts import Choice, add_row
from table.page.calibrate_words import CalibrateWords
from table.page.outline_editor import OutlineEditor
from vision.calibrate.hand_outline import LEAST_CORNERS, MOST_CORNERS, HandOutline
from vision.domain import Image

SHAPES = (4, 8, 0)  # corners of the outlines to begin with; 0: round
ARROWS = {(-1, 0): "←", (1, 0): "→", (0, -1): "↑", (0, 1): "↓"}


class OutlinePad:
    """Shows `draft`, and tells `changed` the draft after each change that a person makes."""

    def __init__(
        self,
        draft: Draft,
        source: Callable[[Image], str],
        words: CalibrateWords,
        changed: Callable[[Draft], None],
    ) -> None:
        self._draft, self._words, self._changed = draft, words, changed
        picture = "" if draft.empty is None else source(draft.empty)
        self._editor = OutlineEditor(picture, draft.size, self._move)
        self._show()

    def add_controls(self) -> None:
        """Build the buttons."""
        words, hand = self._words, self._draft.hand
        if hand is None:
            return
        add_row(
            [
                Choice(f"nudge{right:+}{down:+}", arrow, partial(self._nudge, right, down), spoken=spoken)
                for ((right, down), arrow), spoken in zip(ARROWS.items(), words.arrows, strict=True)
            ]
        )
        corners, angular = len(hand.corners_px), not hand.is_round
        fewer, more = corners > LEAST_CORNERS and angular, corners < MOST_CORNERS and angular
        less = f"− {words.more_corners}"
        add_row(
            [
                Choice("remove", less, self._remove, there=fewer, spoken=words.remove_corner),
                Choice("add", f"+ {words.more_corners}", self._add, there=more, spoken=words.add_corner),
                Choice("shape", words.another_shape, self._turn_shape),
            ],
            "small",
        )

    def _show(self) -> None:
        hand = self._draft.hand
        if hand is not None:
            labels = [self._words.corner(number) for number in range(1, len(hand.corners_px) + 1)]
            self._editor.show(hand, labels, bad=self._draft.fault is not None)

    def _take(self, draft: Draft) -> None:
        self._draft = draft
        self._show()
        self._changed(draft)

    def _set(self, hand: HandOutline) -> None:
        self._take(self._draft.with_hand(hand))

    def _move(self, corner: int, x: float, y: float) -> None:
        if self._draft.hand is not None:
            self._set(self._draft.hand.moved(corner, x, y))

    def _nudge(self, right: int, down: int) -> None:
        if self._draft.hand is not None:
            x, y = self._draft.hand.corners_px[self._editor.chosen].tolist()
            self._move(self._editor.chosen, x + right, y + down)

    def _add(self) -> None:
        if self._draft.hand is not None:
            chosen = self._editor.chosen
            self._editor.chosen = chosen + 1
            self._set(self._draft.hand.with_corner_after(chosen))

    def _remove(self) -> None:
        if self._draft.hand is not None:
            self._set(self._draft.hand.without_corner(self._editor.chosen))

    def _turn_shape(self) -> None:
        """Lay out the next of the shapes to begin with."""
        hand = self._draft.hand
        now = 0 if hand is None or hand.is_round else len(hand.corners_px)
        at = SHAPES.index(now) if now in SHAPES else len(SHAPES) - 1
        self._take(self._draft.with_corners(SHAPES[(at + 1) % len(SHAPES)]))
