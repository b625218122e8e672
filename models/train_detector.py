"""Train the die detector with Ultralytics: `python -m models.train_detector [--made DIR...]`.

Writes varied windows of all labelled pictures to `out/detector/windows`, then trains on them; started again,
it goes on from the last epoch kept. `python -m models.export_detector` writes what runs.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from models.arguments import existing_folder, must_be_folder
from models.detector_pictures import (
    SIDE,
    Boxed,
    cutouts,
    ground_pictures,
    labelled_folder,
    laid_out,
    made_pictures,
    write_set,
)
from models.train import REAL
from models.train_extra import needed
from table.command_line import OneLineParser

torch: Any = needed("torch")
YOLO: Any = needed("ultralytics").YOLO

OUT = Path("out") / "detector"
NETWORK = Path(__file__).parent / "die_detector.yaml"
COPIES = {"nellbyler": 5, "rune55": 2, "epanemu": 2}  # windows of each picture
CUT_OUT_OF = "nellbyler"  # beside the made throws
MADE_COPIES, GROUNDS, LAID = 4, 180, 2500
EPOCHS, BATCH, HIGHEST_RATE, SEED = 9, 16, 0.003, 1
CHECKED = 64  # windows that Ultralytics looks at in the end, as it must; `models.measure_detector` measures


def sources(real: Path, made: list[Path], without: str) -> Iterator[tuple[str, Iterable[Boxed], int]]:
    """Name, pictures and windows of each picture of all that is trained on."""
    for author, copies in COPIES.items():
        if author != without:
            yield author, labelled_folder(real / author), copies
    for number, folder in enumerate(made):
        yield f"made{number}", made_pictures(folder), MADE_COPIES
    yield "grounds", ground_pictures(GROUNDS, SEED), 1
    yield "laid", laid_pictures(real, made, without), 1


def laid_pictures(real: Path, made: list[Path], without: str) -> Iterator[Boxed]:
    """Dice cut out of their pictures, laid on other grounds."""
    sources = [] if without == CUT_OUT_OF else [labelled_folder(real / CUT_OUT_OF)]
    sources += [made_pictures(folder) for folder in made]
    dice = [die for source in sources for picture in source for die in cutouts(picture)]
    empty = [ground_pictures(GROUNDS, SEED), *(made_pictures(folder) for folder in made)]
    grounds = [picture.image for source in empty for picture in source if not len(picture.boxes)]
    print(f"{len(dice)} dice cut out, {len(grounds)} grounds", flush=True)
    return laid_out(grounds, dice, LAID, SEED)


def write_windows(to: Path, real: Path, made: list[Path], without: str) -> Path:
    """Write the windows and what Ultralytics must know of them; return the path of the latter."""
    described = to / "windows.yaml"
    if not described.exists():
        shutil.rmtree(to, ignore_errors=True)
        count = write_set(sources(real, made, without), to, SEED)
        few = sorted((to / "images").iterdir())[:CHECKED]
        (to / "few.txt").write_text("\n".join(str(path.resolve()) for path in few), encoding="utf-8")
        described.write_text(
            f"path: {to.resolve()}\ntrain: images\nval: few.txt\nnames: [die]\n", encoding="utf-8"
        )
        print(f"{to}: {count} windows", flush=True)
    return described


def train(windows: Path, out: Path, epochs: int) -> Path:
    """Train, or go on with a training cut off, and return the path of the trained network."""
    torch.set_num_threads(1)
    last, done = out / "training" / "weights" / "last.pt", out / "training" / "done"
    if done.exists():
        return last
    if last.exists():
        YOLO(last).train(resume=True)
        done.touch()
        return last
    YOLO(NETWORK).train(
        data=str(windows),
        imgsz=SIDE,
        epochs=epochs,
        batch=BATCH,
        seed=SEED,
        project=str(out.resolve()),
        name="training",
        exist_ok=True,
        device="cpu",
        workers=0,
        optimizer="AdamW",
        lr0=HIGHEST_RATE,
        warmup_epochs=0.5,
        cos_lr=True,
        val=False,
        plots=False,
        save_period=1,
        pretrained=False,
        # the windows are varied already
        mosaic=0.0,
        degrees=0.0,
        translate=0.05,
        scale=0.15,
        hsv_h=0.0,
        hsv_s=0.0,
        hsv_v=0.1,
        fliplr=0.5,
        flipud=0.5,
        erasing=0.0,
    )
    done.touch()
    return last


def main() -> None:
    """Write the windows and train on them."""
    parser = OneLineParser(prog="python -m models.train_detector", description=__doc__)
    parser.add_argument("--real", type=Path, default=REAL, metavar="DIR", help="folders by author")
    parser.add_argument(
        "--made", type=existing_folder, nargs="*", default=[], metavar="DIR", help="rigs of made throws"
    )
    parser.add_argument("--without", choices=tuple(COPIES), default="", help="an author to leave out")
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    parser.add_argument("--out", type=Path, default=OUT, metavar="DIR")
    args = parser.parse_args()
    windows = write_windows(
        args.out / "windows", must_be_folder(args.real, "--real"), args.made, args.without
    )
    print(f"trained: {train(windows, args.out, args.epochs)}")


if __name__ == "__main__":
    main()
