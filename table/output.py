"""How commands print: JSON Lines on standard output, complaints as one line on standard error."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Mapping, Sequence

LONGEST_LINE = 1000  # of a complaint


def json_line(record: Mapping[str, object]) -> str:
    """Return `record` as one line of JSON with its line end."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"), allow_nan=False) + "\n"


def print_json_line(record: Mapping[str, object]) -> None:
    """Print `record` as one line of UTF-8 JSON on standard output."""
    sys.stdout.write(json_line(record))


def in_columns(rows: Sequence[Sequence[str]], align: str) -> list[str]:
    """Return `rows` as lines of equal columns; `align` has `<` or `>` for each, to the left or right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    cells = (
        [f"{cell:{way}{width}}" for cell, way, width in zip(row, align, widths, strict=True)] for row in rows
    )
    return ["  ".join(row).rstrip() for row in cells]


def write_utf8() -> None:
    """Print UTF-8 whatever the locale; bytes of a file name that are no text as JSON spells them, \\udcff."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")


def complain(message: object) -> None:
    """Print one line on standard error, naming the program."""
    print_error(complaint(message))


def complaint(message: object) -> str:
    """Return the line that complains of `message`."""
    return f"titusind: {_shortened(' '.join(str(message).splitlines()))}"


def print_error(text: str) -> None:
    """Print `text` on standard error, if there is one."""
    if sys.stderr is not None:  # closed by the shell; print would write to standard output instead
        print(text, file=sys.stderr)


class Printout:
    """What a piece of work prints: at once, or kept so that it can be printed when its turn has come."""

    def __init__(self, *, at_once: bool) -> None:
        self._at_once = at_once
        self._kept: list[tuple[bool, str]] = []  # whether it is an error, and the text

    def line(self, text: str) -> None:
        """Print a line on standard output."""
        self._say(text, is_error=False)

    def json_line(self, record: Mapping[str, object]) -> None:
        """Print `record` as one line of JSON on standard output."""
        self._say(json_line(record).removesuffix("\n"), is_error=False)

    def error(self, text: str) -> None:
        """Print lines on standard error."""
        self._say(text, is_error=True)

    def complain(self, message: object) -> None:
        """Print one line on standard error, naming the program."""
        self.error(complaint(message))

    def print_kept(self) -> None:
        """Print what was kept, in order."""
        for is_error, text in self._kept:
            _print(text, is_error=is_error)

    def _say(self, text: str, *, is_error: bool) -> None:
        if self._at_once:
            _print(text, is_error=is_error)
        else:
            self._kept.append((is_error, text))


def _print(text: str, *, is_error: bool) -> None:
    if is_error:
        print_error(text)
    else:
        print(text, flush=True)


def _in_words(message: object) -> str:
    """What the system objects to, as `FILE: why` instead of with its number."""
    if isinstance(message, OSError) and message.filename is not None and message.strerror:
        return f"{message.filename}: {message.strerror}"
    return str(message)


def _shortened(line: str) -> str:
    """Return `line` without the middle of what somebody may have pasted into a command."""
    return (
        line if len(line) <= LONGEST_LINE else f"{line[: LONGEST_LINE // 2]} ... {line[-LONGEST_LINE // 2 :]}"
    )
