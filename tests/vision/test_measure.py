"""Dice put into space and projected by a pinhole camera written out here are measured back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.detection import Detection
from vision.domain import FloatArray, FloorPose, TableCalibration
from vision.measure import Measures, measure

DIE_MM = 16.0
HALF_AREA_MM = np.array([150.0, 100.0])
CORNERS = np.array([[-0.5, 0.5], [0.5, 0.5], [0.5, -0.5], [-0.5, -0.5]])  # clockwise seen from above
PITCH = 0.26  # sides from a face's middle line to its corner pips
SPOTS = np.array([[-1, -1], [1, 1], [1, -1], [-1, 1], [0, 0], [0, -1], [0, 1], [-1, 0], [1, 0]])
PIPS = {1: [4], 2: [0, 1], 3: [0, 1, 4], 4: [0, 1, 2, 3], 5: [0, 1, 2, 3, 4], 6: [0, 1, 2, 3, 5, 6]}
SQUARE_DIAGONAL_MM = 2 * np.sqrt(2) * PITCH * DIE_MM
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


def measured(camera: Camera, *dice: Die) -> list[Measures]:
    return measure([seen_by(camera, die) for die in dice], camera.calibration())


def only(camera: Camera, die: Die) -> Measures:
    (one,) = measured(camera, die)
    return one


def test_of_a_die_read_without_its_pips_only_the_place_is_measured() -> None:
    camera = Camera()
    by_pips, alone = seen_by(camera, Die(5)), replace(seen_by(camera, Die(6, x=40.0)), by_pips=False)
    known, placed = measure([by_pips, alone], camera.calibration())
    assert (known.how_it_lies, placed.how_it_lies) == (True, False)
    assert (placed.inside, placed.tilt_deg, placed.height_mm) == (True, None, None)
    assert placed.margin_mm is not None
    area_only = replace(camera.calibration(), camera_matrix=None, floor_pose=None)
    assert measure([alone], area_only) == [Measures(inside=True)]


places = st.tuples(st.floats(-140, 140), st.floats(-90, 90))
faces = st.integers(1, 6)
angles = st.floats(0, 360)


# --- flat dice


@settings(deadline=None)
@given(faces, places, angles, st.sampled_from(sorted(CAMERAS)))
def test_a_flat_die_neither_leans_nor_rises_at_any_place_in_view(
    face: int, place: tuple[float, float], turn_deg: float, camera: str
) -> None:
    one = only(CAMERAS[camera], Die(face, *place, turn_deg))
    assert one.tilt_deg == pytest.approx(0, abs=1.5)
    assert one.height_mm == pytest.approx(0, abs=0.2)
    assert one.inside


@settings(deadline=None)
@given(faces.filter(lambda face: face > 1), places, angles, st.sampled_from(sorted(CAMERAS)))
def test_the_pattern_of_a_flat_die_is_that_which_is_printed(
    face: int, place: tuple[float, float], turn_deg: float, camera: str
) -> None:
    one = only(CAMERAS[camera], Die(face, *place, turn_deg))
    assert one.pattern_mm == pytest.approx(SQUARE_DIAGONAL_MM, rel=0.005)


def test_a_one_has_no_pattern() -> None:
    one = only(Camera(), Die(1))
    assert (one.pattern_mm, one.rise_mm, one.set_rise_mm) == (None, None, None)


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


# --- leaning dice


@pytest.mark.parametrize("lean_deg", [15, 25, 35, 45, 60])
@pytest.mark.parametrize("face", [4, 5])
def test_a_leaning_four_or_five_below_the_camera_is_measured(face: int, lean_deg: float) -> None:
    for camera in (CAMERAS["straight"], CAMERAS["near"], CAMERAS["bent"]):
        for turn_deg, toward_deg in ((0, 0), (20, 70), (45, 0), (77, 200)):
            die = Die(face, 3.0, -2.0, turn_deg, up_mm=4.0, lean_deg=lean_deg, toward_deg=toward_deg)
            assert only(camera, die).tilt_deg == pytest.approx(lean_deg, abs=2)


@pytest.mark.parametrize("toward_deg", range(0, 360, 45))
@pytest.mark.parametrize("x", [60.0, 130.0])
def test_aside_of_the_camera_a_lean_is_known_only_to_the_angle_it_is_seen_under(
    x: float, toward_deg: float
) -> None:
    """A face that leans towards the camera looks less slanted than it is, one that leans away more."""
    camera = Camera()
    die = Die(5, x, 0.0, 30, up_mm=4.0, lean_deg=35, toward_deg=toward_deg)
    seen_under_deg = np.degrees(np.arctan2(x, camera.height_mm - DIE_MM))
    assert only(camera, die).tilt_deg == pytest.approx(35, abs=1.5 * seen_under_deg)


@pytest.mark.parametrize("face", [1, 2, 3, 6])
def test_the_corners_of_the_other_faces_tell_a_strong_lean_but_never_more_than_there_is(face: int) -> None:
    for lean_deg in (10, 20, 40, 60):
        tilt = only(Camera(), Die(face, turn_deg=15, up_mm=4.0, lean_deg=lean_deg)).tilt_deg
        assert tilt is not None
        assert tilt < lean_deg + 2
        assert tilt > (lean_deg - 10 if lean_deg >= 40 else -1)


# --- dice on dice


@some_camera
@pytest.mark.parametrize("up_mm", [-2.0, 0.0, 5.0, 16.0, 32.0])
def test_the_height_of_the_underside_is_measured(camera: Camera, up_mm: float) -> None:
    for face, place in ((1, (0, 0)), (3, (70, -40)), (6, (-120, 80))):
        one = only(camera, Die(face, *place, turn_deg=33, up_mm=up_mm))
        assert one.height_mm == pytest.approx(up_mm, abs=1)


@some_camera
@pytest.mark.parametrize("face", [2, 3, 4, 5, 6])
def test_a_die_on_another_rises_one_die_above_one_of_its_number(camera: Camera, face: int) -> None:
    low, high, other = measured(
        camera,
        Die(face, -60, 30, 10),
        Die(face, 80, -20, 50, up_mm=DIE_MM),
        Die(face % 5 + 2, 30, 50, up_mm=DIE_MM),
    )
    assert low.rise_mm == pytest.approx(0, abs=0.3)
    assert high.rise_mm == pytest.approx(DIE_MM, abs=0.3)
    assert other.rise_mm is None


def test_two_dice_of_a_number_at_one_height_do_not_rise() -> None:
    for up_mm in (0.0, DIE_MM):
        dice = [Die(4, x, 0, up_mm=up_mm) for x in (-50, 50)]
        assert [one.rise_mm for one in measured(Camera(), *dice)] == pytest.approx([0, 0], abs=0.1)


@pytest.mark.parametrize("other", [{"colour": (40.0, 30, 160)}, {"pip_px": 7.0}], ids=["colour", "pips"])
def test_dice_printed_otherwise_are_no_measure_of_a_rise(other: dict[str, Any]) -> None:
    dice = Die(4, -40, 0), Die(4, 40, 0, pitch=0.9 * PITCH, **other)
    assert [one.rise_mm for one in measured(Camera(), *dice)] == [None, None]


# --- a rise over most of the throw


def set_rises(*dice: Die) -> list[float | None]:
    return [one.set_rise_mm for one in measured(Camera(), *dice)]


LOW = [Die(2, -100, 0), Die(4, -50, 40), Die(5, 0, -60)]


def test_a_die_of_a_lone_number_rises_above_most_of_the_throw() -> None:
    rises = set_rises(*LOW, Die(6, 60, 0, up_mm=DIE_MM), Die(1, 100, 50))
    assert rises[:3] == pytest.approx([0, 0, 0], abs=0.3)
    assert rises[3] == pytest.approx(DIE_MM, abs=0.7)
    assert rises[4] is None


@pytest.mark.parametrize(
    "dice",
    [
        [Die(2, -100), Die(4, 0)],
        [Die(5, x) for x in (-100, 0, 100)],
        [Die(2, -100), Die(4, 0), Die(1, 50), Die(1, 100)],
        [Die(2, -100, pitch=0.22), Die(4, -50, pitch=0.24), Die(5, 0, pitch=0.26), Die(6, 60, pitch=0.28)],
        [*LOW, *(replace(die, pitch=0.22, y=80) for die in LOW)],
    ],
    ids=["two dice", "one number", "two with a pattern", "four patterns", "two patterns in equal parts"],
)
def test_without_one_pattern_that_most_dice_share_there_is_nothing_to_rise_above(dice: list[Die]) -> None:
    assert set_rises(*dice) == [None] * len(dice)


# --- less than a whole calibration


@pytest.mark.parametrize("gone", [{"camera_matrix": None}, {"floor_pose": None}, {"die_mm": None}], ids=str)
def test_what_a_calibration_lacks_is_not_made_up_but_inside_is_known(gone: dict[str, Any]) -> None:
    camera = Camera()
    dice = [seen_by(camera, die) for die in (Die(5, 20, 10), Die(5, 200, 0), Die(2, 0, -140))]
    known = measure(dice, replace(camera.calibration(), **gone))
    assert known == [Measures(inside=True), Measures(inside=False), Measures(inside=False)]


def test_an_outline_alone_may_be_of_any_shape() -> None:
    hook = np.array([[0.0, 0], [900, 0], [900, 300], [300, 300], [300, 900], [0, 900]])
    dice = [seen_by(Camera(), Die(3, x, y)) for x, y in ((-130, 90), (0, 0), (60, 90), (-130, -90))]
    assert [one.inside for one in measure(dice, TableCalibration(hook))] == [True, False, True, True]


def test_no_distortion_is_a_distortion_of_zero() -> None:
    camera = Camera()
    dice = [seen_by(camera, Die(4, 80, 60, 12))]
    assert measure(dice, replace(camera.calibration(), distortion=None)) == measure(
        dice, camera.calibration()
    )


@pytest.mark.parametrize("whole", [True, False])
def test_no_dice_give_no_measures(whole: bool) -> None:
    calibration = Camera().calibration()
    assert measure([], calibration if whole else replace(calibration, die_mm=None)) == []


@given(st.permutations(range(4)))
def test_the_order_of_the_dice_changes_no_measure(order: list[int]) -> None:
    dice = [*LOW, Die(5, 60, 0, up_mm=DIE_MM)]
    before, after = measured(Camera(), *dice), measured(Camera(), *(dice[index] for index in order))
    assert after == [before[index] for index in order]
