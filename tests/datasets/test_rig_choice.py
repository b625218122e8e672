"""Whatever rig is drawn: its tray is in the picture, its dice can be read, its calibration loads."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from datasets.lens import bend, calibration, film_of, project, project_to_film
from datasets.rig import edge_margin, grown, inside, wall_profile
from datasets.rig_choice import DIE_PX, MOST_PIXELS, choose_die
from datasets.rig_maker import dense_outline
from tests.datasets.tables import chosen
from vision.calibration import load_calibration
from vision.opencv import cv2

SEEDS = range(25)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_tray_is_in_the_picture_and_dice_are_neither_tiny_nor_huge(seed: int) -> None:
    rig = chosen(seed)
    out, up = wall_profile(rig.tray)[-1]
    rim = np.column_stack([grown(rig.tray.outline, out), np.full(len(rig.tray.outline), up)])
    pixels = project(rig.lens, rim)
    assert (pixels > 0).all()
    assert (pixels < np.array(rig.lens.size_px) - 1).all()
    assert rig.lens.size_px[0] * rig.lens.size_px[1] <= MOST_PIXELS
    around = rig.die_mm / 2 * np.array([[-1, 0, 0], [1, 0, 0]]) + [0, 0, rig.die_mm]
    wide = float(np.linalg.norm(np.diff(project(rig.lens, around), axis=0)))
    assert DIE_PX[0] <= wide <= 1.15 * DIE_PX[1]
    assert 300 < rig.lens.at_mm[2] <= 610


@pytest.mark.parametrize("seed", SEEDS)
def test_outlines_are_convex_run_anticlockwise_and_mirror_in_the_middle(seed: int) -> None:
    outline = np.array(chosen(seed).tray.outline)
    ahead = np.roll(outline, -1, axis=0) - outline
    after = np.roll(ahead, -1, axis=0)
    assert (ahead[:, 0] * after[:, 1] - ahead[:, 1] * after[:, 0] > 0).all()
    assert np.roll(outline, len(outline) // 2, axis=0) == pytest.approx(-outline, abs=0.01)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_calibration_projects_as_opencv_does(seed: int, tmp_path: Path) -> None:
    rig = chosen(seed)
    path = tmp_path / "table.json"
    path.write_text(json.dumps(calibration(rig.lens, dense_outline(rig), rig.die_mm)))
    table = load_calibration(path)
    pose = table.floor_pose
    assert pose is not None
    assert table.camera_matrix is not None
    assert table.floor_to_image is not None
    points = np.random.default_rng(seed).uniform(-60, 60, (20, 3))
    by_opencv, _ = cv2.projectPoints(
        points, np.array(pose.rvec), np.array(pose.tvec_mm), table.camera_matrix, table.distortion
    )
    assert by_opencv.reshape(-1, 2) == pytest.approx(project(rig.lens, points), abs=0.02)
    floor = points * [1, 1, 0]
    ideal = np.column_stack([floor[:, :2], np.ones(20)]) @ table.floor_to_image.T
    film = film_of(rig.lens)
    assert ideal[:, :2] / ideal[:, 2:] - [film.left, film.top] == pytest.approx(
        project_to_film(rig.lens, floor), abs=0.02
    )


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_the_lens_bends_the_film_to_where_it_projects(seed: int) -> None:
    lens = chosen(seed).lens
    frame = film_of(lens)
    point = np.array([[25.0, -30.0, 5.0]])
    x, y = project_to_film(lens, point)[0]
    rows, columns = np.mgrid[0 : frame.height, 0 : frame.width]
    spot = np.exp(-((rows - y) ** 2 + (columns - x) ** 2) / 18).astype(np.float32)
    bent = bend(lens, np.dstack([spot] * 3))
    assert bent.shape == (lens.size_px[1], lens.size_px[0], 3)
    peak = np.unravel_index(bent[..., 0].argmax(), bent.shape[:2])
    assert peak[::-1] == pytest.approx(project(lens, point)[0], abs=1)


def test_margins_are_distances_to_the_nearest_edge() -> None:
    square = ((-10.0, -10.0), (10.0, -10.0), (10.0, 10.0), (-10.0, 10.0))
    points = np.array([[0.0, 0], [7, 0], [0, -12], [9, 9]])
    assert edge_margin(square, points) == pytest.approx([10, 3, -2, 1])
    assert inside(square, points).tolist() == [True, True, False, True]
    assert np.abs(grown(square, 3)) == pytest.approx(np.full((4, 2), 13.0))


def test_dice_with_a_very_large_red_one_and_coloured_pips_on_dark_come_up_and_stand_out() -> None:
    chance = np.random.default_rng(0)
    dice = [choose_die(chance, 16.0) for _ in range(2000)]
    red_ones = [look for look in dice if look.pip_radii[0] > 0.19 and is_red(look.pip_colours[0])]
    assert 0.04 < len(red_ones) / len(dice) < 0.1
    dark = [look for look in dice if max(look.colour) < 0.5]
    coloured = [look for look in dark if np.ptp(look.pip_colours[1]) > 0.25]
    assert 0.25 < len(coloured) / len(dark) < 0.45
    assert any(is_red(look.pip_colours[1]) for look in coloured)
    for look in coloured:
        assert np.abs(np.subtract(look.pip_colours[1], look.colour)).max() > 0.4
    assert all(radius + look.pip_spread < 0.5 for look in dice for radius in look.pip_radii[1:])
    assert max(look.pip_radii[0] for look in dice) < 0.3


def is_red(colour: tuple[float, float, float]) -> bool:
    return colour[0] > 0.45 and max(colour[1:]) < 0.3 * colour[0]


def test_the_same_seed_draws_the_same_rig() -> None:
    one, other = chosen(5), chosen(5)
    assert (one.tray, one.dice, one.lamps, one.sensor) == (other.tray, other.dice, other.lamps, other.sensor)
    assert np.array_equal(one.lens.matrix, other.lens.matrix)
