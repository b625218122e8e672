"""A clip's truth names the frames in which things happen, and is what it is measured by."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("mujoco", reason="needs mujoco of the datasets extra")
pytest.importorskip("imageio_ffmpeg", reason="needs imageio-ffmpeg of the datasets extra")

from datasets.make_clips import main
from table.evaluation.clip_labels import read_clip_folder
from vision.calibration import CLIP_TRUTH_KEYS, load_calibration
from vision.domain import Image
from vision.sources import ClipSource


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("clips")
    assert main(["--out", str(folder), "--count", "1", "--seed", "3", "--renderer", "flat"]) == 0
    return folder


def filmed(folder: Path) -> tuple[dict[str, Any], list[Image]]:
    path = folder / "clip-00000.json"
    frames = [frame.image_bgr for frame in ClipSource(path.with_suffix(".mp4")).frames()]
    return json.loads(path.read_text()), frames


def test_its_calibration_loads_and_it_is_read_as_a_labelled_clip(folder: Path) -> None:
    load_calibration(folder / "clip-00000.json", ignore_extra=CLIP_TRUTH_KEYS)
    clip = read_clip_folder(folder).clips[0]
    assert len(clip.throws) == 2


def test_nothing_moves_before_a_throw_nor_after_it_has_settled(folder: Path) -> None:
    truth, frames = filmed(folder)
    assert len(frames) == truth["n_frames"]

    def moved(one: int, other: int) -> float:
        return float(np.abs(frames[one].astype(int) - frames[other]).max(axis=2).astype(float).mean())

    still = moved(0, truth["empty_frames"][1])
    for event in truth["events"]:
        middle = (event["frame_start"] + event["frame_settled"]) // 2
        assert moved(event["frame_settled"], event["frame_settled"] + 20) < 1.5 * still + 0.2
        assert moved(middle, event["frame_settled"]) > 1.2 * still
        assert event["faces"] == [die["face"] for die in event["dice"]]


def test_clips_that_are_there_are_not_filmed_again(folder: Path) -> None:
    before = {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}
    assert main(["--out", str(folder), "--count", "1", "--seed", "3", "--renderer", "flat"]) == 0
    assert {path.name: path.stat().st_mtime_ns for path in folder.iterdir()} == before
