"""Plays made evenings as the table would, against their scripts: `python -m benchmarks.evening DIR...`.

DIR holds what `python -m datasets.make_clips --story evening` has made. Nobody touches the screen unless the
table asks; then a person answers with what the script says. Where the table went wrong without asking, which
is a silent error, it is put right before the next throw, so that every turn is measured by itself. Of
pictures without light (`--renderer flat`) only the tray's outline is used: no lean can be seen there.

Printed is a line an evening and one of all: turns that were right with no touch, turns in which was asked,
with the reasons, and silent errors. The exit code is 1 when there is a silent error.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from datasets.evening import RULES
from datasets.seats import PLAYERS
from scoring.actions import Action, Bank, Misroll, PutAside, Throw
from scoring.game import Game, apply, new_game
from scoring.ruleset import load_preset
from table.command_line import OneLineParser
from table.events import UNFIT_VIEWS, TableEvent, WaitKind
from table.loop import EMPTY_BANKS_S, TableLoop
from table.throw_watch import ThrowWatch
from table.touches import EnterThrow, Play, Touch, Undo
from vision.calibration import load_calibration
from vision.domain import Frame, TableCalibration
from vision.sources import ClipSource

VIEW = {kind.value for kind in UNFIT_VIEWS} | {WaitKind.COVERED.value}
AFTER_S, AFTER_FPS = EMPTY_BANKS_S + 2, 5


@dataclass(frozen=True, slots=True)
class Step:
    """A throw of the script: the frame before the next one begins, and the game then."""

    last_frame: int
    game: Game
    turn: int


@dataclass(slots=True)
class Evening:
    """What came of one evening, by turn."""

    name: str
    turns: int
    throws: int
    asked: dict[int, list[str]] = field(default_factory=dict)
    wrong: dict[int, str] = field(default_factory=dict)

    @property
    def untouched(self) -> int:
        """Turns that were right with no touch."""
        return self.turns - len(self.asked.keys() | self.wrong.keys())

    @property
    def silent(self) -> int:
        """Turns that went wrong and were not asked about."""
        return len(self.wrong.keys() - self.asked.keys())


def read_script(path: Path) -> list[Step]:
    """Return the throws of the evening whose clip is at `path`, and the end of it."""
    truth = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    told = json.loads(path.with_suffix(".rig.json").read_text(encoding="utf-8"))["told"]
    starts = [event["frame_start"] for event in truth["events"]]
    ends = iter([*(start - 1 for start in starts[1:]), truth["n_frames"] - 1])
    game = new_game(load_preset(RULES), _players(told))
    steps, waiting = [], list[Action]()
    for each in told:
        if each["what"] == "throw":
            if each["verdict"] == "valid":
                game, waiting = _played(game, waiting), []
                turn = game.finished_turns
                game = _played(game, [Throw(tuple(each["faces"]))])
            steps.append(Step(next(ends), game, turn if each["verdict"] == "valid" else game.finished_turns))
        elif each["what"] == "set_aside":
            waiting.append(PutAside(tuple(each["faces"]), "seen"))
        elif each["what"] == "bank":
            waiting.append(Bank())
    last = _played(game, waiting)
    return [*steps, Step(truth["n_frames"] + int(AFTER_S * AFTER_FPS), last, game.finished_turns)]


def _players(told: Sequence[dict[str, Any]]) -> list[str]:
    seats = (each["players"] for each in told if each["what"] == "seats")
    return list(next(seats, PLAYERS[:2]))


def _played(game: Game, actions: Sequence[Action]) -> Game:
    for action in actions:
        game, _ = apply(game, action)
    return game


def play(path: Path) -> Evening:
    """Return what comes of the evening at `path`."""
    script = read_script(path)
    calibration = load_calibration(path.with_suffix(".json"))
    if json.loads((path.parent / "order.json").read_text(encoding="utf-8"))["renderer"] == "flat":
        calibration = TableCalibration(calibration.area_px, calibration.image_size)
    start = new_game(load_preset(RULES), list(script[-1].game.players))
    loop = TableLoop(start, ThrowWatch(calibration))
    evening = Evening(path.stem, script[-1].game.finished_turns, len(script) - 1)
    steps = iter(script)
    step = next(steps)
    for frame in _frames(path):
        events = loop.step(frame)
        if _asks(events):
            evening.asked.setdefault(step.turn, []).extend(_asks(events))
            _bring(loop, step.game)
        if frame.index == step.last_frame:
            if _log(loop.state.game) != _log(step.game):
                evening.wrong[step.turn] = (
                    f"frame {frame.index}: {_log(loop.state.game)[-3:]}, not {_log(step.game)[-3:]}"
                )
                _bring(loop, step.game)
            step = next(steps, step)
    return evening


def _frames(path: Path) -> Iterator[Frame]:
    """Yield the clip's frames and then the last again, until an empty tray has been empty for long."""
    frame: Frame | None = None
    for frame in ClipSource(path).frames():
        yield frame
    if frame is not None:
        for number in range(1, int(AFTER_S * AFTER_FPS) + 1):
            yield Frame(frame.index + number, frame.t_s + number / AFTER_FPS, frame.image_bgr)


def _asks(events: Sequence[TableEvent]) -> list[str]:
    reasons = [str(event.fields["reason"]) for event in events if event.name == "paused"]
    return [reason for reason in reasons if reason not in VIEW]


def _log(game: Game) -> list[tuple[Any, ...]]:
    """Return what counts of a game's log: who knew it, and misrolls, do not."""
    return [
        (action.kind, *sorted(getattr(action, "faces", None) or ()))
        for action in game.log
        if not isinstance(action, Misroll)
    ]


def _bring(loop: TableLoop, target: Game) -> None:
    """Touch the screen as a person does who knows that the game should be at `target`."""
    wanted = [action for action in target.log if not isinstance(action, Misroll)]
    while _log(loop.state.game) != _log(target)[: len(_log(loop.state.game))]:
        loop.touch(Undo())
    while len(_log(loop.state.game)) < len(wanted):
        loop.touch(_touch(wanted[len(_log(loop.state.game))]))


def _touch(action: Action) -> Touch:
    return EnterThrow(action.faces) if isinstance(action, Throw) else Play(action)


def _line(evening: Evening) -> str:
    reasons = Counter(reason for asked in evening.asked.values() for reason in asked)
    why = ", ".join(f"{reason} {count}" for reason, count in sorted(reasons.items())) or "none"
    return (
        f"{evening.name}: {evening.throws} throws, {evening.turns} turns, {evening.untouched} with no touch, "
        f"{len(evening.asked)} asked ({why}), {evening.silent} silent errors"
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Read the command line, play all evenings, print what came of them."""
    parser = OneLineParser(prog="python -m benchmarks.evening", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR")
    args = parser.parse_args(argv)
    evenings = []
    for path in (path for folder in args.folders for path in sorted(folder.glob("clip-*.mp4"))):
        evenings.append(play(path))
        print(_line(evenings[-1]), flush=True)
        for turn, what in evenings[-1].wrong.items():
            print(f"  turn {turn + 1}, {what}", flush=True)
    turns = sum(each.turns for each in evenings)
    untouched = sum(each.untouched for each in evenings)
    silent = sum(each.silent for each in evenings)
    share = f"{untouched / turns:.1%}" if turns else "-"
    print(f"all: {turns} turns, {untouched} with no touch ({share}), {silent} silent errors")
    return 1 if silent else 0


if __name__ == "__main__":
    sys.exit(main())
