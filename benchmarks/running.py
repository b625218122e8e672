"""What a running table costs: `python -m benchmarks.running idle|answer|memory`.

idle: share of a core that a still tray takes at 30 frames a second, 640x360 frames read from a raw file.
answer CLIP_FOLDER...: from the first still frame of each labelled throw to what the table says of it; of
that the waiting for stillness, which lies in the clip's own time, and the judging, which is measured.
memory: resident memory while half an hour of throws is played through the table with its recorder.
"""

from __future__ import annotations

import itertools
import json
import resource
import statistics
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import numpy as np

from scoring.game import new_game
from scoring.ruleset import load_preset
from table.command_line import OneLineParser
from table.events import THROW_SETTLED
from table.loop import TableLoop
from table.recording.recorder import Recorder, Step
from table.throw_watch import ThrowWatch
from vision.calibration import load_calibration
from vision.domain import Frame, Image, TableCalibration
from vision.sources import ClipSource

FPS = 30
IDLE_SIZE, IDLE_FRAMES = (360, 640), 900
NOISE = 2.0  # grey levels, standard deviation: of a webcam by lamp light
PAGE_BYTES = resource.getpagesize()
CLIPS = Path(__file__).parents[1] / "datasets" / "clips"


def main() -> None:
    """Measure what is asked for and print it."""
    parser = OneLineParser(prog="python -m benchmarks.running", description=(__doc__ or "").splitlines()[0])
    what = parser.add_subparsers(required=True)
    idle = what.add_parser("idle")
    idle.set_defaults(measure=lambda _: print_idle())
    answer = what.add_parser("answer")
    answer.add_argument("folders", type=Path, nargs="+", metavar="CLIP_FOLDER")
    answer.set_defaults(measure=lambda args: print_answers(args.folders))
    memory = what.add_parser("memory")
    memory.add_argument("--minutes", type=float, default=30.0)
    memory.add_argument("--plot", type=Path, metavar="FILE.png", help="needs matplotlib")
    memory.set_defaults(measure=lambda args: print_memory(args.minutes, args.plot))
    args = parser.parse_args()
    args.measure(args)


def print_idle() -> None:
    """Print how much of a core a still tray takes."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "still.raw"
        np.stack([*_still_frames(60)]).tofile(path)
        watch = ThrowWatch()
        started_s = time.process_time()
        for frame in _raw_frames(path, IDLE_FRAMES):
            watch.step(frame)
        share = (time.process_time() - started_s) / (IDLE_FRAMES / FPS)
    print(f"idle: {100 * share:.1f} % of a core at {FPS} frames a second of 640x360")


def _still_frames(count: int) -> Iterator[Image]:
    random = np.random.default_rng(0)
    floor = random.integers(60, 120, (*IDLE_SIZE, 3))
    for _ in range(count):
        yield np.clip(floor + random.normal(scale=NOISE, size=floor.shape), 0, 255).astype(np.uint8)


def _raw_frames(path: Path, count: int) -> Iterator[Frame]:
    """Read frame after frame of a raw BGR file, from its beginning again where it ends."""
    size = IDLE_SIZE[0] * IDLE_SIZE[1] * 3
    with path.open("rb") as raw:
        for index in range(count):
            data = raw.read(size)
            if len(data) < size:
                raw.seek(0)
                data = raw.read(size)
            yield Frame(index, index / FPS, np.frombuffer(data, np.uint8).reshape(*IDLE_SIZE, 3))


def print_answers(folders: Iterable[Path]) -> None:
    """Print how long after a throw lies still the table has ruled on it."""
    waits, judged = zip(*itertools.chain.from_iterable(map(_answers, _labelled(folders))), strict=True)
    both = [wait + work for wait, work in zip(waits, judged, strict=True)]
    print(f"{len(both)} throws, from the first still frame, ms: median, 95th percentile")
    for name, times in (("waiting for stillness", waits), ("judging", judged), ("both", both)):
        high = statistics.quantiles(times, n=20)[-1] if len(times) > 1 else times[0]
        print(f"  {name}: {1000 * statistics.median(times):.0f}, {1000 * high:.0f}")


def _labelled(folders: Iterable[Path]) -> Iterator[tuple[Path, Path]]:
    for folder in folders:
        for clip in sorted(folder.rglob("*.mp4")):
            label = clip.with_suffix(".json")
            if label.is_file() and "frame_settled" in label.read_text(encoding="utf-8"):
                yield clip, label


def _answers(labelled: tuple[Path, Path]) -> Iterator[tuple[float, float]]:
    """Yield of each throw of a clip seconds waited and seconds worked until it was told."""
    clip, label = labelled
    events = json.loads(label.read_text(encoding="utf-8"))["events"]
    still = [event["frame_settled"] for event in events if "frame_settled" in event]
    loop = _loop(load_calibration(label))
    loop.begin()
    for frame in ClipSource(clip).frames():
        started_s = time.perf_counter()
        told = loop.step(frame)
        worked_s = time.perf_counter() - started_s
        if any(event.name == THROW_SETTLED for event in told):
            first = max((each for each in still if each <= frame.index), default=None)
            if first is not None:
                still.remove(first)
                yield (frame.index - first) / FPS, worked_s


def _loop(calibration: TableCalibration | None, watch: ThrowWatch | None = None) -> TableLoop:
    game = new_game(load_preset("danish"), ("Ada", "Bo"))
    return TableLoop(game, watch or ThrowWatch(calibration))


def print_memory(minutes: float, plot: Path | None) -> None:
    """Print, and draw, the resident memory minute by minute."""
    clip = CLIPS / "hot-dice"
    calibration = load_calibration(clip / "table.json")
    recorder = Recorder(calibration)
    loop = _loop(calibration, ThrowWatch(calibration, recorder.judge))
    loop.begin()
    measured: list[tuple[float, float]] = []
    for frame in _over_and_over(clip / "clip.mp4", minutes * 60):
        before, moving = loop.state, loop.moving
        events = loop.step(frame)
        recorder.follow(Step(frame, before, loop.state, events, moving, loop.arm))
        if frame.index % (10 * FPS) == 0:
            measured.append((frame.t_s / 60, _resident_mb()))
    recorder.close()
    for minute, megabytes in measured[:: max(1, len(measured) // 30)]:
        print(f"  {minute:5.1f} min: {megabytes:.0f} MB")
    if plot is not None:
        _draw(measured, plot)


def _over_and_over(clip: Path, seconds: float) -> Iterator[Frame]:
    index, t_s = 0, 0.0
    while t_s < seconds:
        begun_s = t_s
        for frame in ClipSource(clip).frames():
            t_s = begun_s + frame.t_s
            yield replace(frame, index=index, t_s=t_s)
            index += 1
        t_s += 1 / FPS


def _resident_mb() -> float:
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * PAGE_BYTES / 1e6


def _draw(measured: list[tuple[float, float]], path: Path) -> None:
    figure = import_module("matplotlib.figure").Figure(figsize=(7, 3), layout="constrained")
    axes = figure.subplots()
    axes.plot(*zip(*measured, strict=True))
    axes.set(xlabel="minutes played", ylabel="resident memory, MB", xlim=(0, None), ylim=(0, None))
    figure.savefig(path, dpi=100)


if __name__ == "__main__":
    main()
