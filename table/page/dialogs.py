"""The pads of the page: a throw entered by hand, a throw reported; and what all pads are made of."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from nicegui import ui

from scoring.faces import Faces
from table.page.drawing import die_svg
from table.page.words import Words

FACES = range(1, 7)


def ask_for_throw(words: Words, dice: int, answer: Callable[[Faces], None]) -> None:
    """Ask for the faces of a throw of `dice` dice; `answer` gets them once all are entered."""
    entered: list[int] = []
    with ui.context.client.content, ui.dialog() as dialog, ui.card().classes("pad"):

        def add(face: int) -> None:
            entered.append(face)
            if len(entered) < dice:
                show_entered(row, entered, dice)
                return
            dialog.close()
            answer(tuple(entered))

        def take_back() -> None:
            del entered[-1:]
            show_entered(row, entered, dice)

        ui.label(words.enter_throw).classes("pad-title")
        row = ui.element("div").classes("entered")
        show_entered(row, entered, dice)
        faces_grid(words, add)
        with ui.element("div").classes("pad-row"):
            pad_button(words.back, take_back, "back")
            pad_button(words.close, dialog.close, "close")
    open_pad(dialog)


def ask_for_report(words: Words, make: Callable[[], object]) -> None:
    """Say what a report of the throw holds, and `make` it if that is wanted."""
    with ui.context.client.content, ui.dialog() as dialog, ui.card().classes("pad"):
        ui.label(words.report).classes("pad-title")
        ui.label(words.report_holds).classes("pad-text")
        with ui.element("div").classes("pad-row"):
            pad_button(words.download, make, "download").on_click(dialog.close)
            pad_button(words.close, dialog.close, "close")
    open_pad(dialog)


def show_entered(row: ui.element, entered: Sequence[int], dice: int) -> None:
    """Show in `row` what was entered of a throw of `dice` dice."""
    row.clear()
    with row:
        for face in entered:
            ui.html(die_svg(face), sanitize=False).classes("drawn")
        for _ in range(dice - len(entered)):
            ui.element("div").classes("slot")


def open_pad(dialog: ui.dialog, name: str = "") -> None:
    """Open a pad that is gone once it closes; `name`, for those who hear it, of one without a title."""
    titles = (
        each.text
        for each in dialog.descendants()
        if isinstance(each, ui.label) and "pad-title" in each.classes
    )
    dialog.props["aria-label"] = name or next(titles, "")
    dialog.props("transition-duration=0").on("hide", dialog.delete)
    dialog.open()


def faces_grid(
    words: Words,
    tapped: Callable[[int], None],
    chosen: int | None = None,
    likely: Sequence[int] = (),
    *,
    enabled: bool = True,
) -> None:
    """Build the six faces; `tapped` gets the one that is. Where several are `likely`, those come first."""
    ranked = likely if len(likely) > 1 else ()
    with ui.element("div").classes("faces-grid"):
        for face in dict.fromkeys((*ranked, *FACES)):
            button = (
                ui.button(color=None, on_click=lambda _, face=face: tapped(face))
                .props("flat")
                .mark(f"face-{face}")
            )
            button.classes("face-button" + (" chosen" if face == chosen else ""))
            button.classes("likely" if face in ranked else "")
            button.props["aria-label"] = words.die_shows(face)
            button.set_enabled(enabled)
            with button:
                ui.html(die_svg(face), sanitize=False).classes("drawn")


def pad_button(text: str, tapped: Callable[[], object], name: str) -> ui.button:
    """Build a button of a pad."""
    button = ui.button(color=None, on_click=tapped).props("flat").classes("offer").mark(name)
    with button:
        ui.label(text).classes("title")
    return button
