"""Throws that people corrected at their own table (`titusind play --keep-throws DIR`), to learn from.

What a person said counts, and what was read without a doubt in the same picture. Where a die was read as
another face than it shows, its square is that which geometry proposes for the right face, if it does. A place
that a person calls no die shows no face. Whatever else might be a die in the picture - one of unknown face,
dice set aside, one that nobody found - is neither: nothing is learnt from its place. But where a person
entered the numbers of dice that were not found, and geometry proposes such a number, however faintly, in just
as many places as there are such dice, these are the dice.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.reader_pictures import (
    MATCH_AWAY,
    NOT_JUDGED,
    PLACED_EXACTLY,
    PLACED_ROUGHLY,
    Picture,
    Squares,
    proposed,
)
from vision.crop_reader import upright_side
from vision.domain import FloatArray
from vision.errors import VisionError
from vision.images import read_image

CLEAR = 0.7  # sides from a die's middle beyond which another die may lie
LIKE_IN_SIZE = 0.4  # in the logarithm: how far a die's square may be off the size that is known


def own_folder(folder: Path) -> Iterator[Picture]:
    """Pictures of a folder of corrected throws; one that cannot be read is told and left out."""
    for path in sorted(folder.glob("[0-9]*.json")):
        try:
            picture = _picture(path)
        except (VisionError, OSError, LookupError, TypeError, ValueError) as error:
            print(f"{path}: left out ({type(error).__name__}: {error})", flush=True)
            continue
        yield picture


def _picture(path: Path) -> Picture:
    label = json.loads(path.read_text(encoding="utf-8"))
    image = read_image(path.with_suffix(".jpg"))
    known, none = label["dice"], _squares(label["no_dice"])
    face = np.array([die["face"] or NOT_JUDGED for die in known], dtype=np.intp)
    dice = _squares(known)
    said, squares, log_odds = proposed(image)
    exact = np.array([die["face"] == die["read"]["face"] for die in known], dtype=bool)
    for row in np.flatnonzero(~exact):
        better = np.flatnonzero((said == face[row]) & _is_about(squares, dice[row]))
        if len(better):
            dice[row], exact[row] = squares[better[np.argmax(log_odds[better])]], True
    room = np.where(exact, PLACED_EXACTLY, PLACED_ROUGHLY)
    free = _far_from(squares, np.concatenate([dice, none]))
    side = float(np.median(dice[:, 2])) if len(dice) else math.nan
    missed = _missed(said[free], squares[free], log_odds[free], label["missed"], side)
    somewhere = _somewhere(dice) if len(label["missed"]) > (missed != NOT_JUDGED).sum() else dice[:0]
    return Picture(
        image,
        np.concatenate([face, missed, np.full(len(somewhere), NOT_JUDGED, dtype=np.intp)]),
        np.concatenate([dice, squares[free], somewhere]),
        np.concatenate([room, np.full(len(missed), PLACED_EXACTLY), np.full(len(somewhere), math.inf)]),
        none,
    )


def _somewhere(dice: Squares) -> Squares:
    """A die (1, 3), to be given all the room there is, for those that lie no one knows where."""
    return np.median(dice, axis=0, keepdims=True) if len(dice) else np.zeros((0, 3))


def _squares(dice: list[dict[str, Any]]) -> Squares:
    corners = [np.array(die["corners_px"], dtype=np.float64).reshape(4, 2) for die in dice]
    return np.array([[*each.mean(axis=0), upright_side(each)] for each in corners]).reshape(-1, 3)


def _is_about(squares: Squares, die: FloatArray) -> NDArray[np.bool_]:
    """Which squares (N,) may be that of a die (3,) whose own was made for another face."""
    away = np.abs(squares[:, :2] - die[:2]).max(axis=1) / die[2]
    return np.asarray((away < MATCH_AWAY) & (np.abs(np.log(squares[:, 2] / die[2])) < LIKE_IN_SIZE))


def _far_from(squares: Squares, dice: Squares) -> NDArray[np.bool_]:
    """Which squares (N,) are no part of any of the dice."""
    away = np.linalg.norm(squares[:, None, :2] - dice[None, :, :2], axis=2)
    return np.asarray((away > CLEAR * dice[None, :, 2]).all(axis=1))


def _missed(
    said: NDArray[np.intp], squares: Squares, log_odds: FloatArray, missed: list[int], side: float
) -> NDArray[np.intp]:
    """Faces (N,) of proposed squares off the known dice: those of dice that were missed, else NOT_JUDGED."""
    faces = np.full(len(said), NOT_JUDGED, dtype=np.intp)
    alike = np.abs(np.log(squares[:, 2] / side)) < LIKE_IN_SIZE
    for face in set(missed):
        rows = np.flatnonzero((said == face) & alike)
        apart = _apart(squares, rows[np.argsort(-log_odds[rows])])
        if len(apart) == missed.count(face):
            faces[apart] = face
    return faces


def _apart(squares: Squares, rows: NDArray[np.intp]) -> list[int]:
    """Those of `rows` that are no part of one before."""
    taken: list[int] = []
    for row in rows:
        if _far_from(squares[[row]], squares[taken])[0]:
            taken.append(int(row))
    return taken
