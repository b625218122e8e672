"""Clips: every frame once, by the clip's own clock, and a broken one is told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from vision.domain import Frame
from vision.errors import UnreadableClipError
from vision.opencv import cv2
from vision.sources import ClipSource

SHARED = Path(__file__).parents[3] / ".." / "shared"
FPS, COUNT, SIZE = 25.0, 50, (96, 64)


def grey_of(index: int) -> int:
    return 20 + index * 4


def write_clip(path: Path, count: int = COUNT, size: tuple[int, int] = SIZE) -> Path:
    """A clip of flat greys in Motion JPEG, an AVI: it can be cut anywhere and still opens."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), FPS, size)
    for index in range(count):
        writer.write(np.full((size[1], size[0], 3), grey_of(index), np.uint8))
    writer.release()
    return path


def refusal(action: Callable[[], object], name: str) -> str:
    with pytest.raises(UnreadableClipError) as caught:
        action()
    message = str(caught.value)
    assert name in message
    assert "accepted" in message
    assert "\n" not in message
    return message


def test_a_clip_gives_every_frame_once_in_order_by_its_own_clock(tmp_path: Path) -> None:
    source = ClipSource(write_clip(tmp_path / "clip.avi"))
    assert (source.fps, source.frame_count, source.size) == (FPS, COUNT, SIZE)
    for _ in range(2):  # `frames` starts over each time
        frames = list(source.frames())
        assert [frame.index for frame in frames] == list(range(COUNT))
        assert [frame.t_s for frame in frames] == pytest.approx([index / FPS for index in range(COUNT)])
        assert all(abs(int(frame.image_bgr[9, 9, 1]) - grey_of(frame.index)) <= 2 for frame in frames)


class StutteringCapture:
    """Gives frames whose timestamps are absent, stand still, fall back and jump."""

    STAMPS_MS = (0.0, 0.0, -5.0, 130.0, 130.0, float("nan"), 20.0, 500.0)

    def __init__(self) -> None:
        self.index = -1

    def read(self) -> tuple[bool, np.ndarray]:
        self.index += 1
        return self.index < len(self.STAMPS_MS), np.zeros((64, 96, 3), np.uint8)

    def get(self, _key: int) -> float:
        return self.STAMPS_MS[self.index]

    def release(self) -> None: ...


def test_time_always_rises_even_where_the_timestamps_do_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = ClipSource(write_clip(tmp_path / "clip.avi"))
    source.frame_count = None
    monkeypatch.setattr(source, "_open", StutteringCapture)
    times = [frame.t_s for frame in source.frames()]
    assert times == pytest.approx([0, 0.04, 0.08, 0.13, 0.17, 0.21, 0.25, 0.5])


@pytest.mark.parametrize("share", [0.5, 0.65, 0.8])
def test_a_clip_cut_in_the_middle_gives_what_it_has_and_then_says_so(tmp_path: Path, share: float) -> None:
    whole = write_clip(tmp_path / "clip.avi").read_bytes()
    cut = tmp_path / "cut.avi"
    cut.write_bytes(whole[: int(len(whole) * share)])
    frames: list[Frame] = []
    message = refusal(lambda: frames.extend(ClipSource(cut).frames()), "cut.avi")
    assert 5 < len(frames) < COUNT * share + 1
    assert f"{len(frames)} of {COUNT} frames" in message


@pytest.mark.parametrize(
    ("name", "content", "found"),
    [
        ("none.mp4", None, "no such file"),
        ("zero.mp4", b"", "zero bytes"),
        ("text.mp4", b"1 1 5 3 2 6\n" * 50, "no video"),
        ("noise.mp4", bytes(range(256)) * 40, "no video"),
    ],
)
def test_what_is_no_clip_is_refused_at_once(
    tmp_path: Path, name: str, content: bytes | None, found: str
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    assert found in refusal(lambda: ClipSource(path), name)


def test_a_clip_cut_in_its_header_a_picture_and_a_directory_are_refused(tmp_path: Path) -> None:
    header = tmp_path / "header.avi"
    header.write_bytes(write_clip(tmp_path / "clip.avi").read_bytes()[:100])
    refusal(lambda: ClipSource(header), "header.avi")
    picture = tmp_path / "throw.jpg"
    cv2.imwrite(str(picture), np.zeros((64, 96, 3), np.uint8))
    assert "single picture" in refusal(lambda: ClipSource(picture), "throw.jpg")
    assert "directory" in refusal(lambda: ClipSource(tmp_path), str(tmp_path))


def test_frames_too_small_to_hold_a_die_are_refused(tmp_path: Path) -> None:
    clip = write_clip(tmp_path / "tiny.avi", size=(16, 16))
    assert "16x16" in refusal(lambda: ClipSource(clip), "tiny.avi")


@pytest.mark.skipif(not SHARED.is_dir(), reason="the labelled clips are not beside the checkout")
def test_the_real_clip_has_every_frame_at_its_own_time() -> None:
    source = ClipSource(SHARED / "real" / "dev" / "clips" / "felt_rolls.mp4")
    times = [frame.t_s for frame in source.frames()]
    assert len(times) == 630
    assert np.diff(times) == pytest.approx(np.full(629, 1001 / 30000), abs=2e-6)
