"""The square a face is printed on is found around its pips; foreign pips in it are counted."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.drawn_dice import CLEAN, DARK, LIGHT, Camera, Die, DrawnDie, Look, Paint, draw, felt
from vision.bodies import Bodies, find_bodies, plainness
from vision.domain import FloatArray, Image
from vision.faces import Faces, find_faces, single_pips
from vision.pip_search import find_pips
from vision.pips import Pips
from vision.proposals import count_strangers
from vision.spots import build_pyramid

INNERMOST, OUTERMOST = 0.86, 1.04  # shares of the half side: the edge's bevel begins at 0.88
ONE_TURN_DEG = 10.0  # ones are tried at turns 7.5 degrees apart


def face_of(image: Image, die: DrawnDie) -> tuple[Pips, Faces]:
    """The pips of a picture and the drawn die's own face among them."""
    pips, _ = find_pips(build_pyramid(image))
    faces = Faces.join(find_faces(pips)[0], single_pips(pips))
    away = np.linalg.norm(faces.center_px - die.center_px, axis=1) < 0.05 * die.side_px
    own = faces.pick(away & (faces.face == die.face))
    assert len(own), f"the {die.face} is not among the faces"
    return pips, own.pick(np.array([0]))


def turn_deg(half: FloatArray) -> float:
    """The turn of a square given by its two half sides, in [0, 90)."""
    return float(np.degrees(np.arctan2(half[0, 1], half[0, 0])) % 90)


@pytest.mark.parametrize("paint", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("angle", [4, 33, 61])
@pytest.mark.parametrize("face", range(1, 7))
def test_size_and_turn_of_the_square_are_found(face: int, angle: float, paint: Paint) -> None:
    picture = draw([Die(face, turn_deg=angle, paint=paint)], Camera(260, 240, 90), CLEAN)
    pips, faces = face_of(picture.image, picture.dice[0])
    body = find_bodies(build_pyramid(picture.image), pips, faces)
    half = np.linalg.norm(body.half[0], axis=1)
    assert (half > 45 * INNERMOST).all()
    assert (half < 45 * OUTERMOST).all()
    off = (turn_deg(body.half[0]) - angle + 45) % 90 - 45
    assert abs(off) < (ONE_TURN_DEG if face == 1 else 3.0)
    assert body.sides.min() > 0.8
    assert body.calm[0] > 0.9


def test_a_square_without_an_edge_on_one_side_says_so() -> None:
    """A die side to side with a ground of its own colour."""
    picture = draw([Die(5)], Camera(260, 240, 90), CLEAN)
    image = picture.image.copy()
    image[:, 160:] = image[100, 160]
    image[60:180, 160:] = LIGHT.body
    pips, faces = face_of(image, picture.dice[0])
    whole = find_bodies(build_pyramid(picture.image), pips, faces)
    open_side = find_bodies(build_pyramid(image), pips, faces)
    assert open_side.sides.min() < whole.sides.min() - 0.3
    assert np.sort(open_side.sides[0])[1:] == pytest.approx(1.0, abs=0.25)


def test_between_the_pips_a_face_is_plain_and_a_speckled_ground_is_not() -> None:
    picture = draw([Die(4)], Camera(260, 240, 90), CLEAN)
    pips, faces = face_of(picture.image, picture.dice[0])
    pyramid = build_pyramid(picture.image)
    assert plainness(pyramid, pips, faces)[0] == pytest.approx(1.0)
    ground = draw([], Camera(260, 240, 90), Look(ground=felt(depth=60)), 1).image
    assert plainness(build_pyramid(ground), pips, faces)[0] < 0.7


def square(center: FloatArray, half: float) -> Bodies:
    return Bodies(
        **{
            "half": half * np.eye(2)[None].repeat(len(center), axis=0),
            "sides": np.ones((len(center), 4)),
            "calm": np.ones(len(center)),
            "relief": np.ones(len(center)),
        }
    )


def test_strangers_are_the_pips_that_a_layout_leaves_over() -> None:
    """Taken for a one, the middle pip of a five has four pips too many; taken for a five, none."""
    picture = draw([Die(5)], Camera(260, 240, 90), CLEAN)
    pips, five = face_of(picture.image, picture.dice[0])
    middle = int(np.argmin(np.linalg.norm(pips.center_px - picture.dice[0].center_px, axis=1)))
    one = single_pips(pips).pick(np.array([middle]))
    assert count_strangers(pips, five, square(five.center_px, 45))[0] == 0
    assert count_strangers(pips, one, square(one.center_px, 45))[0] == 4
    assert count_strangers(pips, one, square(one.center_px, 15))[0] == 0
