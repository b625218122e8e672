"""A pad to type a name on: a kiosk has no keyboard, and a phone's own works in the same line."""

from __future__ import annotations

from collections.abc import Callable
from string import ascii_lowercase

from nicegui import ui

from scoring.languages import Language
from table.game_draft import LONGEST_NAME, NameFault
from table.page.dialogs import open_pad
from table.page.setup_desk import Look, tile
from table.page.setup_words import SetupWords

_ROWS = {
    Language.DANISH: ("qwertyuiopå", "asdfghjklæø", "zxcvbnmüöä"),
    Language.NORWEGIAN: ("qwertyuiopå", "asdfghjkløæ", "zxcvbnmüöä"),
    Language.FINNISH: ("qwertyuiopå", "asdfghjklöä", "zxcvbnmüæø"),
    Language.ENGLISH: ("qwertyuiopå", "asdfghjklöä", "zxcvbnmüæø"),
}
_AFTER_Z = {
    Language.DANISH: "æøåäöü",
    Language.NORWEGIAN: "æøåäöü",
    Language.FINNISH: "åäöæøü",
    Language.ENGLISH: "åäöæøü",
}
# A finger's device would show its own keyboard over ours, unasked; there a tap on the line brings it.
FOCUS_WHERE_KEYS_ARE = (
    "if (matchMedia('(pointer: fine)').matches)"
    " setTimeout(() => document.querySelector('.name-typed input')?.focus(), 200)"
)
MARKS = "-'"
BEFORE_CAPITAL = ("", " ", "-")  # a name's parts begin with one


def ask_for_name(
    words: SetupWords, name: str, fault_of: Callable[[str], NameFault | None], answer: Callable[[str], None]
) -> None:
    """Ask for a name, `name` so far; `answer` gets it once it has no fault. The pad outlives a refresh."""
    with ui.context.client.content, ui.dialog() as dialog, ui.card().classes("pad name-pad"):
        pad = _NamePad(words, name, fault_of)

        def done() -> None:
            if pad.told_fault():
                return
            dialog.close()
            answer(pad.name)

        pad.build(done, dialog.close)
    open_pad(dialog, words.name)
    ui.run_javascript(FOCUS_WHERE_KEYS_ARE)


class _NamePad:
    def __init__(self, words: SetupWords, name: str, fault_of: Callable[[str], NameFault | None]) -> None:
        self._words, self._fault_of, self._first = words, fault_of, name
        self._rows = _ROWS[words.language]
        self._alphabet = ascii_lowercase + _AFTER_Z[words.language]  # where a row is no row of keys
        self._capital = _begins_part(name)
        self._keys: dict[str, ui.label] = {}

    @property
    def name(self) -> str:
        """What is typed."""
        return str(self._typed.value or "")

    def told_fault(self) -> bool:
        """Say what is wrong with the name, if anything is."""
        fault = self._fault_of(self.name)
        self._told.set_text("" if fault is None else self._words.fault(fault, self.name))
        return fault is not None

    def build(self, done: Callable[[], None], close: Callable[[], object]) -> None:
        words = self._words
        with ui.element("div").classes("name-line"):
            typed = ui.input(value=self._first, on_change=self._typed_anew).props(
                "outlined dark hide-bottom-space"
            )
            typed.props(f"maxlength={LONGEST_NAME} autocomplete=off").on("keydown.enter", done)
            self._typed = typed.classes("name-typed").mark("name-typed")
            typed.props["aria-label"] = words.name
            tile(words.close, "name-close", close, Look(icon="close", kind="key"))
            tile(words.done, "name-done", done, Look(kind="key done", chosen=True))
        self._told = ui.label().classes("name-told").props("role=status").mark("name-told")
        with ui.element("div").classes("keys"):
            for row in self._rows:
                for letter in row:
                    self._key(letter)
            erase = tile(words.erase, "erase", self._erase, Look(icon="backspace", kind="key"))
            erase.style(f"--letter: {len(self._alphabet)}")
        with ui.element("div").classes("keys bottom"):
            tile(words.capitals, "capitals", self._turn_capital, Look(icon="keyboard_capslock", kind="key"))
            for mark in MARKS:
                self._key(mark)
            tile(words.space, "space", lambda: self._add(" "), Look(kind="key space"))
        self._show()

    def _key(self, letter: str) -> None:
        key = ui.button(color=None, on_click=lambda: self._add(letter)).props("flat").classes("offer key")
        if letter in self._alphabet:
            key.style(f"--letter: {self._alphabet.index(letter)}")
        with key.mark(f"key-{letter}"):
            self._keys[letter] = ui.label(letter).classes("title")

    def _add(self, letter: str) -> None:
        if len(self.name) < LONGEST_NAME:
            self._typed.set_value(self.name + (letter.upper() if self._capital else letter))

    def _erase(self) -> None:
        self._typed.set_value(self.name[:-1])

    def _turn_capital(self) -> None:
        self._capital = not self._capital
        self._show()

    def _typed_anew(self) -> None:
        self._told.set_text("")
        self._capital = _begins_part(self.name)
        self._show()

    def _show(self) -> None:
        for letter, label in self._keys.items():
            label.set_text(letter.upper() if self._capital else letter)


def _begins_part(name: str) -> bool:
    return name[-1:] in BEFORE_CAPITAL
