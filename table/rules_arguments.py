"""The arguments `--rules` and `--set`, shared by every command that plays by a rule set."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from scoring.errors import RulesetError
from scoring.ruleset import DEFAULT_PRESET, PRESETS, Ruleset, load_ruleset, with_overrides


def add_rules_arguments(parser: argparse.ArgumentParser) -> None:
    """Add `--rules NAME|FILE.toml` and `--set KEY=VALUE`; `chosen_ruleset` reads them."""
    parser.add_argument(
        "--rules",
        metavar="NAME|FILE.toml",
        help=f"rule set: {', '.join(PRESETS)}, or a TOML file (default {DEFAULT_PRESET})",
    )
    add_set_argument(parser)


def add_set_argument(parser: argparse.ArgumentParser) -> None:
    """Add `--set KEY=VALUE`, which may be given many times."""
    parser.add_argument(
        "--set",
        dest="overrides",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="change one field, like straight=0 or four_plus_two=yes (`titusind rules danish` shows all)",
    )


def chosen_ruleset(args: argparse.Namespace) -> Ruleset:
    """Return the rule set the arguments name; raises `RulesetError`, which ends a command as wrong usage."""
    named = load_ruleset(DEFAULT_PRESET if args.rules is None else args.rules)
    return with_overrides(named, read_overrides(args.overrides))


def names_rules(args: argparse.Namespace) -> bool:
    """Return whether the arguments name or change a rule set."""
    return args.rules is not None or bool(args.overrides)


def read_overrides(words: Sequence[str]) -> dict[str, str]:
    """Split words like `straight=0`; raises `RulesetError` for one without key or `=`. The last counts."""
    overrides = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not key.strip():
            raise RulesetError("--set", repr(word), "KEY=VALUE, like straight=0")
        overrides[key.strip()] = value
    return overrides
