"""`titusind score [FACES...]`: all legal set-asides of a throw, or of every line of standard input."""

from __future__ import annotations

import argparse
import io
import itertools
import sys
from collections.abc import Callable, Iterable
from functools import cache, partial

from scoring.combinations import NOTHING_ON_SIX, SINGLE, STRAIGHT, THREE_PAIRS, Combination, Parts
from scoring.errors import FacesError
from scoring.faces import Faces, parse_faces, spell_faces
from scoring.odds import bust_probability
from scoring.ruleset import Ruleset
from scoring.set_asides import SetAside, dice_left_after, set_asides
from table.command_line import EXIT_DONE, EXIT_FAILED, EXIT_USAGE
from table.output import complain, in_columns, json_line
from table.rules_arguments import add_rules_arguments, chosen_ruleset

_HEADINGS = ("points", "set aside", "made of", "dice left", "bust when thrown")
_ALIGN = "><<>>"
_NUMBER_WORDS = {3: "three", 4: "four", 5: "five", 6: "six"}
_WHOLE_THROW_WORDS = {STRAIGHT: "straight", THREE_PAIRS: "three pairs", NOTHING_ON_SIX: "nothing on six dice"}


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `titusind score`."""
    parser.add_argument(
        "faces",
        nargs="*",
        metavar="FACES",
        help="the throw, like 1 1 5 3 2 6 or 115326; without it, one throw a line from standard input",
    )
    add_rules_arguments(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object a throw")


def run(args: argparse.Namespace) -> int:
    """Score the throw given, or every line; 1 when a line could not be read, the others are still scored."""
    ruleset = chosen_ruleset(args)
    write = partial(_as_json if args.json else _as_text, ruleset=ruleset)
    if not args.faces:
        return _score_lines(_standard_input(), write)
    try:
        faces = parse_faces(" ".join(args.faces))
    except FacesError as error:
        complain(f"faces: {error}")
        return EXIT_USAGE
    sys.stdout.write(write(faces))
    return EXIT_DONE


def throw_record(faces: Faces, ruleset: Ruleset) -> dict[str, object]:
    """Return all there is to say of a throw of sorted `faces`, as plain values."""
    found = set_asides(faces, ruleset)
    return {
        "faces": faces,
        "bust": not found,
        "best": found[0].points if found else 0,
        "set_asides": [_set_aside_record(each) for each in found],
    }


def _set_aside_record(each: SetAside) -> dict[str, object]:
    parts = [{"combination": part.name, "faces": part.faces, "points": part.points} for part in each.parts]
    return {"faces": each.faces, "points": each.points, "parts": parts, "hot_dice": each.hot_dice}


def _standard_input() -> Iterable[str]:
    if isinstance(sys.stdin, io.TextIOWrapper):
        # A byte order mark is no part of the first throw; bytes that are no text make a bad line, not an end.
        sys.stdin.reconfigure(encoding="utf-8-sig", errors="backslashreplace")
    return sys.stdin


def _score_lines(lines: Iterable[str], write: Callable[[Faces], str]) -> int:
    written = cache(write)  # there are only 923 different throws; standard input brings millions
    code = EXIT_DONE
    for number, line in enumerate(lines, start=1):
        if line.isspace():
            continue
        try:
            sys.stdout.write(written(parse_faces(line)))
        except FacesError as error:
            complain(f"line {number}: {error}")
            code = EXIT_FAILED
    return code


def _as_json(faces: Faces, ruleset: Ruleset) -> str:
    return json_line(throw_record(faces, ruleset))


def _as_text(faces: Faces, ruleset: Ruleset) -> str:
    found = set_asides(faces, ruleset)
    if not found:
        return f"{spell_faces(faces)}  bust: nothing to set aside ({ruleset.name})\n"
    rows = [_HEADINGS, *(_row(each, len(faces), ruleset) for each in found)]
    title = f"{spell_faces(faces)}  best {found[0].points} ({ruleset.name})"
    return "\n".join((title, *(f"  {line}" for line in in_columns(rows, _ALIGN)))) + "\n"


def _row(each: SetAside, dice_thrown: int, ruleset: Ruleset) -> tuple[str, ...]:
    left = dice_left_after(each, dice_thrown)
    bust = f"{bust_probability(left, ruleset):.1%}"
    dice_left = f"{left} new" if each.hot_dice else str(left)
    return str(each.points), spell_faces(each.faces), _made_of(each.parts), dice_left, bust


def _made_of(parts: Parts) -> str:
    """Spell the parts with their points, equal ones together: `three 2s 200 + two single 5s 100`."""
    groups = [list(group) for _, group in itertools.groupby(parts)]
    return " + ".join(
        f"{_spell(group[0], len(group))} {sum(part.points for part in group)}" for group in groups
    )


def _spell(part: Combination, times: int) -> str:
    if part.name in _WHOLE_THROW_WORDS:
        return _WHOLE_THROW_WORDS[part.name]
    if part.name == SINGLE:
        return f"single {part.faces[0]}" if times == 1 else f"two single {part.faces[0]}s"
    return f"{_NUMBER_WORDS[len(part.faces)]} {part.faces[0]}s"
