"""Detectors: what each must tell, held by every one that is there; and what YOLO's rows mean."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from tests.vision.drawn_dice import LIGHT, Camera, Look, Picture, draw, felt, grid_of
from vision.die_detector import LEAST_CONFIDENCE, DieBoxes, DieDetector, decode, find_boxes
from vision.ultralytics_detector import DetectorError, UltralyticsDieDetector

NETWORK = Path(__file__).parents[2] / "vision" / "weights" / "detector.onnx"
ULTRALYTICS = importlib.util.find_spec("ultralytics") is not None
NOT_THERE = "Ultralytics, the `train` extra, is not installed"
DETECTORS = [
    "titusind",
    pytest.param("ultralytics", marks=pytest.mark.skipif(not ULTRALYTICS, reason=NOT_THERE)),
]


@pytest.fixture(params=DETECTORS)
def detector(request: pytest.FixtureRequest) -> DieDetector:
    return find_boxes if request.param == "titusind" else UltralyticsDieDetector(NETWORK)


@pytest.fixture(scope="module")
def throw() -> Picture:
    dice = grid_of((1, 2, 3, 4, 5, 6), columns=3, gap=3.4, turns_deg=[5, 40, 77, 12, 60, 30], paint=LIGHT)
    return draw(dice, Camera(1200, 900, 48), Look(ground=felt()), 3)


def holds_all(boxes: DieBoxes, centers: np.ndarray) -> bool:
    away = np.abs(boxes.center_px[None] - centers[:, None])
    return bool((away < 0.4 * boxes.size_px[None]).all(axis=2).any(axis=1).all())


def test_boxes_lie_around_the_dice_surest_first(detector: DieDetector, throw: Picture) -> None:
    boxes = detector(throw.image)
    assert holds_all(boxes, np.array([die.corners_px.mean(axis=0) for die in throw.dice]))
    assert boxes.center_px.shape == boxes.size_px.shape == (len(boxes), 2)
    assert (np.diff(boxes.confidence) <= 0).all()
    assert (boxes.confidence >= LEAST_CONFIDENCE).all()
    assert (boxes.confidence <= 1).all()


def test_an_upright_picture_is_seen_like_a_lying_one(throw: Picture) -> None:
    lying = find_boxes(throw.image)
    upright = find_boxes(np.ascontiguousarray(throw.image.transpose(1, 0, 2)))
    assert upright.center_px == pytest.approx(lying.center_px[:, ::-1])
    assert upright.size_px == pytest.approx(lying.size_px[:, ::-1])


@pytest.mark.parametrize("shape", [(1, 1), (1, 900), (2000, 3), (90, 120)])
def test_pictures_of_any_shape_are_looked_at(detector: DieDetector, shape: tuple[int, int]) -> None:
    assert isinstance(detector(np.full((*shape, 3), 120, dtype=np.uint8)), DieBoxes)


def test_rows_of_a_network_become_boxes_in_pixels_and_the_surest_of_two_alike_stays() -> None:
    rows = np.array(
        [[50.5, 30.5, 20, 24, 0.7], [51.5, 30.5, 20, 24, 0.9], [200.5, 99.5, 30, 30, 0.3], [9, 9, 9, 9, 0.0]]
    )
    boxes = decode(rows.T)
    assert boxes.center_px == pytest.approx(np.array([[51, 30], [200, 99]]))
    assert boxes.size_px == pytest.approx(np.array([[20, 24], [30, 30]]))
    assert boxes.confidence == pytest.approx([0.9, 0.3])


def test_of_a_network_with_classes_the_likeliest_counts() -> None:
    rows = np.array([[50.5, 30.5, 20, 24, 0.1, 0.6]])
    assert decode(rows.T).confidence == pytest.approx([0.6])


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("gone.pt", "no such file"),
        ("", "a directory"),
        ("text.pt", "ltralytics"),
        ("text.onnx", "ltralytics"),
    ],
)
def test_a_detector_that_cannot_be_loaded_is_one_line(tmp_path: Path, name: str, said: str) -> None:
    for suffix in ("pt", "onnx"):
        (tmp_path / f"text.{suffix}").write_text("no network")
    with pytest.raises(DetectorError, match=said) as raised:
        UltralyticsDieDetector(tmp_path / name)
    assert "\n" not in str(raised.value)
