"""`titusind advise`: what to set aside, and whether to bank or throw, by what it is worth."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence

from scoring.advice import Advice, Position, advise
from scoring.aims import Standing
from scoring.errors import FacesError, PositionError
from scoring.faces import ALL_DICE, parse_faces, spell_faces
from scoring.ruleset import Ruleset
from table.command_line import EXIT_DONE, EXIT_USAGE
from table.output import complain, in_columns, print_json_line
from table.rules_arguments import add_rules_arguments, chosen_ruleset

_DIGITS = 6


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `titusind advise`."""
    parser.add_argument(
        "--turn-points", type=int, default=0, metavar="P", help="points set aside in this turn (default 0)"
    )
    parser.add_argument(
        "--dice",
        type=int,
        metavar="N",
        help=f"dice to throw or, with --faces, thrown (default: as many as faces, else {ALL_DICE})",
    )
    parser.add_argument(
        "--faces", nargs="+", metavar="FACES", help="the throw that lies, like 1 1 5 3 2 6 or 115326"
    )
    parser.add_argument(
        "--score", type=int, metavar="S", help="the player's total (default: opened, and far from the target)"
    )
    parser.add_argument(
        "--opened",
        action=argparse.BooleanOptionalAction,
        help="whether the player has banked before (default: yes unless the score is 0 or less)",
    )
    parser.add_argument(
        "--busts", type=int, default=0, metavar="N", help="busts in a row before this turn (default 0)"
    )
    parser.add_argument(
        "--opponent",
        type=int,
        metavar="S",
        help="the other player's total in a game of two: advise what wins most often (Danish rules)",
    )
    add_rules_arguments(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Print every choice, best first; 2 for a position that cannot be."""
    ruleset = chosen_ruleset(args)
    try:
        position = _position(args)
        choices = advise(position, ruleset)
    except (FacesError, PositionError) as error:
        complain(error)
        return EXIT_USAGE
    if args.json:
        print_json_line(advice_record(position, choices, ruleset))
    else:
        sys.stdout.write(_text(position, choices, ruleset))
    return EXIT_DONE


def advice_record(position: Position, choices: Sequence[Advice], ruleset: Ruleset) -> dict[str, object]:
    """Return the choices and what they were asked of as plain values."""
    return {
        "rules": ruleset.name,
        "turn_points": position.turn_points,
        "dice": position.dice,
        "faces": position.faces,
        "score": position.standing.total,
        "opponent": position.other,
        "actions": [_choice_record(each) for each in choices],
    }


def _choice_record(choice: Advice) -> dict[str, object]:
    record: dict[str, object] = {
        "set_aside": choice.set_aside,
        "then": choice.then.value,
        "expected_points": round(choice.expected_points, _DIGITS),
        "bust_probability": round(choice.bust_probability, _DIGITS),
    }
    if choice.passes_target:
        record["passes_target"] = True
    if choice.win_probability is not None:
        record["win_probability"] = round(choice.win_probability, _DIGITS)
    return record


def _position(args: argparse.Namespace) -> Position:
    faces = None if args.faces is None else parse_faces(" ".join(args.faces))
    dice = args.dice if args.dice is not None else len(faces or range(ALL_DICE))
    opened = args.opened if args.opened is not None else args.score is None or args.score > 0
    standing = Standing(args.score, opened, args.busts)
    return Position(args.turn_points, dice, faces, standing, args.opponent)


def _text(position: Position, choices: Sequence[Advice], ruleset: Ruleset) -> str:
    title = ", ".join(_asked(position)) + f" ({ruleset.name})"
    if not choices:
        return f"{title}: bust\n"
    headings = ["set aside", "then", "expected", "bust when thrown"]
    rows = [headings if position.other is None else [*headings, "wins"], *map(_row, choices)]
    lines = in_columns(rows, "<<>>>"[: len(rows[0])])
    return "\n".join((title, *(f"  {line}" for line in lines))) + "\n"


def _asked(position: Position) -> Iterator[str]:
    """Yield what the advice was asked of."""
    yield f"{spell_faces(position.faces)} thrown" if position.faces else f"{position.dice} to throw"
    yield f"{position.turn_points} points this turn"
    if position.standing.total is not None:
        yield f"score {position.standing.total}"
    if position.other is not None:
        yield f"opponent {position.other}"


def _row(choice: Advice) -> list[str]:
    risk = f"{choice.bust_probability:.1%}" if choice.then == "throw" else ""
    then = "past the target" if choice.passes_target else choice.then.value
    row = [spell_faces(choice.set_aside or ()), then, f"{choice.expected_points:.1f}", risk]
    return row if choice.win_probability is None else [*row, f"{choice.win_probability:.2%}"]
