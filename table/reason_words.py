"""The referee's reasons in a few words, for the terminal and the page."""

from __future__ import annotations

from collections.abc import Iterable
from gettext import NullTranslations

from vision.domain import ReasonKind


def reasons_in_words(kinds: Iterable[str], messages: NullTranslations) -> str:
    """Name each kind of reason once."""
    pgettext = messages.pgettext
    words = {
        ReasonKind.OUTSIDE: pgettext("reason", "a die lies outside"),
        ReasonKind.MISSING: pgettext("reason", "dice are missing"),
        ReasonKind.TILTED: pgettext("reason", "a die leans"),
        ReasonKind.STACKED: pgettext("reason", "a die lies on another"),
        ReasonKind.EXTRA: pgettext("reason", "there are too many dice"),
        ReasonKind.UNREADABLE: pgettext("reason", "a die cannot be read"),
        ReasonKind.DISAGREE: pgettext("reason", "a die is read in two ways"),
        ReasonKind.OCCLUDED: pgettext("reason", "something covers the tray"),
        ReasonKind.SIZE: pgettext("reason", "the dice are not as large as calibrated"),
        ReasonKind.UNCERTAIN: pgettext("reason", "a die is not certain"),
    }
    return ", ".join(words[ReasonKind(kind)] for kind in dict.fromkeys(kinds))
