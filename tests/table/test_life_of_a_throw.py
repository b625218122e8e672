"""A throw is told once and right, whatever the camera's rate and whatever else happens in the picture."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.game import new_game
from scoring.ruleset import load_preset, with_overrides
from table.loop import TableLoop, run
from table.throw_watch import Judge, ThrowWatch
from tests.table.staging import (
    UNREADABLE,
    Always,
    Dice,
    Hand,
    Still,
    SureAt,
    dice,
    frames_at,
    judge_in_any_light,
    staged_judge,
)
from vision.domain import Frame, Image, Reason, ReasonKind, Ruling, TableCalibration, Verdict
from vision.opencv import cv2

FIRST, SECOND = dice(1, 1, 5, 3, 2, 6), dice(2, 2, 2, 4, 6, first_cell=9)
LEFT = {cell: face for cell, face in FIRST.items() if cell != 0}
TURN = [
    *(Still({}), Hand({}), Still(FIRST, 1.5), Hand(FIRST), Still(LEFT, 1.5), Hand(LEFT), Hand({})),
    *(Still({}), Hand({}), Still(SECOND, 1.5), Hand(SECOND), Still({})),
]
TOLD = ["throw 1-1-5-3-2-6", "options", "cleared", "throw 2-2-2-4-6", "set_aside 1", "options", "cleared"]


def told(shown: Iterable[Frame], judge: Callable[..., Verdict] = staged_judge) -> list[str]:
    game = new_game(with_overrides(load_preset("norwegian"), {"opening": "0"}), ["Ada", "Bo"])
    lines = {
        "throw_settled": lambda fields: "throw " + "-".join(str(die["face"]) for die in fields["dice"]),
        "set_aside": lambda fields: "set_aside " + "-".join(map(str, fields["faces"])),
        "table_cleared": lambda _: "cleared",
        "options": lambda _: "options",
        "paused": lambda fields: "paused " + fields["reason"],
        "resumed": lambda _: "resumed",
    }
    events = run(TableLoop(game, ThrowWatch(judge=judge)), shown)
    return [lines[each.name](each.fields) for each in events if each.name in lines]


@dataclass(frozen=True)
class Faltering:
    """A camera of `fps` that loses frames and whose clock jitters; the same for the same seed."""

    fps: float
    lost: float
    jitter: float
    seed: int

    def __iter__(self) -> Iterator[tuple[int, float]]:
        """Yield the number and the time of each frame that comes."""
        chance = np.random.default_rng(self.seed)
        gone = False
        for index, t_s in Always(self.fps):
            gone = not gone and chance.random() < self.lost  # never two in a row
            if not gone:
                yield index, t_s + chance.uniform(0, self.jitter) / self.fps


@settings(max_examples=25, deadline=None)
@given(
    fps=st.floats(15, 60),
    lost=st.floats(0, 0.35),
    jitter=st.floats(0, 0.9),
    seed=st.integers(0, 999),
)
def test_a_turn_is_told_alike_at_any_frame_rate(fps: float, lost: float, jitter: float, seed: int) -> None:
    assert told(frames_at(Faltering(fps, lost, jitter, seed), TURN)) == TOLD


def test_a_clip_whose_rate_changes_is_told_alike() -> None:
    times = np.cumsum(np.concatenate([np.full(60, 1 / 60), np.full(60, 1 / 15), np.full(500, 1 / 30)]))
    assert told(frames_at(enumerate(map(float, times)), TURN)) == TOLD


Change = Callable[[Image, float], Image]
RAMP = np.linspace(0, 1, 320)[np.newaxis, :, np.newaxis]


def lit(image: Image, light: np.ndarray | float) -> Image:
    return (image * light).clip(0, 255).astype(np.uint8)


def passing_shadow(image: Image, t_s: float) -> Image:
    """Somebody walks between lamp and table, all the time: soft and a quarter dark."""
    middle = (t_s * 0.4) % 2 - 0.5
    return lit(image, 1 - 0.25 * np.exp(-(((RAMP - middle) / 0.35) ** 2)))


def lamp(image: Image, t_s: float) -> Image:
    """Switched off while the first throw lies, and on again while the second does."""
    return lit(image, 0.7 if 2.4 < t_s < 8.3 else 1.0)


def drifting_exposure(image: Image, t_s: float) -> Image:
    return lit(image, 1 + 0.12 * np.sin(0.9 * t_s))


def flicker(image: Image, t_s: float) -> Image:
    return lit(image, 1 + 0.02 * np.sin(70 * t_s))


@pytest.mark.parametrize(
    "change", [passing_shadow, lamp, drifting_exposure, flicker], ids=lambda f: f.__name__
)
def test_light_neither_makes_nor_loses_a_throw(change: Change) -> None:
    shown = (replace(each, image_bgr=change(each.image_bgr, each.t_s)) for each in frames_at(Always(), TURN))
    assert told(shown, judge_in_any_light) == TOLD


def fly(image: Image, place: tuple[int, int]) -> Image:
    drawn = image.copy()
    cv2.circle(drawn, place, 3, (15, 15, 15), thickness=-1)
    return drawn


def test_a_fly_that_walks_about_and_sits_down_is_no_throw() -> None:
    def with_fly(each: Frame) -> Frame:
        if not 2.2 < each.t_s < 3.4:
            return each
        step = min(each.t_s, 2.6) - 2.2  # walks on the free floor, then sits
        return replace(each, image_bgr=fly(each.image_bgr, (40 + int(300 * step), 130)))

    acts = [Still({}), Hand({}), Still(FIRST, 4.0), Hand(FIRST), Still({})]
    assert told(map(with_fly, frames_at(Always(), acts))) == ["throw 1-1-5-3-2-6", "options", "cleared"]


def test_a_hand_that_rests_beside_the_dice_makes_no_throw() -> None:
    def with_hand(each: Frame) -> Frame:
        drawn = each.image_bgr.copy()
        if 2.5 < each.t_s < 5:
            reach = int(60 * min(1.0, 4 * (each.t_s - 2.5), 4 * (5 - each.t_s)))
            drawn[160 - reach :, 120:180] = 135
        return replace(each, image_bgr=drawn)

    acts = [Still({}), Hand({}), Still(FIRST, 5.0), Hand(FIRST), Still({})]
    assert told(map(with_hand, frames_at(Always(), acts))) == ["throw 1-1-5-3-2-6", "options", "cleared"]


def test_a_die_that_spins_on_is_waited_for() -> None:
    def spinning(each: Frame) -> Frame:
        drawn = each.image_bgr.copy()
        if 1.5 < each.t_s < 4.0:
            side = 6 + int(5 * np.sin(20 * each.t_s))
            drawn[68:92, 208:232] = 60
            drawn[80 - side : 80 + side, 209:231] = 180
        return replace(each, image_bgr=drawn)

    late: Dice = {**FIRST, 13: 4}
    acts = [Still({}), Hand({}), Still({c: f for c, f in late.items() if c != 5}, 4.0), Hand({}), Still({})]
    assert told(map(spinning, frames_at(Always(), acts))) == ["throw 1-1-5-3-2-4", "options", "cleared"]


class Doubting:
    """A judge that is not sure of a die while the picture is noisy."""

    def __init__(self, noise: float) -> None:
        self.noise = noise
        self.looks = 0

    def __call__(
        self, image_bgr: Image, calibration: TableCalibration | None = None, expected_dice: int | None = None
    ) -> Verdict:
        """Judge as staged, and doubt the first die."""
        self.looks += 1
        verdict = staged_judge(image_bgr, calibration, expected_dice)
        noise = float(image_bgr[150:, :, 0].std())
        if not verdict.dice or verdict.reasons or noise < self.noise:
            return verdict
        return Verdict(Ruling.UNSURE, (Reason(ReasonKind.UNCERTAIN, 0, "noisy"),), verdict.dice)


ONE = [Still({}), Hand({}), Still(FIRST, 1.5), Hand(FIRST), Still({})]


@pytest.mark.parametrize("fps", [15, 30, 60])
def test_what_noise_leaves_open_is_looked_at_again_before_anybody_is_asked(fps: float) -> None:
    assert told(frames_at(Always(fps), ONE), Doubting(noise=1.0)) == [
        "throw 1-1-5-3-2-6",
        "options",
        "cleared",
    ]
    assert told(frames_at(Always(fps), ONE), Doubting(noise=0.1))[:2] == [
        "throw 1-1-5-3-2-6",
        "paused unsure",
    ]


@pytest.mark.parametrize("fps", [15, 30, 60])
def test_a_second_look_takes_no_time_and_a_third_a_little(fps: float) -> None:
    def ruled_s(judge: Judge) -> float:
        loop = TableLoop(new_game(load_preset("norwegian"), ["Ada", "Bo"]), ThrowWatch(judge=judge))
        shown = frames_at(Always(fps), ONE)
        return next(frame.t_s for frame in shown for event in loop.step(frame) if event.name == "options")

    first_s = ruled_s(SureAt(1))
    assert ruled_s(SureAt(2)) == first_s
    assert first_s < ruled_s(SureAt(3)) <= first_s + 0.45


def test_an_unsure_throw_that_is_taken_at_once_is_told_as_first_seen() -> None:
    acts = [Still({}), Hand({}), Still(FIRST, 0.45), Hand(FIRST), Still({})]
    assert told(frames_at(Always(), acts), Doubting(noise=1.0))[0] == "throw 1-1-5-3-2-6"


def test_a_second_look_that_reads_another_face_leaves_the_question() -> None:
    judge = Doubting(noise=1.0)

    def changeable(image_bgr: Image, *more: object) -> Verdict:
        verdict = judge(image_bgr)
        sure = verdict.ruling is Ruling.VALID and len(verdict.dice) == len(FIRST)
        first = replace(verdict.dice[0], face=4) if sure else None
        return replace(verdict, dice=(first, *verdict.dice[1:])) if first is not None else verdict

    assert told(frames_at(Always(), ONE), changeable)[:2] == ["throw 1-1-5-3-2-6", "paused unsure"]


def test_a_die_that_cannot_be_read_is_asked_about_once() -> None:
    acts = [Still({}), Hand({}), Still({**FIRST, 5: UNREADABLE}, 2.0), Hand({}), Still({})]
    assert told(frames_at(Always(), acts)) == ["throw 1-1-5-3-2-None", "paused unsure", "cleared"]


def sees_none(image_bgr: Image, calibration: TableCalibration | None, expected: int | None) -> Verdict:
    """A judge that reads no die that lies alone."""
    verdict = staged_judge(image_bgr, calibration, expected)
    missing = (Reason(ReasonKind.MISSING, None, "0 dice seen"),)
    return Verdict(Ruling.MISROLL, missing, ()) if len(verdict.dice) == 1 else verdict


def test_a_die_that_is_not_read_in_a_clear_tray_is_told() -> None:
    thrown = [Still({}), Hand({}), Still(FIRST), Hand(FIRST), Hand({}), Still({})]
    shown = [*thrown, Hand({}), Still({9: 1}), Hand({}), Still({})]
    assert told(frames_at(Always(30), shown), sees_none)[2:] == ["cleared", "paused covered", "resumed"]
