"""Contact sheets: many pictures on one, with their verdicts or what a hand does, for the eye."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from datasets.sensor import Image
from vision.images import read_image
from vision.opencv import cv2
from vision.sources import ClipSource

CELL: Final = (320, 240)
CAPTION: Final = 18
COLUMNS: Final = 6
_COLOURS: Final = {"valid": (150, 220, 150), "misroll": (120, 160, 250)}
_ACTION: Final = (200, 200, 200)
CLIP_CELLS: Final = COLUMNS


@dataclass(frozen=True, slots=True, eq=False)
class Cell:
    """One picture BGR uint8 of a sheet, what stands below it, and in which colour."""

    image: Image
    caption: str
    colour: tuple[int, int, int]


def contact_sheet(cells: list[Cell]) -> Image:
    """Return the pictures, BGR uint8, in rows of COLUMNS."""
    drawn = [_drawn(cell) for cell in cells]
    drawn += [np.zeros_like(drawn[0])] * (-len(drawn) % COLUMNS)
    return np.vstack([np.hstack(drawn[at : at + COLUMNS]) for at in range(0, len(drawn), COLUMNS)])


def picture_cell(path: Path) -> Cell:
    """Return a labelled picture with its faces and verdict."""
    truth = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    return Cell(read_image(path), caption(truth), _COLOURS[truth["verdict"]])


def clip_cells(path: Path) -> list[Cell]:
    """Return CLIP_CELLS moments of a labelled clip in order: rests, what hands do, flights."""
    truth = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    rests = [
        (event["frame_settled"] + 3, _told(event), _COLOURS[event["verdict"]]) for event in truth["events"]
    ]
    hands = [((act["frame_start"] + act["frame_end"]) // 2, act["what"], _ACTION) for act in truth["actions"]]
    flights = [
        ((event["frame_start"] + event["frame_settled"]) // 2, event["kind"], _ACTION)
        for event in truth["events"]
    ]
    moments = sorted((rests + hands + flights)[:CLIP_CELLS])
    wanted = {frame: (text, colour) for frame, text, colour in moments}
    found = []
    for frame in ClipSource(path).frames():
        if frame.index in wanted:
            found.append(Cell(frame.image_bgr, *wanted[frame.index]))
    return found + [Cell(np.zeros_like(found[0].image), "", _ACTION)] * (CLIP_CELLS - len(found))


def _told(event: dict[str, Any]) -> str:
    return caption(event) if event["kind"] == "throw" else f"{event['kind']}: {caption(event)}"


def _drawn(cell: Cell) -> Image:
    height, width = cell.image.shape[:2]
    share = min(CELL[0] / width, CELL[1] / height)
    small = cv2.resize(cell.image, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    drawn = np.zeros((CELL[1] + CAPTION, CELL[0], 3), dtype=np.uint8)
    top, left = (CELL[1] - small.shape[0]) // 2, (CELL[0] - small.shape[1]) // 2
    drawn[top : top + small.shape[0], left : left + small.shape[1]] = small
    place = (4, CELL[1] + CAPTION - 5)
    cv2.putText(
        drawn, cell.caption, place, cv2.FONT_HERSHEY_SIMPLEX, 0.42, cell.colour, 1, lineType=cv2.LINE_AA
    )
    return drawn


def caption(truth: dict[str, Any]) -> str:
    """Return the faces and what is wrong, as `1 1 3 5 6 - stacked`."""
    faces = " ".join(str(face) for face in sorted(die["face"] for die in truth["dice"] if die["in_frame"]))
    return f"{faces} {'- ' + ', '.join(truth['reasons']) if truth['reasons'] else ''}".strip()
