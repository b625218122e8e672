"""Writes a clip: Motion JPEG in Matroska, each frame at its own time to the microsecond.

Every frame is a JPEG, which a Raspberry Pi encodes in real time and any player shows; beside it may lie the
exact picture, a PNG, which players pass over. The container is Matroska because it may be cut anywhere: what
was written before a crash or a full disk plays. It is written here, in the few elements it takes, and not by
OpenCV, whose writer knows constant frame rates alone and says nothing when a disk is full, and whose muxer
rounds times to milliseconds, which is enough to bring dice to rest a frame later.

Elements after RFC 9559 (Matroska) and RFC 8794 (EBML).
"""

from __future__ import annotations

import io
import struct
from collections.abc import Iterable
from typing import Protocol

NS_A_TICK = 1000
TICKS_A_SECOND = 1_000_000
TRACK = 1
KEY_FRAME = 0x80
UNKNOWN_SIZE = b"\x01" + b"\xff" * 7

EBML, DOC_TYPE = 0x1A45DFA3, 0x4282
DOC_VERSION, DOC_READ_VERSION = 0x4287, 0x4285
SEGMENT, INFO, TRACKS, CLUSTER = 0x18538067, 0x1549A966, 0x1654AE6B, 0x1F43B675
TIMESTAMP_SCALE, DURATION, MUXING_APP, WRITING_APP = 0x2AD7B1, 0x4489, 0x4D80, 0x5741
TRACK_ENTRY, TRACK_NUMBER, TRACK_UID, TRACK_TYPE, LACING = 0xAE, 0xD7, 0x73C5, 0x83, 0x9C
CODEC, VIDEO, WIDTH, HEIGHT, FRAME_TIME = 0x86, 0xE0, 0xB0, 0xBA, 0x23E383
TIMESTAMP, SIMPLE_BLOCK, BLOCK_GROUP, BLOCK = 0xE7, 0xA3, 0xA0, 0xA1
ADDITIONS, ADDITION, ADDITION_ID, ADDED, HIGHEST_ADDITION = 0x75A1, 0xA6, 0xEE, 0xA5, 0x55EE
VIDEO_TRACK = 1
EXACT = 100  # number of the addition that holds the exact picture; those below have their uses
USUAL_FPS = 30  # said for players that want one number; each frame's own time counts


class ByteFile(Protocol):
    """The part of a binary file that a clip is written with."""

    def write(self, data: memoryview, /) -> int | None:
        """Write some or all of `data`; return how many bytes."""
        ...

    def seek(self, offset: int, /) -> int:
        """Go to a byte."""
        ...

    def truncate(self, size: int, /) -> int:
        """Cut the file off."""
        ...


class ClipWriter:
    """Writes JPEG frames of `size` (width, height) to `file`, from its start on.

    The file is a clip after every `add`. Methods raise OSError when the disk does; after that only `finish`
    is of use.
    """

    def __init__(self, file: ByteFile, size: tuple[int, int]) -> None:
        self._file, self._end = file, 0
        self._last = -1
        head = _header(size)
        self._duration_at = head.index(_element(DURATION, _float(0.0))) + len(_id(DURATION)) + 1
        self._append(head)

    def add(self, t_s: float, jpeg: bytes, exact: bytes | None = None) -> None:
        """Write a frame, and its `exact` picture as PNG where there is one; `t_s`, seconds from 0, must rise.

        Raises OSError, or ValueError for the time.
        """
        ticks = round(t_s * TICKS_A_SECOND)
        if ticks <= self._last:
            raise ValueError(f"frame at {t_s:.6f} s after one at {self._last / TICKS_A_SECOND:.6f} s")
        frame = _simple_block(jpeg) if exact is None else _block_group(jpeg, exact)
        self._append(_element(CLUSTER, _element(TIMESTAMP, _uint(ticks)) + frame))
        self._last = ticks

    def finish(self) -> None:
        """Cut off what was not written whole, and write how long the clip is; players do without, too."""
        self._file.truncate(self._end)
        self._file.seek(self._duration_at)
        _write(self._file, _float(float(max(0, self._last))))
        self._file.seek(self._end)

    @property
    def size_bytes(self) -> int:
        """Size of the clip so far."""
        return self._end

    def _append(self, data: bytes) -> None:
        _write(self._file, data)
        self._end += len(data)


def clip_of(frames: Iterable[tuple[float, bytes, bytes | None]], size: tuple[int, int]) -> bytes:
    """Return the whole clip of `frames`, each as `ClipWriter.add` takes it."""
    file = io.BytesIO()
    writer = ClipWriter(file, size)
    for t_s, jpeg, exact in frames:
        writer.add(t_s, jpeg, exact)
    writer.finish()
    return file.getvalue()


def _simple_block(jpeg: bytes) -> bytes:
    return _element(SIMPLE_BLOCK, _block_head(KEY_FRAME) + jpeg)


def _block_group(jpeg: bytes, exact: bytes) -> bytes:
    addition = _element(ADDITION_ID, _uint(EXACT)) + _element(ADDED, exact)
    additions = _element(ADDITIONS, _element(ADDITION, addition))
    return _element(BLOCK_GROUP, _element(BLOCK, _block_head(0) + jpeg) + additions)


def _block_head(flags: int) -> bytes:
    """Track, time after the cluster's (always 0), flags."""
    return _uint(TRACK | 0x80) + struct.pack(">hB", 0, flags)


def _write(file: ByteFile, data: bytes) -> None:
    left = memoryview(data)
    while left:  # a file without a buffer may take less than all
        left = left[file.write(left) or 0 :]


def _header(size: tuple[int, int]) -> bytes:
    doc = (
        _element(DOC_TYPE, b"matroska")
        + _element(DOC_VERSION, _uint(4))
        + _element(DOC_READ_VERSION, _uint(2))
    )
    info = (
        _element(TIMESTAMP_SCALE, _uint(NS_A_TICK))
        + _element(MUXING_APP, b"titusind")
        + _element(WRITING_APP, b"titusind")
        + _element(DURATION, _float(0.0))
    )
    video = _element(WIDTH, _uint(size[0])) + _element(HEIGHT, _uint(size[1]))
    track = (
        _element(TRACK_NUMBER, _uint(TRACK))
        + _element(TRACK_UID, _uint(TRACK))
        + _element(TRACK_TYPE, _uint(VIDEO_TRACK))
        + _element(LACING, _uint(0))
        + _element(HIGHEST_ADDITION, _uint(EXACT))
        + _element(FRAME_TIME, _uint(10**9 // USUAL_FPS))
        + _element(CODEC, b"V_MJPEG")
        + _element(VIDEO, video)
    )
    segment = _id(SEGMENT) + UNKNOWN_SIZE
    return (
        _element(EBML, doc) + segment + _element(INFO, info) + _element(TRACKS, _element(TRACK_ENTRY, track))
    )


def _element(number: int, data: bytes) -> bytes:
    return _id(number) + _size(len(data)) + data


def _id(number: int) -> bytes:
    return number.to_bytes((number.bit_length() + 7) // 8)


def _size(count: int) -> bytes:
    """Spell a size as EBML does: as many leading zero bits as bytes follow the first; not all ones."""
    length = next(length for length in range(1, 9) if count < (1 << 7 * length) - 1)
    return (count | 1 << 7 * length).to_bytes(length)


def _uint(value: int) -> bytes:
    return value.to_bytes(max(1, (value.bit_length() + 7) // 8))


def _float(value: float) -> bytes:
    return struct.pack(">d", value)
