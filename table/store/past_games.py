"""The games that are kept, read back to be looked at: while the table plays, and without it."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from scoring.game import Game
from table.errors import StoredGameError, StoreError
from table.store.database import GameDatabase, PlayedGame, copy_of
from table.store.records import read_start, read_throws

Reading: TypeAlias = Callable[[], AbstractContextManager[GameDatabase]]

MOST_READ = 32  # games held in memory


@dataclass(frozen=True, slots=True)
class PastGame:
    """A game that is kept, `number` in the file, as it stood at `until`; times are UTC, ISO 8601.

    `seen`: the referee's verdict on each throw that the camera saw, by the place in the game's log of what
    says how it fell.
    """

    number: int
    begun: str
    until: str
    game: Game
    seen: Mapping[int, Mapping[str, Any]]


class PastGames:
    """Reads games by `reading`, which lends the file. What cannot be done raises StoreError."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._lock = threading.Lock()
        self._read: OrderedDict[PlayedGame, PastGame] = OrderedDict()

    def played(self) -> list[PlayedGame]:
        """Return the games in which anything happened, the latest first."""
        with self._reading() as database:
            return database.played()

    def game(self, stored: PlayedGame) -> PastGame:
        """Return one of `played`, as it stood then; raises StoredGameError when it cannot be read."""
        with self._lock:
            if stored in self._read:
                self._read.move_to_end(stored)
                return self._read[stored]
        with self._reading() as database:
            changes = database.changes(stored.number, stored.latest)
        game, seen = read_throws(read_start(stored.start), changes)
        past = PastGame(stored.number, stored.begun, stored.until, game, seen)
        self._remember(stored, past)
        return past

    def numbered(self, number: int) -> PastGame:
        """Return the game of that number; raises StoredGameError where there is none, or none to be read."""
        found = next((each for each in self.played() if each.number == number), None)
        if found is None:
            raise StoredGameError(f"found no game {number}")
        return self.game(found)

    def _remember(self, stored: PlayedGame, past: PastGame) -> None:
        with self._lock:
            self._read[stored] = past
            while len(self._read) > MOST_READ:
                self._read.popitem(last=False)


@contextmanager
def past_games_in(path: Path) -> Iterator[PastGames]:
    """Give the games in the file at `path`, of a copy: a table may write to it. Raises StoreError."""
    if not path.is_file():
        raise StoreError(f"{path}: found no file; accepted is one that titusind keeps games in")
    with copy_of(path) as copy:

        @contextmanager
        def reading() -> Iterator[GameDatabase]:
            yield copy

        yield PastGames(reading)
