"""The clip that ships with the program is what its truth says it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vision.calibration import load_calibration
from vision.settle import SettleKind, Settler
from vision.sources import ClipSource

DEMO = Path(__file__).parents[2] / "table" / "demo"
LATEST_FRAMES = 11


@pytest.fixture(scope="module")
def truth() -> dict[str, Any]:
    return dict(json.loads((DEMO / "demo.json").read_text(encoding="utf-8")))


def test_it_is_small_and_whole(truth: dict[str, Any]) -> None:
    clip = ClipSource(DEMO / "demo.mp4")
    assert (DEMO / "demo.mp4").stat().st_size < 3_000_000
    assert (clip.size, clip.fps, clip.frame_count) == ((1280, 720), truth["fps"], truth["n_frames"])


def test_its_story_is_two_valid_throws_around_a_misroll(truth: dict[str, Any]) -> None:
    throws = truth["events"]
    assert [throw["verdict"] for throw in throws] == ["valid", "misroll", "valid"]
    assert sorted(throws[0]["faces"]) == [1, 2, 3, 4, 5, 6]
    for throw in throws:
        assert throw["faces"] == [die["face"] for die in throw["dice"]]
        assert [die["state"] for die in throw["dice"]].count("outside") == len(throw["reasons"])
        for die in throw["dice"]:
            corners = np.array(die["corners_px"])
            assert np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).min() > 60
            assert die["in_frame"]


def test_both_its_calibrations_load_and_agree() -> None:
    table = load_calibration(DEMO / "table.json")
    by_truth = load_calibration(DEMO / "demo.json")
    assert table.empty_image is not None
    assert (table.area_px == by_truth.area_px).all()


@pytest.mark.parametrize("calibrated", [True, False])
def test_it_settles_once_a_throw_and_is_cleared_between(truth: dict[str, Any], calibrated: bool) -> None:
    settler = Settler(load_calibration(DEMO / "table.json") if calibrated else None)
    rests = []
    for frame in ClipSource(DEMO / "demo.mp4").frames():
        for event in settler.step(frame):
            if event.kind is not SettleKind.MOTION_STARTED:
                rests.append(event)
        if not calibrated and len(rests) == 1:
            settler.learn_empty()
    settled, cleared = SettleKind.SETTLED, SettleKind.CLEARED
    first = SettleKind.UNCHANGED if calibrated else settled
    assert [rest.kind for rest in rests] == [first, settled, cleared, settled, cleared, settled]
    stills = [throw["frame_settled"] for throw in truth["events"]]
    gone = [action["frame_end"] for action in truth["actions"]]
    expected = sorted([*stills, *gone])
    for rest, true in zip(rests[1:], expected, strict=True):
        assert -8 <= rest.frame.index - true <= LATEST_FRAMES
