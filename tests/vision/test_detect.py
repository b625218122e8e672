"""Holds the reader of single pictures to drawn dice whose truth is known."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from tests.vision.drawn_dice import (
    BLUE,
    DARK,
    GREEN,
    LIGHT,
    RED,
    YELLOW,
    Camera,
    Die,
    DrawnDie,
    Ground,
    Look,
    Paint,
    Picture,
    draw,
    felt,
    grid_of,
    plain,
    wood,
)
from vision.detect import detect
from vision.detection import Detection
from vision.domain import FloatArray, Image
from vision.opencv import cv2

ALL_FACES = (1, 2, 3, 4, 5, 6)
SIZES_PX = (40, 64, 110, 200, 400)
PAINTS = {"light": LIGHT, "dark": DARK, "red": RED, "green": GREEN, "blue": BLUE, "yellow": YELLOW}
GROUNDS = {"plain": plain(), "grey": plain((128, 126, 122)), "felt": felt(), "wood": wood()}
NEAR = 0.4  # sides between a die's true middle and the middle found


def turns(seed: int) -> list[float]:
    return np.random.default_rng(seed).uniform(0, 360, size=6).tolist()


def throw(
    side_px: int,
    paint: Paint = LIGHT,
    ground: Ground | None = None,
    *,
    seed: int = 0,
    faces: Sequence[int] = ALL_FACES,
    tilt_deg: float = 0.0,
    narrow_six: bool = False,
) -> Picture:
    """Six dice, each turned its own way, with room between them."""
    camera = Camera(int(6.4 * side_px), int(4.6 * side_px), side_px, tilt_deg=tilt_deg)
    dice = grid_of(faces, columns=3, gap=2.1, turns_deg=turns(seed), paint=paint, narrow_six=narrow_six)
    return draw(dice, camera, Look(ground=ground or felt()), seed)


def pair(picture: Picture, dice: Sequence[Detection]) -> list[tuple[DrawnDie, Detection]]:
    """Each drawn die with the one found there; fails where a die is missing or invented."""
    found = list(dice)
    pairs = []
    for die in picture.dice:
        near = [d for d in found if np.linalg.norm(d.center_px - die.center_px) < NEAR * die.side_px]
        assert near, f"no die found at {np.rint(die.center_px)}, where a {die.face} lies"
        pairs.append((die, near[0]))
        found.remove(near[0])
    assert not found, f"invented: {[(d.face, np.rint(d.center_px)) for d in found]}"
    return pairs


def off_corners(die: DrawnDie, found: Detection) -> float:
    """Largest miss of a corner in sides; which corner comes first does not matter."""
    turned = (np.roll(found.corners_px, by, axis=0) for by in range(4))
    return min(float(np.linalg.norm(c - die.corners_px, axis=1).max()) for c in turned) / die.side_px


def read_right(picture: Picture) -> list[tuple[DrawnDie, Detection]]:
    pairs = pair(picture, detect(picture.image).dice)
    assert [found.face for _, found in pairs] == [die.face for die, _ in pairs]
    return pairs


@pytest.mark.parametrize("seed", [0, 5])
@pytest.mark.parametrize("paint", ["light", "dark"])
@pytest.mark.parametrize("side_px", SIZES_PX)
def test_every_face_of_every_size_is_read_with_its_corners(side_px: int, paint: str, seed: int) -> None:
    pairs = read_right(throw(side_px, PAINTS[paint], GROUNDS["wood" if seed else "felt"], seed=seed))
    off = [off_corners(die, found) for die, found in pairs]
    # Slivers of side faces, and on dark dice shadows, have edges that may pass for the top's.
    assert float(np.median(off)) < (0.04 if paint == "light" else 0.10)
    assert max(off) < 0.15


@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("paint", PAINTS)
def test_paints_are_read_on_every_ground(paint: str, ground: str) -> None:
    read_right(throw(72, PAINTS[paint], GROUNDS[ground], seed=2))


@pytest.mark.parametrize("narrow_six", [False, True])
@pytest.mark.parametrize("turn_deg", range(0, 180, 20))
def test_a_lone_six_is_read_at_any_turn(turn_deg: int, narrow_six: bool) -> None:
    die = Die(6, turn_deg=turn_deg, narrow_six=narrow_six)
    read_right(draw([die], Camera(360, 300, 70)))


@pytest.mark.parametrize("face", ALL_FACES)
@pytest.mark.parametrize("paint", ["light", "dark"])
def test_a_lone_die_is_read(paint: str, face: int) -> None:
    read_right(draw([Die(face, 0.4, -0.3, turn_deg=27, paint=PAINTS[paint])], Camera(420, 340, 80)))


@pytest.mark.parametrize("tilt_deg", [8, 20])
@pytest.mark.parametrize("paint", ["light", "red", "yellow"])
def test_side_faces_in_view_are_no_dice(paint: str, tilt_deg: float) -> None:
    """Seen from the front, every die shows one or two side faces with pips of their own."""
    picture = throw(110, PAINTS[paint], tilt_deg=tilt_deg, seed=3)
    for die, found in read_right(picture):
        assert off_corners(die, found) < 0.12


def test_side_faces_at_the_edge_of_a_near_camera_are_no_dice() -> None:
    corners = [(-3.4, -2.4), (3.4, -2.4), (-3.4, 2.4), (3.4, 2.4), (0, 2.4), (-3.4, 0)]
    dice = [Die(face, x, y, turn_deg=17 * face) for face, (x, y) in zip(ALL_FACES, corners, strict=True)]
    read_right(draw(dice, Camera(1000, 760, 100, distance=14)))


@pytest.mark.parametrize("turn_deg", [0, 31])
@pytest.mark.parametrize("paint", ["light", "dark", "red"])
@pytest.mark.parametrize("side_px", [60, 130])
def test_touching_dice_are_kept_apart(side_px: int, paint: str, turn_deg: float) -> None:
    faces = (1, 5, 3, 2, 4, 6)
    picture = draw(row_touching(faces, turn_deg, PAINTS[paint]), Camera(9 * side_px, 8 * side_px, side_px))
    read_right(picture)


def row_touching(faces: Sequence[int], turn_deg: float, paint: Paint) -> list[Die]:
    """A row of dice, side to side but for a thin seam."""
    along = np.array([np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))])
    places = [(number - (len(faces) - 1) / 2) * 1.03 * along for number in range(len(faces))]
    return [
        Die(face, float(x), float(y), turn_deg, paint) for face, (x, y) in zip(faces, places, strict=True)
    ]


@pytest.mark.parametrize("paint", ["light", "dark", "yellow"])
@pytest.mark.parametrize("faces", [(6, 6, 6, 6), (4, 4, 4, 4), (5, 4, 4, 5)])
def test_pips_across_the_seams_of_a_block_make_no_die(faces: tuple[int, ...], paint: str) -> None:
    """Side to side, the pips of two sixes or of four fours are spaced as if another die lay between."""
    dice = grid_of(faces, columns=2, gap=1.03, turns_deg=[0], paint=PAINTS[paint])
    read_right(draw(dice, Camera(480, 400, 64), Look(ground=felt())))


def test_ten_dice_are_read() -> None:
    faces = (6, 5, 4, 3, 2, 1, 1, 6, 2, 5)
    dice = grid_of(faces, columns=4, gap=1.7, turns_deg=turns(5))
    read_right(draw(dice, Camera(900, 700, 80), Look(ground=wood())))


@pytest.mark.parametrize("jpeg", [60, 95])
@pytest.mark.parametrize("noise", [0.0, 6.0])
def test_noise_and_compression_change_no_face(noise: float, jpeg: int) -> None:
    dice = grid_of(ALL_FACES, columns=3, gap=2.1, turns_deg=turns(6))
    read_right(draw(dice, Camera(560, 420, 72), Look(ground=felt(), noise=noise, jpeg=jpeg, shadow=0.6)))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("ground", GROUNDS)
def test_a_ground_without_dice_holds_none(ground: str, seed: int) -> None:
    picture = draw([], Camera(900, 700, 90), Look(ground=GROUNDS[ground], noise=2.0 * seed), seed)
    assert not detect(picture.image).dice


@pytest.mark.parametrize("shape", [(1, 1), (1, 400), (400, 1), (9, 9), (39, 79), (80, 41), (200, 300)])
@pytest.mark.parametrize("grey", [0, 128, 255])
def test_an_empty_picture_of_any_shape_holds_nothing(shape: tuple[int, int], grey: int) -> None:
    found = detect(np.full((*shape, 3), grey, dtype=np.uint8))
    assert not found.dice
    assert not found.doubts


def as_bytes(image: Image) -> list[tuple[int, float, bytes, bytes]]:
    return [
        (die.face, die.log_odds, die.corners_px.tobytes(), die.center_px.tobytes())
        for die in detect(image).dice
    ]


def test_reading_twice_and_with_more_threads_gives_the_same_bytes() -> None:
    image = throw(72, ground=wood()).image
    first = as_bytes(image)
    assert as_bytes(image.copy()) == first
    try:
        cv2.setNumThreads(4)
        assert as_bytes(image) == first
    finally:
        cv2.setNumThreads(1)


def turned(points: FloatArray, quarters: int, shape: tuple[int, ...]) -> FloatArray:
    """Where points (..., 2) of a picture of this shape lie once `numpy.rot90` has turned it."""
    height, width = shape[:2]
    for _ in range(quarters):
        points = np.stack([points[..., 1], width - 1 - points[..., 0]], axis=-1)
        height, width = width, height
    return points


@pytest.mark.parametrize("quarters", [1, 2, 3])
@pytest.mark.parametrize("paint", ["light", "dark"])
def test_a_turned_picture_is_read_the_same(paint: str, quarters: int) -> None:
    picture = throw(90, PAINTS[paint], seed=7)
    image = np.ascontiguousarray(np.rot90(picture.image, quarters))
    dice = tuple(
        DrawnDie(
            die.face,
            *(turned(p, quarters, picture.image.shape) for p in (die.center_px, die.corners_px)),
            die.pips_px,
            die.rims_px,
        )
        for die in picture.dice
    )
    for die, found in read_right(Picture(image, dice)):
        assert off_corners(die, found) < 0.12


@pytest.mark.parametrize("gain", [0.8, 0.9, 1.1, 1.2])
def test_more_or_less_light_changes_no_face(gain: float) -> None:
    picture = throw(90, seed=8)
    image = np.clip(picture.image * gain, 0, 255).astype(np.uint8)
    read_right(Picture(image, picture.dice))
