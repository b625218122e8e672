"""What every source promises, clip or camera: one contract, run on all of them."""

from __future__ import annotations

import importlib.util
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from tests.vision.sources import pi_camera_stand_in as stand_in
from tests.vision.sources.views import BLUE, RED, grey_in, grey_of, refusal, view, write_clip, write_stills
from tests.vision.sources.webcam_stand_in import PushedCapture
from vision.domain import Frame, FrameSource
from vision.errors import VisionError
from vision.opencv import cv2
from vision.sources import ClipSource, PiCameraSource, StillsSource, WebcamSource

COUNT = 12
TOLERANCE = 4  # grey levels that Motion JPEG may cost


@dataclass
class Rig:
    """A source and a hand on what feeds it.

    `come(count)`: have so many frames come, the first of which nobody has taken; a recording's need not be
    told. `break_off`: nothing more comes. `released`: whether the source has let go of its device.
    """

    source: FrameSource
    come: Callable[[int], None] = lambda count: None
    break_off: Callable[[], None] = lambda: None
    released: Callable[[], bool] = lambda: True


def clip(tmp_path: Path, patch: pytest.MonkeyPatch) -> Rig:
    return Rig(ClipSource(write_clip(tmp_path / "clip.avi", COUNT)))


def stills(tmp_path: Path, patch: pytest.MonkeyPatch) -> Rig:
    return Rig(StillsSource(write_stills(tmp_path / "stills", COUNT), fps=25))


def broken_stills(tmp_path: Path, patch: pytest.MonkeyPatch) -> Rig:
    folder = write_stills(tmp_path / "stills", COUNT)
    (folder / f"{COUNT:03}.png").write_bytes(b"no picture")
    return Rig(StillsSource(folder, fps=25))


def cut_clip(tmp_path: Path, patch: pytest.MonkeyPatch) -> Rig:
    path = write_clip(tmp_path / "clip.avi", 4 * COUNT)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    return Rig(ClipSource(path))


def webcam(tmp_path: Path, patch: pytest.MonkeyPatch) -> Rig:
    capture, ticks = PushedCapture(), itertools.count()
    source = WebcamSource(0, open_capture=lambda index: capture, clock=lambda: next(ticks) / 30, stall_s=20)
    return Rig(source, capture.push, capture.unplug, capture.released.is_set)


def pi(tmp_path: Path, patch: pytest.MonkeyPatch) -> Rig:
    sensor = stand_in.Sensor(view)
    stand_in.plug_in(patch, sensor)

    def come(count: int) -> None:
        sensor.frames += count - 1  # the last one comes as it is asked for

    return Rig(PiCameraSource(), come, lambda: setattr(sensor, "stalled", True), lambda: not sensor.in_use)


RECORDED = [clip, stills]
LIVE = [webcam, pi]
MakeRig = Callable[[Path, pytest.MonkeyPatch], Rig]


@pytest.fixture
def rig(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Rig:
    return request.param(tmp_path, monkeypatch)  # type: ignore[no-any-return]


def on(*rigs: MakeRig) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("rig", rigs, indirect=True, ids=lambda make: make.__name__)


def some(rig: Rig, count: int = COUNT) -> Iterator[Frame]:
    """The first `count` frames."""
    frames = rig.source.frames()
    for _ in range(count):
        rig.come(1)
        yield next(frames)
    frames.close()


@on(*RECORDED, *LIVE)
def test_frames_are_numbered_and_timed_rising_from_the_sources_own_start(rig: Rig) -> None:
    frames = list(some(rig))
    assert frames[0].index == 0
    assert 0 <= frames[0].t_s < 0.1
    assert all(after.index > before.index for before, after in itertools.pairwise(frames))
    assert all(after.t_s > before.t_s for before, after in itertools.pairwise(frames))


@on(*RECORDED, *LIVE)
def test_pictures_are_bgr_bytes_of_their_own(rig: Rig) -> None:
    frames = list(some(rig))
    for frame in frames:
        picture = frame.image_bgr
        height, width = picture.shape[:2]
        assert (picture.dtype, picture.shape) == (np.uint8, (height, width, 3))
        assert picture.flags.c_contiguous
        assert picture[height // 4, width // 4] == pytest.approx(BLUE, abs=TOLERANCE)
        assert picture[height // 4, 3 * width // 4] == pytest.approx(RED, abs=TOLERANCE)
    assert len({grey_in(frame.image_bgr) // 4 for frame in frames}) == COUNT  # none was written over


@on(*RECORDED, *LIVE)
def test_a_small_grey_picture_shows_what_the_picture_shows(rig: Rig) -> None:
    for frame in some(rig, 3):
        small = frame.small_grey
        if small is None:
            continue
        height, width = small.shape
        reduced = cv2.resize(frame.image_bgr, (width, height), interpolation=cv2.INTER_AREA)
        grey = cv2.cvtColor(reduced, cv2.COLOR_BGR2GRAY)
        assert small.dtype == np.uint8
        assert np.median(np.abs(small.astype(int) - grey)) <= 1
        assert height * frame.image_bgr.shape[1] == pytest.approx(width * frame.image_bgr.shape[0], rel=0.01)


@on(*RECORDED)
def test_a_recording_gives_every_frame_and_the_same_ones_again(rig: Rig) -> None:
    once, again = list(rig.source.frames()), list(rig.source.frames())
    assert not rig.source.live
    assert [grey_in(frame.image_bgr) for frame in once] == pytest.approx(
        [grey_of(number) for number in range(COUNT)], abs=TOLERANCE
    )
    assert [(frame.index, frame.t_s) for frame in once] == [(frame.index, frame.t_s) for frame in again]
    assert all(map(np.array_equal, (f.image_bgr for f in once), (f.image_bgr for f in again)))


@on(*LIVE)
def test_a_camera_gives_its_newest_frame_and_queues_none(rig: Rig) -> None:
    assert rig.source.live
    frames = rig.source.frames()
    rig.come(1)
    first = next(frames)
    rig.come(9)  # while the first was judged
    late = next(frames)
    rig.come(1)
    assert grey_in(late.image_bgr) - grey_in(first.image_bgr) == 9 * 4
    assert grey_in(next(frames).image_bgr) - grey_in(late.image_bgr) == 4
    frames.close()


@on(*RECORDED, *LIVE)
def test_closing_lets_go_of_the_device(rig: Rig) -> None:
    frames = rig.source.frames()
    rig.come(1)
    next(frames)
    if rig.source.live:
        assert not rig.released()
        rig.break_off()
    frames.close()
    assert rig.released()
    assert next(frames, None) is None


@on(cut_clip, broken_stills, *LIVE)
def test_a_source_that_breaks_off_says_so_in_one_line_once_and_lets_go(rig: Rig) -> None:
    frames = rig.source.frames()
    for _ in range(COUNT):
        rig.come(1)
        next(frames)
    rig.break_off()
    refusal(lambda: list(frames), ": ", VisionError)
    assert next(frames, None) is None
    assert rig.released()


def has_pi_camera() -> bool:
    if importlib.util.find_spec("picamera2") is None or importlib.util.find_spec("libcamera") is None:
        return False
    from picamera2 import Picamera2  # noqa: PLC0415 - there only on a Pi

    return bool(Picamera2.global_camera_info())


@pytest.mark.pi
def test_the_real_pi_camera_keeps_the_contract() -> None:
    if not has_pi_camera():
        pytest.skip("no Raspberry Pi camera, or no picamera2")
    for _ in range(2):  # what was let go of can be opened again
        frames = list(some(Rig(PiCameraSource()), 90))
        steps = np.diff([frame.t_s for frame in frames])
        assert all(steps > 0)
        assert np.median(steps) == pytest.approx(1 / 30, rel=0.05)
        for frame in frames:
            assert frame.image_bgr.dtype == np.uint8
            assert frame.image_bgr.ndim == 3
            assert frame.small_grey is not None
            height, width = frame.small_grey.shape
            reduced = cv2.resize(frame.image_bgr, (width, height), interpolation=cv2.INTER_AREA)
            grey = cv2.cvtColor(reduced, cv2.COLOR_BGR2GRAY)
            assert np.median(np.abs(frame.small_grey.astype(int) - grey)) <= 3
