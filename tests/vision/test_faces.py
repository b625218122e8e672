"""Layouts are found in whatever way a face lies, and only the right ones."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.drawn_dice import ROWS
from vision.domain import FloatArray
from vision.faces import LAYOUT_BITS, SPOTS, Faces, find_faces, shear_of, single_pips
from vision.pips import Pips

MILD = 1.3  # foreshortening of 40 degrees


def pips_at(centers: FloatArray, axes: FloatArray) -> Pips:
    """Pips of one colour; `axes` (2, 2) rows are the half axes of each, longer first."""
    count = len(centers)
    length = np.linalg.norm(axes, axis=1)
    return Pips(
        center_px=centers,
        radius_px=np.full(count, np.sqrt(length.prod())),
        axes_px=np.repeat(axes[None], count, axis=0),
        aspect=np.full(count, length[0] / length[1]),
        pip_bgr=np.full((count, 3), 20.0),
        face_bgr=np.full((count, 3), 220.0),
        contrast=np.full(count, 346.0),
        roughness=np.full(count, 0.02),
        ground=np.full(count, 0.02),
    )


def rotation(angle: float) -> FloatArray:
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


@st.composite
def views(draw: st.DrawFn) -> tuple[FloatArray, FloatArray]:
    """A similarity with mild foreshortening (2, 2) of determinant scale squared, and a shift."""
    angle, toward = draw(st.floats(0, 2 * np.pi)), draw(st.floats(0, np.pi))
    stretch = np.sqrt(draw(st.floats(1.0, MILD)))
    slant = rotation(toward) @ np.diag([stretch, 1 / stretch]) @ rotation(-toward)
    scale = draw(st.floats(10, 200))
    return scale * slant @ rotation(angle), np.array(
        draw(st.tuples(st.floats(-50, 900), st.floats(-50, 900)))
    )


def face_seen(
    face: int, view: tuple[FloatArray, FloatArray], pip_radius: float = 0.4, narrow: float = 1.0
) -> Pips:
    """The pips of a face whose corner pips lie at (+-1, +-1) of its own frame."""
    affine, shift = view
    left, values, _ = np.linalg.svd(affine * pip_radius)
    grid = np.array(ROWS[face], dtype=float) * (narrow, 1.0)
    return pips_at(grid @ affine.T + shift, (left * values).T)


def whole(faces: Faces, count: int) -> Faces:
    """Those that use all the pips."""
    return faces.pick((faces.pips >= 0).sum(axis=1) == count)


@settings(max_examples=60, deadline=None)
@given(face=st.integers(2, 6), view=views())
def test_a_layout_is_found_however_it_lies(face: int, view: tuple[FloatArray, FloatArray]) -> None:
    pips = face_seen(face, view)
    found = whole(find_faces(pips)[0], face)
    assert set(found.face.tolist()) == {face}
    best = found.pick(found.residual == found.residual.min())
    assert best.residual[0] < 1e-6
    assert np.linalg.norm(best.center_px[0] - view[1]) < 1e-6 * np.linalg.norm(view[0])
    assert set(best.pips[0][best.pips[0] >= 0].tolist()) == set(range(face))


@settings(max_examples=40, deadline=None)
@given(view=views(), narrow=st.floats(0.58, 1.0))
def test_a_six_may_be_printed_on_a_rectangle(view: tuple[FloatArray, FloatArray], narrow: float) -> None:
    found = whole(find_faces(face_seen(6, view, pip_radius=0.3, narrow=narrow))[0], 6)
    assert set(found.face.tolist()) == {6}
    assert found.residual.min() < 1e-6
    assert np.linalg.norm(found.center_px - view[1], axis=1).min() < 1e-6 * np.linalg.norm(view[0])


@settings(max_examples=40, deadline=None)
@given(face=st.integers(3, 6), view=views(), seed=st.integers(0, 10**6))
def test_a_layout_is_found_though_its_pips_lie_a_little_off(
    face: int, view: tuple[FloatArray, FloatArray], seed: int
) -> None:
    exact = face_seen(face, view)
    off = np.random.default_rng(seed).uniform(-1, 1, size=exact.center_px.shape)
    pips = pips_at(exact.center_px + 0.15 * exact.radius_px[0] * off, exact.axes_px[0])
    assert set(whole(find_faces(pips)[0], face).face.tolist()) == {face}


@settings(max_examples=30, deadline=None)
@given(view=views(), lost=st.integers(0, 3))
def test_three_pips_in_an_angle_are_no_three(view: tuple[FloatArray, FloatArray], lost: int) -> None:
    four = face_seen(4, view)
    assert not len(whole(find_faces(four.pick(np.delete(np.arange(4), lost)))[0], 3))


@settings(max_examples=30, deadline=None)
@given(view=views(), face=st.sampled_from([4, 5, 6]), lost=st.integers(0, 5))
def test_the_place_of_a_lost_pip_is_told(view: tuple[FloatArray, FloatArray], face: int, lost: int) -> None:
    pips = face_seen(face, view)
    lost %= face
    _, empty = find_faces(pips.pick(np.delete(np.arange(face), lost)))
    away = np.linalg.norm(empty.center_px - pips.center_px[lost], axis=1)
    assert away.min() < 0.5 * pips.radius_px[0]
    assert (empty.pip < face - 1).all()


def test_pips_of_another_size_or_colour_make_no_face() -> None:
    pips = face_seen(2, (40 * np.eye(2), np.array([100.0, 100.0])))
    assert len(find_faces(pips)[0])
    for name, value in (("radius_px", 2.0), ("face_bgr", 0.0), ("pip_bgr", 6.0)):
        other = pips.pick(np.arange(2))
        getattr(other, name)[1] *= value
        assert not len(find_faces(other)[0]), name


@pytest.mark.parametrize("count", [0, 1])
def test_too_few_pips_make_no_face(count: int) -> None:
    pips = face_seen(2, (40 * np.eye(2), np.zeros(2))).pick(np.arange(count))
    faces, empty = find_faces(pips)
    assert len(faces) == 0
    assert len(empty.pip) == 0


def test_every_pip_may_be_a_one() -> None:
    pips = face_seen(5, (40 * np.eye(2), np.zeros(2)))
    ones = single_pips(pips)
    assert ones.face.tolist() == [1] * 5
    assert np.array_equal(ones.center_px, pips.center_px)
    assert ones.pips.shape == (5, len(SPOTS))
    assert ((ones.pips >= 0).sum(axis=1) == 1).all()


def test_the_layout_table_is_the_printed_layouts_seen_along_each_diagonal() -> None:
    """Each pair of opposite corner pips of each printed face, brought to the diagonal's own units."""
    expected: dict[int, int] = {}
    for face in range(2, 7):
        grid = np.array(ROWS[face], dtype=float)
        corners = [spot for spot in grid if abs(spot[0]) == 1 and abs(spot[1]) == 1]
        for start, end in itertools.permutations(corners, 2):
            if not np.array_equal(start, -end):
                continue
            diagonal = end - start
            frame = np.stack([diagonal, [-diagonal[1], diagonal[0]]]) / 8
            away = np.linalg.norm((grid @ frame.T)[:, None] - SPOTS[None], axis=2)
            assert away.min(axis=1).max() < 1e-9, "every pip lies on a spot"
            expected[sum(1 << int(spot) for spot in away.argmin(axis=1))] = face
    assert expected == LAYOUT_BITS


@settings(max_examples=60, deadline=None)
@given(
    aspect=st.floats(1.0, 3.0), angle=st.floats(0, np.pi), radius=st.floats(1, 90), count=st.integers(1, 4)
)
def test_the_shear_takes_a_circle_to_the_ellipse(
    aspect: float, angle: float, radius: float, count: int
) -> None:
    axes = radius * (rotation(angle) @ np.diag([np.sqrt(aspect), 1 / np.sqrt(aspect)])).T
    shear = shear_of(np.repeat(axes[None, None], count, axis=1))[0]
    assert np.linalg.det(shear) == pytest.approx(1.0)
    assert shear == pytest.approx(shear.T)
    assert np.linalg.cond(shear) == pytest.approx(aspect)
    ellipse = np.linalg.inv(axes.T @ axes / radius**2)  # points p with p' ellipse p = 1 lie on it
    rim = shear @ np.stack([np.cos(np.arange(12)), np.sin(np.arange(12))])
    assert np.einsum("ik,ij,jk->k", rim, ellipse, rim) == pytest.approx(np.ones(12))
