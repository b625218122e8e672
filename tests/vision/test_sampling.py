from __future__ import annotations

import numpy as np
import pytest

from vision.sampling import MAX_ROWS, sample

PICTURE = np.random.default_rng(2).integers(0, 256, size=(30, 40, 3), dtype=np.uint8)


def bilinear(x: float, y: float) -> np.ndarray:
    left, top = int(np.floor(x)), int(np.floor(y))
    u, v = x - left, y - top
    corner = [
        [PICTURE[np.clip(top + j, 0, 29), np.clip(left + i, 0, 39)].astype(float) for i in (0, 1)]
        for j in (0, 1)
    ]
    return (1 - v) * ((1 - u) * corner[0][0] + u * corner[0][1]) + v * (
        (1 - u) * corner[1][0] + u * corner[1][1]
    )


@pytest.mark.parametrize("shape", [(7, 2), (3, 7, 2), (2, 3, 5, 2)])
def test_colours_are_bilinear_and_keep_the_shape(shape: tuple[int, ...]) -> None:
    points = np.random.default_rng(3).uniform(-5, 45, size=shape)
    found = sample(PICTURE, points)
    expected = np.array([bilinear(x, y) for x, y in points.reshape(-1, 2)]).reshape(*shape[:-1], 3)
    assert found.shape == expected.shape
    assert np.abs(found - expected).max() < 6  # OpenCV steps by 1/32 px and rounds to whole grey levels


def test_a_scaled_picture_is_read_at_full_size_positions() -> None:
    """The first pixel of a picture halved twice covers full-size pixels 0 to 3: its middle lies at 1.5."""
    points = np.array([[1.5, 1.5], [5.5, 1.5], [1.5, 9.5]])
    assert np.array_equal(sample(PICTURE, points, 4.0), PICTURE[[0, 0, 2], [0, 1, 0]].astype(np.float32))


def test_more_rows_than_opencv_takes_at_once() -> None:
    points = np.zeros((MAX_ROWS + 3, 1, 2))
    points[-1] = (5, 6)
    found = sample(PICTURE, points)
    assert found.shape == (MAX_ROWS + 3, 1, 3)
    assert np.array_equal(found[0, 0], PICTURE[0, 0])
    assert np.array_equal(found[-1, 0], PICTURE[6, 5])
