"""The ways dice get to lie: thrown, heaped, leant, stacked, thrown out, lost, laid."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from datasets.laying import NoRoomError, cube_turn, dice_thrown, lay_in_rows, lay_scattered
from datasets.posing import pose_dice
from datasets.rig import MOST_DICE, Coin, Floats, Lying, Poses, Rig
from datasets.truth import FLAT_DEG, SURE_TILT_DEG

Chance = np.random.Generator
Truth = Mapping[str, Any]
MIXED: Final = "mixed"


@dataclass(frozen=True, slots=True, eq=False)
class Start:
    """How N dice start: poses, speeds (N, 3) in mm/s, spins (N, 3) in rad/s; how many should come to lie."""

    poses: Poses
    speed: Floats
    spin: Floats
    n_expected: int
    coin: Coin | None = None


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a kind of throw is made: laid by hand or started and left to physics, and what it must show."""

    share: float
    wanted: Callable[[Truth], bool]
    lay: Callable[[Rig, Chance], Lying] | None = None
    start: Callable[[Rig, Chance], Start] | None = None
    askew: bool = False
    ridged: float = 0.06  # how often the floor of its rig has folds or the wall a rounded foot
    dice: int = MOST_DICE  # that its rig has

    def begin(self, rig: Rig, chance: Chance) -> Start:
        """Return how the dice start; only for recipes that leave them to physics."""
        if self.start is None:
            raise TypeError("dice of this recipe are laid, not thrown")
        return self.start(rig, chance)


def _anything(_: Truth) -> bool:
    return True


def _reason(name: str) -> Callable[[Truth], bool]:
    return lambda truth: name in truth["reasons"]


def _is_askew(truth: Truth) -> bool:
    return any(FLAT_DEG < die["tilt_deg"] < SURE_TILT_DEG for die in truth["dice"])


def _thrown(rig: Rig, chance: Chance, count: int, hard: float = 1.0) -> Start:
    """A handful that flies in over one side of the tray."""
    side = chance.uniform(0, 2 * np.pi)
    ahead = np.array([np.cos(side), np.sin(side)])
    aside = np.array([-ahead[1], ahead[0]])
    reach = float(np.abs(np.array(rig.tray.outline) @ ahead).max())
    rows, columns = np.divmod(np.arange(count), 3)
    back = reach * chance.uniform(0.3, 0.9) + 1.9 * rig.die_mm * rows
    across = (columns - 1) * 1.8 * rig.die_mm
    at = -back[:, np.newaxis] * ahead + across[:, np.newaxis] * aside
    up = rig.tray.wall_mm + chance.uniform(30, 80) + chance.uniform(0, 20, count)
    swing = hard * chance.uniform(300, 1100)
    speed = swing * chance.uniform(0.7, 1.3, count)[:, np.newaxis] * ahead + chance.normal(0, 120, (count, 2))
    return Start(
        Poses(np.column_stack([at, up]), any_turns(chance, count)),
        np.column_stack([speed, chance.uniform(-400, 300, count)]),
        chance.uniform(-25, 25, (count, 3)),
        count,
    )


def _natural(rig: Rig, chance: Chance) -> Start:
    return _thrown(rig, chance, dice_thrown(chance))


def _hard(rig: Rig, chance: Chance) -> Start:
    start = _thrown(rig, chance, MOST_DICE, hard=0.7)
    speed = start.speed.copy()
    wild = chance.permutation(MOST_DICE)[: int(chance.integers(1, 3))]
    speed[wild] *= chance.uniform(1.5, 3.0)
    speed[wild, 2] = chance.uniform(200, 900, len(wild))
    return Start(start.poses, speed, start.spin, start.n_expected)


def _fewer(rig: Rig, chance: Chance) -> Start:
    expected = int(chance.integers(2, MOST_DICE + 1))
    start = _thrown(rig, chance, int(chance.integers(max(1, expected - 2), expected)))
    return Start(start.poses, start.speed, start.spin, expected)


def _heap(rig: Rig, chance: Chance) -> Start:
    """Dice poured out of a hand or cup in one place."""
    count = int(chance.integers(4, MOST_DICE + 1))
    at = _somewhere(rig, chance, 0.45) + chance.normal(0, 0.55 * rig.die_mm, (count, 2))
    up = rig.die_mm * (1.0 + 1.25 * np.arange(count))
    return Start(
        Poses(np.column_stack([at, up]), any_turns(chance, count)),
        chance.normal(0, 60, (count, 3)),
        chance.uniform(-6, 6, (count, 3)),
        count,
    )


def _leant(rig: Rig, chance: Chance) -> Start:
    """Some dice fall tilted beside the wall, beside another die or onto a coin, the others anywhere."""
    start = _dropped(rig, chance, MOST_DICE, 2.0)
    at, turn = start.poses.at_mm.copy(), start.poses.turn.copy()
    leaning = int(chance.integers(1, 3))
    coin = Coin(_point(_somewhere(rig, chance, 0.75)), 11.5, 2.2) if chance.random() < 0.4 else None
    for number in range(leaning):
        at[number], turn[number] = _beside(rig, chance, coin if number == 0 else None)
    return Start(Poses(at, turn), 0.2 * start.speed, 0.1 * start.spin, start.n_expected, coin)


def _beside(rig: Rig, chance: Chance, coin: Coin | None) -> tuple[Floats, Floats]:
    half = rig.die_mm / 2
    if coin is not None:
        away = chance.uniform(0, 2 * np.pi)
        reach = coin.radius_mm + chance.uniform(-0.2, 0.9) * half
        at = np.array(coin.at) + reach * np.array([np.cos(away), np.sin(away)])
        return np.array([*at, half + coin.thick_mm + 1]), _tilted(chance, 0.1)
    corners = np.array(rig.tray.outline)
    edge = int(chance.integers(len(corners)))
    first, second = corners[edge], corners[(edge + 1) % len(corners)]
    along = (second - first) / np.linalg.norm(second - first)
    outward = np.array([along[1], -along[0], 0])
    share = chance.uniform(0.15, 0.85)
    foot = first + share * (second - first)
    tilt = chance.uniform(0.25, 0.75)
    place = np.array([*foot, 0]) - outward * half * chance.uniform(1.05, 1.35)
    place[2] = half * chance.uniform(1.25, 1.6)
    lean = _about(np.cross(outward, [0, 0, 1.0]), tilt * chance.choice([-1, 1]))
    heading = np.arctan2(outward[1], outward[0])
    return place, lean @ _about(np.array([0, 0, 1.0]), heading) @ cube_turn(chance)


def _stacked(rig: Rig, chance: Chance) -> Start:
    """A pile of two or three set down on each other, the others anywhere."""
    start = _dropped(rig, chance, MOST_DICE, 2.0)
    at, turn = start.poses.at_mm.copy(), start.poses.turn.copy()
    piled = int(chance.choice([2, 2, 2, 3]))
    foot = _somewhere(rig, chance, 0.7)
    for level in range(piled):
        offset = chance.normal(0, 0.15 * rig.die_mm, 2) if level else np.zeros(2)
        at[level] = [*(foot + offset), rig.die_mm * (0.5 + 1.01 * level) + 0.2]
        turn[level] = _about(np.array([0, 0, 1.0]), chance.uniform(0, 2 * np.pi)) @ cube_turn(chance)
    apart = np.linalg.norm(at[piled:, :2] - foot, axis=1) > 2.2 * rig.die_mm
    kept = np.concatenate([np.ones(piled, dtype=bool), apart])
    speed, spin = start.speed[kept], start.spin[kept]
    speed[:piled], spin[:piled] = 0, 0
    return Start(Poses(at[kept], turn[kept]), speed, spin, int(kept.sum()))


def _dropped(rig: Rig, chance: Chance, count: int, apart: float) -> Start:
    """Dice let fall from low down, all over the floor."""
    places: list[Floats] = []
    for _ in range(60):
        place = _somewhere(rig, chance, 0.8)
        if all(np.linalg.norm(place - other) > apart * rig.die_mm for other in places):
            places.append(place)
        if len(places) == count:
            break
    found = len(places)
    return Start(
        Poses(
            np.column_stack([np.array(places), chance.uniform(1.2, 2.5, found) * rig.die_mm]),
            any_turns(chance, found),
        ),
        chance.normal(0, 90, (found, 3)),
        chance.uniform(-9, 9, (found, 3)),
        found,
    )


def _somewhere(rig: Rig, chance: Chance, share: float) -> Floats:
    """Return a place on the floor, `share` of the way to the outline at most."""
    corners = np.array(rig.tray.outline)
    edge = int(chance.integers(len(corners)))
    rim = corners[edge] + chance.random() * (corners[(edge + 1) % len(corners)] - corners[edge])
    return np.asarray(rim * share * np.sqrt(chance.random()))


def any_turns(chance: Chance, count: int) -> Floats:
    """Return rotations (count, 3, 3) every which way."""
    return np.array([_any_turn(chance) for _ in range(count)]).reshape(count, 3, 3)


def _any_turn(chance: Chance) -> Floats:
    axis = chance.normal(size=3)
    return _about(axis / np.linalg.norm(axis), chance.uniform(0, 2 * np.pi)) @ cube_turn(chance)


def _tilted(chance: Chance, tilt: float) -> Floats:
    heading = chance.uniform(0, 2 * np.pi)
    axis = np.array([np.cos(heading), np.sin(heading), 0])
    return (
        _about(axis, tilt) @ _about(np.array([0, 0, 1.0]), chance.uniform(0, 2 * np.pi)) @ cube_turn(chance)
    )


def _about(axis: Floats, angle: float) -> Floats:
    """Return the rotation (3, 3) by `angle` radians about a unit axis."""
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross)


def _point(place: Floats) -> tuple[float, float]:
    return float(place[0]), float(place[1])


RECIPES: Final[dict[str, Recipe]] = {
    "natural": Recipe(0.42, _anything, start=_natural),
    "heap": Recipe(0.14, _anything, start=_heap),
    "laid": Recipe(0.08, _anything, lay=lay_scattered),
    "rows": Recipe(0.08, _anything, lay=lay_in_rows),
    "lean": Recipe(0.12, _reason("tilted"), start=_leant, ridged=0.4),
    "stack": Recipe(0.06, _reason("stacked"), start=_stacked),
    "out": Recipe(0.06, _reason("outside"), start=_hard),
    "missing": Recipe(0.04, _reason("missing"), start=_fewer),
    "askew": Recipe(0.0, _is_askew, start=_leant, askew=True, ridged=0.7),
    "posed": Recipe(0.0, _anything, lay=pose_dice, askew=True, ridged=0.0, dice=20),
}
"""`share` is how often each is taken when they are mixed; `askew` and `posed` only when asked for."""


def choose_recipe(name: str, chance: Chance) -> str:
    """Return `name`, or for `mixed` the name of one of the recipes by their shares."""
    if name != MIXED:
        return name
    shares = np.array([recipe.share for recipe in RECIPES.values()])
    return list(RECIPES)[int(chance.choice(len(RECIPES), p=shares / shares.sum()))]


__all__ = ["MIXED", "RECIPES", "NoRoomError", "Recipe", "Start", "choose_recipe"]
