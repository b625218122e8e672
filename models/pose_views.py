"""What the pose reader learns from: views of made dice, and varied copies of them."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.appearance import FloatImage, noised, pressed
from models.reader_pictures import rigs_under
from vision.calibration import EMPTY_IMAGE, load_calibration
from vision.camera import Camera
from vision.domain import FloatArray, Image
from vision.images import read_image
from vision.opencv import cv2
from vision.pose_reader import VIEW_DICE, VIEW_SIDE, cut_view, view_of

PATCH_SIDE, PATCH_DICE = 136, 2.7
LEAST_VISIBLE = 0.45
LARGEST_TILT_DEG = 50.0
TWO_TOPS_DEG = 27.0  # from this tilt on the next face may be taken for the top
MISPLACED = 0.5  # of the dice that are shown once more in a square that is not theirs
OTHER_TURN_DEG = (12.0, 78.0)
OTHER_PLACE = (0.35, 0.6)  # dice
AWAY, SELDOM_AWAY = 0.05, 0.15  # dice by which a top face's middle is misplaced, standard deviations
SELDOM = 0.25
REPAINTED, PAINT = 0.5, 0.3  # of the views; standard deviation of each colour's logarithm
LITTERED = 0.2  # of the views: a coin or the like lies beside the die or under its edge
LITTER_RADIUS, LITTER_AWAY = (0.3, 1.0), (0.3, 1.4)  # dice
DIFFERS = 25.0, 60.0  # grey levels (Euclidean over B, G, R) from ground to die
MOST_FALL = 0.08  # standard deviation of the light's logarithm, from a view's middle to its edge
MOST_BRIGHTER = 0.02  # standard deviation of the light, from picture to picture
SHARES = (0.35, 0.35, 0.14, 0.16)  # of a batch: flat, leaning, raised, misplaced
MOST_SCALE, MOST_TURN = 0.006, math.radians(3)  # of a calibration, and of corners, that are not exact


@dataclass(frozen=True, slots=True, eq=False)
class PosedDice:
    """N dice in views PATCH_DICE wide.

    `image` (N, PATCH_SIDE, 2 PATCH_SIDE, 3): beside each the empty tray in the same place. `oblique` (N, 2)
    as in `vision.pose_reader.View`. `slope` (N, 2): level part of the top face's unit normal, to the right
    and down. `height` (N,) of the lowest point, in dice. `fits` (N,): whether the square that is looked at is
    the die's; else slope and height are 0.
    """

    image: Image
    oblique: FloatArray
    slope: FloatArray
    height: FloatArray
    fits: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.height)

    @property
    def tilt_deg(self) -> FloatArray:
        """Tilt (N,) of the top faces."""
        return np.asarray(np.degrees(np.arcsin(np.linalg.norm(self.slope, axis=1))))


def gather(folders: Iterable[Path], seed: int) -> PosedDice:
    """All dice of the rigs under folders that show enough of themselves, some in wrong squares, too."""
    images, rows = [], []
    random = np.random.default_rng(seed)
    for folder in folders:
        for rig in rigs_under(folder):
            for image, row in _of_rig(rig, random):
                images.append(image)
                rows.append(row)
    told = np.array(rows).reshape(-1, 6)
    return PosedDice(
        np.array(images, dtype=np.uint8), told[:, :2], told[:, 2:4], told[:, 4], told[:, 5].astype(bool)
    )


def _of_rig(rig: Path, random: np.random.Generator) -> Iterable[tuple[Image, FloatArray]]:
    calibration = load_calibration(rig / "table.json")
    camera, die_mm = Camera.of(calibration), calibration.die_mm
    if camera is None or die_mm is None:
        raise ValueError(f"{rig / 'table.json'}: found no camera or die_mm; accepted is a whole calibration")
    empty = read_image(rig / EMPTY_IMAGE)
    for path in sorted(rig.glob("[0-9]*.json")):
        both = read_image(path.with_suffix(".jpg")), empty
        for die in json.loads(path.read_text(encoding="utf-8"))["dice"]:
            for corners, normal in _squares(die, camera, die_mm, random) if _is_shown(die) else ():
                view = view_of(camera, corners, die_mm, side=PATCH_SIDE, dice=PATCH_DICE)
                fits = normal is not None
                lies = (
                    (*(view.axes @ normal[:2]), die["height_mm"] / die_mm)
                    if normal is not None
                    else (0, 0, 0)
                )
                yield (
                    np.hstack([cut_view(each, view, PATCH_SIDE) for each in both]),
                    np.array([*view.oblique, *lies, fits]),
                )


def _is_shown(die: dict[str, Any]) -> bool:
    seen = die["in_frame"] and die["visible"] >= LEAST_VISIBLE
    return bool(seen and die["state"] != "outside" and die["tilt_deg"] <= LARGEST_TILT_DEG)


def _squares(
    die: dict[str, Any], camera: Camera, die_mm: float, random: np.random.Generator
) -> Iterable[tuple[FloatArray, FloatArray | None]]:
    """Squares (4, 2) px in which to look at a die, with the unit normal (3,) of the face that is taken for
    the top; None for that where the square is not the die's."""
    corners = np.array(die["corners_px"])
    normals = sorted(_outward(die), key=lambda each: -each[2])
    yield corners, normals[0]
    if die["tilt_deg"] >= TWO_TOPS_DEG:
        yield camera.seen_at(_face_corners(die, normals[1], die_mm)), normals[1]
    if random.random() < MISPLACED:
        yield _elsewhere(corners, random), None


def _outward(die: dict[str, Any]) -> FloatArray:
    """Unit normals (6, 3) of a die's faces."""
    axes = np.array(die["turn"]).T
    return np.concatenate([axes, -axes])


def _face_corners(die: dict[str, Any], normal: FloatArray, die_mm: float) -> FloatArray:
    """Corners (4, 3) mm of a die's face."""
    across = [axis for axis in np.array(die["turn"]).T if abs(axis @ normal) < 0.5]
    square = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
    return np.asarray(np.array(die["at_mm"]) + (normal / 2 + square @ np.array(across)) * die_mm)


def _elsewhere(corners: FloatArray, random: np.random.Generator) -> FloatArray:
    """A square turned otherwise, or moved too far to be taken for the die's."""
    middle, side = corners.mean(axis=0), float(np.linalg.norm(corners[1] - corners[0]))
    away, turn = random.normal(scale=AWAY, size=2), math.radians(random.uniform(*OTHER_TURN_DEG))
    if random.random() < 0.4:
        where = random.uniform(0, 2 * math.pi)
        away = random.uniform(*OTHER_PLACE) * np.array([math.cos(where), math.sin(where)])
        turn *= random.random()
    back = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
    return np.asarray(middle + away * side + (corners - middle) @ back)


def varied_view(dice: PosedDice, row: int, random: np.random.Generator) -> tuple[FloatImage, FloatImage]:
    """A die's view (S, S, 3) of 0 to 255, displaced, in other colours, light and noise, and the tray's."""
    to_patch = _displacement(random)
    pair = np.concatenate([_cut(each, to_patch) for each in np.split(dice.image[row], 2, axis=1)], axis=2)
    beside = np.hstack([pair[..., :3], pair[..., 3:]]).astype(np.float32)
    lit = _repainted(_littered(beside, random), random)
    look = noised(_blurred(_tinted(lit, random), random), random)
    look[:, VIEW_SIDE:] *= math.exp(random.normal(scale=MOST_BRIGHTER))
    image, empty = np.split(pressed(np.clip(look, 0, 255), random), 2, axis=1)
    return image, empty


def _displacement(random: np.random.Generator) -> FloatArray:
    """From a view to a patch (2, 3), as far off as calibrations and corners may be."""
    per_die = PATCH_SIDE / PATCH_DICE
    turn, scale = random.normal(scale=MOST_TURN), math.exp(random.normal(scale=MOST_SCALE))
    scale *= VIEW_DICE / PATCH_DICE * PATCH_SIDE / VIEW_SIDE
    back = scale * np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    away = SELDOM_AWAY if random.uniform() < SELDOM else AWAY
    middle = (PATCH_SIDE - 1) / 2 + random.normal(scale=away, size=2) * per_die
    return np.column_stack([back, middle - back @ np.full(2, (VIEW_SIDE - 1) / 2)])


def _cut(patch: Image, to_patch: FloatArray) -> Image:
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    size = (VIEW_SIDE, VIEW_SIDE)
    return np.asarray(cv2.warpAffine(patch, to_patch, size, flags=how, borderMode=cv2.BORDER_REPLICATE))


def _littered(beside: FloatImage, random: np.random.Generator) -> FloatImage:
    """A disc on the ground, under the die and what it shades, that the empty tray does not have."""
    if random.uniform() >= LITTERED:
        return beside
    image, empty = np.split(beside, 2, axis=1)
    per_die, where = VIEW_SIDE / VIEW_DICE, random.uniform(0, 2 * math.pi)
    away = random.uniform(*LITTER_AWAY) * per_die * np.array([math.cos(where), math.sin(where)])
    middle = np.rint((VIEW_SIDE - 1) / 2 + away).astype(int).tolist()
    disc = np.zeros(image.shape[:2], dtype=np.float32)
    radius = round(random.uniform(*LITTER_RADIUS) * per_die)
    cv2.circle(disc, middle, radius, 1.0, thickness=cv2.FILLED, lineType=cv2.LINE_AA)
    shade = np.clip(
        image.mean(axis=2, keepdims=True) / np.maximum(empty.mean(axis=2, keepdims=True), 1), 0, 1
    )
    colour = random.uniform(30, 230) * np.exp(random.normal(scale=0.25, size=3)).astype(np.float32)
    on_ground = disc[..., None] * (1 - _of_die(image, empty))
    return np.hstack([image + on_ground * (colour * shade - image), empty])


def _of_die(image: FloatImage, empty: FloatImage) -> FloatImage:
    """How surely each pixel (S, S, 1) is the die's and not the ground's, shaded or not: 0 to 1."""
    apart = np.linalg.norm(image - empty, axis=2, keepdims=True)
    return np.asarray(np.clip((apart - DIFFERS[0]) / (DIFFERS[1] - DIFFERS[0]), 0, 1))


def _repainted(beside: FloatImage, random: np.random.Generator) -> FloatImage:
    """The die, where it differs from the empty tray beside it, in another paint; light falling off aslant."""
    image, empty = np.split(beside, 2, axis=1)
    if random.uniform() < REPAINTED:
        paint = np.exp(random.normal(scale=PAINT, size=3)).astype(np.float32)
        image = image * (1 + _of_die(image, empty) * (paint - 1))
    rows, columns = np.mgrid[-1 : 1 : VIEW_SIDE * 1j, -1 : 1 : VIEW_SIDE * 1j].astype(np.float32)
    down, right = random.normal(scale=MOST_FALL, size=2).astype(np.float32)
    light = np.exp(down * rows + right * columns)[..., None]
    return np.hstack([image * light, empty * light])


def _tinted(view: FloatImage, random: np.random.Generator) -> FloatImage:
    """Channels mixed, contrast and brightness changed; light stays light, since shadows tell a lean."""
    mix = np.eye(3)[random.permutation(3)] if random.uniform() < 0.5 else np.eye(3)
    mix = np.abs(mix + random.normal(scale=0.1, size=(3, 3)))
    mix /= mix.sum(axis=1, keepdims=True)
    tinted = np.asarray(cv2.transform(view, mix), dtype=np.float32)
    bent = 255 * (np.clip(tinted, 0, 255) / 255) ** np.float32(math.exp(random.normal(scale=0.2)))
    return np.asarray(np.clip(bent * math.exp(random.normal(scale=0.25)), 0, 255), dtype=np.float32)


def _blurred(view: FloatImage, random: np.random.Generator) -> FloatImage:
    if random.uniform() < 0.3:
        return np.asarray(cv2.GaussianBlur(view, (0, 0), random.uniform(0.3, 1.3)), dtype=np.float32)
    return view


def chances(dice: PosedDice) -> NDArray[np.float64]:
    """Chance (N,) of each die to be drawn: flat, leaning, raised and misplaced ones, however many of each."""
    raised = dice.height > 0.15
    leaning = ~raised & (dice.tilt_deg > 1.5)
    kind = np.where(~dice.fits, 3, np.where(raised, 2, np.where(leaning, 1, 0)))
    share = np.array(SHARES)[kind] / np.bincount(kind, minlength=len(SHARES))[kind]
    return np.asarray(share / share.sum())
