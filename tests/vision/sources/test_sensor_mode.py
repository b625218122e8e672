"""Which mode of a sensor dice are read in, on the modes that real sensors have."""

from __future__ import annotations

from typing import Any

import pytest

from tests.vision.sources.pi_camera_stand_in import CAMERA_MODULE_3, mode
from vision.sources.sensor_mode import best_mode

# As `rpicam-hello --list-cameras` prints them.
OV5647 = [  # Camera Module 1
    mode((640, 480), 58.92, (16, 0, 2560, 1920)),
    mode((1296, 972), 46.34, (0, 0, 2592, 1944)),
    mode((1920, 1080), 32.81, (348, 434, 1928, 1080)),
    mode((2592, 1944), 15.63, (0, 0, 2592, 1944)),
]
IMX219 = [  # Camera Module 2, which has each size in two depths
    mode(size, fps, crop, bits)
    for bits in (8, 10)
    for size, fps, crop in (
        ((640, 480), 103.33, (1000, 752, 1280, 960)),
        ((1640, 1232), 41.85, (0, 0, 3280, 2464)),
        ((1920, 1080), 47.57, (680, 692, 1920, 1080)),
        ((3280, 2464), 21.19, (0, 0, 3280, 2464)),
    )
]
IMX477 = [  # High Quality Camera
    mode((1332, 990), 120.05, (696, 528, 2664, 1980)),
    mode((2028, 1080), 50.03, (0, 440, 4056, 2160), 12),
    mode((2028, 1520), 40.01, (0, 0, 4056, 3040), 12),
    mode((4056, 3040), 10.0, (0, 0, 4056, 3040), 12),
]
IMX296 = [mode((1456, 1088), 60.38, (0, 0, 1456, 1088))]  # Global Shutter Camera
SLOW = [mode((4656, 3496), 9.0, (0, 0, 4656, 3496)), mode((2328, 1748), 20.0, (0, 0, 4656, 3496))]


@pytest.mark.parametrize(
    ("modes", "size", "depth", "fps"),
    [
        (CAMERA_MODULE_3, (2304, 1296), 10, 30),
        (OV5647, (1296, 972), 10, 30),
        (IMX219, (1640, 1232), 10, 30),
        (IMX477, (2028, 1520), 12, 30),
        (IMX296, (1456, 1088), 10, 30),
        (SLOW, (2328, 1748), 10, 20),
    ],
)
def test_the_best_mode_is_fast_and_sees_all(
    modes: list[dict[str, Any]], size: tuple[int, int], depth: int, fps: float
) -> None:
    best = best_mode(list(reversed(modes)))
    assert best is not None
    assert (best.size, best.bit_depth, best.fps) == (size, depth, fps)
    assert best == best_mode(modes)
    width, height = best.small_size
    assert width % 2 == height % 2 == 0
    assert width / height == pytest.approx(size[0] / size[1], rel=0.01)


def test_a_camera_whose_modes_have_no_size_has_none() -> None:
    assert best_mode([{"format": "MJPEG"}, {"format": "YUYV"}]) is None
