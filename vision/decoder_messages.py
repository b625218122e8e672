"""Catches what decoders write on standard error: only there libjpeg says that a picture is damaged."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager

STDERR_FD = 2
MOST_BYTES = 65536
JPEG_DAMAGE = re.compile(
    r"Premature end of JPEG file"
    r"|Corrupt JPEG data: (?!\d extraneous bytes before marker 0xd9)"  # some cameras pad before the end
)
_one_at_a_time = threading.Lock()


@contextmanager
def caught_messages() -> Iterator[list[str]]:
    """Catch what is written on file descriptor 2 within the block; the list has its lines after it.

    The descriptor is the whole process's: what another thread writes there meanwhile is caught too, so hold
    it only while decoding.
    """
    lines: list[str] = []
    with _one_at_a_time:
        try:
            kept = os.dup(STDERR_FD)
        except OSError:  # closed by whoever started the program: nothing can be written there
            yield lines
            return
        reading, writing = os.pipe()
        for end in (reading, writing):
            os.set_blocking(end, False)
        os.dup2(writing, STDERR_FD)
        try:
            yield lines
        finally:
            os.dup2(kept, STDERR_FD)
            for fd in (kept, writing):
                os.close(fd)
            lines += _read(reading).splitlines()
            os.close(reading)


def _read(reading: int) -> str:
    try:
        return os.read(reading, MOST_BYTES).decode("utf-8", errors="replace")
    except BlockingIOError:  # nothing came, and a process started meanwhile holds the other end
        return ""
