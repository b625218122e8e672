"""Time the exported crop reader on one core: `python -m models.reader_speed`. Needs the `train` extra."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from models.measure_reader import READER
from models.reader_crops import SIDE
from vision.opencv import cv2

BATCHES, REPEATS = (1, 6, 12), 200

Crops = NDArray[np.float32]


def opencv_runner() -> Callable[[Crops], object]:
    """Reads with OpenCV, one thread."""
    net = cv2.dnn.readNetFromONNX(str(READER))

    def run(crops: Crops) -> object:
        net.setInput(crops)
        return net.forward()

    return run


def onnxruntime_runner() -> Callable[[Crops], object]:
    """Reads with ONNX Runtime, one thread."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(READER), options, providers=["CPUExecutionProvider"])
    return lambda crops: session.run(None, {"crops": crops})


def median_ms(run: Callable[[Crops], object], count: int) -> float:
    """Median milliseconds of a batch of `count` crops."""
    crops = np.random.default_rng(1).uniform(size=(count, 3, SIDE, SIDE)).astype(np.float32)
    times = []
    for _ in range(REPEATS):
        started = time.perf_counter()
        run(crops)
        times.append(1000 * (time.perf_counter() - started))
    return float(np.median(times))


def main() -> None:
    """Print a row for each run time."""
    for name, run in (("OpenCV", opencv_runner()), ("ONNX Runtime", onnxruntime_runner())):
        cells = [f"{median_ms(run, count):.2f} ms" for count in BATCHES]
        print(f"| {name} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
