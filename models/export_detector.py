"""Write the trained die detector to `vision/weights/detector.onnx`: `python -m models.export_detector`.

Input `images` (1, 3, 288, 384) float32: RGB, 0 to 1. Output (1, 5, 2160): middle x, y, width and height in
pixels of the input, and the confidence that it is a die.
"""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path
from typing import Any

from models.arguments import must_be_file
from models.export import WEIGHTS
from models.train_detector import OUT
from models.train_extra import needed
from table.command_line import OneLineParser
from vision.die_detector import HEIGHT, WIDTH

YOLO: Any = needed("ultralytics").YOLO


def main() -> None:
    """Export what `python -m models.train_detector` left."""
    parser = OneLineParser(prog="python -m models.export_detector", description=__doc__)
    parser.add_argument("--trained", type=Path, default=OUT / "training" / "weights" / "last.pt")
    parser.add_argument("--to", type=Path, default=WEIGHTS / "detector.onnx")
    args = parser.parse_args()
    written = YOLO(must_be_file(args.trained, "--trained")).export(
        format="onnx", imgsz=(HEIGHT, WIDTH), opset=17, simplify=True
    )
    shutil.move(written, args.to)
    digest = hashlib.sha256(args.to.read_bytes()).hexdigest()
    args.to.with_suffix(".sha256").write_text(f"{digest}  {args.to.name}\n", encoding="utf-8")
    print(f"{args.to}: {args.to.stat().st_size} bytes, {digest}")


if __name__ == "__main__":
    main()
