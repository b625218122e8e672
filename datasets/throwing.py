"""Throws of dice into the tray as rigid-body physics, frame by frame.

Which face comes up is not left to the search: a cube looks the same to physics whichever way it is
numbered, so a throw is searched for where its dice come to lie, and each die is then renumbered to show the
face asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import permutations, product

import mujoco
import numpy as np
from numpy.typing import NDArray

from datasets.tray import DIE_MM, FACE_AXES, FLOOR_MM, N_DICE, RIM_MM, Floats, rotation

Mask = NDArray[np.bool_]

FPS = 30
SHORTEST_S, LONGEST_S = 0.6, 3.0  # a throw that is over sooner is hard to follow
STILL_MM, STILL_COS = 0.05, np.cos(np.radians(0.2) / 2)
LIFT_S, LIFT_GAP_S = 0.3, 0.04
LAID_APART_MM = DIE_MM * 1.5
MOST_TRIES = 10_000


@dataclass(frozen=True, slots=True, eq=False)
class Motion:
    """Poses of all dice over time: `poses` (frames, N_DICE, 7), position in m and quaternion w x y z."""

    poses: Floats

    @property
    def settled(self) -> int:
        """The first frame from which no die moves any more."""
        apart_mm = np.abs(self.poses[:, :, :3] - self.poses[-1, :, :3]).max(axis=(1, 2)) * 1000
        turned = np.abs((self.poses[:, :, 3:] * self.poses[-1, :, 3:]).sum(axis=2)).min(axis=1)
        moving = np.flatnonzero((apart_mm > STILL_MM) | (turned < STILL_COS))
        return int(moving[-1]) + 1 if len(moving) else 0

    @property
    def at_rest(self) -> Floats:
        """The poses at the end, (N_DICE, 7)."""
        return np.array(self.poses[-1])


def throw(
    model: mujoco.MjModel,
    faces: tuple[int, ...],
    fits: Callable[[Floats], bool],
    seed: tuple[int, ...],
    *,
    stray: bool = False,
) -> Motion:
    """Return the first throw from `seed` on that settles in time with resting poses that `fits` accepts.

    The dice fly in from the left; with `stray` the last one is thrown apart, towards an end of the tray.
    Raises RuntimeError if no throw of MOST_TRIES fits.
    """
    for attempt in range(MOST_TRIES):
        random = np.random.default_rng([*seed, attempt])
        motion = _simulate(model, _launch(random, stray=stray))
        if motion is not None and motion.settled >= SHORTEST_S * FPS and fits(motion.at_rest):
            return _renumbered(motion, faces, random)
    raise RuntimeError(f"no throw of {MOST_TRIES} from seed {seed} comes to rest as asked")


def all_in_tray(poses: Floats) -> bool:
    """Whether all dice lie flat on the floor, well apart and clear of the rim."""
    return bool(_flat(poses).all() and _inside(poses).all() and _apart(poses))


def last_outside(poses: Floats) -> bool:
    """Whether all but the last die lie so, and the last flat on the table, wholly in the picture."""
    x_mm, y_mm, z_mm = poses[-1, :3] * 1000
    beside = FLOOR_MM[0] / 2 + RIM_MM[0] + 0.65 * DIE_MM
    shown = abs(x_mm) < 163 and abs(y_mm) < 70
    others = poses[:-1]
    lying = z_mm < DIE_MM / 2 and abs(x_mm) > beside and shown
    return bool(_flat(poses).all() and _inside(others).all() and _apart(others) and lying)


def lift(poses: Floats, order: tuple[int, ...]) -> Motion:
    """Return the dice being taken out of the picture, quickly, one after the other in `order`."""
    frames = []
    count = round((LIFT_S + LIFT_GAP_S * (len(order) - 1)) * FPS) + 1
    for frame in range(1, count + 1):
        lifted = poses.copy()
        for place, die in enumerate(order):
            share = np.clip((frame / FPS - place * LIFT_GAP_S) / LIFT_S, 0, 1)
            lifted[die, :3] += np.array([0.0, -0.45, 0.24]) * share**2
        frames.append(lifted)
    return Motion(np.array(frames))


def out_of_sight() -> Floats:
    """Return poses of dice that wait far from the camera, (N_DICE, 7)."""
    poses = np.zeros((N_DICE, 7))
    poses[:, 0], poses[:, 1] = 1 + 0.05 * np.arange(N_DICE), 1
    poses[:, 2], poses[:, 3] = DIE_MM / 2000, 1
    return poses


def _launch(random: np.random.Generator, *, stray: bool) -> tuple[Floats, Floats]:
    """Return poses (N_DICE, 7) and velocities (N_DICE, 6) of dice leaving a hand left of the picture."""
    poses, velocities = np.zeros((N_DICE, 7)), np.zeros((N_DICE, 6))
    columns, rows = np.divmod(np.arange(N_DICE), 3)
    poses[:, 0] = -0.20 - 0.03 * columns
    poses[:, 1] = (rows - 1) * 0.032
    poses[:, 2] = 0.07 + 0.02 * random.random(N_DICE)
    poses[:, 3:] = random.normal(size=(N_DICE, 4))
    poses[:, 3:] /= np.linalg.norm(poses[:, 3:], axis=1, keepdims=True)
    velocities[:, 0] = random.uniform(0.8, 1.7, N_DICE)
    velocities[:, 1] = random.uniform(-0.25, 0.25, N_DICE)
    velocities[:, 2] = random.uniform(-0.2, 0.5, N_DICE)
    velocities[:, 3:] = random.uniform(-25, 25, (N_DICE, 3))
    if stray:
        velocities[-1, 0] = random.uniform(1.6, 2.3)
        velocities[-1, 2] = random.uniform(0.2, 0.7)
    return poses, velocities


def _simulate(model: mujoco.MjModel, launch: tuple[Floats, Floats]) -> Motion | None:
    """Run a throw to its rest; None if it does not come to rest in LONGEST_S."""
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:] = launch[0].ravel(), launch[1].ravel()
    steps = round(1 / FPS / model.opt.timestep)
    poses = [launch[0].copy()]
    for _ in range(round(LONGEST_S * FPS)):
        mujoco.mj_step(model, data, nstep=steps)
        poses.append(data.qpos.reshape(N_DICE, 7).copy())
        if np.abs(data.qvel).max() < 0.01:
            return Motion(np.array(poses))
    return None


def _up(poses: Floats) -> Floats:
    """Return the world's up direction in each die's own frame, (N, 3)."""
    return np.array([rotation(quaternion).T[:, 2] for quaternion in poses[:, 3:]])


def _flat(poses: Floats) -> Mask:
    return np.asarray(np.abs(_up(poses)).max(axis=1) > np.cos(np.radians(0.5)))


def _inside(poses: Floats) -> Mask:
    """Whether each lies on the floor, clear of the rim."""
    room = np.array(FLOOR_MM) / 2 - 0.62 * DIE_MM
    lying = np.abs(poses[:, 2] * 1000 - DIE_MM / 2) < 0.5
    return np.asarray(lying & (np.abs(poses[:, :2] * 1000) < room).all(axis=1))


def _apart(poses: Floats) -> bool:
    gaps = np.linalg.norm(poses[:, np.newaxis, :2] - poses[np.newaxis, :, :2], axis=2) * 1000
    return bool((gaps[~np.eye(len(poses), dtype=bool)] > LAID_APART_MM).all())


def _renumbered(motion: Motion, faces: tuple[int, ...], random: np.random.Generator) -> Motion:
    """Turn every die within itself, the same way in every frame, so that it ends with its face up."""
    poses = motion.poses.copy()
    for die, face in enumerate(faces):
        upward = np.rint(_up(poses[-1, die : die + 1])[0])
        turns = [turn for turn in _cube_turns() if np.array_equal(turn @ FACE_AXES[face], upward)]
        turn = np.zeros(4)
        mujoco.mju_mat2Quat(turn, turns[random.integers(len(turns))].ravel())
        for frame in range(len(poses)):
            turned = np.zeros(4)
            mujoco.mju_mulQuat(turned, poses[frame, die, 3:], turn)
            poses[frame, die, 3:] = turned
    return Motion(poses)


def _cube_turns() -> list[Floats]:
    """Return the 24 rotations that carry a cube into itself, (3, 3) each."""
    signed = [
        np.eye(3)[list(order)] * np.array(signs)[:, np.newaxis]
        for order in permutations(range(3))
        for signs in product((-1, 1), repeat=3)
    ]
    return [matrix for matrix in signed if np.linalg.det(matrix) > 0]
