"""`titusind odds`: the chances of a throw and of an opening under the chosen rules, exactly."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from scoring.aims import opening_chance
from scoring.banking import least_to_bank
from scoring.faces import ALL_DICE
from scoring.odds import bust_count, throw_counts
from scoring.ruleset import Ruleset
from table.command_line import EXIT_DONE
from table.output import print_json_line
from table.rules_arguments import add_rules_arguments, chosen_ruleset


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `titusind odds`."""
    add_rules_arguments(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Print the odds of the rule set chosen."""
    ruleset = chosen_ruleset(args)
    if args.json:
        print_json_line(odds_record(ruleset))
    else:
        sys.stdout.writelines(f"{line}\n" for line in _text(ruleset))
    return EXIT_DONE


def odds_record(ruleset: Ruleset) -> dict[str, object]:
    """Return the odds as plain values: `bust` by dice, `combinations` of six dice, `opening` in one turn."""
    return {
        "rules": ruleset.name,
        "bust": [_bust_record(dice, ruleset) for dice in range(1, ALL_DICE + 1)],
        "throws_of_six": 6**ALL_DICE,
        "combinations": [
            {
                "combination": each.combination,
                "meaning": each.meaning,
                "count": each.count,
                "probability": each.probability,
            }
            for each in throw_counts()
        ],
        "opening": {
            "least_points": least_to_bank(ruleset, 0, opened=False),
            "probability": opening_chance(ruleset),
        },
    }


def _bust_record(dice: int, ruleset: Ruleset) -> dict[str, object]:
    count, throws = bust_count(dice, ruleset), 6**dice
    return {"dice": dice, "count": count, "throws": throws, "probability": count / throws}


def _text(ruleset: Ruleset) -> Iterator[str]:
    yield f"Nothing to set aside: a bust ({ruleset.name})"
    for dice in range(1, ALL_DICE + 1):
        count, throws = bust_count(dice, ruleset), 6**dice
        name = "die " if dice == 1 else "dice"
        yield f"  {dice} {name}  {count:>6,} of {throws:>6,}  {count / throws:8.3%}"
    yield f"Throws of six dice that show, of {6**ALL_DICE:,}"
    for each in throw_counts():
        yield f"  {each.count:>6,}  {each.probability:8.3%}  {each.meaning}"
    least, chance = least_to_bank(ruleset, 0, opened=False), opening_chance(ruleset)
    asked = f"at least {least:,} points" if least else "any points"
    yield f"To bank {asked} for the first time in one turn, played for nothing else: {chance:.3%}"
