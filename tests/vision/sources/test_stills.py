"""Folders of pictures: in order of name, at the stated pace, and what is none is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.vision.sources.views import grey_in, grey_of, refusal, view, write_stills
from vision.errors import UnreadableClipError, UnreadableImageError
from vision.opencv import cv2
from vision.sources import StillsSource


def test_pictures_come_in_order_of_name_whatever_else_lies_there(tmp_path: Path) -> None:
    for number, name in enumerate(["a.jpg", "b 1.PNG", "b 2.png", "c.webp"]):
        (tmp_path / name).write_bytes(cv2.imencode(Path(name).suffix.lower(), view(number))[1].tobytes())
    (tmp_path / "table.json").write_text("{}")
    write_stills(tmp_path / "aa.png", 2)  # a folder
    (tmp_path / "aa.png").rename(tmp_path / "more")
    frames = list(StillsSource(tmp_path, fps=25).frames())
    assert [frame.t_s for frame in frames] == [0, 0.04, 0.08, 0.12]
    assert [grey_in(frame.image_bgr) for frame in frames] == pytest.approx(
        list(map(grey_of, range(4))), abs=4
    )


@pytest.mark.parametrize(("fps", "times"), [(30, 1), (10, 1), (9, 2), (2, 5), (1, 10), (0.5, 20)])
def test_a_picture_shown_for_long_comes_again_as_from_a_camera(
    tmp_path: Path, fps: float, times: int
) -> None:
    source = StillsSource(write_stills(tmp_path / "stills", 3), fps)
    frames = list(source.frames())
    assert [frame.index for frame in frames] == list(range(3 * times))
    assert [grey_in(frame.image_bgr) for frame in frames] == [
        grey_of(number) for number in range(3) for _ in range(times)
    ]
    assert [frame.t_s for frame in frames[::times]] == pytest.approx([0, 1 / fps, 2 / fps], abs=1e-6)
    assert [frame.t_s for frame in frames] == pytest.approx(
        [number / fps / times for number in range(3 * times)], abs=1e-6
    )


def test_a_folder_without_pictures_is_refused_at_once(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("1 1 5")
    assert "without pictures" in refusal(lambda: StillsSource(tmp_path), str(tmp_path))
    refusal(lambda: StillsSource(tmp_path / "gone"), "gone", UnreadableClipError)


def test_pictures_that_cannot_be_read_are_left_out_and_named_in_the_end(tmp_path: Path) -> None:
    folder = write_stills(tmp_path / "stills", 4)
    for name in ("001.png", "002.png"):
        (folder / name).write_bytes(b"no picture")
    frames = StillsSource(folder, fps=25).frames()
    assert [next(frames).index, next(frames).index] == [0, 3]
    with pytest.raises(UnreadableImageError, match=r"001\.png.*002\.png"):
        next(frames)
    (folder / "000.png").write_bytes(b"")
    refusal(lambda: StillsSource(folder), "000.png", UnreadableImageError)
