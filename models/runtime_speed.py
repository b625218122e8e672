"""Time the exported networks under each run time there is, on one core: `python -m models.runtime_speed`.

Needs the `train` extra; OpenVINO and NCNN (with pnnx, which converts for it) are timed where installed.
"""

from __future__ import annotations

import importlib.util
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from models.export import WEIGHTS
from models.reader_crops import SIDE
from vision.die_detector import HEIGHT, WIDTH
from vision.opencv import cv2

REPEATS = 100
SHAPES = {"reader.onnx": (6, 3, SIDE, SIDE), "detector.onnx": (1, 3, HEIGHT, WIDTH)}

Run = Callable[[], object]
Shape = tuple[int, ...]


def opencv(network: Path, pictures: NDArray[np.float32]) -> Run:
    """Runs with OpenCV."""
    net = cv2.dnn.readNetFromONNX(str(network))

    def run() -> object:
        net.setInput(pictures)
        return net.forward()

    return run


def onnx_runtime(network: Path, pictures: NDArray[np.float32]) -> Run:
    """Runs with ONNX Runtime."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(network), options, providers=["CPUExecutionProvider"])
    return lambda: session.run(None, {session.get_inputs()[0].name: pictures})


def openvino(network: Path, pictures: NDArray[np.float32]) -> Run:
    """Runs with OpenVINO."""
    import openvino as ov  # noqa: PLC0415 - one may be there without the other

    core = ov.Core()
    model = core.read_model(network)
    model.reshape(list(pictures.shape))
    compiled = core.compile_model(model, "CPU", {"INFERENCE_NUM_THREADS": 1, "PERFORMANCE_HINT": "LATENCY"})
    return lambda: compiled(pictures)


def ncnn(network: Path, pictures: NDArray[np.float32]) -> Run:
    """Runs with NCNN, which takes one picture at a time."""
    import ncnn as runtime  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / network.name
        copy.write_bytes(network.read_bytes())
        shape = ",".join(str(side) for side in (1, *pictures.shape[1:]))
        subprocess.run(
            ["pnnx", str(copy), f"inputshape=[{shape}]f32", "fp16=0"], check=True, capture_output=True
        )
        net = runtime.Net()
        net.opt.num_threads = 1
        net.load_param(str(copy.with_suffix(".ncnn.param")))
        net.load_model(str(copy.with_suffix(".ncnn.bin")))

    def run() -> object:
        said = []
        for picture in pictures:
            extractor = net.create_extractor()
            extractor.input("in0", runtime.Mat(picture))
            said.append(np.array(extractor.extract("out0")[1]))
        return said

    return run


RUNTIMES = {"OpenCV": opencv, "ONNX Runtime": onnx_runtime, "OpenVINO": openvino, "NCNN": ncnn}
NEEDS = {"OpenVINO": ("openvino",), "NCNN": ("ncnn", "pnnx")}


def median_ms(run: Run) -> float:
    """Median milliseconds of a run."""
    run()
    times = []
    for _ in range(REPEATS):
        started = time.perf_counter()
        run()
        times.append(1000 * (time.perf_counter() - started))
    return statistics.median(times)


def rows() -> Iterator[str]:
    """Yield a row of the model card's table for each run time that is installed."""
    random = np.random.default_rng(1)
    shown = {name: random.uniform(size=shape).astype(np.float32) for name, shape in SHAPES.items()}
    for name, runner in RUNTIMES.items():
        lacking = [each for each in NEEDS.get(name, ()) if importlib.util.find_spec(each) is None]
        if lacking:
            print(f"{name}: {', '.join(lacking)} not installed", file=sys.stderr)
            continue
        cells = [f"{median_ms(runner(WEIGHTS / network, shown[network])):.1f} ms" for network in SHAPES]
        yield f"| {name} | " + " | ".join(cells) + " |"


def main() -> None:
    """Print the rows."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    for row in rows():
        print(row, flush=True)


if __name__ == "__main__":
    main()
