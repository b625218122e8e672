"""What people set on the page is there again, and a file that is broken stops no game."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scoring.languages import Language
from table.preferences import Preferences, RememberedPreferences

SET = {
    "language": Language.FINNISH,
    "voice": "piper:/voices/fi_FI-harri-medium.onnx",
    "muted": True,
    "volume": 60,
    "colours": {"Åse": 3, "Bo": 9},
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "titusind" / "settings.json"


def test_what_is_set_is_remembered(path: Path) -> None:
    first = RememberedPreferences(path, pytest.fail)
    assert first.now == Preferences()
    first.change(**SET)
    assert first.now == RememberedPreferences(path, pytest.fail).now == Preferences(**SET)  # type: ignore[arg-type]


def test_the_command_line_wins_and_is_not_remembered(path: Path) -> None:
    RememberedPreferences(path, pytest.fail).change(language=Language.FINNISH)
    named = RememberedPreferences(path, pytest.fail, language="da", voice="espeak")
    assert named.now.language is Language.DANISH
    named.change(volume=50)
    again = RememberedPreferences(path, pytest.fail)
    assert (again.now.language, again.now.volume) == (Language.FINNISH, 50)
    named.change(language=Language.NORWEGIAN)
    assert RememberedPreferences(path, pytest.fail).now.language is named.now.language is Language.NORWEGIAN


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("language", "tlh"),
        ("voice", 3),
        ("muted", "yes"),
        ("volume", 5000),
        ("volume", True),
        ("colours", {"Ada": 77}),
        ("colours", ["red"]),
    ],
)
def test_what_cannot_be_used_is_left_out_and_said(path: Path, key: str, value: object) -> None:
    RememberedPreferences(path, pytest.fail).change(**SET)
    record = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**record, key: value, "of a newer titusind": 1}), encoding="utf-8")
    said: list[object] = []
    read = RememberedPreferences(path, said.append).now
    assert len(said) == 1
    assert key in str(said[0])
    for name, expected in {**SET, key: getattr(Preferences(), key)}.items():
        assert getattr(read, name) == expected


@pytest.mark.parametrize("text", ["{", "[1, 2]", "\udcff"])
def test_a_broken_file_stops_nothing(path: Path, text: str) -> None:
    path.parent.mkdir()
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    said: list[object] = []
    assert RememberedPreferences(path, said.append).now == Preferences()
    assert len(said) == 1


def test_a_disk_that_takes_nothing_stops_nothing(path: Path) -> None:
    path.parent.write_text("a file where the folder should be")
    said: list[object] = []
    preferences = RememberedPreferences(path, said.append)
    preferences.change(volume=70)
    assert preferences.now.volume == 70
    assert any("counts until the end" in str(line) for line in said)


def test_without_a_file_they_are_forgotten() -> None:
    preferences = RememberedPreferences(language=Language.DANISH)
    preferences.change(muted=True)
    assert preferences.now == Preferences(language=Language.DANISH, muted=True)
