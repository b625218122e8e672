"""The program as a whole: subcommands, wrong usage, and what stops it."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest

from table.cli import COMMANDS, main
from vision.errors import VisionError


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_has_its_help(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main([name, "--help"])
    assert stop.value.code == 0
    assert f"titusind {name}" in capsys.readouterr().out


@pytest.mark.parametrize("words", [[], ["jugde"], ["judge"], ["judge", "--tabel", "x", "a.jpg"]])
def test_wrong_usage_is_one_line_and_exit_code_two(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(words)
    assert stop.value.code == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)


def test_score_starts_without_opencv_or_numpy() -> None:
    code = (
        "import sys; from table.cli import main; main(['score', '115326']); "
        "sys.exit(bool({'cv2', 'numpy'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False, capture_output=True).returncode == 0


@pytest.mark.parametrize("command", ["judge", "replay", "evaluate"])
def test_what_only_calibrating_and_the_page_need_is_not_loaded_to_judge(command: str) -> None:
    code = (
        f"import sys, table.commands.{command}; "
        "sys.exit(bool({'scipy', 'nicegui', 'pydyf', 'segno'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False, capture_output=True).returncode == 0


def test_what_stops_a_command_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(name: str) -> None:
        raise VisionError("OpenCV cannot be loaded")

    monkeypatch.setattr(importlib, "import_module", refuse)
    assert main(["judge", "a.jpg"]) == 1
    assert capsys.readouterr().err == "titusind: OpenCV cannot be loaded\n"


@pytest.mark.parametrize("closed", ["<&-", ">&-"])
def test_a_closed_stream_is_one_line(closed: str) -> None:
    command = f'"{sys.executable}" -m table.cli score --json {closed}'
    done = subprocess.run(command, shell=True, check=False, capture_output=True, text=True, stdin=None)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert "closed; accepted: both open" in done.stderr


def test_a_complaint_does_not_echo_whatever_was_pasted(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["advise", "--score", "9" * 50_000])
    assert len(capsys.readouterr().err) < 1200


def test_a_reader_that_has_seen_enough_gets_no_traceback() -> None:
    program = subprocess.Popen(
        [sys.executable, "-m", "table.cli", "--help"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert program.stdout is not None
    assert program.stderr is not None
    program.stdout.close()
    assert b"Traceback" not in program.stderr.read()
    program.wait()
