"""Dice thrown into a tray by MuJoCo: rounded cubes, felt folds, coins, walls that lean."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final
from xml.etree import ElementTree

import mujoco
import numpy as np

from datasets.recipes import Start
from datasets.rig import MOST_DICE, DieLook, Floats, Fold, Poses, Rig
from datasets.solids import Block, floor_blocks, wall_blocks

STEP_S: Final = 0.001
LONGEST_S: Final = 4.0
CHECK_S: Final = 0.1
STILL_M_S, STILL_RAD_S = 0.0006, 0.08
_M: Final = 0.001  # a millimetre
_AWAY: Final = (3.0, 3.0)  # where dice not thrown wait, in m


@dataclass(frozen=True, slots=True, eq=False)
class World:
    """The simulated tray of one rig."""

    model: mujoco.MjModel
    rig: Rig
    data: mujoco.MjData = field(repr=False)


def build_world(rig: Rig) -> World:
    """Return the rig's tray with its dice waiting far away."""
    model = mujoco.MjModel.from_xml_string(_xml(rig))
    return World(model, rig, mujoco.MjData(model))


def settle(world: World, start: Start) -> Poses | None:
    """Return the poses at rest, or None when the dice do not come to rest in time."""
    frames = simulate(world, start, every_s=CHECK_S)
    return None if frames is None else frames[-1]


def simulate(world: World, start: Start, *, every_s: float) -> list[Poses] | None:
    """Return the poses every `every_s` until all lie still, or None when they do not in LONGEST_S."""
    count = len(start.poses)
    data = world.data
    _put(world, start)
    frames = [start.poses]
    for _ in range(round(LONGEST_S / every_s)):
        mujoco.mj_step(world.model, data, nstep=round(every_s / STEP_S))
        frames.append(_poses(data, count))
        speeds = data.qvel.reshape(MOST_DICE, 6)[:count]
        if np.abs(speeds[:, :3]).max() < STILL_M_S and np.abs(speeds[:, 3:]).max() < STILL_RAD_S:
            return frames
    return None


def _put(world: World, start: Start) -> None:
    data, count = world.data, len(start.poses)
    mujoco.mj_resetData(world.model, data)
    places, speeds = data.qpos.reshape(MOST_DICE, 7), data.qvel.reshape(MOST_DICE, 6)
    places[:count, :3] = start.poses.at_mm * _M
    for number in range(count):
        mujoco.mju_mat2Quat(places[number, 3:], start.poses.turn[number].ravel())
    speeds[:count, :3], speeds[:count, 3:] = start.speed * _M, start.spin
    coin = start.coin
    data.mocap_pos[0] = (0, 0, -1) if coin is None else np.array([*coin.at, coin.thick_mm / 2]) * _M


def _poses(data: mujoco.MjData, count: int) -> Poses:
    places = data.qpos.reshape(MOST_DICE, 7)[:count]
    turns = np.zeros((count, 9))
    for number in range(count):
        mujoco.mju_quat2Mat(turns[number], places[number, 3:])
    return Poses(places[:, :3] / _M, turns.reshape(count, 3, 3))


def _xml(rig: Rig) -> str:
    root = ElementTree.Element("mujoco")
    option = _add(root, "option", timestep=f"{STEP_S}", cone="elliptic", impratio="5", iterations="40")
    _add(option, "flag", multiccd="enable")
    default = _add(root, "default")
    _add(default, "geom", solref="0.006 0.8", friction="0.35 0.004 0.0004", condim="4")
    hull = _add(root, "asset")
    for number, look in enumerate(rig.dice):
        _add(hull, "mesh", name=f"die{number}", vertex=_numbers(*(_hull(look) * _M).ravel()))
    world = _add(root, "worldbody")
    _add_ground(world, rig)
    for fold in rig.tray.folds:
        _add_fold(world, fold)
    coin = _add(world, "body", name="coin", mocap="true", pos="0 0 -1")
    _add(coin, "geom", type="cylinder", size=_numbers(0.0115, 0.0011))
    for number in range(MOST_DICE):
        place = _numbers(_AWAY[0] + 0.1 * number, _AWAY[1], rig.die_mm / 2 * _M - rig.tray.base_mm * _M)
        die = _add(world, "body", name=f"die{number}", pos=place)
        _add(die, "freejoint")
        _add(die, "geom", type="mesh", mesh=f"die{number}", density="1180")
    return ElementTree.tostring(root, encoding="unicode")


def _add_ground(world: ElementTree.Element, rig: Rig) -> None:
    _add(world, "geom", type="plane", size="9 9 0.1", pos=_numbers(0, 0, -rig.tray.base_mm * _M))
    blocks = wall_blocks(rig.tray)
    if rig.tray.base_mm:
        blocks += floor_blocks(rig.tray)
    for block in blocks:
        _add_block(world, block)


def _add_block(world: ElementTree.Element, block: Block) -> None:
    quaternion = np.zeros(4)
    turn = block.turn if np.linalg.det(block.turn) > 0 else block.turn * [-1, 1, 1]
    mujoco.mju_mat2Quat(quaternion, np.ascontiguousarray(turn).ravel())
    place, size = _numbers(*block.at_mm * _M), _numbers(*block.half_mm * _M)
    _add(world, "geom", type="box", size=size, pos=place, quat=_numbers(*quaternion))


def _add_fold(world: ElementTree.Element, fold: Fold) -> None:
    """A cylinder with round ends, sunk so far that it is as high and about as wide as the fold."""
    radius = fold_radius(fold)
    ends = [np.array([*end, fold.height_mm - radius]) * _M for end in (fold.start, fold.end)]
    _add(world, "geom", type="capsule", size=_numbers(radius * _M), fromto=_numbers(*ends[0], *ends[1]))


def fold_radius(fold: Fold) -> float:
    """Return the radius in mm of the circle whose cap has the fold's height and width."""
    return (fold.height_mm**2 + fold.half_width_mm**2) / (2 * fold.height_mm)


def _hull(look: DieLook) -> Floats:
    """Return the corners (24, 3) in mm of a cube cut as far as the die is rounded."""
    flat = 0.5 - 0.75 * min(look.rounding, 0.14)
    corners = [
        np.roll([0.5 * x, flat * y, flat * z], shift)
        for shift in range(3)
        for x in (-1, 1)
        for y in (-1, 1)
        for z in (-1, 1)
    ]
    return np.array(corners) * look.edge_mm


def _add(parent: ElementTree.Element, tag: str, **attributes: str) -> ElementTree.Element:
    return ElementTree.SubElement(parent, tag, attributes)


def _numbers(*values: float) -> str:
    return " ".join(f"{value:.9g}" for value in values)
