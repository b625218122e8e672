"""The latest seconds in memory: all of every movement, little of the rest, never too much."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from table.recording.ring import HINDSIGHT_S, STILL_FPS, Ring
from vision.domain import Frame

PICTURE = np.zeros((48, 64, 3), np.uint8)
GAPS_MS = st.integers(1, 120)
STREAMS = st.lists(st.tuples(GAPS_MS, st.booleans()), min_size=1, max_size=150)


def filled(stream: list[tuple[int, bool]], ring: Ring) -> list[tuple[Frame, bool]]:
    """Fill `ring` with frames (milliseconds after the one before, whether something moves)."""
    shown, now_ms = [], 0
    for index, (gap_ms, moving) in enumerate(stream):
        now_ms += gap_ms
        shown.append((Frame(index, now_ms / 1000, PICTURE), moving))
        ring.add(shown[-1][0], moving=moving)
    return shown


@settings(max_examples=200, deadline=None)
@given(STREAMS)
def test_of_a_movement_nothing_is_left_out(stream: list[tuple[int, bool]]) -> None:
    ring = Ring(seconds=1e9)
    shown = filled(stream, ring)
    kept = {frame.index for frame in ring.frames()}
    for place, (frame, moving) in enumerate(shown):
        near = [other for other, moved in shown[place:] if moved and other.t_s - frame.t_s <= HINDSIGHT_S]
        after = place > 0 and shown[place - 1][1]
        assert frame.index in kept or not (moving or after or near)


@settings(max_examples=200, deadline=None)
@given(STREAMS)
def test_at_rest_frames_are_kept_now_and_then(stream: list[tuple[int, bool]]) -> None:
    ring = Ring(seconds=1e9)
    shown = filled([(gap_ms, False) for gap_ms, _ in stream], ring)
    settled = [frame for frame, _ in shown if shown[-1][0].t_s - frame.t_s > HINDSIGHT_S]
    kept = [frame for frame in ring.frames() if frame.index <= len(settled) - 1]
    assert all(later.t_s - frame.t_s >= 0.99 / STILL_FPS for frame, later in itertools.pairwise(kept))
    longest_s = max(gap_ms for gap_ms, _ in stream) / 1000
    for frame, later in itertools.pairwise(kept):
        assert later.t_s - frame.t_s < 1 / STILL_FPS + longest_s + 1e-9


@settings(max_examples=100, deadline=None)
@given(STREAMS, st.floats(0.1, 5), st.integers(1000, 20_000))
def test_seconds_and_bytes_are_bounded(stream: list[tuple[int, bool]], seconds: float, most: int) -> None:
    ring = Ring(seconds, most)
    shown = filled(stream, ring)
    assert ring.bytes <= most
    kept = ring.frames()
    assert ring.bytes <= most
    assert sum(len(frame.jpeg) for frame in kept) == ring.bytes
    assert all(shown[-1][0].t_s - frame.t_s <= seconds for frame in kept)
    assert [frame.index for frame in kept] == sorted(frame.index for frame in kept)


def test_a_clip_is_of_one_size_and_its_time_rises() -> None:
    ring = Ring()
    filled([(33, True)] * 5, ring)
    ring.add(Frame(9, 0.4, np.zeros((60, 80, 3), np.uint8)), moving=True)
    assert [(frame.index, frame.size) for frame in ring.frames()] == [(9, (80, 60))]
    ring.add(replace(Frame(10, 0.4, np.zeros((60, 80, 3), np.uint8))), moving=True)
    assert [frame.index for frame in ring.frames()] == [10]
