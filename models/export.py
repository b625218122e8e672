"""Write the trained crop reader to `vision/weights/reader.onnx`: `python -m models.export`.

Input `crops` (N, 3, 64, 64) float32: BGR, 0 to 1. Output `chances` (N, 7): faces 1 to 6, then no top face;
they are the softmax of the logits over the temperature that `python -m models.calibrate` fitted.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np

from models.reader_crops import SIDE
from models.reader_network import OUT, load
from models.train_extra import needed
from table.command_line import OneLineParser
from vision.inference import Network

torch: Any = needed("torch")
nn: Any = torch.nn
fuse_conv_bn_eval: Any = needed("torch.nn.utils.fusion").fuse_conv_bn_eval

WEIGHTS = Path(__file__).parents[1] / "vision" / "weights"
CALIBRATION = Path(__file__).parent / "reader_calibration.json"
MOST_DIFFERENCE = 1e-4  # between torch and ONNX Runtime
Shape = tuple[int, int, int]
CROP: Shape = (3, SIDE, SIDE)


def folded(model: Any) -> list[Any]:
    """The layers of a network with batch norms folded into the convolutions before them."""
    layers: list[Any] = []
    for layer in model:
        if isinstance(layer, nn.BatchNorm2d):
            layers[-1] = fuse_conv_bn_eval(layers[-1], layer)
        else:
            layers.append(layer)
    return layers


def exportable(model: Any, temperature: float) -> Any:
    """The network with batch norms folded into convolutions and the temperature into the last layer."""
    layers = folded(model)
    with torch.no_grad():
        layers[-1].weight /= temperature
        layers[-1].bias /= temperature
    return nn.Sequential(*layers, nn.Softmax(dim=1)).eval()


def write(model: Any, path: Path, pictures: Shape, names: tuple[str, str]) -> None:
    """Write ONNX for any number of `pictures` (C, H, W), with `names` of in- and output, and its sha256."""
    path.parent.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(
        model,
        (torch.zeros(1, *pictures),),
        str(path),
        input_names=[names[0]],
        output_names=[names[1]],
        dynamic_axes={name: {0: "n"} for name in names},
        opset_version=17,
        dynamo=False,
    )
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    path.with_suffix(".sha256").write_text(f"{digest}  {path.name}\n", encoding="utf-8")


def difference(model: Any, path: Path, pictures: Shape) -> float:
    """The largest difference between what torch and ONNX Runtime say, on noise."""
    network = Network(path.read_bytes())
    worst = 0.0
    for count in (1, 5):
        noise = np.random.default_rng(count).uniform(size=(count, *pictures)).astype(np.float32)
        with torch.no_grad():
            expected = model(torch.from_numpy(noise)).numpy()
        worst = max(worst, float(np.abs(network(noise) - expected).max()))
    return worst


def check(model: Any, path: Path, pictures: Shape) -> None:
    """See that ONNX Runtime says what torch does, and tell the file's size and sha256."""
    apart = difference(model, path, pictures)
    if apart > MOST_DIFFERENCE:
        raise SystemExit(f"{path}: ONNX Runtime differs from torch by {apart:.2g}")
    print(f"{path}: {path.stat().st_size} bytes, {path.with_suffix('.sha256').read_text().split()[0]}")


def main() -> None:
    """Export what `python -m models.train` left, and see that ONNX Runtime reads it alike."""
    parser = OneLineParser(prog="python -m models.export", description=__doc__)
    parser.add_argument("--trained", type=Path, default=OUT / "trained.pt")
    parser.add_argument("--to", type=Path, default=WEIGHTS / "reader.onnx")
    args = parser.parse_args()
    temperature = float(json.loads(CALIBRATION.read_text(encoding="utf-8"))["temperature"])
    model = exportable(load(args.trained), temperature)
    write(model, args.to, CROP, ("crops", "chances"))
    check(model, args.to, CROP)


if __name__ == "__main__":
    main()
