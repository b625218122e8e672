"""The modelled dice are right dice, and the camera's calibration is the one it draws with."""

from __future__ import annotations

import json

import numpy as np
import pytest

pytest.importorskip("mujoco", reason="needs the datasets extra")

from datasets.camera import die_truth, overhead_camera, table_json
from datasets.throwing import Motion, _cube_turns, _renumbered, out_of_sight
from datasets.tray import DIE_MM, FACE_AXES, IMAGE_SIZE, pip_places, rotation, rounded_cube, tray_model
from vision.calibration import load_calibration
from vision.opencv import cv2

FACES = range(1, 7)


@pytest.fixture(scope="module")
def camera():  # type: ignore[no-untyped-def]
    return overhead_camera(tray_model(1))


def test_opposite_faces_sum_to_seven_and_one_two_three_run_counter_clockwise() -> None:
    for face in FACES:
        assert np.array_equal(FACE_AXES[7 - face], -np.array(FACE_AXES[face]))
    assert np.linalg.det([FACE_AXES[face] for face in (1, 2, 3)]) == pytest.approx(1)


@pytest.mark.parametrize("face", FACES)
def test_a_face_has_its_pips_on_it_and_half_turns_leave_them(face: int) -> None:
    places = pip_places(face)
    axis = np.array(FACE_AXES[face])
    assert len(places) == face
    assert places @ axis == pytest.approx(np.full(face, 0.5))
    across = places - np.outer(places @ axis, axis)
    assert {tuple(np.round(place, 6) + 0.0) for place in across} == {
        tuple(np.round(-place, 6) + 0.0) for place in across
    }


def test_the_rounded_cube_is_closed_outward_and_within_the_sharp_one() -> None:
    vertices, normals, triangles = rounded_cube(2.0, 0.2)
    assert np.abs(vertices).max() == pytest.approx(1)
    corners = vertices[triangles]
    outward = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    assert ((outward * normals[triangles].mean(axis=1)).sum(axis=1) > -1e-12).all()
    volume = float((corners[:, 0] * np.cross(corners[:, 1], corners[:, 2])).sum()) / 6
    core, radius = 1.2, 0.4  # Steiner's formula: cube, slabs, cylinders, sphere
    ideal = core**3 + 6 * core**2 * radius + 3 * np.pi * radius**2 * core + 4 / 3 * np.pi * radius**3
    assert volume == pytest.approx(ideal, rel=0.01)


def test_a_renumbered_throw_ends_with_the_faces_asked_for(camera) -> None:  # type: ignore[no-untyped-def]
    assert len({turn.tobytes() for turn in _cube_turns()}) == 24
    poses = out_of_sight()
    poses[:, :2] = 0
    for seed in range(10):
        random = np.random.default_rng(seed)
        faces = tuple(int(face) for face in random.integers(1, 7, 6))
        final = _renumbered(Motion(poses[np.newaxis]), faces, random).at_rest
        assert tuple(die_truth(camera, pose)["face"] for pose in final) == faces


def test_the_calibration_projects_as_the_camera_does(tmp_path, camera) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "table.json"
    path.write_text(json.dumps(table_json(camera)))
    table = load_calibration(path)
    points = np.random.default_rng(0).uniform(-100, 100, (20, 3))
    points[:, 2] = 0
    pose = table.floor_pose
    assert pose is not None
    assert table.camera_matrix is not None
    assert table.floor_to_image is not None
    by_pose, _ = cv2.projectPoints(
        points, np.array(pose.rvec), np.array(pose.tvec_mm), table.camera_matrix, table.distortion
    )
    by_floor = np.column_stack([points[:, :2], np.ones(20)]) @ table.floor_to_image.T
    assert by_pose.reshape(-1, 2) == pytest.approx(camera.project(points), abs=0.02)
    assert by_floor[:, :2] / by_floor[:, 2:] == pytest.approx(camera.project(points), abs=0.02)


def test_the_truth_of_a_flat_die_is_its_top_face(camera) -> None:  # type: ignore[no-untyped-def]
    angle = 0.4
    pose = np.array([0.02, -0.03, DIE_MM / 2000, np.cos(angle / 2), 0, 0, np.sin(angle / 2)])
    truth = die_truth(camera, pose)
    assert (truth["face"], truth["state"], truth["tilt_deg"], truth["height_mm"]) == (3, "flat", 0.0, 0.0)
    corners = np.array(truth["corners_px"])
    half = DIE_MM / 2
    square = np.array([[-half, -half, half], [half, -half, half], [half, half, half], [-half, half, half]])
    expected = camera.project(square @ rotation(pose[3:]).T + pose[:3] * 1000)
    gaps = np.linalg.norm(corners[:, np.newaxis] - expected[np.newaxis], axis=2)
    assert gaps.min(axis=1).max() < 0.1
    x, y = corners.T
    assert (x * np.roll(y, -1) - y * np.roll(x, -1)).sum() > 0  # clockwise, as y points down
    assert (corners > 0).all()
    assert (corners < IMAGE_SIZE).all()
