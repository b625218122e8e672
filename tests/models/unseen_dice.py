"""Dice that no reader has seen, with studs at their edges, thrown and corrected at a make-believe table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from scoring.faces import sorted_faces
from scoring.game import new_game
from scoring.ruleset import load_preset
from table.loop import TableLoop
from table.own_throws import OwnThrows
from table.throw_watch import ThrowWatch
from table.touches import CorrectDie, CountAnyway, EnterThrow, Touch
from tests.vision.drawn_dice import Camera, Die, DrawnDie, Look, Picture, draw, plain
from vision.crop_reader import cut_crop
from vision.domain import FloatArray, Frame, Image
from vision.opencv import cv2

DICE, FPS = 6, 15
CAMERA, LOOK = Camera(640, 480, 52, tilt_deg=4), Look(plain((96, 70, 60)))
PLACES = np.array([(x, y) for x in (-3, -1, 1, 3) for y in (-1.5, 0.2, 1.8)])  # clear of each other
NEAR = 0.4  # sides
SQUARE = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)], dtype=np.float32)
STUDS = np.array([[(0, -0.4), (0.4, 0), (0, 0.4), (-0.4, 0)]], dtype=np.float32)
STUD_RADIUS, RED_STUD = 0.07, (40, 40, 190)  # of a side


def thrown(seed: int) -> Picture:
    """Draw a throw of six studded dice."""
    random = np.random.default_rng(seed)
    places = random.permutation(PLACES)[:DICE] + random.uniform(-0.2, 0.2, size=(DICE, 2))
    faces, turns = random.integers(1, 7, DICE), random.uniform(0, 360, DICE)
    dice = [
        Die(int(face), float(x), float(y), float(turn))
        for face, (x, y), turn in zip(faces, places, turns, strict=True)
    ]
    bare = draw(dice, CAMERA, LOOK, seed)
    return Picture(_studded(bare), bare.dice)


def _studded(bare: Picture) -> Image:
    """A red stud in the middle of every edge of the top faces, about as large as a pip."""
    image = bare.image.copy()
    for die in bare.dice:
        to_px = cv2.getPerspectiveTransform(SQUARE, die.corners_px.astype(np.float32))
        for x, y in cv2.perspectiveTransform(STUDS, to_px)[0]:
            at, radius = (round(16 * float(x)), round(16 * float(y))), round(16 * STUD_RADIUS * die.side_px)
            cv2.circle(image, at, radius, RED_STUD, thickness=-1, lineType=cv2.LINE_AA, shift=4)
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 0.6), dtype=np.uint8)


def frames(picture: Picture) -> Iterator[Frame]:
    """Show the empty table, a hand, and the throw at rest."""
    empty, hand = draw([], CAMERA, LOOK).image, (60, 90, 150)
    shown: list[Image] = [empty] * FPS
    for step in range(FPS // 2):
        waving = empty.copy()
        waving[100:400, 60 * step : 60 * step + 200] = hand
        shown.append(waving)
    shown += [picture.image] * (2 * FPS)
    return (Frame(index, index / FPS, image) for index, image in enumerate(shown))


def correct(picture: Picture, folder: Path) -> None:
    """Play one throw, and correct all that is read wrong of it as a person would, into `folder`."""
    own = OwnThrows(folder, print)
    loop = TableLoop(new_game(load_preset("danish"), ("Ada", "Bo")), ThrowWatch(judge=own.judge))
    for frame in frames(picture):
        loop.step(frame)
    for touch in _answers(loop, picture):
        loop.touch(touch)
        own.follow(loop.state)
    own.close()


def _answers(loop: TableLoop, picture: Picture) -> Iterator[Touch]:
    """Correct dice by their places; then confirm, or enter the throw when dice were not found at all."""
    lying = loop.state.lying
    assert lying is not None
    assert lying.verdict is not None
    found = [_shown_at(die.center_px, picture) for die in lying.verdict.dice]
    for place, face in enumerate(found):
        if face != lying.faces[place]:
            yield CorrectDie(place, face)
    truth = Counter(die.face for die in picture.dice)
    if Counter(face for face in found if face is not None) != truth:
        yield EnterThrow(sorted_faces(truth.elements()))
    elif not loop.state.lying.counted:
        yield CountAnyway()


def _shown_at(center_px: tuple[float, float], picture: Picture) -> int | None:
    nearest = min(picture.dice, key=lambda die: float(np.linalg.norm(die.center_px - center_px)))
    is_it = np.linalg.norm(nearest.center_px - center_px) < NEAR * nearest.side_px
    return nearest.face if is_it else None


def crops_of(pictures: list[Picture]) -> tuple[Image, FloatArray]:
    """Crops (N, 64, 64, 3) about the true places of all dice, and their faces (N,)."""
    dice = [(picture.image, die) for picture in pictures for die in picture.dice]
    return np.array([_crop(image, die) for image, die in dice]), np.array([die.face for _, die in dice])


def _crop(image: Image, die: DrawnDie) -> Image:
    low, high = die.corners_px.min(axis=0), die.corners_px.max(axis=0)
    return cut_crop(image, (low + high) / 2, float((high - low).max()))
