"""Doubts about what lies on the sides of dice: of a camera written out in the tests of `measure`."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.test_measure import CAMERAS, CORNERS, DIE_MM, Die, seen_by, seen_through
from vision.detection import Doubt
from vision.opencv import cv2
from vision.pose_reader import SURE_FIT, Poses
from vision.side_pips import MOST_LEAN, body_outline, without_side_pips

CAMERA = CAMERAS["near"]
EYE = seen_through(CAMERA)
DIE = Die(5, 90, -60, 25)
SEEN = seen_by(CAMERA, DIE)


def poses(lean: float = -4.0, fits: float = 8.0) -> Poses:
    nothing = np.zeros(1)
    return Poses(nothing, np.array([lean]), nothing, nothing, np.array([fits]))


def on_a_side() -> tuple[float, float]:
    """The middle of the side of the die that the camera sees."""
    corners = DIE.place(CORNERS)
    middles = [(corners[i] + corners[i - 1]) / 2 - (0, 0, DIE_MM / 2) for i in range(4)]
    nearest = min(middles, key=lambda each: float(np.linalg.norm(each[:2])))
    x, y = CAMERA.project(nearest[None])[0]
    return float(x), float(y)


def left(doubt: Doubt, lies: Poses) -> list[Doubt]:
    return list(without_side_pips([doubt], [SEEN], lies, EYE, DIE_MM))


@settings(deadline=None)
@given(
    st.tuples(st.floats(-0.5, 0.5), st.floats(-0.5, 0.5), st.floats(-1, 0)), st.sampled_from(sorted(CAMERAS))
)
def test_all_of_a_flat_die_is_seen_within_its_outline(place: tuple[float, float, float], name: str) -> None:
    camera = CAMERAS[name]
    inside = DIE.place(np.array([place[:2]]))[0] + (0, 0, place[2] * DIE_MM)
    outline = body_outline(seen_through(camera), camera.project(DIE.place(CORNERS)), DIE_MM)
    x, y = camera.project(inside[None])[0]
    assert cv2.pointPolygonTest(outline, (float(x), float(y)), measureDist=True) > -0.5


def test_pips_on_the_side_of_a_flat_die_are_no_die() -> None:
    assert left(Doubt(on_a_side(), "pips", 0.1 * SEEN.side_px), poses()) == []


@pytest.mark.parametrize(
    ("doubt", "lies"),
    [
        (Doubt((20.0, 20.0), "pips"), poses()),
        (Doubt(on_a_side(), "a body that holds pips", 0.6 * SEEN.side_px), poses()),
        (Doubt(on_a_side(), "pips"), poses(lean=MOST_LEAN + 1)),
        (Doubt(on_a_side(), "pips"), poses(fits=SURE_FIT - 1)),
    ],
    ids=["elsewhere", "as large as a die", "of one that may lean", "of one whose place is not sure"],
)
def test_other_doubts_stay(doubt: Doubt, lies: Poses) -> None:
    assert left(doubt, lies) == [doubt]
