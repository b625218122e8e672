"""Write the trained crop reader to `vision/weights/reader.onnx`: `python -m models.export`.

Input `crops` (N, 3, 64, 64) float32: BGR, 0 to 1. Output `chances` (N, 7): faces 1 to 6, then no top face;
they are the softmax of the logits over the temperature that `python -m models.calibrate` fitted.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn.utils.fusion import fuse_conv_bn_eval

from models.reader_crops import SIDE
from models.reader_network import OUT, load
from vision.inference import Network

WEIGHTS = Path(__file__).parents[1] / "vision" / "weights"
CALIBRATION = Path(__file__).parent / "reader_calibration.json"
MOST_DIFFERENCE = 1e-4  # of a chance, between torch and ONNX Runtime


def exportable(model: Any, temperature: float) -> Any:
    """The network with batch norms folded into convolutions and the temperature into the last layer."""
    layers: list[Any] = []
    for layer in model:
        if isinstance(layer, nn.BatchNorm2d):
            layers[-1] = fuse_conv_bn_eval(layers[-1], layer)
        else:
            layers.append(layer)
    with torch.no_grad():
        layers[-1].weight /= temperature
        layers[-1].bias /= temperature
    return nn.Sequential(*layers, nn.Softmax(dim=1)).eval()


def write(model: Any, path: Path) -> None:
    """Write ONNX for any number of crops, and its sha256 beside it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(
        model,
        (torch.zeros(1, 3, SIDE, SIDE),),
        str(path),
        input_names=["crops"],
        output_names=["chances"],
        dynamic_axes={"crops": {0: "n"}, "chances": {0: "n"}},
        opset_version=17,
        dynamo=False,
    )
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    path.with_suffix(".sha256").write_text(f"{digest}  {path.name}\n", encoding="utf-8")


def difference(model: Any, path: Path) -> float:
    """The largest difference of a chance between torch and ONNX Runtime, on crops of noise."""
    network = Network(path.read_bytes())
    worst = 0.0
    for count in (1, 5):
        crops = np.random.default_rng(count).uniform(size=(count, 3, SIDE, SIDE)).astype(np.float32)
        with torch.no_grad():
            expected = model(torch.from_numpy(crops)).numpy()
        worst = max(worst, float(np.abs(network(crops) - expected).max()))
    return worst


def main() -> None:
    """Export what `python -m models.train` left, and see that ONNX Runtime reads it alike."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trained", type=Path, default=OUT / "trained.pt")
    parser.add_argument("--to", type=Path, default=WEIGHTS / "reader.onnx")
    args = parser.parse_args()
    temperature = float(json.loads(CALIBRATION.read_text(encoding="utf-8"))["temperature"])
    model = exportable(load(args.trained), temperature)
    write(model, args.to)
    apart = difference(model, args.to)
    if apart > MOST_DIFFERENCE:
        raise SystemExit(f"{args.to}: ONNX Runtime's chances differ from torch's by {apart:.2g}")
    print(
        f"{args.to}: {args.to.stat().st_size} bytes, {args.to.with_suffix('.sha256').read_text().split()[0]}"
    )


if __name__ == "__main__":
    main()
