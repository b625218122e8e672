"""`titusind rules` as the contract has it: the presets side by side, one as TOML, house rules."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scoring.ruleset import PRESETS, load_preset, load_ruleset, to_record, to_toml, with_overrides
from table.cli import main


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["rules", *words])
    return code, *capsys.readouterr()


def test_presets_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys)
    rows = {cells[0]: cells[1:] for cells in map(str.split, out.splitlines())}
    assert code == 0
    assert rows["name"] == list(PRESETS)
    assert rows["opening"] == ["750", "500", "0", "0"]
    assert rows["first_throw_relief"] == ["yes", "no", "no", "no"]
    assert rows["end"] == ["first", "last_turn_each", "equal_turns", "last_turn_each"]
    assert list(rows) == list(to_record(load_preset("danish")))


def test_presets_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "--json")
    assert [json.loads(line) for line in out.splitlines()] == [
        to_record(load_preset(name)) for name in PRESETS
    ]


@pytest.mark.parametrize("name", PRESETS)
def test_one_rule_set_as_toml(capsys: pytest.CaptureFixture[str], name: str) -> None:
    assert run(capsys, name) == (0, to_toml(load_preset(name)), "")


def test_house_rules_can_be_made_from_a_preset_and_read_back(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "house.toml"
    words = ("--set", "of_a_kind=1000,2000,3000", "--set", "confirmation=yes")
    path.write_text(run(capsys, "norwegian", *words)[1], encoding="utf-8")
    expected = with_overrides(
        load_preset("norwegian"), {"of_a_kind": "1000,2000,3000", "confirmation": "yes"}
    )
    assert load_ruleset(path) == expected
    record = json.loads(run(capsys, str(path), "--json")[1])
    assert record["of_a_kind"] == [1000, 2000, 3000]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["swedish"], "rules: found 'swedish'; accepted: danish"),
        (["--set", "straight=0"], "--set: found no NAME to change"),
        (["danish", "--set", "=0"], "KEY=VALUE"),
        (["danish", "norwegian"], "unrecognized arguments: norwegian"),
    ],
)
def test_wrong_usage_is_one_line(capsys: pytest.CaptureFixture[str], words: list[str], told: str) -> None:
    try:
        code = main(["rules", *words])
    except SystemExit as stopped:
        code = stopped.code
    out, err = capsys.readouterr()
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert told in err
