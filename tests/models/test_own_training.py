"""Twenty corrected throws of dice that the reader has not seen teach it to read them; little is forgotten.

They are kept by the table's own code and trained on by the commands of the README, from the weights in the
repository alone. About two minutes on one core.
"""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from tests.models.unseen_dice import correct, crops_of, thrown
from tests.vision.drawn_dice import BLUE, DARK, LIGHT, RED, Camera, Picture, draw, grid_of
from vision.domain import FloatArray, Image
from vision.inference import Network

ROOT = Path(__file__).parents[2]
SHIPPED = ROOT / "vision" / "weights" / "reader.onnx"
THROWS, HELD_OUT = 20, 12
MISSING = [name for name in ("torch", "onnx") if find_spec(name) is None]


@pytest.fixture(scope="module")
def taught(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The reader after a course on corrected throws."""
    if MISSING:
        pytest.skip(f"{' and '.join(MISSING)} not installed; training needs pip install '.[train]'")
    folder = tmp_path_factory.mktemp("taught")
    for seed in range(THROWS):
        correct(thrown(seed), folder / "own")
    no_others = ["--real", str(folder / "none"), "--out", str(folder)]
    run("models.train", "--own", str(folder / "own"), *no_others)
    run("models.export", "--trained", str(folder / "trained.pt"), "--to", str(folder / "reader.onnx"))
    return folder / "reader.onnx"


def run(module: str, *arguments: str) -> None:
    subprocess.run([sys.executable, "-m", module, *arguments], cwd=ROOT, check=True, capture_output=True)


def right(weights: Path, pictures: list[Picture]) -> float:
    """Share of the dice of pictures that the reader with these weights reads right."""
    crops, faces = crops_of(pictures)
    return float((chances(weights, crops).argmax(axis=1) + 1 == faces).mean())


def chances(weights: Path, crops: Image) -> FloatArray:
    return Network(weights.read_bytes())(
        np.ascontiguousarray(crops.astype(np.float32).transpose(0, 3, 1, 2) / 255)
    )


def other_dice() -> list[Picture]:
    turns = [0, 20, 45, 70, 110]
    return [
        draw(grid_of((1, 2, 3, 4, 5, 6), 3, 2, turns[place:], paint), Camera(400, 300, 60), seed=place)
        for place in range(2)
        for paint in (LIGHT, DARK, RED, BLUE)
    ]


def test_twenty_corrected_throws_raise_the_figures_of_unseen_dice(taught: Path) -> None:
    held_out = [thrown(1000 + seed) for seed in range(HELD_OUT)]
    before, after = right(SHIPPED, held_out), right(taught, held_out)
    assert before < 0.75
    assert after > max(before + 0.2, 0.9)


def test_other_dice_are_not_forgotten(taught: Path) -> None:
    before, after = right(SHIPPED, other_dice()), right(taught, other_dice())
    assert after >= before - 0.03


def test_nor_is_what_shows_no_dice(taught: Path) -> None:
    empty = draw([], Camera(300, 300, 60), seed=2).image
    crops = np.array([empty[y : y + 64, x : x + 64] for x in range(0, 230, 30) for y in range(0, 230, 30)])
    assert (chances(taught, crops).argmax(axis=1) == 6).all()
