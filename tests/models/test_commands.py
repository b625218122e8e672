"""The commands that train and export: what is wrong with how they are called is one line."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def run(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.skipif(find_spec("torch") is not None, reason="PyTorch is installed")
@pytest.mark.parametrize(
    "command",
    [
        *("train", "train_pose", "train_detector", "export", "export_pose", "export_detector"),
        *("calibrate", "runtime_speed"),
    ],
)
def test_without_pytorch_a_line_says_what_to_install(command: str) -> None:
    done = run(f"models.{command}")
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "pip install -e '.[train]'" in done.stderr


@pytest.mark.parametrize("command", ["reliability", "geometry"])
def test_a_folder_that_is_not_there_is_a_line(command: str, tmp_path: Path) -> None:
    done = run(f"models.{command}", str(tmp_path / "gone"))
    assert done.returncode == 2
    assert "gone': no such folder" in done.stderr.splitlines()[-1]


def test_a_folder_without_labels_is_a_line(tmp_path: Path) -> None:
    done = run("models.geometry", str(tmp_path))
    assert done.returncode == 2
    assert "no such labels" in done.stderr.splitlines()[-1]
