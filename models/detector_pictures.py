"""What the die detector learns from: windows of labelled pictures, varied, in the layout Ultralytics reads.

A window is SIDE pixels square and shows dice as large as the detector will see them, in whole pictures
brought to 384 pixels. Beyond the picture all is grey, as where a picture does not fill the detector's.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models.appearance import FloatImage, coloured, lit, noised, pressed
from models.geometry import grounds, labelled
from models.reader_pictures import rigs_under
from vision.domain import FloatArray, Image
from vision.images import read_image
from vision.opencv import cv2

SIDE = 320
GREY = (114.0, 114.0, 114.0)
DIE_PX = (8.0, 80.0)  # longer side of the usual die's box in a window
GROUND_SCALE = (0.4, 1.0)  # of a picture twice as wide as a window
WHOLE_PX = 384  # longer side of a picture in the detector
LEAST_INSIDE = 0.4  # of a box: less of a die is not to be found
LEAST_VISIBLE = 0.25
LEAST_FILLED = 0.6  # of a window's side
MOST_TURN = math.radians(20)
MOST_BLUR_PX = 1.2
CUT_REACH, CUT_PX = 0.65, 160  # half side of a cut-out in box sides, and its longer side
CUT_SHARES = (0.55, 1.05)  # of its box that a die must fill: else it was not told from the ground
LAID_SIDE, LAID_PX, LAID_APART = 640, (24.0, 160.0), 0.85


@dataclass(frozen=True, slots=True, eq=False)
class Boxed:
    """A picture with the boxes (N, 4) of all its dice: middle x, y, width, height in px."""

    image: Image
    boxes: FloatArray


def labelled_folder(folder: Path) -> Iterator[Boxed]:
    """Pictures of a folder with `images/` and `labels/`."""
    for image, boxes in labelled(folder):
        yield Boxed(image, boxes[:, 1:5])


def rig_folder(folder: Path) -> Iterator[Boxed]:
    """Throws of a rig, and its tray without dice."""
    yield Boxed(read_image(folder / "empty.jpg"), np.zeros((0, 4)))
    for path in sorted(folder.glob("[0-9]*.json")):
        dice = json.loads(path.read_text(encoding="utf-8"))["dice"]
        seen = [die for die in dice if die["in_frame"] and die["visible"] >= LEAST_VISIBLE]
        boxes = np.array([_body_box(die["corners_px"], die["center_px"]) for die in seen]).reshape(-1, 4)
        yield Boxed(read_image(path.with_suffix(".jpg")), boxes)


def _body_box(corners_px: FloatArray, center_px: FloatArray) -> FloatArray:
    """The box (4,) of a whole die: its lower corners mirror the upper ones about its centre."""
    upper, center = np.asarray(corners_px), np.asarray(center_px)
    corners = np.concatenate([upper, 2 * center - upper])
    low, high = corners.min(axis=0), corners.max(axis=0)
    return np.concatenate([(low + high) / 2, high - low])


def made_pictures(made: Path) -> Iterator[Boxed]:
    """All pictures of the rigs under `made`."""
    for folder in rigs_under(made):
        yield from rig_folder(folder)


def ground_pictures(count: int, seed: int) -> Iterator[Boxed]:
    """Grounds without dice."""
    for image, _ in grounds(count, seed):
        yield Boxed(image, np.zeros((0, 4)))


def varied_window(picture: Boxed, random: np.random.Generator) -> Boxed:
    """A window of a picture at some scale, turned, mirrored, and changed in colour, light and sharpness."""
    window = _cut(picture, random)
    look = window.image.astype(np.float32)
    if random.uniform() < 0.7:
        look = coloured(look, random)
    look = lit(look, random)
    if random.uniform() < 0.3:
        look = np.asarray(cv2.GaussianBlur(look, (0, 0), random.uniform(0.3, MOST_BLUR_PX)), dtype=np.float32)
    return Boxed(pressed(noised(look, random), random).astype(np.uint8), window.boxes)


def _cut(picture: Boxed, random: np.random.Generator) -> Boxed:
    scale = _scale(picture, random)
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    scaled = cv2.resize(picture.image, None, fx=scale, fy=scale, interpolation=how)
    turn = random.integers(4) * math.pi / 2
    if random.uniform() < 0.5:
        turn += random.uniform(-MOST_TURN, MOST_TURN)
    matrix = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    if random.uniform() < 0.5:
        matrix[:, 0] *= -1
    shift = _place(picture, scale, matrix, random)
    image = cv2.warpAffine(
        scaled,
        np.column_stack([matrix, shift]),
        (SIDE, SIDE),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=GREY,
    )
    return Boxed(np.asarray(image, dtype=np.uint8), _clipped(_moved(picture.boxes * scale, matrix, shift)))


def _scale(picture: Boxed, random: np.random.Generator) -> float:
    """A scale at which the dice are as large as DIE_PX allows, or the picture about fills the window."""
    longest = max(picture.image.shape[:2])
    if not len(picture.boxes):
        return float(random.uniform(*GROUND_SCALE) * 2 * SIDE / longest)
    if random.uniform() < 0.4:
        return float(WHOLE_PX / longest * np.exp(random.uniform(-0.15, 0.3)))
    usual = float(np.median(picture.boxes[:, 2:].max(axis=1)))
    return float(max(np.exp(random.uniform(*np.log(DIE_PX))) / usual, LEAST_FILLED * SIDE / longest))


def _place(picture: Boxed, scale: float, matrix: FloatArray, random: np.random.Generator) -> FloatArray:
    """The shift (2,) that brings some die, or any place, to somewhere in the window."""
    height, width = picture.image.shape[:2]
    at = random.uniform((0, 0), (width, height))
    if len(picture.boxes) and random.uniform() < 0.85:
        at = picture.boxes[random.integers(len(picture.boxes)), :2]
    return np.asarray(random.uniform(0.1, 0.9, size=2) * SIDE - matrix @ (at * scale))


def _moved(boxes: FloatArray, matrix: FloatArray, shift: FloatArray) -> FloatArray:
    """Boxes (N, 4) turned: midway between those of the rectangles and those of the ellipses within."""
    middles = boxes[:, :2] @ matrix.T + shift
    rectangle = boxes[:, 2:] @ np.abs(matrix).T
    ellipse = np.sqrt(boxes[:, 2:] ** 2 @ (matrix**2).T)
    return np.asarray(np.concatenate([middles, (rectangle + ellipse) / 2], axis=1))


def _clipped(boxes: FloatArray) -> FloatArray:
    """What of boxes (N, 4) lies in the window; those of which too little does are left out."""
    low = np.clip(boxes[:, :2] - boxes[:, 2:] / 2, 0, SIDE)
    high = np.clip(boxes[:, :2] + boxes[:, 2:] / 2, 0, SIDE)
    inside = (high - low).prod(axis=1) >= LEAST_INSIDE * boxes[:, 2:].prod(axis=1)
    return np.asarray(np.concatenate([(low + high) / 2, high - low], axis=1)[inside])


@dataclass(frozen=True, slots=True, eq=False)
class Cutout:
    """A die cut out of its picture: `image` (H, W, 3), and `share` (H, W, 1) 0 to 1 of what is the die's."""

    image: FloatImage
    share: FloatImage


def cutouts(picture: Boxed) -> Iterator[Cutout]:
    """The dice of a picture that stand out from the ground beside them, told apart by their colours."""
    for x, y, width, height in picture.boxes:
        reach = np.array([width, height]) * CUT_REACH
        left, top = np.rint(np.array([x, y]) - reach).astype(int)
        right, bottom = np.rint(np.array([x, y]) + reach).astype(int)
        if min(left, top) < 0 or right > picture.image.shape[1] or bottom > picture.image.shape[0]:
            continue
        scale = CUT_PX / (2 * reach.max())
        patch = np.asarray(
            cv2.resize(
                picture.image[top:bottom, left:right], None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA
            ),
            dtype=np.uint8,
        )
        share = _die_share(patch)
        if CUT_SHARES[0] < share.mean() * 4 * CUT_REACH**2 < CUT_SHARES[1]:
            yield Cutout(patch.astype(np.float32), share)


def _die_share(patch: Image) -> FloatImage:
    """What of a patch is the die in its middle (GrabCut, Rother et al. 2004), soft at its edge."""
    height, width = patch.shape[:2]
    inset = 0.5 - 0.5 / (2 * CUT_REACH)
    box = (
        round(width * inset),
        round(height * inset),
        round(width * (1 - 2 * inset)),
        round(height * (1 - 2 * inset)),
    )
    mask = np.zeros((height, width), dtype=np.uint8)
    models = np.zeros((1, 65)), np.zeros((1, 65))
    cv2.grabCut(patch, mask, box, *models, 3, cv2.GC_INIT_WITH_RECT)
    die = ((mask == cv2.GC_FGD) | (mask == cv2.GC_PR_FGD)).astype(np.float32)
    whole = cv2.morphologyEx(
        die, cv2.MORPH_CLOSE, np.ones((15, 15), dtype=np.uint8)
    )  # pips are the die's, too
    return np.asarray(cv2.GaussianBlur(whole, (3, 3), 0), dtype=np.float32)[..., None]


def laid_out(grounds: Sequence[Image], dice: Sequence[Cutout], count: int, seed: int) -> Iterator[Boxed]:
    """Pictures of cut-out dice, of one or of several kinds, laid by chance on grounds."""
    random = np.random.default_rng(seed)
    for _ in range(count):
        ground = grounds[int(random.integers(len(grounds)))]
        image = cv2.resize(ground, (LAID_SIDE, LAID_SIDE), interpolation=cv2.INTER_AREA).astype(np.float32)
        image = coloured(image, random)
        usual = math.exp(float(random.uniform(*np.log(LAID_PX))))
        kinds = dice if random.uniform() < 0.5 else [dice[int(random.integers(len(dice)))]]
        boxes: list[FloatArray] = []
        for _ in range(int(random.integers(1, 9))):
            die = _turned(
                kinds[int(random.integers(len(kinds)))],
                usual * math.exp(float(random.uniform(-0.1, 0.1))),
                random,
            )
            at = random.uniform(0, LAID_SIDE - np.array(die.share.shape[1::-1])).astype(int)
            box = _box_of(die.share) + np.array([*at, 0, 0])
            if all(np.linalg.norm(box[:2] - other[:2]) > LAID_APART * box[2:].max() for other in boxes):
                _lay(image, die, at, random)
                boxes.append(box)
        yield Boxed(np.clip(image, 0, 255).astype(np.uint8), np.array(boxes).reshape(-1, 4))


def _turned(die: Cutout, side_px: float, random: np.random.Generator) -> Cutout:
    scale = side_px * 2 * CUT_REACH / CUT_PX
    side = math.ceil(CUT_PX * scale * math.sqrt(2))
    height, width = die.share.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), float(random.uniform(0, 360)), scale)
    matrix[:, 2] += (side - width) / 2, (side - height) / 2
    image, share = (
        cv2.warpAffine(each, matrix, (side, side), flags=cv2.INTER_AREA) for each in (die.image, die.share)
    )
    return Cutout(np.asarray(image, dtype=np.float32), np.asarray(share, dtype=np.float32)[..., None])


def _box_of(share: FloatImage) -> FloatArray:
    rows, columns = np.nonzero(share[..., 0] > 0.5)
    if not len(rows):
        return np.zeros(4)
    low, high = np.array([columns.min(), rows.min()]), np.array([columns.max(), rows.max()]) + 1
    return np.concatenate([(low + high) / 2, high - low])


def _lay(image: FloatImage, die: Cutout, at: NDArray[np.intp], random: np.random.Generator) -> None:
    """Lay a die on `image`, with a soft shadow beside it."""
    side = die.share.shape[0]
    place = image[at[1] : at[1] + side, at[0] : at[0] + side]
    shift = random.uniform(-0.08, 0.08, size=2) * side
    moved = cv2.warpAffine(die.share, np.array([[1, 0, shift[0]], [0, 1, shift[1]]]), (side, side))
    shadow = cv2.GaussianBlur(moved, (0, 0), max(0.5, 0.04 * side))[..., None]
    place *= 1 - random.uniform(0, 0.6) * shadow
    place[:] = die.share * die.image + (1 - die.share) * place


def write_set(sources: Iterable[tuple[str, Iterable[Boxed], int]], to: Path, seed: int) -> int:
    """Write windows of all pictures, as many of each as its source says, and return how many.

    `to` gets `images/` and `labels/` (class 0, box by the window's side); names are in no order of source,
    since Ultralytics sorts them.
    """
    (to / "images").mkdir(parents=True, exist_ok=True)
    (to / "labels").mkdir(parents=True, exist_ok=True)
    written = 0
    for name, pictures, copies in sources:
        for number, picture in enumerate(pictures):
            random = np.random.default_rng((seed, *name.encode(), number))
            for _ in range(copies):
                _write(varied_window(picture, random), to, f"{random.integers(1 << 32):08x}-{name}-{number}")
                written += 1
    return written


def _write(window: Boxed, to: Path, name: str) -> None:
    cv2.imwrite(str(to / "images" / f"{name}.png"), window.image)
    lines = [" ".join(["0", *(f"{value / SIDE:.5f}" for value in box)]) for box in window.boxes]
    (to / "labels" / f"{name}.txt").write_text("\n".join(lines), encoding="utf-8")
