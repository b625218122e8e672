"""Whole verdicts on drawn pictures whose truth is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from tests.vision.drawn_dice import (
    DARK,
    LIGHT,
    Camera,
    Die,
    Ground,
    Look,
    Paint,
    Picture,
    draw,
    felt,
    grid_of,
    wood,
)
from vision.domain import (
    DieReading,
    DieState,
    FloatArray,
    FloorPose,
    Image,
    Ruling,
    TableCalibration,
    Verdict,
)
from vision.judge import judge

DIE_MM = 16.0
ALL_FACES = (1, 2, 3, 4, 5, 6)
SIX = grid_of(ALL_FACES, columns=3, gap=2.1, turns_deg=[12, 50, 77, 31, 5, 64])
CAMERA = Camera(760, 540, 84)
MEASURES = ("tilt_deg", "height_mm", "margin_mm")
UNSEEN = np.array([[2000.0, 2000], [2010, 2000], [2010, 2010]])


def calibrate(camera: Camera, half_area: tuple[float, float] = (4.4, 3.1)) -> TableCalibration:
    """The table of a drawn picture, its area `half_area` sides to each side of the middle.

    The floor's y runs away from the viewer, where the drawer's runs towards them.
    """
    tilt = np.radians(camera.tilt_deg)
    focal = camera.side_px * camera.distance
    middle = ((camera.width - 1) / 2, (camera.height - 1) / 2)
    offset = DIE_MM * np.array([0.0, np.sin(tilt), camera.distance + np.cos(tilt)])
    return TableCalibration(
        area_px=camera.project(_outline(*half_area)),
        image_size=(camera.width, camera.height),
        camera_matrix=np.array([[focal, 0, middle[0]], [0, focal, middle[1]], [0, 0, 1]]),
        floor_pose=FloorPose((np.pi - tilt, 0.0, 0.0), (0.0, float(offset[1]), float(offset[2]))),
        die_mm=DIE_MM,
    )


def _outline(across: float, along: float) -> FloatArray:
    return np.array([[-across, -along, 0], [across, -along, 0], [across, along, 0], [-across, along, 0]])


def beside(left: Image, right: Image) -> Image:
    """The left half of one picture and the right half of another."""
    middle = left.shape[1] // 2
    return np.concatenate([left[:, :middle], right[:, middle:]], axis=1)


def kinds(verdict: Verdict) -> set[str]:
    return {reason.kind.value for reason in verdict.reasons}


def in_order(picture: Picture, dice: Sequence[DieReading]) -> list[DieReading]:
    """The reading at each drawn die."""
    assert len(dice) == len(picture.dice)
    return [
        min(dice, key=lambda read: float(np.linalg.norm(read.center_px - true.center_px)))
        for true in picture.dice
    ]


def one_at(verdict: Verdict, x_px: float) -> int:
    """Index of the die nearest to a column of the picture."""
    return int(np.argmin([abs(read.center_px[0] - x_px) for read in verdict.dice]))


# --- valid throws


@pytest.mark.parametrize("tilt_deg", [0.0, 15.0])
@pytest.mark.parametrize(("paint", "ground"), [(LIGHT, felt()), (DARK, wood())], ids=["light", "dark"])
def test_a_throw_that_lies_well_is_valid_and_measured(paint: Paint, ground: Ground, tilt_deg: float) -> None:
    camera = replace(CAMERA, tilt_deg=tilt_deg)
    picture = draw([replace(die, paint=paint) for die in SIX], camera, Look(ground=ground), seed=4)
    verdict = judge(picture.image, calibrate(camera), expected_dice=6)
    assert (verdict.ruling, verdict.reasons, verdict.faces) == (Ruling.VALID, (), ALL_FACES)
    for die, true, read in zip(SIX, picture.dice, in_order(picture, verdict.dice), strict=True):
        assert (read.face, read.state) == (true.face, DieState.FLAT)
        assert read.confidence > 0.6
        assert np.linalg.norm(read.center_px - true.center_px) < 0.05 * true.side_px
        off = min(np.abs(np.roll(read.corners_px, by, axis=0) - true.corners_px).max() for by in range(4))
        assert off < 0.2 * true.side_px  # a dark die's shadow has edges that may pass for its own
        assert read.margin_mm is not None
        assert read.height_mm is not None
        margin = DIE_MM * min(4.4 - abs(die.x), 3.1 - abs(die.y))
        assert read.margin_mm == pytest.approx(margin, abs=1.5)
        assert abs(read.height_mm) < 0.1 * camera.distance * DIE_MM  # a side is read to a tenth


def test_without_a_calibration_nothing_is_measured_and_the_whole_picture_is_the_area() -> None:
    verdict = judge(draw(SIX, CAMERA).image)
    assert (verdict.ruling, verdict.faces) == (Ruling.VALID, ALL_FACES)
    assert {getattr(die, name) for die in verdict.dice for name in MEASURES} == {None}


def test_the_same_picture_gets_the_same_verdict() -> None:
    image = draw(SIX, CAMERA, Look(ground=wood())).image
    first, second = (judge(image.copy(), calibrate(CAMERA), 6) for _ in range(2))
    assert first.reasons == second.reasons
    for one, other in zip(first.dice, second.dice, strict=True):
        assert one.corners_px.tobytes() == other.corners_px.tobytes()
        assert all(
            getattr(one, name) == getattr(other, name)
            for name in DieReading.__slots__
            if name != "corners_px"
        )


# --- the number of dice


@pytest.mark.parametrize(
    ("expected", "ruling", "said"),
    [
        (None, Ruling.VALID, set()),
        (6, Ruling.VALID, set()),
        (7, Ruling.MISROLL, {"missing"}),
        (5, Ruling.UNSURE, {"extra"}),
    ],
)
def test_dice_seen_are_counted_against_those_expected(
    expected: int | None, ruling: Ruling, said: set[str]
) -> None:
    verdict = judge(draw(SIX, CAMERA).image, expected_dice=expected)
    assert (verdict.ruling, kinds(verdict)) == (ruling, said)


@pytest.mark.parametrize(
    ("expected", "ruling"), [(None, Ruling.VALID), (0, Ruling.VALID), (6, Ruling.MISROLL)]
)
def test_a_bare_table_is_an_empty_throw(expected: int | None, ruling: Ruling) -> None:
    verdict = judge(draw([], CAMERA, Look(ground=felt())).image, calibrate(CAMERA), expected)
    assert (verdict.ruling, verdict.dice) == (ruling, ())


def test_a_five_left_with_three_corners_only_is_asked_about() -> None:
    """Its middle and one corner are wiped away; no die has such a face."""
    picture = draw(SIX, CAMERA)
    image, five = picture.image.copy(), picture.dice[4]
    for pip, rim in list(zip(five.pips_px, five.rims_px, strict=True))[1:3]:
        reach = 1.6 * np.linalg.norm(rim - pip, axis=1).max()
        y, x = np.mgrid[0 : image.shape[0], 0 : image.shape[1]]
        near = np.hypot(x - pip[0], y - pip[1])
        ring = (near > reach) & (near < 1.3 * reach)
        image[near < reach] = np.median(image[ring], axis=0).astype(np.uint8)
    verdict = judge(image, calibrate(CAMERA), expected_dice=6)
    assert verdict.ruling is Ruling.UNSURE
    assert kinds(verdict) & {"unreadable", "disagree"}


# --- outside the area


def row(*places: float) -> list[Die]:
    return [Die(face, x, 0.2, 20.0 * face) for face, x in zip((3, 5, 2, 6), places, strict=False)]


@pytest.mark.parametrize("whole", [True, False], ids=["calibrated", "outline alone"])
def test_a_die_outside_the_area_makes_a_misroll(whole: bool) -> None:
    """The area reaches 2.2 sides to the right; the last die lies 3.4 sides out."""
    calibration = calibrate(CAMERA, (2.2, 2.0))
    picture = draw(row(-1.4, 0.2, 3.4), CAMERA)
    verdict = judge(picture.image, calibration if whole else TableCalibration(calibration.area_px))
    assert (verdict.ruling, kinds(verdict)) == (Ruling.MISROLL, {"outside"})
    (reason,) = verdict.reasons
    assert reason.die == one_at(verdict, picture.dice[2].center_px[0])
    assert verdict.dice[reason.die].state is DieState.OUTSIDE
    if whole:
        assert verdict.dice[reason.die].margin_mm == pytest.approx(-1.2 * DIE_MM, abs=1.5)
    else:
        assert {getattr(die, name) for die in verdict.dice for name in MEASURES} == {None}


def test_a_die_on_the_edge_of_the_area_is_asked_about() -> None:
    verdict = judge(draw(row(-1.4, 0.2, 2.2), CAMERA).image, calibrate(CAMERA, (2.2, 2.0)))
    assert (verdict.ruling, kinds(verdict)) == (Ruling.UNSURE, {"uncertain"})


def test_an_area_that_holds_nothing_leaves_every_die_outside() -> None:
    verdict = judge(draw(SIX, CAMERA).image, TableCalibration(UNSEEN))
    assert {die.state for die in verdict.dice} == {DieState.OUTSIDE}
    assert len(verdict.reasons) == 6


# --- leaning


@pytest.mark.parametrize("face", [4, 5])
@pytest.mark.parametrize("turn_deg", [10, 40])
@pytest.mark.parametrize("tilt_deg", [20, 38])
def test_a_die_that_leans_against_the_floor_is_not_taken_for_flat(
    face: int, turn_deg: float, tilt_deg: float
) -> None:
    """Drawn on a floor that leans itself: against an upright camera's floor, so does the die."""
    camera = Camera(520, 420, 110, tilt_deg=tilt_deg)
    image = draw([Die(face, turn_deg=turn_deg)], camera).image
    verdict = judge(image, calibrate(replace(camera, tilt_deg=0.0)))
    assert verdict.ruling is not Ruling.VALID
    assert kinds(verdict) <= {"tilted", "uncertain"}
    assert verdict.dice[0].tilt_deg is not None
    assert verdict.dice[0].tilt_deg > 8
    assert judge(image, calibrate(camera)).ruling is Ruling.VALID


# --- stacked


def test_a_die_on_another_of_its_number_is_told_to_lie_high() -> None:
    """One die higher it is drawn as one that lies on the floor of a camera one side nearer."""
    nearer = replace(
        CAMERA, distance=CAMERA.distance - 1, side_px=CAMERA.side_px * CAMERA.distance / (CAMERA.distance - 1)
    )
    look = Look(shadow=0.0)
    low, high = Die(5, -1.8, 0.3, 12), Die(5, 1.8, -0.4, 40)
    image = beside(draw([low], CAMERA, look).image, draw([high], nearer, look).image)
    verdict = judge(image, calibrate(CAMERA), expected_dice=2)
    assert verdict.ruling is not Ruling.VALID
    assert kinds(verdict) <= {"stacked", "uncertain"}
    assert all("lie" in reason.detail and "on another die" in reason.detail for reason in verdict.reasons)
    assert verdict.reasons[0].die == one_at(verdict, CAMERA.width)
    both_low = judge(draw([low, high], CAMERA, look).image, calibrate(CAMERA), expected_dice=2)
    assert both_low.faces == (5, 5)
