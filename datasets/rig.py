"""A rig as pure data: one tray, its dice, camera, lamps and sensor. No picture, no physics, no chance.

Lengths are mm in the tray-floor frame (origin in the middle of the floor, z up); colours are sRGB, red first,
0 to 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Colour = tuple[float, float, float]
Point = tuple[float, float]

MOST_DICE = 6
GONE_MM = np.array([0.0, 0.0, -400.0])  # where what is not in the picture waits, under the table


@dataclass(frozen=True, slots=True)
class Surface:
    """What a floor, wall or table is covered with; `tile_mm` is the side of its repeating pattern."""

    kind: str
    colour: Colour
    second: Colour
    tile_mm: float
    contrast: float
    roughness: float
    seed: int


@dataclass(frozen=True, slots=True)
class Fold:
    """A ridge in the felt: a straight, rounded crest of `height_mm` between two points of the floor."""

    start: Point
    end: Point
    height_mm: float
    half_width_mm: float


@dataclass(frozen=True, slots=True)
class Tray:
    """A floor bounded by a convex, centrally symmetric outline (anticlockwise from above), and its wall.

    Outward from the outline come the rounded foot (`chamfer_mm` wide and high), the wall leaning outwards by
    `slope_deg`, and the rim `rim_mm` wide. The table lies `base_mm` below the floor. `wall_mm` 0 is a mat.
    """

    shape: str
    outline: tuple[Point, ...]
    wall_mm: float
    rim_mm: float
    slope_deg: float
    chamfer_mm: float
    base_mm: float
    floor: Surface
    wall: Surface
    folds: tuple[Fold, ...] = ()


@dataclass(frozen=True, slots=True)
class Numbering:
    """How a die is numbered: which way 1, 2, 3 run, and which of 2, 3 and 6 lie the other way."""

    clockwise: bool
    turned: frozenset[int]


@dataclass(frozen=True, slots=True)
class DieLook:
    """How one die is made. Shares are of its edge: `rounding` of the edges, the pips' radii and spread.

    `ball` is the radius, in half edges, of the ball that cuts the corners (2 cuts nothing); `depth` is how
    deep pips are drilled, in radii (0: printed). `metallic` and `roughness` are the
    principled model's.
    """

    edge_mm: float
    rounding: float
    ball: float
    numbering: Numbering
    colour: Colour
    pip_colours: tuple[Colour, Colour, Colour, Colour, Colour, Colour]
    pip_radii: tuple[float, float, float, float, float, float]
    pip_spread: float
    depth: float
    pattern: str
    second: Colour
    wear: float
    roughness: float
    metallic: float
    seed: int


@dataclass(frozen=True, slots=True, eq=False)
class Lens:
    """A camera by OpenCV's model: `size_px` (w, h), `matrix` (3, 3), `distortion` (5,), floor to camera."""

    size_px: tuple[int, int]
    matrix: Floats
    distortion: Floats
    turn: Floats
    shift_mm: Floats

    @property
    def at_mm(self) -> Floats:
        """Where the camera stands in the floor frame, (3,)."""
        return np.asarray(-self.turn.T @ self.shift_mm)


@dataclass(frozen=True, slots=True)
class Lamp:
    """A square lamp that looks at the tray; `power` is the light it sends to the middle of the floor."""

    at_mm: tuple[float, float, float]
    side_mm: float
    power: float
    colour: Colour


@dataclass(frozen=True, slots=True)
class Sensor:
    """What happens between light and file. `white_level`: what a white sheet on the floor reads, 0 to 1."""

    white_level: float
    balance: Colour
    vignetting: float
    blur_px: float
    sharpening: float
    contrast: float
    saturation: float
    noise: float
    noise_grain_px: float
    jpeg_quality: int


@dataclass(frozen=True, slots=True, eq=False)
class Rig:
    """One fixed table: everything that stays the same from throw to throw."""

    tray: Tray
    table: Surface
    dice: tuple[DieLook, ...]
    lens: Lens
    lamps: tuple[Lamp, ...]
    ambience: float
    sensor: Sensor

    @property
    def die_mm(self) -> float:
        """The edge of the dice; all of a rig have the same."""
        return self.dice[0].edge_mm


@dataclass(frozen=True, slots=True, eq=False)
class Poses:
    """Where N dice are: `at_mm` (N, 3) their middles, `turn` (N, 3, 3) from their frames to the floor's."""

    at_mm: Floats
    turn: Floats

    def __len__(self) -> int:
        return len(self.at_mm)


@dataclass(frozen=True, slots=True)
class Coin:
    """A coin lying on the floor."""

    at: Point
    radius_mm: float
    thick_mm: float


@dataclass(frozen=True, slots=True)
class Cup:
    """A dice cup, mouth down: radii of mouth and bottom, height, and its leather's or plastic's colour."""

    mouth_mm: float
    bottom_mm: float
    high_mm: float
    colour: Colour


@dataclass(frozen=True, slots=True)
class Arm:
    """A hand with its forearm: which, how large (1: a grown man's), colours, where on the forearm (0: wrist,
    1: elbow) the sleeve begins, and the seed of its creases.
    """

    left: bool
    size: float
    skin: Colour
    sleeve: Colour
    stripes: Colour
    bare: float
    seed: int


@dataclass(frozen=True, slots=True)
class Props:
    """What comes into a clip and goes again; `hand_poses` names those the hand will take."""

    cup: Cup | None = None
    arm: Arm | None = None
    hand_poses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Hand:
    """The arm at one instant: the name of its pose, and where its frame's origin and axes are."""

    pose: str
    at_mm: Floats
    turn: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Instant:
    """What is in the picture at one instant: the rig's first N dice, a coin, the cup's mouth at `cup_mm`,
    and perhaps a hand.
    """

    poses: Poses
    coin: Coin | None = None
    cup_mm: Floats | None = None
    hand: Hand | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Lying:
    """What lies in one picture: the dice at rest, how many there should be, and perhaps a coin."""

    poses: Poses
    n_expected: int
    coin: Coin | None = None

    @property
    def instant(self) -> Instant:
        """The picture's only instant."""
        return Instant(self.poses, self.coin)


def inside(outline: tuple[Point, ...], points: Floats) -> NDArray[np.bool_]:
    """Return which points (N, 2) lie within a convex outline that runs anticlockwise."""
    return np.asarray(edge_margin(outline, points) >= 0)


def edge_margin(outline: tuple[Point, ...], points: Floats) -> Floats:
    """Return how far points (N, 2) lie within the nearest edge's line of a convex outline, in mm."""
    start = np.array(outline)
    ahead = np.roll(start, -1, axis=0) - start
    inward = np.column_stack([-ahead[:, 1], ahead[:, 0]]) / np.linalg.norm(ahead, axis=1, keepdims=True)
    return np.asarray(((points[:, np.newaxis] - start) * inward).sum(axis=2).min(axis=1))


def grown(outline: tuple[Point, ...], by_mm: float) -> Floats:
    """Return the corners (N, 2) of a convex outline whose edges have moved outward by `by_mm`."""
    corners = np.array(outline)
    ahead = np.roll(corners, -1, axis=0) - corners
    ahead /= np.linalg.norm(ahead, axis=1, keepdims=True)
    outward = np.column_stack([ahead[:, 1], -ahead[:, 0]])
    before = np.roll(outward, 1, axis=0)
    mitre = (outward + before) / (1 + (outward * before).sum(axis=1, keepdims=True))
    return np.asarray(corners + by_mm * mitre)


def wall_profile(tray: Tray) -> list[tuple[float, float]]:
    """Return the wall's section as (outward, up) in mm: floor's edge, foot, rim inside, rim outside."""
    foot = tray.chamfer_mm
    top = foot + (tray.wall_mm - foot) * float(np.tan(np.radians(tray.slope_deg)))
    if tray.wall_mm == 0:
        return [(0.0, 0.0)]
    inner = [(0.0, 0.0)] + ([(foot, foot)] if foot else [])
    return [*inner, (top, tray.wall_mm), (top + tray.rim_mm, tray.wall_mm)]
