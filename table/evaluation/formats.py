"""Readers of the label formats; `read_folder` picks the one whose marks lie in the folder.

readings   `readings.csv` (image, dice, faces like 1-3-5, condition) beside `images/`
yolo       `images/` with `labels/*.txt`: class 0-5 is face 1-6, then centre and size as fractions
rig        `NNN.jpg` with `NNN.json`, one `table.json` for the folder
crops      folders `1` to `6`, each picture in them holds one die with that face
empty      any pictures, on the caller's word that no die is in them
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable, Iterator, Mapping, Set
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from table.evaluation.labels import (
    Box,
    FolderReader,
    LabelError,
    LabelledDie,
    LabelledFolder,
    LabelledStill,
    ReadStills,
    TrueVerdict,
)
from vision.domain import ReasonKind, Ruling

PICTURE_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".tif", ".tiff", ".webp"})
FACE_FOLDERS = tuple("123456")
LEAST_VISIBLE = 0.7  # the rigs hold nothing between 0.54 and 0.83: below, a die is half hidden
STEEPEST_DEG = 35.0  # the rigs promise legible pips up to here


def read_folder(folder: Path, *, unlabelled_is_empty: bool = False) -> LabelledFolder:
    """Read the labels of `folder`; raises LabelError with one line where there are none to be read.

    A picture whose labels are wrong is left out, and told of.
    """
    if not folder.is_dir():
        raise LabelError(f"{folder}: not a folder; a folder of labelled pictures is accepted")
    labels, reader = _pick(folder, unlabelled_is_empty)
    read = list(reader(folder))
    if not read:
        raise LabelError(f"{folder}: no pictures found ({labels} labels)")
    stills = tuple(each for each in read if isinstance(each, LabelledStill))
    errors = [each for each in read if isinstance(each, LabelError)]
    if not stills:
        raise errors[0]
    unpaired = _UNPAIRED[labels](folder) if labels in _UNPAIRED else ()
    return LabelledFolder(folder, labels, stills, (*(f"{each}; left out" for each in errors), *unpaired))


def _pick(folder: Path, unlabelled_is_empty: bool) -> tuple[str, FolderReader]:
    if (folder / "readings.csv").is_file():
        return "readings", _read_readings
    if (folder / "labels").is_dir():
        return "yolo", _read_yolo
    if (folder / "table.json").is_file():
        return "rig", _read_rig
    if any((folder / face).is_dir() for face in FACE_FOLDERS):
        return "crops", _read_crops
    if unlabelled_is_empty:
        return "empty", _read_empty
    raise LabelError(
        f"{folder}: no labels; readings.csv, labels/*.txt, table.json with NNN.json, folders 1 to 6, or "
        "clips with NAME.json or NAME.events.csv are accepted, or --empty when its pictures show no dice"
    )


def _pictures(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("*") if path.suffix.lower() in PICTURE_SUFFIXES)


def _picture_folder(folder: Path) -> Path:
    images = folder / "images"
    return images if images.is_dir() else folder


def _still_or_error(read: Callable[[], LabelledStill]) -> LabelledStill | LabelError:
    try:
        return read()
    except LabelError as error:
        return error


def _read_readings(folder: Path) -> ReadStills:
    table = folder / "readings.csv"
    pictures = _picture_folder(folder)
    for number, row in read_rows(table, {"image", "dice", "faces"}):
        yield _still_or_error(partial(_still_of_row, row, pictures, f"{table}:{number}"))


def read_rows(table: Path, needed: Set[str]) -> list[tuple[int, dict[str, str | None]]]:
    """Return the rows of a CSV file by their last line's number; raises LabelError for a wrong file."""
    rows = csv.DictReader(io.StringIO(_text(table), newline=""))
    try:
        missing = needed - set(rows.fieldnames or ())
        if missing:
            names = ", ".join(sorted(missing))
            raise LabelError(f"{table}: column {names} missing; {', '.join(sorted(needed))} are accepted")
        return [(rows.line_num, row) for row in rows]
    except csv.Error as error:
        raise LabelError(f"{table}:{rows.line_num}: {error}; comma-separated columns are accepted") from None


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise LabelError(f"{path}: not UTF-8; text in UTF-8 is accepted") from None


def _still_of_row(row: Mapping[str, str | None], pictures: Path, where: str) -> LabelledStill:
    words = (row["faces"] or "").split("-") if row["faces"] else []
    if any(word not in FACE_FOLDERS for word in words):
        raise LabelError(f"{where}: faces {row['faces']!r}; faces 1 to 6 joined by - are accepted")
    if row["dice"] != str(len(words)):
        raise LabelError(f"{where}: {row['dice']!r} dice but {len(words)} faces {row['faces']!r}")
    dice = tuple(LabelledDie(int(word)) for word in words)
    flat = bool(dice) and row.get("condition") == "flat"
    return LabelledStill(pictures / (row["image"] or ""), dice, TrueVerdict(Ruling.VALID) if flat else None)


def _read_yolo(folder: Path) -> ReadStills:
    for path in _pictures(_picture_folder(folder)):
        yield _still_or_error(partial(_yolo_still, path, folder / "labels" / f"{path.stem}.txt"))


def _yolo_still(path: Path, label: Path) -> LabelledStill:
    return LabelledStill(path, _yolo_dice(label))


def _yolo_dice(label: Path) -> tuple[LabelledDie, ...]:
    if not label.is_file():  # YOLO's own convention: no file, nothing in the picture
        return ()
    lines = _text(label).splitlines()
    return tuple(_yolo_die(line, f"{label}:{n}") for n, line in enumerate(lines, start=1) if line.strip())


def _yolo_die(line: str, where: str) -> LabelledDie:
    try:
        kind, x, y, width, height = (float(word) for word in line.split())
    except ValueError:
        raise LabelError(f"{where}: {line!r}; class, centre x y, width and height are accepted") from None
    if kind not in range(6):
        raise LabelError(f"{where}: class {kind:g}; 0 to 5 (face 1 to 6) are accepted")
    if not all(0 <= each <= 1 for each in (x, y, width, height)):  # nor is what is no number
        raise LabelError(f"{where}: {line!r}; a box in fractions of the picture, 0 to 1, is accepted")
    return LabelledDie(int(kind) + 1, Box(x - width / 2, y - height / 2, x + width / 2, y + height / 2))


def _read_rig(folder: Path) -> ReadStills:
    table = folder / "table.json"
    with understood(table, "image_size as [width, height]"):
        width, height = read_object(table)["image_size"]
    for path in _rig_pictures(folder):
        yield _still_or_error(partial(_rig_still, path, table, width, height))


@contextmanager
def understood(path: Path, accepted: str) -> Iterator[None]:
    """Turn what goes wrong while the label in `path` is read into a LabelError."""
    try:
        yield
    except LabelError:
        raise
    except (LookupError, TypeError, ValueError, ZeroDivisionError) as error:
        found = f"no {error}" if isinstance(error, LookupError) else str(error)
        raise LabelError(f"{path}: found {found}; {accepted} are accepted") from error


def _rig_pictures(folder: Path) -> Iterator[Path]:
    return (
        path for path in _pictures(folder) if path.with_suffix(".json").is_file() and path.stem != "table"
    )


def _rig_still(path: Path, table: Path, width: int, height: int) -> LabelledStill:
    label = path.with_suffix(".json")
    truth = read_object(label)
    with understood(label, "verdict, reasons, n_expected and dice"):
        return LabelledStill(
            path,
            tuple(_rig_die(die, width, height) for die in truth["dice"] if die["in_frame"]),
            rig_verdict(truth),
            expected_dice(truth),
            table,
        )


def _rig_die(die: Mapping[str, Any], width: int, height: int) -> LabelledDie:
    xs, ys = zip(*die["corners_px"], strict=True)
    if not all(map(math.isfinite, (*xs, *ys))):
        raise ValueError(f"corners_px {die['corners_px']}, not pixels")
    box = Box(min(xs) / width, min(ys) / height, max(xs) / width, max(ys) / height)
    return LabelledDie(face_of(die), box, is_legible(die))


def face_of(die: Mapping[str, Any]) -> int:
    """The face of a die of a rig's or clip's truth; raises ValueError."""
    face = die["face"]
    if type(face) is not int or not 1 <= face <= 6:
        raise ValueError(f"face {face!r}, not 1 to 6")
    return face


def is_legible(die: Mapping[str, Any]) -> bool:
    """Whether a reader can be held to a die of a rig's or clip's truth."""
    seen = die.get("visible", 1.0) >= LEAST_VISIBLE and die["tilt_deg"] <= STEEPEST_DEG
    return bool(seen and die.get("readable", True))


def expected_dice(truth: Mapping[str, Any]) -> int:
    """How many dice a rig's picture or a clip's throw should have; raises ValueError."""
    dice = truth["n_expected"]
    if type(dice) is not int or dice < 0:
        raise ValueError(f"n_expected {dice!r}, not a number of dice")
    return dice


def rig_verdict(truth: Mapping[str, Any]) -> TrueVerdict:
    """What the truth of a rig's picture or a clip's throw says.

    A die that left the picture counts as outside, but nothing in the picture says so: left open.
    """
    kinds = frozenset(ReasonKind(kind) for kind in truth["reasons"])
    seen_outside = any(die["in_frame"] and die["state"] == "outside" for die in truth["dice"])
    lost = ReasonKind.MISSING in kinds and not seen_outside
    return TrueVerdict(Ruling(truth["verdict"]), kinds, frozenset({ReasonKind.OUTSIDE} if lost else ()))


def read_object(path: Path) -> dict[str, Any]:
    """Return the JSON object in `path`; raises LabelError if there is none."""
    text = _text(path)
    try:
        record = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise LabelError(f"{path}: not JSON ({error}); a JSON object is accepted") from None
    if not isinstance(record, dict):
        raise LabelError(f"{path}: {type(record).__name__}; a JSON object is accepted")
    return record


def _read_crops(folder: Path) -> ReadStills:
    for face in FACE_FOLDERS:
        for path in _pictures(folder / face):
            yield LabelledStill(path, (LabelledDie(int(face)),))


def _read_empty(folder: Path) -> ReadStills:
    return (LabelledStill(path, ()) for path in _pictures(_picture_folder(folder)))


def _unpaired_yolo(folder: Path) -> Iterator[str]:
    pictures = {path.stem for path in _pictures(_picture_folder(folder))}
    for label in sorted((folder / "labels").glob("*.txt")):
        if label.stem not in pictures:
            yield f"{label}: labels of no picture; left out"


def _unpaired_rig(folder: Path) -> Iterator[str]:
    pictures = {path.stem for path in _pictures(folder) if path.stem.isdecimal()}
    labels = {path.stem for path in folder.glob("*.json") if path.stem.isdecimal()}
    for stem in sorted(pictures ^ labels):
        lacks = f"{stem}.json" if stem in pictures else "picture"
        yield f"{folder / stem}: found no {lacks} for it; left out"


_UNPAIRED = {"yolo": _unpaired_yolo, "rig": _unpaired_rig}
