"""The drawer is the oracle of the reader's tests; here its truth is held to its own pictures."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.drawn_dice import CLEAN, Camera, Die, DrawnDie, Paint, draw, felt, plain
from vision.domain import FloatArray

RED_PIPS = Paint((200.0, 200.0, 200.0), (0.0, 0.0, 200.0))


def redness(image: np.ndarray) -> FloatArray:
    return np.clip((image[..., 2].astype(float) - image[..., 1]) / 200, 0, 1)


def area(polygon: FloatArray) -> float:
    x, y = polygon.T
    return float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2


def pip_mass(die: DrawnDie, red: FloatArray) -> FloatArray:
    """Area and middle (N, 3) of what is red around each pip."""
    y, x = np.mgrid[0 : red.shape[0], 0 : red.shape[1]]
    reach = 1.4 * np.linalg.norm(die.rims_px - die.pips_px[:, None], axis=2).max()
    found = []
    for pip in die.pips_px:
        near = red * (np.hypot(x - pip[0], y - pip[1]) < reach)
        found.append([near.sum(), (near * x).sum() / near.sum(), (near * y).sum() / near.sum()])
    return np.array(found)


@pytest.mark.parametrize("tilt_deg", [0, 20])
@pytest.mark.parametrize("face", range(1, 7))
def test_pips_lie_where_the_truth_says(face: int, tilt_deg: float) -> None:
    picture = draw(
        [Die(face, 0.6, -0.3, turn_deg=33, paint=RED_PIPS)], Camera(200, 180, 90, tilt_deg=tilt_deg), CLEAN
    )
    die = picture.dice[0]
    mass = pip_mass(die, redness(picture.image))
    assert len(die.pips_px) == face
    assert np.abs(mass[:, 1:] - die.pips_px).max() < 0.25
    assert mass[:, 0] == pytest.approx([area(rim) for rim in die.rims_px], rel=0.06)


def test_the_top_face_is_as_wide_as_asked_and_clockwise() -> None:
    die = draw([Die(2)], Camera(301, 201, 80), CLEAN).dice[0]
    assert die.corners_px == pytest.approx(np.array([[110, 60], [190, 60], [190, 140], [110, 140]]))
    assert die.side_px == pytest.approx(80)


def test_the_same_arguments_give_the_same_picture_and_another_seed_another() -> None:
    dice, camera = [Die(5, turn_deg=12)], Camera(160, 140, 60)
    assert np.array_equal(draw(dice, camera, seed=3).image, draw(dice, camera, seed=3).image)
    assert not np.array_equal(draw(dice, camera, seed=3).image, draw(dice, camera, seed=4).image)


def test_an_empty_scene_is_its_ground() -> None:
    picture = draw([], Camera(50, 40, 20), CLEAN)
    assert picture.image.shape == (40, 50, 3)
    assert not picture.dice
    assert np.abs(picture.image.reshape(-1, 3).mean(axis=0) - (70, 96, 66)).max() < 2
    assert felt()(50, 40, np.random.default_rng(0)).shape == plain()(50, 40, np.random.default_rng(0)).shape
