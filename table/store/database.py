"""The file that games are kept in: one SQLite database, to which is only ever added.

    games    id, begun (UTC, ISO 8601), start: rules, players and first seat as JSON
    changes  id, game, at (UTC, ISO 8601), body: what was told and what stands since, as JSON

A row of `changes` is one change of the table: the events told of it, and the state after it; see
`table.store.records`. An undo is a change like any other. Triggers refuse to alter or delete a row.

The journal is a write-ahead log that is synced at every commit (WAL, synchronous FULL): what is written
survives a kill and a power cut, and a write is there whole or not at all. The schema's version is
`user_version`, `MIGRATIONS` lead to it one by one, all in one transaction; `application_id` says whose file
it is. The database is locked (locking_mode EXCLUSIVE) for as long as it is open: the lock goes with the
process, however that ends.
"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from table.errors import StoreError, StoreInUseError, StoreRefusedError

Connect: TypeAlias = Callable[..., sqlite3.Connection]

APPLICATION_ID = 0x74695475  # "tiTu"
MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        "CREATE TABLE games (id INTEGER PRIMARY KEY, begun TEXT NOT NULL, start TEXT NOT NULL) STRICT",
        "CREATE TABLE changes (id INTEGER PRIMARY KEY, game INTEGER NOT NULL REFERENCES games (id),"
        " at TEXT NOT NULL, body TEXT NOT NULL) STRICT",
        "CREATE INDEX changes_of_game ON changes (game)",
        *(
            f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table}"
            " BEGIN SELECT RAISE(ABORT, 'nothing stored is ever changed'); END"
            for table in ("games", "changes")
            for verb in ("UPDATE", "DELETE")
        ),
    ),
)
_REFUSED = {
    sqlite3.SQLITE_BUSY: (StoreInUseError, "in use by another titusind"),
    sqlite3.SQLITE_NOTADB: (StoreRefusedError, "no file of games"),
    sqlite3.SQLITE_CORRUPT: (StoreRefusedError, "damaged"),
}
LOG_HEADER_BYTES = 32  # of a write-ahead log, by SQLite's file format
COPYING_TRIES = 20
ANOTHER_FILE = "accepted is another file, --games FILE; this one is left as it is"


@dataclass(frozen=True, slots=True)
class Row:
    """What is written of one change; `begins`: it is the start of a game, to which those after it belong.

    `of`: number of the game to which it and those after it belong; None: the one of the row before.
    """

    at: str
    body: str
    begins: bool = False
    of: int | None = None


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game as it began."""

    number: int
    begun: str
    start: str


@dataclass(frozen=True, slots=True)
class PlayedGame(StoredGame):
    """A game as it began, the number of its latest change, and when that was (UTC, ISO 8601)."""

    latest: int
    until: str


class GameDatabase:
    """The games in the file at `path`, which is made when it is first needed.

    What cannot be done raises StoreError; StoreRefusedError, where trying again would be no use. It may be
    used from several threads, one at a time. `connect` stands in for `sqlite3.connect` in tests.
    """

    def __init__(self, path: Path, connect: Connect = sqlite3.connect) -> None:
        self.path = path
        self._connect = connect
        self._connection: sqlite3.Connection | None = None

    def games(self) -> list[StoredGame]:
        """Return all games, the one that was played last first."""
        last = "(SELECT max(id) FROM changes WHERE game = games.id)"
        found = self._read(f"SELECT id, begun, start FROM games ORDER BY {last} DESC NULLS LAST, id DESC")
        return [StoredGame(*row) for row in found]

    def changes(self, game: int, latest: int | None = None) -> list[str]:
        """Return the bodies of a game's changes in order, of those up to number `latest` if it is given."""
        last = latest if latest is not None else -1
        found = self._read(
            "SELECT body FROM changes WHERE game = ?1 AND (?2 < 0 OR id <= ?2) ORDER BY id", game, last
        )
        return [body for (body,) in found]

    def played(self) -> list[PlayedGame]:
        """Return all games in which anybody did anything, the latest first."""
        found = self._read(
            "SELECT played.id, begun, start, latest, at FROM ("
            "  SELECT *, (SELECT max(id) FROM changes WHERE game = games.id) AS latest FROM games"
            "  WHERE EXISTS (SELECT 1 FROM changes"
            "   WHERE game = games.id AND json_array_length(body, '$.actions') > 0)"
            ") AS played JOIN changes ON changes.id = latest ORDER BY played.id DESC"
        )
        return [PlayedGame(*row) for row in found]

    def latest_telling(self, event: str) -> str | None:
        """Return the body of the latest change, of whatever game, that was told by an event of that name."""
        about = f'%"event":"{event}"%'
        found = self._read("SELECT body FROM changes WHERE body LIKE ? ORDER BY id DESC LIMIT 1", about)
        return found[0][0] if found else None

    def write(self, rows: Sequence[Row], game: int | None) -> int | None:
        """Write all `rows` or none, those before any start to `game`; return the game they end in."""
        with self._told():
            connection = self._opened()
            try:
                connection.execute("BEGIN IMMEDIATE")
                for row in rows:
                    game = _insert(connection, row, game)
                connection.execute("COMMIT")
            except sqlite3.Error:
                with suppress(sqlite3.Error):
                    connection.execute("ROLLBACK")  # SQLite may have done it already
                raise
            return game

    def close(self) -> None:
        """Close the file and give it free."""
        if self._connection is not None:
            with self._told():
                self._connection.close()
            self._connection = None

    def _read(self, query: str, *arguments: object) -> list[tuple[Any, ...]]:
        with self._told():
            return self._opened().execute(query, arguments).fetchall()

    def _opened(self) -> sqlite3.Connection:
        if self._connection is None:
            if self.path.is_dir():
                raise StoreRefusedError(f"{self.path}: found a folder; {ANOTHER_FILE}")
            self.path.parent.mkdir(parents=True, exist_ok=True)
            connection = self._connect(self.path, timeout=0, isolation_level=None, check_same_thread=False)
            try:
                _prepare(connection, self.path)
            except BaseException:
                connection.close()
                raise
            self._connection = connection
        return self._connection

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Tell what SQLite and the disk say in the table's own errors."""
        try:
            yield
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the primary one
            if code in _REFUSED:
                refused, why = _REFUSED[code]
                raise refused(f"{self.path}: {why} ({error}); {ANOTHER_FILE}") from error
            raise StoreError(str(error)) from error
        except StoreError:
            raise
        except OSError as error:
            raise StoreError(error.strerror or str(error)) from error


@contextmanager
def copy_of(path: Path) -> Iterator[GameDatabase]:
    """Give the games of a file as a copy: of one that cannot be written, or to which a table writes.

    Whoever writes to it is not disturbed, and notices nothing. Raises StoreError when it cannot be copied.
    """
    try:
        with tempfile.TemporaryDirectory(prefix="titusind-") as folder:
            _copy_in_one_piece(path, Path(folder) / path.name)
            copy = GameDatabase(Path(folder) / path.name)
            try:
                yield copy
            finally:
                copy.close()
    except StoreError:
        raise
    except OSError as error:
        raise StoreError(error.strerror or str(error)) from error


def _copy_in_one_piece(path: Path, copy: Path) -> None:
    """Copy the file and its log so that they fit together, though somebody may write to them.

    The log is only added to until it is begun anew, with new salts in its header, once all of it is in the
    file. So as long as the header stays, the log holds whatever may have come into the file meanwhile; what
    was cut off at its end is left out by SQLite, as after a power cut.
    """
    log, log_copy = (each.with_name(f"{each.name}-wal") for each in (path, copy))
    for _ in range(COPYING_TRIES):
        begun = _log_header(log)
        shutil.copyfile(path, copy)
        log_copy.unlink(missing_ok=True)
        if begun:
            shutil.copyfile(log, log_copy)
        if begun == _log_header(log_copy) == _log_header(log):
            return
    raise StoreError("it changes too fast to be copied")


def _log_header(log: Path) -> bytes:
    try:
        with log.open("rb") as file:
            return file.read(LOG_HEADER_BYTES)
    except FileNotFoundError:
        return b""


def _insert(connection: sqlite3.Connection, row: Row, game: int | None) -> int | None:
    if row.begins:
        return connection.execute(
            "INSERT INTO games (begun, start) VALUES (?, ?)", (row.at, row.body)
        ).lastrowid
    game = row.of or game
    connection.execute("INSERT INTO changes (game, at, body) VALUES (?, ?, ?)", (game, row.at, row.body))
    return game


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    """Lock the file, bring it to the newest schema, and have every commit synced."""
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    owner, version = _number(connection, "application_id"), _number(connection, "user_version")
    if owner != APPLICATION_ID and (owner or version or _number(connection, "schema_version")):
        raise StoreRefusedError(f"{path}: another program's database; {ANOTHER_FILE}")
    if version > len(MIGRATIONS):
        found = f"found version {version}, a newer titusind's; this one reads up to {len(MIGRATIONS)}"
        raise StoreRefusedError(f"{path}: {found}; {ANOTHER_FILE}")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    if version < len(MIGRATIONS):
        _migrate(connection, version)


def _migrate(connection: sqlite3.Connection, version: int) -> None:
    connection.execute("BEGIN IMMEDIATE")
    for statement in (each for migration in MIGRATIONS[version:] for each in migration):
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
    connection.execute("COMMIT")


def _number(connection: sqlite3.Connection, pragma: str) -> int:
    return int(connection.execute(f"PRAGMA {pragma}").fetchone()[0])
