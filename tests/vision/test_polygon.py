"""Simple polygons pass; whatever has no inside, or two, does not."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.polygon import polygon_fault

SQUARE = [[0, 0], [10, 0], [10, 10], [0, 10]]


@pytest.mark.parametrize(
    ("corners", "fault"),
    [
        (SQUARE, None),
        (SQUARE[::-1], None),
        ([[0, 0], [10, 0], [5, 2], [10, 10], [0, 10]], None),
        ([*SQUARE, [0, 0]], "repeated"),
        ([[0, 0], [10, 0], [10, 0], [0, 10]], "repeated"),
        ([[0, 0], [5, 5], [10, 10]], "without area"),
        ([[0, 0], [10, 0], [0, 1e-3]], "without area"),
        ([[0, 0], [10, 10], [12, 0], [0, 8]], "crossing"),
        ([[0, 0], [10, 0], [10, 10], [5, 0], [0, 10]], "touching"),
        ([[0, 0], [10, 0], [10, 10], [10, 5], [10, 12], [0, 10]], "crossing"),
    ],
)
def test_faults_are_named(corners: list[list[float]], fault: str | None) -> None:
    found = polygon_fault(np.array(corners, dtype=float))
    assert found is None if fault is None else fault in str(found)


@given(st.integers(3, 60), st.floats(5, 1e4), st.floats(-1e4, 1e4), st.randoms(use_true_random=False))
def test_a_star_seen_from_its_middle_is_simple_and_a_swap_of_two_far_corners_is_not(
    count: int, radius: float, offset: float, random: object
) -> None:
    angles = np.linspace(0, 2 * np.pi, count, endpoint=False)
    reach = np.array([random.uniform(0.5, 1) for _ in angles]) * radius  # type: ignore[attr-defined]
    star = np.column_stack([np.cos(angles), np.sin(angles)]) * reach[:, np.newaxis] + offset
    assert polygon_fault(star) is None
    assert polygon_fault(star[::-1]) is None
    if count >= 8:
        star[[0, count // 2]] = star[[count // 2, 0]]
        assert polygon_fault(star) is not None
