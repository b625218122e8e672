"""A make-believe table: pictures with dice as plain squares, and a judge that reads them back.

A die is a square on a grid of cells; its grey level tells its face. The settler that watches is the real one.
"""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from vision.domain import (
    DieReading,
    DieState,
    FloatArray,
    Frame,
    Image,
    Reason,
    ReasonKind,
    Ruling,
    TableCalibration,
    Verdict,
)
from vision.opencv import cv2

FPS, COLUMNS, ROWS, CELL_PX, EDGE_PX = 30, 8, 4, 40, 24
FLOOR, FACE_STEP = 60, 20
UNREADABLE, TILTED = 0, 7  # in place of a face
NOISES = np.random.default_rng(3).normal(0, 1.5, (7, ROWS * CELL_PX, COLUMNS * CELL_PX))

Dice = dict[int, int]  # cell -> face, UNREADABLE or TILTED


@dataclass(frozen=True)
class Still:
    """For `seconds` these dice lie."""

    dice: Dice
    seconds: float = 1.0


@dataclass(frozen=True)
class Hand:
    """For `seconds` something large waves about over what lies."""

    dice: Dice
    seconds: float = 0.5


@dataclass(frozen=True)
class Arm:
    """For `seconds` an arm reaches in from `side_deg` over what lies, and goes again."""

    dice: Dice
    side_deg: float
    seconds: float = 0.6


def dice(*faces: int, first_cell: int = 0) -> Dice:
    """`faces` in neighbouring cells."""
    return {first_cell + place: face for place, face in enumerate(faces)}


def frames(*acts: Still | Hand | Arm) -> Iterator[Frame]:
    """Show the acts one after the other."""
    return frames_at(Always(), acts)


class Always:
    """Frame numbers, and seconds after the one before, of a camera that never falters."""

    def __init__(self, fps: float = FPS) -> None:
        self.fps = fps

    def __iter__(self) -> Iterator[tuple[int, float]]:
        """Yield the number and the time of each frame that comes."""
        return ((index, round(index / self.fps, 6)) for index in itertools.count())


def frames_at(clock: Iterable[tuple[int, float]], acts: Sequence[Still | Hand | Arm]) -> Iterator[Frame]:
    """Show the acts one after the other in the frames of `clock`: number and time of each that comes."""
    ends = list(itertools.accumulate(act.seconds for act in acts))
    for shown, (index, t_s) in enumerate(clock):
        place = bisect.bisect_right(ends, t_s + 1e-6)
        if place == len(acts):
            return
        act, since_s = acts[place], t_s - (ends[place - 1] if place else 0.0)
        grey = _grey(act.dice)
        if isinstance(act, Hand):
            step = round(since_s * FPS)
            left = 10 + 40 * (step % 5)
            grey[20:140, left : left + 60] = 150 - 20 * (step % 3)
        if isinstance(act, Arm):
            _reach(grey, act, since_s / act.seconds)
        noisy = (grey + NOISES[shown % len(NOISES)]).round().clip(0, 255).astype(np.uint8)
        yield Frame(index, t_s, np.repeat(noisy[..., np.newaxis], 3, axis=2))


def _reach(grey: FloatArray, arm: Arm, share: float) -> None:
    middle = np.array([COLUMNS, ROWS]) * CELL_PX / 2
    way = np.array([np.cos(np.radians(arm.side_deg)), np.sin(np.radians(arm.side_deg))])
    ends = [middle + far * way for far in (260 - 240 * np.sin(np.pi * share), 500.0)]
    hand, elbow = (tuple(int(value) for value in end.round()) for end in ends)
    drawn = np.ascontiguousarray(grey)
    cv2.line(drawn, hand, elbow, (170.0,), 34)
    grey[:] = drawn


def played(*throws: Dice) -> Iterator[Frame]:
    """Show an empty tray, then each of `throws` thrown by hand, with the tray cleared in between."""
    acts: list[Still | Hand] = [Still({})]
    for thrown in throws:
        acts += [Hand({}), Still(thrown), Hand({}), Still({})]
    return frames(*acts)


def write_clip(path: Path, *throws: Dice) -> str:
    """Write `played` as a clip; lossless, so that the judge can read its grey levels."""
    shown = list(played(*throws))
    height, width = shown[0].image_bgr.shape[:2]
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"FFV1"), FPS, (width, height))
    for frame in shown:
        writer.write(frame.image_bgr)
    writer.release()
    return str(path)


def staged_judge(
    image_bgr: Image, calibration: TableCalibration | None = None, expected_dice: int | None = None
) -> Verdict:
    """Read the squares back; TILTED makes a misroll, UNREADABLE an unsure throw, too few are missing."""
    return _judged(image_bgr, expected_dice, lambda _: 1.0)


def judge_in_any_light(
    image_bgr: Image, calibration: TableCalibration | None = None, expected_dice: int | None = None
) -> Verdict:
    """Judge as staged, each die by the light on the floor beside it."""
    return _judged(image_bgr, expected_dice, lambda cell: _light_at(image_bgr, cell))


def _light_at(image: Image, cell: int) -> float:
    x, y = _corner(cell)
    return float(image[y - 3 : y, x - 3 : x].mean()) / FLOOR


def _judged(image: Image, expected_dice: int | None, light: Callable[[int], float]) -> Verdict:
    cells = range(COLUMNS * ROWS)
    read = [(cell, face) for cell in cells if (face := _face_at(image, cell, light(cell))) is not None]
    readings = tuple(_reading(cell, face) for cell, face in read)
    reasons = [
        Reason(ReasonKind.TILTED if face == TILTED else ReasonKind.UNREADABLE, place, "staged")
        for place, (_, face) in enumerate(read)
        if face in (TILTED, UNREADABLE)
    ]
    if expected_dice is not None and len(read) < expected_dice:
        reasons.append(Reason(ReasonKind.MISSING, None, f"{len(read)} of {expected_dice} dice"))
    kinds = {reason.kind for reason in reasons}
    misroll = kinds & {ReasonKind.TILTED, ReasonKind.MISSING}
    ruling = Ruling.MISROLL if misroll else Ruling.UNSURE if kinds else Ruling.VALID
    return Verdict(ruling, tuple(reasons), readings)


def _corner(cell: int) -> tuple[int, int]:
    margin = (CELL_PX - EDGE_PX) // 2
    return cell % COLUMNS * CELL_PX + margin, cell // COLUMNS * CELL_PX + margin


def _grey(lying: Dice) -> np.ndarray:
    grey = np.full((ROWS * CELL_PX, COLUMNS * CELL_PX), float(FLOOR))
    for cell, face in lying.items():
        x, y = _corner(cell)
        grey[y : y + EDGE_PX, x : x + EDGE_PX] = 100 + FACE_STEP * face
    return grey


def _face_at(image: Image, cell: int, light: float) -> int | None:
    x, y = _corner(cell)
    level = float(image[y + 4 : y + EDGE_PX - 4, x + 4 : x + EDGE_PX - 4].mean()) / light
    return round((level - 100) / FACE_STEP) if level > 90 else None


def _reading(cell: int, face: int) -> DieReading:
    x, y = _corner(cell)
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * float(EDGE_PX) + [x, y]
    states = {TILTED: DieState.TILTED, UNREADABLE: DieState.UNSURE}
    shown = face if 1 <= face <= 6 else None
    center = (x + EDGE_PX / 2, y + EDGE_PX / 2)
    return DieReading(shown, 0.9, center, corners, states.get(face, DieState.FLAT))


class SureAt:
    """A judge that is not sure of the first die of a throw before look number `look`."""

    def __init__(self, look: int) -> None:
        self._before = look - 1

    def __call__(
        self, image_bgr: Image, calibration: TableCalibration | None = None, expected_dice: int | None = None
    ) -> Verdict:
        """Judge as staged, and doubt the first die."""
        verdict = staged_judge(image_bgr, calibration, expected_dice)
        if not verdict.dice or self._before <= 0:
            return verdict
        self._before -= 1
        return Verdict(Ruling.UNSURE, (Reason(ReasonKind.UNCERTAIN, 0, "dim"),), verdict.dice)
