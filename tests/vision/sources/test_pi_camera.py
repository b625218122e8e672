"""The Pi camera's adapter against the stand-in: locked before the first frame, checked at every one."""

from __future__ import annotations

import ast
import importlib.util
import sys
from collections.abc import Callable
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.vision.sources import pi_camera_stand_in as stand_in
from tests.vision.sources.views import BLUE, RED, refusal, view
from vision.domain import Frame
from vision.errors import NoCameraError, UnreadableClipError
from vision.sources import PiCameraSource

REAL = importlib.util.find_spec("picamera2")
PLUG = Callable[..., stand_in.Sensor]


@pytest.fixture
def plug(monkeypatch: pytest.MonkeyPatch) -> PLUG:
    """Plug in a camera of which the arguments tell the ways."""
    stand_in.plug_in(monkeypatch)

    def plug_in(**ways: Any) -> stand_in.Sensor:
        stand_in.PLUGGED_IN.append(stand_in.Sensor(view, **ways))
        return stand_in.PLUGGED_IN[-1]

    return plug_in


def some(count: int, source: PiCameraSource | None = None) -> list[Frame]:
    with closing((source or PiCameraSource()).frames()) as frames:
        return list(islice(frames, count))


def test_it_reads_the_whole_view_and_settles_on_a_quarter_of_it(plug: PLUG) -> None:
    sensor = plug()
    (frame,) = some(1)
    assert frame.image_bgr.shape == (1296, 2304, 3)
    assert frame.small_grey is not None
    assert frame.small_grey.shape == (324, 576)
    used = sensor.configuration
    assert used["sensor"] == {"output_size": (2304, 1296), "bit_depth": 10}
    assert (used["queue"], used["raw"]) == (False, None)
    assert used["controls"]["FrameDurationLimits"] == (33_333, 33_333)


def test_the_padding_of_the_rows_is_no_part_of_the_small_picture(plug: PLUG) -> None:
    plug(modes=[stand_in.mode((1640, 1232), 41.85, (0, 0, 3280, 2464))])
    (frame,) = some(1)
    assert frame.image_bgr.shape == (1232, 1640, 3)
    assert frame.small_grey is not None
    assert frame.small_grey.shape == (308, 410)
    assert np.ptp(frame.small_grey[:100, 300:]) == 0


@pytest.mark.parametrize("given", list(stand_in.CHANNELS))
def test_whatever_format_the_hardware_gives_becomes_bgr(plug: PLUG, given: str) -> None:
    plug(adjusted=given)
    (frame,) = some(1)
    assert tuple(frame.image_bgr[300, 500]) == BLUE
    assert tuple(frame.image_bgr[300, 1800]) == RED
    assert frame.image_bgr.flags.c_contiguous


def test_a_format_that_it_does_not_know_is_refused_and_the_camera_let_go_of(plug: PLUG) -> None:
    sensor = plug(adjusted="YUYV")
    assert "YUYV" in refusal(PiCameraSource, "pi:0")
    assert not sensor.in_use


@pytest.fixture
def shown(plug: PLUG) -> tuple[stand_in.Sensor, list[tuple[int, dict[str, Any]]]]:
    """A camera, and the number and metadata of all that it said of its frames."""
    said: list[tuple[int, dict[str, Any]]] = []

    def noted(number: int, metadata: dict[str, Any]) -> dict[str, Any]:
        said.append((number, metadata))
        return metadata

    return plug(befalls=noted), said


def test_no_frame_is_given_before_all_are_found_and_show_the_lock(
    shown: tuple[stand_in.Sensor, list[tuple[int, dict[str, Any]]]],
) -> None:
    _, said = shown
    some(20)
    given = [metadata for _, metadata in said[-20:]]
    first, last = given[0], given[-1]
    assert last["AfState"] == stand_in.AF_IDLE
    assert last["LensPosition"] == pytest.approx(2.44, abs=0.01)  # where it was in focus
    assert last["ExposureTime"] == pytest.approx(20_000, rel=0.01)
    for metadata in given:
        for name in ("ExposureTime", "AnalogueGain", "ColourGains", "LensPosition"):
            assert metadata[name] == pytest.approx(first[name], rel=0.01)
    before = [metadata for _, metadata in said[:-20]]
    assert before[0]["ExposureTime"] < 15_000  # it was found, not guessed
    assert len(before) > 40


def test_frames_that_do_not_show_the_lock_are_not_given(plug: PLUG) -> None:
    bad: set[int] = set()

    def slip(number: int, metadata: dict[str, Any]) -> dict[str, Any]:
        return metadata | ({"ExposureTime": 9_000} if number in bad else {})

    sensor = plug(befalls=slip)
    with closing(PiCameraSource().frames()) as frames:
        before = next(frames)
        bad |= {sensor.frames + 1, sensor.frames + 2, sensor.frames + 5}
        after = list(islice(frames, 4))
    assert [frame.index for frame in after] == [1, 2, 3, 4]
    steps = np.diff([before.t_s, *(frame.t_s for frame in after)]) * 30
    assert steps == pytest.approx([3, 1, 2, 1], abs=0.01)


@pytest.mark.parametrize("name", ["ExposureTime", "AnalogueGain", "ColourGains", "LensPosition"])
@pytest.mark.parametrize("found", ["another", "none"])
def test_a_camera_that_does_not_keep_the_lock_is_told_with_what_was_found(
    plug: PLUG, name: str, found: str
) -> None:
    kept = 100

    def slip(number: int, metadata: dict[str, Any]) -> dict[str, Any]:
        if number <= kept:
            return metadata
        other = (1.0, 1.0) if name == "ColourGains" else metadata[name] * 1.2
        return metadata | {name: other if found == "another" else None}

    sensor = plug(befalls=slip)
    source = PiCameraSource()
    assert name in refusal(lambda: list(source.frames()), "pi:0")
    assert sensor.frames - kept < 5 * 30  # within 5 s
    assert not sensor.in_use


def test_a_camera_that_never_does_as_it_is_told_gives_no_frame(plug: PLUG) -> None:
    plug(befalls=lambda number, metadata: metadata | {"LensPosition": number / 2})  # hunts
    given: list[Frame] = []
    refusal(lambda: given.extend(PiCameraSource().frames()), "pi:0")
    assert not given


def test_a_tray_that_it_cannot_focus_on_is_told(plug: PLUG) -> None:
    sensor = plug(focuses=False)
    assert "focus" in refusal(lambda: some(1), "pi:0")
    assert not sensor.in_use


def test_light_that_is_never_steady_is_locked_as_it_is(plug: PLUG) -> None:
    def flicker(number: int, metadata: dict[str, Any]) -> dict[str, Any]:
        return metadata if metadata["AfState"] == 0 else metadata | {"AnalogueGain": 2.0 + number % 2}

    sensor = plug(befalls=flicker)
    assert len(some(3)) == 3
    assert sensor.frames < 10 * 30


def test_a_camera_without_a_motor_needs_no_focus(plug: PLUG) -> None:
    plug(motor=False)
    assert len(some(3)) == 3


def test_a_camera_that_cannot_be_locked_is_refused(plug: PLUG) -> None:
    plug(lacks=frozenset({"ExposureTime"}))
    assert "locked" in refusal(lambda: some(1), "pi:0")


def test_every_request_is_given_back(plug: PLUG) -> None:
    sensor = plug()
    source = PiCameraSource()
    frames = source.frames()
    for _ in range(10):  # more than there are buffers for
        next(frames)
        assert sensor.outstanding == 0
    frames.close()


def test_a_stall_is_found_and_the_camera_can_be_opened_again(plug: PLUG) -> None:
    sensor = plug()
    source = PiCameraSource()
    frames = source.frames()
    next(frames)
    sensor.stalled = True
    assert "4 s" in refusal(lambda: next(frames), "pi:0")
    refusal(lambda: some(1), "pi:0")  # it still stalls
    sensor.stalled = False
    assert len(some(2)) == 2


def test_cameras_are_told_apart_by_number_and_usb_ones_are_left_to_usb(plug: PLUG) -> None:
    plug(id="/base/soc/usb@7d500000/camera")
    refusal(PiCameraSource, "pi:0", NoCameraError)
    first, second = plug(id="/base/soc/i2c0mux/i2c@1/imx708@1a"), plug(id="/base/soc/i2c0mux/i2c@0/imx708@1a")
    PiCameraSource(1)
    assert (first.in_use, second.in_use) == (False, True)
    refusal(lambda: PiCameraSource(2), "found 2", NoCameraError)


def test_a_camera_that_another_program_has_is_no_missing_one(plug: PLUG) -> None:
    plug(in_use=True)
    with pytest.raises(UnreadableClipError, match="busy") as caught:
        PiCameraSource()
    assert not isinstance(caught.value, NoCameraError)


@pytest.mark.skipif(REAL is not None, reason="picamera2 is installed")
def test_without_picamera2_there_is_no_such_camera() -> None:
    assert "python3-picamera2" in refusal(PiCameraSource, "pi:0", NoCameraError)


def test_a_picamera2_that_cannot_be_loaded_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "picamera2.py").write_text("raise ValueError('numpy.dtype size changed')")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "picamera2", raising=False)
    with pytest.raises(UnreadableClipError, match="size changed") as caught:
        PiCameraSource()
    assert not isinstance(caught.value, NoCameraError)


def arguments(source: str, owner: str) -> dict[str, tuple[list[str], int]]:
    """By public method of a class: the names of its arguments, and how many may be left out."""
    classes = [
        node for node in ast.parse(source).body if isinstance(node, ast.ClassDef) and node.name == owner
    ]
    methods = [node for each in classes for node in each.body if isinstance(node, ast.FunctionDef)]
    return {
        node.name: ([argument.arg for argument in node.args.args], len(node.args.defaults))
        for node in methods  # of overloads, the last
        if node.name == "__init__" or not node.name.startswith("_")
    }


@pytest.mark.skipif(REAL is None, reason="picamera2 is not installed")
@pytest.mark.parametrize(
    ("owner", "module"), [("Picamera2", "picamera2.py"), ("CompletedRequest", "request.py")]
)
def test_the_stand_in_has_the_real_signatures(owner: str, module: str) -> None:
    assert REAL is not None
    assert REAL.submodule_search_locations is not None
    real = arguments((Path(REAL.submodule_search_locations[0]) / module).read_text(encoding="utf-8"), owner)
    imitated = arguments(Path(stand_in.__file__).read_text(encoding="utf-8"), owner)
    assert imitated.items() <= (real | {"metadata_of": imitated.get("metadata_of")}).items()
