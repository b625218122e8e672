"""Recorded clips: OpenCV's own reader is the oracle of the container; a replay sees what the table saw."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Generator
from dataclasses import replace
from io import FileIO
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import table.commands.record
import table.commands.replay
import table.throw_watch
from scoring.game import new_game
from scoring.ruleset import load_preset
from table.cli import main
from table.errors import RecordingError
from table.loop import TableLoop, run
from table.output import json_line
from table.recording import clip_file
from table.recording.clip_file import ClipFile
from table.recording.clip_reading import frames_of
from table.recording.exact_choice import ExactChoice
from table.recording.matroska import clip_of
from table.recording.pictures import jpeg_of, png_of
from table.second_sight import SecondSight
from table.throw_watch import ThrowWatch
from tests.table.staging import dice, played, staged_judge
from vision.domain import Frame, Image, Reason, ReasonKind, Ruling, TableCalibration, Verdict
from vision.errors import UnreadableClipError, VisionError
from vision.images import read_image
from vision.sources import ClipSource

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "table" / "demo"
SIZE = (64, 48)
SIX, THREE = dice(1, 1, 1, 3, 4, 6), dice(5, 5, 2, first_cell=8)
NOISE = np.random.default_rng(5).integers(0, 256, (12, SIZE[1], SIZE[0], 3), dtype=np.uint8)
MICROSECONDS = st.lists(st.integers(1, 3_000_000), min_size=1, max_size=11)


def times_of(gaps_us: list[int]) -> list[float]:
    return [round(sum(gaps_us[:count]) / 1e6, 6) for count in range(len(gaps_us) + 1)]


def frames_at(times: list[float]) -> list[Frame]:
    return [Frame(index, t_s, NOISE[index]) for index, t_s in enumerate(times)]


@settings(max_examples=40, deadline=None)
@given(MICROSECONDS)
def test_every_frame_has_its_own_time_to_the_microsecond(gaps_us: list[int]) -> None:
    times = times_of(gaps_us)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "clip.mkv"
        path.write_bytes(clip_of([(t_s, jpeg_of(NOISE[0]), None) for t_s in times], SIZE))
        source = ClipSource(path)
        assert source.size == SIZE
        assert [frame.t_s for frame in source.frames()] == times


@settings(max_examples=40, deadline=None)
@given(MICROSECONDS, st.sets(st.integers(0, 11)), st.floats(0, 1))
def test_cut_anywhere_a_clip_plays_up_to_there(gaps_us: list[int], exact: set[int], share: float) -> None:
    times = times_of(gaps_us)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "clip.mkv"
        ends = []
        clip = ClipFile(path)
        for frame in frames_at(times):
            clip.add(frame, exact=frame.index in exact)
            ends.append(clip.size_bytes)
        written = path.read_bytes()  # nobody has said that it is finished, as after a power cut
        assert len(written) == ends[-1]
        cut = round(share * len(written))
        path.write_bytes(written[:cut])
        whole = sum(end <= cut for end in ends)
        if whole < 2:
            return  # a single picture is no clip
        shown = list(frames_of(path))
        assert [frame.t_s for frame in shown[:whole]] == times[:whole]
        for frame in shown[:whole]:
            assert frame.index not in exact or np.array_equal(frame.image_bgr, NOISE[frame.index])


def test_a_clip_of_another_maker_is_read_as_ever(tmp_path: Path) -> None:
    ours = [frame.image_bgr for frame in frames_of(DEMO / "demo.mp4")][:3]
    theirs = [frame.image_bgr for frame in ClipSource(DEMO / "demo.mp4").frames()][:3]
    assert np.array_equal(ours, theirs)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.binary(min_size=1, max_size=12))
def test_a_damaged_clip_gives_frames_or_one_line(place: int, damage: bytes) -> None:
    whole = bytearray(DAMAGED)
    place %= len(whole)
    whole[place : place + len(damage)] = damage
    with TemporaryDirectory() as folder:
        path = Path(folder) / "clip.mkv"
        path.write_bytes(whole)
        try:
            shown = list(frames_of(path))
        except VisionError:
            return
        assert all(before.t_s < after.t_s for before, after in pairwise(shown))


def _damaged() -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "clip.mkv"
        with ClipFile(path) as clip:
            for frame in frames_at(times_of([33_333] * 5)):
                clip.add(frame, exact=frame.index % 2 == 0)
        return path.read_bytes()


DAMAGED = _damaged()


# The command


class FakeCamera:
    """Gives frames, then fails, is interrupted, or ends."""

    live = True

    def __init__(self, shown: list[Frame], failure: BaseException | None = None) -> None:
        self.shown, self.failure = shown, failure

    def frames(self) -> Generator[Frame]:
        yield from self.shown
        if self.failure is not None:
            raise self.failure


@pytest.fixture
def camera(monkeypatch: pytest.MonkeyPatch) -> FakeCamera:
    fake = FakeCamera([])
    monkeypatch.setattr(table.commands.record, "first_camera", lambda: ("usb:0", fake))
    return fake


def jittered(seed: int) -> list[Frame]:
    """Two throws as a busy camera gives them: at uneven times, and now and then a frame is lost."""
    draw = np.random.default_rng(seed)
    shown = [frame for frame in played(SIX, THREE) if frame.index == 0 or draw.random() > 0.1]
    late = [0.0, *draw.uniform(-0.012, 0.012, len(shown) - 1)]
    return [
        replace(frame, index=number, t_s=round(frame.t_s + by, 6))
        for number, (frame, by) in enumerate(zip(shown, late, strict=True))
    ]


@pytest.mark.parametrize("seed", range(4))
def test_a_replay_gives_the_events_that_the_live_table_gave(
    seed: int,
    camera: FakeCamera,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    camera.shown = jittered(seed)
    loop = TableLoop(new_game(load_preset("danish"), ("Ada", "Bo")), ThrowWatch(judge=staged_judge), None)
    live = "".join(json_line(event.record()) for event in run(loop, camera.shown))
    clip = str(tmp_path / "clip.mkv")
    assert main(["record", clip]) == 0
    capsys.readouterr()

    def watch(calibration: TableCalibration | None = None, judge: object = None) -> ThrowWatch:
        return ThrowWatch(calibration, staged_judge)

    monkeypatch.setattr(table.commands.replay, "ThrowWatch", watch)
    assert main(["replay", clip, "--json"]) == 0
    assert capsys.readouterr().out == live
    assert live.count("throw_settled") == 2


def test_a_recording_of_a_real_looking_table_replays_to_the_same_bytes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    clip, game = str(tmp_path / "clip.mkv"), ["--table", str(DEMO / "table.json")]
    assert main(["record", clip, "--camera", str(DEMO / "demo.mp4"), *game]) == 0
    capsys.readouterr()
    told = []
    for each in (clip, str(DEMO / "demo.mp4")):
        touches = ["--touches", str(DEMO / "touches.jsonl"), "--dice", "6"]
        assert main(["replay", each, "--json", *game, *touches]) == 0
        told.append(capsys.readouterr().out)
    assert told[0] == told[1]
    assert told[0].count("throw_settled") == 3


def said(capsys: pytest.CaptureFixture[str]) -> str:
    """The one line on standard error."""
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    return err


def test_ctrl_c_ends_a_recording(
    camera: FakeCamera, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    camera.shown, camera.failure = frames_at(times_of([50_000] * 9)), KeyboardInterrupt()
    assert main(["record", str(tmp_path / "clip.mkv")]) == 0
    told = capsys.readouterr()
    assert "10 frames, 0.5 s" in told.out
    assert told.err == ""
    assert len(list(frames_of(tmp_path / "clip.mkv"))) == 10


def test_programs_read_what_was_written(
    camera: FakeCamera, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    camera.shown, camera.failure = frames_at(times_of([50_000] * 9)), KeyboardInterrupt()
    clip = tmp_path / "clip.mkv"
    assert main(["record", str(clip), "--json"]) == 0
    told = {"file": str(clip), "frames": 10, "seconds": 0.45, "bytes": clip.stat().st_size}
    assert capsys.readouterr().out == json_line(told)


def test_seconds_end_a_recording(camera: FakeCamera, tmp_path: Path) -> None:
    camera.shown = [replace(frame, t_s=frame.t_s + 900.5) for frame in frames_at(times_of([100_000] * 11))]
    assert main(["record", str(tmp_path / "clip.mkv"), "--seconds", "0.65"]) == 0
    assert [frame.t_s for frame in frames_of(tmp_path / "clip.mkv")] == times_of([100_000] * 7)


def test_a_camera_that_goes_away_leaves_what_was_written(
    camera: FakeCamera, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    camera.shown, camera.failure = frames_at(times_of([50_000] * 9)), UnreadableClipError("usb:0: gone")
    assert main(["record", str(tmp_path / "clip.mkv")]) == 1
    assert "usb:0: gone" in said(capsys)
    assert len(list(frames_of(tmp_path / "clip.mkv"))) == 10


class FullDisk(FileIO):
    """Takes so many bytes, part of the last write among them."""

    left = 30_000

    def write(self, data: Any, /) -> int:
        taken = memoryview(data)[: self.left]
        if not taken:
            raise OSError(28, "No space left on device")
        self.left -= len(taken)
        return super().write(taken)


def test_a_full_disk_is_one_line_and_the_rest_plays(
    camera: FakeCamera, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clip_file, "FileIO", FullDisk)
    camera.shown = frames_at(times_of([50_000] * 11))
    assert main(["record", str(tmp_path / "clip.mkv")]) == 1
    line = said(capsys)
    shown = len(list(frames_of(tmp_path / "clip.mkv")))
    assert "No space left on device" in line
    assert f"{shown} frames" in line
    assert 2 < shown < 12


def test_the_system_that_takes_no_more_is_one_line_too(tmp_path: Path) -> None:
    clip, most = tmp_path / "clip.mkv", 2_000_000
    command = [sys.executable, "-m", "table.cli", "record", str(clip), "--camera", str(DEMO / "demo.mp4")]
    ended = subprocess.run(
        command,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)),
    )
    assert (ended.returncode, ended.stderr.count("\n")) == (1, 1)
    assert os.strerror(27) in ended.stderr
    assert clip.stat().st_size <= most
    assert len(list(frames_of(clip))) > 2


def test_a_file_that_is_there_stays(
    camera: FakeCamera, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    camera.shown = frames_at(times_of([50_000] * 3))
    clip = tmp_path / "clip.mkv"
    clip.write_text("precious")
    assert main(["record", str(clip)]) == 2
    assert "--force" in said(capsys)
    assert clip.read_text() == "precious"
    assert main(["record", str(clip), "--force"]) == 0
    assert len(list(frames_of(clip))) == 4


def test_without_a_frame_there_is_no_file_and_an_old_one_stays(
    camera: FakeCamera, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    camera.failure = UnreadableClipError("usb:0: gone")
    clip = tmp_path / "clip.mkv"
    assert main(["record", str(clip)]) == 1
    said(capsys)
    assert not clip.exists()
    clip.write_text("precious")
    assert main(["record", str(clip), "--force"]) == 1
    assert clip.read_text() == "precious"


@pytest.mark.parametrize("name", ["clip.mp4", "clip", ".", "none/clip.mkv"])
def test_a_name_that_cannot_be_is_one_line(
    name: str, camera: FakeCamera, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    camera.shown = frames_at(times_of([50_000] * 3))
    assert main(["record", str(tmp_path / name)]) in (1, 2)
    said(capsys)


def test_a_clip_is_not_recorded_onto_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    clip = tmp_path / "clip.mkv"
    clip.write_bytes(DAMAGED)
    assert main(["record", str(clip), "--camera", str(clip), "--force"]) == 2
    assert "two different" in said(capsys)
    assert clip.read_bytes() == DAMAGED


def test_no_camera_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["record", str(tmp_path / "clip.mkv"), "--camera", "usb:77"]) == 1
    assert "usb:77" in said(capsys)


def test_no_camera_at_all_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table.commands.record, "first_camera", lambda: None)
    assert main(["record", str(tmp_path / "clip.mkv")]) == 1
    assert "no camera found" in said(capsys)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("word", ["0", "-1", "nan", "inf", "ten"])
def test_seconds_that_are_none_are_wrong_usage(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["record", "clip.mkv", "--seconds", word])
    assert stop.value.code == 2
    said(capsys)


def test_a_frame_of_another_size_is_refused(tmp_path: Path) -> None:
    with ClipFile(tmp_path / "clip.mkv") as clip:
        clip.add(Frame(0, 0.0, NOISE[0]))
        with pytest.raises(RecordingError, match="48x48"):
            clip.add(Frame(1, 0.1, np.ascontiguousarray(NOISE[1][:, :48])))


def test_a_png_is_the_very_picture(tmp_path: Path) -> None:
    (tmp_path / "picture.png").write_bytes(png_of(NOISE[3]))
    assert np.array_equal(read_image(tmp_path / "picture.png"), NOISE[3])


def test_what_is_judged_is_chosen_to_be_kept_exactly() -> None:
    judged: list[int] = []

    def judge(
        image_bgr: Image, calibration: TableCalibration | None = None, expected_dice: int | None = None
    ) -> Verdict:
        judged.append(now[0])
        return staged_judge(image_bgr, calibration, expected_dice)

    now, watch, exact = [0], ThrowWatch(judge=judge), ExactChoice()
    shown = jittered(7)
    written = []
    for frame in shown:
        now[0] = frame.index
        watch.step(frame)
        written += exact.add(frame)
    written += exact.rest()
    assert [frame.index for frame, _ in written] == [frame.index for frame in shown]
    chosen = {frame.index for frame, is_exact in written if is_exact}
    assert len(judged) == 3  # the empty tray, and two throws
    assert set(judged) <= chosen
    assert len(chosen) < 0.6 * now[0]


def test_the_still_frames_before_a_look_are_kept_exactly_too() -> None:
    still: list[int] = []

    class Watched(SecondSight):
        def _put(self, frame: Frame) -> None:
            still.append(frame.index)
            super()._put(frame)

    def doubting(image_bgr: Image, *more: object) -> Verdict:
        verdict = staged_judge(image_bgr)
        return replace(verdict, ruling=Ruling.UNSURE, reasons=(Reason(ReasonKind.UNREADABLE, 0, "dim"),))

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(table.throw_watch, "SecondSight", Watched)
        watch, exact = ThrowWatch(judge=doubting), ExactChoice()
        written = []
        for frame in jittered(7):
            watch.step(frame)
            written += exact.add(frame)
    assert len(still) > 20
    assert set(still) <= {frame.index for frame, is_exact in written if is_exact}
