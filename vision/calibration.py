"""Reads `table.json`, the calibration of one table, and refuses whatever does not fit the contract."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from vision.camera_bounds import camera_fault
from vision.domain import FloatArray, FloorPose, Image, TableCalibration
from vision.errors import CalibrationError, UnreadableImageError
from vision.images import LEAST_SIDE_PX, read_image
from vision.polygon import area_of, polygon_fault

CLIP_TRUTH_KEYS = frozenset({"fps", "n_frames", "empty_frames", "events", "actions"})
EMPTY_IMAGE = "empty.jpg"
MAX_BYTES = 4 * 2**20
BEYOND = 0.25  # of the picture's sides, by which an outline may leave it: a tray that is not all in view
LEAST_AREA = 0.005  # of the picture: less than any tray whose dice can be read
FARTHEST_PX = 1e5
DIE_MM_RANGE = (5.0, 60.0)  # the smallest sold, and foam dice


class _UnfitError(Exception):
    """A value that does not fit: what was found, and what is accepted."""

    def __init__(self, found: str, accepted: str) -> None:
        super().__init__(f"found {found}; accepted is {accepted}")


def load_calibration(path: Path) -> TableCalibration:
    """Return the calibration in `path`, a JSON file with the keys of `table.json`.

    The truth file of a labelled clip is one, too: CLIP_TRUTH_KEYS may stand beside the others. Arrays are
    float64 and read-only; `empty_image` is BGR uint8 (H, W, 3), taken from `empty.jpg` beside `path` where
    the key is absent.

    Raises CalibrationError naming the file, the key, what was found and what is accepted.
    """
    values = {key: value for key, value in _read_object(path).items() if key not in CLIP_TRUTH_KEYS}
    calibration = _calibration(path, values)
    empty = _empty_image(path, values)
    size = calibration.image_size
    if size and empty is not None and empty.shape[1::-1] != size:
        raise CalibrationError(
            f"{path}: image_size: found {list(size)}; accepted is the size of the empty picture, "
            f"{list(empty.shape[1::-1])}"
        )
    _check_sense(path, calibration, size or (None if empty is None else (empty.shape[1], empty.shape[0])))
    return replace(calibration, empty_image=empty)


def _check_sense(path: Path, calibration: TableCalibration, size: tuple[int, int] | None) -> None:
    """Raise CalibrationError if what each key says may be so, but not all of it together."""
    area = calibration.area_px
    if size is not None:
        low, high = -BEYOND * np.array(size), (1 + BEYOND) * np.array(size)
        if (area < low).any() or (area > high).any():
            x, y = area[((area < low) | (area > high)).any(axis=1)][0]
            raise CalibrationError(
                f"{path}: area_px: found a corner at ({x:g}, {y:g}); accepted is none farther outside the "
                f"picture of {list(size)} than a quarter of its size"
            )
        share = area_of(area) / (size[0] * size[1])
        if share < LEAST_AREA:
            raise CalibrationError(
                f"{path}: area_px: found an outline of {area_of(area):.0f} px², {share:.1%} of the picture; "
                f"accepted is {LEAST_AREA:.1%} or more"
            )
    fault = camera_fault(calibration, size or _least_size(calibration))
    if fault is not None:
        raise CalibrationError(f"{path}: {fault.key}: found {fault.found}; accepted is {fault.accepted}")


def _least_size(calibration: TableCalibration) -> tuple[float, float]:
    """Width and height that a picture has at least that holds the area, the lens's middle in its own."""
    matrix = calibration.camera_matrix
    middle = np.zeros(2) if matrix is None else matrix[:2, 2]
    width, height = np.maximum(calibration.area_px.max(axis=0), 2 * middle).tolist()
    return width, height


def size_fault(calibration: TableCalibration | None, image_bgr: Image) -> str | None:
    """Say that a picture (H, W, 3) is not of the size the table was calibrated in; None when it may be."""
    height, width = image_bgr.shape[:2]
    made_for = None if calibration is None else calibration.image_size
    if made_for is None or made_for == (width, height):
        return None
    return (
        f"found {width}x{height} pixels; accepted is the size the table was calibrated in, its image_size "
        f"{made_for[0]}x{made_for[1]}"
    )


def _read_object(path: Path) -> dict[str, Any]:
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise CalibrationError(
                f"{path}: found {size >> 20} MiB; accepted are at most {MAX_BYTES >> 20} MiB"
            )
        values = json.loads(path.read_bytes(), object_pairs_hook=_unique)
    except OSError as error:
        raise CalibrationError(
            f"{path}: cannot be read ({error.strerror}); accepted is a JSON file"
        ) from error
    except _UnfitError as unfit:
        raise CalibrationError(f"{path}: {unfit}") from unfit
    except (ValueError, RecursionError) as error:
        raise CalibrationError(f"{path}: not JSON ({error}); accepted is a JSON object in UTF-8") from error
    if not isinstance(values, dict):
        raise CalibrationError(
            f"{path}: found {_shown(values)}; accepted is a JSON object with {_KEYS_SHOWN}"
        )
    return values


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for key, value in pairs:
        if key in values:
            raise _UnfitError(f"the key {key!r} twice", "each key once")
        values[key] = value
    return values


def _calibration(path: Path, values: Mapping[str, Any]) -> TableCalibration:
    for key in values:
        if key not in _READERS and key != "empty_image":
            raise CalibrationError(f"{path}: found unknown key {key!r}; accepted are {_KEYS_SHOWN}")
    if "area_px" not in values:
        raise CalibrationError(f"{path}: found no area_px; accepted is the floor's outline as [[x, y], ...]")
    fields = {}
    for key in _READERS.keys() & values.keys():
        try:
            fields[key] = _READERS[key](values[key])
        except _UnfitError as unfit:
            raise CalibrationError(f"{path}: {key}: {unfit}") from unfit
    calibration = TableCalibration(**fields)
    if calibration.image_size and not _overlaps(calibration.area_px, calibration.image_size):
        raise CalibrationError(
            f"{path}: area_px: found an outline wholly outside the picture; accepted is one inside "
            f"image_size {list(calibration.image_size)}"
        )
    return calibration


def _empty_image(path: Path, values: Mapping[str, Any]) -> Image | None:
    named = values.get("empty_image", EMPTY_IMAGE)
    if not isinstance(named, str) or not named:
        raise CalibrationError(
            f"{path}: empty_image: found {_shown(named)}; accepted is a path relative to this file"
        )
    picture = path.parent / named
    if "empty_image" not in values and not picture.exists():
        return None
    try:
        return read_image(picture)
    except UnreadableImageError as error:
        raise CalibrationError(f"{path}: empty_image: {error}") from error


def _overlaps(area_px: FloatArray, image_size: tuple[int, int]) -> bool:
    return bool((area_px.max(axis=0) > 0).all() and (area_px.min(axis=0) < np.asarray(image_size)).all())


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _numbers(value: object, shape: tuple[int, ...], accepted: str) -> FloatArray:
    """Return nested lists of finite JSON numbers as a read-only array; -1 in `shape` takes any length."""
    if not _has_shape(value, shape):
        raise _UnfitError(_shown(value), accepted)
    try:
        array = np.asarray(value, dtype=np.float64)
    except OverflowError:  # an integer of hundreds of digits
        array = np.array(math.inf)
    if not np.isfinite(array).all():
        raise _UnfitError("a number that is not finite", accepted)
    array.flags.writeable = False
    return array


def _has_shape(value: object, shape: tuple[int, ...]) -> bool:
    if not shape:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if not isinstance(value, list) or shape[0] not in {-1, len(value)}:
        return False
    return all(_has_shape(item, shape[1:]) for item in value)


def _image_size(value: object) -> tuple[int, int]:
    accepted = f"[width, height] in whole pixels, at least {LEAST_SIDE_PX} each"
    width, height = _numbers(value, (2,), accepted)
    if min(width, height) < LEAST_SIDE_PX or width % 1 or height % 1:
        raise _UnfitError(_shown(value), accepted)
    return int(width), int(height)


def _camera_matrix(value: object) -> FloatArray:
    accepted = "3x3 numbers [[fx, 0, cx], [0, fy, cy], [0, 0, 1]] with fx and fy above 0"
    matrix = _numbers(value, (3, 3), accepted)
    if matrix[0, 0] <= 0 or matrix[1, 1] <= 0 or matrix[1, 0] != 0 or matrix[2].tolist() != [0, 0, 1]:
        raise _UnfitError(_shown(value), accepted)
    return matrix


def _distortion(value: object) -> FloatArray:
    return _numbers(value, (5,), "five numbers [k1, k2, p1, p2, k3]")


def _floor_pose(value: object) -> FloorPose:
    accepted = "an object of rvec and tvec_mm, three numbers each, with the floor in front of the camera"
    if not isinstance(value, dict) or value.keys() != {"rvec", "tvec_mm"}:
        raise _UnfitError(_shown(value), accepted)
    rvec, tvec = (_numbers(value[key], (3,), accepted) for key in ("rvec", "tvec_mm"))
    if tvec[2] <= 0:
        raise _UnfitError(f"tvec_mm {_shown(value['tvec_mm'])}", accepted)
    return FloorPose(
        (float(rvec[0]), float(rvec[1]), float(rvec[2])), (float(tvec[0]), float(tvec[1]), float(tvec[2]))
    )


def _floor_to_image(value: object) -> FloatArray:
    accepted = "3x3 numbers of an invertible matrix"
    matrix = _numbers(value, (3, 3), accepted)
    if np.linalg.matrix_rank(matrix / max(1e-300, np.abs(matrix).max()), tol=1e-12) < 3:
        raise _UnfitError(f"the singular matrix {_shown(value)}", accepted)
    return matrix


def _area_px(value: object) -> FloatArray:
    accepted = "an outline of 3 to 1000 corners [[x, y], ...] in pixels that does not cross itself"
    area = _numbers(value, (-1, 2), accepted)
    if area.size and np.abs(area).max() > FARTHEST_PX:
        raise _UnfitError(f"a coordinate beyond {FARTHEST_PX:g}", accepted)
    fault = polygon_fault(area) if 3 <= len(area) <= 1000 else f"{len(area)} corners"
    if fault:
        raise _UnfitError(fault, accepted)
    return area


def _die_mm(value: object) -> float:
    least, most = DIE_MM_RANGE
    accepted = f"the edge of a die in mm, {least:g} to {most:g}"
    edge = float(_numbers(value, (), accepted))
    if not least <= edge <= most:
        raise _UnfitError(_shown(value), accepted)
    return edge


_READERS: dict[str, Callable[[object], Any]] = {
    "image_size": _image_size,
    "camera_matrix": _camera_matrix,
    "distortion": _distortion,
    "floor_pose": _floor_pose,
    "floor_to_image": _floor_to_image,
    "area_px": _area_px,
    "die_mm": _die_mm,
}
_KEYS_SHOWN = ", ".join([*_READERS, "empty_image"])
