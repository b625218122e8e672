"""A hand with its forearm and sleeve: bones by pose, a smooth skin around them, colours.

Its own frame, in mm: origin where the fingertips act (between the tips that pinch, in the middle of the cup's
bottom, at the tip of the finger that points), x the way the hand reaches, z up. Right hands have the
thumb at +y. Sizes are those of a grown man's hand (index finger 94 mm, breadth 85 mm), times `Arm.size`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from datasets.dice_mesh import Mesh
from datasets.meshes import grid_triangles
from datasets.rig import Arm, Colour, Floats
from datasets.smooth_surface import smooth_surface
from datasets.textures import linear

STEP_MM: Final = 2.8
PHALANGES: Final = (
    (36.0, 31.0),
    (44.0, 27.0, 23.0),
    (48.0, 31.0, 25.0),
    (44.0, 28.0, 25.0),
    (34.0, 21.0, 22.0),
)
THICK_MM: Final = ((11.5, 8.5), (9.8, 7.2), (10.2, 7.4), (9.6, 7.0), (8.4, 6.2))
"""From thumb to little finger: the joints apart, and the radii at knuckle and tip."""
WRIST_MM: Final = 23.0
ELBOW_MM: Final = 38.0
_SLEEVE_ROUND, _SLEEVE_LONG = 48, 60


@dataclass(frozen=True, slots=True)
class Pose:
    """Where wrist, the thumb's root, knuckles and fingertips are, and the way the bent fingers bulge."""

    wrist: tuple[float, float, float]
    root: tuple[float, float, float]
    knuckles: tuple[tuple[float, float, float], ...]
    tips: tuple[tuple[float, float, float], ...]
    bulge: tuple[tuple[float, float, float], ...]
    rise_deg: float


_UP, _OUT, _ON = (0.0, 0.0, 1.0), (0.0, 1.0, 0.6), (1.0, 0.0, 0.35)
POSES: Final[dict[str, Pose]] = {
    "pinch": Pose(
        (-138, 2, 76),
        (-116, 24, 58),
        ((-66, 44, 42), (-46, 31, 70), (-42, 9, 74), (-48, -13, 70), (-53, -32, 61)),
        ((-16, 19, 6), (11, 17, 6), (16, 1, 6), (9, -15, 6), (-8, -27, 8)),
        (_OUT, _UP, _UP, _UP, _UP),
        14,
    ),
    "cup": Pose(
        (-128, 4, 52),
        (-104, 27, 40),
        ((-62, 47, 22), (-34, 33, 40), (-30, 10, 43), (-36, -13, 40), (-42, -33, 33)),
        ((-22, 41, -24), (27, 32, -24), (41, 8, -24), (36, -20, -22), (17, -38, -18)),
        (_OUT, _UP, _UP, _UP, _UP),
        10,
    ),
    "point": Pose(
        (-150, -12, 84),
        (-126, 14, 64),
        ((-76, 25, 44), (-62, 2, 66), (-64, -20, 67), (-70, -41, 62), (-77, -59, 54)),
        ((-36, 9, 36), (0, 0, 4), (-52, -18, 32), (-58, -36, 31), (-65, -52, 30)),
        (_OUT, _UP, _ON, _ON, _ON),
        14,
    ),
}
"""`pinch` picks dice up, `cup` holds a cup by its bottom from above, `point` pushes with the index finger."""


@dataclass(frozen=True, slots=True, eq=False)
class Bones:
    """Tapered rods with round ends: `start`, `end` (N, 3) and `radii` (N, 2) in mm."""

    start: Floats
    end: Floats
    radii: Floats


@dataclass(frozen=True, slots=True, eq=False)
class _Skeleton:
    palm: Bones
    fingers: tuple[Bones, ...]
    elbow: Floats
    wrist: Floats


@lru_cache(maxsize=8)
def hand_bones(arm: Arm, pose: str) -> Bones:
    """Return all rods of hand, forearm and sleeve."""
    skeleton = _skeleton(arm, pose)
    ahead = skeleton.elbow - skeleton.wrist
    cuff = skeleton.wrist + arm.bare * ahead
    sleeve = Bones(
        cuff[np.newaxis], skeleton.elbow[np.newaxis], np.array([[1.25, 1.45]]) * WRIST_MM * arm.size
    )
    return _together([skeleton.palm, *skeleton.fingers, sleeve])


def _together(parts: Sequence[Bones]) -> Bones:
    return Bones(
        *(np.concatenate([getattr(part, name) for part in parts]) for name in ("start", "end", "radii"))
    )


def _skeleton(arm: Arm, pose: str) -> _Skeleton:
    form = POSES[pose]
    wrist, root = np.array(form.wrist, dtype=float), np.array(form.root, dtype=float)
    knuckles = np.array(form.knuckles, dtype=float)
    rise = np.radians(form.rise_deg)
    elbow = wrist + 470 * np.array([-np.cos(rise), 0, np.sin(rise)])
    fingers = tuple(
        _finger(
            knuckles[number], np.array(form.tips[number], dtype=float), number, np.array(form.bulge[number])
        )
        for number in range(len(PHALANGES))
    )
    ends = [(wrist, elbow, WRIST_MM, ELBOW_MM), (root, knuckles[0], 15.0, 12.5), (wrist, root, 17.0, 15.0)]
    ends += [(wrist + np.array([0, 5 - 4.5 * n, 0]), knuckles[n], 17.0, 12.0) for n in range(1, 5)]
    ends += [(knuckles[n], knuckles[n + 1], 11.0, 11.0) for n in range(1, 4)]
    ends.append((wrist, (knuckles[2] + knuckles[3]) / 2 - [0, 0, 4], 19.0, 13.0))
    palm = Bones(
        np.array([end[0] for end in ends]),
        np.array([end[1] for end in ends]),
        np.array([end[2:] for end in ends]),
    )
    size = np.array([1.0, -1.0 if arm.left else 1.0, 1.0]) * arm.size
    return _Skeleton(
        _sized(palm, size), tuple(_sized(finger, size) for finger in fingers), elbow * size, wrist * size
    )


def _sized(bones: Bones, size: Floats) -> Bones:
    return Bones(bones.start * size, bones.end * size, bones.radii * size[0])


def _finger(knuckle: Floats, tip: Floats, number: int, bulge: Floats) -> Bones:
    """Return a finger's rods from knuckle to tip, its joints bent as far as the way is shorter than it."""
    lengths = np.array(PHALANGES[number])
    reach = tip - knuckle
    apart = float(np.linalg.norm(reach))
    least, most = 0.0, 1.9
    for _ in range(30):
        bend = (least + most) / 2
        least, most = (bend, most) if np.linalg.norm(_chain(lengths, bend)[-1]) > apart else (least, bend)
    flat = _chain(lengths, least)
    heading = np.arctan2(flat[-1, 1], flat[-1, 0])
    ahead = reach / apart
    aside = bulge - (bulge @ ahead) * ahead
    aside /= np.linalg.norm(aside)
    cos, sin = np.cos(-heading), np.sin(-heading)
    along, out = flat[:, 0] * cos - flat[:, 1] * sin, flat[:, 0] * sin + flat[:, 1] * cos
    joints = knuckle + along[:, np.newaxis] * ahead + out[:, np.newaxis] * aside
    radii = np.linspace(*THICK_MM[number], len(joints))
    return Bones(joints[:-1], joints[1:], np.column_stack([radii[:-1], radii[1:]]))


def _chain(lengths: Floats, bend: float) -> Floats:
    """Return the joints (N + 1, 2) of rods that each turn clockwise by `bend`, the last one less."""
    turns = -bend * np.array([0.0, 1.0, 1.65][: len(lengths)])
    steps = lengths[:, np.newaxis] * np.column_stack([np.cos(turns), np.sin(turns)])
    return np.vstack([np.zeros(2), np.cumsum(steps, axis=0)])


def _rod_distances(bones: Bones, places: Floats) -> Floats:
    """Return how far places (N, 3) are from each rod's skin, (N, rods)."""
    found = np.empty((len(places), len(bones.start)))
    for number, (start, end, radii) in enumerate(zip(bones.start, bones.end, bones.radii, strict=True)):
        ahead = end - start
        share = np.clip((places - start) @ ahead / (ahead @ ahead), 0, 1)
        away = np.linalg.norm(places - start - share[:, np.newaxis] * ahead, axis=1)
        found[:, number] = away - radii[0] - share * (radii[1] - radii[0])
    return found


def _melted(distances: Floats, softness_mm: float) -> Floats:
    """Return a distance (N,) to bodies (N, bodies) that flow into each other over about `softness_mm`."""
    nearest = distances.min(axis=1)
    rest = np.exp(-(distances - nearest[:, np.newaxis]) / softness_mm).sum(axis=1)
    return np.asarray(nearest - softness_mm * np.log(rest))


def _hand_distance(skeleton: _Skeleton, size: float, places: Floats) -> Floats:
    palm = _melted(_rod_distances(skeleton.palm, places), 4.0 * size)
    joined = [
        _melted(np.column_stack([palm, _melted(_rod_distances(finger, places), 1.2 * size)]), 2.5 * size)
        for finger in skeleton.fingers
    ]
    return np.asarray(np.min(joined, axis=0))


@dataclass(frozen=True, slots=True, eq=False)
class ColouredMesh:
    """A mesh with a colour, linear RGB (V, 3), at every vertex."""

    mesh: Mesh
    colours: Floats


@lru_cache(maxsize=8)
def hand_mesh(arm: Arm, pose: str) -> ColouredMesh:
    """Return skin and sleeve in the hand's frame."""
    skeleton = _skeleton(arm, pose)
    cuff = skeleton.wrist + (arm.bare + 0.12) * (skeleton.elbow - skeleton.wrist)
    tips = np.array([finger.end[-1] for finger in skeleton.fingers])
    solid = np.vstack([tips, *(finger.start for finger in skeleton.fingers), skeleton.wrist, cuff])
    room = 30 * arm.size
    low, high = solid.min(axis=0) - room, solid.max(axis=0) + room

    def distance(places: Floats) -> Floats:
        ends = (places - cuff) @ (cuff - skeleton.wrist) / np.linalg.norm(cuff - skeleton.wrist)
        return np.maximum(_hand_distance(skeleton, arm.size, places), ends)

    vertices, normals, triangles = smooth_surface(distance, low, high, STEP_MM * arm.size)
    skin = Mesh(vertices, normals, np.zeros((len(vertices), 2)), triangles)
    sleeve, cloth = _sleeve(arm, skeleton)
    both = Mesh(
        np.concatenate([skin.vertices, sleeve.vertices]),
        np.concatenate([skin.normals, sleeve.normals]),
        np.concatenate([skin.uv, sleeve.uv]),
        np.concatenate([skin.triangles, sleeve.triangles + len(skin.vertices)]),
    )
    return ColouredMesh(both, np.concatenate([_skin_colours(arm, skeleton, skin), cloth]))


def _skin_colours(arm: Arm, skeleton: _Skeleton, skin: Mesh) -> Floats:
    """Redder at knuckles and tips, lighter on the inside of the hand and on the nails."""
    colours = np.tile(linear(np.array(arm.skin)), (len(skin.vertices), 1))
    joints = np.vstack([finger.start for finger in skeleton.fingers])
    near = np.linalg.norm(skin.vertices[:, np.newaxis] - joints, axis=2).min(axis=1)
    flushed = 0.6 * np.exp(-((near / (13 * arm.size)) ** 2))[:, np.newaxis]
    colours = colours * (1 - flushed * (1 - np.array([0.98, 0.80, 0.78])))
    inside = np.clip(-skin.normals[:, 2:], 0, 1)
    colours = colours * (1 - 0.4 * inside) + 0.4 * inside * np.minimum(1.25 * colours + 0.03, 0.9)
    speckle = np.random.default_rng(arm.seed).normal(1, 0.035, (len(colours), 1))
    colours = colours * speckle
    for finger in skeleton.fingers:
        nail = _is_nail(finger, skin)
        colours[nail] = 0.6 * colours[nail] + 0.4 * np.array([0.72, 0.42, 0.37])
    return np.asarray(np.clip(colours, 0.01, 0.9))


def _is_nail(finger: Bones, skin: Mesh) -> NDArray[np.bool_]:
    start, tip = finger.start[-1], finger.end[-1]
    ahead = (tip - start) / np.linalg.norm(tip - start)
    before = start - finger.start[-2]
    back = before - (before @ ahead) * ahead  # the nail is on the outside of the bend
    length = float(np.linalg.norm(back))
    back = back / length if length > 1 else np.array([0.0, 0, 1]) - ahead * ahead[2]
    back /= np.linalg.norm(back)
    away = skin.vertices - tip
    along, out = away @ ahead, away @ back
    across = np.linalg.norm(away - along[:, np.newaxis] * ahead - out[:, np.newaxis] * back, axis=1)
    radius = finger.radii[-1, 1]
    oval = ((along + 0.35 * radius) / (1.05 * radius)) ** 2 + (across / (0.72 * radius)) ** 2
    return np.asarray((oval < 1) & (out > 0.35 * radius))


def _sleeve(arm: Arm, skeleton: _Skeleton) -> tuple[Mesh, Floats]:
    """Return a creased tube from the cuff to the elbow, and its colours."""
    chance = np.random.default_rng(arm.seed)
    ahead = skeleton.elbow - skeleton.wrist
    length = float(np.linalg.norm(ahead))
    ahead /= length
    aside = np.cross([0.0, 0, 1], ahead)
    aside /= np.linalg.norm(aside)
    up = np.cross(ahead, aside)
    share = np.concatenate([[0.05, 0.0], np.linspace(0, 1, _SLEEVE_LONG - 2)])  # the cuff is turned in
    angles = 2 * np.pi * np.arange(_SLEEVE_ROUND + 1) / _SLEEVE_ROUND
    place = arm.bare + (1 - arm.bare) * share
    radius = arm.size * (WRIST_MM * 1.22 + (ELBOW_MM * 1.3 - WRIST_MM * 1.22) * place)
    radius = np.repeat(radius[:, np.newaxis], len(angles), axis=1)
    radius[0] *= 0.86
    for _ in range(7):
        waves, turns = chance.uniform(4, 26), int(chance.integers(0, 3))
        wave = np.sin(2 * np.pi * (waves * share[:, np.newaxis] + chance.random()) + turns * angles)
        radius[2:] += (
            arm.size * chance.uniform(0.3, 0.9) * wave[2:] * np.clip(share[2:, np.newaxis] * 8, 0, 1)
        )
    out = np.cos(angles)[:, np.newaxis] * aside + np.sin(angles)[:, np.newaxis] * up
    middle = skeleton.wrist + (place * length)[:, np.newaxis] * ahead
    places = middle[:, np.newaxis] + radius[..., np.newaxis] * out
    slope_long, slope_round = np.gradient(places, axis=0), np.gradient(places, axis=1)
    slope_round[:, [0, -1]] = (places[:, [1]] - places[:, [-2]]) / 2  # the seam: where the ring closes
    normals = np.cross(slope_round, slope_long)
    normals /= np.maximum(np.linalg.norm(normals, axis=2, keepdims=True), 1e-9)
    normals *= np.sign((normals * out).sum(axis=2, keepdims=True)) + 1e-9
    shape = places.shape[:2]
    mesh = Mesh(
        places.reshape(-1, 3),
        normals.reshape(-1, 3),
        np.zeros((places.size // 3, 2)),
        grid_triangles(*shape)[:, ::-1],
    )
    return mesh, _cloth(arm, share, angles, chance)


def _cloth(arm: Arm, share: Floats, angles: Floats, chance: np.random.Generator) -> Floats:
    first, second = linear(np.array(arm.sleeve)), linear(np.array(arm.stripes))
    stripes = np.sin(2 * np.pi * (14 * share[:, np.newaxis] + 0 * angles)) > 0.35
    woven = np.where(stripes[..., np.newaxis], second, first) * chance.normal(1, 0.05, (*stripes.shape, 1))
    return np.asarray(np.clip(woven, 0.005, 0.95).reshape(-1, 3))


def skin_and_cloth(chance: np.random.Generator) -> tuple[Colour, Colour, Colour]:
    """Return colours of skin, sleeve and its stripes, which often are the sleeve's own."""
    skin = SKINS[int(chance.integers(len(SKINS)))]
    shade = float(np.exp(chance.normal(0, 0.07)))
    sleeve, other = (CLOTHS[int(number)] for number in chance.integers(len(CLOTHS), size=2))
    stripes = other if chance.random() < 0.2 else sleeve
    return (min(1.0, skin[0] * shade), skin[1] * shade, skin[2] * shade), sleeve, stripes


SKINS: Final = (
    (0.89, 0.72, 0.62), (0.85, 0.66, 0.54), (0.78, 0.57, 0.44), (0.68, 0.47, 0.34), (0.55, 0.37, 0.26),
    (0.42, 0.27, 0.19), (0.31, 0.20, 0.14),
)  # fmt: skip
CLOTHS: Final = (
    (0.10, 0.12, 0.20), (0.08, 0.08, 0.09), (0.45, 0.46, 0.48), (0.86, 0.85, 0.82), (0.20, 0.30, 0.48),
    (0.42, 0.10, 0.12), (0.16, 0.30, 0.20), (0.55, 0.45, 0.32),
)  # fmt: skip
