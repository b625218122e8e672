"""The crop reader's network and one training of it. Needs the `train` extra."""

from __future__ import annotations

import time
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.keeping import keep, loaded, take_up
from models.reader_crops import CLASSES, NONE, SIDE, Patches, varied_crop
from models.train_extra import needed
from vision.domain import FloatArray, Image

torch: Any = needed("torch")
nn: Any = torch.nn
functional: Any = nn.functional

OUT = Path("out") / "reader"
WIDTHS = ((24, 2), (32, 1), (40, 2), (40, 1), (64, 2), (64, 1), (64, 1), (80, 2))  # channels, stride
BATCH = 128
SHARE_CENTRED, SHARE_BESIDE = 0.6, 0.15  # of a batch; the rest are patches without a die in the middle
HIGHEST_RATE, WEIGHT_DECAY, WARM_UP = 4e-3, 0.02, 0.1
GENTLE_RATE, LEARNT = 5e-4, 0.7  # of a network that is already trained; see `train_on`
SMOOTHING = 0.02
LOG_EVERY, KEEP_EVERY = 200, 400


def network() -> Any:
    """BGR crops (N, 3, SIDE, SIDE) of 0 to 1 to logits (N, CLASSES); no pooling, since the middle counts."""
    layers: list[Any] = []
    channels, side = 3, SIDE
    for width, stride in WIDTHS:
        layers += [nn.Conv2d(channels, width, 3, stride, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU()]
        channels, side = width, side // stride
    return nn.Sequential(*layers, nn.Flatten(), nn.Linear(channels * side * side, CLASSES))


@dataclass(frozen=True, slots=True)
class Course:
    """How long and from which seed to train, and how much of a batch each author's dice get (row: weight)."""

    steps: int
    seed: int
    weights: dict[int, float]


def train(patches: Patches, course: Course, kept: Path | None = None, start: Any = None) -> Any:
    """A trained network. With `kept`, a training that was cut off goes on from what that file holds.

    With `start`, a trained network, that one learns on, its batch norms' means and variances left alone.
    """
    torch.set_num_threads(1)
    torch.manual_seed(course.seed)
    rate = HIGHEST_RATE if start is None else GENTLE_RATE
    model = (network() if start is None else start).train().to(memory_format=torch.channels_last)
    if start is not None:
        for norm in (layer for layer in model if isinstance(layer, nn.BatchNorm2d)):
            norm.eval()
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=WEIGHT_DECAY)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, rate, total_steps=course.steps, pct_start=WARM_UP
    )
    parts = {"model": model, "optimizer": optimizer, "schedule": schedule}
    what = (course, zlib.crc32(patches.image.data))
    first = take_up(parts, kept, what)
    chances = _chances(patches, course.weights)
    started, sums = time.monotonic(), np.zeros(2)
    for step in range(first, course.steps):
        crops, classes = batch(patches, chances, np.random.default_rng((course.seed, step)))
        truth = torch.from_numpy(classes)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits = model(torch.from_numpy(crops)).float()
        loss = functional.cross_entropy(logits, truth, label_smoothing=SMOOTHING)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        sums += float(loss.detach()), float((logits.detach().argmax(1) == truth).float().mean())
        if (step + 1) % LOG_EVERY == 0:
            passed = time.monotonic() - started
            left = passed / (step + 1 - first) * (course.steps - step - 1)
            print(_progress(step + 1, course, sums / LOG_EVERY, passed, left), flush=True)
            sums[:] = 0
        if kept and (step + 1) % KEEP_EVERY == 0:
            keep(parts, kept, step + 1, what)
    if kept:
        kept.unlink(missing_ok=True)
    return model.eval()


def train_on(patches: Patches, course: Course, start: Any) -> Any:
    """A trained network after a course on what may be one table's pictures alone.

    Against forgetting what it does not see again, the norms' statistics stay, the rate is low, and the
    weights go only LEARNT of the way (after Wortsman et al., Robust fine-tuning of zero-shot models, 2022).
    """
    before = {name: value.clone() for name, value in start.state_dict().items()}
    learnt = train(patches, course, start=start).state_dict()
    start.load_state_dict(
        {
            name: torch.lerp(value, learnt[name], LEARNT) if value.is_floating_point() else value
            for name, value in before.items()
        }
    )
    return start.eval()


def batch(
    patches: Patches, chances: tuple[FloatArray, FloatArray], random: np.random.Generator
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Varied crops (BATCH, 3, SIDE, SIDE) of 0 to 1 and their classes (BATCH,)."""
    dice, none = chances
    kind = random.uniform(size=BATCH)
    of_dice = random.choice(len(patches), size=BATCH, p=dice)
    of_none = random.choice(len(patches), size=BATCH, p=none)
    crops = np.empty((BATCH, SIDE, SIDE, 3), dtype=np.float32)
    classes = np.empty(BATCH, dtype=np.int64)
    for place in range(BATCH):
        row = of_dice[place] if kind[place] < SHARE_CENTRED + SHARE_BESIDE else of_none[place]
        crops[place], classes[place] = varied_crop(patches, int(row), kind[place] >= SHARE_CENTRED, random)
    return crops.transpose(0, 3, 1, 2) / np.float32(
        255
    ), classes  # kept channels last: convolutions are faster so


def _chances(patches: Patches, weights: dict[int, float]) -> tuple[FloatArray, FloatArray]:
    """Chance (N,) of each patch to be drawn among those with a die in the middle, and among the others."""
    both = []
    for kind in (patches.face != NONE, patches.face == NONE):
        chance = np.zeros(len(patches))
        for author, weight in weights.items():
            rows = kind & (patches.author == author)
            chance[rows] = weight / max(rows.sum(), 1)
        both.append(chance / chance.sum())
    return both[0], both[1]


def _progress(step: int, course: Course, means: FloatArray, passed_s: float, left_s: float) -> str:
    loss, right = means
    return (
        f"step {step}/{course.steps}: loss {loss:.4f}, right {100 * right:.2f} %, "
        f"{passed_s:.0f} s passed, {left_s:.0f} s left"
    )


def logits_of(model: Any, crops: Image) -> FloatArray:
    """Logits (N, CLASSES) of crops (N, SIDE, SIDE, 3)."""
    parts: Iterator[Image] = (crops[start : start + 256] for start in range(0, len(crops), 256))
    with torch.no_grad():
        said = [
            model(torch.from_numpy(part.transpose(0, 3, 1, 2).astype(np.float32) / 255)).numpy()
            for part in parts
        ]
    return np.concatenate(said).astype(np.float64) if said else np.zeros((0, CLASSES))


def load(path: Path) -> Any:
    """The trained network of a file, ready to read."""
    return loaded(network(), path)
