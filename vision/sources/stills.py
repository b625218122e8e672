"""A folder of pictures, in order of their names, as a clip: frames taken out of one, or photographs."""

from __future__ import annotations

import math
from collections.abc import Generator
from pathlib import Path
from typing import ClassVar

from vision.domain import Frame
from vision.errors import UnreadableClipError, UnreadableImageError
from vision.images import read_image

SUFFIXES = frozenset({".bmp", ".jpeg", ".jpg", ".png", ".tif", ".tiff", ".webp"})
ACCEPTED = f"a folder of pictures ({' '.join(sorted(SUFFIXES))})"
FPS = 1.0  # time enough to see that what a photograph shows lies still
LONGEST_GAP_S = 0.1  # a camera would show again what has not changed


class StillsSource:
    """The pictures of `folder`, but not those of folders in it; picture n, from 0 on, comes at n / `fps` s.

    A picture shown for longer than 0.1 s comes again at least so often, as a camera would see it. Pictures
    may differ in size. `size` is the first's (width, height) in pixels.

    Raises UnreadableClipError if there is no picture, UnreadableImageError if the first cannot be decoded.
    """

    live: ClassVar[bool] = False

    def __init__(self, folder: Path, fps: float = FPS) -> None:
        self._pictures = _pictures_in(folder)
        self._fps = fps
        height, width = read_image(self._pictures[0]).shape[:2]
        self.size = (width, height)

    def frames(self) -> Generator[Frame]:
        """Yield every frame from the first on; may be called again.

        A picture that cannot be decoded is left out. Raises UnreadableImageError, naming all of those, once
        the others have been given.
        """
        times = max(1, math.ceil(1 / (self._fps * LONGEST_GAP_S) - 1e-9))
        faults: list[str] = []
        for place, path in enumerate(self._pictures):
            try:
                image = read_image(path)
            except UnreadableImageError as error:
                faults.append(str(error))
                continue
            for again in range(times):
                yield Frame(place * times + again, round((place + again / times) / self._fps, 6), image)
        if faults:
            raise UnreadableImageError("; ".join(faults))


def _pictures_in(folder: Path) -> list[Path]:
    try:
        pictures = sorted(path for path in folder.iterdir() if path.suffix.lower() in SUFFIXES)
    except OSError as error:
        raise UnreadableClipError(
            f"{folder}: cannot be read ({error.strerror}); accepted is {ACCEPTED}"
        ) from error
    if not pictures:
        raise UnreadableClipError(f"{folder}: a directory without pictures; accepted is {ACCEPTED}")
    return pictures
