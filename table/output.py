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
    line = " ".join(str(message).splitlines())
    if sys.stderr is not None:  # closed by the shell; print would write to standard output instead
        print(f"titusind: {_shortened(line)}", file=sys.stderr)


def _shortened(line: str) -> str:
    """Return `line` without the middle of what somebody may have pasted into a command."""
    return (
        line if len(line) <= LONGEST_LINE else f"{line[: LONGEST_LINE // 2]} ... {line[-LONGEST_LINE // 2 :]}"
    )
