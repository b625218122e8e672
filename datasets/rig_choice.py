"""Draws a rig by chance: trays, dice, lamps and cameras as different from each other as people's are."""

from __future__ import annotations

import colorsys
from typing import Final, TypeVar

import numpy as np

from datasets.lens import project
from datasets.numbering import FACES
from datasets.rig import (
    MOST_DICE,
    Colour,
    DieLook,
    Floats,
    Fold,
    Lamp,
    Lens,
    Numbering,
    Point,
    Rig,
    Sensor,
    Surface,
    Tray,
    edge_margin,
    grown,
    wall_profile,
)

Chance = np.random.Generator
Name = TypeVar("Name")
SHAPES: Final = {
    "rectangle": 0.26,
    "square": 0.1,
    "rounded": 0.1,
    "octagon": 0.2,
    "long octagon": 0.08,
    "hexagon": 0.08,
    "round": 0.12,
    "oval": 0.06,
}
FLOORS: Final = {
    "felt": 0.44,
    "leather": 0.14,
    "wood": 0.12,
    "plain": 0.1,
    "cloth": 0.1,
    "cork": 0.06,
    "stone": 0.04,
}
TABLES: Final = {
    "wood": 0.42,
    "plain": 0.16,
    "cloth": 0.18,
    "stone": 0.1,
    "felt": 0.05,
    "carpet": 0.05,
    "print": 0.04,
}
FLOOR_COLOURS: Final = (
    (0.10, 0.32, 0.17), (0.07, 0.22, 0.12), (0.45, 0.07, 0.10), (0.30, 0.04, 0.08), (0.10, 0.16, 0.40),
    (0.06, 0.09, 0.22), (0.08, 0.08, 0.09), (0.22, 0.22, 0.24), (0.45, 0.44, 0.42), (0.28, 0.12, 0.36),
    (0.05, 0.33, 0.36), (0.62, 0.52, 0.38), (0.78, 0.75, 0.70), (0.75, 0.62, 0.10), (0.80, 0.40, 0.50),
)  # fmt: skip
WOODS: Final = (
    (0.55, 0.36, 0.20), (0.36, 0.20, 0.11), (0.72, 0.55, 0.36), (0.20, 0.12, 0.08), (0.80, 0.68, 0.50),
    (0.45, 0.25, 0.15), (0.50, 0.46, 0.42),
)  # fmt: skip
LEATHERS: Final = ((0.45, 0.26, 0.14), (0.14, 0.10, 0.08), (0.32, 0.10, 0.08), (0.60, 0.42, 0.26))
DIE_COLOURS: Final = (
    (0.93, 0.92, 0.88), (0.90, 0.86, 0.75), (0.97, 0.97, 0.97), (0.07, 0.07, 0.08), (0.70, 0.07, 0.08),
    (0.08, 0.16, 0.55), (0.06, 0.36, 0.18), (0.88, 0.70, 0.08), (0.85, 0.38, 0.06), (0.32, 0.10, 0.45),
    (0.90, 0.50, 0.62), (0.20, 0.62, 0.72), (0.55, 0.56, 0.58), (0.70, 0.52, 0.33),
)  # fmt: skip
DIE_WEIGHTS: Final = (0.26, 0.1, 0.1, 0.1, 0.1, 0.06, 0.05, 0.04, 0.03, 0.03, 0.03, 0.04, 0.03, 0.03)
BRIGHT_INKS: Final = (
    (0.85, 0.7, 0.25), (0.95, 0.85, 0.5), (0.7, 0.85, 0.95), (0.85, 0.12, 0.10), (0.35, 0.80, 0.35),
    (0.95, 0.50, 0.10),
)  # fmt: skip
LEAST_CONTRAST: Final = 0.4  # of coloured pips against a dark die, in the colour in which they stand out most
PATTERNS: Final = {"plain": 0.66, "marbled": 0.12, "speckled": 0.07, "gem": 0.1, "wood": 0.05}
DIE_PX: Final = (24.0, 90.0)  # the edge of a die in the picture
CAMERA_TRIES: Final = 12
MOST_PIXELS: Final = 0.75e6  # what a picture costs is its pixels


def choose_rig(
    chance: Chance, *, ridged: bool = False, most_pixels: float = MOST_PIXELS, dice: int = MOST_DICE
) -> Rig:
    """Return a rig of so many dice; with `ridged` its floor has folds, or its wall a rounded foot."""
    die_mm = float(
        np.round(chance.choice([12, 14, 15, 16, 16, 16, 17, 18, 19, 20, 22]) + chance.choice([0, 0, 0.3]), 1)
    )
    lens = None
    while lens is None:  # a wide tray of tiny dice fits no picture
        tray = _tray(chance, ridged=ridged)
        lens = _lens(chance, tray, die_mm, most_pixels)
    return Rig(
        tray=tray,
        table=_surface(chance, TABLES, tile_mm=chance.uniform(350, 700)),
        dice=_dice(chance, die_mm, dice),
        lens=lens,
        lamps=_lamps(chance, lens),
        ambience=float(chance.uniform(0.15, 0.9)),
        sensor=_sensor(chance),
    )


def pick(chance: Chance, weights: dict[Name, float]) -> Name:
    """Return a key of `weights` by its weight."""
    names, shares = list(weights), np.array(list(weights.values()))
    return names[int(chance.choice(len(names), p=shares / shares.sum()))]


def _tray(chance: Chance, *, ridged: bool) -> Tray:
    shape = pick(chance, SHAPES)
    mat = chance.random() < 0.08
    wall = 0.0 if mat else float(chance.uniform(12, 45))
    chamfer = float(chance.uniform(3, 6)) if not mat and chance.random() < (0.4 if ridged else 0.06) else 0.0
    slope = 0.0 if chamfer or chance.random() < 0.7 else float(chance.uniform(5, 38))
    outline = _outline(chance, shape)
    floor = _surface(chance, FLOORS, tile_mm=300)
    folded = (ridged and not chamfer) or chance.random() < 0.04
    wall_kind = pick(chance, {"wood": 0.4, "plain": 0.2, "leather": 0.25, "same": 0.15})
    return Tray(
        shape=shape,
        outline=outline,
        wall_mm=wall,
        rim_mm=float(chance.uniform(3, 16)),
        slope_deg=slope,
        chamfer_mm=chamfer,
        base_mm=float(chance.uniform(1.5, 8)) if len(outline) <= 8 else 0.0,
        floor=floor,
        wall=floor if wall_kind == "same" else _surface(chance, {wall_kind: 1.0}, tile_mm=250),
        folds=tuple(_fold(chance, outline) for _ in range(int(chance.integers(2, 5)))) if folded else (),
    )


def _outline(chance: Chance, shape: str) -> tuple[Point, ...]:
    width = float(chance.uniform(115, 250))
    depth = (
        width
        if shape in {"square", "octagon", "hexagon", "round"}
        else width * float(chance.uniform(0.55, 0.9))
    )
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [width / 2, depth / 2]
    if shape in {"rectangle", "square"}:
        points = corners
    elif shape == "rounded":
        points = _rounded_corners(corners, float(chance.uniform(15, 40)))
    elif shape == "long octagon":
        points = _rounded_corners(corners, float(chance.uniform(0.2, 0.32)) * depth, steps=1)
    else:
        sides = {"octagon": 8, "hexagon": 6}.get(shape, 36)
        angle = 2 * np.pi * (np.arange(sides) + 0.5) / sides
        points = np.column_stack([width * np.cos(angle), depth * np.sin(angle)]) / 2 / np.cos(np.pi / sides)
    turn = chance.choice([0.0, 0.0, float(chance.uniform(-0.35, 0.35))])
    spun = points @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    return tuple((round(float(x), 3), round(float(y), 3)) for x, y in spun)


def _rounded_corners(corners: Floats, radius: float, steps: int = 5) -> Floats:
    points = []
    for corner, quarter in zip(corners, (2, 3, 0, 1), strict=True):
        middle = corner - radius * np.sign(corner)
        angles = np.pi / 2 * (quarter + np.linspace(0, 1, steps + 1))
        points += [middle + radius * np.array([np.cos(angle), np.sin(angle)]) for angle in angles]
    return np.array(points)


def _fold(chance: Chance, outline: tuple[Point, ...]) -> Fold:
    reach = np.abs(np.array(outline)).max()
    while True:
        middle, angle = chance.uniform(-0.7, 0.7, 2) * reach, chance.uniform(0, np.pi)
        half = chance.uniform(25, 60) * np.array([np.cos(angle), np.sin(angle)])
        ends = np.array([middle - half, middle + half])
        if edge_margin(outline, ends).min() > 6:
            start, end = ((float(x), float(y)) for x, y in ends)
            return Fold(start, end, float(chance.uniform(1.4, 3.0)), float(chance.uniform(3, 6)))


def _surface(chance: Chance, kinds: dict[str, float], tile_mm: float) -> Surface:
    kind = pick(chance, kinds)
    named = {"wood": WOODS, "leather": LEATHERS}.get(kind, FLOOR_COLOURS)
    colour = _near(chance, named[int(chance.integers(len(named)))], 0.07)
    second = _near(chance, FLOOR_COLOURS[int(chance.integers(len(FLOOR_COLOURS)))], 0.05)
    dull = {"felt": 1.0, "carpet": 1.0, "cloth": 0.95, "cork": 0.8}
    return Surface(
        kind=kind,
        colour=colour,
        second=second,
        tile_mm=float(tile_mm),
        contrast=float(chance.uniform(0.4, 1.3)),
        roughness=dull.get(kind, float(chance.uniform(0.3, 0.7))),
        seed=int(chance.integers(2**31)),
    )


def _near(chance: Chance, colour: Colour, spread: float) -> Colour:
    hue, light, full = colorsys.rgb_to_hls(*colour)
    hue = (hue + chance.normal(0, spread / 3)) % 1
    light = float(np.clip(light * np.exp(chance.normal(0, 2 * spread)), 0.02, 0.95))
    return colorsys.hls_to_rgb(hue, light, float(np.clip(full * np.exp(chance.normal(0, 2 * spread)), 0, 1)))


def _dice(chance: Chance, die_mm: float, count: int) -> tuple[DieLook, ...]:
    """All alike, two kinds mixed, or six kinds."""
    kinds = pick(chance, {1: 0.62, 2: 0.2, MOST_DICE: 0.18})
    looks = [choose_die(chance, die_mm) for _ in range(kinds)]
    return tuple(
        looks[int(chance.integers(kinds))] if kinds < MOST_DICE else looks[i % kinds] for i in range(count)
    )


def choose_die(chance: Chance, die_mm: float) -> DieLook:
    """Return a die of edge `die_mm`: colour, pips, numbering, edges, finish."""
    colour = _near(chance, DIE_COLOURS[int(chance.choice(len(DIE_COLOURS), p=DIE_WEIGHTS))], 0.06)
    asian = chance.random() < 0.28
    ink = _ink(chance, colour)
    radius = float(chance.uniform(0.065, 0.115))
    spread = float(chance.uniform(0.2, 0.235) if asian else chance.uniform(0.23, 0.285))
    one = float(chance.uniform(0.12, 0.25)) if asian else radius * float(chance.choice([1, 1, 1, 1.25]))
    red = (float(chance.uniform(0.6, 0.85)), 0.06, 0.07)
    light = sum(colour) > 1.9
    red_one = light and (asian or chance.random() < 0.1)
    inks = [red if red_one and face in ((1, 4) if asian else (1,)) else ink for face in FACES]
    pattern = pick(chance, PATTERNS)
    metal = pattern == "plain" and chance.random() < 0.05
    return DieLook(
        edge_mm=die_mm,
        rounding=float(chance.choice([chance.uniform(0.03, 0.08), chance.uniform(0.08, 0.2)])),
        ball=float(chance.uniform(1.36, 1.5)) if chance.random() < 0.3 else 2.0,
        numbering=_numbering(chance),
        colour=colour,
        pip_colours=(inks[0], inks[1], inks[2], inks[3], inks[4], inks[5]),
        pip_radii=(one, radius, radius, radius, radius, min(radius, 0.44 * spread)),
        pip_spread=spread,
        depth=float(chance.uniform(0.15, 0.55)) if chance.random() < 0.65 else 0.0,
        pattern="plain" if metal else pattern,
        second=_near(chance, DIE_COLOURS[int(chance.integers(len(DIE_COLOURS)))], 0.08),
        wear=float(chance.uniform(0.3, 1)) if chance.random() < 0.3 else float(chance.uniform(0, 0.2)),
        roughness=float(chance.uniform(0.12, 0.55)),
        metallic=0.9 if metal else 0.0,
        seed=int(chance.integers(2**31)),
    )


def _numbering(chance: Chance) -> Numbering:
    turned = frozenset(face for face in (2, 3, 6) if chance.random() < 0.5)
    return Numbering(clockwise=bool(chance.random() < 0.3), turned=turned)


def _ink(chance: Chance, colour: Colour) -> Colour:
    """Dark pips on light dice, light ones on dark dice; now and then a colour, as far from the die's."""
    light = 0.3 * colour[0] + 0.6 * colour[1] + 0.1 * colour[2] > 0.48
    if light:
        plain = _near(chance, (0.05, 0.05, 0.06), 0.1)
        coloured = [(0.05, 0.1, 0.45), (0.5, 0.04, 0.05), (0.04, 0.25, 0.1), (0.25, 0.12, 0.05)]
    else:
        plain = _near(chance, (0.92, 0.91, 0.88), 0.03)
        coloured = [c for c in BRIGHT_INKS if max(abs(np.subtract(c, colour))) > LEAST_CONTRAST]
    return (
        plain
        if chance.random() < (0.78 if light else 0.62)
        else coloured[int(chance.integers(len(coloured)))]
    )


def _lens(chance: Chance, tray: Tray, die_mm: float, most_pixels: float) -> Lens | None:
    """Return a camera 35 to 60 cm above the tray that has all of it in the picture, dice 24 to 90 px wide.

    None when the picture would be too large whatever is tried, with smaller dice each time.
    """
    for most_px in np.linspace(DIE_PX[1] - 4, DIE_PX[0] + 4, CAMERA_TRIES):
        height = float(chance.uniform(350, 600))
        slant = pick(chance, {0.0: 0.3, 6.0: 0.35, 18.0: 0.25, 32.0: 0.1}) * chance.uniform(0.4, 1.15)
        turn, shift = _stand(chance, height, float(np.radians(slant)))
        die_px = float(np.clip(np.exp(chance.normal(np.log(52), 0.27)), DIE_PX[0] + 3, most_px))
        distortion = np.array([chance.uniform(-0.14, 0.04), chance.uniform(-0.02, 0.04), 0, 0, 0])
        distortion[2:4] = chance.normal(0, 0.0006, 2)
        distortion *= chance.random() < 0.8
        focal = die_px * height / die_mm
        lens = _framed(chance, tray, Lens((2, 2), np.diag([focal, focal, 1.0]), distortion, turn, shift))
        if lens.size_px[0] * lens.size_px[1] <= most_pixels:
            return lens
    return None


def _stand(chance: Chance, height: float, oblique: float) -> tuple[Floats, Floats]:
    """Return turn and shift of a camera that looks at about the tray's middle, `oblique` off the vertical."""
    side = chance.uniform(0, 2 * np.pi) if chance.random() < 0.2 else chance.choice([0, 0.5, 1, 1.5]) * np.pi
    away = np.array([np.sin(oblique) * np.cos(side), np.sin(oblique) * np.sin(side), np.cos(oblique)])
    target = np.array([*chance.normal(0, 6, 2), 0.0])
    ahead = -away
    roll = chance.normal(0, 0.03) if chance.random() < 0.85 else chance.uniform(-np.pi, np.pi)
    up_hint = np.array([-np.cos(side), -np.sin(side), 0.0])
    right = np.cross(ahead, up_hint)
    right /= np.linalg.norm(right)
    down = np.cross(ahead, right)
    turn = np.array([right, down, ahead])
    rolled = np.array([[np.cos(roll), -np.sin(roll), 0], [np.sin(roll), np.cos(roll), 0], [0, 0, 1]]) @ turn
    return rolled, -rolled @ (target + away * height)


def _framed(chance: Chance, tray: Tray, lens: Lens) -> Lens:
    """Return the lens with a picture size and middle such that the tray and some table are in it."""
    out, up = wall_profile(tray)[-1]
    rim = grown(tray.outline, out)
    floor, top = (
        np.column_stack([ring, np.full(len(rim), z)]) for ring, z in ((np.array(tray.outline), 0), (rim, up))
    )
    seen = project(lens, np.vstack([floor, top]))
    low, high = seen.min(axis=0), seen.max(axis=0)
    span = (high - low) * (1.03 + chance.exponential(0.1))
    squat = {4 / 3: 0.6, 16 / 9: 0.14, 1.0: 0.2, 3 / 4: 0.06}
    aspect = pick(chance, squat if span[0] > 0.8 * span[1] else {3 / 4: 0.7, 1.0: 0.3})
    width = max(span[0], span[1] * aspect)
    size = (int(width) // 16 * 16 + 16, int(width / aspect) // 16 * 16 + 16)
    slack = (np.array(size) - (high - low)) * chance.uniform(0.4, 0.6, 2)
    matrix = lens.matrix.copy()
    matrix[:2, 2] = slack - low
    return Lens(size, matrix, lens.distortion, lens.turn, lens.shift_mm)


def _lamps(chance: Chance, lens: Lens) -> tuple[Lamp, ...]:
    """Return three lamps, the later ones weaker, none where the camera could see it."""
    warm = chance.uniform(0, 1)
    lamps = []
    for power in (
        1.0,
        chance.choice([0.0, chance.uniform(0, 0.8)]),
        chance.choice([0.0, chance.uniform(0, 0.4)]),
    ):
        angle, low = chance.uniform(0, 2 * np.pi), chance.random() < 0.35
        away = chance.uniform(700, 1600) if low else chance.uniform(120, 800)
        height = chance.uniform(450, 1200) if low else chance.uniform(lens.at_mm[2] + 250, 2200)
        side = float(np.exp(chance.uniform(np.log(40), np.log(900))))
        tint = (1.0, 1 - 0.16 * warm + chance.normal(0, 0.02), 1 - 0.42 * warm + chance.normal(0, 0.03))
        place = (float(away * np.cos(angle)), float(away * np.sin(angle)), float(height))
        colour = (1.0, float(np.clip(tint[1], 0.5, 1)), float(np.clip(tint[2], 0.3, 1.1)))
        lamps.append(Lamp(place, min(side, 1.2 * float(height)), float(power), colour))
    return tuple(lamps)


def _sensor(chance: Chance) -> Sensor:
    return Sensor(
        white_level=float(chance.uniform(0.5, 1.25)),
        balance=(
            float(np.exp(chance.normal(0, 0.06))),
            1.0,
            float(np.exp(chance.normal(0, 0.08))),
        ),
        vignetting=float(chance.uniform(0, 0.35)),
        blur_px=float(chance.choice([0, chance.uniform(0.3, 1.1)])),
        sharpening=float(chance.choice([0, chance.uniform(0.2, 1.0)])),
        contrast=float(chance.uniform(-0.1, 0.35)),
        saturation=float(chance.uniform(0.75, 1.25)),
        noise=float(np.exp(chance.uniform(np.log(0.5), np.log(5)))),
        noise_grain_px=float(chance.uniform(0.3, 0.9)),
        jpeg_quality=int(chance.integers(68, 97)),
    )
