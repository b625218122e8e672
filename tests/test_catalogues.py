"""The catalogues of words: no language misses a line, and what is read at run time is what was translated."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po

from scoring.languages import Language, catalogue

ROOT = Path(__file__).parents[1]
PACKAGES = ("scoring", "table")
TRANSLATED = [language for language in Language if language is not Language.ENGLISH]
BOTH = [(package, language) for package in PACKAGES for language in TRANSLATED]
SAME_IN_ENGLISH = {(Language.NORWEGIAN, "Hot dice!"), (Language.DANISH, "Menu")}

Key = tuple[str, tuple[str, ...]]  # context, English singular and plural


def key(message: Message) -> Key:
    return message.context or "", (message.id,) if isinstance(message.id, str) else tuple(message.id)


def messages(found: Catalog) -> dict[Key, Message]:
    return {key(message): message for message in found if message.id}


def translations(message: Message) -> tuple[str, ...]:
    return (message.string,) if isinstance(message.string, str) else tuple(message.string)


def template(package: str) -> Catalog:
    with (ROOT / package / "locales" / f"{package}.pot").open("rb") as file:
        return read_po(file)


def source(package: str, language: Language, suffix: str) -> Path:
    return ROOT / package / "locales" / language / "LC_MESSAGES" / f"{package}.{suffix}"


def translated(package: str, language: Language) -> Catalog:
    with source(package, language, "po").open("rb") as file:
        return read_po(file, locale=language)


def placeholders(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


def in_code(package: str) -> Iterator[Key]:
    """The messages that the code asks for, read without Babel; one that is not written out fails."""
    for path in (ROOT / package).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                name = getattr(node.func, "attr", getattr(node.func, "id", ""))
                if name in ("pgettext", "npgettext"):
                    context, *words = map(ast.literal_eval, node.args[: 3 if name == "npgettext" else 2])
                    yield context, tuple(words)


@pytest.mark.parametrize("package", PACKAGES)
def test_the_template_is_a_fresh_extraction(package: str) -> None:
    fresh = Catalog()
    for _, _, message, _, context in extract_from_dir(ROOT / package):
        fresh.add(message, context=context)
    assert messages(template(package)).keys() == messages(fresh).keys() == set(in_code(package))


@pytest.mark.parametrize(("package", "language"), BOTH)
def test_no_language_misses_a_line(package: str, language: Language) -> None:
    found = translated(package, language)
    assert messages(found).keys() == messages(template(package)).keys()
    assert not found.obsolete
    for message in messages(found).values():
        assert all(translations(message)), f"not translated: {message.id}"
        assert not message.fuzzy, f"not certain: {message.id}"
        assert len(translations(message)) == (1 if isinstance(message.id, str) else found.num_plurals)


@pytest.mark.parametrize(("package", "language"), BOTH)
def test_placeholders_are_those_of_the_english_line(package: str, language: Language) -> None:
    """Each in its own number: one of a thing need not be counted."""
    for _, english in (pairs := messages(translated(package, language))):
        for line, words in zip(english, translations(pairs[_, english]), strict=True):
            assert placeholders(words) == placeholders(line), words


@pytest.mark.parametrize(("package", "language"), BOTH)
def test_no_line_is_english_still(package: str, language: Language) -> None:
    for (_, english), message in messages(translated(package, language)).items():
        for line, words in zip(english, translations(message), strict=True):
            left = re.sub(r"\{\w+\}", "", words)
            same = words == line and re.search(r"\w", left)
            assert not same or (language, line) in SAME_IN_ENGLISH


@pytest.mark.parametrize(("package", "language"), BOTH)
def test_what_is_read_is_what_was_translated(package: str, language: Language) -> None:
    with source(package, language, "mo").open("rb") as file:
        compiled = messages(read_mo(file))
    lines = messages(translated(package, language))
    assert {key: translations(each) for key, each in compiled.items()} == {
        key: translations(each) for key, each in lines.items()
    }
    for (context, english), message in lines.items():
        if len(english) == 1:
            assert catalogue(package, language).pgettext(context, english[0]) == message.string


@pytest.mark.parametrize(("package", "language"), BOTH)
def test_singular_is_one_and_nothing_else(package: str, language: Language) -> None:
    """What lets a singular leave its number out."""
    assert translated(package, language).plural_expr == "(n != 1)"
