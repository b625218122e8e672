"""Why a disk does not take the tally, in words: what SQLite says of it is English, and of databases."""

from __future__ import annotations

from gettext import NullTranslations


def disk_fault_in_words(fault: str, messages: NullTranslations) -> str:
    """Return what `fault`, as SQLite tells it, means; as it is where people can do nothing about it."""
    pgettext = messages.pgettext
    known = {
        "disk is full": pgettext("disk", "the disk is full"),
        "readonly database": pgettext("disk", "the disk may not be written to"),
        "unable to open": pgettext("disk", "the file cannot be opened"),
        "disk I/O error": pgettext("disk", "the disk is faulty"),
    }
    return next((words for beginning, words in known.items() if beginning in fault), fault)
