"""What is written is what is read back, and it is there whole or not at all."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.vision.calibrate.known_camera import SIZE, board_picture, camera
from vision.calibrate.board import find_board
from vision.calibrate.fitting import calibration_of
from vision.calibrate.from_sheet import fit_to_sheet
from vision.calibrate.table_file import table_record, write_table
from vision.calibration import load_calibration
from vision.camera import Camera
from vision.domain import FloatArray, TableCalibration
from vision.opencv import cv2

KNOWN = camera(turn_deg=35, over_mm=(105, -75), distortion=(-0.1, 0, 0, 0, 0))
FLOOR = np.array([[-20, 20], [230, 20], [230, -170], [-20, -170.0]])


@pytest.fixture(scope="module")
def calibration() -> TableCalibration:
    view = find_board(board_picture(KNOWN))
    assert view is not None
    return calibration_of(fit_to_sheet([view], SIZE), KNOWN.sees(FLOOR), SIZE, 16.0)


def camera_in(calibration: TableCalibration) -> Camera:
    found = Camera.of(calibration)
    assert found is not None
    return found


def test_what_is_written_is_read_back(calibration: TableCalibration, tmp_path: Path) -> None:
    picture = cv2.imencode(".png", np.full((SIZE[1], SIZE[0], 3), 77, np.uint8))[1].tobytes()
    write_table(tmp_path / "new" / "table.json", table_record(calibration, "bare.png"), ("bare.png", picture))
    again = load_calibration(tmp_path / "new" / "table.json")
    for key in ("camera_matrix", "distortion", "floor_to_image", "area_px"):
        assert np.allclose(getattr(again, key), getattr(calibration, key), rtol=1e-7, atol=1e-9)
    assert (again.image_size, again.die_mm) == (SIZE, 16.0)
    assert again.empty_image is not None
    assert (again.empty_image == 77).all()
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == ["bare.png", "table.json"]


def test_the_floors_frame_lies_in_the_middle_of_the_area_with_x_to_the_right(
    calibration: TableCalibration,
) -> None:
    found = camera_in(calibration)
    area = found.on_plane(calibration.area_px, 0.0)
    assert np.abs(area.mean(axis=0)).max() < 1e-6
    origin, right, up = found.seen_at(np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]]))
    assert (right - origin)[1] == pytest.approx(0, abs=0.01)
    assert right[0] > origin[0]
    assert up[1] < origin[1]  # z is up, so y points away from the viewer
    assert np.linalg.norm(np.diff(area, axis=0), axis=1) == pytest.approx([250, 190, 250], abs=0.5)


def test_floor_to_image_gives_undistorted_pixels(calibration: TableCalibration) -> None:
    places: FloatArray = np.array([[-90.0, 40], [80, 70], [10, -60]])
    seen = camera_in(calibration).seen_at(np.column_stack([places, np.zeros(3)]))
    matrix = calibration.camera_matrix
    ideal = cv2.undistortPoints(seen.reshape(-1, 1, 2), matrix, calibration.distortion, P=matrix).reshape(
        -1, 2
    )
    mapped = cv2.perspectiveTransform(places.reshape(-1, 1, 2), calibration.floor_to_image).reshape(-1, 2)
    assert np.abs(mapped - ideal).max() < 0.01


def test_a_table_that_cannot_be_written_leaves_the_old_one(
    calibration: TableCalibration, tmp_path: Path
) -> None:
    path = tmp_path / "table.json"
    path.write_text("old")
    (tmp_path / "empty.jpg").mkdir()
    with pytest.raises(OSError, match="empty"):
        write_table(path, table_record(calibration, None), ("empty.jpg", b"picture"))
    assert path.read_text() == "old"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["empty.jpg", "table.json"]
