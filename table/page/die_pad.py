"""The pad of one die: the die as the judge saw it, the faces it may show, and how it may lie."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from nicegui import ui

from table.overruling import ASKEW, candidates
from table.page.dialogs import faces_grid, open_pad, pad_button
from table.page.overrule_words import OverruleWords
from table.page.words import Words
from table.state import LyingThrow
from table.touches import SAYABLE, AddDie, CorrectDie, SayLie, Touch, WouldBe
from vision.domain import DieState

Answer = Callable[[Touch], None]


@dataclass(frozen=True, slots=True)
class DieAsked:
    """The die that is asked about: its place in the throw, and where its picture is; empty for none."""

    lying: LyingThrow
    place: int
    picture: str = ""

    @property
    def state(self) -> DieState:
        """How it lies."""
        return self.lying.state_of(self.place)

    @property
    def candidates(self) -> Sequence[int]:
        """The faces that it may show, the likelier first."""
        return candidates(self.lying, self.place)


def ask_about_die(words: Words, asked: DieAsked, answer: Answer) -> None:
    """Ask what a die shows or how it lies; `answer` gets the touch that says so."""
    own, place, askew = OverruleWords(words.language), asked.place, asked.state in ASKEW

    def show(face: int) -> None:
        say(WouldBe(place, face) if askew else CorrectDie(place, face))

    def say(touch: Touch) -> None:
        dialog.close()
        answer(touch)

    with ui.context.client.content, ui.dialog() as dialog, ui.card().classes("pad die-pad"):
        ui.label(own.asks.get(asked.state, words.which_face)).classes("pad-title")
        with ui.element("div").classes("die-and-faces"):
            _picture(asked.picture)
            faces_grid(words, show, asked.lying.faces[place], asked.candidates)
        with ui.element("div").classes("pad-row"):
            for state in SAYABLE:
                button = pad_button(own.lies[state], partial(say, SayLie(place, state)), f"lies-{state}")
                button.classes("best" if state is asked.state else "")
            pad_button(words.no_die, lambda: say(CorrectDie(place, None)), "no-die")
            pad_button(words.close, dialog.close, "close")
    open_pad(dialog)


def ask_for_unseen(words: Words, picture: str, at_px: tuple[float, float] | None, answer: Answer) -> None:
    """Ask what a die shows that was not seen; `at_px`: where in the frame it lies, if that was tapped."""

    def show(face: int) -> None:
        dialog.close()
        answer(AddDie(face, at_px))

    with ui.context.client.content, ui.dialog() as dialog, ui.card().classes("pad die-pad"):
        ui.label(OverruleWords(words.language).not_seen).classes("pad-title")
        with ui.element("div").classes("die-and-faces"):
            _picture(picture)
            faces_grid(words, show)
        with ui.element("div").classes("pad-row"):
            pad_button(words.close, dialog.close, "close")
    open_pad(dialog)


def _picture(url: str) -> None:
    if url:
        ui.element("img").classes("die-picture").props("alt=''").props["src"] = url
