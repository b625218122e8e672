"""Dice put into space and projected by a pinhole camera written out here are measured back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import vision.camera
from vision.detection import Detection
from vision.domain import FloatArray, FloorPose, TableCalibration
from vision.measure import MOST_OF_A_RISE, DieSize, Measures, Rise, die_size, measure, rises_in_dice
from vision.pose_reader import Poses

DIE_MM = 16.0
HALF_AREA_MM = np.array([150.0, 100.0])
CORNERS = np.array([[-0.5, 0.5], [0.5, 0.5], [0.5, -0.5], [-0.5, -0.5]])  # clockwise seen from above
PITCH = 0.26  # sides from a face's middle line to its corner pips
SPOTS = np.array([[-1, -1], [1, 1], [1, -1], [-1, 1], [0, 0], [0, -1], [0, 1], [-1, 0], [1, 0]])
PIPS = {1: [4], 2: [0, 1], 3: [0, 1, 4], 4: [0, 1, 2, 3], 5: [0, 1, 2, 3, 4], 6: [0, 1, 2, 3, 5, 6]}
BARREL = (-0.21, 0.06, 0.0012, -0.0008, -0.01)


def turn_about(axis: Sequence[float], angle: float) -> FloatArray:
    """Rotation (3, 3) about a unit axis, by Rodrigues' formula."""
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross)


@dataclass(frozen=True, slots=True)
class Camera:
    """A camera `height_mm` above the floor and `back_mm` towards the viewer, `tilt_deg` off the upright."""

    height_mm: float = 520.0
    back_mm: float = 0.0
    tilt_deg: float = 0.0
    distortion: tuple[float, ...] = (0.0,) * 5

    @property
    def matrix(self) -> FloatArray:
        return np.array([[1900.0, 0, 655], [0, 1880, 470], [0, 0, 1]])

    @property
    def rvec(self) -> tuple[float, float, float]:
        return (np.pi - np.radians(self.tilt_deg), 0.0, 0.0)

    @property
    def turn(self) -> FloatArray:
        return turn_about((1, 0, 0), self.rvec[0])

    @property
    def place_mm(self) -> FloatArray:
        return np.array([0.0, -self.back_mm, self.height_mm])

    def project(self, points_mm: FloatArray) -> FloatArray:
        """Pixels (N, 2) of points (N, 3), bent by Brown's model of a lens."""
        seen = (points_mm - self.place_mm) @ self.turn.T
        assert (seen[:, 2] > 0).all()
        x, y = (seen[:, :2] / seen[:, 2:]).T
        k1, k2, p1, p2, k3 = self.distortion
        r2 = x**2 + y**2
        radial = 1 + k1 * r2 + k2 * r2**2 + k3 * r2**3
        bent_x = x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x**2)
        bent_y = y * radial + p1 * (r2 + 2 * y**2) + 2 * p2 * x * y
        return np.stack([bent_x, bent_y, np.ones_like(x)], axis=1) @ self.matrix[:2].T

    def calibration(self) -> TableCalibration:
        sign = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
        floor = np.concatenate([sign * HALF_AREA_MM, np.zeros((4, 1))], axis=1)
        offset = -self.turn @ self.place_mm
        return TableCalibration(
            area_px=self.project(floor),
            image_size=(1310, 940),
            camera_matrix=self.matrix,
            distortion=np.array(self.distortion),
            floor_pose=FloorPose(self.rvec, (float(offset[0]), float(offset[1]), float(offset[2]))),
            die_mm=DIE_MM,
        )


CAMERAS = {
    "straight": Camera(),
    "near": Camera(height_mm=330.0),
    "leaning": Camera(height_mm=480.0, back_mm=140.0, tilt_deg=16.0),
    "bent": Camera(distortion=BARREL),
}
some_camera = pytest.mark.parametrize("camera", CAMERAS.values(), ids=CAMERAS.keys())


@dataclass(frozen=True, slots=True)
class Die:
    """Over `x`, `y` of the floor, its underside's middle `up_mm` high; leaning by `lean_deg` about the level
    axis `toward_deg`."""

    face: int
    x: float = 0.0
    y: float = 0.0
    turn_deg: float = 0.0
    up_mm: float = 0.0
    lean_deg: float = 0.0
    toward_deg: float = 0.0
    pitch: float = PITCH
    colour: tuple[float, float, float] = (200.0, 210, 220)
    pip_px: float = 5.0

    def place(self, uv: FloatArray) -> FloatArray:
        """Points (N, 3) mm of the top face at (N, 2) sides from its middle."""
        toward = np.radians(self.toward_deg)
        turn = turn_about((0, 0, 1), np.radians(self.turn_deg))
        turn = turn_about((np.cos(toward), np.sin(toward), 0), np.radians(self.lean_deg)) @ turn
        local = np.concatenate([uv, np.full((len(uv), 1), 0.5)], axis=1) * DIE_MM
        return np.asarray(local @ turn.T + (self.x, self.y, self.up_mm + DIE_MM / 2))


def seen_by(camera: Camera, die: Die) -> Detection:
    """The die as a reader without any error would find it."""
    spots = np.full((9, 2), np.nan)
    held = PIPS[die.face]
    spots[held] = camera.project(die.place(SPOTS[held] * die.pitch))
    corners = camera.project(die.place(CORNERS))
    return Detection(
        face=die.face,
        log_odds=5.0,
        center_px=corners.mean(axis=0),
        corners_px=corners,
        pips=np.arange(die.face, dtype=np.intp),
        spots_px=spots,
        radius_px=die.pip_px,
        foreshortening=1.0,
        colours=np.array([die.colour, [30.0, 30, 30]]),
    )


SIZE = DieSize(DIE_MM, calibrated=True)
FLAT = Poses(np.full(9, 0.5), np.full(9, -4.0), np.zeros(9), np.full(9, -5.0), np.full(9, 8.0))


def measured(camera: Camera, *dice: Die, poses: Poses | None = FLAT) -> list[Measures]:
    return measure([seen_by(camera, die) for die in dice], camera.calibration(), SIZE, poses)


def only(camera: Camera, die: Die) -> Measures:
    (one,) = measured(camera, die)
    return one


def rises(camera: Camera, *dice: Die) -> list[float | None]:
    """How high each die lies by its pattern of pips, in dice."""
    sight = seen_through(camera)
    seen = rises_in_dice([seen_by(camera, die) for die in dice], sight, DIE_MM)
    return [one.dice if one else None for one in seen]


def seen_through(camera: Camera) -> vision.camera.Camera:
    sight = vision.camera.Camera.of(camera.calibration())
    assert sight is not None
    return sight


places = st.tuples(st.floats(-140, 140), st.floats(-90, 90))
faces = st.integers(1, 6)
angles = st.floats(0, 360)


# --- flat dice


@settings(deadline=None)
@given(faces, places, angles, st.sampled_from(sorted(CAMERAS)))
def test_a_flat_die_is_inside_as_large_as_it_is_and_lies_as_the_pose_reader_says(
    face: int, place: tuple[float, float], turn_deg: float, camera: str
) -> None:
    die = Die(face, *place, turn_deg)
    one = only(CAMERAS[camera], die)
    assert one.inside
    assert (one.tilt_deg, one.lean) == (0.5, -4.0)
    assert (one.height_mm, one.raised) == (0.0, -5.0)
    unsized = replace(CAMERAS[camera].calibration(), die_mm=None)
    size = die_size([seen_by(CAMERAS[camera], die)], seen_through(CAMERAS[camera]), unsized)
    assert size is not None
    assert size.mm == pytest.approx(DIE_MM, rel=0.03)


def test_what_is_leant_against_is_told() -> None:
    near = [one.beside for one in measured(Camera(), Die(5), Die(4, 18), Die(3, 0, 92), Die(2, 70, 0))]
    assert near == ["against a die", "against a die", "against the wall", None]


# --- the area's edge


@settings(deadline=None)
@given(st.floats(-175, 175), st.floats(-125, 125), st.sampled_from(sorted(CAMERAS)))
def test_the_margin_is_the_distance_to_the_edge_in_mm(x: float, y: float, camera: str) -> None:
    """By the floor below the die's middle; its top, nearer to the camera, looks farther out."""
    beyond = np.abs([x, y]) - HALF_AREA_MM
    away = np.hypot(*np.maximum(beyond, 0))
    margin = -away if away > 0 else -beyond.max()
    one = only(CAMERAS[camera], Die(3, x, y, turn_deg=20))
    assert one.margin_mm == pytest.approx(margin, abs=0.5)
    assert abs(margin) < 0.5 or one.inside == (margin > 0)


@settings(deadline=None)
@given(st.floats(-149, 149), st.floats(-99, 99), st.sampled_from(sorted(CAMERAS)))
def test_without_a_camera_no_die_inside_is_surely_outside(x: float, y: float, camera: str) -> None:
    """Its top looks farther out than it stands, and nothing says by how much."""
    outline = TableCalibration(CAMERAS[camera].calibration().area_px)
    [one] = measure([seen_by(CAMERAS[camera], Die(3, x, y, turn_deg=20))], outline)
    assert one.inside or one.edge_open


def test_without_a_camera_a_die_well_outside_is_outside() -> None:
    outline = TableCalibration(Camera().calibration().area_px)
    [one] = measure([seen_by(Camera(), Die(3, HALF_AREA_MM[0] + 2 * DIE_MM, 0.0))], outline)
    assert (one.inside, one.edge_open) == (False, False)


# --- dice on dice


@some_camera
@pytest.mark.parametrize("face", [2, 3, 4, 5, 6])
def test_a_die_on_another_rises_one_die_above_one_of_its_number(camera: Camera, face: int) -> None:
    low, high, other = rises(
        camera,
        Die(face, -60, 30, 10),
        Die(face, 80, -20, 50, up_mm=DIE_MM),
        Die(face % 5 + 2, 30, 50, up_mm=DIE_MM),
    )
    assert low == pytest.approx(0, abs=0.02)
    assert high == pytest.approx(1, abs=0.02)
    assert other is None


def test_two_dice_of_a_number_at_one_height_do_not_rise() -> None:
    for up_mm in (0.0, DIE_MM):
        assert rises(Camera(), *(Die(4, x, 0, up_mm=up_mm) for x in (-50, 50))) == pytest.approx(
            [0, 0], abs=0.01
        )


@pytest.mark.parametrize("other", [{"colour": (40.0, 30, 160)}, {"pip_px": 7.0}], ids=["colour", "pips"])
def test_dice_printed_otherwise_are_no_measure_of_a_rise(other: dict[str, Any]) -> None:
    assert rises(Camera(), Die(4, -40, 0), Die(4, 40, 0, pitch=0.9 * PITCH, **other)) == [None, None]


LOW = [Die(2, -100, 0), Die(4, -50, 40), Die(5, 0, -60)]


def test_a_die_of_a_lone_number_rises_above_most_of_the_throw() -> None:
    seen = rises(Camera(), *LOW, Die(6, 60, 0, up_mm=DIE_MM), Die(1, 100, 50))
    assert seen[:3] == pytest.approx([0, 0, 0], abs=0.02)
    assert seen[3] == pytest.approx(1, abs=0.05)
    assert seen[4] is None


@pytest.mark.parametrize(
    "dice",
    [
        [Die(2, -100), Die(4, 0)],
        [Die(2, -100), Die(4, 0), Die(1, 50), Die(1, 100)],
        [Die(2, -100, pitch=0.22), Die(4, -50, pitch=0.24), Die(5, 0, pitch=0.26), Die(6, 60, pitch=0.28)],
    ],
    ids=["two dice", "two with a pattern", "four patterns"],
)
def test_without_one_pattern_that_most_dice_share_there_is_nothing_to_rise_above(dice: list[Die]) -> None:
    assert rises(Camera(), *dice) == [None] * len(dice)


def test_a_rise_adds_to_what_the_pose_reader_says_of_a_die_below() -> None:
    unsure = Poses(np.zeros(2), np.full(2, -4.0), np.array([0.1, 0.6]), np.zeros(2), np.full(2, 8.0))
    low, high = measured(Camera(), Die(4, -60, 0), Die(4, 60, 0, up_mm=DIE_MM), poses=unsure)
    assert low.raised == -MOST_OF_A_RISE
    assert high.raised == MOST_OF_A_RISE
    assert (low.height_mm, high.height_mm) == pytest.approx((0.1 * DIE_MM, DIE_MM), abs=0.3)


@given(st.floats(-1, 2.5), st.floats(0.1, 1))
def test_a_rise_speaks_for_a_die_below_from_half_a_die_on(dice: float, sd: float) -> None:
    odds = Rise(dice, sd).log_odds
    assert abs(odds) <= MOST_OF_A_RISE
    assert (odds > 0) == (dice > 0.5) or abs(dice - 0.5) < 1e-9


# --- less than a whole calibration


@pytest.mark.parametrize("gone", [{"camera_matrix": None}, {"floor_pose": None}], ids=str)
def test_what_a_calibration_lacks_is_not_made_up_but_inside_is_known(gone: dict[str, Any]) -> None:
    camera = Camera()
    dice = [seen_by(camera, die) for die in (Die(5, 20, 10), Die(5, 200, 0), Die(2, 0, -140))]
    known = measure(dice, replace(camera.calibration(), **gone))
    assert known == [Measures(inside=True), Measures(inside=False), Measures(inside=False)]


def test_where_the_size_is_only_seen_the_pose_reader_does_not_say_how_high_a_die_lies() -> None:
    camera = Camera()
    dice = [seen_by(camera, Die(4, -60, 0))]
    size = die_size(dice, seen_through(camera), replace(camera.calibration(), die_mm=None))
    (one,) = measure(dice, camera.calibration(), size, FLAT)
    assert (one.raised, one.lean) == (0.0, -4.0)


def test_dice_not_read_by_their_pips_do_not_say_how_large_they_are() -> None:
    camera = Camera()
    alone = replace(seen_by(camera, Die(6)), by_pips=False)
    assert die_size([alone], seen_through(camera), replace(camera.calibration(), die_mm=None)) is None


def test_an_outline_alone_may_be_of_any_shape() -> None:
    hook = np.array([[0.0, 0], [900, 0], [900, 300], [300, 300], [300, 900], [0, 900]])
    dice = [seen_by(Camera(), Die(3, x, y)) for x, y in ((-130, 90), (0, 0), (60, 90), (-130, -90))]
    assert [one.inside for one in measure(dice, TableCalibration(hook))] == [True, False, True, True]


def test_no_distortion_is_a_distortion_of_zero() -> None:
    camera = Camera()
    dice = [seen_by(camera, Die(4, 80, 60, 12))]
    bare = replace(camera.calibration(), distortion=None)
    assert measure(dice, bare, SIZE, FLAT) == measure(dice, camera.calibration(), SIZE, FLAT)


def test_no_dice_give_no_measures() -> None:
    assert measured(Camera()) == []
    assert measure([], replace(Camera().calibration(), die_mm=None)) == []


@given(st.permutations(range(4)))
def test_the_order_of_the_dice_changes_no_measure(order: list[int]) -> None:
    dice = [*LOW, Die(5, 60, 0, up_mm=DIE_MM)]
    before, after = measured(Camera(), *dice), measured(Camera(), *(dice[index] for index in order))
    assert after == [before[index] for index in order]
