"""How two small pictures lie on each other, where the truth is the motion that one was made with."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.alignment import align, landmarks_of
from vision.opencv import cv2
from vision.scene import TILE_PX, Grey

SIDE, RADIUS = 25 * TILE_PX, 80.0
MIDDLE = np.array([(SIDE - 1) / 2, (SIDE - 1) / 2])
PLACES = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [-0.7, -0.7]])
ALL = np.ones((SIDE // TILE_PX) ** 2, np.bool_)


def texture(seed: int) -> Grey:
    """Smooth spots of all sizes from 3 px on, of 20 grey levels' deviation."""
    rng = np.random.default_rng(seed)
    spots = sum(
        cv2.GaussianBlur(rng.standard_normal((SIDE, SIDE)).astype(np.float32), (0, 0), size) * size
        for size in (3, 8, 20)
    )
    return np.asarray(20 * spots / np.std(spots), dtype=np.float32)


def moved(picture: Grey, shift: tuple[float, float], zoom: float, turn: float) -> Grey:
    """What was at (x, y) lies, zoomed and turned about the middle and shifted, elsewhere."""
    linear = np.array([[1 + zoom, -turn], [turn, 1 + zoom]])
    matrix = np.column_stack([linear, MIDDLE + shift - linear @ MIDDLE])
    warped = cv2.warpAffine(
        picture, matrix, (SIDE, SIDE), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REFLECT
    )
    return np.asarray(warped, dtype=np.float32)


motions = st.tuples(
    st.tuples(st.floats(-2, 2), st.floats(-2, 2)), st.floats(-0.01, 0.01), st.floats(-0.015, 0.015)
)


@settings(max_examples=25, deadline=None)
@given(motions, st.integers(0, 9))
def test_a_motion_is_found_under_noise_and_where_a_part_is_covered(
    motion: tuple[tuple[float, float], float, float], seed: int
) -> None:
    before = texture(seed)
    after = moved(before, *motion) + np.random.default_rng(seed).normal(0, 2, before.shape)
    after[:70, :110] = texture(99)[:70, :110]
    found = align(after.astype(np.float32), landmarks_of(before, MIDDLE, RADIUS), ALL)
    shift, zoom, turn = motion
    linear = np.array([[zoom, -turn], [turn, zoom]])
    truth = np.linalg.norm(RADIUS * PLACES @ linear.T + shift, axis=1)
    assert found.moved_px(PLACES) == pytest.approx(truth, abs=0.4)
    assert 0.7 < found.alike.mean() < 0.9  # 70 x 110 of 200 x 200 are another picture


def test_along_a_straight_wall_nothing_is_said_to_move() -> None:
    wall = np.where(np.arange(SIDE) > SIDE / 2, 60.0, 0.0)[np.newaxis].repeat(SIDE, axis=0)
    wall = cv2.GaussianBlur(wall.astype(np.float32), (0, 0), 1.5)
    noisy = wall + np.random.default_rng(1).normal(0, 1, wall.shape).astype(np.float32)
    found = align(noisy, landmarks_of(np.asarray(wall), MIDDLE, RADIUS), ALL)
    assert found.moved_px(PLACES).max() < 0.1


def test_another_picture_is_not_alike() -> None:
    found = align(texture(2), landmarks_of(texture(1), MIDDLE, RADIUS), ALL)
    assert found.alike.mean() < 0.1
