"""`titusind games`: the games that are kept, one of them turn by turn, and all of them as JSON or CSV."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path

from scoring.faces import spell_faces
from scoring.played_turns import PlayedThrow, PlayedTurn, played_turns
from table.command_line import EXIT_DONE, EXIT_FAILED
from table.errors import OutputFileError, StoredGameError, StoreError
from table.game_export import game_as_record, games_as_csv
from table.output import complain, in_columns, print_json_line
from table.store.arguments import add_games_file, default_path
from table.store.database import PlayedGame
from table.store.past_games import PastGame, PastGames, past_games_in
from vision.whole_file import write_whole


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `titusind games`."""
    parser.add_argument(
        "numbers",
        nargs="*",
        type=_number,
        metavar="GAME",
        help="numbers of games to be told turn by turn; without any, all are listed, the latest first",
    )
    add_games_file(parser, "the file of games (default {path})")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print one JSON object a game, all there is to it")
    form.add_argument(
        "--csv", type=_file, metavar="FILE", help="write a row a throw into FILE; - prints them instead"
    )


def _number(word: str) -> int:
    if not word.isdecimal() or not int(word):
        raise argparse.ArgumentTypeError(f"{word!r}; the number of a game is accepted, 1 and up")
    return int(word)


def _file(word: str) -> str:
    if not word:
        raise argparse.ArgumentTypeError("an empty name; a file or - is accepted")
    return word


def run(args: argparse.Namespace) -> int:
    """Tell of the games asked for; 1 when one of them, or the file, cannot be read."""
    try:
        with past_games_in(args.games or default_path()) as past:
            chosen, faults = _chosen(past.played(), args.numbers)
            games = _read(past, chosen, faults)
            _tell(games, args)
    except (StoreError, OutputFileError) as error:
        complain(error)
        return EXIT_FAILED
    for fault in faults:
        complain(fault)
    return EXIT_FAILED if faults else EXIT_DONE


def _chosen(played: list[PlayedGame], numbers: list[int]) -> tuple[list[PlayedGame], list[str]]:
    if not numbers:
        return played, []
    by_number = {each.number: each for each in played}
    accepted = f"1 of {', '.join(map(str, sorted(by_number)))}" if by_number else "none, no game is kept"
    wanted = dict.fromkeys(numbers)
    missing = [f"found no game {each}; accepted: {accepted}" for each in wanted if each not in by_number]
    return [by_number[each] for each in wanted if each in by_number], missing


def _read(past: PastGames, chosen: Iterable[PlayedGame], faults: list[str]) -> Iterator[PastGame]:
    for stored in chosen:
        try:
            yield past.game(stored)
        except StoredGameError as error:
            faults.append(f"game {stored.number}: {error}; it stays stored")


def _tell(games: Iterator[PastGame], args: argparse.Namespace) -> None:
    if args.csv:
        _write_csv(games_as_csv(games), args.csv)
    elif args.json:
        for past in games:
            print_json_line(game_as_record(past))
    elif args.numbers:
        sys.stdout.writelines(f"{line}\n" for past in games for line in _turn_by_turn(past))
    else:
        rows = list(map(_row, games))
        sys.stdout.writelines(f"{line}\n" for line in in_columns(rows, "><<<"))
        if not rows:
            print("No game has been played yet.")


def _write_csv(text: str, file: str) -> None:
    if file == "-":
        sys.stdout.write(text)
    else:
        try:
            write_whole(Path(file), text.encode("utf-8-sig"))  # by which spreadsheets know UTF-8
        except OSError as error:
            found = f"--csv {file}: cannot be written ({error.strerror or error})"
            raise OutputFileError(f"{found}; accepted is a file in a folder that is there") from error


def _row(past: PastGame) -> tuple[str, str, str, str]:
    totals = ", ".join(f"{name} {total:,}" for name, total in past.game.totals.items())
    end = "" if past.game.over else "  not over"
    return str(past.number), _when(past.begun), past.game.ruleset.name, f"{totals}{end}"


def _when(moment: str) -> str:
    return f"{datetime.fromisoformat(moment).astimezone():%Y-%m-%d %H:%M}"


def _turn_by_turn(past: PastGame) -> Iterator[str]:
    yield "  ".join(_row(past))
    turns = [_turn_cells(turn) for turn in played_turns(past.game)]
    yield from in_columns(turns, "><<>>") if turns else ()


def _turn_cells(turn: PlayedTurn) -> tuple[str, ...]:
    ending = "under way" if turn.ending is None else turn.ending.value.replace("_", " ")
    throws = ", ".join(map(_throw_told, turn.throws))
    return f"{turn.number + 1}.", turn.player, f"{throws}  {ending}", f"{turn.points:+,}", f"{turn.total:,}"


def _throw_told(throw: PlayedThrow) -> str:
    faces = "misroll" if throw.misroll else spell_faces(throw.faces or ())
    return faces if throw.set_aside is None else f"{faces} takes {spell_faces(throw.set_aside)}"
