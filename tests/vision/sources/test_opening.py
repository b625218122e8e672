"""What a person may name as a source, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.vision.sources import pi_camera_stand_in as stand_in
from tests.vision.sources.views import refusal, view, write_clip, write_stills
from vision.errors import NoCameraError
from vision.sources import ClipSource, PiCameraSource, StillsSource, open_source


@pytest.mark.parametrize(
    "spec", ["usb:", "usb:x", "usb:-1", "usb:97", "pi:", "pi:x", "pi:100", "nowhere.mp4", ""]
)
def test_a_source_that_does_not_exist_is_refused(spec: str) -> None:
    refusal(lambda: open_source(spec), spec)


def test_a_path_opens_a_clip_or_a_folder_of_stills(tmp_path: Path) -> None:
    assert isinstance(open_source(str(write_clip(tmp_path / "clip.avi", 3))), ClipSource)
    source = open_source(str(write_stills(tmp_path / "stills", 3)), fps=5)
    assert isinstance(source, StillsSource)
    assert [frame.t_s for frame in source.frames()] == pytest.approx([0, 0.1, 0.2, 0.3, 0.4, 0.5])


def test_pi_opens_the_pi_camera_by_number(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in.plug_in(monkeypatch, stand_in.Sensor(view))
    assert isinstance(open_source("pi"), PiCameraSource)
    refusal(lambda: open_source("pi:1"), "pi:1", NoCameraError)
