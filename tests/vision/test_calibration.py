"""`table.json`: every key is checked, and every fault is one line naming file, key, found and accepted."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.vision.calibrate.known_camera import SIZE, camera
from vision.calibration import CLIP_TRUTH_KEYS, load_calibration
from vision.errors import CalibrationError
from vision.opencv import cv2

ROOT = Path(__file__).parents[2]
BENCH = ROOT / ".." / "shared" / "bench"
needs_bench = pytest.mark.skipif(
    not BENCH.is_dir(), reason="the rendered benchmark is not beside the checkout"
)

WHOLE: dict[str, Any] = {
    "image_size": [640, 480],
    "camera_matrix": [[500, 0, 320], [0, 510, 240], [0, 0, 1]],
    "distortion": [-0.1, 0.02, 0.001, -0.001, 0],
    "floor_pose": {"rvec": [-3.1, 0.02, 0], "tvec_mm": [1.5, -2, 420]},
    "area_px": [[100, 100], [540.5, 100], [540, 380], [100, 380]],
    "die_mm": 16,
}


def homography(matrix: object, pose: dict[str, list[float]]) -> list[list[float]]:
    """Floor mm to ideal pixels, by the definition in the contract."""
    turn = cv2.Rodrigues(np.array(pose["rvec"]))[0]
    mapped = np.array(matrix) @ np.column_stack([turn[:, :2], pose["tvec_mm"]])
    return (mapped / mapped[2, 2]).tolist()


WHOLE["floor_to_image"] = homography(WHOLE["camera_matrix"], WHOLE["floor_pose"])


def written(folder: Path, **changes: object) -> Path:
    path = folder / "table.json"
    path.write_text(json.dumps(WHOLE | changes), encoding="utf-8")
    return path


def refusal(path: Path) -> str:
    with pytest.raises(CalibrationError) as caught:
        load_calibration(path)
    message = str(caught.value)
    assert message.startswith(str(path))
    assert "accepted" in message
    assert "\n" not in message
    return message


def test_every_key_is_taken_over(tmp_path: Path) -> None:
    calibration = load_calibration(written(tmp_path))
    assert calibration.image_size == (640, 480)
    assert calibration.die_mm == 16
    assert calibration.floor_pose is not None
    assert calibration.floor_pose.tvec_mm == (1.5, -2, 420)
    for key in ("camera_matrix", "distortion", "floor_to_image", "area_px"):
        array = getattr(calibration, key)
        assert array.tolist() == WHOLE[key]
        assert array.dtype == np.float64
        assert not array.flags.writeable
    assert calibration.empty_image is None


def test_the_area_alone_is_enough(tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    path.write_text(json.dumps({"area_px": WHOLE["area_px"]}))
    assert load_calibration(path).image_size is None


BOW_TIE = [[100, 100], [540, 380], [540, 100], [100, 300]]
NOT_AREAS = [
    [[0, 0], [9, 9]],
    [],
    [[1, 2, 3]] * 4,
    [[0, 0], [9, 0], "x"],
    BOW_TIE,
    [[0, 0], [9, 9], [18, 18]],
    [[1e300, 0], [-1e300, 1e300], [0, 5]],
    [[900, 900], [990, 900], [950, 990]],
    "all",
]
UNFIT: list[tuple[str, object]] = [
    *(("area_px", value) for value in NOT_AREAS),
    ("image_size", [640]),
    ("image_size", [640.5, 480]),
    ("image_size", [640, -480]),
    ("image_size", [True, 480]),
    ("camera_matrix", [[500, 0, 320], [0, 510, 240]]),
    ("camera_matrix", [[0, 0, 320], [0, 510, 240], [0, 0, 1]]),
    ("camera_matrix", [[500, 0, 320], [0, 510, 240], [0, 0, 2]]),
    ("distortion", [0.1, 0.2]),
    ("distortion", [0.1, 0.2, 0, 0, None]),
    ("floor_pose", {"rvec": [0, 0, 0]}),
    ("floor_pose", {"rvec": [0, 0], "tvec_mm": [0, 0, 400]}),
    ("floor_pose", {"rvec": [0, 0, 0], "tvec_mm": [0, 0, 400], "scale": 1}),
    ("floor_pose", {"rvec": [0, 0, 0], "tvec_mm": [0, 0, -400]}),
    ("floor_pose", [0, 0, 0]),
    ("floor_to_image", [[1, 2, 3], [2, 4, 6], [0, 0, 1]]),
    ("floor_to_image", [[0, 0, 0]] * 3),
    ("die_mm", "16"),
    ("die_mm", 0),
    ("die_mm", float("nan")),
    ("die_mm", 10**400),
    ("die_mm", 150),
    ("area_px", [[300, 200], [301, 200], [301, 201], [300, 201]]),
    ("area_px", [[-5000, -5000], [9000, -5000], [9000, 9000], [-5000, 9000]]),
    ("camera_matrix", [[1, 0, 0], [0, 1, 0], [0, 0, 1]]),
    ("camera_matrix", [[9000, 0, 320], [0, 9000, 240], [0, 0, 1]]),
    ("camera_matrix", [[500, 0, 320], [0, 1500, 240], [0, 0, 1]]),
    ("camera_matrix", [[500, 0, 3200], [0, 510, 240], [0, 0, 1]]),
    ("distortion", [50, 0, 0, 0, 0]),
    ("distortion", [50, -99, 9, 9, 9]),
    ("distortion", [-4, 0, 0, 0, 0]),
    ("distortion", [0, 0, 3, 3, 0]),
    ("floor_pose", {"rvec": [-3.1, 0.02, 0], "tvec_mm": [0, 0, 5e6]}),
    ("floor_pose", {"rvec": [-3.1, 0.02, 0], "tvec_mm": [0, 0, 40]}),
    ("floor_pose", {"rvec": [0, 0, 0], "tvec_mm": [0, 0, 420]}),
    ("floor_pose", {"rvec": [-1.7, 0, 0], "tvec_mm": [0, 0, 1200]}),
    ("floor_to_image", [[1, 0, 0], [0, 1, 0], [0, 0, 1]]),
    (
        "floor_to_image",
        homography(WHOLE["camera_matrix"], {"rvec": [-3.1, 0.02, 0], "tvec_mm": [50, 0, 420]}),
    ),
    ("empty_image", "nowhere.jpg"),
    ("empty_image", None),
    ("empty_image", 3),
    ("empty_image", "table.json"),
    ("die_m", 16),
]


@pytest.mark.parametrize(("key", "value"), UNFIT, ids=lambda v: json.dumps(v)[:40])
def test_a_value_that_does_not_fit_is_named(tmp_path: Path, key: str, value: object) -> None:
    assert key in refusal(written(tmp_path, **{key: value}))


@pytest.mark.parametrize("size", ["stated", "of the empty picture", "unknown"])
def test_a_camera_that_sees_nothing_of_the_kind_is_named_whatever_tells_the_pictures_size(
    tmp_path: Path, size: str
) -> None:
    path = written(tmp_path, camera_matrix=[[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    if size != "stated":
        path.write_text(
            json.dumps({k: v for k, v in json.loads(path.read_text()).items() if k != "image_size"})
        )
    if size == "of the empty picture":
        cv2.imwrite(str(tmp_path / "empty.jpg"), np.zeros((480, 640, 3), np.uint8))
    assert "180 degrees" in refusal(path)


@settings(deadline=None)
@given(
    focal=st.floats(0.3, 3.0),
    height_mm=st.floats(150, 2500),
    tilt_deg=st.tuples(st.floats(-15, 15), st.floats(-15, 15)),
    turn_deg=st.floats(-180, 180),
    k1=st.floats(-0.1, 0.1),
)
def test_every_camera_over_a_table_is_accepted(
    focal: float, height_mm: float, tilt_deg: tuple[float, float], turn_deg: float, k1: float
) -> None:
    lens = {"focal_px": focal * SIZE[0], "distortion": (k1, 0, 0, 0, 0)}
    over = camera(tilt_deg=tilt_deg, turn_deg=turn_deg, height_mm=height_mm, **lens)
    reach_mm = 0.3 * SIZE[1] * height_mm / lens["focal_px"]
    assume(40 < reach_mm < 900)
    floor = reach_mm * np.array([[-1.0, 1], [1, 1], [1, -1], [-1, -1]])
    pose = {"rvec": cv2.Rodrigues(over.turn)[0].ravel().tolist(), "tvec_mm": over.shift.tolist()}
    values = {
        "image_size": list(SIZE),
        "camera_matrix": over.matrix.tolist(),
        "distortion": over.distortion.tolist(),
        "floor_pose": pose,
        "floor_to_image": homography(over.matrix, pose),
        "area_px": over.sees(floor).tolist(),
    }
    with tempfile.TemporaryDirectory() as folder:
        assert load_calibration(written(Path(folder), **values)).floor_pose is not None


@pytest.mark.parametrize("key", sorted(CLIP_TRUTH_KEYS))
def test_the_truth_file_of_a_clip_is_a_calibration(tmp_path: Path, key: str) -> None:
    assert load_calibration(written(tmp_path, **{key: [1]})).die_mm == 16


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[1, 2]", b'{"die_mm": 16}', b"\xff\xfe{}", b"[" * 5000, b'{"die_mm": 16, "die_mm": 17}'],
)
def test_what_is_no_calibration_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "table.json"
    path.write_bytes(content)
    refusal(path)


def test_a_missing_file_and_a_directory_are_refused(tmp_path: Path) -> None:
    refusal(tmp_path / "table.json")
    (tmp_path / "dir.json").mkdir()
    refusal(tmp_path / "dir.json")


def test_the_empty_picture_beside_is_taken_and_a_named_one_before_it(tmp_path: Path) -> None:
    for name, grey in (("empty.jpg", 40), ("bare.png", 90)):
        cv2.imwrite(str(tmp_path / name), np.full((480, 640, 3), grey, np.uint8))
    for changes, grey in (({}, 40), ({"empty_image": "bare.png"}, 90)):
        empty = load_calibration(written(tmp_path, **changes)).empty_image
        assert empty is not None
        assert empty.shape == (480, 640, 3)
        assert abs(float(empty.mean()) - grey) < 2


def test_an_empty_picture_of_another_size_is_refused(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "empty.jpg"), np.zeros((240, 320, 3), np.uint8))
    assert "image_size" in refusal(written(tmp_path))


def test_a_broken_empty_picture_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.jpg").write_bytes(b"")
    assert "empty_image" in refusal(written(tmp_path))


@needs_bench
def test_every_rig_of_the_benchmark_loads() -> None:
    tables = sorted(BENCH.glob("rigs/*/table.json"))
    assert tables
    for path in tables:
        calibration = load_calibration(path)
        assert calibration.empty_image is not None
        assert calibration.empty_image.shape[1::-1] == calibration.image_size
    for path in BENCH.glob("clips/*.json"):
        assert load_calibration(path).image_size == (800, 600)


def test_every_table_of_the_repository_loads() -> None:
    tables = [*ROOT.glob("datasets/**/table.json"), *ROOT.glob("table/**/table.json")]
    assert len(tables) > 10
    for path in tables:
        assert load_calibration(path).image_size is not None
