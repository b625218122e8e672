"""Reads a clip, and in the place of those frames that `ClipWriter` wrote exactly, the exact picture."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from table.recording.matroska import (
    ADDED,
    ADDITION,
    ADDITION_ID,
    ADDITIONS,
    BLOCK_GROUP,
    CLUSTER,
    EBML,
    EXACT,
    SEGMENT,
    TICKS_A_SECOND,
    TIMESTAMP,
)
from vision.domain import Frame
from vision.images import MAX_BYTES, decode_image
from vision.sources import ClipSource

INSIDE = frozenset({SEGMENT, CLUSTER, BLOCK_GROUP, ADDITIONS, ADDITION})  # elements looked into
LONGEST_NUMBER = 8
SECONDS_DIGITS = 6

Place = tuple[int, int]  # offset and bytes in the file


def frames_of(path: Path) -> Iterator[Frame]:
    """Return the frames of any clip, as `ClipSource` does and with its errors."""
    return with_exact(ClipSource(path).frames(), path)


def with_exact(frames: Iterator[Frame], path: Path) -> Iterator[Frame]:
    """Yield `frames` of the clip at `path`, the exact pictures in the place of those that have one.

    Raises UnreadableImageError for an exact picture that is damaged.
    """
    exact = _exact_places(path) if path.is_file() else {}
    for frame in frames:
        place = exact.get(frame.t_s)
        yield frame if place is None else _exact(path, frame, place)


def _exact(path: Path, frame: Frame, place: Place) -> Frame:
    with path.open("rb") as file:
        file.seek(place[0])
        data = file.read(place[1])
    return replace(frame, image_bgr=decode_image(data, f"{path}: exact frame {frame.index}"))


def _exact_places(path: Path) -> dict[float, Place]:
    """Return where the exact pictures lie, by the time of their frame; none in clips of other makers."""
    places: dict[int, Place] = {}
    first: int | None = None
    now = number = 0
    with path.open("rb") as file:
        for element, offset, size in _elements(file):
            if element == TIMESTAMP:
                now = _number(file, offset, size)
                first = now if first is None else first
            elif element == ADDITION_ID:
                number = _number(file, offset, size)
            elif element == ADDED and number == EXACT and size <= MAX_BYTES:
                places[now] = (offset, size)
    start = first or 0  # OpenCV counts from there too
    return {round((at - start) / TICKS_A_SECOND, SECONDS_DIGITS): place for at, place in places.items()}


def _elements(file: BinaryIO) -> Iterator[tuple[int, int, int]]:
    """Yield (element, offset of its data, bytes), those inside after what they are in.

    Ends at whatever is no EBML, is cut off, or says no size where one is needed.
    """
    end, at = file.seek(0, os.SEEK_END), 0
    while at < end:
        file.seek(at)
        head = file.read(4 + LONGEST_NUMBER)
        id_bytes = _leading_zeros(head[:1]) + 1
        size_bytes = _leading_zeros(head[id_bytes : id_bytes + 1]) + 1
        start = at + id_bytes + size_bytes
        element = int.from_bytes(head[:id_bytes])
        if (at == 0 and element != EBML) or id_bytes > 4 or size_bytes > LONGEST_NUMBER or start > end:
            return
        size = int.from_bytes(head[id_bytes : id_bytes + size_bytes]) & ((1 << 7 * size_bytes) - 1)
        if element not in INSIDE:
            if start + size > end:
                return
            yield element, start, size
        at = start if element in INSIDE else start + size


def _leading_zeros(byte: bytes) -> int:
    return 8 - int.from_bytes(byte).bit_length()


def _number(file: BinaryIO, offset: int, size: int) -> int:
    file.seek(offset)
    return int.from_bytes(file.read(min(size, LONGEST_NUMBER)))
