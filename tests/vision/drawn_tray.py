"""A drawn tray: felt within a wooden rim, on a wooden table, with dice and things that are none."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from hypothesis import strategies as st

from tests.vision.drawn_dice import Camera, Die, Look, Picture, draw, felt, wood
from vision.domain import DieReading, DieState, FloatArray, Image, TableCalibration
from vision.opencv import cv2

CAMERA = Camera(820, 616, side_px=34, distance=30)
SIDE_PX = 34.0
FLOOR = np.array(
    [[190, 118], [630, 118], [690, 178], [690, 438], [630, 498], [190, 498], [130, 438], [130, 178]]
)
RIM_PX = 26
SCATTERED = (
    Die(1, -5.2, -3.1, 12),
    Die(3, 0.4, -2.6, 50),
    Die(6, 4.9, -1.2, 77),
    Die(2, -3.0, 2.2, 31),
    Die(5, 1.8, 3.4, 5),
    Die(4, 5.6, 2.9, 64),
)
ANYWHERE = st.lists(
    st.builds(
        Die,
        st.integers(1, 6),
        st.integers(-15, 15).map(lambda x: 0.5 * x + 0.17),  # no side exactly edge-on, which cannot be drawn
        st.integers(-10, 9).map(lambda y: 0.5 * y + 0.17),
        st.integers(3, 87),
    ),
    max_size=6,
)
Change = Callable[[Image], Image]


def tray(dice: Sequence[Die] = (), seed: int = 0) -> Picture:
    """Draw the tray; pictures differ by their noise and their dice alone."""

    def ground(width: int, height: int, rng: np.random.Generator) -> FloatArray:
        own = np.random.default_rng(7)
        picture = wood((120, 140, 160), (80, 100, 120))(width, height, own)
        rim, floor = (np.zeros((height, width), np.float32) for _ in range(2))
        cv2.fillPoly(floor, [FLOOR], color=1.0)
        cv2.fillPoly(rim, [FLOOR], color=1.0)
        cv2.polylines(rim, [FLOOR], True, color=1.0, thickness=2 * RIM_PX)
        for part, inside in ((wood((60, 80, 110), (30, 45, 65)), rim), (felt(depth=4.0), floor)):
            picture = np.where(inside[..., np.newaxis] > 0, part(width, height, own), picture)
        return np.asarray(picture)

    return draw(dice, CAMERA, Look(ground, jpeg=92), seed)


def calibrated(empty: Image) -> TableCalibration:
    """The tray's calibration: its outline and its picture without dice, no camera."""
    size = (CAMERA.width, CAMERA.height)
    return TableCalibration(FLOOR.astype(np.float64), image_size=size, empty_image=empty)


def readings(picture: Picture) -> list[DieReading]:
    """What a reader that makes no mistake says of the dice."""
    return [
        DieReading(
            die.face,
            0.99,
            (float(die.center_px[0]), float(die.center_px[1])),
            die.corners_px,
            DieState.FLAT,
        )
        for die in picture.dice
    ]


def shine(gain: float, cast: tuple[float, float, float] = (1.0, 1.0, 1.0)) -> Change:
    """As bright as `gain` says, in the colour of `cast`."""
    return lambda image: np.clip(np.rint(image * (gain * np.array(cast))), 0, 255).astype(np.uint8)


def painted(outline: FloatArray, colour: tuple[int, int, int]) -> Change:
    """Lay a thing of this outline and colour into the picture, a little darker to one side."""

    def paint(image: Image) -> Image:
        mask = np.zeros(image.shape[:2], np.float32)
        cv2.fillPoly(mask, [np.rint(outline).astype(np.int32)], color=1.0)
        share = cv2.GaussianBlur(mask, (0, 0), 1.0)[..., np.newaxis]
        shaded = np.linspace(1.1, 0.8, image.shape[1])[np.newaxis, :, np.newaxis] * np.array(colour)
        return np.clip(np.rint(image * (1 - share) + shaded * share), 0, 255).astype(np.uint8)

    return paint


def circle(x: float, y: float, radius: float) -> FloatArray:
    """Return the outline of a round thing, (64, 2)."""
    around = np.arange(64) * (2 * np.pi / 64)
    return np.array([x, y]) + radius * np.stack([np.cos(around), np.sin(around)], axis=1)


def moved(right: float = 0.0, down: float = 0.0, turn_deg: float = 0.0, zoom: float = 1.0) -> Change:
    """Show what a camera sees that has moved so."""

    def move(image: Image) -> Image:
        height, width = image.shape[:2]
        matrix = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), turn_deg, zoom)
        matrix[:, 2] += right, down
        warped = cv2.warpAffine(
            image, matrix, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(warped, dtype=np.uint8)

    return move


def blurred(sigma_px: float) -> Change:
    """Show what a lens out of focus sees."""
    return lambda image: np.asarray(cv2.GaussianBlur(image, (0, 0), sigma_px), dtype=np.uint8)
