"""Draw overhead pictures of dice whose truth is known to a fraction of a pixel.

It shares nothing with the readers but NumPy and OpenCV's codec and blur: dice are cubes of side 1 on the
floor z = 0 (x right, y towards the viewer's feet, z up), seen by a pinhole camera. Faces are drawn point by
point through the inverse of their projection, so side faces and foreshortening come out as they must.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from vision.domain import FloatArray, Image
from vision.opencv import cv2

Colour = tuple[float, float, float]  # B, G, R

ROUNDING = 0.14  # radius of a face's corners in sides
BEVEL = 0.06  # width over which a face darkens towards its edge
PITCH = 0.26  # of a corner pip from the middle line
NARROW_PITCH = 0.17  # between the middle line and the rows of a six on a rectangle
PIP_RADIUS = 0.10
TO_LIGHT = np.array([-0.35, -0.5, 0.8])  # points from a die to the lamp
ROWS: dict[int, tuple[tuple[float, float], ...]] = {  # as printed: columns and rows of a 3 x 3 grid
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


@dataclass(frozen=True, slots=True)
class Paint:
    """Colours of a die and of its pips."""

    body: Colour
    pip: Colour


LIGHT = Paint((205, 222, 228), (28, 26, 25))
DARK = Paint((42, 38, 36), (225, 228, 230))
RED = Paint((38, 32, 176), (235, 238, 240))
GREEN = Paint((80, 120, 40), (230, 235, 238))
BLUE = Paint((160, 82, 34), (236, 236, 236))
YELLOW = Paint((60, 190, 225), (30, 28, 30))


@dataclass(frozen=True, slots=True)
class Die:
    """A die on the floor: `x`, `y` of its middle in sides; `turn_deg` about the upright."""

    face: int
    x: float = 0.0
    y: float = 0.0
    turn_deg: float = 0.0
    paint: Paint = LIGHT
    narrow_six: bool = False
    pip_radius: float = PIP_RADIUS

    def spots(self, face: int) -> FloatArray:
        """Middles (N, 2) of the pips of a face in its own frame, sides from its middle."""
        across = NARROW_PITCH if face == 6 and self.narrow_six else PITCH
        return np.array(ROWS[face], dtype=np.float64) * (across, PITCH)


@dataclass(frozen=True, slots=True)
class Camera:
    """Looks at the middle of the scene from `distance` sides away, `tilt_deg` off the upright.

    A top face in the middle is `side_px` wide.
    """

    width: int
    height: int
    side_px: float
    distance: float = 28.0
    tilt_deg: float = 0.0

    def project(self, points: FloatArray) -> FloatArray:
        """Pixels (..., 2) of points (..., 3)."""
        tilt = np.radians(self.tilt_deg)
        x, y, up = points[..., 0], points[..., 1], points[..., 2] - 1.0
        down = y * np.cos(tilt) - up * np.sin(tilt)
        away = self.distance - y * np.sin(tilt) - up * np.cos(tilt)
        focal = self.side_px * self.distance
        middle = ((self.width - 1) / 2, (self.height - 1) / 2)
        return np.stack([focal * x / away + middle[0], focal * down / away + middle[1]], axis=-1)

    def away(self, die: Die) -> float:
        """Sides on the floor from below the camera to a die."""
        return float(np.hypot(die.x, die.y - self.distance * np.sin(np.radians(self.tilt_deg))))


@dataclass(frozen=True, slots=True, eq=False)
class DrawnDie:
    """The truth of one die's top face: `corners_px` (4, 2) of the square before its corners were rounded,
    clockwise; `pips_px` (N, 2) and `rims_px` (N, 64, 2) points of the pips' outlines."""

    face: int
    center_px: FloatArray
    corners_px: FloatArray
    pips_px: FloatArray
    rims_px: FloatArray

    @property
    def side_px(self) -> float:
        """Mean length of the sides."""
        return float(np.linalg.norm(self.corners_px - np.roll(self.corners_px, 1, axis=0), axis=1).mean())


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A drawn picture and its dice, in the order given."""

    image: Image
    dice: tuple[DrawnDie, ...]


Ground = Callable[[int, int, np.random.Generator], FloatArray]


def plain(colour: Colour = (70, 96, 66)) -> Ground:
    """One colour, a little brighter to one side."""

    def ground(width: int, height: int, rng: np.random.Generator) -> FloatArray:
        fall = np.linspace(1.06, 0.94, width)[None, :, None] * np.linspace(1.04, 0.96, height)[:, None, None]
        return np.asarray(fall * np.array(colour))

    return ground


def felt(colour: Colour = (58, 104, 40), depth: float = 9.0) -> Ground:
    """A fabric: fine, coarse and very coarse mottling."""

    def ground(width: int, height: int, rng: np.random.Generator) -> FloatArray:
        mottle = sum(
            _mottle(width, height, size, size, rng) * share for size, share in ((2, 1.0), (9, 0.6), (60, 0.8))
        )
        return np.asarray(np.array(colour) + depth * np.asarray(mottle)[..., None])

    return ground


def wood(light: Colour = (92, 134, 178), dark: Colour = (52, 84, 124)) -> Ground:
    """Grain along x with a few knots."""

    def ground(width: int, height: int, rng: np.random.Generator) -> FloatArray:
        y, x = np.mgrid[0:height, 0:width].astype(np.float64)
        across = y / height + 0.05 * _mottle(width, height, 300, 60, rng)
        for _ in range(3):
            column, row, reach = rng.uniform(0, width), rng.uniform(0, height), rng.uniform(0.03, 0.06)
            away = np.hypot((x - column) / (2.5 * height), (y - row) / height)
            across = across + 0.05 * np.exp(-((away / reach) ** 2))
        rings = 0.5 + 0.5 * np.sin(2 * np.pi * 14 * across)
        grain = 0.55 * rings + 0.12 * _mottle(width, height, 40, 1, rng)
        share = np.clip(grain, 0.0, 1.0)[..., None]
        return np.asarray(np.array(light) * (1 - share) + np.array(dark) * share)

    return ground


def cluttered(under: Ground, count: int = 12) -> Ground:
    """Things that are no dice: coins with a rim, rings left by glasses, cards, lines of writing."""

    def ground(width: int, height: int, rng: np.random.Generator) -> FloatArray:
        picture = np.clip(np.rint(under(width, height, rng)), 0, 255).astype(np.uint8)
        for number in range(count):
            at = (int(rng.uniform(0.1, 0.9) * width), int(rng.uniform(0.1, 0.9) * height))
            _THINGS[number % len(_THINGS)](picture, at, min(width, height) // 16, rng)
        return picture.astype(np.float64)

    return ground


def _coin(picture: Image, at: tuple[int, int], size: int, rng: np.random.Generator) -> None:
    metal = np.array(((90, 150, 180), (150, 160, 165))[int(rng.integers(2))], dtype=np.float64)
    cv2.circle(picture, at, size, tuple(0.7 * metal), thickness=-1, lineType=cv2.LINE_AA)
    cv2.circle(picture, at, int(size * 0.88), tuple(metal), thickness=-1, lineType=cv2.LINE_AA)
    where = (at[0] - size // 3, at[1] + size // 3)
    cv2.putText(picture, "1", where, cv2.FONT_HERSHEY_DUPLEX, size / 25, tuple(0.6 * metal), thickness=2)


def _ring(picture: Image, at: tuple[int, int], size: int, rng: np.random.Generator) -> None:
    cv2.circle(picture, at, 2 * size, (60, 80, 100), thickness=max(size // 9, 1), lineType=cv2.LINE_AA)


def _card(picture: Image, at: tuple[int, int], size: int, rng: np.random.Generator) -> None:
    box = cv2.boxPoints((at, (3.2 * size, 4.6 * size), float(rng.uniform(0, 180))))
    cv2.fillConvexPoly(picture, box.astype(np.int32), (226, 232, 234), lineType=cv2.LINE_AA)
    cv2.drawMarker(picture, at, (40, 30, 190), markerType=cv2.MARKER_DIAMOND, markerSize=size, thickness=4)


def _writing(picture: Image, at: tuple[int, int], size: int, rng: np.random.Generator) -> None:
    for line, words in enumerate(("bank 10.000", "oo: 350 i 8", "Ada & Bo")):
        where = (at[0] - 2 * size, at[1] + line * size)
        cv2.putText(picture, words, where, cv2.FONT_HERSHEY_SIMPLEX, size / 40, (25, 20, 20), thickness=2)


_THINGS = (_coin, _ring, _card, _writing)


@dataclass(frozen=True, slots=True)
class Look:
    """How the picture is lit and taken: `noise` grey levels (standard deviation), `blur` px (of the lens)."""

    ground: Ground = field(default_factory=plain)
    shadow: float = 0.4
    blur: float = 0.7
    noise: float = 2.0
    jpeg: int | None = 90


CLEAN = Look(shadow=0.0, blur=0.5, noise=0.0, jpeg=None)


def draw(dice: Sequence[Die], camera: Camera, look: Look = Look(), seed: int = 0) -> Picture:
    """Draw the dice; the same arguments give the same bytes."""
    rng = np.random.default_rng(seed)
    canvas = np.ascontiguousarray(look.ground(camera.width, camera.height, rng), dtype=np.float32)
    _draw_shadows(canvas, dice, camera, look.shadow)
    for die in sorted(dice, key=camera.away, reverse=True):  # the nearer ones cover the others
        _draw_die(canvas, die, camera, rng)
    canvas = cv2.GaussianBlur(canvas, (0, 0), look.blur)
    canvas = canvas + look.noise * rng.standard_normal(canvas.shape, dtype=np.float32)
    image = np.clip(np.rint(canvas), 0, 255).astype(np.uint8)
    if look.jpeg is not None:
        _, code = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, look.jpeg])
        image = np.asarray(cv2.imdecode(code, cv2.IMREAD_COLOR), dtype=np.uint8)
    return Picture(image, tuple(_truth(die, camera) for die in dice))


def grid_of(
    faces: Sequence[int],
    columns: int,
    gap: float,
    turns_deg: Sequence[float],
    paint: Paint = LIGHT,
    narrow_six: bool = False,
) -> list[Die]:
    """Dice of these faces in a centred grid, `gap` sides from middle to middle."""
    rows = -(-len(faces) // columns)
    return [
        Die(
            face,
            x=(number % columns - (columns - 1) / 2) * gap,
            y=(number // columns - (rows - 1) / 2) * gap,
            turn_deg=turns_deg[number % len(turns_deg)],
            paint=paint,
            narrow_six=narrow_six,
        )
        for number, face in enumerate(faces)
    ]


def _mottle(width: int, height: int, along: float, across: float, rng: np.random.Generator) -> FloatArray:
    """Smooth noise of unit deviation whose grains are `along` px wide and `across` px high."""
    shape = (max(int(height / across), 2), max(int(width / along), 2))
    small = rng.standard_normal(shape, dtype=np.float32)
    large = cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC)
    return np.asarray(large / large.std())


def _frames(die: Die) -> list[FloatArray]:
    """Maps (3, 3) of the top and the four sides: columns are the two axes of a face and its middle."""
    turn = np.radians(die.turn_deg)
    right, down = np.array([np.cos(turn), np.sin(turn), 0.0]), np.array([-np.sin(turn), np.cos(turn), 0.0])
    up, middle = np.array([0.0, 0.0, 1.0]), np.array([die.x, die.y, 0.5])
    sides = [(down, up, right), (-right, up, down), (-down, up, -right), (right, up, -down)]
    return [np.stack([u, v, middle + normal / 2], axis=1) for u, v, normal in [(right, down, up), *sides]]


def _place(frame: FloatArray, uv: FloatArray) -> FloatArray:
    """Points (..., 3) of a face at (..., 2)."""
    return np.asarray(uv @ frame[:, :2].T + frame[:, 2])


def _truth(die: Die, camera: Camera) -> DrawnDie:
    top = _frames(die)[0]
    spots = die.spots(die.face)
    around = np.arange(64) * (2 * np.pi / 64)
    rims = spots[:, None] + die.pip_radius * np.stack([np.cos(around), np.sin(around)], axis=1)
    return DrawnDie(
        face=die.face,
        center_px=camera.project(_place(top, np.zeros(2))),
        corners_px=camera.project(_place(top, _SQUARE)),
        pips_px=camera.project(_place(top, spots)),
        rims_px=camera.project(_place(top, rims)),
    )


_SQUARE = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])


def _draw_shadows(canvas: FloatArray, dice: Sequence[Die], camera: Camera, depth: float) -> None:
    """A cast shadow with a soft edge, and a darker one where the die meets the floor."""
    shade = np.ones(canvas.shape[:2], dtype=np.float32)
    for length, soft, part in ((0.5, 0.12, 1.0), (0.06, 0.04, 0.9)):
        mask = np.zeros(canvas.shape[:2], dtype=np.float32)
        for die in dice:
            base = _place(_frames(die)[0], _SQUARE) * (1.0, 1.0, 0.0)
            thrown = base - (*(TO_LIGHT[:2] * length), 0.0)
            hull = cv2.convexHull(camera.project(np.concatenate([base, thrown])).astype(np.float32))
            cv2.fillConvexPoly(mask, np.rint(hull).astype(np.int32), 1.0)
        shade *= 1.0 - depth * part * _soften(mask, soft * camera.side_px)
    canvas *= shade[..., None]


def _soften(mask: FloatArray, sigma: float) -> FloatArray:
    """Gaussian blur, on a smaller copy where it is wide."""
    step = max(int(sigma / 3), 1)
    small = cv2.resize(mask, None, fx=1 / step, fy=1 / step, interpolation=cv2.INTER_AREA)
    blurred = cv2.GaussianBlur(small, (0, 0), sigma / step)
    return np.asarray(cv2.resize(blurred, mask.shape[::-1], interpolation=cv2.INTER_LINEAR))


def _draw_die(canvas: FloatArray, die: Die, camera: Camera, rng: np.random.Generator) -> None:
    """The rounded body, then the faces the camera sees, the top last."""
    frames = _frames(die)
    first, second = rng.permutation([face for face in (1, 2, 3) if die.face not in (face, 7 - face)])
    numbers = (die.face, int(first), int(second), 7 - int(first), 7 - int(second))
    _draw_body(canvas, die, camera, frames[0])
    for frame, number in list(zip(frames, numbers, strict=True))[::-1]:
        to_px = _homography(camera.project(_place(frame, _SQUARE)))
        if np.linalg.det(to_px) > 0:  # faces turned away run anticlockwise
            _draw_face(canvas, die, to_px, number, _light_on(frame, die))


def _light_on(frame: FloatArray, die: Die) -> float:
    """Share of its colour that a face shows; all of it where it lies flat."""
    outward = 2 * (frame[:, 2] - (die.x, die.y, 0.5))
    slant = max(float(outward @ TO_LIGHT) / float(TO_LIGHT[2]), 0.0)
    return 0.5 + 0.5 * min(slant, 1.0)


def _draw_body(canvas: FloatArray, die: Die, camera: Camera, top: FloatArray) -> None:
    """The outline of top and bottom, in the shade of a rounded edge."""
    around = np.arange(96) * (2 * np.pi / 96)
    round_corner = ROUNDING * np.stack([np.cos(around), np.sin(around)], axis=1)
    square = (_SQUARE * (1 - 2 * ROUNDING))[:, None] + round_corner
    rim = _place(top, square.reshape(-1, 2))
    outline = camera.project(np.concatenate([rim - (0.0, 0.0, 0.03), rim - (0.0, 0.0, 0.97)]))
    hull = cv2.convexHull(outline.astype(np.float32))
    origin, shape = _window(canvas, outline)
    fine = 4
    mask = np.zeros((shape[1] * fine, shape[0] * fine))
    cv2.fillConvexPoly(mask, np.rint((hull - origin + 0.5) * fine - 0.5).astype(np.int32), 1.0)
    alpha = _average(mask[..., None], fine)
    _blend(canvas, origin, alpha * np.array(die.paint.body) * 0.72, alpha)


def _draw_face(canvas: FloatArray, die: Die, to_px: FloatArray, number: int, light: float) -> None:
    corners = _apply(to_px, _SQUARE)
    origin, (width, height) = _window(canvas, corners)
    fine = 2 if max(width, height) > 160 else 4
    x, y = (np.arange(size * fine) / fine + (0.5 / fine - 0.5) for size in (width, height))
    grid = np.stack(np.meshgrid(x + origin[0], y + origin[1]), axis=-1)
    place = _apply(np.linalg.inv(to_px), grid)
    depth = _depth_in_face(place)
    inside = (depth > 0)[..., None]
    bevel = 1.0 - 0.22 * np.clip(1.0 - depth / BEVEL, 0.0, 1.0) ** 2
    colour = np.array(die.paint.body) * bevel[..., None]
    for spot in die.spots(number):
        on_pip = np.hypot(*np.moveaxis(place - spot, -1, 0)) < die.pip_radius
        colour[on_pip] = die.paint.pip
    _blend(canvas, origin, _average(colour * inside * light, fine), _average(inside * 1.0, fine))


def _depth_in_face(place: FloatArray) -> FloatArray:
    """Distance (...) of places in a face from its rounded edge, negative outside."""
    beyond = np.abs(place) - (0.5 - ROUNDING)
    outside = np.hypot(*np.moveaxis(np.maximum(beyond, 0.0), -1, 0))
    return np.asarray(ROUNDING - outside - np.minimum(beyond.max(axis=-1), 0.0))


def _window(canvas: FloatArray, points: FloatArray) -> tuple[FloatArray, tuple[int, int]]:
    """The whole pixels (x, y) around points, cut at the picture's edges, and their width and height."""
    limit = np.array(canvas.shape[1::-1])
    low = np.clip(np.floor(points.min(axis=0)) - 1, 0, limit - 1)
    high = np.clip(np.ceil(points.max(axis=0)) + 2, low + 1, limit)
    return low, (int(high[0] - low[0]), int(high[1] - low[1]))


def _average(fine: FloatArray, times: int) -> FloatArray:
    """Shrink (H * times, W * times, C) to (H, W, C)."""
    parts = [fine[row::times, column::times] for row in range(times) for column in range(times)]
    return np.asarray(sum(parts[1:], start=parts[0]) / len(parts))


def _blend(canvas: FloatArray, origin: FloatArray, colour: FloatArray, alpha: FloatArray) -> None:
    """Lay `colour`, already weighed by `alpha`, over the canvas."""
    x, y = origin.astype(int)
    part = canvas[y : y + colour.shape[0], x : x + colour.shape[1]]
    part *= 1.0 - alpha
    part += colour


def _homography(corners_px: FloatArray) -> FloatArray:
    """The map (3, 3) that takes a face's square to four pixels."""
    rows = []
    for (u, v), (x, y) in zip(_SQUARE, corners_px, strict=True):
        rows.append([u, v, 1, 0, 0, 0, -u * x, -v * x])
        rows.append([0, 0, 0, u, v, 1, -u * y, -v * y])
    found = np.linalg.solve(np.array(rows), corners_px.ravel())
    return np.append(found, 1.0).reshape(3, 3)


def _apply(homography: FloatArray, points: FloatArray) -> FloatArray:
    mapped = points @ homography[:, :2].T + homography[:, 2]
    return np.asarray(mapped[..., :2] / mapped[..., 2:])
