"""The crop that the reader sees, and the varied crops it learns from.

A crop is an upright square about a supposed die, REACH times the longer side of the die's upright box,
resized to SIDE pixels, BGR. Every training crop is cut anew from a larger patch of the picture, turned and
stretched, and its colours, light, sharpness and noise are changed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.appearance import FloatImage, coloured, lit, noised, pressed
from models.reader_pictures import NOT_JUDGED, Picture, clear_of_dice
from vision.crop_reader import CROP_SIDE, ROOM, cut_crop
from vision.domain import FloatArray, Image
from vision.opencv import cv2

SIDE, REACH = CROP_SIDE, ROOM
NONE = 6  # class of a crop without a top face; classes 0 to 5 are faces 1 to 6
CLASSES = 7
PATCH_SIDE, PATCH_REACH = 160, 3.0
MOST_DICE = 12  # remembered of a patch
REFUSED_OF_A_PICTURE, DRAWN_OF_A_PICTURE = 12, 6
SCALES = (-0.2, 0.32)  # logarithms: boxes drawn by hand, or around a die that lies askew, are wide


@dataclass(frozen=True, slots=True, eq=False)
class Patches:
    """N patches of pictures, three dice wide.

    `image` (N, PATCH_SIDE, PATCH_SIDE, 3). `face` (N,): class of the die in the middle, NONE where there is
    none. `dice` (N, MOST_DICE, 4): middle x, y, longer side and room of the dice near it in patch pixels, NaN
    where there are fewer. `author` (N,): row of the author's name.
    """

    image: Image
    face: NDArray[np.intp]
    dice: FloatArray
    author: NDArray[np.intp]

    def __len__(self) -> int:
        return len(self.face)


def patches_of(picture: Picture, random: np.random.Generator) -> tuple[Image, NDArray[np.intp], FloatArray]:
    """Patches of one picture, with class and dice of each: its dice, and squares that show none."""
    judged = np.flatnonzero(picture.face != NOT_JUDGED)
    refused = picture.refused[random.permutation(len(picture.refused))[:REFUSED_OF_A_PICTURE]]
    drawn = _drawn(picture, random)
    squares = np.concatenate([picture.dice[judged], refused, drawn])
    face = np.concatenate([picture.face[judged] - 1, np.full(len(refused) + len(drawn), NONE, dtype=np.intp)])
    images = [cut_crop(picture.image, s[:2], s[2], PATCH_REACH, PATCH_SIDE) for s in squares]
    dice = np.array([_near(picture, square) for square in squares]).reshape(-1, MOST_DICE, 4)
    return np.array(images, dtype=np.uint8).reshape(-1, PATCH_SIDE, PATCH_SIDE, 3), face, dice


def _drawn(picture: Picture, random: np.random.Generator) -> FloatArray:
    """Squares drawn by chance, of the size of this picture's dice, that show no top face."""
    if not len(picture.dice):
        return np.zeros((0, 3))
    height, width = picture.image.shape[:2]
    count = 4 * DRAWN_OF_A_PICTURE
    side = random.choice(picture.dice[:, 2], size=count) * np.exp(random.uniform(-0.5, 0.5, size=count))
    squares = np.column_stack([random.uniform(0, (width, height), size=(count, 2)), np.maximum(side, 8.0)])
    return squares[clear_of_dice(squares, picture.dice, picture.room)][:DRAWN_OF_A_PICTURE]


def _near(picture: Picture, square: FloatArray) -> FloatArray:
    """Dice (MOST_DICE, 4) about a square in the pixels of its patch, the nearest first."""
    away = np.linalg.norm(picture.dice[:, :2] - square[:2], axis=1)
    rows = np.argsort(away)[:MOST_DICE]
    scale = PATCH_SIDE / (PATCH_REACH * square[2])
    near = np.full((MOST_DICE, 4), np.nan)
    near[: len(rows), :2] = (picture.dice[rows, :2] - square[:2]) * scale + (PATCH_SIDE - 1) / 2
    near[: len(rows), 2] = picture.dice[rows, 2] * scale
    near[: len(rows), 3] = picture.room[rows]
    return near


def gather(pictures: Iterable[tuple[int, Picture]], seed: int) -> Patches:
    """Patches of pictures that come with the row of their author."""
    random = np.random.default_rng(seed)
    parts = [(author, *patches_of(picture, random)) for author, picture in pictures]
    return Patches(
        np.concatenate([image for _, image, _, _ in parts]),
        np.concatenate([face for _, _, face, _ in parts]),
        np.concatenate([dice for _, _, _, dice in parts]),
        np.concatenate([np.full(len(face), author, dtype=np.intp) for author, _, face, _ in parts]),
    )


def varied_crop(patches: Patches, row: int, off: bool, random: np.random.Generator) -> tuple[FloatImage, int]:
    """A crop (SIDE, SIDE, 3) of 0 to 255 about a patch's middle or, `off`, beside it, and its class."""
    face = int(patches.face[row])
    if off or face == NONE:
        x, y, side = _square_of_none(patches.dice[row], face == NONE, random)
        face = NONE
    else:
        x, y, side = patches.dice[row, 0, :3]
        angle, away = random.uniform(0, 2 * math.pi), 0.16 * side * math.sqrt(random.uniform())
        x, y = x + away * math.cos(angle), y + away * math.sin(angle)
        side *= math.exp(random.uniform(*SCALES))
    turned = _turned(patches.image[row], (x, y), side, random)
    return changed(turned, SIDE / REACH * random.uniform(0.7, 1.0), random), face


def _square_of_none(
    near: FloatArray, centred: bool, random: np.random.Generator
) -> tuple[float, float, float]:
    """Middle and side of a square that shows no top face in its middle; tried until one does."""
    dice = near[~np.isnan(near[:, 0])]
    middle, unit = (PATCH_SIDE - 1) / 2, PATCH_SIDE / PATCH_REACH
    square = np.array([[middle, middle, unit]])
    for _ in range(30):
        away, scale = _OFFSETS[random.integers(len(_OFFSETS))] if not centred else ((0.0, 0.12), (-0.2, 0.2))
        angle, far = random.uniform(0, 2 * math.pi), unit * random.uniform(*away)
        square[0, 0], square[0, 1] = middle + far * math.cos(angle), middle + far * math.sin(angle)
        square[0, 2] = unit * math.exp(random.uniform(*scale))
        if clear_of_dice(square, dice[:, :3], dice[:, 3])[0]:
            return float(square[0, 0]), float(square[0, 1]), float(square[0, 2])
    return middle, middle, 0.3 * unit  # a part of the die alone


_OFFSETS = (  # how far off in dice, and the logarithm of the scale
    ((0.36, 0.7), (-0.2, 0.2)),
    ((0.36, 0.8), (-0.3, 0.3)),
    ((0.5, 1.0), (-0.4, 0.3)),
    ((0.0, 0.25), (-1.1, -0.58)),
    ((0.0, 0.25), (0.58, 0.8)),
)


def _turned(
    patch: Image, center: tuple[float, float], side: float, random: np.random.Generator
) -> FloatImage:
    """The square cut out of a patch, turned by any angle, mirrored or not, and slightly foreshortened."""
    turn, lean = random.uniform(0, 2 * math.pi, size=2)
    squeeze = random.uniform(0.78, 1.0) if random.uniform() < 0.5 else random.uniform(0.95, 1.0)
    stretch = _rotation(lean) @ np.diag([1.0, squeeze]) @ _rotation(-lean) / math.sqrt(squeeze)
    back = _rotation(turn) @ stretch * (REACH * side / SIDE)  # from crop to patch
    if random.uniform() < 0.5:
        back[:, 0] *= -1  # a face mirrored is the same face turned
    shift = np.array(center) - back @ np.full(2, (SIDE - 1) / 2)
    return np.asarray(
        cv2.warpAffine(
            patch,
            np.column_stack([back, shift]),
            (SIDE, SIDE),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REFLECT_101,
        ),
        dtype=np.float32,
    )


def _rotation(angle: float) -> FloatArray:
    return np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])


def changed(crop: FloatImage, die_px: float, random: np.random.Generator) -> FloatImage:
    """The crop in other colours, light, sharpness and noise; `die_px` bounds the coarsest resolution."""
    crop = lit(coloured(crop, random), random)
    return pressed(noised(_blurred(crop, die_px, random), random), random)


def _blurred(crop: FloatImage, die_px: float, random: np.random.Generator) -> FloatImage:
    """Out of focus, smeared, or from a picture in which the die is small."""
    kind = random.uniform()
    if kind < 0.25:
        return np.asarray(cv2.GaussianBlur(crop, (0, 0), random.uniform(0.4, 2.0)), dtype=np.float32)
    if kind < 0.32:
        length = int(random.integers(2, 7))
        smear = np.zeros((7, 7), dtype=np.float32)
        angle = random.uniform(0, math.pi)
        ends = [
            (round(3 + at * length / 2 * math.cos(angle)), round(3 + at * length / 2 * math.sin(angle)))
            for at in (-1, 1)
        ]
        cv2.line(smear, ends[0], ends[1], 1.0, 1)
        return np.asarray(cv2.filter2D(crop, -1, smear / smear.sum()), dtype=np.float32)
    if kind < 0.55:
        small = round(REACH * random.uniform(16.0, die_px))
        coarse = cv2.resize(crop, (small, small), interpolation=cv2.INTER_AREA)
        return np.asarray(cv2.resize(coarse, (SIDE, SIDE), interpolation=cv2.INTER_CUBIC), dtype=np.float32)
    return crop
