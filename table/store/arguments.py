"""The arguments that say where games are kept, and the game that they let go on."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from scoring.game import Game
from table.errors import StoreRefusedError
from table.game_arguments import names_a_game
from table.loop import Keeper, keep_nothing
from table.state import TableState
from table.store.database import GameDatabase
from table.store.journal import Journal
from vision.domain import Verdict

FILE_NAME = "games.sqlite"


@dataclass(frozen=True, slots=True)
class Beginning:
    """What a loop begins with. `journal`: None where nothing is kept; `seen` as in `ThrowWatch`.

    `unchosen`: nobody has said yet who plays now, and by which rules.
    """

    start: Game | TableState
    keep: Keeper = keep_nothing
    journal: Journal | None = None
    seen: Verdict | None = None
    resumed: str = ""  # in words, which game is taken up again
    unchosen: bool = False


def add_games_arguments(parser: argparse.ArgumentParser) -> None:
    """Add `--games FILE` and `--new-game`."""
    add_games_file(parser, "where games are kept (default {path} for a camera; for a clip nowhere)")
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--new-game", action="store_true", help="begin anew, even if a game of these players is not over"
    )
    which.add_argument(
        "--game",
        type=_number,
        metavar="N",
        help="go on with the game of that number, which was left; `titusind games` lists them",
    )
    parser.add_argument(
        "--no-pictures", action="store_true", help="keep no small picture of each throw beside the games"
    )


def add_games_file(parser: argparse.ArgumentParser, meaning: str) -> None:
    """Add `--games FILE`; `{path}` in its meaning becomes the default one."""
    parser.add_argument(
        "--games", type=_file, metavar="FILE", help=meaning.format(path=_shown(default_path()))
    )


def default_path() -> Path:
    """Return where a person's programs keep data, by the XDG Base Directory Specification."""
    base = Path(os.environ.get("XDG_DATA_HOME", ""))
    home = base if base.is_absolute() else Path.home() / ".local" / "share"
    return home / "titusind" / FILE_NAME


def begin_or_resume(
    args: argparse.Namespace, game: Game, *, live: bool, complain: Callable[[object], None]
) -> Beginning:
    """Return the game to play: the latest stored one if it is not over, else a new one of its kind.

    Where the arguments name a game, only one of these players and rules goes on, else `game` begins. A game
    is kept when pictures come `live`, or where `--games` says so. Raises StoreRefusedError.
    """
    if not live and args.games is None and args.game is None:
        return Beginning(game)
    named = names_a_game(args)
    journal = Journal(GameDatabase(args.games or default_path()), complain)
    found = journal.resume(game if named else None, anew=args.new_game, number=args.game)
    if args.game is not None and found.state is None:
        journal.close()
        raise StoreRefusedError(
            f"--game {args.game}: found no such game that is not over; accepted: one of `titusind games`"
        )
    unchosen = not named and not journal.resumed
    if found.state is None:
        start = game if named or found.latest is None else found.latest
        return Beginning(start, journal.keep, journal, found.seen, unchosen=unchosen)
    told = _told(found.begun, found.state.game) if journal.resumed else ""
    return Beginning(found.state, journal.keep, journal, found.seen, told, unchosen)


def _told(begun_at: str, game: Game) -> str:
    begun = datetime.fromisoformat(begun_at).astimezone()
    totals = ", ".join(f"{name} {total:,}" for name, total in game.totals.items())
    return f"The game begun on {begun:%Y-%m-%d at %H:%M} goes on: {totals} (--new-game begins anew)"


def _number(word: str) -> int:
    if not word.isdecimal() or not int(word):
        raise argparse.ArgumentTypeError(f"{word!r}; the number of a game is accepted, 1 and up")
    return int(word)


def _file(word: str) -> Path:
    if not word:
        raise argparse.ArgumentTypeError("an empty name; a file is accepted")
    return Path(word)


def _shown(path: Path) -> str:
    """Write a path for the help, where `%` begins a placeholder."""
    home = Path.home()
    shown = f"~/{path.relative_to(home)}" if path.is_relative_to(home) else str(path)
    return shown.replace("%", "%%")
