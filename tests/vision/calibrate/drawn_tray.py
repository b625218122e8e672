"""Trays as a camera above would see them: floor, walls, rim, table, a shadow of one wall, noise."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from vision.domain import FloatArray, Image
from vision.opencv import cv2

SIZE = (960, 720)
FINE = 4  # OpenCV fills half a pixel too much
MIDDLE = np.array([500.0, 345.0])
FELT, WOOD, TABLE = (60, 110, 50), (60, 95, 140), (150, 150, 155)


def regular(sides: int, radius: float, turned_deg: float = 11.0) -> FloatArray:
    angles = np.radians(turned_deg) + np.arange(sides) * 2 * np.pi / sides
    return MIDDLE + radius * np.column_stack([np.cos(angles), np.sin(angles)])


SHAPES = {
    "rectangle": np.array([[240.0, 190], [770, 172], [778, 520], [233, 528]]),
    "octagon": regular(8, 230),
    "round": regular(180, 220) * (1.0, 0.98) + (0.0, 7.0),
}


@dataclass(frozen=True)
class Tray:
    """`corners` of the floor's outline; what is drawn is blurred and made noisy."""

    corners: FloatArray
    floor: tuple[int, int, int] = FELT
    wall: tuple[int, int, int] = WOOD
    table: tuple[int, int, int] = TABLE
    shadow: float = 0.5
    noise: float = 3.0
    stripes: bool = False
    seed: int = field(default=0)

    def picture(self) -> Image:
        scene = np.empty((SIZE[1], SIZE[0], 3), np.float32)
        scene[:] = self.table
        middle = self.corners.mean(axis=0)
        rings = ((1.16, 1.0, self.wall), (1.07, 0.6, self.wall), (1.0, 1.0, self.floor))
        for wider, light, colour in rings:
            inside = _inside(middle + wider * (self.corners - middle))
            scene = scene * (1 - inside) + inside * light * np.array(colour, np.float32)
        floor = _inside(self.corners)
        if self.stripes:
            bands = (np.arange(SIZE[1]) // 60 % 2)[:, None, None] * floor
            scene = scene * (1 - bands) + bands * np.array((40, 40, 150), np.float32)
        lit = _inside(self.corners + np.array([0.0, 30.0]))  # the upper wall's shadow falls on the floor
        scene *= 1 - (1 - self.shadow) * floor * (1 - cv2.GaussianBlur(lit[..., 0], (0, 0), 5)[..., None])
        blurred = cv2.GaussianBlur(scene, (0, 0), 0.8)
        chance = np.random.default_rng(self.seed)
        return np.clip(blurred + chance.normal(0, self.noise, scene.shape), 0, 255).astype(np.uint8)


def _inside(corners: FloatArray) -> FloatArray:
    """Share (H, W, 1) of each pixel inside the outline."""
    drawn = np.zeros((FINE * SIZE[1], FINE * SIZE[0]), np.uint8)
    fine = FINE * (corners + 0.5) - 0.5
    cv2.fillPoly(drawn, [np.round(fine * 16).astype(np.int32)], 255, shift=4)
    small = cv2.resize(drawn, SIZE, interpolation=cv2.INTER_AREA)
    return (small / np.float32(255))[..., None]
