"""The clips of `datasets/clips` are told as their maker says, who knows nothing of any reader."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from table.cli import main
from table.evaluation.clip_labels import read_clip_folder
from vision.domain import MISROLL_KINDS

CLIPS = Path(__file__).parents[2] / "datasets" / "clips"
MADE: dict[str, Any] = json.loads((CLIPS / "manifest.json").read_text(encoding="utf-8"))["clips"]
LATEST_FRAMES = 25  # after the last movement: the settling, and a second look
MOST_BYTES = 2_000_000
HELD = {
    *("valid", "leaning", "stacked", "outside", "missing", "cup", "knock", "two-throws"),
    *("hot-dice", "banked", "nudged", "lights", "hand-rests"),
}


def test_every_clip_is_in_the_manifest_and_small() -> None:
    folders = {path.name: path for path in CLIPS.iterdir() if path.is_dir()}
    assert folders.keys() == MADE.keys()
    assert set(MADE) >= HELD
    for folder in folders.values():
        assert sum(path.stat().st_size for path in folder.iterdir()) < MOST_BYTES


@pytest.mark.parametrize("name", MADE)
def test_it_is_told_as_its_maker_says(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    folder = CLIPS / name
    files = ["--table", str(folder / "table.json"), "--expect", str(folder / "expect.jsonl")]
    code = main(["replay", str(folder / "clip.mp4"), *files, *MADE[name]["replay"], "--json"])
    out, err = capsys.readouterr()
    assert (code, err) == (0, "")
    settled = [event for event in map(json.loads, out.splitlines()) if event["event"] == "throw_settled"]
    throws = read_clip_folder(folder).clips[0].throws
    assert len(settled) == len(throws)
    for event, throw in zip(settled, throws, strict=True):
        assert throw.start <= event["frame"] <= throw.still + LATEST_FRAMES
        kinds = {reason["kind"] for reason in event["reasons"]}
        if throw.verdict.kinds:  # a doubt about dice that those hide does no harm beside a misroll
            kinds &= MISROLL_KINDS
        assert throw.verdict.kinds <= kinds <= throw.verdict.kinds | throw.verdict.open_kinds
