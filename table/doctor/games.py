"""The file that games are kept in."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from table.doctor.finding import Finding, fault, good
from table.errors import StoreError, StoreInUseError, StoreRefusedError
from table.store.database import GameDatabase

MEND = "give the person who plays the right to write there, or name another file, --games FILE"


def games(path: Path) -> Iterator[Finding]:
    """Tell whether the games at `path` can be read and written; makes nothing."""
    folder = next(parent for parent in path.absolute().parents if parent.exists())
    if not os.access(path if path.exists() else folder, os.W_OK):
        yield fault("games", f"{path} cannot be written to", MEND)
    elif not path.exists():
        yield good("games", f"none yet; they will be kept in {path}")
    else:
        yield _kept(GameDatabase(path))


def _kept(database: GameDatabase) -> Finding:
    try:
        count = len(database.games())
        database.close()
    except StoreInUseError:
        return good("games", f"{database.path} is in use, by the table that plays")
    except StoreRefusedError as error:
        return fault("games", str(error), "play with another file, --games FILE")
    except StoreError as error:
        return fault("games", f"{database.path}: {error}", MEND)
    return good("games", f"{count} kept in {database.path}")
