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
from vision.calibration import load_calibration
from vision.camera import Camera
from vision.domain import FloatArray, Image
from vision.images import read_image
from vision.opencv import cv2
from vision.pose_reader import MIRRORED, VIEW_DICE, VIEW_SIDE, cut_view, view_of

PATCH_SIDE, PATCH_DICE = 136, 2.7
LEAST_VISIBLE = 0.45
LARGEST_TILT_DEG = 50.0
MOST_AWAY = 0.07  # dice by which a top face's middle may be misplaced, standard deviation
MOST_SCALE, MOST_TURN = 0.006, math.radians(3)  # of a calibration, and of corners, that are not exact


@dataclass(frozen=True, slots=True, eq=False)
class PosedDice:
    """N dice in views PATCH_DICE wide.

    `image` (N, PATCH_SIDE, PATCH_SIDE, 3); `oblique` (N, 2) as in `vision.pose_reader.View`; `slope` (N, 2)
    and `height` (N,) as in `vision.pose_reader.Poses`.
    """

    image: Image
    oblique: FloatArray
    slope: FloatArray
    height: FloatArray

    def __len__(self) -> int:
        return len(self.height)

    @property
    def tilt_deg(self) -> FloatArray:
        """Tilt (N,) of the top faces."""
        return np.asarray(np.degrees(np.arcsin(np.linalg.norm(self.slope, axis=1))))


def gather(folders: Iterable[Path]) -> PosedDice:
    """All dice of the rigs under folders that show enough of themselves."""
    images, rows = [], []
    for folder in folders:
        for rig in rigs_under(folder):
            for image, row in _of_rig(rig):
                images.append(image)
                rows.append(row)
    told = np.array(rows).reshape(-1, 5)
    return PosedDice(np.array(images, dtype=np.uint8), told[:, :2], told[:, 2:4], told[:, 4])


def _of_rig(rig: Path) -> Iterable[tuple[Image, FloatArray]]:
    calibration = load_calibration(rig / "table.json")
    camera, die_mm = Camera.of(calibration), calibration.die_mm
    if camera is None or die_mm is None:
        raise ValueError(f"{rig / 'table.json'}: found no camera or die_mm; accepted is a whole calibration")
    for path in sorted(rig.glob("[0-9]*.json")):
        image = read_image(path.with_suffix(".jpg"))
        for die in json.loads(path.read_text(encoding="utf-8"))["dice"]:
            if _is_shown(die):
                view = view_of(camera, np.array(die["corners_px"]), die_mm, side=PATCH_SIDE, dice=PATCH_DICE)
                slope, height = view.axes @ _normal(die)[:2], die["height_mm"] / die_mm
                yield cut_view(image, view, PATCH_SIDE), np.array([*view.oblique, *slope, height])


def _is_shown(die: dict[str, Any]) -> bool:
    seen = die["in_frame"] and die["visible"] >= LEAST_VISIBLE
    return bool(seen and die["state"] != "outside" and die["tilt_deg"] <= LARGEST_TILT_DEG)


def _normal(die: dict[str, Any]) -> FloatArray:
    """Unit normal (3,) of the top-most face: the die's axis that is nearest to straight up."""
    turn = np.array(die["turn"])
    axis = int(np.abs(turn[2]).argmax())
    return np.asarray(turn[:, axis] * np.sign(turn[2, axis]))


def varied_view(
    dice: PosedDice, row: int, random: np.random.Generator
) -> tuple[FloatImage, FloatArray, FloatArray]:
    """A view (VIEW_SIDE, VIEW_SIDE, 3) of 0 to 255 from any side of a die, its oblique and slope (2,)."""
    image = _displaced(dice.image[row], random)
    pointing = np.array([dice.oblique[row], dice.slope[row]])
    for _ in range(random.integers(4)):
        image, pointing = np.rot90(image), np.column_stack([pointing[:, 1], -pointing[:, 0]])
    if random.uniform() < 0.5:
        image, pointing = image[::-1], pointing * MIRRORED
    look = _blurred(_tinted(image.astype(np.float32), random), random)
    return pressed(noised(look, random), random), pointing[0], pointing[1]


def _displaced(patch: Image, random: np.random.Generator) -> Image:
    per_die = PATCH_SIDE / PATCH_DICE
    turn, scale = random.normal(scale=MOST_TURN), math.exp(random.normal(scale=MOST_SCALE))
    scale *= VIEW_DICE / PATCH_DICE * PATCH_SIDE / VIEW_SIDE
    back = scale * np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    middle = (PATCH_SIDE - 1) / 2 + random.normal(scale=MOST_AWAY, size=2) * per_die
    shift = middle - back @ np.full(2, (VIEW_SIDE - 1) / 2)
    cut = cv2.warpAffine(
        patch,
        np.column_stack([back, shift]),
        (VIEW_SIDE, VIEW_SIDE),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(cut, dtype=np.uint8)


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
    """Chance (N,) of each die to be drawn: flat, leaning and raised ones, however many there are of each."""
    raised = dice.height > 0.15
    leaning = ~raised & (dice.tilt_deg > 1.5)
    kind = np.where(raised, 2, np.where(leaning, 1, 0))
    share = np.array([0.42, 0.42, 0.16])[kind] / np.bincount(kind, minlength=3)[kind]
    return np.asarray(share / share.sum())
