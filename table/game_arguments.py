"""The arguments of a game at a table, shared by `replay` and `play`."""

from __future__ import annotations

import argparse
import math
import reprlib
from pathlib import Path

from scoring.errors import GameError
from scoring.game import Game, new_game
from scoring.languages import Language
from table.loop import EMPTY_BANKS_S
from table.rules_arguments import add_rules_arguments, chosen_ruleset, names_rules
from vision.calibration import load_calibration
from vision.domain import TableCalibration

DEFAULT_PLAYERS = "Ada,Bo"
EMPTY_RANGE_S = (1.0, 3600.0)
MOST_PLAYERS, LONGEST_NAME = 20, 40  # what the page has room for


def add_game_arguments(parser: argparse.ArgumentParser) -> None:
    """Add `--table`, `--rules`, `--set`, `--players` and `--language`."""
    parser.add_argument("--table", type=Path, metavar="FILE", help="calibration of the table, table.json")
    add_rules_arguments(parser)
    parser.add_argument(
        "--players",
        metavar="NAMES",
        help=f"names in playing order, joined by commas (default {DEFAULT_PLAYERS})",
    )
    parser.add_argument(
        "--language",
        choices=[language.value for language in Language],
        help=f"language of lines, page and voice (default {Language.ENGLISH})",
    )


def add_empty_banks_argument(parser: argparse.ArgumentParser) -> None:
    """Add `--empty-banks`."""
    parser.add_argument(
        "--empty-banks",
        type=_seconds,
        default=EMPTY_BANKS_S,
        metavar="SECONDS",
        help="bank a turn whose dice were all taken away: at once when six come back, else when the tray was "
        f"empty for so long; off: only a tap banks (default {EMPTY_BANKS_S:g})",
    )


def _seconds(word: str) -> float | None:
    if word == "off":
        return None
    try:
        seconds = float(word)
    except ValueError:
        seconds = math.nan
    if not EMPTY_RANGE_S[0] <= seconds <= EMPTY_RANGE_S[1]:
        least, most = EMPTY_RANGE_S
        raise argparse.ArgumentTypeError(f"{word!r}; {least:g} to {most:g} seconds or off is accepted")
    return seconds


def chosen_game(args: argparse.Namespace) -> Game:
    """Return a new game; raises RulesetError or GameError, which end a command as wrong usage."""
    return new_game(chosen_ruleset(args), _names(DEFAULT_PLAYERS if args.players is None else args.players))


def names_a_game(args: argparse.Namespace) -> bool:
    """Return whether the arguments say who plays, or by which rules."""
    return args.players is not None or names_rules(args)


def chosen_language(args: argparse.Namespace) -> Language:
    """Return the language that the table speaks and writes."""
    return Language(args.language or Language.ENGLISH)


def _names(joined: str) -> list[str]:
    """Split names that the screen can show; how many the game needs is the game's to say."""
    names = [name.strip() for name in joined.split(",")]
    if len(names) > MOST_PLAYERS:
        raise GameError(f"--players: found {len(names)} names; accepted: 2 to {MOST_PLAYERS}")
    for name in names:
        if len(name) > LONGEST_NAME or not name.isprintable():
            raise GameError(
                f"--players: found {reprlib.repr(name)}; accepted: names of up to {LONGEST_NAME} letters"
            )
    return names


def chosen_calibration(args: argparse.Namespace) -> TableCalibration | None:
    """Return the calibration that the arguments name, if any; the truth beside a labelled clip will do.

    Raises CalibrationError.
    """
    return load_calibration(args.table) if args.table else None
