"""The outline of the tray's floor: found where it is, or said not to be certain - never wrong and sure."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.vision.calibrate.drawn_tray import FELT, SHAPES, SIZE, Tray
from vision.calibrate.outline import OutlineError, find_outline, given_outline
from vision.calibration import load_calibration
from vision.camera import Camera
from vision.domain import FloatArray, Image
from vision.images import read_image
from vision.opencv import cv2

SHARED = Path(__file__).parents[3] / ".." / "shared"
RIGS = sorted((SHARED / "bench" / "rigs").glob("*"))
PHOTOGRAPHS = sorted((SHARED / "real" / "dev").glob("*/images/*"))[::20]
SIDES = {"rectangle": 4, "octagon": 8, "round": 0}
needs_rigs = pytest.mark.skipif(not RIGS, reason="the rendered benchmark is not beside the checkout")
needs_photographs = pytest.mark.skipif(not PHOTOGRAPHS, reason="the photographs are not beside the checkout")


def apart(one: FloatArray, other: FloatArray) -> FloatArray:
    """Distances of the outline `one` from the outline `other`."""
    share = np.linspace(0, 1, 20, endpoint=False)[:, None]
    ends = np.roll(one, -1, axis=0)
    points = np.concatenate([start + share * (end - start) for start, end in zip(one, ends, strict=True)])
    contour = other.astype(np.float32).reshape(-1, 1, 2)
    return np.array([abs(cv2.pointPolygonTest(contour, (float(x), float(y)), True)) for x, y in points])


def refusal(picture: Image, sides: int | None = None) -> str:
    with pytest.raises(OutlineError) as caught:
        find_outline(picture, sides)
    message = str(caught.value)
    assert "accepted" in message
    assert "\n" not in message
    return message


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("shadow", [1.0, 0.5])
def test_the_floors_edge_is_found_and_not_the_shadows_nor_the_rims(shape: str, shadow: float) -> None:
    outline = find_outline(Tray(SHAPES[shape], shadow=shadow).picture())
    assert len(outline.sides) == SIDES[shape]
    assert np.median(apart(outline.area_px, SHAPES[shape])) < 0.7
    assert apart(outline.area_px, SHAPES[shape]).max() < 3
    assert apart(SHAPES[shape], outline.area_px).max() < 3


def test_sides_that_a_lens_bends_are_followed() -> None:
    matrix, bend = np.array([[760.0, 0, 479.5], [0, 760, 359.5], [0, 0, 1]]), np.array([-0.12, 0.02, 0, 0, 0])
    y, x = np.mgrid[0 : SIZE[1], 0 : SIZE[0]].astype(np.float64)
    pixels = np.stack([x.ravel(), y.ravel()], axis=1).reshape(-1, 1, 2)
    ideal = cv2.undistortPoints(pixels, matrix, bend, P=matrix).reshape(SIZE[1], SIZE[0], 2)
    straight = Tray(SHAPES["rectangle"]).picture()
    bent = cv2.remap(straight, ideal.astype(np.float32), None, cv2.INTER_LINEAR)
    outline = find_outline(bent, 4)
    area = cv2.undistortPoints(outline.area_px.reshape(-1, 1, 2), matrix, bend, P=matrix).reshape(-1, 2)
    assert apart(area, SHAPES["rectangle"]).max() < 2.5


def test_a_picture_without_a_tray_is_refused() -> None:
    chance = np.random.default_rng(2)
    refusal(np.full((720, 960, 3), 128, np.uint8))
    refusal(chance.normal(128, 20, (720, 960, 3)).clip(0, 255).astype(np.uint8))


@pytest.mark.parametrize(
    "tray",
    [
        Tray(SHAPES["rectangle"], stripes=True),
        Tray(SHAPES["rectangle"], wall=FELT, table=FELT),
        Tray(SHAPES["rectangle"] * 2.0 - (500.0, 345.0)),
        Tray(SHAPES["octagon"] * 0.25 + (370.0, 265.0)),
    ],
    ids=["a patterned floor", "all of one colour", "larger than the picture", "tiny"],
)
def test_a_tray_that_cannot_be_told_is_refused(tray: Tray) -> None:
    refusal(tray.picture())


def test_another_shape_than_stated_is_refused() -> None:
    assert "sides" in refusal(Tray(SHAPES["octagon"]).picture(), 4)


@needs_rigs
@pytest.mark.parametrize("rig", RIGS, ids=lambda rig: rig.name)
def test_an_outline_found_in_a_rig_is_right(rig: Path) -> None:
    calibration = load_calibration(rig / "table.json")
    camera = Camera.of(calibration)
    assert camera is not None
    assert calibration.empty_image is not None
    try:
        outline = find_outline(calibration.empty_image)
    except OutlineError:
        return  # not sure is no fault
    found, true = (camera.on_plane(area, 0.0) for area in (outline.area_px, calibration.area_px))
    assert np.percentile(apart(found, true), 95) < 1.5


@needs_photographs
@pytest.mark.parametrize("photograph", PHOTOGRAPHS, ids=lambda path: path.name)
def test_no_tray_is_seen_where_there_is_none(photograph: Path) -> None:
    refusal(read_image(photograph))


CORNERS = np.array([[100.0, 100], [300, 100], [300, 250], [100, 250]])


def test_an_outline_given_by_hand_runs_clockwise_in_the_picture() -> None:
    for corners in (CORNERS, CORNERS[::-1]):
        outline = given_outline(corners, (640, 480), 4)
        x, y = outline.area_px.T
        assert (x * np.roll(y, -1) - y * np.roll(x, -1)).sum() > 0
        assert len(outline.sides) == 4


@pytest.mark.parametrize(
    ("corners", "sides", "said"),
    [
        (CORNERS, 8, "accepted for this shape are 8"),
        (CORNERS, 0, "round"),
        (CORNERS + 500, 4, "leaves the picture"),
        (CORNERS[[0, 2, 1, 3]] + np.eye(4, 2) * 20, 4, "crossing"),
    ],
)
def test_an_outline_that_does_not_fit_is_refused(corners: FloatArray, sides: int, said: str) -> None:
    with pytest.raises(OutlineError, match=said):
        given_outline(corners, (640, 480), sides)
