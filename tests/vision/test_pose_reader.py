"""The view from which a die's lie is read: of a camera written out in the tests of `measure`."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.test_measure import CAMERAS, CORNERS, DIE_MM, Die, seen_through
from vision.opencv import cv2
from vision.pose_reader import (
    UNKNOWN,
    VIEW_DICE,
    VIEW_SIDE,
    cut_view,
    flat_masks,
    network_input,
    tilts_deg,
    told_slope,
    view_of,
)

places = st.tuples(st.floats(-130, 130), st.floats(-80, 80))


@settings(deadline=None)
@given(places, st.floats(0, 360), st.sampled_from(sorted(CAMERAS)))
def test_a_flat_die_stands_upright_in_the_middle_of_its_view(
    place: tuple[float, float], turn_deg: float, name: str
) -> None:
    """Points half way up the die lie in the view's own plane; half a die above, perspective shifts them."""
    camera, die = CAMERAS[name], Die(5, *place, turn_deg)
    view = view_of(seen_through(camera), camera.project(die.place(CORNERS)), DIE_MM)
    belt = die.place(CORNERS) - (0, 0, DIE_MM / 2)
    seen = cv2.perspectiveTransform(camera.project(belt).reshape(-1, 1, 2), np.linalg.inv(view.to_picture))
    unit = VIEW_SIDE / VIEW_DICE
    upright = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]) * unit + (VIEW_SIDE - 1) / 2
    apart = np.linalg.norm(seen.reshape(-1, 1, 2) - upright, axis=2)
    assert sorted(apart.argmin(axis=1)) == [0, 1, 2, 3]
    assert apart.min(axis=1).max() < 0.6
    assert view.oblique[0] >= view.oblique[1] >= 0


@settings(deadline=None)
@given(places, st.floats(0, 360), st.sampled_from(sorted(CAMERAS)))
def test_oblique_is_where_the_top_is_seen_to_move_when_it_is_raised(
    place: tuple[float, float], turn_deg: float, name: str
) -> None:
    camera, die = CAMERAS[name], Die(5, *place, turn_deg)
    view = view_of(seen_through(camera), camera.project(die.place(CORNERS)), DIE_MM)
    both = np.array([die.place(np.zeros((1, 2)))[0] - (0, 0, DIE_MM / 2), die.place(np.zeros((1, 2)))[0]])
    seen = cv2.perspectiveTransform(camera.project(both).reshape(-1, 1, 2), np.linalg.inv(view.to_picture))
    moved = (seen[1, 0] - seen[0, 0]) / (VIEW_SIDE / VIEW_DICE) / 0.5
    assert moved == pytest.approx(view.oblique, abs=0.06)


def test_a_view_beyond_the_picture_goes_on_with_its_edge() -> None:
    camera = CAMERAS["straight"]
    image = np.full((940, 1310, 3), 77, dtype=np.uint8)
    view = view_of(seen_through(camera), camera.project(Die(5, 175, 130).place(CORNERS)), DIE_MM)
    assert (cut_view(image, view) == 77).all()


def test_top_and_body_of_a_flat_die_are_where_the_masks_say() -> None:
    camera, die = CAMERAS["near"], Die(5, 90, -60, 25)
    view = view_of(seen_through(camera), camera.project(die.place(CORNERS)), DIE_MM)
    top, body = np.moveaxis(flat_masks(view.oblique).astype(bool), 2, 0)
    rng = np.random.default_rng(1)
    for mask, lowest in ((top, 0.499), (body, -0.499)):
        inside = np.column_stack([rng.uniform(-0.46, 0.46, (400, 2)), rng.uniform(lowest, 0.499, 400)])
        points = (die.place(inside[:, :2]) - (0, 0, DIE_MM / 2)) + np.outer(inside[:, 2], (0, 0, DIE_MM))
        seen = cv2.perspectiveTransform(
            camera.project(points).reshape(-1, 1, 2), np.linalg.inv(view.to_picture)
        )
        x, y = np.rint(seen.reshape(-1, 2)).astype(int).T
        assert mask[y, x].mean() > 0.99
    assert (top & ~body).sum() == 0
    assert top.sum() == pytest.approx((VIEW_SIDE / VIEW_DICE) ** 2, rel=0.06)


def test_the_network_is_told_brightness_change_and_where_a_flat_die_would_be() -> None:
    views = np.random.default_rng(2).integers(0, 256, (2, VIEW_SIDE, VIEW_SIDE, 3), dtype=np.uint8)
    oblique = np.array([[0.2, 0.1], [0.4, 0.3]])
    alone, with_empty = network_input(views, None, oblique), network_input(views, views, oblique)
    assert alone.shape == (2, 4, VIEW_SIDE, VIEW_SIDE)
    assert (alone[:, 1] == np.float32(UNKNOWN)).all()
    assert (with_empty[:, 1] == 0).all()
    assert (alone[1, 2:] == np.moveaxis(flat_masks(oblique[1]), 2, 0)).all()


@settings(deadline=None, max_examples=20)
@given(st.floats(0.2, 0.8), st.floats(0, 10))
def test_light_that_changes_changes_nothing_for_the_network(gain: float, more: float) -> None:
    view = np.random.default_rng(3).uniform(10, 100, (1, VIEW_SIDE, VIEW_SIDE, 3))
    before, after = (network_input(each, None, np.zeros((1, 2))) for each in (view, view * gain * 3 + more))
    assert after == pytest.approx(before, abs=1e-3)


@given(st.floats(0, 89))
def test_a_tilt_comes_back_from_what_the_network_tells(tilt_deg: float) -> None:
    slope = np.sin(np.radians(tilt_deg)) * np.array([[0.6, -0.8]])
    assert tilts_deg(told_slope(slope)) == pytest.approx([tilt_deg], abs=0.01)
