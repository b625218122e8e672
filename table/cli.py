"""The `titusind` program: picks the subcommand and turns errors into one line and an exit code."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from typing import Protocol, cast

from scoring.errors import RulesetError
from table.command_line import EXIT_FAILED, EXIT_USAGE, OneLineParser
from table.output import complain, write_utf8
from vision.errors import VisionError

COMMANDS: dict[str, str] = {
    "judge": "judge pictures: faces, misroll reasons, confidence",
    "replay": "run a clip through the table's own path and print its events",
    "score": "all legal set-asides of a throw",
    "rules": "list the rule sets, or print one as TOML",
    "odds": "bust odds, the table of combinations, and the chance to open",
    "advise": "what to set aside, and whether to bank or throw, by what it is worth",
    "games": "the games that are kept: list them, tell them turn by turn, or write them as JSON or CSV",
    "play": "the table itself: touchscreen page on a camera or a clip",
    "record": "write a clip of what a camera shows, for `replay`",
    "calibrate": "table.json from the printed sheet, the tray's inner size, or six dice; prints the sheet",
    "doctor": "look over camera, calibration, machine and voice, and say what to do",
    "evaluate": "measure accuracy over folders of labelled pictures",
}

EXIT_INTERRUPTED = 130


class Command(Protocol):
    """What a module in `table.commands` offers."""

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Add the command's arguments."""
        ...

    def run(self, args: argparse.Namespace) -> int:
        """Do the work; returns the exit code."""
        ...


def main(argv: Sequence[str] | None = None) -> int:
    """Run `titusind` with `argv` (default: the process's own) and return its exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    write_utf8()
    try:
        code = _run(words)
        sys.stdout.flush()
    except RulesetError as error:
        complain(error)
        return EXIT_USAGE
    except BrokenPipeError:  # the reader has seen enough, as in `titusind ... | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_FAILED
    except (VisionError, OSError) as error:  # an OpenCV that cannot be loaded, a disk that is full
        complain(error)
        return EXIT_FAILED
    except ImportError as error:  # any other library
        complain(f"cannot load {error.name or 'a library'} ({error}): install titusind anew, with pip")
        return EXIT_FAILED
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    return code


def _run(words: list[str]) -> int:
    if sys.stdin is None or sys.stdout is None:  # closed by the shell, as with `>&-`
        raise OSError("found standard input or output closed; accepted: both open, if only on /dev/null")
    parser = OneLineParser(prog="titusind", description="Scores the dice game 10.000 by looking.")
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    wanted = words[0] if words else None
    command: Command | None = None
    for name, summary in COMMANDS.items():
        subparser = subparsers.add_parser(name, help=summary, description=summary)
        if name == wanted:  # only the chosen command is imported: `score` must start without cv2 or NumPy
            command = cast(Command, importlib.import_module(f"table.commands.{name}"))
            command.configure(subparser)
    args = parser.parse_args(words)
    if command is None:
        parser.error("no command given")
    return command.run(args)


if __name__ == "__main__":
    raise SystemExit(main())
