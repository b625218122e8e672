"""The trained reader: what it is shown, and what it says of photographs it was not trained on."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vision.crop_reader import CROP_SIDE, NO_FACE, cut_crop, read_crops, upright_side
from vision.images import read_image

DEV = Path(__file__).parents[3] / "shared" / "real" / "dev" / "nellbyler"


def test_a_crop_is_the_square_around_the_die_and_goes_on_beyond_the_picture() -> None:
    picture = np.random.default_rng(0).integers(0, 256, (200, 300, 3), dtype=np.uint8)
    width = 64  # a side of 64 / 1.3 needs no scaling
    inside = cut_crop(picture, np.array([131.5, 95.5]), width / 1.3)
    assert np.array_equal(inside, picture[64:128, 100:164])
    corner = cut_crop(picture, np.array([0.0, 0.0]), width / 1.3)
    assert corner.shape == (CROP_SIDE, CROP_SIDE, 3)
    assert (corner[:20, :20] == picture[0, 0]).all()


def test_side_of_the_upright_box() -> None:
    turned = np.array([(0.0, 10.0), (10.0, 0.0), (20.0, 10.0), (10.0, 20.0)])
    assert upright_side(turned) == 20.0


def test_chances_are_chances_and_do_not_depend_on_the_company() -> None:
    picture = np.random.default_rng(1).integers(0, 256, (300, 300, 3), dtype=np.uint8)
    centers, sides = np.array([(60.0, 60.0), (150.0, 200.0), (290.0, 5.0)]), np.array([40.0, 60.0, 25.0])
    together = read_crops(picture, centers, sides)
    assert together.shape == (3, 7)
    assert together.sum(axis=1) == pytest.approx(1, abs=1e-5)
    alone = np.concatenate([read_crops(picture, centers[i : i + 1], sides[i : i + 1]) for i in range(3)])
    assert together == pytest.approx(alone, abs=1e-5)
    assert read_crops(picture, np.zeros((0, 2)), np.zeros(0)).shape == (0, 7)


@pytest.mark.skipif(not DEV.is_dir(), reason="the photographs in ../shared are absent")
def test_faces_of_labelled_dice_and_none_between_them() -> None:
    right = total = 0
    for label in sorted((DEV / "labels").glob("*.txt"))[::7]:
        picture = read_image(DEV / "images" / f"{label.stem}.jpg")
        height, width = picture.shape[:2]
        rows = np.array([line.split() for line in label.read_text().splitlines()], dtype=float)
        sizes = rows[:, 3:5] * (width, height)
        seen = read_crops(picture, rows[:, 1:3] * (width, height), sizes.max(axis=1))
        right += int((seen.argmax(axis=1) == rows[:, 0] + 1).sum())
        total += len(rows)
        empty = read_crops(picture, np.array([(width * 0.02, height * 0.02)]), sizes.max(axis=1)[:1])
        assert empty[0].argmax() == NO_FACE
    assert right >= 0.97 * total
