"""A throw as it was judged at the table, with all that a replay needs to come to the same answer. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from table.events import TableEvent
from table.recording.ring import KeptFrame
from table.state import TableState
from vision.arm_side import ArmSide
from vision.domain import Frame, Image, TableCalibration, Verdict


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """What the judge was given, a frame or several put together, and its verdict."""

    picture: Image
    calibration: TableCalibration | None  # with the newest picture of the empty tray
    expected_dice: int | None
    verdict: Verdict


@dataclass(frozen=True, slots=True, eq=False)
class SeenThrow:
    """A throw that came to rest, and was told.

    `judged`: what was judged last, on which `verdict` was told. `before`: the state that it came into.
    `events`: all that was told of it. `frames`: the clip up to the frame at which it was told. `looked`: its
    last frames as they were: the one that was judged, or all that several looks may have been at.
    `calibration`: the table's, then. `arm`: from where one reached in when it was thrown.
    """

    judged: Judged
    verdict: Verdict
    before: TableState
    events: tuple[TableEvent, ...]
    frames: tuple[KeptFrame, ...]
    looked: tuple[Frame, ...]
    calibration: TableCalibration | None
    arm: ArmSide | None


def said_of(state: TableState, throw: SeenThrow) -> dict[str, object] | None:
    """Return what people at the table have made by `state` of `throw`; None: nothing that is known."""
    lying = state.lying
    if lying is None or lying.verdict is not throw.verdict:
        return None
    said: dict[str, object] = {"faces": lying.faces[: lying.seen], "no_dice": sorted(lying.removed)}
    if lying.lies or lying.added_px:
        said |= {"lies": {place: state.value for place, state in lying.lies}}
        said |= {"added": lying.faces[lying.seen :]}
    return {**said, "counted": lying.counted}


def records_without_names(events: Sequence[TableEvent], players: Sequence[str]) -> list[dict[str, object]]:
    """Return the events as records, with players numbered: `Player 1` and so on, as in `game_of`."""
    numbered = {name: f"Player {number}" for number, name in enumerate(players, 1)}
    return [{key: _unnamed(key, value, numbered) for key, value in each.record().items()} for each in events]


def _unnamed(key: str, value: object, numbered: Mapping[str, str]) -> object:
    match key, value:
        case "player", str(name):
            return numbered.get(name, name)
        case "winners", tuple() | list():
            return [numbered.get(name, name) for name in value]
        case "totals", dict():
            return {numbered.get(name, name): total for name, total in value.items()}
    return value
