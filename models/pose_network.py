"""The pose reader's network and one training of it. Needs the `train` extra."""

from __future__ import annotations

import time
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from models.keeping import keep, loaded, take_up
from models.pose_views import PosedDice, chances, varied_view
from models.train_extra import needed
from vision.domain import FloatArray
from vision.pose_reader import VIEW_SIDE, network_input, told_slope

torch: Any = needed("torch")
nn: Any = torch.nn
functional: Any = nn.functional

OUT = Path("out") / "pose"
WIDTHS = ((24, 2), (48, 2), (48, 1), (64, 2), (64, 1), (96, 2), (96, 1))  # channels, stride
HIDDEN = 96
SAYS = 6  # slope right and down, log odds of a lean, height in dice, log odds of a die below and of a fit
BATCH, HIGHEST_RATE, WEIGHT_DECAY, WARM_UP, DROPPED = 96, 3e-3, 0.03, 0.1, 0.1
LOG_EVERY, KEEP_EVERY = 200, 400
WITHOUT_EMPTY = 0.3  # of a batch: views without a picture of the empty tray
FLAT_DEG, LEANS_DEG = 1.6, 6.0  # between them a lean is as likely as it is steep
RAISED = 0.5  # dice
LATER_RATE = 1e-3  # of a network that is already trained
SLOPE_SHARE, HEIGHT_SHARE, FIT_SHARE = 8.0, 1.0, 0.5  # of the loss, against the log odds


def network() -> Any:
    """Input (N, 4, S, S) of `vision.pose_reader` to what it SAYS (N, 6)."""
    layers: list[Any] = []
    channels, side = 4, VIEW_SIDE
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


def train(dice: PosedDice, course: Course, kept: Path, start: Any = None) -> Any:
    """A trained network; a training that was cut off goes on from what `kept` holds.

    With `start`, a trained network, that one learns on, at a lower rate.
    """
    torch.set_num_threads(1)
    torch.manual_seed(course.seed)
    rate = HIGHEST_RATE if start is None else LATER_RATE
    model = (network() if start is None else start).train().to(memory_format=torch.channels_last)
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=WEIGHT_DECAY)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, rate, total_steps=course.steps, pct_start=WARM_UP
    )
    parts = {"model": model, "optimizer": optimizer, "schedule": schedule}
    what = (course, zlib.crc32(dice.image.data))
    first, chance = take_up(parts, kept, what), chances(dice)
    started, sums = time.monotonic(), np.zeros(4)
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
    """Inputs (BATCH, 4, S, S), some without the empty tray, and truth (BATCH, SAYS)."""
    rows = random.choice(len(dice), size=BATCH, p=chance)
    pairs = [varied_view(dice, int(row), random) for row in rows]
    seen, empty = (np.array(part) for part in zip(*pairs, strict=True))
    oblique, slope = dice.oblique[rows], dice.slope[rows]
    alone = int(WITHOUT_EMPTY * BATCH)
    inputs = np.concatenate(
        [
            network_input(seen[:alone], None, oblique[:alone]),
            network_input(seen[alone:], empty[alone:], oblique[alone:]),
        ]
    )
    height = dice.height[rows]
    truth = [told_slope(slope), leaning(dice.tilt_deg[rows]), height, height > RAISED, dice.fits[rows]]
    return inputs, np.column_stack(truth).astype(np.float32)


def leaning(tilt_deg: FloatArray) -> FloatArray:
    """Chance (N,) that a die of that tilt is to be called leaning."""
    return np.asarray(np.clip((tilt_deg - FLAT_DEG) / (LEANS_DEG - FLAT_DEG), 0, 1))


def _loss(said: Any, truth: Any) -> Any:
    fits = truth[:, 5] > 0
    lies, true = said[fits], truth[fits]
    odds = functional.binary_cross_entropy_with_logits(lies[:, (2, 4)], true[:, (2, 4)])
    slope = functional.smooth_l1_loss(lies[:, :2], true[:, :2], beta=0.05)
    height = functional.smooth_l1_loss(lies[:, 3], true[:, 3], beta=0.2)
    fit = functional.binary_cross_entropy_with_logits(said[:, 5], truth[:, 5])
    return odds + SLOPE_SHARE * slope + HEIGHT_SHARE * height + FIT_SHARE * fit


def _errors(said: FloatArray, truth: FloatArray) -> tuple[float, float, float]:
    """Shares of dice of which lean, die below and fit are told wrongly."""
    wrong = (said > 0) != (truth > 0)
    fits = truth[:, 5] == 1
    clear = fits & ((truth[:, 2] == 0) | (truth[:, 2] == 1))
    return float(wrong[clear, 2].mean()), float(wrong[fits, 4].mean()), float(wrong[:, 5].mean())


def _progress(step: int, course: Course, means: FloatArray, left_s: float) -> str:
    loss, lean, raised, fit = means
    return (
        f"step {step}/{course.steps}: loss {loss:.4f}, lean wrong {100 * lean:.2f} %, "
        f"raised wrong {100 * raised:.2f} %, fit wrong {100 * fit:.2f} %, {left_s:.0f} s left"
    )


def load(path: Path) -> Any:
    """The trained network of a file, ready to read."""
    return loaded(network(), path)
