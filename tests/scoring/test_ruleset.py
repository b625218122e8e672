"""Rule sets: the presets hold what the sources say, and nothing but what is accepted gets in."""

from __future__ import annotations

import dataclasses
import tomllib
from importlib import resources
from pathlib import Path

import pytest
from hypothesis import given

from scoring.errors import RulesetError
from scoring.ruleset import (
    PRESETS,
    End,
    HotDice,
    MisrollRule,
    OfAKind,
    Ruleset,
    load_preset,
    load_ruleset,
    to_record,
    to_toml,
    with_overrides,
)
from tests.scoring.strategies import rulesets, untimed

FIELDS = [field.name for field in dataclasses.fields(Ruleset) if field.name != "name"]
COMMON = {
    "straight": 1500,
    "four_plus_two": False,
    "six_alike": False,
    "nothing_on_six": 0,
    "hot_dice": "may",
    "confirmation": False,
    "take_all": False,
    "target": 10000,
    "exact_target": False,
    "over_limit": 0,
    "three_busts": 0,
    "misroll": "rethrow",
    "knock_relief": False,
}
DIFFERENT = {
    "danish": {
        "of_a_kind": "adding",
        "three_pairs": 1000,
        "opening": 750,
        "least_banking": 250,
        "first_throw_relief": True,
        "end": "first",
    },
    "norwegian": {
        "of_a_kind": "doubling",
        "three_pairs": 1500,
        "opening": 500,
        "least_banking": 0,
        "first_throw_relief": False,
        "end": "last_turn_each",
    },
    "finnish": {
        "of_a_kind": "doubling",
        "three_pairs": 1500,
        "opening": 0,
        "least_banking": 0,
        "first_throw_relief": False,
        "end": "equal_turns",
    },
    "zilch": {
        "of_a_kind": "doubling",
        "three_pairs": 1500,
        "four_plus_two": True,
        "nothing_on_six": 500,
        "opening": 0,
        "least_banking": 300,
        "first_throw_relief": False,
        "end": "last_turn_each",
        "three_busts": 500,
    },
}


@pytest.mark.parametrize("name", PRESETS)
def test_preset_is_the_column_of_the_rules(name: str) -> None:
    assert to_record(load_preset(name)) == {"name": name, **COMMON, **DIFFERENT[name]}


@pytest.mark.parametrize("name", PRESETS)
def test_preset_file_is_what_to_toml_writes(name: str) -> None:
    text = resources.files("scoring").joinpath("presets", f"{name}.toml").read_text(encoding="utf-8")
    assert text == to_toml(load_preset(name))


@untimed
@given(rulesets())
def test_toml_round_trip(ruleset: Ruleset) -> None:
    again = Ruleset(**tomllib.loads(to_toml(ruleset)))
    assert (again, again.name) == (ruleset, ruleset.name)


@pytest.mark.parametrize("field", FIELDS)
def test_toml_says_what_every_field_means(field: str) -> None:
    lines = to_toml(load_preset("danish")).splitlines()
    place = next(i for i, line in enumerate(lines) if line.startswith(f"{field} = "))
    assert lines[place - 1].startswith("# Accepts: ")
    assert len(lines[place - 2]) > len("# ")
    assert lines[place - 2].startswith("# ")


@pytest.mark.parametrize(
    ("key", "word", "value"),
    [
        ("of_a_kind", "doubling", OfAKind.DOUBLING),
        ("of_a_kind", "1000, 2000,3000", (1000, 2000, 3000)),
        ("straight", "0", 0),
        ("straight", "2500", 2500),
        ("three_pairs", "750", 750),
        ("four_plus_two", "yes", True),
        ("six_alike", "true", True),
        ("nothing_on_six", "500", 500),
        ("opening", "0", 0),
        ("least_banking", "300", 300),
        ("first_throw_relief", "No", False),
        ("hot_dice", "must", HotDice.MUST),
        ("confirmation", "yes", True),
        ("take_all", "yes", True),
        ("target", "5000", 5000),
        ("end", "equal_turns", End.EQUAL_TURNS),
        ("exact_target", "yes", True),
        ("over_limit", "9000", 9000),
        ("three_busts", "1000", 1000),
        ("misroll", "bust", MisrollRule.BUST),
        ("knock_relief", "yes", True),
    ],
)
def test_every_field_can_be_set_by_words(key: str, word: str, value: object) -> None:
    changed = with_overrides(load_preset("danish"), {key: word})
    assert getattr(changed, key) == value
    assert type(getattr(changed, key)) is type(value)
    assert {field: getattr(changed, field) for field in FIELDS if field != key} == {
        field: getattr(load_preset("danish"), field) for field in FIELDS if field != key
    }


def test_every_field_is_covered_by_the_test_above() -> None:
    (mark,) = test_every_field_can_be_set_by_words.pytestmark
    assert {key for key, _, _ in mark.args[1]} == set(FIELDS)


@pytest.mark.parametrize(
    ("key", "word", "accepted"),
    [
        ("of_a_kind", "tripling", "adding, doubling, or points"),
        ("of_a_kind", "1000,2000", "adding, doubling, or points"),
        ("of_a_kind", "0,1,2", "adding, doubling, or points"),
        ("straight", "-1", "0 (off) or 1 to 1000000"),
        ("straight", "1000001", "0 (off) or 1 to 1000000"),
        ("straight", "1500.0", "0 (off)"),
        ("straight", "1_500", "0 (off)"),
        ("straight", "١", "0 (off)"),
        ("straight", "", "0 (off)"),
        ("four_plus_two", "1", "yes or no"),
        ("hot_dice", "yes", "may, must"),
        ("target", "999", "a whole number 1000 to 1000000"),
        ("end", "last", "first, last_turn_each, equal_turns"),
        ("misroll", "", "rethrow, bust"),
        ("opening", "9" * 5000, "a whole number 0 to 1000000"),
    ],
)
def test_words_not_accepted_name_field_found_and_accepted(key: str, word: str, accepted: str) -> None:
    with pytest.raises(RulesetError) as caught:
        with_overrides(load_preset("danish"), {key: word})
    assert caught.value.field == key
    assert accepted in caught.value.accepted
    message = str(caught.value)
    assert message.startswith(f"{key}: found '")
    assert "\n" not in message
    assert len(message) < 200


@pytest.mark.parametrize(
    ("overrides", "field"),
    [
        ({"opening": "10001"}, "opening"),
        ({"target": "1000", "opening": "0", "least_banking": "1001"}, "least_banking"),
        ({"over_limit": "10000"}, "over_limit"),
        ({"three_pairs": "0", "four_plus_two": "yes"}, "four_plus_two"),
        ({"three_pairs": "0", "six_alike": "yes"}, "six_alike"),
        ({"exact_target": "yes", "target": "10010"}, "exact_target"),
    ],
)
def test_fields_that_clash_are_refused(overrides: dict[str, str], field: str) -> None:
    with pytest.raises(RulesetError) as caught:
        with_overrides(load_preset("danish"), overrides)
    assert caught.value.field == field


def test_unknown_field_is_refused_with_the_known_ones() -> None:
    with pytest.raises(
        RulesetError, match="strait: found no such field; accepted: of_a_kind, straight"
    ) as caught:
        with_overrides(load_preset("danish"), {"strait": "0"})
    assert caught.value.field == "strait"


def test_rule_sets_that_rule_alike_are_equal_whatever_their_name() -> None:
    changed = with_overrides(load_preset("danish"), {"straight": "1500"})
    assert changed == load_preset("danish")
    assert changed.name == "danish, straight=1500"


def write(folder: Path, text: str | bytes) -> Path:
    path = folder / "house.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_file_says_what_differs_from_the_danish_rules(tmp_path: Path) -> None:
    ruleset = load_ruleset(write(tmp_path, "straight = 2500\nknock_relief = true\nof_a_kind = [1, 2, 3]\n"))
    assert ruleset == with_overrides(
        load_preset("danish"), {"straight": "2500", "knock_relief": "yes", "of_a_kind": "1,2,3"}
    )
    assert ruleset.name == "house"


def test_file_can_be_based_on_another_preset_and_carry_a_name(tmp_path: Path) -> None:
    text = '\ufeffname = "Oslo"\nbased_on = "norwegian"\nopening = 1000\nfour_plus_two = "yes"\n'
    ruleset = load_ruleset(str(write(tmp_path, text)))
    assert ruleset == with_overrides(load_preset("norwegian"), {"opening": "1000", "four_plus_two": "yes"})
    assert ruleset.name == "Oslo"


def test_file_written_by_to_toml_is_read_back(tmp_path: Path) -> None:
    ruleset = with_overrides(load_preset("zilch"), {"of_a_kind": "1000,2000,3000"})
    assert load_ruleset(write(tmp_path, to_toml(ruleset))) == ruleset


@pytest.mark.parametrize(
    ("text", "field", "found"),
    [
        ("strait = 1", "strait", "no such field"),
        ("straight = '1500'", "straight", "'1500'"),
        ("straight = 1500.0", "straight", "1500.0"),
        ("straight = true", "straight", "True"),
        ("straight = [1500]", "straight", "[1500]"),
        ("straight = -50", "straight", "-50"),
        ("four_plus_two = 1", "four_plus_two", "1"),
        ("hot_dice = 3", "hot_dice", "3"),
        ("hot_dice = []", "hot_dice", "[]"),
        ("of_a_kind = [1, 2]", "of_a_kind", "[1, 2]"),
        ("of_a_kind = [1, 2, true]", "of_a_kind", "True"),
        ("[end]\nfirst = 1", "end", "{'first': 1}"),
        ("name = ''", "name", "''"),
        ("name = 3", "name", "3"),
        ("based_on = 'swedish'", "based_on", "'swedish'"),
        ("based_on = ['danish']", "based_on", "['danish']"),
        ("opening = 20000", "opening", "20000"),
        ("straight: 1500", "rules", "not TOML"),
        (b"\xff\xfe", "rules", "not UTF-8"),
        ("straight = " + "9" * 5000, "rules", "not TOML"),
        ("straight = " + "[" * 5000, "rules", "not TOML"),
    ],
)
def test_bad_file_is_refused_naming_file_field_and_what_was_found(
    tmp_path: Path, text: str | bytes, field: str, found: str
) -> None:
    path = write(tmp_path, text)
    with pytest.raises(RulesetError) as caught:
        load_ruleset(path)
    assert caught.value.field == field
    assert found in str(caught.value)
    assert str(caught.value).startswith(f"{path}: {field}: found ")


def test_name_that_is_no_preset_is_refused_with_the_presets() -> None:
    for name in ("swedish", "", "Danish", "x" * 5000):
        with pytest.raises(RulesetError, match="danish, norwegian, finnish, zilch, or a file"):
            load_ruleset(name)


def test_missing_file_and_folder_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "none.toml", tmp_path):
        with pytest.raises(RulesetError, match="a file that cannot be read"):
            load_ruleset(path)
