"""Reads a report of a throw: whoever made the zip, it can neither fill the disk nor write elsewhere."""

from __future__ import annotations

import json
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from scoring.errors import ScoringError
from scoring.faces import Faces
from scoring.game import Game
from scoring.ruleset import load_ruleset
from table.errors import ReportError
from table.events import Wait, WaitKind
from table.recording.clip_reading import frames_of
from table.recording.game_record import game_of
from table.recording.report import CLIP, EMPTY, FORMAT, JUDGED_EMPTY, META, PICTURE, RULES, TABLE
from table.sides import SeenSide, Sides
from vision.arm_side import ArmSide
from vision.calibration import load_calibration
from vision.domain import Frame, Image, TableCalibration
from vision.errors import VisionError
from vision.images import read_image

MIB = 2**20
MOST_BYTES = {  # of each file, unpacked; nothing else is read
    META: 4 * MIB,
    CLIP: 256 * MIB,
    PICTURE: 128 * MIB,
    TABLE: 4 * MIB,
    EMPTY: 128 * MIB,
    JUDGED_EMPTY: 128 * MIB,
    RULES: MIB,
}
NEEDED = (META, CLIP, RULES)
MOST_DICE = 99
ACCEPTED = "a report that `titusind play` made"
SUFFIX = ".zip"


@dataclass(frozen=True, slots=True, eq=False)
class ReportedThrow:
    """The throw that a report is about: what the judge was given and said, and what was told.

    `looked`: numbers of the first and last frame that were looked at closely; `wait`, `view`, `left` and
    `sides` as `TableState` had them before. `arm`: from where one reached in when it was thrown.
    """

    looked: tuple[int, int]
    picture: Image
    calibration: TableCalibration | None
    expected_dice: int | None
    judged: Mapping[str, object]
    wait: Wait | None
    view: Wait | None
    left: tuple[Faces, ...]
    events: Sequence[Mapping[str, object]]
    sides: Sides = ()
    arm: ArmSide | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Report:
    """A report, read; `numbers`: number and time of each frame of the clip at the table that made it."""

    clip: Path
    numbers: Sequence[tuple[int, float]]
    calibration: TableCalibration | None
    game: Game
    throw: ReportedThrow | None
    versions: Mapping[str, object]

    def frames(self) -> Iterator[Frame]:
        """Yield the clip as the table saw it; the frames looked at closely to the last bit.

        Raises ReportError when it is of fewer or more frames than the report says.
        """
        told = iter(self.numbers)
        for frame in frames_of(self.clip):
            number = next(told, None)
            if number is None:
                raise ReportError(f"{CLIP}: found more frames than the {len(self.numbers)} of {META}")
            yield Frame(*number, frame.image_bgr)
        if next(told, None) is not None:
            raise ReportError(f"{CLIP}: found fewer frames than the {len(self.numbers)} of {META}")


@contextmanager
def opened_report(path: Path) -> Iterator[Report]:
    """Give the report in `path` while the context lasts; its clip lies in a temporary folder.

    Raises ReportError, naming the file and what is wrong with it, also for what is found wrong within.
    """
    with TemporaryDirectory(prefix="titusind-") as folder:
        try:
            _unpack(path, Path(folder))
            yield _read(Path(folder))
        except ReportError as error:
            raise ReportError(f"{path}: {error}") from error
        except (VisionError, ScoringError) as error:
            named = str(error).replace(f"{folder}/", "")
            raise ReportError(f"{path}: {named}") from error


def _unpack(path: Path, folder: Path) -> None:
    """Write the files of a report, by the names that are known and no other, into `folder`."""
    try:
        with zipfile.ZipFile(path) as archive:
            for name, most in MOST_BYTES.items():
                if name in archive.namelist():
                    (folder / name).write_bytes(_bounded(archive, name, most))
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        said = "a damaged zip" if zipfile.is_zipfile(path) else "no zip"  # encrypted ones are RuntimeErrors
        raise ReportError(f"found {said} ({error}); accepted is {ACCEPTED}") from error
    except OSError as error:
        raise ReportError(f"cannot be read ({error.strerror or error}); accepted is {ACCEPTED}") from error
    missing = [name for name in NEEDED if not (folder / name).exists()]
    if missing:
        raise ReportError(f"found no {' and no '.join(missing)} in it; accepted is {ACCEPTED}")


def _bounded(archive: zipfile.ZipFile, name: str, most: int) -> bytes:
    with archive.open(name) as file:
        data = file.read(most + 1)  # the size that the zip states may be a lie
    if len(data) > most:
        raise ReportError(f"{name}: found more than {most // MIB} MiB; accepted are at most as many")
    return data


def _read(folder: Path) -> Report:
    record = _object(folder / META)
    if record.get("format") != FORMAT:
        raise ReportError(f"{META}: format: found {record.get('format')!r}; accepted is {FORMAT!r}")
    calibration = load_calibration(folder / TABLE) if (folder / TABLE).exists() else None
    try:
        game = game_of(record["game"], load_ruleset(folder / RULES))
        throw = record["throw"]
        return Report(
            clip=folder / CLIP,
            numbers=_numbers(record["frames"]),
            calibration=calibration,
            game=game,
            throw=None if throw is None else _throw(throw, folder, calibration),
            versions=dict(record["versions"]),
        )
    except (ScoringError, VisionError, ReportError):
        raise
    except KeyError as error:
        raise ReportError(f"{META}: found no {error} where one is due; accepted is {ACCEPTED}") from error
    except (TypeError, ValueError, AttributeError) as error:
        raise ReportError(f"{META}: {error}; accepted is {ACCEPTED}") from error


def _object(path: Path) -> dict[str, Any]:
    try:
        record = json.loads(path.read_bytes())
    except (ValueError, RecursionError) as error:
        raise ReportError(f"{path.name}: not JSON ({error}); accepted is {ACCEPTED}") from error
    if not isinstance(record, dict):
        raise ReportError(f"{path.name}: found no object; accepted is {ACCEPTED}")
    return record


def _numbers(listed: Sequence[tuple[int, float]]) -> list[tuple[int, float]]:
    numbers = [(index, float(t_s)) for index, t_s in listed]
    rising = all(before[1] < after[1] for before, after in pairwise(numbers))
    if not rising or not all(type(index) is int for index, _ in numbers):
        raise ReportError(f"{META}: frames: accepted are [number, seconds] with rising seconds")
    return numbers


def _throw(record: Mapping[str, Any], folder: Path, calibration: TableCalibration | None) -> ReportedThrow:
    dice, (first, last), events = record["dice"], record["looked"], record["events"]
    if dice is not None and (type(dice) is not int or not 0 < dice <= MOST_DICE):
        raise ReportError(f"{META}: dice: found {dice!r}; accepted are 1 to {MOST_DICE}, or null")
    if type(first) is not int or type(last) is not int:
        raise ReportError(f"{META}: looked: found {[first, last]!r}; accepted are two frames' numbers")
    if not isinstance(events, list) or not all(isinstance(each, dict) for each in events):
        raise ReportError(f"{META}: events: accepted is a list of objects")
    if not isinstance(record["judged"], dict):
        raise ReportError(f"{META}: judged: accepted is an object")
    given = calibration
    if calibration is not None and (folder / JUDGED_EMPTY).exists():
        given = replace(calibration, empty_image=read_image(folder / JUDGED_EMPTY))
    return ReportedThrow(
        looked=(first, last),
        picture=read_image(folder / PICTURE),
        calibration=given,
        expected_dice=dice,
        judged=record["judged"],
        wait=_wait(record["wait"]),
        view=_wait(record["view"]),
        left=tuple(tuple(faces) for faces in record["left"]),
        events=events,
        sides=tuple(_side(each) for each in record.get("sides", ())),
        arm=_arm(record.get("arm")),
    )


def _side(listed: Sequence[float]) -> SeenSide:
    place, side_deg = listed
    if type(place) is not int:
        raise ReportError(f"{META}: sides: found {listed!r}; accepted are [place in the log, degrees]")
    return SeenSide(place, float(side_deg))


def _arm(listed: Sequence[float] | None) -> ArmSide | None:
    if listed is None:
        return None
    side_deg, spread_deg, frames = listed
    return ArmSide(float(side_deg), float(spread_deg), int(frames))


def _wait(record: Mapping[str, str] | None) -> Wait | None:
    return None if record is None else Wait(WaitKind(record["kind"]), str(record["detail"]))
