"""Kills a table that plays, at random moments, and looks at what is left: nothing shown may be lost.

    python -m benchmarks.survival [--kills 300] [--seed 1]

A process plays a scripted game - throws seen and entered, set-asides, bankings, corrections, undos - with the
table's own loop and store, and acknowledges every change once it is told. It is killed (SIGKILL) and started
again, over and over. After each kill SQLite must find the file whole; every change acknowledged must be
stored, and at most one more, which was not told yet; and the game taken up again must be what the script
makes of as many changes in memory, where nothing was ever stored.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import multiprocessing
import sqlite3
import sys
import tempfile
import time
from collections import deque
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from scoring.actions import Bank, DeclineRelief, Misroll, PutAside, SetTotal, TurnTo
from scoring.game import Game, legal_set_asides, new_game
from scoring.ruleset import load_preset, with_overrides
from table.command_line import OneLineParser
from table.errors import TouchError
from table.events import Moment, TableEvent
from table.loop import TableLoop
from table.state import LyingThrow, TableState
from table.store.database import GameDatabase
from table.store.journal import Journal
from table.throw_watch import Observation, ThrowSeen, ThrowWatch
from table.touches import (
    AddDie,
    Confirm,
    CorrectDie,
    CountAnyway,
    EnterThrow,
    Play,
    SayLie,
    Touch,
    Undo,
    WouldBe,
)
from table.verdict_json import verdict_record
from vision.domain import DieReading, DieState, Frame, Reason, ReasonKind, Ruling, Verdict

LONGEST_LIFE_S = 0.3  # of a process: some are killed while they start, most after some changes
NO_PICTURE = Frame(0, 0.0, np.zeros((1, 1, 3), np.uint8))


class ScriptedWatch(ThrowWatch):
    """Sees what it is told to see."""

    def __init__(self) -> None:
        super().__init__()
        self.to_see: deque[Observation] = deque()

    def step(self, _frame: Frame, _expected_dice: int | None = None) -> tuple[Observation, ...]:
        """Return what was put into `to_see`."""
        seen = tuple(self.to_see)
        self.to_see.clear()
        return seen


class ScriptedTable:
    """A loop and what happens at it: a function of the seed and the number of the change alone."""

    def __init__(self, loop: TableLoop, watch: ScriptedWatch, seed: int) -> None:
        self.loop, self._watch, self._seed = loop, watch, seed

    def change(self, number: int) -> tuple[TableEvent, ...]:
        """Make change `number` happen, and return what was told of it."""
        random, version = Random(f"{self._seed}/{number}"), self.loop.state.version
        while True:
            try:
                events = self._happen(random)
            except TouchError:
                continue
            if self.loop.state.version != version:
                return events

    def _happen(self, random: Random) -> tuple[TableEvent, ...]:
        kind = random.choice(("see", "see", "touch", "touch", "touch", "touch"))
        if kind == "touch":
            return self.loop.touch(_touch(self.loop.state, random))
        self._watch.to_see.append(_throw(self.loop.state.game, random))
        return self.loop.step(NO_PICTURE)


def _touch(state: TableState, random: Random) -> Touch:
    dice = tuple(random.choices(range(1, 7), k=state.game.turn.dice_left))
    offered = [each.faces for each in legal_set_asides(state.game)] or [(1,)]
    aside, bank = Play(PutAside(random.choice(offered))), Play(Bank())
    correction = CorrectDie(random.randrange(6), random.choice((None, *range(1, 7))))
    said = random.choice(
        (
            SayLie(random.randrange(6), random.choice((DieState.FLAT, DieState.TILTED))),
            WouldBe(random.randrange(6), random.randint(1, 6)),
            AddDie(random.randint(1, 6), random.choice((None, (100.0, 40.5)))),
            Play(SetTotal(random.choice(state.game.players), 50 * random.randint(0, 30))),
            Play(TurnTo(random.choice(state.game.players))),
        )
    )
    confirmed = random.choice((Confirm(), CountAnyway()))
    others = (Play(DeclineRelief()), Play(Misroll()), EnterThrow(dice), confirmed, correction, said, Undo())
    return random.choice((*(aside,) * 3, *(bank,) * 4, *others))


def _throw(game: Game, random: Random) -> ThrowSeen:
    """See dice, mostly as many as the turn has to throw; now and then leaning or not read for sure."""
    count = game.turn.dice_left if random.random() < 0.8 else random.randint(1, 6)
    ruling = random.choices((Ruling.VALID, Ruling.MISROLL, Ruling.UNSURE), (8, 1, 1))[0]
    dice = tuple(_die(place, random.randint(1, 6)) for place in range(count))
    kinds = {Ruling.MISROLL: ReasonKind.TILTED, Ruling.UNSURE: ReasonKind.DISAGREE}
    reasons = (Reason(kinds[ruling], 0, "scripted"),) if ruling in kinds else ()
    return ThrowSeen(Moment(0.0, 0), Moment(0.0, 0), Verdict(ruling, reasons, dice))


def _die(place: int, face: int) -> DieReading:
    corners = np.array([[0.0, 0], [30, 0], [30, 30], [0, 30]]) + np.array([40.0 * place, 0])
    return DieReading(face, 0.75, (40.0 * place + 15, 15.0), corners, DieState.FLAT, 0.5, 0.25, 20.0)


def fingerprint(state: TableState) -> str:
    """Tell all that must survive apart from all else, without the store's own words for it."""
    steps = [(step.name, step.game, _lies(step.lying), step.wait) for step in state.steps]
    return hashlib.sha256(repr((state.game, _lies(state.lying), state.wait, steps)).encode()).hexdigest()


def _lies(lying: LyingThrow | None) -> object:
    if lying is None:
        return None
    verdict = None if lying.verdict is None else verdict_record(lying.verdict)
    said = lying.lies, sorted(lying.ruled), lying.added_px, lying.misrolled
    return lying.faces, verdict, sorted(lying.removed), lying.counted, lying.by_hand, said


def first_game() -> Game:
    """Return the game that is played: short, so that several are begun."""
    return new_game(with_overrides(load_preset("danish"), {"target": "2000", "opening": "0"}), ("Ada", "Bo"))


def play_until_killed(path: Path, seed: int, changes: int, shown: Connection) -> None:
    """Go on with the game in the file after `changes`, and send what is told as a screen would show it."""

    def complain(line: object) -> None:
        shown.send(f"complaint: {line}")

    journal, watch = Journal(GameDatabase(path), complain), ScriptedWatch()
    found = journal.resume(first_game())
    loop = TableLoop(found.state or first_game(), watch, keep=journal.keep)
    shown.send(_as_json(loop.begin()))
    table = ScriptedTable(loop, watch, seed)
    while not loop.state.game.over:
        shown.send(_as_json(table.change(changes)))
        changes += 1
    time.sleep(LONGEST_LIFE_S)


def _as_json(events: Sequence[TableEvent]) -> Any:
    return json.loads(json.dumps([event.record() for event in events]))


@dataclass(slots=True)
class Survival:
    """What the kills came upon; `unshown`: changes that were stored and not told yet when the kill came."""

    kills: int = 0
    changes: int = 0
    games: int = 0
    unshown: int = 0


class Witness:
    """Knows without any store what must be left after each kill."""

    def __init__(self, path: Path, seed: int) -> None:
        self._path, self._seed = path, seed
        self._rows = 0
        self.found = Survival()
        self._begin()

    def _begin(self) -> None:
        watch = ScriptedWatch()
        self._table = ScriptedTable(TableLoop(first_game(), watch), watch, self._seed)
        self.found.games += 1

    def check(self, shown: Sequence[object]) -> None:
        """Hold the file against what was shown since the last kill; raises AssertionError."""
        with closing(sqlite3.connect(self._path)) as raw:
            assert raw.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            has_tables = raw.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
            query = "SELECT body FROM changes ORDER BY id LIMIT -1 OFFSET ?"
            rows = [json.loads(body) for (body,) in raw.execute(query, (self._rows,))] if has_tables else []
        told = [row["events"] for row in rows]
        assert told[: len(shown)] == list(shown), "something shown is lost"
        assert len(told) - len(shown) in (0, 1), "something was stored that never happened"
        self._rows += len(rows)
        self.found.kills += 1
        self.found.unshown += len(told) - len(shown)
        for events in told:
            if events[0]["event"] == "turn_started":  # the process began
                if self._table.loop.state.game.over:
                    self._begin()
                continue
            assert _as_json(self._table.change(self.found.changes)) == events
            self.found.changes += 1
        self._check_game()

    def _check_game(self) -> None:
        journal = Journal(GameDatabase(self._path), print)
        state, expected = journal.resume(first_game()).state, self._table.loop.state
        journal.close()
        if expected.game.over or not self._rows:
            assert state is None
        else:
            assert state is not None
            assert fingerprint(state) == fingerprint(expected), "the game is not as it stood"


def kill_again_and_again(folder: Path, kills: int, seed: int) -> Survival:
    """Return what came of `kills`; raises AssertionError when anything was lost."""
    processes = multiprocessing.get_context("forkserver")
    processes.set_forkserver_preload(["table.store.journal", "table.loop"])  # all that playing takes
    witness, random = Witness(folder / "games.sqlite", seed), Random(seed)
    for _ in range(kills):
        ours, theirs = processes.Pipe(duplex=False)
        arguments = (folder / "games.sqlite", seed, witness.found.changes, theirs)
        player = processes.Process(target=play_until_killed, args=arguments)
        player.start()
        theirs.close()
        time.sleep(random.uniform(0, LONGEST_LIFE_S))
        player.kill()
        player.join()
        witness.check(_all_of(ours))
    return witness.found


def _all_of(shown: Connection) -> list[object]:
    """Return all that was sent before the end; what the kill cut off was never shown."""
    received = []
    with shown:
        while True:
            try:
                received.append(shown.recv())
            except (EOFError, OSError):
                return received


def main(argv: Sequence[str] | None = None) -> int:
    """Kill as often as asked, and say what was left."""
    parser = OneLineParser(prog="python -m benchmarks.survival", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--kills", type=int, default=300, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="S")
    args = parser.parse_args(argv)
    with tempfile.TemporaryDirectory(prefix="titusind-") as folder:
        found = kill_again_and_again(Path(folder), args.kills, args.seed)
    print(
        f"{found.kills} kills, {found.changes} changes of {found.games} games: nothing shown was lost, the "
        "file was whole, every game went on as it stood; "
        f"{found.unshown} times a change was stored and not yet told"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
