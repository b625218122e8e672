"""Contact sheets: many pictures on one, with their verdicts, for the eye."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import numpy as np

from datasets.sensor import Image
from vision.images import read_image
from vision.opencv import cv2

CELL: Final = (320, 240)
CAPTION: Final = 18
COLUMNS: Final = 6
_COLOURS: Final = {"valid": (150, 220, 150), "misroll": (120, 160, 250)}


def contact_sheet(pictures: list[Path]) -> Image:
    """Return the labelled pictures, BGR uint8, in rows of COLUMNS."""
    cells = [_cell(path) for path in pictures]
    blank = np.zeros_like(cells[0])
    cells += [blank] * (-len(cells) % COLUMNS)
    return np.vstack([np.hstack(cells[at : at + COLUMNS]) for at in range(0, len(cells), COLUMNS)])


def _cell(path: Path) -> Image:
    image = read_image(path)
    height, width = image.shape[:2]
    share = min(CELL[0] / width, CELL[1] / height)
    small = cv2.resize(image, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    cell = np.zeros((CELL[1] + CAPTION, CELL[0], 3), dtype=np.uint8)
    top, left = (CELL[1] - small.shape[0]) // 2, (CELL[0] - small.shape[1]) // 2
    cell[top : top + small.shape[0], left : left + small.shape[1]] = small
    truth = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    place = (4, CELL[1] + CAPTION - 5)
    cv2.putText(
        cell,
        caption(truth),
        place,
        cv2.FONT_HERSHEY_SIMPLEX,
        0.42,
        _COLOURS[truth["verdict"]],
        1,
        cv2.LINE_AA,
    )
    return cell


def caption(truth: dict[str, Any]) -> str:
    """Return the faces and what is wrong, as `1 1 3 5 6 - stacked`."""
    faces = " ".join(str(face) for face in sorted(die["face"] for die in truth["dice"] if die["in_frame"]))
    return f"{faces} {'- ' + ', '.join(truth['reasons']) if truth['reasons'] else ''}".strip()
