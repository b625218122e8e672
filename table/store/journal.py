"""Writes down every change of a game before it is shown, and finds the game to go on with.

A disk that cannot be written does not stop the game: what waits to be written stays in memory, in order, and
is written as soon as that works again. Until then `fault` says what is wrong.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime

from scoring.game import Game, start_of
from table.errors import StoredGameError, StoreError, StoreRefusedError
from table.events import THROW_SETTLED, UNFIT_VIEWS, TableEvent
from table.state import TableState
from table.store.database import GameDatabase, PlayedGame, Row, StoredGame, copy_of
from table.store.records import change_text, read_game, read_start, read_verdict, stands, start_text
from vision.domain import Verdict

RETRY_S = 2.0  # how often a disk that failed is tried again while nothing happens


@dataclass(frozen=True, slots=True)
class Found:
    """What the file says at the start.

    `state`: of the game to go on with, None where there is none; `begun`: when it was, UTC, ISO 8601; `seen`:
    the latest throw that the camera saw, of whatever game, for the throw watch; `latest`: the latest game of
    those looked for as it began, whether it goes on or not.
    """

    state: TableState | None = None
    begun: str = ""
    seen: Verdict | None = None
    latest: Game | None = None


class Journal:
    """Call `resume`, give `keep` to the loop, call `retry` now and then, and `close` in the end.

    `complain` is told once when the disk fails, and when it works again. `clock`: seconds, for trying again.
    """

    def __init__(
        self,
        database: GameDatabase,
        complain: Callable[[object], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.path = database.path
        self._database, self._complain, self._clock = database, complain, clock
        self._lock = threading.Lock()
        self._start: Game | None = None  # of the game that is kept now
        self._game: int | None = None  # its number in the file, once it has one
        self._waiting: list[Row] = []
        self._tried_s = 0.0
        self.fault: str | None = None  # why what is shown is not on the disk
        self.resumed = False  # a stored game goes on

    def resume(self, game: Game | None = None, *, anew: bool = False, number: int | None = None) -> Found:
        """Find the game played last, if it is not over; the journal goes on with it.

        Only one of the rules and players of `game` is looked for, if that is given, or the one of that
        `number`. `anew`: none is wanted.
        Raises StoreRefusedError when the file must not be used. One that cannot be written is read all the
        same; a game that cannot be gone on with stays stored, and is complained of.
        """
        try:
            return self._find(self._database, game, number, anew=anew)
        except StoreRefusedError:
            raise
        except StoreError as error:
            self._fail(error)
        try:
            with copy_of(self._database.path) as copy:
                return self._find(copy, game, number, anew=anew)
        except StoreError:
            return Found()

    def keep(self, before: TableState, after: TableState, events: Iterable[TableEvent]) -> None:
        """Write the change from `before` to `after`, told as `events`; never raises for the disk's sake."""
        told = tuple(events)
        if not told and stands(before) == stands(after):
            return
        with self._lock:
            begins = self._start is None or before.games != after.games
            change = Row(_now(), change_text(before.game.log, after, told))
            self._waiting += self._first_rows(after, told) if begins else [change]
            self._write()

    def _first_rows(self, after: TableState, told: tuple[TableEvent, ...]) -> list[Row]:
        """Return what is to be written of a game that begins, or goes on where it was left."""
        self._start = start_of(after.game)
        if after.kept_as is not None:
            return [Row(_now(), change_text(after.game.log, after, told), of=after.kept_as)]
        first = change_text((), after, told)
        return [Row(_now(), start_text(after.game), begins=True), Row(_now(), first)]

    @property
    def number(self) -> int | None:
        """The number in the file of the game that is played, None before it has one."""
        return self._game

    def retry(self) -> None:
        """Try the disk again now and then, if something waits for it."""
        if self._waiting and self._clock() - self._tried_s >= RETRY_S:
            with self._lock:
                self._write()

    @contextmanager
    def reading(self) -> Iterator[GameDatabase]:
        """Lend the file to read from, as briefly as can be: what is to be written waits meanwhile."""
        with self._lock:
            yield self._database

    def close(self) -> None:
        """Write what waits, or complain that it is lost, and give the file free."""
        with self._lock:
            if self._waiting:
                self._write()
            if self._waiting:
                self._complain(f"{len(self._waiting)} changes of the game are lost: {self.fault}")
            try:
                self._database.close()
            except StoreError as error:
                self._complain(f"{self._database.path}: {error}")

    def players(self) -> tuple[str, ...]:
        """Return all names that a game was played with, those of the latest first; none from a bad disk."""
        names: dict[str, None] = {}
        for played in self._played():
            with suppress(StoredGameError):
                names.update(dict.fromkeys(read_start(played.start).players))
        return tuple(names)

    def _played(self) -> list[PlayedGame]:
        with self._lock, suppress(StoreError):
            return self._database.played()
        return []

    def _find(self, database: GameDatabase, game: Game | None, number: int | None, *, anew: bool) -> Found:
        telling = database.latest_telling(THROW_SETTLED)
        seen = None if telling is None else read_verdict(telling)
        stored_games = [each for each in database.games() if number in (None, each.number)]
        found = self._latest_like(game, stored_games)
        if found is None:
            return Found(seen=seen)
        stored, start = found
        over = Found(seen=seen, latest=start)
        if anew:
            return over
        try:
            state = read_game(start, database.changes(stored.number))
        except StoredGameError as error:
            self._cannot_go_on(stored, error)
            return over
        if state.game.over:
            return over
        self._start, self._game, self.resumed = start, stored.number, not state.as_it_began
        unfit = state.wait is not None and state.wait.kind in UNFIT_VIEWS  # the throw is to be seen anew
        return Found(state, stored.begun, None if unfit else seen, start)

    def _latest_like(
        self, game: Game | None, stored_games: Iterable[StoredGame]
    ) -> tuple[StoredGame, Game] | None:
        for stored in stored_games:
            try:
                start = read_start(stored.start)
            except StoredGameError as error:
                self._cannot_go_on(stored, error)
            else:
                if game is None or (start.ruleset, start.players) == (game.ruleset, game.players):
                    return stored, start
        return None

    def _cannot_go_on(self, stored: StoredGame, error: StoredGameError) -> None:
        self._complain(f"{self._database.path}: the game begun at {stored.begun}: {error}; it stays stored")

    def _write(self) -> None:
        self._tried_s = self._clock()
        try:
            self._game = self._database.write(self._waiting, self._game)
        except StoreError as error:
            self._fail(error)
            return
        self._waiting.clear()
        if self.fault is not None:
            self.fault = None
            self._complain(f"{self._database.path}: the tally is written to disk again, nothing is lost")

    def _fail(self, error: StoreError) -> None:
        if self.fault is None:
            found = f"{self._database.path}: the tally cannot be written to disk ({error})"
            self._complain(f"{found}; it goes on in memory, and is written once that works again")
        self.fault = str(error)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
