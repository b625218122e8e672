"""The folder a set is made in: what is there already, adding to it whole or not at all, its manifest."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

import numpy as np

from datasets.contact_sheet import COLUMNS, contact_sheet
from datasets.rig_maker import MadeRig, Order, rig_name
from vision.opencv import cv2

ORDER_FILE: Final = "order.json"
MANIFEST: Final = "manifest.json"
SHEET_ROWS: Final = 5
_LIBRARIES: Final = ("mitsuba", "mitsuba-oidn", "mujoco", "numpy", "opencv-python", "opencv-python-headless")
_MUST_AGREE: Final = ("seed", "recipe", "throws", "renderer")  # the count may grow


class LibraryError(ValueError):
    """A folder that holds something else than what is to be made there."""


def open_library(folder: Path, order: Order) -> list[int]:
    """Return the rigs still to be made, after laying down or comparing the folder's order.

    Raises LibraryError when the folder was begun with another order.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / ORDER_FILE
    if path.is_file():
        _compare(path, json.loads(path.read_text(encoding="utf-8")), order)
    elif any(folder.glob("rigs/*")):
        raise LibraryError(f"{folder}: found rigs but no {ORDER_FILE}; an empty folder is accepted")
    _write(path, asdict(order))
    for left in folder.glob("rigs/.*"):
        shutil.rmtree(left)
    return [number for number in range(order.rigs) if not _is_whole(folder, order, number)]


def _compare(path: Path, found: dict[str, Any], order: Order) -> None:
    for key in _MUST_AGREE:
        if found.get(key) != getattr(order, key):
            raise LibraryError(
                f"{path}: found {key} {found.get(key)!r}, asked for {getattr(order, key)!r}; "
                "accepted is the same, or another folder"
            )


def _is_whole(folder: Path, order: Order, number: int) -> bool:
    pictures = list((folder / "rigs" / rig_name(number)).glob("[0-9]*.json"))
    return len(pictures) >= order.pictures_of(number)


def add_rig(folder: Path, made: MadeRig) -> None:
    """Write the rig's files; an interruption leaves either the whole rig or none of it."""
    target = folder / "rigs" / made.name
    unfinished = folder / "rigs" / f".{made.name}"
    unfinished.mkdir(parents=True, exist_ok=True)
    for name, data in made.files.items():
        (unfinished / name).write_bytes(data)
    if target.exists():  # a last rig that is to show more throws than before
        shutil.rmtree(target)
    unfinished.replace(target)


def write_manifest(folder: Path, order: Order) -> dict[str, Any]:
    """Write and return what the folder holds, where it comes from and what was thrown away."""
    manifest: dict[str, Any] = (
        {"order": asdict(order)} | _counts(folder / "rigs") | {"made_with": _versions()}
    )
    manifest["sources"] = [
        {
            "name": "titusind, python -m datasets.make",
            "author": "The titusind authors",
            "licence": "AGPL-3.0-or-later",
            "pictures": manifest["pictures"],
            "outside": False,
        }
    ]
    _write(folder / MANIFEST, manifest)
    return manifest


def _counts(rigs: Path) -> dict[str, Any]:
    names = ("recipes", "verdicts", "reasons", "states", "faces", "rejected")
    counts: dict[str, Counter[str]] = {name: Counter() for name in names}
    pictures = 0
    for record in _records(rigs.glob("*/rig.json")):
        counts["recipes"].update(record["recipes"])
        counts["rejected"].update(record["rejected"])
    for truth in _records(rigs.glob("*/[0-9]*.json")):
        pictures += 1
        counts["verdicts"][truth["verdict"]] += 1
        counts["reasons"].update(truth["reasons"])
        counts["states"].update(die["state"] for die in truth["dice"])
        counts["faces"].update(str(die["face"]) for die in truth["dice"])
    rig_count = sum(1 for _ in rigs.glob("*/table.json"))
    sorted_counts = {name: dict(sorted(count.items())) for name, count in counts.items()}
    return {"rigs": rig_count, "pictures": pictures, **sorted_counts}


def _records(paths: Iterable[Path]) -> Iterator[dict[str, Any]]:
    for path in paths:
        yield json.loads(path.read_text(encoding="utf-8"))


def _versions() -> dict[str, str]:
    found = {}
    for library in _LIBRARIES:
        try:
            found[library] = version(library)
        except PackageNotFoundError:
            continue
    return found


def write_sheets(folder: Path, sheets: int) -> None:
    """Write up to `sheets` contact sheets, the pictures spread over the whole set."""
    pictures = sorted(path for path in folder.glob("rigs/*/[0-9]*.jpg"))
    room = SHEET_ROWS * COLUMNS
    for number in range(min(sheets, -(-len(pictures) // room))):
        share = pictures[number::sheets]
        chosen = [share[round(at)] for at in np.linspace(0, len(share) - 1, min(room, len(share)))]
        sheet = contact_sheet(chosen)
        cv2.imwrite(str(folder / f"sheet-{number}.jpg"), sheet, [cv2.IMWRITE_JPEG_QUALITY, 85])


def _write(path: Path, record: dict[str, Any]) -> None:
    unfinished = path.with_suffix(".part")
    unfinished.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    unfinished.replace(path)
