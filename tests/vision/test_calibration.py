"""`table.json`: every key is checked, and every fault is one line naming file, key, found and accepted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vision.calibration import CLIP_TRUTH_KEYS, load_calibration
from vision.errors import CalibrationError
from vision.opencv import cv2

BENCH = Path(__file__).parents[2] / ".." / "shared" / "bench"
needs_bench = pytest.mark.skipif(
    not BENCH.is_dir(), reason="the rendered benchmark is not beside the checkout"
)

WHOLE: dict[str, Any] = {
    "image_size": [640, 480],
    "camera_matrix": [[500, 0, 320], [0, 510, 240], [0, 0, 1]],
    "distortion": [-0.1, 0.02, 0.001, -0.001, 0],
    "floor_pose": {"rvec": [-3.1, 0.02, 0], "tvec_mm": [1.5, -2, 420]},
    "floor_to_image": [[1.2, 0, 320], [0, -1.2, 240], [0, -0.0001, 1]],
    "area_px": [[100, 100], [540.5, 100], [540, 380], [100, 380]],
    "die_mm": 16,
}


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
    ("empty_image", "nowhere.jpg"),
    ("empty_image", None),
    ("empty_image", 3),
    ("empty_image", "table.json"),
    ("die_m", 16),
]


@pytest.mark.parametrize(("key", "value"), UNFIT, ids=lambda v: json.dumps(v)[:40])
def test_a_value_that_does_not_fit_is_named(tmp_path: Path, key: str, value: object) -> None:
    assert key in refusal(written(tmp_path, **{key: value}))


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
