"""Where the players of an evening sit round the table, and how they throw: each from their own side."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import numpy as np

from datasets.happenings import arm_of, flown
from datasets.moves import LEAVE, Reach, glide, reach_from
from datasets.recipes import Start, any_turns
from datasets.rig import Floats, Hand, Instant, Lying, Poses, Rig
from datasets.script import INSTANTS, Rest, Script, Stage, Truth

PLAYERS: Final = ("Ada", "Bo", "Eva", "Finn")
HOW_MANY: Final = {2: 0.6, 3: 0.25, 4: 0.15}
PAIRS: Final = {"opposite": 0.4, "corner": 0.35, "beside": 0.25}  # how two sit
APART_DEG: Final = {"opposite": (160.0, 200.0), "corner": (70.0, 110.0), "beside": (25.0, 50.0)}
ROUND: Final = 0.7  # of three and more: all round the table, else along one half of it
OFTEN_LEFT: Final = 0.15
FROM_AFAR: Final = 0.1  # of the players: their arm is out of the picture when they throw
SWAY: Final = 0.2  # radians, standard deviation: from where an arm comes, from time to time
BRING: Final = 7  # frames
HELD_MM: Final = np.array([0.0, 0.0, 25.0])  # above the dice
MIRROR: Final = np.diag([1.0, -1.0, 1.0])


@dataclass(frozen=True, slots=True)
class Seat:
    """A player's place: `side`, where they sit (radians in the floor frame, round the tray's middle).

    `other_hand`: they use the other hand than the arm among the props. `near_mm`: how far beyond the floor's
    edge they mostly let go of the dice.
    """

    side: float
    other_hand: bool
    near_mm: float


def seated(chance: np.random.Generator) -> tuple[Seat, ...]:
    """Return the seats of two to four players, in the order in which they play."""
    count = int(chance.choice(list(HOW_MANY), p=list(HOW_MANY.values())))
    first = chance.uniform(0, 360)
    if count == 2:
        low, high = APART_DEG[str(chance.choice(list(PAIRS), p=list(PAIRS.values())))]
        sides = [first, first + float(chance.choice([-1, 1])) * chance.uniform(low, high)]
    else:
        step = 360 / count if chance.random() < ROUND else chance.uniform(40, 60)
        sides = [first + step * number + chance.uniform(-15, 15) for number in range(count)]
    return tuple(_seat(chance, float(np.radians(side))) for side in sides)


def _seat(chance: np.random.Generator, side: float) -> Seat:
    near = 190.0 if chance.random() < FROM_AFAR else chance.uniform(-25, 80)
    return Seat(side, bool(chance.random() < OFTEN_LEFT), float(near))


def seats_record(seats: tuple[Seat, ...]) -> dict[str, list[float]]:
    """Return where who sits, for the truth of a clip."""
    return {
        "sides_deg": [round(float(np.degrees(seat.side)) % 360, 1) for seat in seats],
        "near_mm": [round(seat.near_mm, 1) for seat in seats],
    }


def reach_of(stage: Stage, seat: Seat) -> Reach:
    """Return the arm of who sits there, as it reaches in this time."""
    lean = stage.chance.normal(0, [SWAY, 0.1, 0.12])
    arm = arm_of(stage)
    reach = reach_from(stage.rig.lens, arm, seat.side + lean[0], lean[1], lean[2])
    return replace(reach, turn=reach.turn @ MIRROR) if seat.other_hand else reach


def thrown_by(
    stage: Stage, seat: Seat, count: int, fits: Callable[[Truth], bool]
) -> tuple[Reach, list[Poses], Truth]:
    """Return a throw of who sits there: their arm, the dice's way from its hand on, its truth."""
    reach = reach_of(stage, seat)
    near = seat.near_mm + float(stage.chance.normal(0, 15))
    _, frames, truth = flown(stage, count, fits, launch=partial(_let_go, reach=reach, near_mm=near))
    return reach, frames, truth


def _let_go(rig: Rig, chance: np.random.Generator, count: int, reach: Reach, near_mm: float) -> Start:
    """Return dice that leave a hand at the tray's edge, on their way to its middle."""
    ahead = -reach.back[:2]
    aside = np.array([-ahead[1], ahead[0]])
    size = float(np.abs(np.array(rig.tray.outline) @ ahead).max())
    rows, columns = np.divmod(np.arange(count), 3)
    back = size + near_mm + 1.3 * rig.die_mm * rows
    at = -back[:, np.newaxis] * ahead + ((columns - 1) * 1.3 * rig.die_mm)[:, np.newaxis] * aside
    up = rig.tray.wall_mm + chance.uniform(50, 90) + chance.uniform(0, 15, count)
    way = np.maximum(back - chance.uniform(0.1, 0.6) * size, 0.2 * size)
    speed = (way / np.sqrt(2 * up / 9810) * chance.uniform(0.9, 1.1, count))[:, np.newaxis] * ahead
    speed += chance.normal(0, 60, (count, 2))
    poses = Poses(np.column_stack([at, up]), any_turns(chance, count))
    return Start(poses, np.column_stack([speed, np.zeros(count)]), chance.uniform(-20, 20, (count, 3)), count)


def show_thrown(script: Script, reach: Reach, frames: list[Poses], truth: Truth) -> None:
    """Let the hand bring the dice, throw them and go; note the throw."""
    start = len(script.frames)
    middle = np.asarray(frames[0].at_mm.mean(axis=0) + HELD_MM)
    on = middle - 40 * reach.back
    keys = [(-float(BRING), reach.off(middle)), (0.0, middle), (2.0, on), (float(LEAVE), reach.off(on))]
    flight = -(-(len(frames) - 1) // INSTANTS)
    for number in range(1 - BRING, max(flight, LEAVE) + 1):
        script.frames.append((_thrown_at(frames, number, keys, reach),))
    rest = (Instant(frames[-1]),)
    script.note("throw", start, truth, Rest(rest, Lying(frames[-1], len(frames[-1]))))


def _thrown_at(frames: list[Poses], number: int, keys: list[tuple[float, Floats]], reach: Reach) -> Instant:
    """Return what is seen `number` frames after the dice have left the hand."""
    hand = glide(keys, number) if number > keys[0][0] else keys[0][1]
    shown = Hand("pinch", hand, reach.turn) if number < keys[-1][0] else None
    if number >= 0:
        return Instant(frames[min(number * INSTANTS, len(frames) - 1)], hand=shown)
    carried = Poses(frames[0].at_mm + (hand - keys[1][1]), frames[0].turn)
    return Instant(carried, hand=shown)
