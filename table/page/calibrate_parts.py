"""What the panel beside the picture is made of: large buttons, and lengths that they change."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial

from nicegui import ui

from table.page.calibrate_words import CalibrateWords


@dataclass(frozen=True, slots=True)
class Choice:
    """A button; `spoken` names it for those who hear the page, where its title does not."""

    name: str
    title: str
    act: Callable[[], object] | Callable[[], Awaitable[object]]
    best: bool = False
    there: bool = True
    note: str = ""
    spoken: str = ""


@dataclass(frozen=True, slots=True)
class Length:
    """A length in mm that is asked for, within `bounds`, by `steps`; `key`: its name for programs."""

    key: str
    name: str
    value: float
    bounds: tuple[float, float]
    steps: tuple[float, ...]


def add_button(choice: Choice) -> None:
    """Build a button."""
    button = ui.button(color=None, on_click=choice.act).props("flat")
    button.classes("offer best" if choice.best else "offer").mark(choice.name).set_enabled(choice.there)
    if choice.spoken:
        button.props["aria-label"] = choice.spoken
    with button:
        ui.label(choice.title).classes("title")
        if choice.note:
            ui.label(choice.note).classes("note")


def add_row(choices: Sequence[Choice], kind: str = "") -> None:
    """Build buttons beside each other."""
    with ui.element("div").classes(f"calibrate-row {kind}"):
        for choice in choices:
            add_button(choice)


def add_stepper(length: Length, change: Callable[[float], object], words: CalibrateWords) -> None:
    """Build a length, with buttons to change it by each step."""
    with ui.element("div").classes("calibrate-stepper"):
        with ui.element("div").classes("calibrate-length"):
            ui.label(length.name).classes("calibrate-of")
            ui.label(words.millimetres(length.value)).classes("calibrate-value").mark(length.key)
        add_row([_step(length, by, change, words) for by in _both_ways(length.steps)])


def _both_ways(steps: tuple[float, ...]) -> tuple[float, ...]:
    return (*(-step for step in reversed(steps)), *steps)


def _step(length: Length, by: float, change: Callable[[float], object], words: CalibrateWords) -> Choice:
    after = min(max(length.value + by, length.bounds[0]), length.bounds[1])
    spoken = words.less(length.name, -by) if by < 0 else words.more(length.name, by)
    title = f"{'−' if by < 0 else '+'}{words.number(abs(by))}"
    return Choice(f"{length.key}{by:+g}", title, partial(change, after), spoken=spoken)
