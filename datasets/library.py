"""The folder a set is made in: what is there already, adding to it whole or not at all, its manifest.

A set is of pictures, rig by rig, or of clips: `RIGS` and `CLIPS` say where each keeps what.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

import numpy as np

from datasets.contact_sheet import COLUMNS, Cell, clip_cells, contact_sheet, picture_cell
from datasets.filming import clip_name, film_clip
from datasets.rig_maker import MadeRig, Order, make_rig, rig_name
from vision.opencv import cv2

ORDER_FILE: Final = "order.json"
MANIFEST: Final = "manifest.json"
SHEET_ROWS: Final = 5
PICTURES_LICENCE: Final = "CC0-1.0"
_LIBRARIES: Final = (
    "mitsuba",
    "mitsuba-oidn",
    "mujoco",
    "numpy",
    "opencv-python",
    "opencv-python-headless",
    "imageio-ffmpeg",
)
_MUST_AGREE: Final = ("seed", "recipe", "throws", "renderer")  # the count may grow

Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Kind:
    """What a folder holds: its name, that of its throws, how one is made, written and read, and where.

    `there` and `unfinished` match what is or was being made; `records` tells what each is made of; `throws`
    gives the truth of every throw; `cells` what a contact sheet may show of one file that `shown` matches.
    """

    noun: str
    each: str
    command: str
    make: Callable[..., MadeRig]
    there: str
    unfinished: str
    records: str
    is_whole: Callable[[Path, Order, int], bool]
    add: Callable[[Path, MadeRig], None]
    throws: Callable[[Path], Iterator[Record]]
    shown: str
    cells: Callable[[Path], list[Cell]]


class LibraryError(ValueError):
    """A folder that holds something else than what is to be made there."""


def open_library(folder: Path, order: Order, kind: Kind) -> list[int]:
    """Return what is still to be made, by number, after comparing the folder's order.

    Raises LibraryError when the folder was begun with another order, or that cannot be read.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / ORDER_FILE
    if path.is_file():
        _compare(path, _order_in(path), order)
    elif any(folder.glob(kind.there)):
        raise LibraryError(f"{folder}: found {kind.noun} but no {ORDER_FILE}; an empty folder is accepted")
    for left in folder.glob(kind.unfinished):
        if left.is_dir():
            shutil.rmtree(left)
        else:
            left.unlink()
    return [number for number in range(order.rigs) if not kind.is_whole(folder, order, number)]


def lay_down(folder: Path, order: Order) -> None:
    """Write what is made in `folder`, for whoever goes on with it."""
    _write(folder / ORDER_FILE, asdict(order))


def _order_in(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise LibraryError(f"{path}: not JSON ({error}); accepted is what was written there") from error
    if not isinstance(found, dict):
        raise LibraryError(f"{path}: found {found!r}; accepted is what was written there")
    return found


def _compare(path: Path, found: dict[str, Any], order: Order) -> None:
    for key in _MUST_AGREE:
        if found.get(key) != getattr(order, key):
            raise LibraryError(
                f"{path}: found {key} {found.get(key)!r}, asked for {getattr(order, key)!r}; "
                "accepted is the same, or another folder"
            )


def _is_whole_rig(folder: Path, order: Order, number: int) -> bool:
    rig = folder / "rigs" / rig_name(number)
    whole = [truth for truth in rig.glob("[0-9]*.json") if truth.with_suffix(".jpg").is_file()]
    return (rig / "table.json").is_file() and len(whole) >= order.pictures_of(number)


def _add_rig(folder: Path, made: MadeRig) -> None:
    """Write the rig's files; an interruption leaves either the whole rig or none of it."""
    target = folder / "rigs" / made.name
    unfinished = folder / "rigs" / f".{made.name}"
    unfinished.mkdir(parents=True, exist_ok=True)
    for name, data in made.files.items():
        (unfinished / name).write_bytes(data)
    if target.exists():  # a last rig that is to show more throws than before
        shutil.rmtree(target)
    unfinished.replace(target)


def _is_whole_clip(folder: Path, _order: Order, number: int) -> bool:
    return (folder / f"{clip_name(number)}.json").is_file()


def _add_clip(folder: Path, made: MadeRig) -> None:
    """Write the film first and the truth last: a clip is there when its truth is."""
    for name, data in made.files.items():
        unfinished = folder / f".{name}"
        unfinished.write_bytes(data)
        unfinished.replace(folder / name)


def _rig_throws(folder: Path) -> Iterator[Record]:
    for path in sorted(folder.glob("rigs/*/[0-9]*.json")):
        yield _read(path)


def _clip_throws(folder: Path) -> Iterator[Record]:
    for path in sorted(folder.glob("clip-[0-9]*.mp4")):
        yield from _read(path.with_suffix(".json"))["events"]


RIGS: Final = Kind(
    noun="rigs",
    each="pictures",
    command="datasets.make",
    make=make_rig,
    there="rigs/*",
    unfinished="rigs/.*",
    records="rigs/*/rig.json",
    is_whole=_is_whole_rig,
    add=_add_rig,
    throws=_rig_throws,
    shown="rigs/*/[0-9]*.jpg",
    cells=lambda path: [picture_cell(path)],
)
CLIPS: Final = Kind(
    noun="clips",
    each="throws",
    command="datasets.make_clips",
    make=film_clip,
    there="clip-*",
    unfinished=".clip-*",
    records="clip-*.rig.json",
    is_whole=_is_whole_clip,
    add=_add_clip,
    throws=_clip_throws,
    shown="clip-*.mp4",
    cells=clip_cells,
)


def write_manifest(folder: Path, order: Order, kind: Kind) -> Record:
    """Write and return what the folder holds, where it comes from, its licence, what was thrown away."""
    counts = _counts(folder, kind)
    source = {
        "name": f"titusind, python -m {kind.command}",
        "author": "The titusind authors",
        "licence": PICTURES_LICENCE,
        "program_licence": "AGPL-3.0-or-later",
        kind.noun: counts[kind.noun],
        kind.each: counts[kind.each],
        "outside": False,
    }
    manifest = {"order": asdict(order), **counts, "made_with": library_versions(), "sources": [source]}
    _write(folder / MANIFEST, manifest)
    return manifest


def _counts(folder: Path, kind: Kind) -> Record:
    names = ("recipes", "verdicts", "reasons", "states", "faces", "kinds", "rejected")
    counts: dict[str, Counter[str]] = {name: Counter() for name in names}
    made = throws = glared = unreadable = 0
    for path in folder.glob(kind.records):
        record = _read(path)
        made += 1
        glared += record.get("glared", 0)
        counts["recipes"].update(record["recipes"])
        counts["rejected"].update(record["rejected"])
    for truth in kind.throws(folder):
        throws += 1
        unreadable += sum(not die.get("readable", True) for die in truth["dice"])
        counts["kinds"][truth.get("kind", "throw")] += 1
        counts["verdicts"][truth["verdict"]] += 1
        counts["reasons"].update(truth["reasons"])
        counts["states"].update(die["state"] for die in truth["dice"])
        counts["faces"].update(str(die["face"]) for die in truth["dice"])
    sorted_counts = {name: dict(sorted(count.items())) for name, count in counts.items()}
    whole = {kind.noun: made, kind.each: throws, "glared": glared, "unreadable_dice": unreadable}
    return whole | sorted_counts


def _read(path: Path) -> Record:
    record: Record = json.loads(path.read_text(encoding="utf-8"))
    return record


def library_versions() -> dict[str, str]:
    """Return the versions of what pictures are made with, by package."""
    found = {}
    for library in _LIBRARIES:
        try:
            found[library] = version(library)
        except PackageNotFoundError:
            continue
    return found


def write_sheets(folder: Path, sheets: int, kind: Kind) -> None:
    """Write up to `sheets` contact sheets, what they show spread over the whole set."""
    paths = sorted(folder.glob(kind.shown))
    cells_each = len(kind.cells(paths[0])) if paths and sheets else 1
    room = max(1, SHEET_ROWS * COLUMNS // cells_each)
    for number in range(min(sheets, -(-len(paths) // room))):
        share = paths[number::sheets]
        chosen = [share[round(at)] for at in np.linspace(0, len(share) - 1, min(room, len(share)))]
        sheet = contact_sheet([cell for path in chosen for cell in kind.cells(path)])
        cv2.imwrite(str(folder / f"sheet-{number}.jpg"), sheet, [cv2.IMWRITE_JPEG_QUALITY, 85])


def _write(path: Path, record: dict[str, Any]) -> None:
    unfinished = path.with_suffix(".part")
    unfinished.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    unfinished.replace(path)
