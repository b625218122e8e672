"""The steps of a calibration on the page: their order, what each says, and when it is done. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from table.calibrating import NoSheetError, TooFewDiceError, TooRoughError
from table.calibration_checks import NotEmptyError, OtherViewError, UnlikelyCameraError
from table.calibration_draft import Draft, Drafted, Way
from table.page.calibrate_words import CalibrateWords
from vision.errors import VisionError


class Step(StrEnum):
    """What is asked of a person."""

    WAY = "way"
    EMPTY = "empty"
    OUTLINE = "outline"
    SHEET = "sheet"
    SIZE = "size"
    DIE = "die"
    DICE = "dice"
    RESULT = "result"
    DONE = "done"


BEGINNING, END = (Step.WAY, Step.EMPTY, Step.OUTLINE), (Step.RESULT, Step.DONE)
STEPS = {
    Way.SHEET: (*BEGINNING, Step.SHEET, Step.DIE, *END),
    Way.SIZE: (*BEGINNING, Step.SIZE, Step.DIE, *END),
    Way.DICE: (*BEGINNING, Step.DIE, Step.DICE, *END),
    Way.OUTLINE: (*BEGINNING, *END),
}
NOT_HELD = frozenset({Step.WAY, Step.DONE})  # while the table plays on


@dataclass(frozen=True, slots=True)
class Said:
    """The lines of a step."""

    title: str
    details: tuple[str, ...] = ()


def said(step: Step, draft: Draft, result: Drafted | None, words: CalibrateWords) -> Said:
    """Return what a step says; `result`: what the draft gives, None until it is known."""
    if step is Step.RESULT:
        return Said(words.what_came) if result is None else _of_result(result, words)
    return _SAID[step](draft, words)


def is_done(step: Step, draft: Draft) -> bool:
    """Whether a step leaves nothing to do."""
    return _DONE[step](draft) if step in _DONE else True


def why_not(error: VisionError, words: CalibrateWords) -> str:
    """Say why no calibration came of it, and what helps."""
    match error:
        case TooRoughError():
            return words.too_rough(error.quality)
        case TooFewDiceError():
            return words.too_few_dice(error.found)
        case NotEmptyError():
            return words.dice_in_the_tray(error.found)
    told = {
        NoSheetError: words.no_sheet,
        UnlikelyCameraError: words.unlikely,
        OtherViewError: words.other_view,
    }
    return told.get(type(error), words.did_not_work)


def _of_result(result: Drafted, words: CalibrateWords) -> Said:
    if result.quality is None:
        return Said(words.look_at_outline, (words.outline_alone,))
    height = "" if result.height_mm is None else words.height(result.height_mm, result.quality)
    hidden = words.hidden if result.hidden else ""
    return Said(words.quality(result.quality), (height, hidden or words.look))


def _of_outline(draft: Draft, words: CalibrateWords) -> Said:
    if draft.found:
        return Said(words.outline_found, (words.outline_found_detail,))
    if draft.changed:
        return Said(words.outline_found, (words.outline_changed_detail,))
    return Said(words.outline_sought, (words.outline_sought_detail,))


def _of_sheet(draft: Draft, words: CalibrateWords) -> Said:
    if not draft.views:
        return Said(words.sheet, (words.sheet_detail,))
    return Said(words.more_sheets, (words.more_sheets_detail, words.pictures_taken(len(draft.views))))


def _of_size(draft: Draft, words: CalibrateWords) -> Said:
    return Said(words.size, (words.no_such_shape if draft.shape is None else words.size_detail,))


_SAID: dict[Step, Callable[[Draft, CalibrateWords], Said]] = {
    Step.WAY: lambda _, words: Said(words.which_way, (words.which_way_detail,)),
    Step.EMPTY: lambda _, words: Said(words.empty, (words.empty_detail,)),
    Step.OUTLINE: _of_outline,
    Step.SHEET: _of_sheet,
    Step.SIZE: _of_size,
    Step.DIE: lambda _, words: Said(words.die, (words.die_detail,)),
    Step.DICE: lambda _, words: Said(words.dice, (words.dice_detail,)),
    Step.DONE: lambda _, words: Said(words.done),
}
_DONE: dict[Step, Callable[[Draft], bool]] = {
    Step.EMPTY: lambda draft: draft.empty is not None,
    Step.OUTLINE: lambda draft: draft.shown and not draft.dice_inside,
    Step.SHEET: lambda draft: bool(draft.views),
    Step.DICE: lambda draft: bool(draft.views),
    Step.SIZE: lambda draft: draft.shape is not None,
}
