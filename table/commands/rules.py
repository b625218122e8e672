"""`titusind rules [NAME]`: the presets side by side, or one rule set as TOML with every field's meaning."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from scoring.errors import RulesetError
from scoring.ruleset import PRESETS, Ruleset, load_preset, load_ruleset, to_record, to_toml, with_overrides
from table.command_line import EXIT_DONE
from table.output import in_columns, print_json_line
from table.rules_arguments import add_set_argument, read_overrides


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `titusind rules`."""
    parser.add_argument(
        "name",
        nargs="?",
        metavar="NAME",
        help=f"rule set to print as TOML: {', '.join(PRESETS)} or a file; without it, compare the presets",
    )
    add_set_argument(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object a rule set")


def run(args: argparse.Namespace) -> int:
    """Print the presets, or the rule set asked for."""
    overrides = read_overrides(args.overrides)
    if args.name is not None:
        rulesets = [with_overrides(load_ruleset(args.name), overrides)]
    elif not overrides:
        rulesets = [load_preset(name) for name in PRESETS]
    else:
        raise RulesetError(
            "--set", "no NAME to change", "a NAME, like `titusind rules danish --set straight=0`"
        )
    if args.json:
        for ruleset in rulesets:
            print_json_line(to_record(ruleset))
    else:
        sys.stdout.write(_side_by_side(rulesets) if args.name is None else to_toml(rulesets[0]))
    return EXIT_DONE


def _side_by_side(rulesets: Sequence[Ruleset]) -> str:
    columns = [{key: _spell(value) for key, value in to_record(ruleset).items()} for ruleset in rulesets]
    rows = [(key, *(column[key] for column in columns)) for key in columns[0]]
    return "".join(f"{line}\n" for line in in_columns(rows, "<" * len(rows[0])))


def _spell(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
