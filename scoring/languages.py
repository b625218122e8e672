"""The languages that a game is told in, and the catalogues of their words.

Messages are written in English and translated by gettext; the catalogues lie in `locales` of the package
that tells (`scoring`, `table`), compiled by `make translations`.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from gettext import GNUTranslations, NullTranslations
from importlib import resources


class Language(StrEnum):
    """A language, by its code."""

    DANISH = "da"
    NORWEGIAN = "nb"  # bokmål
    FINNISH = "fi"
    ENGLISH = "en"


@cache
def catalogue(package: str, language: Language) -> NullTranslations:
    """Return the messages of `package` in `language`; English is what they are written in."""
    if language is Language.ENGLISH:
        return NullTranslations()
    folder = resources.files(package) / "locales" / language / "LC_MESSAGES"
    with (folder / f"{package}.mo").open("rb") as file:
        return GNUTranslations(file)
