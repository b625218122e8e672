"""Dice posed by hand, many in one picture: flat, leaning at any angle, on each other. Needs no physics.

For learning how a die lies, at a fraction of the cost of throws: what holds a leaning die up may be missing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from datasets.laying import NoRoomError, flat_turn
from datasets.rig import DieLook, Floats, Lying, Poses, Rig, edge_margin

Chance = np.random.Generator
Posed = list[tuple[Floats, Floats]]  # middle (3,) about the place of the group, and turn (3, 3)
_TRIES: Final = 60
_NEAR_FLAT_DEG, _STEEP_DEG = (1.6, 15.0), (15.0, 45.0)
_HAIR: Final = 1.01  # between dice that touch


def pose_dice(rig: Rig, chance: Chance) -> Lying:
    """Return as many of the rig's dice as find room, in groups clear of each other; raises NoRoomError."""
    posed: Posed = []
    left = list(rig.dice)
    while left:
        group = _GROUPS[int(chance.choice(len(_GROUPS), p=_SHARES))](left, chance)
        placed = _placed(rig, group, posed, chance) if group else None
        if placed is None:
            break
        posed += placed
        left = left[len(placed) :]
    if not posed:
        raise NoRoomError("no room to pose dice")
    places, turns = (np.array(part) for part in zip(*posed, strict=True))
    return Lying(Poses(places, turns), len(posed))


def _placed(rig: Rig, group: Posed, others: Posed, chance: Chance) -> Posed | None:
    """The group somewhere on the floor, at times pushed against the wall; None when there is no room."""
    outline = np.array(rig.tray.outline)
    for _ in range(_TRIES):
        shift = chance.uniform(outline.min(axis=0), outline.max(axis=0))
        if chance.random() < 0.25:
            shift = _at_wall(rig, group, shift)
        moved = [(middle + np.append(shift, 0.0), turn) for middle, turn in group]
        if _fits(rig, moved, others):
            return moved
    return None


def _at_wall(rig: Rig, group: Posed, shift: Floats) -> Floats:
    """`shift` (2,) moved across the floor's nearest edge until the group touches the wall."""
    start = np.array(rig.tray.outline)
    ahead = np.roll(start, -1, axis=0) - start
    outward = np.column_stack([ahead[:, 1], -ahead[:, 0]]) / np.linalg.norm(ahead, axis=1, keepdims=True)
    edge = int(np.argmax(((shift - start) * outward).sum(axis=1)))
    across = np.array([*outward[edge], 0.0])
    reach = max(
        float((middle + np.append(shift, 0.0)) @ across) + _half_width(rig.dice[0], turn, across)
        for middle, turn in group
    )
    wall = float(start[edge] @ outward[edge])
    return np.asarray(shift + outward[edge] * (wall - reach - 0.2))


def _fits(rig: Rig, group: Posed, others: Posed) -> bool:
    middles = np.array([middle for middle, _ in group])
    reach = min(_half_width(rig.dice[0], turn, np.array([1.0, 0, 0])) for _, turn in group)
    if edge_margin(rig.tray.outline, middles[:, :2]).min() < 0.9 * reach:
        return False
    return all(
        np.linalg.norm(middle - other) > 1.75 * rig.die_mm
        or _clear(rig.die_mm, (middle, turn), (other, other_turn))
        for middle, turn in group
        for other, other_turn in others
    )


def _flat(dice: list[DieLook], chance: Chance) -> Posed:
    return [_on_floor(dice[0], _any_flat(chance))]


def _row(dice: list[DieLook], chance: Chance) -> Posed:
    """Flat dice that touch, or nearly."""
    angle = chance.uniform(0, 2 * np.pi)
    gap = dice[0].edge_mm * float(chance.choice([_HAIR, chance.uniform(1.02, 1.3)]))
    ahead = gap * np.array([np.cos(angle), np.sin(angle), 0.0])
    count = min(len(dice), int(chance.integers(2, 4)))
    row = [_on_floor(die, flat_turn(chance, angle)) for die in dice[:count]]
    return [(middle + number * ahead, turn) for number, (middle, turn) in enumerate(row)]


def _lean(dice: list[DieLook], chance: Chance) -> Posed:
    return [_on_floor(dice[0], _leaning(chance))]


def _lean_on_die(dice: list[DieLook], chance: Chance) -> Posed:
    """A flat die, and another that leans and touches it."""
    if len(dice) < 2:
        return []
    flat, leaning = _on_floor(dice[0], _any_flat(chance)), _on_floor(dice[1], _leaning(chance))
    side = chance.uniform(0, 2 * np.pi)
    away = np.array([np.cos(side), np.sin(side), 0.0])
    near, far = 0.3 * dice[0].edge_mm, 2.0 * dice[0].edge_mm
    for _ in range(12):
        between = (near + far) / 2
        touching = not _clear(dice[0].edge_mm, flat, (leaning[0] + between * away, leaning[1]))
        near, far = (between, far) if touching else (near, between)
    return [flat, (leaning[0] + far * away, leaning[1])]


def _stack(dice: list[DieLook], chance: Chance) -> Posed:
    """A flat die on a flat die, now and then exactly above it."""
    if len(dice) < 2:
        return []
    angle = chance.uniform(0, 2 * np.pi)
    beside = 0.0 if chance.random() < 0.3 else chance.uniform(0, 0.42) * dice[0].edge_mm
    side = chance.uniform(0, 2 * np.pi)
    turn = flat_turn(chance, angle if chance.random() < 0.4 else chance.uniform(0, 2 * np.pi))
    middle, _ = _on_floor(dice[1], turn)
    up = np.array([beside * np.cos(side), beside * np.sin(side), dice[0].edge_mm])
    return [_on_floor(dice[0], flat_turn(chance, angle)), (middle + up, turn)]


_GROUPS: Final[tuple[Callable[[list[DieLook], Chance], Posed], ...]] = (
    _flat, _row, _lean, _lean_on_die, _stack,
)  # fmt: skip
_SHARES: Final = (0.2, 0.12, 0.33, 0.2, 0.15)


def _any_flat(chance: Chance) -> Floats:
    return flat_turn(chance, chance.uniform(0, 2 * np.pi))


def _leaning(chance: Chance) -> Floats:
    """A flat turn tilted, mostly about one of the die's own edges as a wall or a die would have it."""
    angle = chance.uniform(0, 2 * np.pi)
    tilt = np.radians(chance.uniform(*(_NEAR_FLAT_DEG if chance.random() < 0.6 else _STEEP_DEG)))
    heading = angle + (np.pi / 2 * chance.integers(4) if chance.random() < 0.6 else chance.uniform(0, np.pi))
    return np.asarray(_tilt(float(heading), float(tilt)) @ flat_turn(chance, angle))


def _tilt(heading: float, tilt: float) -> Floats:
    """The rotation (3, 3) by `tilt` about the level axis at `heading`, radians."""
    x, y = np.cos(heading), np.sin(heading)
    cross = np.array([[0, 0, y], [0, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + np.sin(tilt) * cross + (1 - np.cos(tilt)) * cross @ cross)


def _on_floor(die: DieLook, turn: Floats) -> tuple[Floats, Floats]:
    """The die so turned that its lowest point touches the floor, above the group's place."""
    return np.array([0.0, 0.0, _half_width(die, turn, np.array([0.0, 0.0, 1.0]))]), turn


def _half_width(die: DieLook, turn: Floats, along: Floats) -> float:
    """How far a rounded die reaches from its middle in the direction `along`, in mm."""
    return float(((0.5 - die.rounding) * np.abs(along @ turn).sum() + die.rounding) * die.edge_mm)


def _clear(edge_mm: float, one: tuple[Floats, Floats], other: tuple[Floats, Floats]) -> bool:
    """Whether a plane parts two cubes (Gottschalk, Lin and Manocha 1996), their rounded edges left out."""
    (at, turn), (other_at, other_turn) = one, other
    crossed = np.cross(turn.T[:, None], other_turn.T[None]).reshape(-1, 3)
    axes = np.vstack([turn.T, other_turn.T, crossed[np.linalg.norm(crossed, axis=1) > 1e-6]])
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    reach = (np.abs(axes @ turn).sum(axis=1) + np.abs(axes @ other_turn).sum(axis=1)) * 0.485 * edge_mm
    return bool((np.abs(axes @ (other_at - at)) > reach).any())
