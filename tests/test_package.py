"""Builds the wheel, installs it elsewhere and runs the program from another folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

from vision.opencv import cv2

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    built = subprocess.run(command, check=False, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    (path,) = folder.glob("titusind-*.whl")
    return path


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel's contents alone; its dependencies come from the running interpreter."""
    folder = tmp_path_factory.mktemp("installed")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run([*command, "--target", str(folder), str(wheel)], check=True)
    return folder


def run(installed: Path, elsewhere: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(installed / "bin" / "titusind"), *words],
        check=False,
        capture_output=True,
        text=True,
        cwd=elsewhere,
        env={"PYTHONPATH": str(installed), "PATH": ""},
    )


def test_the_wheel_installs_three_packages_and_no_other(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names if ".dist-info/" not in name}
    assert tops == {"vision", "scoring", "table"}
    assert not [name for name in names if "__pycache__" in name]


@pytest.mark.parametrize(
    "inside",
    [
        "scoring/presets/danish.toml",
        "scoring/tables/danish_two_players.u16",
        "scoring/locales/da/LC_MESSAGES/scoring.mo",
        "table/locales/fi/LC_MESSAGES/table.mo",
        "table/demo/demo.mp4",
        "licenses/LICENSE",
    ],
)
def test_what_the_program_reads_is_in_the_wheel(wheel: Path, inside: str) -> None:
    assert [name for name in zipfile.ZipFile(wheel).namelist() if name.endswith(inside)]


def test_it_is_the_installed_program_that_runs(installed: Path, tmp_path: Path) -> None:
    code = "import table.cli; print(table.cli.__file__)"
    said = subprocess.run(
        [sys.executable, "-c", code],
        check=True,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={"PYTHONPATH": str(installed)},
    )
    assert Path(said.stdout.strip()).is_relative_to(installed)


def test_the_installed_program_scores_from_another_folder(installed: Path, tmp_path: Path) -> None:
    done = run(installed, tmp_path, "score", "115326", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["best"] == 250  # two 1s and a 5


def test_the_installed_program_knows_its_rule_sets(installed: Path, tmp_path: Path) -> None:
    done = run(installed, tmp_path, "rules")
    assert done.returncode == 0, done.stderr
    assert {"danish", "norwegian", "finnish"} <= set(done.stdout.split())


def test_the_installed_program_judges_a_picture(installed: Path, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "grey.png"), np.full((240, 320, 3), 120, np.uint8))
    done = run(installed, tmp_path, "judge", "grey.png", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["dice"] == []


def test_nothing_is_written_into_the_home_folder_and_no_events_are_sent(tmp_path: Path) -> None:
    """ONNX Runtime would do both if it were not told otherwise; with `HOME` elsewhere the first is seen."""
    code = "from vision.inference import shipped; shipped('reader.onnx')"
    environment = {**os.environ, "HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    environment.pop("ORT_DISABLE_TELEMETRY", None)
    subprocess.run([sys.executable, "-c", code], env=environment, cwd=ROOT, check=True)
    assert [*tmp_path.rglob("*")] == []
