"""The weights in the repository are the ones the model card names, and the reader's do what they are for."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest

from models.reader_crops import CLASSES, SIDE
from tests.vision.drawn_dice import BLUE, DARK, LIGHT, RED, Camera, Die, Paint, draw
from vision.crop_reader import cut_crop
from vision.domain import FloatArray, Image
from vision.inference import Network

ROOT = Path(__file__).parents[2]
MODEL_CARD = ROOT / "models" / "README.md"
WEIGHTS = sorted((ROOT / "vision" / "weights").glob("*.onnx"))
READER = ROOT / "vision" / "weights" / "reader.onnx"


def read(crops: list[Image]) -> FloatArray:
    shown = np.array(crops, dtype=np.float32).transpose(0, 3, 1, 2) / 255
    return Network(READER.read_bytes())(np.ascontiguousarray(shown))


@pytest.mark.parametrize("weights", WEIGHTS, ids=lambda path: path.name)
def test_the_digest_beside_the_weights_is_theirs_and_in_the_model_card(weights: Path) -> None:
    digest, name = weights.with_suffix(".sha256").read_text(encoding="utf-8").split()
    assert name == weights.name
    assert digest == hashlib.sha256(weights.read_bytes()).hexdigest()
    assert digest in MODEL_CARD.read_text(encoding="utf-8")


def test_the_weights_stay_small() -> None:
    assert READER in WEIGHTS
    assert sum(path.stat().st_size for path in WEIGHTS) < 2**22


@pytest.mark.parametrize("count", [1, 6, 13])
def test_chances_of_any_number_of_crops_sum_to_one(count: int) -> None:
    crops = np.random.default_rng(count).integers(0, 256, (count, SIDE, SIDE, 3)).astype(np.uint8)
    chances = read(list(crops))
    assert chances.shape == (count, CLASSES)
    assert chances.sum(axis=1) == pytest.approx(1, abs=1e-5)
    assert chances[0] == pytest.approx(read([crops[0]])[0], abs=1e-4)


@pytest.mark.parametrize("paint", [LIGHT, DARK, RED, BLUE], ids=["light", "dark", "red", "blue"])
def test_drawn_dice_are_read_whatever_way_they_lie(paint: Paint) -> None:
    crops, faces = [], []
    for face in range(1, 7):
        for turn_deg in (0, 20, 45, 70):
            picture = draw([Die(face, turn_deg=turn_deg, paint=paint)], Camera(220, 200, 60), seed=face)
            corners = picture.dice[0].corners_px
            low, high = corners.min(axis=0), corners.max(axis=0)
            crops.append(cut_crop(picture.image, (low + high) / 2, float((high - low).max())))
            faces.append(face)
    assert (read(crops).argmax(axis=1) + 1 == faces).mean() >= 0.95


def test_an_empty_table_is_no_face() -> None:
    picture = draw([], Camera(300, 300, 60), seed=2)
    middles = np.random.default_rng(1).uniform(60, 240, size=(20, 2))
    assert (
        read([cut_crop(picture.image, middle, 50) for middle in middles]).argmax(axis=1) == CLASSES - 1
    ).all()
