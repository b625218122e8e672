"""What makes a Raspberry Pi a table, on a make-believe one: nothing here runs a command of the system."""

from __future__ import annotations

import argparse
import http.server
import os
import shlex
import shutil
import subprocess
import threading
import time
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from hypothesis import given
from hypothesis import strategies as st

from deploy import install_pi
from deploy.install_pi import BEGIN, GROUPS, PACKAGES, Action, Machine, Remove, Write, main, steps
from table.commands import play

ROOT = Path(__file__).parents[2]
PATIENCE_S = 20.0  # of a test that fails; none waits so long otherwise


@pytest.fixture
def pi(tmp_path: Path) -> Machine:
    """A fresh Raspberry Pi with a checkout."""
    checkout, home, linger = tmp_path / "titusind", tmp_path / "home", tmp_path / "linger"
    shutil.copytree(ROOT / "deploy", checkout / "deploy", ignore=shutil.ignore_patterns("__pycache__"))
    for folder in (home, linger):
        folder.mkdir()
    model = tmp_path / "model"
    model.write_bytes(b"Raspberry Pi 5 Model B Rev 1.0\0")
    return Machine(
        home, "ada", frozenset({"ada", "audio"}), lambda name: name == "labwc", checkout, model, linger
    )


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch, pi: Machine) -> list[str]:
    """What was run of the system's commands: none is, but what they would leave is there."""
    commands: list[str] = []

    def run(command: tuple[str, ...], **_: object) -> subprocess.CompletedProcess[str]:
        commands.append(shlex.join(command))
        if command[0] == "make":
            (pi.checkout / ".venv").mkdir(exist_ok=True)
            (pi.checkout / ".venv" / "pyvenv.cfg").write_text("include-system-site-packages = true\n")
        if "enable-linger" in command:
            (pi.linger / pi.user).touch()
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(install_pi.subprocess, "run", run)
    return commands


def contents(folder: Path) -> dict[Path, tuple[int, str]]:
    return {path: (path.stat().st_mode, path.read_text()) for path in folder.rglob("*") if path.is_file()}


def actions(machine: Machine) -> list[Action]:
    return [action for step in steps(machine) for action in step.actions]


def test_a_dry_run_says_all_and_changes_nothing(
    pi: Machine, ran: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    before = contents(pi.home.parent)
    assert main(["--dry-run"], pi) == 0
    assert (contents(pi.home.parent), ran) == (before, [])
    told = capsys.readouterr().out
    missing = [package for package in PACKAGES if package != "labwc"]
    for words in (
        "install -y " + " ".join(missing),
        "-aG video,render ada",
        "titusind.service",
        "Nothing was changed",
    ):
        assert words in told


def test_a_second_run_writes_nothing_and_no_service_is_disturbed(pi: Machine, ran: list[str]) -> None:
    assert main([], pi) == 0
    assert "systemctl --user restart --no-block titusind" in ran
    after = contents(pi.home)
    ran.clear()
    assert main([], pi) == 0
    assert contents(pi.home) == after
    assert not [command for command in ran if "systemctl" in command or "loginctl" in command]


def test_what_a_person_has_set_stays(pi: Machine, ran: list[str]) -> None:
    settings = pi.config / "titusind" / "play.env"
    settings.parent.mkdir(parents=True)
    settings.write_text("TITUSIND_ARGS=--camera usb:0\n")
    assert main([], pi) == 0
    assert settings.read_text() == "TITUSIND_ARGS=--camera usb:0\n"


def test_settings_into_which_a_password_may_come_are_for_their_owner_alone(
    pi: Machine, ran: list[str]
) -> None:
    main([], pi)
    assert (pi.config / "titusind" / "play.env").stat().st_mode & 0o777 == 0o600


@given(st.lists(st.text(st.characters(exclude_categories=("Cs", "Cc"))), max_size=5), st.booleans())
def test_lines_of_a_person_in_the_autostart_stay_and_ours_are_there_once(
    lines: list[str], ends: bool
) -> None:
    before = "\n".join(lines) + ("\n" if ends else "")
    once = install_pi.with_block(before, "kiosk &\n")
    assert once.startswith(before)
    assert once.count(BEGIN) == 1 + before.count(BEGIN)
    assert install_pi.with_block(once, "kiosk &\n") == once
    moved = install_pi.with_block(once + "later &\n", "elsewhere &\n")
    assert "kiosk &\n" not in moved.removeprefix(before)
    assert moved.endswith("later &\n")


def test_a_venv_that_does_not_see_the_camera_is_made_anew(pi: Machine) -> None:
    venv = pi.checkout / ".venv"
    venv.mkdir()
    (venv / "pyvenv.cfg").write_text("include-system-site-packages = false\n")
    assert Remove(venv) in actions(pi)
    (venv / "pyvenv.cfg").write_text("include-system-site-packages = true\n")
    assert Remove(venv) not in actions(pi)


def test_a_pi_with_all_it_needs_is_left_as_it_is(pi: Machine, ran: list[str]) -> None:
    main([], pi)
    whole = Machine(pi.home, pi.user, frozenset(GROUPS), lambda _: True, pi.checkout, pi.model, pi.linger)
    left = {step.what: step.actions for step in steps(whole) if step.actions}
    assert left.keys() == {"titusind in .venv", "desktop without a password, screen always on"}
    assert not [action for step in left.values() for action in step if isinstance(action, Write | Remove)]


def test_a_step_that_fails_ends_it_in_one_line(
    pi: Machine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    failed = subprocess.CompletedProcess((), 100)
    monkeypatch.setattr(install_pi.subprocess, "run", lambda *_, **__: failed)
    assert main([], pi) == 1
    assert capsys.readouterr().err == "install-pi: failed: run sudo apt-get update\n"
    assert not contents(pi.home)


@pytest.mark.parametrize(("model", "user"), [(b"Some PC\0", "ada"), (b"Raspberry Pi 5\0", "root")])
def test_another_machine_or_root_is_refused(
    pi: Machine, ran: list[str], model: bytes, user: str, capsys: pytest.CaptureFixture[str]
) -> None:
    pi.model.write_bytes(model)
    other = Machine(pi.home, user, pi.groups, pi.installed, pi.checkout, pi.model, pi.linger)
    assert main([], other) == 2
    assert "accepted is" in capsys.readouterr().err
    assert (ran, contents(pi.home)) == ([], {})


def test_the_options_it_starts_with_are_options_of_play() -> None:
    lines = (ROOT / "deploy" / "play.env").read_text().splitlines()
    (words,) = [line.removeprefix("TITUSIND_ARGS=") for line in lines if line.startswith("TITUSIND_ARGS=")]
    parser = argparse.ArgumentParser()
    play.configure(parser)
    assert parser.parse_args(words.split()).camera == "pi"


def test_the_guide_names_what_the_page_says() -> None:
    rows = (ROOT / "docs" / "raspberry-pi.md").read_text().split("| page |")[1].split("\n\n")[0].splitlines()
    said = [row.strip("| ").split(" | ")[0] for row in rows]
    with (ROOT / "table" / "locales" / "table.pot").open("rb") as file:
        lines = [str(message.id) for message in read_po(file)]
    assert len(said) > 5
    assert [words for words in said if not any(line.startswith(words) for line in lines)] == []


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd-analyze here")
def test_systemd_finds_no_fault_with_the_service(pi: Machine, ran: list[str]) -> None:
    program = pi.checkout / ".venv" / "bin" / "titusind"
    program.parent.mkdir(parents=True)
    program.touch(0o755)
    assert main([], pi) == 0
    asked = subprocess.Popen(
        ["systemd-analyze", "verify", "--user", pi.config / "systemd" / "user" / "titusind.service"],
        env={**os.environ, "XDG_RUNTIME_DIR": str(pi.home)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    said, _ = asked.communicate(timeout=PATIENCE_S)
    assert (said, asked.returncode) == ("", 0)


def test_the_kiosk_waits_for_the_page_and_starts_chromium_again(tmp_path: Path) -> None:
    log, chromium = tmp_path / "log", tmp_path / "bin" / "chromium"
    chromium.parent.mkdir()
    chromium.write_text(f'#!/bin/sh\necho "$@" >> {shlex.quote(str(log))}\n')
    chromium.chmod(0o755)
    server = http.server.HTTPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler)
    url = f"http://127.0.0.1:{server.server_port}/"
    kiosk = subprocess.Popen(
        [ROOT / "deploy" / "kiosk.sh", url],
        env={**os.environ, "PATH": f"{chromium.parent}:{os.environ['PATH']}", "HOME": str(tmp_path)},
        stderr=subprocess.DEVNULL,
    )
    try:
        assert not log.exists()
        threading.Thread(target=server.serve_forever, daemon=True).start()
        until = time.monotonic() + PATIENCE_S
        while not log.exists() or len(log.read_text().splitlines()) < 2:
            assert time.monotonic() < until
            time.sleep(0.05)
        assert all(line.endswith(url) and "--kiosk" in line for line in log.read_text().splitlines())
    finally:
        kiosk.kill()
        kiosk.wait(PATIENCE_S)
        server.shutdown()
        server.server_close()
