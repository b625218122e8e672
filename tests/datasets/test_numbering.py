"""A die's numbers and pips are where dice have them, whichever way it is numbered."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from datasets.dice_mesh import FACE_PX, die_mesh, face_picture
from datasets.numbering import (
    FACES,
    axes_of,
    axis_of,
    face_corners,
    face_frame,
    pip_places,
    top_face,
    turn_to_show,
)
from datasets.rig import Numbering
from tests.datasets.tables import chosen, turned

NUMBERINGS = [
    Numbering(clockwise, turned)
    for clockwise in (False, True)
    for turned in (frozenset(), frozenset({2, 3, 6}))
]


@pytest.mark.parametrize("numbering", NUMBERINGS)
def test_opposite_faces_sum_to_seven_and_one_two_three_run_as_said(numbering: Numbering) -> None:
    axes = axes_of(numbering)
    for face in FACES:
        assert np.array_equal(axes[face - 1], -axes[6 - face])
    assert np.linalg.det(axes[:3]) == pytest.approx(-1 if numbering.clockwise else 1)


@pytest.mark.parametrize("numbering", NUMBERINGS)
@pytest.mark.parametrize("face", FACES)
def test_a_face_has_its_pips_on_it_and_half_turns_leave_them(face: int, numbering: Numbering) -> None:
    look = replace(chosen(1).dice[0], numbering=numbering)
    places, axis = pip_places(look, face), axis_of(numbering, face)
    assert len({tuple(place) for place in places}) == face
    assert places @ axis == pytest.approx(np.full(face, 0.5))
    across = {tuple(np.round(place, 6) + 0.0) for place in places - axis / 2}
    assert across == {tuple(-np.array(place) + 0.0) for place in across}


@pytest.mark.parametrize("face", [2, 3, 6])
def test_turned_faces_show_their_pips_the_other_way(face: int) -> None:
    look = chosen(1).dice[0]
    one, other = (
        pip_places(replace(look, numbering=Numbering(False, turned)), face)
        for turned in (frozenset(), frozenset({face}))
    )
    assert {tuple(place) for place in np.round(one, 6)} != {tuple(place) for place in np.round(other, 6)}


@pytest.mark.parametrize("face", FACES)
def test_the_top_face_is_the_one_that_looks_up_and_its_tilt_is_the_turn(face: int) -> None:
    numbering = Numbering(True, frozenset())
    axis = axis_of(numbering, face)
    across, along = face_frame(axis)
    flat = np.array([across, along, axis])
    assert top_face(flat, numbering) == (face, pytest.approx(0))
    assert top_face(turned((1, 2, 0), 25) @ flat, numbering) == (face, pytest.approx(25))


@pytest.mark.parametrize("face", FACES)
def test_corners_run_clockwise_seen_from_outside(face: int) -> None:
    axis = axis_of(Numbering(False, frozenset()), face)
    corners = face_corners(axis)
    assert corners @ axis == pytest.approx(np.full(4, 0.5))
    sides = np.roll(corners, -1, axis=0) - corners
    assert np.cross(sides[0], sides[1]) @ axis < 0


@pytest.mark.parametrize("seed", range(4))
def test_the_mesh_looks_outward_and_stays_within_the_sharp_cube(seed: int) -> None:
    look = chosen(seed).dice[0]
    mesh = die_mesh(look)
    assert np.abs(mesh.vertices).max() <= look.edge_mm / 2 + 1e-9
    corners = mesh.vertices[mesh.triangles]
    outward = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    assert ((outward * corners.mean(axis=1)).sum(axis=1) > -1e-9).all()
    assert np.linalg.norm(mesh.normals, axis=1) == pytest.approx(np.ones(len(mesh.normals)))


@pytest.mark.parametrize("face", FACES)
def test_the_painted_face_has_ink_where_its_pips_are(face: int) -> None:
    look = replace(
        chosen(1).dice[0], colour=(1, 1, 1), pip_colours=((0, 0, 0),) * 6, pattern="plain", wear=0.0
    )
    axis = axis_of(look.numbering, face)
    picture = face_picture(look, face)
    for place in pip_places(look, face):
        column, row = ((place @ direction + 0.5) * FACE_PX for direction in face_frame(axis))
        assert picture[int(row), int(column)].max() < 30
    pips = sum(np.pi * (look.pip_radii[face - 1] * FACE_PX) ** 2 for _ in range(face))
    assert (picture[..., 0] < 128).sum() == pytest.approx(pips, rel=0.1)


@pytest.mark.parametrize("numbering", NUMBERINGS)
def test_a_die_turned_in_its_own_frame_shows_the_face_asked_for(numbering: Numbering) -> None:
    for face in FACES:
        for instead_of in FACES:
            own = turn_to_show(numbering, face, instead_of)
            assert np.array_equal(own @ axis_of(numbering, face), axis_of(numbering, instead_of))
            assert np.linalg.det(own) == pytest.approx(1)
            assert np.array_equal(np.abs(own).sum(axis=0), np.ones(3))  # a cube comes to lie on itself
