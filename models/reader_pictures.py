"""What the crop reader learns from: pictures with a square about every die, and squares without a top face.

Labelled boxes are drawn by hand, often with a die's sides. Where the pip geometry proposes the labelled face
inside a box, its square is taken instead: the reader will be asked about such squares. What geometry proposes
elsewhere is what it must learn to refuse.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models.geometry import grounds, labelled
from vision.detect import SMALL_PICTURE
from vision.domain import FloatArray, Image
from vision.evidence import weigh
from vision.images import read_image
from vision.opencv import cv2
from vision.proposals import propose_faces

NOT_JUDGED = 0  # a die in the place of a face: hidden, unreadable or leaning too far
LEAST_SIDE_PX = 18.0
LONGEST_ASPECT = 1.7  # of a box: longer ones are cut off or seen from far aside
LEAST_VISIBLE, LARGEST_TILT_DEG = 0.7, 35.0
MATCH_AWAY, MATCH_SIDE = 0.3, (0.5, 1.15)  # of a box's longer side: a proposed square that is the box's die
PLACED_EXACTLY, PLACED_ROUGHLY = (
    0.36,
    0.55,
)  # sides from a die's middle where its top face is no longer centred
LEAST_LOG_ODDS = -4.0
GROUND_SIDES_PX = (24.0, 220.0)

Squares = FloatArray  # (N, 3): middle x, y and longer side of an upright box, px


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """One picture with its dice and the squares without a top face that pip geometry proposes.

    `face` (N,) of each die or NOT_JUDGED; `dice` and `refused` are squares; `room` (N,): how far from a
    die's middle, in its sides, a square surely does not show its top face centred.
    """

    image: Image
    face: NDArray[np.intp]
    dice: Squares
    room: FloatArray
    refused: Squares


def proposed(image: Image) -> tuple[NDArray[np.intp], Squares, FloatArray]:
    """Faces (N,) that geometry proposes, their squares and log odds (N,), small pictures doubled first."""
    scale = 2 if max(image.shape[:2]) <= SMALL_PICTURE else 1
    if scale == 2:
        image = np.asarray(cv2.resize(image, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC), dtype=np.uint8)
    proposal = propose_faces(image)
    faces = proposal.faces
    if not len(faces):
        return np.zeros(0, dtype=np.intp), np.zeros((0, 3)), np.zeros(0)
    side = 2 * np.abs(proposal.bodies.half).sum(axis=1).max(axis=1)
    middle = faces.center_px if scale == 1 else (faces.center_px - 0.5) / 2
    log_odds = weigh(faces, proposal.signs)
    likely = log_odds > LEAST_LOG_ODDS
    squares = np.column_stack([middle, side / scale])
    return faces.face[likely], squares[likely], log_odds[likely]


def clear_of_dice(squares: Squares, dice: Squares, room: FloatArray) -> NDArray[np.bool_]:
    """Which squares (N,) have no die's top face in their middle at their scale; see `Picture.room`."""
    away = np.linalg.norm(squares[:, None, :2] - dice[None, :, :2], axis=2) / dice[None, :, 2]
    scale = squares[:, None, 2] / dice[None, :, 2]
    return np.asarray(((away > room) | (scale > 1.75) | (scale < 0.57)).all(axis=1))


def boxed(image: Image, boxes: FloatArray) -> Picture:
    """A picture with labelled boxes (M, 5) of whole dice: face, middle x, y, width, height in px."""
    face = boxes[:, 0].astype(np.intp)
    longer, shorter = boxes[:, 3:5].max(axis=1), boxes[:, 3:5].min(axis=1)
    face[(longer < LEAST_SIDE_PX) | (longer > LONGEST_ASPECT * shorter)] = NOT_JUDGED
    dice = np.column_stack([boxes[:, 1:3], longer])
    room = np.full(len(dice), PLACED_ROUGHLY)
    said, squares, log_odds = proposed(image)
    for row in np.argsort(log_odds):  # the likeliest comes last and stays
        away = np.abs(boxes[:, 1:3] - squares[row, :2]) / boxes[:, 3:5]
        size = squares[row, 2] / longer
        same = (face == said[row]) & (away < MATCH_AWAY).all(axis=1)
        same &= (size > MATCH_SIDE[0]) & (size < MATCH_SIDE[1])
        dice[same], room[same] = squares[row], PLACED_EXACTLY
    return Picture(image, face, dice, room, squares[clear_of_dice(squares, dice, room)])


def boxed_folder(folder: Path) -> Iterator[Picture]:
    """Pictures of a folder with `images/` and `labels/`."""
    for image, boxes in labelled(folder):
        yield boxed(image, boxes)


def single_dice(folder: Path) -> Iterator[Picture]:
    """Pictures of one die each in folders `1` to `6`, but those whose face geometry does not find."""
    for path in sorted(folder.glob("[1-6]/*.png")):
        image = read_image(path)
        said, squares, log_odds = proposed(image)
        found = np.flatnonzero((said == int(path.parent.name)) & (log_odds > 0))
        if not len(found):
            continue
        best = found[np.argmax(log_odds[found])]
        dice, room = squares[[best]], np.array([PLACED_EXACTLY])
        refused = squares[clear_of_dice(squares, dice, room)]
        yield Picture(image, said[[best]], dice, room, refused)


def rigs_under(folder: Path) -> list[Path]:
    """Folders of all rigs anywhere under a folder, in order."""
    return sorted({path.parent for path in folder.rglob("table.json")})


def rig_folder(folder: Path) -> Iterator[Picture]:
    """Throws of a rig: `NNN.jpg` with `NNN.json`, whose `dice` tell face, corners, tilt and share in view."""
    for path in sorted(folder.glob("[0-9]*.json")):
        picture = path.with_suffix(".jpg")
        if not picture.exists():
            picture = path.with_suffix(".png")
        dice = [die for die in json.loads(path.read_text(encoding="utf-8"))["dice"] if die["in_frame"]]
        image = read_image(picture)
        corners = np.array([die["corners_px"] for die in dice]).reshape(-1, 4, 2)
        low, high = corners.min(axis=1), corners.max(axis=1)
        squares = np.column_stack([(low + high) / 2, (high - low).max(axis=1)])
        face = np.array([_judged_face(die) for die in dice], dtype=np.intp)
        room = np.full(len(dice), PLACED_EXACTLY)
        refused = proposed(image)[1]
        yield Picture(image, face, squares, room, refused[clear_of_dice(refused, squares, room)])


def _judged_face(die: dict[str, float]) -> int:
    seen = die["visible"] >= LEAST_VISIBLE and die["tilt_deg"] <= LARGEST_TILT_DEG
    return int(die["face"]) if seen and die.get("readable", True) else NOT_JUDGED


def made_grounds(count: int, seed: int) -> Iterator[Picture]:
    """Woven, piled and speckled grounds without dice, with what geometry proposes on them."""
    random = np.random.default_rng(seed)
    for image, _ in grounds(count, seed):
        height, width = image.shape[:2]
        some = np.column_stack(
            [random.uniform(0, (width, height), size=(6, 2)), random.uniform(*GROUND_SIDES_PX, size=6)]
        )
        squares = proposed(image)[1]
        none = np.zeros(0, dtype=np.intp)
        yield Picture(image, none, np.zeros((0, 3)), np.zeros(0), np.concatenate([some, squares[:20]]))


def real_pictures(real: Path) -> Iterable[tuple[str, Iterator[Picture]]]:
    """Author and pictures of every folder under `real` that may be trained on."""
    for author in ("nellbyler", "rune55", "epanemu"):
        yield author, boxed_folder(real / author)
    yield "crops128", single_dice(real / "crops128")
