"""Camera and floor from a tray's shape and from dice, against cameras of which everything is known."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.calibrate.known_camera import SIZE, KnownCamera, camera, floor_error_mm, lean_apart_deg
from vision.calibrate.fitting import calibration_of
from vision.calibrate.from_dice import FLAT_SHARE, fit_to_dice
from vision.calibrate.from_tray import InnerSize, Shape, fit_to_tray
from vision.calibrate.outline import Outline
from vision.calibrate.quality import quality_of
from vision.camera_bounds import USUAL_DEG, camera_fault
from vision.domain import FloatArray

CAMERAS = {
    "straight": camera(tilt_deg=(0.1, 0.2)),
    "leaning": camera(tilt_deg=(5, -4)),
    "turned": camera(turn_deg=70, tilt_deg=(2, 3)),
    "upside down": camera(turn_deg=183, over_mm=(20, 10)),
    "wide": camera(focal_px=800, height_mm=360),
}
SIZES = {
    "wide": InnerSize(Shape.RECTANGLE, 300, 200),
    "high": InnerSize(Shape.RECTANGLE, 180, 260),
    "square": InnerSize(Shape.RECTANGLE, 230, 230),
    "octagon": InnerSize(Shape.OCTAGON, 240, 240),
}


def sides_mm(size: InnerSize) -> list[FloatArray]:
    """Points (M, 2) on each side, as a person would measure them off."""
    if size.shape is Shape.OCTAGON:
        angles = np.radians(22.5 + 45 * np.arange(8))
        corners = size.width_mm / 2 / np.cos(np.pi / 8) * np.column_stack([np.cos(angles), np.sin(angles)])
    else:
        corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (size.width_mm / 2, size.height_mm / 2)
    share = np.linspace(0.05, 0.95, 30)[:, None]
    ends = np.roll(corners, -1, axis=0)
    return [start + share * (end - start) for start, end in zip(corners, ends, strict=True)]


def outline_of(known: KnownCamera, size: InnerSize, seed: int = 0) -> Outline:
    chance = np.random.default_rng(seed)
    seen = [known.sees(side) + chance.normal(0, 0.3, side.shape) for side in sides_mm(size)][::-1]
    every = np.concatenate([side[::-1] for side in seen])  # clockwise in the picture
    return Outline(every, every, tuple(side[::-1] for side in seen), 1.0)


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("straight", "wide"),
        ("leaning", "high"),
        ("turned", "wide"),
        ("upside down", "octagon"),
        ("wide", "square"),
    ],
)
def test_a_tray_of_known_size_gives_floor_and_tilt_within_what_it_says(name: str, shape: str) -> None:
    known, size = CAMERAS[name], SIZES[shape]
    outline = outline_of(known, size)
    fit = fit_to_tray(outline, size, SIZE)
    quality = quality_of(fit, outline.area_px)
    places = np.concatenate(sides_mm(size))
    assert floor_error_mm(places, fit.camera.on_plane(known.sees(places), 0.0)) < quality.floor_error_mm < 2
    assert lean_apart_deg(known, fit.camera.turn[2]) < quality.tilt_error_deg
    assert abs(fit.camera.height_mm - known.height_mm) < 1.5 * quality.height_error_mm
    assert camera_fault(calibration_of(fit, outline.area_px, SIZE, None), SIZE, USUAL_DEG) is None


@pytest.mark.parametrize("name", CAMERAS)
@pytest.mark.parametrize("stated", [(300, 300), (330, 200), (200, 240)])
def test_a_size_that_is_not_the_trays_asks_for_a_camera_that_is_none(
    name: str, stated: tuple[int, int]
) -> None:
    outline = outline_of(CAMERAS[name], SIZES["wide"])
    fit = fit_to_tray(outline, InnerSize(Shape.RECTANGLE, *stated), SIZE)
    fault = camera_fault(calibration_of(fit, outline.area_px, SIZE, None), SIZE, USUAL_DEG)
    assert fault is not None
    assert fault.key in {"camera_matrix", "floor_pose"}


def test_a_round_tray_tells_size_and_little_of_tilt() -> None:
    angles = np.radians(np.arange(0, 360, 2.0))
    places = 120 * np.column_stack([np.cos(angles), -np.sin(angles)])
    known = camera(tilt_deg=(4, 2))
    seen = known.sees(places)
    fit = fit_to_tray(Outline(seen, seen, (), 1.0), InnerSize(Shape.ROUND, 240, 240), SIZE)
    quality = quality_of(fit, seen)
    over = np.concatenate([share * places for share in (1, 0.6, 0.2)])
    assert floor_error_mm(over, fit.camera.on_plane(known.sees(over), 0.0)) < quality.floor_error_mm < 4
    assert lean_apart_deg(known, fit.camera.turn[2]) < quality.tilt_error_deg
    assert quality.tilt_error_deg > 4  # a circle hardly shows to which side it leans


def faces_of(known: KnownCamera, die_mm: float, seed: int) -> list[FloatArray]:
    """Corners of six dice's flat top faces, clockwise in the picture, read with a pixel's noise."""
    chance = np.random.default_rng(seed)
    square = np.array([[-0.5, 0.5], [0.5, 0.5], [0.5, -0.5], [-0.5, -0.5]]) * die_mm * FLAT_SHARE
    faces = []
    for middle in np.stack(np.meshgrid([-90, 0, 90], [-60, 60]), axis=-1).reshape(-1, 2):
        angle = chance.uniform(0, 2 * np.pi)
        turned = square @ np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        faces.append(known.sees(turned + middle, die_mm) + chance.normal(0, 0.5, (4, 2)))
    return faces


@pytest.mark.parametrize("known", CAMERAS.values(), ids=CAMERAS.keys())
def test_six_dice_give_floor_and_tilt_within_what_they_say(known: KnownCamera) -> None:
    fit = fit_to_dice(faces_of(known, 16.0, 3), 16.0, SIZE)
    places = np.array([[-120, -90], [120, -90], [120, 90], [-120, 90.0]])
    quality = quality_of(fit, known.sees(places))
    assert floor_error_mm(places, fit.camera.on_plane(known.sees(places), 0.0)) < quality.floor_error_mm < 8
    assert lean_apart_deg(known, fit.camera.turn[2]) < quality.tilt_error_deg < 15
