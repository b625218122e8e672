"""Writes throws that people corrected into a folder, to train the reader on: picture, right answer, crops.

    NNN.jpg           the whole picture that was judged
    NNN.json          the truth as far as it is known, see `label_of`
    crops/NNN-D.png   what the trained reader saw of die D, of which a person spoke

Only throws that a person answered are written, by a thread of its own, each file whole or not at all, the
JSON last. An answer changed overwrites the one before, an answer taken back is deleted. When MOST_THROWS are
kept, or the disk is nearly full or fails, that is said once and no more is kept; the game goes on.
"""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path

from table.answers import Answer, answer_of
from table.errors import OwnThrowsError
from table.state import TableState
from table.throw_watch import Judge
from table.verdict_json import CONFIDENCE_DIGITS, PX_DIGITS
from vision.crop_reader import cut_crop, upright_side
from vision.domain import DieReading, DieState, Image, TableCalibration, Verdict
from vision.judge import judge
from vision.opencv import cv2
from vision.whole_file import write_whole

MOST_THROWS = 500  # weeks of play, and well under 1 GB
LEAST_FREE_BYTES = 500 * 2**20
JPEG_QUALITY = 95
CROPS = "crops"
MOST_LOOKS = 3  # at a throw, before it is told


class OwnThrows:
    """A folder of corrected throws. Give `judge` to the throw watch, and `follow` every state of the table.

    Raises OwnThrowsError if the folder cannot be made. `complain` is told why no more is kept.
    """

    def __init__(self, folder: Path, complain: Callable[[object], None], judge: Judge = judge) -> None:
        self._folder, self._complain, self._judge = folder, complain, judge
        try:
            (folder / CROPS).mkdir(parents=True, exist_ok=True)
            kept = [int(path.stem) for path in folder.glob("*.json") if path.stem.isdecimal()]
        except OSError as error:
            found = f"{folder}: cannot be written to ({error.strerror})"
            raise OwnThrowsError(f"{found}; accepted is a folder for corrected throws") from error
        self._lock = threading.Lock()
        self._writer = ThreadPoolExecutor(1, "own throws")
        self._pictures: tuple[tuple[Verdict, Image], ...] = ()  # of what lies, and those judged last
        self._version = -1  # of the state followed last
        self._verdict: Verdict | None = None
        self._answer: Answer | None = None
        self._number, self._before = max(kept, default=0) + 1, len(kept)
        self._under_way: list[Future[None]] = []
        self._ended = self._closed = False

    def judge(
        self, image_bgr: Image, calibration: TableCalibration | None = None, expected_dice: int | None = None
    ) -> Verdict:
        """Judge by the judge that this was made with, and remember the picture."""
        verdict = self._judge(image_bgr, calibration, expected_dice)
        with self._lock:
            seen = (*self._pictures, (verdict, image_bgr))
            lying = [each for each in seen[:-MOST_LOOKS] if each[0] is self._verdict]
            self._pictures = (*lying, *seen[-MOST_LOOKS:])
        return verdict

    def follow(self, state: TableState) -> None:
        """Write what a person has said, by `state`, of the throw that lies, if that is news."""
        with self._lock:
            if state.version <= self._version or self._ended or self._closed:
                return
            self._version = state.version
            seen = answer_of(state)
            if seen is None:
                return
            verdict, answer = seen
            if verdict is not self._verdict:
                self._turn_to(verdict)
            if answer != self._answer:
                self._take(verdict, answer)

    def close(self) -> None:
        """Write what is still to be written, and keep no more."""
        with self._lock:
            self._closed = True
        self._writer.shutdown()
        for written in self._under_way:
            written.result()  # raises what is a mistake of this module, not of the disk

    def _turn_to(self, verdict: Verdict) -> None:
        kept = self._answer is not None
        self._number, self._before = self._number + kept, self._before + kept
        self._verdict, self._answer = verdict, None

    def _take(self, verdict: Verdict, answer: Answer | None) -> None:
        image = next((image for seen, image in self._pictures if seen is verdict), None)
        if image is None:
            return
        if self._before >= MOST_THROWS:
            self._end(f"{MOST_THROWS} corrected throws are kept, the most; accepted is another folder")
            return
        is_new, self._answer = self._answer is None, answer
        if answer is None:
            task = partial(self._delete, self._number)
        else:
            task = partial(self._write, self._number, is_new, image, verdict, answer)
        self._under_way.append(self._writer.submit(self._guarded, task, self._number))

    def _end(self, why: str) -> None:
        self._ended = True
        self._complain(f"{self._folder}: {why}; no more is kept")

    def _guarded(self, task: Callable[[], None], number: int) -> None:
        """Run in the writer's thread: a disk that fails ends the keeping, never the game."""
        if self._ended:
            return
        try:
            task()
        except OSError as error:
            self._end(f"a corrected throw cannot be written ({error.strerror or error})")
            with suppress(OSError):  # no answer rather than an old one
                self._delete(number)

    def _write(self, number: int, is_new: bool, image: Image, verdict: Verdict, answer: Answer) -> None:
        free = shutil.disk_usage(self._folder).free
        if free < LEAST_FREE_BYTES:
            raise OSError(f"{free >> 20} MiB free on the disk; accepted: {LEAST_FREE_BYTES >> 20} and more")
        name = _name(number)
        if is_new:
            picture = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1]
            write_whole(self._folder / f"{name}.jpg", picture.tobytes())
        crops = {crop_path(number, place): verdict.dice[place] for place in answer.by_person | answer.no_dice}
        for path, die in crops.items():
            crop = cut_crop(image, die.corners_px.mean(axis=0), upright_side(die.corners_px))
            write_whole(self._folder / path, cv2.imencode(".png", crop)[1].tobytes())
        label = json.dumps(label_of(number, verdict, answer), indent=1, allow_nan=False) + "\n"
        write_whole(self._folder / f"{name}.json", label.encode())
        for old in self._crops(number):
            if old.relative_to(self._folder).as_posix() not in crops:
                old.unlink(missing_ok=True)

    def _delete(self, number: int) -> None:
        names = (self._folder / f"{_name(number)}{suffix}" for suffix in (".json", ".jpg"))
        for path in (*names, *self._crops(number)):
            path.unlink(missing_ok=True)

    def _crops(self, number: int) -> list[Path]:
        return sorted((self._folder / CROPS).glob(f"{_name(number)}-*.png"))


def crop_path(number: int, place: int) -> str:
    """Return where in the folder the crop of a throw's die lies."""
    return f"{CROPS}/{_name(number)}-{place}.png"


def label_of(number: int, verdict: Verdict, answer: Answer) -> dict[str, object]:
    """Return the contents of NNN.json: the keys of the rendered benchmark, null for what is not known.

    `verdict` valid, `reasons` and `n_expected` once the throw counts by a person's word. `dice`: `face` and
    who says so, `said_by` person, reader (read without a doubt) or null; `state` flat in a throw that counts,
    else as it was read; `center_px` and `corners_px` as they were read, of the top face; `in_frame`. Tilt,
    height and `visible` are measured or guessed at best, so no truth: they are left out. Beside the
    benchmark's keys: `read`, what the reader had said; `crop`; `no_dice`, places that a person says are none;
    `missed`, faces of dice that were there and not found.
    """
    dice = [_die(number, verdict, answer, place) for place in range(len(verdict.dice))]
    lay = len(dice) - len(answer.no_dice) + len(answer.missed)
    return {
        "verdict": "valid" if answer.counted else None,
        "reasons": [] if answer.counted else None,
        "n_expected": lay if answer.counted else None,
        "dice": [die for place, die in enumerate(dice) if place not in answer.no_dice],
        "no_dice": [_place(number, verdict, place) for place in sorted(answer.no_dice)],
        "missed": list(answer.missed),
        "read": {
            "verdict": verdict.ruling.value,
            "reasons": [{"kind": each.kind.value, "detail": each.detail} for each in verdict.reasons],
        },
    }


def _die(number: int, verdict: Verdict, answer: Answer, place: int) -> dict[str, object]:
    face, by_person = answer.faces[place], place in answer.by_person
    state = DieState.FLAT if answer.counted else verdict.dice[place].state
    return {
        "face": face,
        "said_by": "person" if by_person else None if face is None else "reader",
        "state": None if state is DieState.UNSURE else state.value,
        "in_frame": True,
        **_place(number, verdict, place, with_crop=by_person),
    }


def _place(number: int, verdict: Verdict, place: int, *, with_crop: bool = True) -> dict[str, object]:
    die = verdict.dice[place]
    return {
        "center_px": [round(float(value), PX_DIGITS) for value in die.center_px],
        "corners_px": [[round(float(value), PX_DIGITS) for value in corner] for corner in die.corners_px],
        "read": _reading(die),
        "crop": crop_path(number, place) if with_crop else None,
    }


def _reading(die: DieReading) -> dict[str, object]:
    confidence = round(float(die.confidence), CONFIDENCE_DIGITS)
    return {"face": die.face, "confidence": confidence, "state": die.state.value}


def _name(number: int) -> str:
    return f"{number:03}"
