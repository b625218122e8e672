"""What C code writes on standard error is caught, and standard error is as before afterwards."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from vision.decoder_messages import MOST_BYTES, caught_messages

ROOT = Path(__file__).parents[2]


def test_lines_are_caught_and_later_ones_go_through(capfd: pytest.CaptureFixture[str]) -> None:
    with caught_messages() as messages:
        os.write(2, b"one\ntwo\n")
    os.write(2, b"three\n")
    with caught_messages() as none:
        pass
    assert (messages, none, capfd.readouterr().err) == (["one", "two"], [], "three\n")


def test_an_error_within_goes_through_and_standard_error_comes_back(
    capfd: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(ZeroDivisionError), caught_messages():
        1 / 0  # noqa: B018
    os.write(2, b"back\n")
    assert capfd.readouterr().err == "back\n"


def test_a_flood_does_not_block() -> None:
    with caught_messages() as messages:
        for _ in range(2 * MOST_BYTES // 64):
            try:
                os.write(2, b"x" * 63 + b"\n")
            except BlockingIOError:
                break
    assert len(messages) >= 16


def test_without_standard_error_there_is_nothing_to_catch() -> None:
    code = (
        "import os; os.close(2); from vision.decoder_messages import caught_messages\n"
        "with caught_messages() as messages: pass\n"
        "print(messages)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True
    )
    assert done.stdout == "[]\n"
