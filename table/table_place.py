"""Where the calibration made on the page is kept: found at the next start, the one before it not lost."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from table.store.arguments import default_path
from vision.calibrate.table_file import table_record, write_table
from vision.calibration import CLIP_TRUTH_KEYS, EMPTY_IMAGE, load_calibration
from vision.domain import TableCalibration
from vision.errors import CalibrationError
from vision.opencv import cv2
from vision.whole_file import write_whole

TABLE_FILE = "table.json"


def kept_place(named: Path | None, games: Path | None, *, live: bool) -> Path | None:
    """Return the file that a calibration is written to: the one `named`, else one beside the `games`.

    A clip has none but that which was named, and if that is the truth file of a labelled clip, none.
    """
    if named is None:
        return default_table(games) if live else None
    return None if _is_truth(named) else named


def default_table(games: Path | None) -> Path:
    """Return where a camera's table is kept, and looked for when none is named."""
    return (games or default_path()).with_name(TABLE_FILE)


def found_table(games: Path | None, complain: Callable[[object], None]) -> TableCalibration | None:
    """Return the calibration that a page has written, and say so; None where there is none, or a bad one."""
    path = default_table(games)
    if not path.exists():
        return None
    try:
        calibration = load_calibration(path)
    except CalibrationError as error:
        complain(f"{error}; the table plays without a calibration: calibrate anew on the page")
        return None
    print(f"Calibrated by {path} (another: --table; anew: Calibrate on the page)", flush=True)
    return calibration


def write_anew(path: Path, calibration: TableCalibration) -> TableCalibration:
    """Write `calibration` to `path`, its empty picture beside it, and return it as it is read back.

    What was there is kept as `NAME-old.json`. Raises OSError, or CalibrationError should it not be read.
    """
    empty = calibration.empty_image
    name = f"{path.stem}-empty.png"
    _keep_old(path, name)
    picture = None if empty is None else (name, cv2.imencode(".png", empty)[1].tobytes())
    write_table(path, table_record(calibration, picture and name), picture)
    return load_calibration(path)


def _keep_old(path: Path, taken: str) -> None:
    """Copy what lies at `path`, and its empty picture where that is the one whose name is `taken`."""
    if not path.exists():
        return
    data, record = path.read_bytes(), _record(path)
    if record.get("empty_image", EMPTY_IMAGE) == taken and path.with_name(taken).exists():
        kept = f"{path.stem}-old-empty.png"
        write_whole(path.with_name(kept), path.with_name(taken).read_bytes())
        data = (json.dumps({**record, "empty_image": kept}) + "\n").encode()
    write_whole(path.with_name(f"{path.stem}-old.json"), data)


def _record(path: Path) -> dict[str, Any]:
    with suppress(ValueError, OSError):
        record = json.loads(path.read_bytes())
        if isinstance(record, dict):
            return record
    return {}


def _is_truth(path: Path) -> bool:
    return not CLIP_TRUTH_KEYS.isdisjoint(_record(path))
