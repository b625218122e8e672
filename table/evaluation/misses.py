"""Draws the pictures that were not read right, to look at."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from table.evaluation.grading import StillGrade
from vision.images import read_image, write_png
from vision.opencv import cv2
from vision.overlay import draw_overlay

LONGEST_SIDE = 1400
KINDS = ("sure", "unsure", "faces")  # wrong without asking, asked, faces wrong where they do not count


def is_miss(graded: StillGrade) -> bool:
    """Whether the faces or the ruling are wrong."""
    return graded.wrong_and_sure or not graded.faces_right


def save_miss(graded: StillGrade, folder: Path) -> None:
    """Write the picture with the verdict drawn into `folder`.

    Raises OSError if it cannot, UnreadableImageError when the picture is gone.
    """
    folder.mkdir(parents=True, exist_ok=True)
    drawn = draw_overlay(read_image(graded.still.path), graded.verdict)
    scale = min(1.0, LONGEST_SIDE / max(drawn.shape[:2]))
    if scale < 1:
        small = cv2.resize(drawn, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        drawn = np.asarray(small, dtype=np.uint8)
    write_png(folder / _name(graded), drawn)


def list_misses(grades: Iterable[StillGrade], folder: Path) -> None:
    """Write `misses.txt` in `folder`: a line for each picture that `is_miss`: truth, reading, reasons."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = [f"{_name(graded)}: {_describe(graded)}\n" for graded in grades if is_miss(graded)]
    (folder / "misses.txt").write_text("".join(lines), encoding="utf-8")


def forget_misses(folder: Path) -> None:
    """Remove what an earlier run left in `folder`, and nothing else."""
    for kind in KINDS:
        for path in folder.glob(f"{kind}-*.png"):
            path.unlink()


def _name(graded: StillGrade) -> str:
    kind = "sure" if graded.wrong_and_sure else "unsure" if graded.unsure else "faces"
    return f"{kind}-{graded.still.path.stem}.png"


def _describe(graded: StillGrade) -> str:
    truth = "-".join(sorted(f"{die.face}{'' if die.required else '?'}" for die in graded.still.dice))
    read = "-".join(sorted("?" if die.face is None else str(die.face) for die in graded.verdict.dice))
    reasons = ", ".join(f"{reason.kind}: {reason.detail}" for reason in graded.verdict.reasons)
    ruling = graded.still.verdict.ruling if graded.still.verdict else "-"
    return f"truth {truth or 'none'} {ruling}, read {read or 'none'} {graded.verdict.ruling} ({reasons})"
