"""Makes a Raspberry Pi a table: `make install-pi`, or with ARGS=--dry-run to see what it would do.

It runs with the system's Python, before there is anything else. Each step looks whether there is anything to
do, says so, and does it; a second run writes nothing. What a person may have changed is not overwritten.
"""

from __future__ import annotations

import argparse
import getpass
import grp
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[1]
PACKAGES = ("python3-picamera2", "python3-venv", "espeak-ng", "alsa-utils", "chromium", "labwc")
GROUPS = ("video", "audio", "render")
MODEL = Path("/proc/device-tree/model")
LINGER = Path("/var/lib/systemd/linger")
BEGIN, END = "# titusind: begin", "# titusind: end"
EXIT_DONE, EXIT_FAILED, EXIT_USAGE = 0, 1, 2

Command = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Machine:
    """What is to become a table. `installed` tells whether a Debian package is there."""

    home: Path
    user: str
    groups: frozenset[str]
    installed: Callable[[str], bool]
    checkout: Path = CHECKOUT
    model: Path = MODEL
    linger: Path = LINGER

    @property
    def config(self) -> Path:
        """The folder of a person's settings."""
        return self.home / ".config"


@dataclass(frozen=True, slots=True)
class Write:
    """Write `text` into `path`."""

    path: Path
    text: str
    mode: int = 0o644


@dataclass(frozen=True, slots=True)
class Remove:
    """Remove the folder `path`, which is made anew later."""

    path: Path


Action = Command | Write | Remove


@dataclass(frozen=True, slots=True)
class Step:
    """What is looked after, and what there is to do, nothing if all is well."""

    what: str
    actions: tuple[Action, ...]


def steps(machine: Machine) -> Iterator[Step]:
    """Yield what there is to do, each step looked at once those before are done."""
    missing = [package for package in PACKAGES if not machine.installed(package)]
    yield Step(
        "packages of the system",
        (("sudo", "apt-get", "update"), ("sudo", "apt-get", "install", "-y", *missing)) if missing else (),
    )
    yield Step("titusind in .venv", _program(machine))
    lacking = [group for group in GROUPS if group not in machine.groups]
    yield Step(
        f"groups of {machine.user}",
        (("sudo", "usermod", "-aG", ",".join(lacking), machine.user),) if lacking else (),
    )
    yield Step("settings", _settings(machine))
    yield Step("service", _service(machine))
    yield Step(
        "service from the start of the machine on",
        ()
        if (machine.linger / machine.user).exists()
        else (("sudo", "loginctl", "enable-linger", machine.user),),
    )
    yield Step("page on the whole screen", _kiosk(machine))
    yield Step(
        "desktop without a password, screen always on",
        (
            ("sudo", "raspi-config", "nonint", "do_boot_behaviour", "B4"),
            ("sudo", "raspi-config", "nonint", "do_blanking", "1"),
        ),
    )


def _program(machine: Machine) -> tuple[Action, ...]:
    """Set up .venv; one that does not see the system's packages has no camera, and is made anew."""
    venv = machine.checkout / ".venv"
    settings = venv / "pyvenv.cfg"
    blind = settings.exists() and "include-system-site-packages = true" not in settings.read_text()
    setup = ("make", "-C", str(machine.checkout), "setup")
    return (Remove(venv), setup) if blind else (setup,)


def _settings(machine: Machine) -> tuple[Action, ...]:
    path = machine.config / "titusind" / "play.env"
    text = (machine.checkout / "deploy" / "play.env").read_text()
    return () if path.exists() else (Write(path, text, 0o600),)  # a password may come into it


def _service(machine: Machine) -> tuple[Action, ...]:
    path = machine.config / "systemd" / "user" / "titusind.service"
    text = (machine.checkout / "deploy" / "titusind.service").read_text()
    text = text.replace("@CHECKOUT@", str(machine.checkout))
    if path.exists() and path.read_text() == text:
        return ()
    user = ("systemctl", "--user")
    return (
        Write(path, text),
        (*user, "daemon-reload"),
        (*user, "enable", "titusind"),
        (*user, "restart", "--no-block", "titusind"),  # without a camera it does not come up yet
    )


def _kiosk(machine: Machine) -> tuple[Action, ...]:
    """Put our lines into what the desktop starts; those of a person stay where they are."""
    path = machine.config / "labwc" / "autostart"
    before = path.read_text() if path.exists() else ""
    kiosk = shlex.quote(str(machine.checkout / "deploy" / "kiosk.sh"))
    after = with_block(before, f"{kiosk} &\n")
    return () if after == before else (Write(path, after, 0o755),)


def with_block(text: str, block: str) -> str:
    """Return `text` with `block` between our two marks, in place of what was there."""
    marked = f"{BEGIN}\n{block}{END}\n"
    if BEGIN in text and END in text:
        head, _, rest = text.partition(f"{BEGIN}\n")
        return head + marked + rest.partition(f"{END}\n")[2]
    return text + ("" if not text or text.endswith("\n") else "\n") + marked


def main(words: Sequence[str] | None = None, machine: Machine | None = None) -> int:
    """Do all steps, or say what they would do; 1 when one fails, 2 on a machine that is no Raspberry Pi."""
    parser = argparse.ArgumentParser(description="Makes a Raspberry Pi a table.")
    parser.add_argument("--dry-run", action="store_true", help="say what would be done, and do nothing")
    args = parser.parse_args(words)
    machine = machine or this_machine()
    misfit = _misfit(machine)
    if misfit:
        print(f"install-pi: {misfit}", file=sys.stderr)
        if not args.dry_run:
            return EXIT_USAGE
    for step in steps(machine):
        print(f"{step.what}: {'' if step.actions else 'as it should be'}", flush=True)
        for action in step.actions:
            print(f"    {'would ' if args.dry_run else ''}{_in_words(action)}", flush=True)
            if not args.dry_run and not _done(action):
                print(f"install-pi: failed: {_in_words(action)}", file=sys.stderr)
                return EXIT_FAILED
    print("Start the machine anew once: sudo reboot" if not args.dry_run else "Nothing was changed.")
    return EXIT_DONE


def _misfit(machine: Machine) -> str:
    """Return why this is not done here, empty if it is."""
    model = machine.model.read_text().strip("\0\n") if machine.model.exists() else "another machine"
    if not model.startswith("Raspberry Pi"):
        return f"found {model}; accepted is a Raspberry Pi with its desktop"
    if machine.user == "root":
        return "found root; accepted is the person whose desktop shows the page, without sudo"
    return ""


def this_machine() -> Machine:
    """Return the machine that this runs on, for the person who runs it."""
    groups = frozenset(grp.getgrgid(number).gr_name for number in os.getgroups())
    return Machine(Path.home(), getpass.getuser(), groups, _installed)


def _installed(package: str) -> bool:
    if shutil.which("dpkg-query") is None:
        return False
    asked = ["dpkg-query", "--show", "--showformat=${db:Status-Status}", package]
    return subprocess.run(asked, capture_output=True, text=True, check=False).stdout == "installed"


def _in_words(action: Action) -> str:
    match action:
        case Write(path):
            return f"write {path}"
        case Remove(path):
            return f"remove {path}"
        case _:
            return f"run {shlex.join(action)}"


def _done(action: Action) -> bool:
    match action:
        case Write(path, text, mode):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch(mode)
            path.write_text(text)
            path.chmod(mode)
            return True
        case Remove(path):
            shutil.rmtree(path)
            return True
        case _:
            return subprocess.run(action, check=False).returncode == 0


if __name__ == "__main__":
    raise SystemExit(main())
