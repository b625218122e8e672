"""The rules in plain words: no field without words, in any language, and every value has its own sentence."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from scoring.languages import Language
from scoring.ruleset import PRESETS, load_preset, rule_kinds
from scoring.ruleset_fields import AlikePoints, FieldKind, OneOf, Points, YesNo
from table.page.rule_words import RuleWords

DANISH = load_preset("danish")


def some_values(kind: FieldKind) -> list[Any]:
    """Values of a field that rule differently."""
    match kind:
        case YesNo():
            return [True, False]
        case OneOf(words):
            return list(words)
        case AlikePoints(words):
            return [*words, (1100, 2100, 3100), (1100, 2100, 3200)]
        case Points(least=0):
            return [0, 1000]
    return [1000, 1050]


@pytest.mark.parametrize("language", Language)
def test_every_field_is_in_one_group_and_has_a_title(language: Language) -> None:
    words = RuleWords(language)
    keys = [key for _, keys in words.groups for key in keys]
    assert sorted(keys) == sorted(rule_kinds()) == sorted(words.titles)
    assert len(set(words.titles.values())) == len(keys)


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("key", rule_kinds())
def test_every_value_of_a_field_is_told_apart(language: Language, key: str) -> None:
    words = RuleWords(language)
    lines = [words.line(replace(DANISH, **{key: value}), key) for value in some_values(rule_kinds()[key])]
    for one, other in combinations(lines, 2):
        assert one.value != other.value
        assert one.sentence != other.sentence


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_is_told_in_whole_sentences(language: Language, preset: str) -> None:
    words = RuleWords(language)
    lines = words.lines(load_preset(preset))
    assert len(lines) == len(rule_kinds())
    assert all(line.sentence.endswith(".") and "{" not in line.sentence for line in lines)
    assert words.presets[preset]


@pytest.mark.parametrize("language", Language)
def test_a_word_of_a_choice_is_there_for_each(language: Language) -> None:
    words = RuleWords(language)
    for key, kind in rule_kinds().items():
        if isinstance(kind, OneOf | AlikePoints):
            assert words.choices[key].keys() == set(kind.words)


@pytest.mark.parametrize("language", [each for each in Language if each is not Language.ENGLISH])
def test_points_are_shown_as_they_are(language: Language) -> None:
    line = RuleWords(language).line(replace(DANISH, opening=650), "opening")
    assert line.value == "650"
    assert "650" in line.sentence
