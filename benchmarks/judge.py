"""Times the judge on one core against YOLO11n at 640 by ONNX Runtime, in the same run.

    python -m benchmarks.judge PICTURE_OR_FOLDER... [--rounds 3] [--width 2304] [--expect N] [--tables]
                               [--yolo FILE]

Every picture is brought to `--width` pixels before the clock runs; with `--tables` it is taken as it is, and
judged on the table of the `table.json` beside it. The judge's time is from decoded picture
to verdict; YOLO's is its network alone, without resizing or picking boxes. The two take turns, picture by
picture, so that whatever else the machine does hits both. YOLO11n is built from its published description
with random weights (time does not depend on them) and needs the `train` extra; without it the judge is
timed alone.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from table.command_line import OneLineParser
from vision.calibration import load_calibration
from vision.domain import Image
from vision.images import read_image
from vision.inference import Network
from vision.judge import judge
from vision.opencv import cv2

YOLO_SIDE = 640
PICTURE_SUFFIXES = frozenset({".jpg", ".jpeg", ".png"})


@dataclass(frozen=True, slots=True)
class Times:
    """Milliseconds of each call, in order."""

    judge_ms: list[float]
    yolo_ms: list[float]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark and print its medians."""
    args = _arguments(argv)
    core = _stay_on_one_core()
    pictures = list(_pictures(args.paths))
    if not pictures:
        print("benchmarks.judge: no pictures found", file=sys.stderr)
        return 2
    judgements = [_judgement(path, args.width, args.expect, on_its_table=args.tables) for path in pictures]
    times = measure(judgements, args.rounds, _yolo(args.yolo))
    record = {
        "pictures": len(pictures),
        "width": args.width,
        "rounds": args.rounds,
        "core": core,
        "judge_ms_median": _median(times.judge_ms),
        "judge_ms_p95": _percentile(times.judge_ms, 0.95),
        "yolo11n_640_ms_median": _median(times.yolo_ms),
        "yolo11n_640_ms_p95": _percentile(times.yolo_ms, 0.95),
    }
    print(
        json.dumps(record) if args.json else "\n".join(f"{key:22} {value}" for key, value in record.items())
    )
    return 0


def measure(
    judgements: Sequence[Callable[[], object]], rounds: int, yolo: Callable[[], object] | None
) -> Times:
    """Time judge and YOLO in turns; each is called once before, so that neither pays for starting up."""
    judgements[0]()
    if yolo:
        yolo()
    times = Times([], [])
    for _ in range(rounds):
        for judgement in judgements:
            times.judge_ms.append(_ms(judgement))
            if yolo:
                times.yolo_ms.append(_ms(yolo))
    return times


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = OneLineParser(prog="python -m benchmarks.judge", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("paths", nargs="+", type=Path, metavar="PICTURE_OR_FOLDER")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--width", type=int, default=2304)
    parser.add_argument("--expect", type=int, metavar="N", help="dice there should be, as at the table")
    parser.add_argument("--tables", action="store_true", help="judge on the table.json beside each picture")
    parser.add_argument("--yolo", type=Path, help="YOLO11n as ONNX; exported here when it is not there")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args(argv)


def _stay_on_one_core() -> int | None:
    if not hasattr(os, "sched_setaffinity"):  # Linux only
        return None
    core = max(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})
    return core


def _pictures(paths: Sequence[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            yield from sorted(p for p in path.rglob("*") if p.suffix.lower() in PICTURE_SUFFIXES)
        else:
            yield path


def _judgement(
    path: Path, width: int, expected_dice: int | None, *, on_its_table: bool
) -> Callable[[], object]:
    table = load_calibration(path.parent / "table.json") if on_its_table else None
    picture = read_image(path) if on_its_table else _at_width(read_image(path), width)
    return partial(judge, picture, table, expected_dice)


def _at_width(image: Image, width: int) -> Image:
    height = round(image.shape[0] * width / image.shape[1])
    if image.shape[1] == width:
        return image
    kind = cv2.INTER_AREA if width < image.shape[1] else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(image, (width, height), interpolation=kind), dtype=np.uint8)


def _yolo(path: Path | None) -> Callable[[], object] | None:
    """Return a call that runs the network once, or None without the `train` extra."""
    path = path or Path(tempfile.gettempdir()) / "titusind-yolo11n.onnx"
    if not path.is_file():
        if importlib.util.find_spec("ultralytics") is None:
            print("benchmarks.judge: no ultralytics: the judge alone is timed", file=sys.stderr)
            return None
        _export_yolo(path)
    network = Network(path.read_bytes())
    picture = np.random.default_rng(0).random((1, 3, YOLO_SIDE, YOLO_SIDE), dtype=np.float32)
    return partial(network, picture)


def _export_yolo(path: Path) -> None:
    from ultralytics import YOLO  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as folder:
        before = Path.cwd()
        os.chdir(folder)  # ultralytics writes beside its description, in the working folder
        try:
            made = Path(YOLO("yolo11n.yaml").export(format="onnx", imgsz=YOLO_SIDE, device="cpu")).resolve()
        finally:
            os.chdir(before)
        path.write_bytes(made.read_bytes())


def _ms(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - start)


def _median(times: Sequence[float]) -> float | None:
    return round(statistics.median(times), 1) if times else None


def _percentile(times: Sequence[float], share: float) -> float | None:
    return round(sorted(times)[min(len(times) - 1, int(share * len(times)))], 1) if times else None


if __name__ == "__main__":
    raise SystemExit(main())
