"""Numbers as people say and write them: by lists written by hand, by num2words, and by the CLDR."""

from __future__ import annotations

import re

import pytest
from babel.numbers import format_decimal
from hypothesis import given
from hypothesis import strategies as st
from num2words import num2words

from scoring.languages import Language
from scoring.numerals import LIMIT, in_digits, in_words

DA, NB, FI, EN = Language
BY_HUNDREDS = range(1100, 2000)  # but in Finnish
SAID = {
    DA: {
        0: "nul",
        1: "et",
        21: "enogtyve",
        50: "halvtreds",
        65: "femogtres",
        100: "hundrede",
        150: "hundrede og halvtreds",
        350: "tre hundrede og halvtreds",
        1000: "tusind",
        1050: "tusind og halvtreds",
        1150: "elleve hundrede og halvtreds",
        1500: "femten hundrede",
        2100: "to tusind et hundrede",
        2300: "to tusind tre hundrede",
        10150: "ti tusind et hundrede og halvtreds",
        101_000: "hundrede og et tusind",
        1_000_000: "en million",
        2_000_050: "to millioner og halvtreds",
        -500: "minus fem hundrede",
    },
    NB: {
        0: "null",
        1: "ett",
        21: "tjueen",
        50: "femti",
        67: "sekstisju",
        100: "hundre",
        150: "hundre og femti",
        350: "tre hundre og femti",
        1000: "tusen",
        1050: "tusen og femti",
        1150: "elleve hundre og femti",
        1500: "femten hundre",
        2100: "to tusen ett hundre",
        2300: "to tusen tre hundre",
        10150: "ti tusen ett hundre og femti",
        101_000: "hundre og ett tusen",
        1_000_000: "en million",
        2_000_050: "to millioner og femti",
        -500: "minus fem hundre",
    },
    FI: {
        0: "nolla",
        1: "yksi",
        50: "viisikymmentä",
        67: "kuusikymmentäseitsemän",
        100: "sata",
        150: "sataviisikymmentä",
        350: "kolmesataaviisikymmentä",
        1000: "tuhat",
        1050: "tuhat viisikymmentä",
        1150: "tuhat sataviisikymmentä",
        1500: "tuhat viisisataa",
        2300: "kaksituhatta kolmesataa",
        10150: "kymmenentuhatta sataviisikymmentä",
        1_000_000: "miljoona",
        2_000_050: "kaksi miljoonaa viisikymmentä",
        -500: "miinus viisisataa",
    },
    EN: {
        0: "zero",
        1: "one",
        50: "fifty",
        67: "sixty-seven",
        100: "a hundred",
        150: "a hundred and fifty",
        350: "three hundred and fifty",
        1000: "a thousand",
        1050: "a thousand and fifty",
        1150: "eleven hundred and fifty",
        1500: "fifteen hundred",
        2100: "two thousand one hundred",
        2300: "two thousand three hundred",
        10150: "ten thousand one hundred and fifty",
        1_000_000: "a million",
        2_000_050: "two million and fifty",
        -500: "minus five hundred",
    },
}


@pytest.mark.parametrize("language", Language)
def test_numbers_are_said_as_people_say_them(language: Language) -> None:
    assert {number: in_words(number, language) for number in SAID[language]} == SAID[language]


def danish(number: int) -> str:
    """Num2words' Danish in today's spelling: tres, tusind, one million; its words are not kept apart."""
    said = re.sub("(?<!halv)treds", "tres", num2words(number, lang="da"))
    return said.replace("tusinde ", "tusind ").replace("en millioner", "en million")


def norwegian(number: int) -> str:
    """Num2words' Norwegian with the genders of today, and the plural of million."""
    said = num2words(number, lang="no").replace("syv", "sju")
    said = re.sub(r"\ben\b(?! million)", "ett", said)
    return re.sub(r"(?<!\ben) million", " millioner", said)


def finnish(number: int) -> str:
    return num2words(number, lang="fi").replace("miljoonaa", " miljoonaa")


def english(number: int) -> str:
    return num2words(number, lang="en").replace(",", "")


NUM2WORDS = {DA: danish, NB: norwegian, FI: finnish, EN: english}
HUNDRED = {DA: ("hundrede", "og"), NB: ("hundre", "og"), EN: ("hundred", "and")}


def expected(number: int, language: Language) -> str:
    """What num2words makes of a number from 0, said by hundreds where people do."""
    spell = NUM2WORDS[language]
    if language is FI or number not in BY_HUNDREDS:
        return spell(number)
    (hundred, joint), (hundreds, rest) = HUNDRED[language], divmod(number, 100)
    return f"{spell(hundreds)} {hundred}" + (f" {joint} {spell(rest)}" if rest else "")


def alike(said: str, language: Language) -> str:
    """Leave out what people may or may not say: a leading one or, in Danish, spaces and the joining word."""
    said = re.sub(r"^(one|ett|a) (?=hundre|thousand|tusen|million)", "", said)
    if language is DA:
        said = re.sub(r"^et(?=hundrede|tusind)", "", said.replace(" ", "").replace("og", ""))
    return said


@pytest.mark.parametrize("language", Language)
@given(number=st.one_of(st.integers(0, 12_000), st.integers(0, 5_000_000)))
def test_numbers_are_those_of_num2words(number: int, language: Language) -> None:
    assert alike(in_words(number, language), language) == alike(expected(number, language), language)


@pytest.mark.parametrize("language", Language)
def test_no_two_numbers_sound_alike(language: Language) -> None:
    numbers = [*range(-100, 12_000), *range(12_000, 300_000, 50)]
    assert len({in_words(number, language) for number in numbers}) == len(numbers)


@pytest.mark.parametrize("language", Language)
@given(number=st.integers(-1_000_000, 5_000_000))
def test_numbers_are_written_as_in_the_cldr(number: int, language: Language) -> None:
    assert in_digits(number, language) == format_decimal(number, locale=language)


@pytest.mark.parametrize("number", [LIMIT, -LIMIT])
def test_a_number_without_words_is_refused(number: int) -> None:
    with pytest.raises(ValueError, match=str(number)):
        in_words(number, DA)
    assert in_words(LIMIT - 1, DA)
