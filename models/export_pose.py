"""Write the trained pose reader to `vision/weights/pose.onnx`: `python -m models.export_pose`.

In- and output: `vision.pose_reader`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from models.export import WEIGHTS, Shape, check, folded, write
from models.pose_network import OUT, load
from models.train_extra import needed
from table.command_line import OneLineParser
from vision.pose_reader import VIEW_SIDE

nn: Any = needed("torch").nn

VIEW: Shape = (4, VIEW_SIDE, VIEW_SIDE)


def main() -> None:
    """Export what `python -m models.train_pose` left, and see that ONNX Runtime reads it alike."""
    parser = OneLineParser(prog="python -m models.export_pose", description=__doc__)
    parser.add_argument("--trained", type=Path, default=OUT / "trained.pt")
    parser.add_argument("--to", type=Path, default=WEIGHTS / "pose.onnx")
    args = parser.parse_args()
    layers = [layer for layer in folded(load(args.trained)) if not isinstance(layer, nn.Dropout)]
    model = nn.Sequential(*layers).eval()
    write(model, args.to, VIEW, ("views", "poses"))
    check(model, args.to, VIEW)


if __name__ == "__main__":
    main()
