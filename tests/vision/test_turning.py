"""Finding how a die is turned: where squares are tried, and that the one that fits best is taken."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import vision.turning
from tests.vision.test_measure import CAMERAS, CORNERS, DIE_MM, Die, seen_by, seen_through
from vision.camera import Camera
from vision.domain import FloatArray
from vision.pose_reader import Poses
from vision.turning import PLACE, QUARTER, TURNS, fit_squares, seen_on_dice, squares_about

IMAGE = np.zeros((8, 8, 3), dtype=np.uint8)
NEAR = CAMERAS["near"]
STEP_MM = PLACE * DIE_MM


@settings(deadline=None)
@given(
    st.tuples(st.floats(-130, 130), st.floats(-80, 80)),
    st.floats(0, 2 * np.pi),
    st.tuples(st.floats(-0.5, 0.5), st.floats(-0.5, 0.5)),
)
def test_squares_are_tried_near_every_place_and_turn(
    place: tuple[float, float], turn: float, off: tuple[float, float]
) -> None:
    squares = squares_about(np.array(place), np.arange(TURNS) * QUARTER / TURNS, STEP_MM, DIE_MM)
    cos, sin = np.cos(turn), np.sin(turn)
    true = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]) @ [[cos, sin], [-sin, cos]] * DIE_MM
    true += np.array(place) + np.array(off) * STEP_MM
    apart = np.linalg.norm(squares[:, :, None] - true, axis=3).min(axis=2).max(axis=1)
    assert apart.min() < STEP_MM / 2 * np.sqrt(2) + DIE_MM * QUARTER / TURNS / 2


@pytest.mark.parametrize("name", sorted(CAMERAS))
def test_a_square_is_seen_where_the_top_of_a_flat_die_is(name: str) -> None:
    camera, die = CAMERAS[name], Die(5, 40, -30, 25)
    square = die.place(CORNERS)[None, :, :2]
    seen = seen_on_dice(seen_through(camera), square, DIE_MM)
    assert seen[0] == pytest.approx(camera.project(die.place(CORNERS)), abs=1e-6)


class Reader:
    """A pose reader to which squares fit the better the nearer they lie to one of `true` (N, 4, 2)."""

    def __init__(self, true: Sequence[FloatArray]) -> None:
        self.true = true
        self.read: list[int] = []

    def __call__(self, _: object, __: object, ___: Camera, corners_px: FloatArray, die_mm: float) -> Poses:
        self.read.append(len(corners_px))
        off = [
            min(np.linalg.norm(corners[:, None] - true, axis=2).min(axis=1).max() for true in self.true)
            for corners in corners_px
        ]
        return Poses(*np.zeros((4, len(corners_px))), 6.0 - np.array(off))


def test_a_die_whose_corners_fit_stays_and_another_gets_those_that_fit_best(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    placed, turned = (seen_by(NEAR, die) for die in (Die(5, 60, 40, 10), Die(1, -40, 20, 33)))
    middle = turned.corners_px.mean(axis=0)
    upright = middle + np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * turned.side_px / 2
    reader = Reader([placed.corners_px, turned.corners_px])
    monkeypatch.setattr(vision.turning, "read_poses", reader)
    alone = replace(turned, corners_px=upright, by_pips=False)
    (first, second), poses = fit_squares(IMAGE, None, seen_through(NEAR), [placed, alone], DIE_MM)
    assert first is placed
    apart = np.linalg.norm(second.corners_px[:, None] - turned.corners_px, axis=2).min(axis=1)
    assert apart.max() < 0.1 * turned.side_px
    assert second.center_px == pytest.approx(second.corners_px.mean(axis=0))
    assert second.face == alone.face
    assert poses.fits[1] == pytest.approx(6.0 - apart.max())
    assert reader.read[0] == 2


def test_where_nothing_fits_better_the_corners_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    def poor(_: object, __: object, ___: Camera, corners_px: FloatArray, die_mm: float) -> Poses:
        fits = np.full(len(corners_px), -9.0) if len(corners_px) > 1 else np.full(1, -2.0)
        return Poses(*np.zeros((4, len(corners_px))), fits)

    monkeypatch.setattr(vision.turning, "read_poses", poor)
    die = seen_by(NEAR, Die(3, 0, 0, 15))
    (found,), poses = fit_squares(IMAGE, None, seen_through(NEAR), [die], DIE_MM)
    assert found is die
    assert poses.fits.tolist() == [-2.0]


def test_no_dice_have_no_poses() -> None:
    found, poses = fit_squares(IMAGE, None, seen_through(NEAR), [], DIE_MM)
    assert found == []
    assert len(poses.tilt_deg) == len(poses.fits) == 0
