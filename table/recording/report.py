"""A report of a throw: one zip with all that it takes to replay it to the same answer anywhere.

    report.json       what was seen and told, see `_record`; the game so far, without players' names
    clip.mkv          the seconds before and after at the frames' own times; those judged to the last bit
    later.mkv         the latest seconds, where the throw was long before them
    judged.png        the picture that was judged
    table.json        the calibration, and empty.png, its picture of the empty tray
    judged-empty.png  the newest picture of the empty tray, which the judge was given
    rules.toml        the rule set

Pictures and calibration are there as far as they are known. Nothing says when or where it was made.
"""

from __future__ import annotations

import io
import json
import platform
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from importlib import metadata, resources

import numpy as np

from scoring.ruleset import to_toml
from table.events import Wait
from table.recording.game_record import game_record
from table.recording.matroska import clip_of
from table.recording.pictures import png_of
from table.recording.ring import KeptFrame
from table.recording.seen_throw import SeenThrow, records_without_names, said_of
from table.state import TableState
from table.verdict_json import verdict_record
from vision.calibrate.table_file import table_record
from vision.domain import Image, TableCalibration
from vision.opencv import cv2

FORMAT = "titusind report 1"
META, CLIP, PICTURE, TABLE, RULES = "report.json", "clip.mkv", "judged.png", "table.json", "rules.toml"
LATER = "later.mkv"
EMPTY, JUDGED_EMPTY = "empty.png", "judged-empty.png"
EPOCH = (1980, 1, 1, 0, 0, 0)  # a zip's earliest time, in the place of the real one


@dataclass(frozen=True, slots=True)
class Seen:
    """What a report is about: `frames`, with those of `throw`.

    `later`: the latest frames where they do not follow on those: a throw that was missed may be in them.
    """

    frames: Sequence[KeptFrame]
    throw: SeenThrow | None = None
    later: Sequence[KeptFrame] = ()


def report_of(seen: Seen, calibration: TableCalibration | None, state: TableState) -> bytes:
    """Return the zip of what was seen; `state` is the table's now."""
    throw, frames = seen.throw, seen.frames
    game = state.game if throw is None else throw.before.game
    exact = {} if throw is None else {frame.index: png_of(frame.image_bgr) for frame in throw.looked}
    files: dict[str, bytes] = {
        META: _json(_record(frames, state, throw)),
        CLIP: _clip(frames, exact),
        RULES: to_toml(game.ruleset).encode(),
    }
    if calibration is not None:
        empty = calibration.empty_image
        files[TABLE] = _json(table_record(calibration, None if empty is None else EMPTY))
        files |= {} if empty is None else {EMPTY: png_of(empty)}
    if throw is not None:
        files[PICTURE] = png_of(throw.judged.picture)
        judged_empty = _newest_empty(throw, calibration)
        files |= {} if judged_empty is None else {JUDGED_EMPTY: png_of(judged_empty)}
    if seen.later:
        files[LATER] = _clip(seen.later, {})
    return _zipped(files)


def _clip(frames: Sequence[KeptFrame], exact: Mapping[int, bytes]) -> bytes:
    start_s, size = frames[0].t_s, frames[0].size
    return clip_of(((each.t_s - start_s, each.jpeg, exact.get(each.index)) for each in frames), size)


@cache
def versions() -> Mapping[str, str]:
    """Return the versions of what an answer may depend on; of the networks' weights, a checksum."""
    weights = sorted((resources.files("vision") / "weights").iterdir(), key=lambda file: file.name)
    checksum = reduce(lambda crc, file: zlib.crc32(file.read_bytes(), crc), weights, 0)
    return {
        "titusind": _installed("titusind"),
        "weights": f"{checksum:08x}",
        "opencv": cv2.__version__,
        "numpy": np.__version__,
        "onnxruntime": _installed("onnxruntime"),
        "machine": platform.machine(),
    }


def _installed(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:  # run from a checkout
        return "unknown"


def _newest_empty(throw: SeenThrow, calibration: TableCalibration | None) -> Image | None:
    judged = throw.judged.calibration
    if judged is None or (calibration is not None and judged.empty_image is calibration.empty_image):
        return None
    return judged.empty_image


def _record(frames: Sequence[KeptFrame], state: TableState, throw: SeenThrow | None) -> dict[str, object]:
    """Return what `report.json` holds.

    `frames`: number and time of each frame of the clip, as the table had them. `throw`: null when none was
    seen; else `looked`, the numbers of the first and last frame that were looked at closely, the number of
    `dice` expected, what was `judged` of the picture and the `events` then told, what the table waited for
    from which `sides` players had thrown before and from where an `arm` reached in now (degrees, its spread,
    in how many frames), and what people `said` of it.
    """
    return {
        "format": FORMAT,
        "versions": dict(versions()),
        "frames": [[each.index, each.t_s] for each in frames],
        "game": game_record(state.game if throw is None else throw.before.game),
        "throw": None if throw is None else _throw(throw, state),
    }


def _throw(throw: SeenThrow, state: TableState) -> dict[str, object]:
    return {
        "looked": [throw.looked[0].index, throw.looked[-1].index],
        "dice": throw.judged.expected_dice,
        "judged": verdict_record(throw.judged.verdict),
        "wait": _wait(throw.before.wait),
        "view": _wait(throw.before.view),
        "left": throw.before.left,
        "sides": [[each.place, each.side_deg] for each in throw.before.sides],
        "arm": None if throw.arm is None else [throw.arm.side_deg, throw.arm.spread_deg, throw.arm.frames],
        "events": records_without_names(throw.events, throw.before.game.players),
        "said": said_of(state, throw),
    }


def _wait(wait: Wait | None) -> object:
    return None if wait is None else {"kind": wait.kind.value, "detail": wait.detail}


def _json(record: dict[str, object]) -> bytes:
    return (json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n").encode()


def _zipped(files: dict[str, bytes]) -> bytes:
    """Put `files` together; pictures are compressed already."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name, EPOCH), data)
    return packed.getvalue()
