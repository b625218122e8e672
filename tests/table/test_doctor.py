"""`titusind doctor`: what it finds well, what it finds at fault, and that each fault says what to do."""

from __future__ import annotations

import json
import shutil
from collections import namedtuple
from pathlib import Path

import numpy as np
import pytest

from scoring.languages import Language
from table.cli import main
from table.doctor.finding import Finding, Health
from table.doctor.games import games
from table.doctor.machine import disk, temperature, throttled, versions
from table.doctor.sight import calibration, camera, exposure
from table.doctor.voice import voice
from table.store.database import GameDatabase, Row
from vision.domain import Image
from vision.images import read_image
from vision.opencv import cv2
from vision.sources import ClipSource

DEMO = Path(__file__).parents[2] / "table" / "demo"
EMPTY, TABLE = DEMO / "empty.jpg", DEMO / "table.json"
Usage = namedtuple("Usage", "total used free")


def health(findings: list[Finding]) -> list[tuple[str, Health]]:
    return [(each.what, each.health) for each in findings]


def test_a_table_in_order_has_no_fault(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = ["doctor", "--camera", str(DEMO / "demo.mp4"), "--table", str(TABLE), "--voice", "off", "--json"]
    words += ["--games", str(tmp_path / "games.sqlite")]
    assert main(words) == 0
    found = {each["what"]: each for each in map(json.loads, capsys.readouterr().out.splitlines())}
    assert {
        "versions",
        "camera",
        "frame rate",
        "calibration",
        "view",
        "judging",
        "voice",
        "games",
        "disk",
    } <= found.keys()
    assert {found[what]["health"] for what in ("camera", "calibration", "view", "voice")} == {"good"}
    assert "1280x720" in found["camera"]["found"]


def test_a_camera_that_is_not_there_is_a_fault_and_the_rest_is_still_looked_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor", "--camera", str(tmp_path / "none.mp4"), "--voice", "off"]) == 1
    told = capsys.readouterr().out
    assert "FAULT   camera" in told
    assert "-> plug it in" in told
    assert "ok      judging" in told


def shifted(image: Image, pixels: int) -> Image:
    return np.roll(image, pixels, axis=1)


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        (read_image(EMPTY), Health.GOOD),
        (shifted(read_image(EMPTY), 40), Health.FAULT),
        ((read_image(EMPTY) * 0.2).astype(np.uint8), Health.FAULT),
        (cv2.resize(read_image(EMPTY), None, fx=0.5, fy=0.5), Health.FAULT),
    ],
    ids=["as calibrated", "moved", "dark", "another camera"],
)
def test_a_view_that_is_not_the_calibrated_one_is_a_fault(seen: Image, expected: Health) -> None:
    findings = list(calibration(TABLE, seen))
    assert health(findings) == [("calibration", Health.GOOD), ("view", expected)]
    assert bool(findings[1].remedy) is (expected is Health.FAULT)


def test_dice_of_another_size_than_the_calibrated_one_are_a_fault(tmp_path: Path) -> None:
    record = json.loads(TABLE.read_text())
    (tmp_path / "table.json").write_text(json.dumps({**record, "die_mm": 0.8 * record["die_mm"]}))
    shutil.copy(EMPTY, tmp_path / "empty.jpg")
    *_, last = ClipSource(DEMO / "demo.mp4").frames()
    found = {each.what: each for each in calibration(tmp_path / "table.json", last.image_bgr)}
    assert found["dice"].health is Health.FAULT
    assert "mm large" in found["dice"].found
    assert "dice" not in {each.what for each in calibration(TABLE, last.image_bgr)}


def test_what_a_calibration_lacks_is_told(tmp_path: Path) -> None:
    (tmp_path / "table.json").write_text('{"area_px": [[0, 0], [99, 0], [99, 99], [0, 99]]}')
    (found,) = calibration(tmp_path / "table.json", None)
    assert found.health is Health.WARNING
    assert "no camera and floor, no size of the dice, no picture of the empty tray" in found.found


def test_no_calibration_and_a_broken_one_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "broken.json").write_text("{")
    assert health(list(calibration(None, None))) == [("calibration", Health.WARNING)]
    assert health(list(calibration(tmp_path / "broken.json", None))) == [("calibration", Health.FAULT)]


def test_a_slow_camera_is_a_warning() -> None:
    hours = iter(range(0, 10**6, 3600))
    findings, picture = camera(str(DEMO / "demo.mp4"), clock=lambda: float(next(hours)))
    assert picture is not None
    assert health(findings) == [("camera", Health.GOOD), ("frame rate", Health.WARNING)]  # one frame in all


@pytest.mark.parametrize(
    ("spec", "brightness", "expected", "words"),
    [
        ("pi", [100.0, 100.4, 99.8], Health.GOOD, "locked"),
        ("usb:0", [100.0, 104.0], Health.GOOD, "steady"),
        ("usb:0", [100.0, 125.0, 110.0], Health.WARNING, "changed by 25%"),
        ("usb:0", [0.0, 0.0], Health.GOOD, "steady"),
    ],
)
def test_exposure_is_watched(spec: str, brightness: list[float], expected: Health, words: str) -> None:
    found = exposure(spec, brightness)
    assert found.health is expected
    assert words in found.found
    assert bool(found.remedy) is (expected is Health.WARNING)


@pytest.mark.parametrize(
    ("said", "expected", "words"),
    [
        ("throttled=0x0\n", Health.GOOD, "none"),
        ("throttled=0x1", Health.FAULT, "too low a voltage now"),
        ("throttled=0x50005", Health.FAULT, "throttled now"),
        ("throttled=0x50000", Health.WARNING, "too low a voltage, throttling"),
        ("VCHI initialization failed", Health.WARNING, "VCHI"),
    ],
)
def test_throttling_is_read_bit_by_bit(said: str, expected: Health, words: str) -> None:
    found = throttled(said)
    assert found.health is expected
    assert words in found.found


@pytest.mark.parametrize(
    ("degrees", "expected"), [(45, Health.GOOD), (78, Health.WARNING), (86, Health.FAULT)]
)
def test_the_hottest_part_counts(degrees: int, expected: Health, tmp_path: Path) -> None:
    for zone, value in enumerate((f"{degrees * 1000}\n", "31000\n", "asleep")):
        (tmp_path / f"thermal_zone{zone}").mkdir()
        (tmp_path / f"thermal_zone{zone}" / "temp").write_text(value)
    (found,) = temperature(tmp_path)
    assert (found.health, found.found) == (expected, f"{degrees} degrees")


def test_where_no_heat_is_measured_nothing_is_said(tmp_path: Path) -> None:
    assert not list(temperature(tmp_path))


@pytest.mark.parametrize(
    ("free", "expected"), [(9 * 10**9, Health.GOOD), (10**8, Health.WARNING), (10**6, Health.FAULT)]
)
def test_room_on_the_disk(
    free: int, expected: Health, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Path] = []

    def usage(path: Path) -> Usage:
        asked.append(path)
        return Usage(10**10, 10**10 - free, free)

    monkeypatch.setattr(shutil, "disk_usage", usage)
    (found,) = disk(tmp_path / "not" / "yet")
    assert found.health is expected
    assert asked == [tmp_path]


def test_a_voice_that_cannot_speak_is_a_warning_as_the_table_plays_on() -> None:
    (found,) = voice("flute", Language.DANISH)
    assert found.health is Health.WARNING
    assert "accepted" in found.found
    assert list(voice("off", Language.DANISH)) == [Finding("voice", Health.GOOD, "off")]


def test_versions_name_what_runs() -> None:
    *_, last = versions()
    assert last.health is Health.GOOD
    assert f"numpy {np.__version__}" in last.found


def test_versions_name_the_machine(tmp_path: Path) -> None:
    model = tmp_path / "model"
    model.write_bytes(b"Raspberry Pi 5 Model B Rev 1.0\0")
    assert "Raspberry Pi 5 Model B Rev 1.0 with" in list(versions(model))[-1].found
    assert " with " in list(versions(tmp_path / "none"))[-1].found


def test_the_file_of_games(tmp_path: Path) -> None:
    path = tmp_path / "not" / "yet" / "games.sqlite"
    (found,) = games(path)
    assert (found.health, path.parent.exists()) == (Health.GOOD, False)
    database = GameDatabase(path)
    database.write([Row("now", "{}", begins=True)], None)
    (found,) = games(path)
    assert (found.health, "in use" in found.found) == (Health.GOOD, True)
    database.close()
    (found,) = games(path)
    assert found.found.startswith("1 kept in")
    path.write_text("no games " * 999)
    (found,) = games(path)
    assert (found.health, "no file of games" in found.found) == (Health.FAULT, True)
