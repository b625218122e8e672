from __future__ import annotations

import numpy as np
import pytest

from tests.vision.drawn_dice import DARK, LIGHT, Camera, Die, Look, Paint, draw
from vision.corners import refine_corners
from vision.spots import build_pyramid


@pytest.mark.parametrize("paint", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("side_px", [40, 100, 260])
def test_corners_roughly_known_are_brought_to_the_edges(side_px: int, paint: Paint) -> None:
    """From 5 % of a side off; without shadows, right below the camera, so that there is one edge a side."""
    camera = Camera(3 * side_px, 3 * side_px, side_px, distance=60)
    for seed, turn_deg in enumerate((0, 20, 45, 77)):
        picture = draw([Die(3, turn_deg=turn_deg, paint=paint)], camera, Look(shadow=0.0), seed)
        truth = picture.dice[0].corners_px
        rough = truth + np.random.default_rng(seed).uniform(-0.05, 0.05, size=(4, 2)) * side_px
        refined = refine_corners(build_pyramid(picture.image), rough[None])[0]
        assert np.linalg.norm(refined - truth, axis=1).max() < max(0.03 * side_px, 1.5)


def test_corners_on_a_plain_ground_stay_where_they_were() -> None:
    corners = np.array([[30.0, 30], [70, 28], [72, 70], [29, 71]])
    refined = refine_corners(build_pyramid(np.full((100, 100, 3), 90, dtype=np.uint8)), corners[None])
    assert refined[0] == pytest.approx(corners, abs=0.5)
