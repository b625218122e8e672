"""What every source of the tests sees: frames that can be told apart, colours that must not be swapped."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from vision.domain import Image
from vision.errors import UnreadableClipError, VisionError
from vision.opencv import cv2

BLUE, RED = (200, 60, 20), (20, 60, 200)  # BGR
SIZE = (96, 64)
FPS = 25.0


def grey_of(number: int) -> int:
    return 20 + number * 4 % 200


def view(number: int, size: tuple[int, int] = SIZE) -> Image:
    """Blue on the left, red on the right, and below both a grey that tells the number."""
    width, height = size
    picture = np.empty((height, width, 3), np.uint8)
    picture[:, : width // 2], picture[:, width // 2 :] = BLUE, RED
    picture[height // 2 :] = grey_of(number)
    return picture


def grey_in(picture: Image) -> int:
    """What tells the number of a `view`."""
    return int(picture[-picture.shape[0] // 4, picture.shape[1] // 4, 1])


def write_clip(path: Path, count: int) -> Path:
    """Views as a clip of Motion JPEG, an AVI: it can be cut anywhere and still opens."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), FPS, SIZE)
    for number in range(count):
        writer.write(view(number))
    writer.release()
    return path


def write_stills(folder: Path, count: int) -> Path:
    folder.mkdir()
    for number in range(count):
        cv2.imwrite(str(folder / f"{number:03}.png"), view(number))
    return folder


def refusal(action: Callable[[], object], name: str, kind: type[VisionError] = UnreadableClipError) -> str:
    """The one line with which `action` is refused."""
    with pytest.raises(kind) as caught:
        action()
    message = str(caught.value)
    assert name in message
    assert "accepted" in message
    assert "\n" not in message
    return message
