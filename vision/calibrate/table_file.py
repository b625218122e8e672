"""Write `table.json`, the calibration of one table, and the empty picture beside it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from vision.domain import FloatArray, TableCalibration
from vision.whole_file import write_whole

DIGITS = 9  # significant; far below what any picture tells


def table_record(calibration: TableCalibration, empty_image: str | None) -> dict[str, object]:
    """`calibration` as the object that `table.json` holds; what is not known has no key."""
    pose = calibration.floor_pose
    values: dict[str, object] = {
        "image_size": calibration.image_size,
        "camera_matrix": _listed(calibration.camera_matrix),
        "distortion": _listed(calibration.distortion),
        "floor_pose": pose and {"rvec": _listed(pose.rvec), "tvec_mm": _listed(pose.tvec_mm)},
        "floor_to_image": _listed(calibration.floor_to_image),
        "area_px": _listed(calibration.area_px),
        "die_mm": calibration.die_mm,
        "empty_image": empty_image,
    }
    return {key: value for key, value in values.items() if value is not None}


def _listed(numbers: FloatArray | tuple[float, ...] | None) -> object:
    if numbers is None:
        return None
    array = np.asarray(numbers, dtype=np.float64)
    short = [float(f"{number:.{DIGITS}g}") for number in array.ravel()]
    return np.reshape(short, array.shape).tolist()


def write_table(path: Path, record: dict[str, object], empty: tuple[str, bytes] | None) -> None:
    """Write `record` to `path`, and `empty`, a picture file's name and bytes, beside it.

    Each is put in place whole, the table last. Raises OSError.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    if empty:
        write_whole(path.parent / empty[0], empty[1])
    write_whole(path, (json.dumps(record) + "\n").encode())
