"""Compares the events of a replay with those expected."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from table.output import json_line
from table.touches import read_records

Record = Mapping[str, object]


def read_expectation(path: Path) -> list[Record]:
    """Return the expected events in `path`, JSON Lines; raises EventFileError if it cannot be used."""
    return [record for _, record in read_records(path)]


def differences(expected: Sequence[Record], happened: Sequence[Record], name: str) -> list[str]:
    """Return the lines of a unified diff between the two; empty when all is as expected.

    An expected event may leave fields out: what it does not name is not compared.
    """
    plain = [json.loads(json_line(record)) for record in happened]  # tuples become lists, as in the file
    wanted = [json_line(record) for record in expected]
    got = list(map(json_line, _narrowed(expected, plain)))
    return [
        line.rstrip("\n") for line in difflib.unified_diff(wanted, got, fromfile=name, tofile="replay", n=1)
    ]


def _narrowed(expected: Sequence[Record], happened: Sequence[Record]) -> Iterator[Record]:
    """Yield what happened, with only the fields, and in the order, that the matching expected event names."""
    names = [[str(record.get("event")) for record in records] for records in (expected, happened)]
    matcher = difflib.SequenceMatcher(a=names[0], b=names[1], autojunk=False)
    for _, start, stop, begin, end in matcher.get_opcodes():
        for place in range(begin, end):
            model = start + place - begin
            yield _only(happened[place], expected[model] if model < stop else happened[place])


def _only(record: Record, model: Record) -> Record:
    return {key: record[key] for key in model if key in record}
