"""The arguments of a game at a table, shared by `replay` and `play`."""

from __future__ import annotations

import argparse
from pathlib import Path

from scoring.game import Game, new_game
from table.rules_arguments import add_rules_arguments, chosen_ruleset
from vision.calibration import CLIP_TRUTH_KEYS, load_calibration
from vision.domain import TableCalibration

DEFAULT_PLAYERS = "Ada,Bo"


def add_game_arguments(parser: argparse.ArgumentParser) -> None:
    """Add `--table`, `--rules`, `--set` and `--players`."""
    parser.add_argument("--table", type=Path, metavar="FILE", help="calibration of the table, table.json")
    add_rules_arguments(parser)
    parser.add_argument(
        "--players",
        default=DEFAULT_PLAYERS,
        metavar="NAMES",
        help=f"names in playing order, joined by commas (default {DEFAULT_PLAYERS})",
    )


def chosen_game(args: argparse.Namespace) -> Game:
    """Return a new game; raises RulesetError or GameError, which end a command as wrong usage."""
    return new_game(chosen_ruleset(args), args.players.split(","))


def chosen_calibration(args: argparse.Namespace) -> TableCalibration | None:
    """Return the calibration that the arguments name, if any; the truth beside a labelled clip will do.

    Raises CalibrationError.
    """
    return load_calibration(args.table, ignore_extra=CLIP_TRUTH_KEYS) if args.table else None
