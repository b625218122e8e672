"""Crops for the trained reader: cut where they should be, and labelled as what they show."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.reader_crops import (
    CLASSES,
    NONE,
    PATCH_REACH,
    PATCH_SIDE,
    REACH,
    SIDE,
    Patches,
    gather,
    patches_of,
    varied_crop,
)
from models.reader_pictures import NOT_JUDGED, PLACED_EXACTLY, Picture, clear_of_dice
from vision.crop_reader import cut_crop
from vision.domain import FloatArray, Image

NO_SQUARES = np.zeros((0, 3))


def scene(dice: FloatArray, faces: list[int], refused: FloatArray = NO_SQUARES, side: int = 300) -> Picture:
    """A black picture in which every die is a white disc of half its side."""
    y, x = np.mgrid[0:side, 0:side]
    image = np.zeros((side, side, 3), dtype=np.uint8)
    for die in dice:
        image[np.hypot(x - die[0], y - die[1]) < die[2] / 2] = 255
    return Picture(image, np.array(faces, dtype=np.intp), dice, np.full(len(dice), PLACED_EXACTLY), refused)


def test_a_crop_at_its_own_size_is_the_picture_itself() -> None:
    image: Image = np.random.default_rng(1).integers(0, 256, (200, 180, 3)).astype(np.uint8)
    crop = cut_crop(image, np.array([81.5, 101.5]), SIDE / REACH)
    assert np.array_equal(crop, image[70 : 70 + SIDE, 50 : 50 + SIDE])


@given(
    x=st.floats(64, 236),
    y=st.floats(64, 236),
    side=st.floats(20, 120),
    reach=st.sampled_from([1.3, 2.0, 3.0]),
)
@settings(max_examples=60, deadline=None)
def test_a_crop_shows_the_die_in_the_middle_at_the_asked_scale(
    x: float, y: float, side: float, reach: float
) -> None:
    bright = (
        cut_crop(scene(np.array([[x, y, side]]), [1]).image, np.array([x, y]), side, reach)[..., 0] / 255.0
    )
    down, across = np.mgrid[0:SIDE, 0:SIDE]
    pixel = SIDE / (reach * side)  # of the picture in the crop
    assert (bright * across).sum() / bright.sum() == pytest.approx((SIDE - 1) / 2, abs=0.6 * pixel + 0.2)
    assert (bright * down).sum() / bright.sum() == pytest.approx((SIDE - 1) / 2, abs=0.6 * pixel + 0.2)
    assert 2 * np.sqrt(bright.sum() / np.pi) == pytest.approx(SIDE / reach, rel=0.02 + 1.5 / side)


@given(x=st.floats(-10, 190), y=st.floats(-10, 210), side=st.floats(4, 150))
@settings(max_examples=60, deadline=None)
def test_a_crop_at_the_edge_is_that_of_a_picture_that_goes_on(x: float, y: float, side: float) -> None:
    image: Image = np.random.default_rng(2).integers(0, 256, (200, 180, 3)).astype(np.uint8)
    middle, margin = np.array([np.floor(x), np.floor(y)]), 200
    goes_on = np.pad(image, ((margin, margin), (margin, margin), (0, 0)), mode="edge")
    assert np.array_equal(cut_crop(image, middle, side), cut_crop(goes_on, middle + margin, side))


def test_beyond_the_picture_its_last_pixels_go_on() -> None:
    image = np.zeros((80, 80, 3), dtype=np.uint8)
    image[:, 0] = 90
    crop = cut_crop(image, np.array([0.0, 40.0]), 40)
    assert (crop[:, : SIDE // 2 - 2] == 90).all()
    assert (crop[:, SIDE // 2 + 4 :] == 0).all()


def test_a_square_beside_a_die_or_of_another_scale_shows_no_top_face() -> None:
    die, room = np.array([[100.0, 100.0, 40.0]]), np.array([PLACED_EXACTLY])
    squares = np.array([[100, 100, 40], [110, 100, 40], [120, 100, 40], [100, 100, 80], [100, 100, 20]])
    assert clear_of_dice(squares.astype(float), die, room).tolist() == [False, False, True, True, True]
    assert clear_of_dice(squares.astype(float), NO_SQUARES, np.zeros(0)).all()


def test_patches_are_of_judged_dice_and_of_squares_without_one() -> None:
    dice = np.array([[80.0, 90.0, 40.0], [200.0, 210.0, 40.0]])
    image, face, near = patches_of(
        scene(dice, [4, NOT_JUDGED], refused=np.array([[80.0, 200.0, 30.0]])), np.random.default_rng(1)
    )
    assert face[:2].tolist() == [3, NONE]
    assert (face[2:] == NONE).all()
    assert image.shape == (len(face), PATCH_SIDE, PATCH_SIDE, 3)
    assert near[0, 0] == pytest.approx([79.5, 79.5, PATCH_SIDE / PATCH_REACH, PLACED_EXACTLY])
    assert image[0, 79, 79].min() == 255
    assert image[1, 79, 79].max() == 0


def middle_of(crop: np.ndarray) -> float:
    """How far what differs from the corners lies from the crop's middle, in dice."""
    grey = np.abs(crop.mean(axis=2) - np.median(crop[[0, 0, -1, -1], [0, -1, 0, -1]]))
    down, across = np.mgrid[0:SIDE, 0:SIDE] - (SIDE - 1) / 2
    mass = grey > 0.5 * grey.max()
    return float(np.hypot(down[mass].mean(), across[mass].mean()) * REACH / SIDE)


@pytest.fixture(scope="module")
def single() -> Patches:
    return gather([(0, scene(np.array([[150.0, 150.0, 60.0]]), [5]))], seed=1)


@given(seed=st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_varied_crops_are_pictures_of_their_class(single: Patches, seed: int) -> None:
    crop, face = varied_crop(single, 0, off=False, random=np.random.default_rng(seed))
    assert face == 4
    assert crop.shape == (SIDE, SIDE, 3)
    assert 0 <= crop.min() <= crop.max() <= 255
    _, beside = varied_crop(single, 0, off=True, random=np.random.default_rng(seed))
    assert beside == NONE < CLASSES


def test_most_varied_crops_keep_the_die_in_the_middle() -> None:
    patches = gather([(0, scene(np.array([[150.0, 150.0, 60.0]]), [5]))], seed=1)
    away = [
        middle_of(varied_crop(patches, 0, off=False, random=np.random.default_rng(s))[0]) for s in range(60)
    ]
    assert np.quantile(away, 0.8) < 0.25  # glare and light may fool the measure, not the crop


def test_the_same_seed_varies_alike(single: Patches) -> None:
    one, two = (varied_crop(single, 0, off=False, random=np.random.default_rng(7))[0] for _ in range(2))
    assert np.array_equal(one, two)
