"""The pose reader's network and one training of it. Needs the `train` extra."""

from __future__ import annotations

import time
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from models.pose_views import PosedDice, chances, varied_view
from models.resuming import keep, take_up
from vision.domain import FloatArray
from vision.pose_reader import VIEW_SIDE, network_input

OUT = Path("out") / "pose"
WIDTHS = ((24, 2), (48, 2), (48, 1), (64, 2), (64, 1), (96, 2), (96, 1))  # channels, stride
HIDDEN = 96
SAYS = 5  # slope away and across, log of its deviation, height in dice, log of its deviation
BATCH, HIGHEST_RATE, WEIGHT_DECAY, WARM_UP, DROPPED = 96, 2e-3, 0.03, 0.1, 0.1
LOG_EVERY, KEEP_EVERY = 200, 400
TRUST = 1.0  # how far the loss of a die weighs by its own deviation (Seitzer et al. 2022, beta-NLL)


def network() -> Any:
    """Input (N, 5, S, S) of `vision.pose_reader` to what it SAYS (N, 5)."""
    layers: list[Any] = []
    channels, side = 5, VIEW_SIDE
    for width, stride in WIDTHS:
        layers += [nn.Conv2d(channels, width, 3, stride, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU()]
        channels, side = width, side // stride
    head = [
        nn.Linear(channels * side * side, HIDDEN),
        nn.ReLU(),
        nn.Dropout(DROPPED),
        nn.Linear(HIDDEN, SAYS),
    ]
    return nn.Sequential(*layers, nn.Flatten(), *head)


@dataclass(frozen=True, slots=True)
class Course:
    """How long and from which seed to train."""

    steps: int
    seed: int


def train(dice: PosedDice, course: Course, kept: Path) -> Any:
    """A trained network; a training that was cut off goes on from what `kept` holds."""
    torch.set_num_threads(1)
    torch.manual_seed(course.seed)
    model = network().train().to(memory_format=torch.channels_last)
    optimizer = torch.optim.AdamW(model.parameters(), lr=HIGHEST_RATE, weight_decay=WEIGHT_DECAY)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, HIGHEST_RATE, total_steps=course.steps, pct_start=WARM_UP
    )
    parts = {"model": model, "optimizer": optimizer, "schedule": schedule}
    what = (course, zlib.crc32(dice.image.data))
    first, chance = take_up(parts, kept, what), chances(dice)
    started, sums = time.monotonic(), np.zeros(3)
    for step in range(first, course.steps):
        inputs, truth = batch(dice, chance, np.random.default_rng((course.seed, step)))
        with torch.autocast("cpu", dtype=torch.bfloat16):
            said = model(torch.from_numpy(inputs)).float()
        loss = _loss(said, torch.from_numpy(truth))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        sums += float(loss.detach()), *_errors(said.detach().numpy(), truth)
        if (step + 1) % LOG_EVERY == 0:
            left = (time.monotonic() - started) / (step + 1 - first) * (course.steps - step - 1)
            print(_progress(step + 1, course, sums / LOG_EVERY, left), flush=True)
            sums[:] = 0
        if (step + 1) % KEEP_EVERY == 0:
            keep(parts, kept, step + 1, what)
    kept.unlink(missing_ok=True)
    return model.eval()


def batch(dice: PosedDice, chance: FloatArray, random: np.random.Generator) -> tuple[Any, Any]:
    """Inputs (BATCH, 5, S, S) and truth (BATCH, 3): slope and height."""
    rows = random.choice(len(dice), size=BATCH, p=chance)
    views, oblique, slopes = zip(*(varied_view(dice, int(row), random) for row in rows), strict=True)
    truth = np.column_stack([np.array(slopes), dice.height[rows]]).astype(np.float32)
    return network_input(np.array(views), np.array(oblique)), truth


def _loss(said: Any, truth: Any) -> Any:
    """Negative log likelihood of normal errors, both of the slope with one deviation."""
    slope = _unlikely((said[:, :2] - truth[:, :2]).square().sum(dim=1) / 2, said[:, 2])
    return slope + 0.5 * _unlikely((said[:, 3] - truth[:, 2]).square(), said[:, 4])


def _unlikely(squared: Any, log_sd: Any) -> Any:
    log_sd = log_sd.clamp(-5, 1)
    each = squared / (2 * torch.exp(2 * log_sd)) + log_sd
    return (each * torch.exp(2 * TRUST * log_sd).detach()).mean()


def _errors(said: FloatArray, truth: FloatArray) -> tuple[float, float]:
    """Mean error of the slope in degrees, and of the height in dice."""
    away = np.degrees(np.linalg.norm(said[:, :2] - truth[:, :2], axis=1)).mean()
    return float(away), float(np.abs(said[:, 3] - truth[:, 2]).mean())


def _progress(step: int, course: Course, means: FloatArray, left_s: float) -> str:
    loss, slope, height = means
    return (
        f"step {step}/{course.steps}: loss {loss:.4f}, slope {slope:.2f} degrees off, "
        f"height {height:.3f} dice off, {left_s:.0f} s left"
    )


def save(model: Any, path: Path) -> None:
    """Write the trained network's parameters."""
    path.parent.mkdir(parents=True, exist_ok=True)
    torch.save(model.state_dict(), path)


def load(path: Path) -> Any:
    """The trained network of a file that `save` wrote, ready to read."""
    model = network()
    model.load_state_dict(torch.load(path, weights_only=True))
    return model.eval()
