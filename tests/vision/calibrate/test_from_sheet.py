"""Camera and floor from pictures of the sheet, against cameras of which everything is known."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.calibrate.known_camera import (
    SIZE,
    KnownCamera,
    board_picture,
    camera,
    floor_error_mm,
    lean_apart_deg,
)
from vision.calibrate.board import BoardView, find_board
from vision.calibrate.from_sheet import fit_to_sheet
from vision.calibrate.quality import quality_of

OVER = (105.0, -75.0)
PLACES = np.stack(np.meshgrid(np.linspace(-30, 240, 9), np.linspace(-180, 30, 9)), axis=-1).reshape(-1, 2)
LYING = {
    "straight": camera(tilt_deg=(0.2, 0.1), over_mm=OVER),
    "leaning": camera(tilt_deg=(6.0, -4.0), over_mm=OVER),
    "turned": camera(turn_deg=170, over_mm=OVER),
    "barrel": camera(distortion=(-0.12, 0.02, 0, 0, 0), over_mm=OVER),
    "off centre": camera(center_off_px=(8, -6), over_mm=OVER),
    "wide": camera(focal_px=750, height_mm=330, over_mm=OVER),
}
HELD = [(25, 5), (-22, 12), (4, -28), (-10, -20), (18, 20)]


def view_of(known: KnownCamera, seed: int = 0) -> BoardView:
    view = find_board(board_picture(known, seed))
    assert view is not None
    return view


@pytest.mark.parametrize("known", LYING.values(), ids=LYING.keys())
def test_one_picture_gives_floor_and_tilt_within_what_it_says(known: KnownCamera) -> None:
    fit = fit_to_sheet([view_of(known)], SIZE)
    quality = quality_of(fit, known.sees(np.array([[-20, 20], [230, 20], [230, -170], [-20, -170.0]])))
    measured = fit.camera.on_plane(known.sees(PLACES), 0.0)
    assert floor_error_mm(PLACES, measured) < quality.floor_error_mm < 1
    assert lean_apart_deg(known, fit.camera.turn[2]) < quality.tilt_error_deg < 3
    assert abs(fit.camera.height_mm - known.height_mm) < 1.5 * quality.height_error_mm
    assert fit.values[1:3].tolist() == [(SIZE[0] - 1) / 2, (SIZE[1] - 1) / 2]
    assert not fit.values[4:7].any()  # of the lens no more than k1


def test_several_pictures_give_the_whole_lens() -> None:
    lens = {"distortion": (-0.15, 0.05, 0.001, -0.0005, 0), "center_off_px": (9.0, -7.0), "over_mm": OVER}
    known = camera(**lens)
    others = [camera(tilt_deg=tilt, turn_deg=40 * at, **lens) for at, tilt in enumerate(HELD)]
    fit = fit_to_sheet([view_of(each, at) for at, each in enumerate([known, *others])], SIZE)
    assert np.exp(fit.values[0]) == pytest.approx(1100, rel=0.005)
    assert fit.values[1:3] == pytest.approx(known.matrix[:2, 2], abs=3)
    assert fit.values[3] == pytest.approx(-0.15, abs=0.03)
    assert fit.camera.height_mm == pytest.approx(known.height_mm, rel=0.005)
    assert floor_error_mm(PLACES, fit.camera.on_plane(known.sees(PLACES), 0.0)) < 0.1
    assert lean_apart_deg(known, fit.camera.turn[2]) < 0.3


def test_a_small_sheet_tells_no_distortion_and_none_is_written() -> None:
    known = camera(height_mm=1500, over_mm=OVER)
    fit = fit_to_sheet([view_of(known)], SIZE)
    assert not fit.values[3:7].any()


def test_a_sheet_printed_too_large_is_set_right_by_its_ruler() -> None:
    known = camera(over_mm=OVER)
    view = view_of(known)
    usual, larger = (fit_to_sheet([view], SIZE, scale).camera.height_mm for scale in (1.0, 1.02))
    assert larger == pytest.approx(1.02 * usual, rel=1e-3)
