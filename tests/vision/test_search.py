"""The search trusts the detector with where to look first, and with nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.drawn_dice import LIGHT, Camera, Look, Picture, draw, felt, grid_of
from vision.detect import detect
from vision.detection import Detections
from vision.die_detector import DieBoxes, DieDetector
from vision.domain import FloatArray, Image
from vision.search import quick_look, search

FACES = (1, 2, 3, 4, 5, 6)


@pytest.fixture(scope="module")
def throw() -> Picture:
    dice = grid_of(FACES, columns=3, gap=2.6, turns_deg=[5, 40, 77, 12, 60, 30], paint=LIGHT)
    return draw(dice, Camera(1200, 900, 64), Look(ground=felt()), 3)


def seen(places: FloatArray, side: float = 80.0, confidence: float = 0.9) -> DieDetector:
    boxes = DieBoxes(places, np.full((len(places), 2), side), np.full(len(places), confidence))
    return lambda image: boxes


def centers(found: Detections) -> FloatArray:
    return np.array([die.center_px for die in found.dice])


@pytest.fixture(scope="module")
def whole(throw: Picture) -> Detections:
    return detect(throw.image)


def test_in_windows_the_same_dice_are_found_in_their_places(throw: Picture, whole: Detections) -> None:
    assert quick_look(throw.image, seen(centers(whole))(throw.image), len(FACES)) is not None
    found = search(throw.image, len(FACES), seen(centers(whole)))
    assert sorted(die.face for die in found.dice) == list(FACES)
    for die in found.dice:
        away = np.linalg.norm(centers(whole) - die.center_px, axis=1)
        assert away.min() < 0.5
        twin = whole.dice[int(away.argmin())]
        assert twin.face == die.face
        assert np.abs(die.corners_px - twin.corners_px).max() < 1.0
    assert not found.doubts


@pytest.mark.parametrize("confidence", [0.0, 0.9])
def test_a_blind_detector_loses_nothing(throw: Picture, whole: Detections, confidence: float) -> None:
    off_the_dice = np.array([[20.0, 20.0]])
    found = search(throw.image, None, seen(off_the_dice, confidence=confidence))
    assert sorted(die.face for die in found.dice) == list(FACES)


def test_where_dice_are_missing_the_whole_picture_is_searched(throw: Picture, whole: Detections) -> None:
    found = search(throw.image, len(FACES), seen(centers(whole)[:4]))
    assert sorted(die.face for die in found.dice) == list(FACES)


def test_a_box_without_a_die_is_a_doubt_if_the_detector_is_sure_of_it(
    throw: Picture, whole: Detections
) -> None:
    places = np.concatenate([centers(whole), [[40.0, 860.0]]])
    (doubt,) = search(throw.image, None, seen(places)).doubts
    assert doubt.center_px == (40.0, 860.0)
    assert not search(throw.image, None, seen(places, confidence=0.2)).doubts


def test_what_is_far_smaller_than_the_dice_is_no_doubt(throw: Picture, whole: Detections) -> None:
    places = np.concatenate([centers(whole), [[40.0, 860.0]]])
    sizes = np.full((len(places), 2), 80.0)
    sizes[-1] = 30.0
    boxes = DieBoxes(places, sizes, np.full(len(places), 0.9))
    assert not search(throw.image, None, lambda image: boxes).doubts


def test_without_a_number_to_hold_it_against_the_quick_look_is_not_trusted(
    throw: Picture, whole: Detections
) -> None:
    boxes = seen(centers(whole)[:5])(throw.image)
    assert quick_look(throw.image, boxes, None) is None
    assert quick_look(throw.image, boxes, len(FACES)) is None
    assert quick_look(throw.image, boxes, 5) is not None


def test_a_box_around_the_whole_tray_is_no_doubt(throw: Picture, whole: Detections) -> None:
    tray = DieBoxes(np.array([[30.0, 880.0]]), np.array([[900.0, 900.0]]), np.array([0.9]))
    assert not search(throw.image, None, lambda image: tray).doubts


def test_an_empty_picture_is_empty() -> None:
    blank: Image = np.full((400, 600, 3), 90, dtype=np.uint8)
    assert (
        search(blank, None, seen(np.zeros((0, 2)))) == Detections((), (), ())
        or not search(blank, None, seen(np.zeros((0, 2)))).dice
    )


@pytest.mark.parametrize("side", [60.0, 200.0, 500.0])
def test_boxes_of_other_things_lose_no_dice(throw: Picture, side: float) -> None:
    elsewhere = np.array([[40.0, 40.0], [1150.0, 60.0], [50.0, 850.0]])
    found = search(throw.image, None, seen(elsewhere, side))
    assert sorted(die.face for die in found.dice) == list(FACES)


def test_dice_too_small_for_their_pips_are_found_once_the_detector_sees_them() -> None:
    dice = grid_of(FACES, columns=3, gap=2.6, turns_deg=[5, 40, 77, 12, 60, 30], paint=LIGHT)
    throw = draw(dice, Camera(1200, 900, 26), Look(ground=felt()), 3)
    places = np.array([die.corners_px.mean(axis=0) for die in throw.dice])
    found = search(throw.image, None, seen(places, 40.0))
    assert sorted(die.face for die in found.dice) == list(FACES)
