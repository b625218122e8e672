"""A trained network to go on from: one that training left, or the weights that the program ships with.

In the shipped ONNX batch norms are folded into the convolutions and the temperature into the last layer. The
network taken from it says the same: its norms do no more than add the folded convolutions' biases.
"""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.export import CALIBRATION, CROP, MOST_DIFFERENCE, difference, exportable
from models.reader_network import load, network
from models.train_extra import needed

onnx: Any = needed("onnx")
numpy_helper: Any = needed("onnx.numpy_helper")
DecodeError: Any = needed("google.protobuf.message").DecodeError
torch: Any = needed("torch")
nn: Any = torch.nn


def start_of(path: Path) -> Any:
    """The trained network in a `.pt` that training left or a `.onnx` that `models.export` wrote.

    Raises ValueError if the ONNX is not of this network, or does not say the same once taken apart.
    """
    if path.suffix != ".onnx":
        return load(path)
    temperature = float(json.loads(CALIBRATION.read_text(encoding="utf-8"))["temperature"])
    model = network().eval()
    weights = _weights(path)
    layers = [layer for layer in model if isinstance(layer, nn.Conv2d | nn.Linear)]
    found = [matrix.shape for matrix, _ in weights]
    if found != [tuple(layer.weight.shape) for layer in layers]:
        raise ValueError(f"{path}: layers of {found}, which are not this network's")
    norms = [layer for layer in model if isinstance(layer, nn.BatchNorm2d)]
    with torch.no_grad():
        for layer, (matrix, bias) in zip(layers, weights, strict=True):
            last = layer is layers[-1]
            layer.weight.copy_(torch.from_numpy(matrix * (temperature if last else 1)))
            if last:
                layer.bias.copy_(torch.from_numpy(bias * temperature))
        for norm, (_, bias) in zip(norms, weights[:-1], strict=True):
            norm.weight.fill_((1 + norm.eps) ** 0.5)  # undoes its variance of 1
            norm.bias.copy_(torch.from_numpy(bias))
    apart = difference(exportable(deepcopy(model), temperature), path, CROP)
    if apart > MOST_DIFFERENCE:
        raise ValueError(f"{path}: says other chances, by {apart:.2g}, than the network taken from it")
    return model


def _weights(path: Path) -> list[tuple[NDArray[np.float32], NDArray[np.float32]]]:
    """Matrix and bias of every layer that has them, in order."""
    try:
        graph = onnx.load(path).graph
    except DecodeError as error:
        raise ValueError(f"{path}: not ONNX ({error}); accepted is what models.export wrote") from error
    arrays = {each.name: np.array(numpy_helper.to_array(each)) for each in graph.initializer}
    nodes = [node for node in graph.node if node.op_type in ("Conv", "Gemm")]
    return [(arrays[node.input[1]], arrays[node.input[2]]) for node in nodes]
