"""Leave one author out at a time, and fit the crop reader's temperature: `python -m models.calibrate`.

Each of the authors is left out of a shorter training, and that reader is shown the author's dice and what
geometry proposes beside them. The temperature that makes the chances most likely over all of these, each
author counting alike, goes to `models/reader_calibration.json`, with the figures for the model card. The
networks are left in `out/reader`, as `trained-without-NAME.pt`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models.arguments import existing_folder, must_be_folder, steps
from models.export import CALIBRATION
from models.keeping import save
from models.measure_reader import reliability
from models.reader_crops import NONE, PATCH_REACH, PATCH_SIDE, Patches, gather
from models.reader_network import OUT, logits_of, train
from models.train import AUTHORS, REAL, SEED, course, pictures
from table.command_line import OneLineParser
from vision.crop_reader import cut_crop
from vision.domain import FloatArray

LEFT_OUT = ("nellbyler", "rune55", "epanemu")
STEPS = 1200
SHARE_OF_NONE = 0.2  # of what counts: at the table most squares that are asked about are dice
TEMPERATURES = np.exp(np.linspace(np.log(0.5), np.log(5), 200))


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """Logits (N, 7) on N crops of an author left out, their classes (N,) and how much each counts (N,)."""

    logits: FloatArray
    truth: NDArray[np.intp]
    weight: FloatArray


def answers(patches: Patches, author: int, steps: int, seed: int) -> Answers:
    """What a reader that has not seen an author says of that author's patches, as they are."""
    name = AUTHORS[author]
    model = train(patches, course(patches, steps, seed, name), OUT / f"without-{name}.pt")
    save(model, OUT / f"trained-without-{name}.pt")
    rows = np.flatnonzero(patches.author == author)
    middle = np.full(2, (PATCH_SIDE - 1) / 2)
    crops = np.array([cut_crop(patches.image[row], middle, PATCH_SIDE / PATCH_REACH) for row in rows])
    none = patches.face[rows] == NONE
    weight = np.where(none, SHARE_OF_NONE / max(none.sum(), 1), (1 - SHARE_OF_NONE) / (~none).sum())
    return Answers(logits_of(model, crops), patches.face[rows], weight)


def softmax(logits: FloatArray) -> FloatArray:
    """Chances (N, K) of logits (N, K)."""
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))


def fit_temperature(every: list[Answers]) -> float:
    """The temperature of TEMPERATURES under which the truth is most likely."""

    def surprise(temperature: float) -> float:
        total = 0.0
        for said in every:
            chance = softmax(said.logits / temperature)[np.arange(len(said.truth)), said.truth]
            total -= float(said.weight @ np.log(np.maximum(chance, 1e-12)))
        return total

    return float(min(TEMPERATURES, key=surprise))


def report(name: str, said: Answers, temperature: float) -> dict[str, float]:
    """Print how an author's dice and other squares were read, and return the shares."""
    chance = softmax(said.logits / temperature)
    best, dice = chance.argmax(axis=1), said.truth != NONE
    right = best == said.truth
    refused = dice & (best == NONE)
    shares = {
        "dice": int(dice.sum()),
        "right": float(right[dice].mean()),
        "wrong face": float((dice & ~right & ~refused).sum() / dice.sum()),
        "dice refused": float(refused.sum() / dice.sum()),
        "wrong face, sure": float(
            (dice & ~right & ~refused & (chance.max(axis=1) >= 0.9)).sum() / dice.sum()
        ),
        "none refused": float(right[~dice].mean()),
    }
    print(name, {key: round(value, 4) for key, value in shares.items()})
    print(reliability(chance, said.truth), flush=True)
    return shares


def main() -> None:
    """Train without each author, fit the temperature, print and keep the figures."""
    parser = OneLineParser(prog="python -m models.calibrate", description=__doc__)
    parser.add_argument("--real", type=Path, default=REAL, metavar="DIR")
    parser.add_argument("--made", type=existing_folder, nargs="*", default=[], metavar="DIR")
    parser.add_argument("--steps", type=steps, default=STEPS)
    args = parser.parse_args()
    patches = gather(pictures(must_be_folder(args.real, "--real"), args.made), SEED)
    every = {name: answers(patches, AUTHORS.index(name), args.steps, SEED) for name in LEFT_OUT}
    temperature = round(fit_temperature(list(every.values())), 3)
    figures = {name: report(name, said, temperature) for name, said in every.items()}
    kept = {"temperature": temperature, "steps": args.steps, "left out": figures}
    CALIBRATION.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    print(f"temperature {temperature}: {CALIBRATION}")


if __name__ == "__main__":
    main()
