"""Readers of labelled clips: NAME.mp4 with the truth of its throws beside it, in one of two formats.

NAME.json         a calibration, `n_frames`, and `events` and `actions` with their frames
NAME.events.csv   first_still_frame, last_still_frame, faces like 1-3-5; without faces the table is empty
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from table.evaluation.formats import (
    FACE_FOLDERS,
    expected_dice,
    is_legible,
    read_object,
    read_rows,
    rig_verdict,
    understood,
)
from table.evaluation.labels import LabelError, LabelledDie, TrueVerdict, folder_name
from vision.domain import Ruling

CLIP_SUFFIXES = frozenset({".mp4", ".mkv", ".mov", ".avi"})
SIDECAR = (
    "n_frames, actions, and events with frame_start, frame_settled, verdict, reasons, n_expected and dice"
)
CSV_COLUMNS = ("first_still_frame", "last_still_frame", "faces")


@dataclass(frozen=True, slots=True)
class LabelledThrow:
    """A throw of a clip. Frame numbers start at 0.

    `start`: first frame of the movement; `still`: first frame of rest; `last`: last one before a hand, the
    next throw or the end of the clip.
    """

    start: int
    still: int
    last: int
    dice: tuple[LabelledDie, ...]
    verdict: TrueVerdict


@dataclass(frozen=True, slots=True)
class LabelledClip:
    """A clip with its throws in order; `expected_dice` as in `TableLoop`, None where nobody counted."""

    path: Path
    throws: tuple[LabelledThrow, ...]
    expected_dice: int | None = None
    table: Path | None = None


@dataclass(frozen=True, slots=True)
class ClipFolder:
    """All clips of one folder."""

    path: Path
    clips: tuple[LabelledClip, ...]

    @property
    def name(self) -> str:
        """As of a folder of pictures: `dev/clips`."""
        return folder_name(self.path)


def holds_clips(folder: Path) -> bool:
    """Whether `folder` holds a labelled clip; what else lies there, such as an empty tray, is no matter."""
    return folder.is_dir() and any(
        label.is_file() for path in _clips(folder) for label in (_sidecar(path), _rows(path))
    )


def read_clip_folder(folder: Path) -> ClipFolder:
    """Read the labels of all clips in `folder`; raises LabelError with one line when they are wrong."""
    return ClipFolder(folder, tuple(_read_clip(path) for path in sorted(_clips(folder))))


def _clips(folder: Path) -> Iterator[Path]:
    return (path for path in folder.iterdir() if path.suffix.lower() in CLIP_SUFFIXES)


def _sidecar(path: Path) -> Path:
    return path.with_suffix(".json")


def _rows(path: Path) -> Path:
    return path.with_suffix(".events.csv")


def _read_clip(path: Path) -> LabelledClip:
    sidecar, rows = _sidecar(path), _rows(path)
    if sidecar.is_file():
        return _read_sidecar(path, sidecar)
    if rows.is_file():
        return LabelledClip(path, tuple(_read_rows(rows)))
    raise LabelError(f"{path}: a clip without labels; {sidecar.name} or {rows.name} beside it is accepted")


def _read_sidecar(path: Path, sidecar: Path) -> LabelledClip:
    truth = read_object(sidecar)
    with understood(sidecar, SIDECAR):
        throws = tuple(_sidecar_throws(truth))
        expected = expected_dice(truth["events"][0]) if truth["events"] else None
    for throw in throws:
        _check_order(throw, str(sidecar))
    return LabelledClip(path, throws, expected, sidecar)


def _sidecar_throws(truth: Mapping[str, Any]) -> Iterator[LabelledThrow]:
    begins = sorted(happening["frame_start"] for happening in [*truth["events"], *truth["actions"]])
    for event in truth["events"]:
        start, still = event["frame_start"], event["frame_settled"]
        after = next((begin for begin in begins if begin > still), truth["n_frames"])
        dice = tuple(
            LabelledDie(die["face"], required=is_legible(die)) for die in event["dice"] if die["in_frame"]
        )
        yield LabelledThrow(start, still, after - 1, dice, rig_verdict(event))


def _read_rows(table: Path) -> Iterator[LabelledThrow]:
    start = 0
    for number, row in read_rows(table, set(CSV_COLUMNS)):
        throw = _row_throw(row, start, f"{table}:{number}")
        start = throw.last + 1
        if throw.dice:
            yield throw


def _row_throw(row: Mapping[str, str | None], start: int, where: str) -> LabelledThrow:
    """Return a row as a throw, one without dice for an empty table."""
    first, last, faces = (row[column] or "" for column in CSV_COLUMNS)
    words = faces.split("-") if faces else []
    if not (first.isdecimal() and last.isdecimal()):
        raise LabelError(f"{where}: frames {first!r} and {last!r}; two frame numbers are accepted")
    if any(word not in FACE_FOLDERS for word in words):
        raise LabelError(f"{where}: faces {faces!r}; faces 1 to 6 joined by - are accepted")
    dice = tuple(LabelledDie(int(word)) for word in words)
    throw = LabelledThrow(start, int(first), int(last), dice, TrueVerdict(Ruling.VALID))
    _check_order(throw, where)
    return throw


def _check_order(throw: LabelledThrow, where: str) -> None:
    frames = (throw.start, throw.still, throw.last)
    if any(before > after for before, after in itertools.pairwise(frames)):
        raise LabelError(
            f"{where}: movement from frame {throw.start}, rest from {throw.still} to {throw.last}; "
            "frames in this order are accepted"
        )
