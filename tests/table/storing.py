"""A table whose game is kept in a file, opened again it goes on; and what such a file holds."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from pathlib import Path
from typing import Any

from benchmarks.survival import first_game
from scoring.actions import PutAside
from table.events import TableEvent
from table.loop import TableLoop
from table.store import database
from table.store.database import GameDatabase
from table.store.journal import Journal
from table.throw_watch import ThrowWatch
from table.touches import EnterThrow, Play
from tests.table.staging import Dice, Hand, Still, frames, staged_judge


class Table:
    """A table of which a journal is kept; opened again it goes on."""

    def __init__(
        self, path: Path, connect: database.Connect = sqlite3.connect, *, anew: bool = False
    ) -> None:
        self.complaints: list[str] = []
        self.now_s = 0.0
        self.journal = Journal(
            GameDatabase(path, connect), lambda line: self.complaints.append(str(line)), lambda: self.now_s
        )
        self.found = self.journal.resume(first_game(), anew=anew)
        watch = ThrowWatch(judge=staged_judge, seen=self.found.seen)
        self.loop = TableLoop(self.found.state or first_game(), watch, keep=self.journal.keep)
        self.told = [*self.loop.begin()]

    def throw(self, thrown: Dice) -> list[TableEvent]:
        return self.show(Still({}), Hand({}), Still(thrown))

    def show(self, *acts: Still | Hand) -> list[TableEvent]:
        return [event for frame in frames(*acts) for event in self.loop.step(frame)]

    def turn(self) -> None:
        """Two throws by hand and a banking: 4 changes."""
        self.loop.touch(EnterThrow((1, 1, 5, 3, 2, 6)))
        self.loop.touch(Play(PutAside((1, 1, 5))))
        self.loop.touch(EnterThrow((1, 2, 3)))
        self.loop.touch(Play(PutAside((1,))))

    def turn_again(self) -> None:
        self.loop.touch(Play(PutAside((1,))))

    def again(self, path: Path) -> Table:
        self.journal.close()
        return Table(path)


def stored(path: Path) -> list[dict[str, Any]]:
    """All changes, read by SQLite alone."""
    with contextlib.closing(sqlite3.connect(path)) as raw:
        return [json.loads(body) for (body,) in raw.execute("SELECT body FROM changes ORDER BY id")]
