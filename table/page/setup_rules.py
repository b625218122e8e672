"""The part of the set-up page that says by which rules: a preset, and every field of it changed by a tap."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from functools import partial
from typing import Any

from nicegui import ui

from scoring.ruleset import PRESETS, load_preset, rule_kinds
from scoring.ruleset_fields import MOST_POINTS, AlikePoints, FieldKind, OneOf, Points
from table.page.dialogs import open_pad
from table.page.setup_desk import Desk, Look, heading, tile

STEPS, GREAT_STEPS = (50, 250), (500, 2500)
GREAT = frozenset({"target", "over_limit"})
FIXED_AT_FIRST = (1000, 2000, 3000)  # points for four, five and six alike


def build_rules(desk: Desk) -> None:
    """Build the presets, and every field of the rules in plain words."""
    draft, words, rule_words = desk.draft, desk.words, desk.rule_words
    with ui.element("div").classes("presets"):
        for preset in PRESETS:
            choose = partial(desk.change, draft.by_preset(preset))
            chosen = preset == draft.preset
            tile(rule_words.presets[preset], f"preset-{preset}", choose, Look(kind="small", chosen=chosen))
    if draft.changed:
        with ui.element("div").classes("setup-row"):
            ui.label(words.changed(len(draft.changed))).classes("setup-text").mark("changed")
            back = partial(desk.change, draft.by_preset(draft.preset))
            tile(words.back_to(rule_words.presets[draft.preset]), "back-to-preset", back, Look(kind="small"))
    for title, keys in rule_words.groups:
        heading(title)
        with ui.element("div").classes("rules"):
            for key in keys:
                _build_rule(desk, key)


def _build_rule(desk: Desk, key: str) -> None:
    line = desk.rule_words.line(desk.draft.rules, key)
    changed = key in desk.draft.changed
    button = (
        ui.button(color=None, on_click=partial(ask_about_rule, desk, key)).props("flat").mark(f"rule-{key}")
    )
    button.classes("offer rule" + (" best" if changed else ""))
    with button:
        with ui.element("div").classes("rule-head"):
            ui.label(line.title).classes("rule-title")
            ui.label(line.value).classes("rule-value")
        ui.label(line.sentence).classes("rule-sentence")
        if changed:
            ui.label(_as_preset(desk, key)).classes("rule-was")


def _as_preset(desk: Desk, key: str) -> str:
    """Say what the rule is in the preset."""
    preset = desk.draft.preset
    value = desk.rule_words.value(key, getattr(load_preset(preset), key))
    return desk.words.as_preset(desk.rule_words.presets[preset], value)


def ask_about_rule(desk: Desk, key: str) -> None:
    """Show one rule with what it can be; every tap counts at once."""
    with desk.pads, ui.dialog() as dialog, ui.card().classes("pad rule-pad"):
        head = ui.element("div").classes("rule-pad-head")
        shown = ui.element("div").classes("rule-shown")

        def show() -> None:
            shown.clear()
            with shown:
                _build_control(desk, key, choose)

        def choose(value: object) -> None:
            desk.change(desk.draft.by_rule(key, value))
            show()

        show()
        with head:
            ui.label(desk.rule_words.titles[key]).classes("pad-title")
            back = partial(choose, getattr(load_preset(desk.draft.preset), key))
            tile(_as_preset(desk, key), "as-preset", back, Look(kind="small"))
            tile(desk.words.close, "close", dialog.close, Look(kind="small close", icon="close"))
    open_pad(dialog)


def _build_control(desk: Desk, key: str, choose: Callable[[object], None]) -> None:
    rules = desk.draft.rules
    value, kind = getattr(rules, key), rule_kinds()[key]
    ui.label(desk.rule_words.line(rules, key).sentence).classes("rule-told").mark("rule-told")
    if isinstance(kind, Points):
        ui.label(desk.rule_words.value(key, value)).classes("rule-points").mark("rule-points")
        _build_stepper(key, value, kind, choose)
        if kind.least == 0:
            none, is_none = desk.rule_words.value(key, 0), value == 0
            tile(none, f"{key}-off", partial(choose, 0), Look(kind="small", chosen=is_none))
        return
    choices = _choices_of(desk, key, kind, value)
    possible = {name: desk.draft.by_rule(key, each) for name, (_, each) in choices.items()}
    with ui.element("div").classes("rule-choices"):
        for name, (text, each) in choices.items():
            can = getattr(possible[name].rules, key) == each
            pick, chosen = partial(choose, each), each == value
            tile(text, f"choice-{name}", pick, Look(kind="small", chosen=chosen, enabled=can))
            if not can:
                ui.label(desk.words.as_others_allow).classes("setup-text")
    if isinstance(value, tuple):
        _build_fixed(desk, value, choose)


def _choices_of(desk: Desk, key: str, kind: FieldKind, value: object) -> dict[str, tuple[str, Any]]:
    """Return what a field that is no number can be: by name, its word and its value."""
    words = desk.rule_words
    if isinstance(kind, OneOf | AlikePoints):
        chosen: dict[str, tuple[str, StrEnum | tuple[int, ...]]] = {
            str(each): (words.choices[key][str(each)], each) for each in kind.words
        }
        if isinstance(kind, AlikePoints):
            fixed = value if isinstance(value, tuple) else FIXED_AT_FIRST
            chosen["fixed"] = (words.fixed_points, fixed)
        return chosen
    return {"yes": (words.yes, True), "no": (words.no, False)}


def _build_fixed(desk: Desk, points: tuple[int, ...], choose: Callable[[object], None]) -> None:
    for place, title in enumerate(desk.words.alike):

        def choose_one(value: object, place: int = place) -> None:
            choose((*points[:place], value, *points[place + 1 :]))

        _build_stepper(
            f"alike-{place}", points[place], Points(least=1), choose_one, f"{title}: {points[place]}"
        )


def _build_stepper(
    name: str, points: int, kind: Points, choose: Callable[[object], None], between: str = ""
) -> None:
    """Build the buttons that count `points` of the field `name` up and down, and what is said `between`."""
    small, great = GREAT_STEPS if name in GREAT else STEPS
    with ui.element("div").classes("stepper"):
        for step in (-great, -small, small, great):
            aimed = min(max(points + step, kind.least), MOST_POINTS)
            sign, can = "−" if step < 0 else "+", aimed != points
            tile(f"{sign}{abs(step)}", f"{name}{step:+d}", partial(choose, aimed), Look("small", enabled=can))
            if between and step == -small:
                ui.label(between).classes("stepper-value")
