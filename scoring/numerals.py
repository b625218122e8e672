"""Whole numbers in words, as people say them, and in digits, as people write them.

Danes, Norwegians and English speakers count from eleven hundred to nineteen hundred, and by thousands from
two thousand; Finns by thousands all the way. Danish and Norwegian have one in the neuter, as points are: et
and ett, `hundre og ett`; beside tens people say en in every gender: `enogtyve`, `tjueen`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from scoring.languages import Language

LIMIT = 10**8  # numbers below it have words


def in_digits(number: int, language: Language) -> str:
    """Write `number` with its thousands apart, as `language` does: `1.500`."""
    return f"{number:,}".replace(",", _THOUSANDS_SEPARATOR[language])


def in_words(number: int, language: Language) -> str:
    """Spell `number` as it is said; raises ValueError from a hundred millions up, or as far below zero."""
    if abs(number) >= LIMIT:
        raise ValueError(f"found {number}; accepted: whole numbers from {1 - LIMIT} to {LIMIT - 1}")
    if number < 0:
        return f"{_MINUS[language]} {in_words(-number, language)}"
    if language is Language.FINNISH:
        return _finnish(number)
    return _germanic(number, _GERMANIC[language])


@dataclass(frozen=True, slots=True)
class _Germanic:
    """The numerals of a language that says hundreds, a joining word, and the rest.

    `one` hundred or thousand in the midst of a number is said as `lone` at its beginning.
    """

    below_hundred: tuple[str, ...]
    joint: str
    hundred: str
    thousand: str
    million: str
    millions: str
    one: str
    lone: str


def _germanic(number: int, words: _Germanic) -> str:
    if 1100 <= number < 2000:
        return _by_hundreds(number, words)
    millions, below = divmod(number, 1_000_000)
    thousands, rest = divmod(below, 1000)
    parts = []
    if millions:
        counted = f"{words.below_hundred[millions]} {words.millions}"
        parts.append(words.million if millions == 1 else counted)
    if thousands:
        parts.append(f"{_by_hundreds(thousands, words)} {words.thousand}")
    if rest >= 100 or not parts:
        parts.append(_by_hundreds(rest, words))
    elif rest:
        parts += [words.joint, words.below_hundred[rest]]
    said = " ".join(parts)
    leads_with_one = said.startswith((f"{words.one} {words.hundred}", f"{words.one} {words.thousand}"))
    return words.lone + said.removeprefix(f"{words.one} ") if leads_with_one else said


def _by_hundreds(number: int, words: _Germanic) -> str:
    """Say a number below two thousand; a lone hundred is still one hundred."""
    hundreds, rest = divmod(number, 100)
    if not hundreds:
        return words.below_hundred[rest]
    counted = f"{words.below_hundred[hundreds]} {words.hundred}"
    return f"{counted} {words.joint} {words.below_hundred[rest]}" if rest else counted


def _finnish(number: int) -> str:
    millions, below = divmod(number, 1_000_000)
    thousands, rest = divmod(below, 1000)
    parts = []
    if millions:
        parts.append("miljoona" if millions == 1 else f"{_finnish_below_thousand(millions)} miljoonaa")
    if thousands:
        parts.append("tuhat" if thousands == 1 else f"{_finnish_below_thousand(thousands)}tuhatta")
    if rest or not parts:
        parts.append(_finnish_below_thousand(rest))
    return " ".join(parts)


def _finnish_below_thousand(number: int) -> str:
    hundreds, rest = divmod(number, 100)
    if not hundreds:
        return _FINNISH_BELOW_HUNDRED[rest]
    counted = "sata" if hundreds == 1 else f"{_FINNISH_BELOW_HUNDRED[hundreds]}sataa"
    return counted + _FINNISH_BELOW_HUNDRED[rest] if rest else counted


def _below_hundred(
    below_twenty: str, tens: str, join: Callable[[str, str], str], one: str
) -> tuple[str, ...]:
    """Return the numerals 0 to 99; `one` is said beside tens."""
    small = tuple(below_twenty.split())
    units = (one, *small[2:10])
    return small + tuple(word for ten in tens.split() for word in (ten, *(join(ten, unit) for unit in units)))


_THOUSANDS_SEPARATOR = {
    Language.DANISH: ".",
    Language.NORWEGIAN: "\u00a0",
    Language.FINNISH: "\u00a0",
    Language.ENGLISH: ",",
}
_MINUS = {
    Language.DANISH: "minus",
    Language.NORWEGIAN: "minus",
    Language.FINNISH: "miinus",
    Language.ENGLISH: "minus",
}
_GERMANIC = {
    Language.DANISH: _Germanic(
        _below_hundred(
            "nul et to tre fire fem seks syv otte ni ti elleve tolv tretten fjorten femten seksten sytten"
            " atten nitten",
            "tyve tredive fyrre halvtreds tres halvfjerds firs halvfems",
            lambda ten, unit: f"{unit}og{ten}",
            one="en",
        ),
        joint="og",
        hundred="hundrede",
        thousand="tusind",
        million="en million",
        millions="millioner",
        one="et",
        lone="",
    ),
    Language.NORWEGIAN: _Germanic(
        _below_hundred(
            "null ett to tre fire fem seks sju åtte ni ti elleve tolv tretten fjorten femten seksten sytten"
            " atten nitten",
            "tjue tretti førti femti seksti sytti åtti nitti",
            lambda ten, unit: f"{ten}{unit}",
            one="en",
        ),
        joint="og",
        hundred="hundre",
        thousand="tusen",
        million="en million",
        millions="millioner",
        one="ett",
        lone="",
    ),
    Language.ENGLISH: _Germanic(
        _below_hundred(
            "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
            " sixteen seventeen eighteen nineteen",
            "twenty thirty forty fifty sixty seventy eighty ninety",
            lambda ten, unit: f"{ten}-{unit}",
            one="one",
        ),
        joint="and",
        hundred="hundred",
        thousand="thousand",
        million="a million",
        millions="million",
        one="one",
        lone="a ",
    ),
}
_FINNISH_UNITS = "nolla yksi kaksi kolme neljä viisi kuusi seitsemän kahdeksan yhdeksän"
_FINNISH_BELOW_HUNDRED = _below_hundred(
    f"{_FINNISH_UNITS} kymmenen {' '.join(f'{unit}toista' for unit in _FINNISH_UNITS.split()[1:])}",
    " ".join(f"{unit}kymmentä" for unit in _FINNISH_UNITS.split()[2:]),
    lambda ten, unit: f"{ten}{unit}",
    one="yksi",
)
