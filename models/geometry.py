"""Fit the weights by which the pip reader believes in a face: `python -m models.geometry DIR[:PATTERN]...`.

Each DIR holds `images/` and `labels/` (YOLO boxes, class 0-5 = top face 1-6). Every face that pips allow
in a picture is a sample, true when its middle lies in the middle of a box of its number. Woven and speckled
grounds without dice are drawn by chance and added as false samples, since labelled pictures hold few of them.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models.arguments import existing_folder
from table.command_line import OneLineParser
from vision.domain import FloatArray, Image
from vision.evidence import AGAINST, FOR, SIGNS
from vision.faces import Faces
from vision.images import read_image
from vision.opencv import cv2
from vision.proposals import propose_faces

OUT = Path(__file__).parent.parent / "vision" / "evidence.json"
GROUPS = ((1,), (2,), (3,), (4, 5, 6))  # fours to sixes are rarely there by chance: one model for all
CENTRAL = 0.3  # of a box's side: how far from its middle a true face may lie
LARGEST_PIP = 0.25  # radius over the box's shorter side
RIDGE = 0.02
SEED = 1
FALSE_LIMIT = 20.0  # false samples count together at most this many times as much as true ones


@dataclass(frozen=True, slots=True, eq=False)
class Samples:
    """Signs (N, S) of N proposed faces, their numbers (N,) and whether they are true (N,)."""

    face: NDArray[np.intp]
    signs: FloatArray
    true: NDArray[np.bool_]


def labelled(folder: Path, pattern: str = "*") -> Iterator[tuple[Image, FloatArray]]:
    """Pictures of a folder whose names match, with boxes (M, 5): face, middle x, y, width, height in px."""
    for path in sorted((folder / "labels").glob(pattern + ".txt")):
        picture = next((folder / "images").glob(path.stem + ".*"), None)
        if picture is None:
            continue
        image = read_image(picture)
        height, width = image.shape[:2]
        rows = [line.split()[:5] for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        boxes = np.array(rows, dtype=np.float64).reshape(-1, 5) * [1, width, height, width, height]
        boxes[:, 0] += 1  # class 0 is face 1
        yield image, boxes


def grounds(count: int, seed: int) -> Iterator[tuple[Image, FloatArray]]:
    """Pictures (640, 640, 3) of woven and of speckled or streaked grounds without dice."""
    random = np.random.default_rng(seed)
    for number in range(count):
        field = (_woven, _pile, _speckled)[number % 3](random)
        light, colour = random.uniform(60, 160), random.uniform(0.6, 1.2, size=3)
        grey = light + field * random.uniform(15, 60)
        noise = random.normal(scale=random.uniform(1, 5), size=(*field.shape, 3))
        yield np.clip(grey[..., None] * colour + noise, 0, 255).astype(np.uint8), np.zeros((0, 5))


GROUND_SIDE = 640


def _woven(random: np.random.Generator) -> NDArray[np.float32]:
    """Threads as a lattice of ellipses with some disorder; about -1 to 1."""
    field = np.full((GROUND_SIDE, GROUND_SIDE), -1.0, dtype=np.float32)
    pitch = random.uniform(9, 50)
    row_pitch, skew = pitch * random.uniform(0.5, 1.2), random.uniform(0, 0.5)
    size = pitch * random.uniform(0.25, 0.48)
    aspect, tilt, jitter = random.uniform(1, 2.2), random.uniform(0, 180), random.uniform(0.01, 0.12) * pitch
    turn = random.uniform(0, np.pi)
    span = int(GROUND_SIDE / min(pitch, row_pitch))
    for row in range(-span, span):
        for column in range(-span, span):
            along, down = (column + skew * (row % 2)) * pitch, row * row_pitch
            x = GROUND_SIDE / 2 + along * np.cos(turn) - down * np.sin(turn) + random.normal(scale=jitter)
            y = GROUND_SIDE / 2 + along * np.sin(turn) + down * np.cos(turn) + random.normal(scale=jitter)
            if not (0 <= x < GROUND_SIDE and 0 <= y < GROUND_SIDE):
                continue
            box = ((x, y), (2 * size, 2 * size / aspect), tilt + random.normal(scale=6))
            cv2.ellipse(field, box, float(random.uniform(0.4, 1.0)), -1)
    woven = cv2.GaussianBlur(field, (0, 0), random.uniform(0.6, 0.25 * size + 0.7))
    ragged = cv2.GaussianBlur(random.normal(size=field.shape).astype(np.float32), (0, 0), size / 4)
    return np.asarray(woven + random.uniform(0.1, 0.5) * ragged / ragged.std(), dtype=np.float32)


def _pile(random: np.random.Generator) -> NDArray[np.float32]:
    """Loops and tufts lit from one side: the slope of a bumpy ground with hollows; about -1 to 1."""
    loops = random.uniform(3, 14)
    height = np.zeros((GROUND_SIDE, GROUND_SIDE), dtype=np.float32)
    for grain, share in ((loops, 1.0), (loops / 2.5, 0.4), (0.8, 0.1)):
        noise = random.normal(size=height.shape).astype(np.float32)
        smooth = cv2.GaussianBlur(noise, (0, 0), grain)
        height += share * np.asarray(smooth / smooth.std(), dtype=np.float32)
    angle = random.uniform(0, 2 * np.pi)
    down, right = np.gradient(height)
    slope = right * np.cos(angle) + down * np.sin(angle)
    field = slope / slope.std() + random.uniform(0, 1.5) * np.minimum(height, 0.5)
    return np.asarray(np.clip(field / 2, -1.2, 1.2), dtype=np.float32)


def _speckled(random: np.random.Generator) -> NDArray[np.float32]:
    """Smoothed noise, stretched one way; about -1 to 1."""
    grain = random.uniform(1.2, 6.0)
    noise = random.normal(size=(GROUND_SIDE, GROUND_SIDE)).astype(np.float32)
    smooth = cv2.GaussianBlur(noise, (0, 0), grain, sigmaY=grain * random.uniform(1.0, 3.0))
    return np.asarray(smooth / (2 * smooth.std()), dtype=np.float32)


def true_faces(faces: Faces, boxes: FloatArray) -> NDArray[np.bool_]:
    """Which faces (N,) of pips of a likely size lie in the middle of a box of their number."""
    away = np.abs(faces.center_px[:, None] - boxes[None, :, 1:3]) / boxes[None, :, 3:5]
    small = faces.radius_px[:, None] < LARGEST_PIP * boxes[None, :, 3:5].min(axis=2)
    same = faces.face[:, None] == boxes[None, :, 0]
    return np.asarray(((away < CENTRAL).all(axis=2) & small & same).any(axis=1))


def _share_pips(faces: Faces, true: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which faces (N,) use a pip of a true one: a five's middle read as a one loses to the five anyway."""
    taken = np.unique(faces.pips[true])
    return np.asarray(np.isin(faces.pips, taken[taken >= 0]).any(axis=1))


def collect(pictures: Iterable[tuple[Image, FloatArray]]) -> Samples:
    """All proposed faces of some pictures."""
    parts = []
    for image, boxes in pictures:
        proposal = propose_faces(image, thorough=True)  # false faces of every kind are wanted here
        if not len(proposal.faces):
            continue
        true = true_faces(proposal.faces, boxes)
        crowded = proposal.signs[:, SIGNS.index("strangers")] > 0
        telling = true | crowded | ~_share_pips(proposal.faces, true)
        parts.append((proposal.faces.face[telling], proposal.signs[telling], true[telling]))
    face, signs, true = (np.concatenate(part) for part in zip(*parts, strict=True))
    return Samples(face, signs, true)


def fit(signs: FloatArray, true: NDArray[np.bool_]) -> FloatArray:
    """Weights (S,) of a logistic model; signs that would speak the wrong way are left out, worst first."""
    direction = np.array([0.0, *[1.0] * len(FOR), *[-1.0] * len(AGAINST)])
    free = np.ones(len(SIGNS), dtype=bool)
    while True:
        beta = np.zeros(len(SIGNS))
        beta[free] = _newton(signs[:, free], true)
        wrong = beta * direction < -1e-9
        if not wrong.any():
            return beta
        free[np.argmin(beta * direction)] = False


def _newton(signs: FloatArray, true: NDArray[np.bool_]) -> FloatArray:
    """Maximise the likelihood with a small ridge on all but the constant."""
    weight = np.where(true, 1.0, min(1.0, FALSE_LIMIT * true.sum() / max((~true).sum(), 1)))
    ridge = np.full(signs.shape[1], RIDGE * weight.sum() / 100)
    ridge[0] = 1e-6
    beta = np.zeros(signs.shape[1])
    for _ in range(60):
        chance = 1 / (1 + np.exp(-np.clip(signs @ beta, -30, 30)))
        slope = signs.T @ (weight * (true - chance)) - ridge * beta
        curve = (signs * (weight * chance * (1 - chance) + 1e-9)[:, None]).T @ signs + np.diag(ridge)
        beta += np.linalg.solve(curve, slope)
    return beta


def _sample(word: str) -> tuple[Path, str]:
    folder, _, pattern = word.partition(":")
    pattern = pattern or "*"
    if not any(existing_folder(folder).glob(f"labels/{pattern}.txt")):
        raise argparse.ArgumentTypeError(f"{word!r}: no such labels in its folder labels/")
    return Path(folder), pattern


def main() -> None:
    """Fit the weights of each face and write them next to the code that uses them."""
    parser = OneLineParser(prog="python -m models.geometry", description=__doc__)
    parser.add_argument(
        "folders", nargs="+", type=_sample, metavar="DIR[:PATTERN]", help="PATTERN: of the pictures' names"
    )
    parser.add_argument("--grounds", type=int, default=90, help="made pictures without dice")
    args = parser.parse_args()
    parts = []
    for folder, pattern in args.folders:
        parts.append(collect(labelled(folder, pattern)))
        print(
            f"{folder}:{pattern}: {len(parts[-1].true)} faces proposed, {parts[-1].true.sum()} true",
            flush=True,
        )
    parts.append(collect(grounds(args.grounds, SEED)))
    print(f"grounds: {len(parts[-1].true)} faces proposed", flush=True)
    face, signs, true = (
        np.concatenate([getattr(p, name) for p in parts]) for name in ("face", "signs", "true")
    )
    table = {}
    for numbers in GROUPS:
        rows = np.isin(face, numbers)
        beta = fit(signs[rows], true[rows])
        weights = {name: round(float(value), 3) for name, value in zip(SIGNS, beta, strict=True)}
        table.update({str(number): weights for number in numbers})
        chance = 1 / (1 + np.exp(-signs[rows] @ beta))
        wrong = ((chance > 0.5) != true[rows]).mean()
        print(f"{numbers}: {int(true[rows].sum())} true of {int(rows.sum())}, {100 * wrong:.1f} % wrong")
    OUT.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
