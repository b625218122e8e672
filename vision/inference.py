"""The one door to ONNX Runtime, which runs the trained networks: on one thread, as all of titusind does.

Why this and not another: the table in `models/README.md`. As it comes it would write an identifier into the
home folder and send events to its maker: it is told not to before it is loaded.
"""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

os.environ["ORT_DISABLE_TELEMETRY"] = "1"
onnxruntime: Any = import_module("onnxruntime")

FATAL = 4  # what is wrong is raised; nothing is written to standard error


class Network:
    """A network of one input and one output, given as ONNX."""

    def __init__(self, weights: bytes) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = FATAL
        self._session = onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])
        self._input = self._session.get_inputs()[0].name

    def __call__(self, pictures: NDArray[Any]) -> NDArray[np.float64]:
        """Run it on pictures (N, 3, H, W) of float32."""
        (output,) = self._session.run(None, {self._input: pictures})
        return np.asarray(output, dtype=np.float64)


@cache
def shipped(name: str) -> Network:
    """Load one of the networks in `vision/weights`, once."""
    return Network(files("vision").joinpath("weights", name).read_bytes())
