"""Projects points through a rig's lens, and bends pinhole pictures to what the lens makes of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from datasets.rig import Floats, Lens
from vision.opencv import cv2

Radiance = NDArray[np.float32]


def project(lens: Lens, points_mm: Floats) -> Floats:
    """Return the pixels (N, 2) of points (N, 3) of the floor frame, distortion and all."""
    return _pixels(lens, distorted(lens, _ideal(lens, points_mm)))


def _ideal(lens: Lens, points_mm: Floats) -> Floats:
    seen = points_mm @ lens.turn.T + lens.shift_mm
    return np.asarray(seen[:, :2] / seen[:, 2:])


def distorted(lens: Lens, ideal: Floats) -> Floats:
    """Bend points (N, 2) of the plane at distance 1 by [k1, k2, p1, p2, k3]."""
    k1, k2, p1, p2, k3 = lens.distortion
    x, y = ideal.T
    square = x * x + y * y
    radial = 1 + square * (k1 + square * (k2 + square * k3))
    return np.column_stack(
        [
            x * radial + 2 * p1 * x * y + p2 * (square + 2 * x * x),
            y * radial + p1 * (square + 2 * y * y) + 2 * p2 * x * y,
        ]
    )


def _pixels(lens: Lens, plane: Floats) -> Floats:
    return np.asarray(plane @ lens.matrix[:2, :2].T + lens.matrix[:2, 2])


@dataclass(frozen=True, slots=True)
class Film:
    """The pinhole picture that a lens bends: where it starts, in the lens's pixels, and its size."""

    left: int
    top: int
    width: int
    height: int


def film_of(lens: Lens) -> Film:
    """Return the smallest film that holds all the lens sees."""
    seen = _straightened(lens, _frame(*lens.size_px))
    left, top = (int(edge) - 2 for edge in np.floor(seen.min(axis=0)))
    right, bottom = (int(edge) + 3 for edge in np.ceil(seen.max(axis=0)))
    return Film(left, top, right - left, bottom - top)


def _frame(width: int, height: int) -> Floats:
    across, down = np.arange(0, width, 8.0), np.arange(0, height, 8.0)
    left, top = np.zeros_like(down), np.zeros_like(across)
    sides = [(across, top), (across, top + height - 1), (left, down), (left + width - 1, down)]
    return np.concatenate([np.column_stack(side) for side in sides] + [np.array([[width - 1, height - 1.0]])])


def _straightened(lens: Lens, pixels: Floats) -> Floats:
    straight = cv2.undistortPoints(pixels.reshape(-1, 1, 2), lens.matrix, lens.distortion, P=lens.matrix)
    return np.asarray(straight, dtype=np.float64).reshape(-1, 2)


def bend(lens: Lens, film: Radiance) -> Radiance:
    """Return the picture (H, W, 3) the lens makes of the pinhole picture `film_of`."""
    there = _film_places(lens)
    bent = cv2.remap(film, there[..., 0], there[..., 1], cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(np.maximum(bent, 0), dtype=np.float32)


@lru_cache(maxsize=2)
def _film_places(lens: Lens) -> Radiance:
    """Return where in the film each pixel (H, W, 2) comes from; the same for all frames of a clip."""
    width, height = lens.size_px
    rows, columns = np.mgrid[0:height, 0:width].astype(np.float64)
    straight = _straightened(lens, np.column_stack([columns.ravel(), rows.ravel()]))
    frame = film_of(lens)
    return (straight - [frame.left, frame.top]).astype(np.float32).reshape(height, width, 2)


def calibration(lens: Lens, outline_mm: Floats, die_mm: float) -> dict[str, object]:
    """Return the keys of `table.json` for a floor with the outline (N, 2)."""
    rvec, _ = cv2.Rodrigues(lens.turn)
    to_image = lens.matrix @ np.column_stack([lens.turn[:, :2], lens.shift_mm])
    area = project(lens, np.column_stack([outline_mm, np.zeros(len(outline_mm))]))
    return {
        "image_size": list(lens.size_px),
        "camera_matrix": rounded(lens.matrix, 4),
        "distortion": rounded(lens.distortion, 6),
        "floor_pose": {
            "rvec": rounded(np.asarray(rvec, dtype=np.float64).ravel(), 8),
            "tvec_mm": rounded(lens.shift_mm, 4),
        },
        "floor_to_image": rounded(to_image / to_image[2, 2], 9),
        "area_px": rounded(area, 2),
        "die_mm": die_mm,
    }


def rounded(values: Floats, digits: int) -> list[object]:
    """Return nested lists of numbers with at most `digits` decimals and no negative zero."""
    return list((np.round(values, digits) + 0.0).tolist())


def project_to_film(lens: Lens, points_mm: Floats) -> Floats:
    """Return the pixels (N, 2) of points (N, 3) of the floor frame in the pinhole picture `film_of`."""
    film = film_of(lens)
    return _pixels(lens, _ideal(lens, points_mm)) - [film.left, film.top]
