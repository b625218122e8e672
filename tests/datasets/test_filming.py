"""A clip's truth names the frames in which things happen, and where hands are; sets are made as of stills."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("mujoco", reason="needs mujoco of the datasets extra")
pytest.importorskip("imageio_ffmpeg", reason="needs imageio-ffmpeg of the datasets extra")

from datasets import filming
from datasets.command import outcomes
from datasets.filming import film_clip
from datasets.library import CLIPS
from datasets.make_clips import main
from datasets.rig_maker import MadeRig, Order
from datasets.script import Script, thinned
from datasets.story import STORIES, write_script
from table.evaluation.clip_labels import read_clip_folder
from table.workers import opened_workers
from vision.calibration import load_calibration
from vision.domain import Image
from vision.sources import ClipSource

SEED = 3
SMALL_PX = 1.5e5
MIXED = [name for name, story in STORIES.items() if story.share]


@pytest.fixture(scope="module", autouse=True)
def small_pictures() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        shrink(patch)
        yield


def shrink(patch: pytest.MonkeyPatch) -> None:
    for name in MIXED:
        patch.setitem(STORIES, name, replace(STORIES[name], most_pixels=SMALL_PX))


def film(folder: Path, story: str, count: int = 1) -> int:
    fixed = ["--seed", str(SEED), "--renderer", "flat", "--story", story, "--sheets", "1"]
    return main(["--out", str(folder), "--count", str(count), *fixed])


@pytest.fixture(scope="module", params=MIXED)
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp(request.param)
    assert film(folder, request.param) == 0
    return folder


def filmed(folder: Path) -> tuple[dict[str, Any], list[Image]]:
    path = folder / "clip-00000.json"
    frames = [frame.image_bgr for frame in ClipSource(path.with_suffix(".mp4")).frames()]
    return json.loads(path.read_text()), frames


def moved(frames: list[Image], one: int, other: int) -> float:
    """The part of the picture that changed most, so that a small die counts."""
    away = np.abs(frames[one].astype(int) - frames[other]).max(axis=2).astype(float)
    rows, columns = (side // 16 * 16 for side in away.shape)
    cells = away[:rows, :columns].reshape(rows // 16, 16, columns // 16, 16)
    return float(cells.mean(axis=(1, 3)).max())


def test_its_calibration_loads_and_it_is_read_as_a_labelled_clip(folder: Path) -> None:
    load_calibration(folder / "clip-00000.json")
    clip = read_clip_folder(folder).clips[0]
    assert len(clip.throws) == 2


def test_nothing_moves_once_a_throw_has_settled(folder: Path) -> None:
    truth, frames = filmed(folder)
    assert len(frames) == truth["n_frames"]
    still = moved(frames, 0, truth["empty_frames"][1])
    for event in truth["events"]:
        settled = event["frame_settled"]
        middle = (event["frame_start"] + settled) // 2
        assert moved(frames, settled, settled + 20) < 1.5 * still + 2
        assert moved(frames, middle, settled) > 1.5 * still
        assert event["faces"] == [die["face"] for die in event["dice"]]


def test_a_hand_is_where_the_truth_says_and_nowhere_else(folder: Path) -> None:
    truth, frames = filmed(folder)
    still = moved(frames, 0, truth["empty_frames"][1])
    for act in truth["actions"]:
        boxes = {number: box for number, *box in act["hand_px"]}
        assert boxes
        assert act["frame_start"] <= min(boxes) <= max(boxes) <= act["frame_end"]
        for number, (left, top, right, bottom) in boxes.items():
            assert 0 <= left <= right < truth["image_size"][0]
            assert 0 <= top <= bottom < truth["image_size"][1]
            if right - left > 40 and bottom - top > 40:
                part = [frame[top:bottom, left:right] for frame in (frames[number], frames[0])]
                assert moved(part, 0, 1) > 1.15 * still  # skin may be much like wood


def test_after_all_dice_are_lifted_the_tray_is_empty(folder: Path) -> None:
    truth, frames = filmed(folder)
    lifts = [act for act in truth["actions"] if act["what"].endswith("lifted out")]
    lifted = sum(int(act["what"].split()[0]) for act in lifts)
    assert lifted == sum(die["in_frame"] for die in truth["events"][0]["dice"])
    assert moved(frames, lifts[-1]["frame_end"] + 5, 5) < 1.5 * moved(frames, 0, 10) + 2


def test_a_knock_lays_one_leaning_die_flat_and_leaves_the_others() -> None:
    for seed in range(3):
        chance = np.random.default_rng(seed)
        try:
            script = write_script(filming._stage("knock", chance), "knock")
        except ValueError:
            continue
        before, after = script.events
        assert (before["kind"], after["kind"]) == ("throw", "knock")
        assert after["frame_start"] > before["frame_settled"]
        pairs = list(zip(before["dice"], after["dice"], strict=True))
        changed = [(was, now) for was, now in pairs if was != now]
        assert len(changed) == 1
        was, now = changed[0]
        assert (was["state"], now["state"]) == ("tilted", "flat")
        knocks = [act for act in script.actions if act["what"] == "a die knocked flat"]
        assert [act["frame_start"] for act in knocks] == [after["frame_start"]]


def test_the_manifest_counts_throws_and_names_every_source(folder: Path) -> None:
    manifest = json.loads((folder / "manifest.json").read_text())
    truth = json.loads((folder / "clip-00000.json").read_text())
    assert (manifest["clips"], manifest["throws"]) == (1, len(truth["events"]))
    assert manifest["recipes"] == {manifest["order"]["recipe"]: 1}
    assert [(source["licence"], source["throws"]) for source in manifest["sources"]] == [("CC0-1.0", 2)]
    assert (folder / "sheet-0.jpg").is_file()


def test_clips_that_are_there_are_not_filmed_again(folder: Path) -> None:
    before = {path.name: path.stat().st_mtime_ns for path in folder.glob("clip-*")}
    assert film(folder, folder.name.rstrip("0123456789")) == 0
    assert {path.name: path.stat().st_mtime_ns for path in folder.glob("clip-*")} == before


def test_a_folder_of_another_story_is_refused_in_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert film(folder, "mixed") == 2
    assert "recipe" in capsys.readouterr().err


def test_clips_whose_pips_cannot_be_seen_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(filming, "LEAST_CONTRAST", 300.0)
    monkeypatch.setattr(filming, "CLIP_TRIES", 2)
    with pytest.raises(ValueError, match="unreadable pips"):
        film_clip(Order(SEED, "again", 1, 1, "flat"), 0)


def test_a_cluster_of_two_workers_films_the_same_clips() -> None:
    distributed = pytest.importorskip("distributed", reason="needs dask[distributed] of the datasets extra")
    order = Order(SEED, "again", 2, 1, "flat")
    two = distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    with two as cluster, opened_workers(1, cluster.scheduler_address) as workers:
        made = dict(outcomes(workers, small_clip, order, [0, 1]))
    assert made == {number: small_clip(order, number) for number in (0, 1)}


def small_clip(order: Order, number: int) -> MadeRig:
    with pytest.MonkeyPatch.context() as patch:
        shrink(patch)
        return CLIPS.make(order, number)


def test_a_thinned_script_keeps_what_happens_and_when() -> None:
    frames = [() for _ in range(11)]
    act = {"what": "x", "frame_start": 3, "frame_end": 7, "hand_px": [[4, 0, 0, 1, 1], [5, 0, 0, 1, 1]]}
    script = Script(
        frames, [{"kind": "throw", "frame_start": 2, "frame_settled": 9}], [], [act], [], {6: 0.5}
    )
    half = thinned(script, 2)
    assert len(half.frames) == 6
    assert half.events == [{"kind": "throw", "frame_start": 1, "frame_settled": 5}]
    assert half.actions == [{"what": "x", "frame_start": 2, "frame_end": 4, "hand_px": [[2, 0, 0, 1, 1]]}]
    assert half.lights == {3: 0.5}
