"""The settler on made-up streams of any frame rate, and on the labelled clips."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.calibration import load_calibration
from vision.domain import Frame, Image, TableCalibration
from vision.errors import CalibrationError
from vision.settle import SettleEvent, SettleKind, Settler
from vision.sources import ClipSource

SHARED = Path(__file__).parents[2] / ".." / "shared"
WIDTH, HEIGHT, DIE_PX = 320, 180, 16
LATEST_S = 0.35
MOTION, SETTLED, UNCHANGED, CLEARED = (
    SettleKind.MOTION_STARTED,
    SettleKind.SETTLED,
    SettleKind.UNCHANGED,
    SettleKind.CLEARED,
)
FELT = np.random.default_rng(7).normal(90, 6, (HEIGHT, WIDTH)).astype(np.float32)
NOISES = np.random.default_rng(1).normal(0, 1, (13, HEIGHT, WIDTH)).astype(np.float32)

Spots = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Act:
    """For `seconds` dice lie at `spots`, or fly there from the left edge when `flying`."""

    seconds: float
    spots: Spots
    flying: bool = False


def picture(spots: Iterable[tuple[float, float]]) -> np.ndarray:
    """A textured floor with light squares that have a dark pip each; float grey levels."""
    shown = FELT.copy()
    for x, y in spots:
        left, top = round(x), round(y)
        shown[top : top + DIE_PX, left : left + DIE_PX] = 220
        shown[top + 6 : top + 10, left + 6 : left + 10] = 30
    return shown


def play(
    acts: Iterable[Act],
    *,
    fps: float = 30,
    kept: Callable[[int], bool] = lambda index: True,
    noise: float = 2.0,
    light: Callable[[float], float] = lambda t_s: 1.0,
) -> Iterator[Frame]:
    """Show `acts` one after the other at `fps`, only the `kept` frames, with noise, in the `light`."""
    index, begun_s = 0, 0.0
    for act in acts:
        while index / fps < begun_s + act.seconds:
            t_s = index / fps
            travelled = (t_s - begun_s) / act.seconds if act.flying else 1.0
            shown = picture((x * travelled, y) for x, y in act.spots) * light(t_s)
            if kept(index):
                noisy = (shown + noise * NOISES[index % len(NOISES)]).clip(0, 255).astype(np.uint8)
                yield Frame(index, t_s, np.repeat(noisy[..., np.newaxis], 3, axis=2))
            index += 1
        begun_s += act.seconds


def events_of(frames: Iterable[Frame], settler: Settler | None = None) -> list[SettleEvent]:
    settler = settler or Settler()
    return [event for frame in frames for event in settler.step(frame)]


def kinds(events: Iterable[SettleEvent]) -> list[SettleKind]:
    return [event.kind for event in events]


THROW: Spots = ((60, 30), (120, 100), (200, 60))
OTHER: Spots = ((90, 120), (150, 20), (260, 90))
TURN = (
    Act(1.0, ()),
    Act(0.6, THROW, flying=True),
    Act(1.5, THROW),
    Act(0.6, OTHER, flying=True),
    Act(1.5, OTHER),
)


@settings(max_examples=15, deadline=None)
@given(fps=st.floats(15, 60), lost=st.floats(0, 0.3), seed=st.integers(0, 99), noise=st.floats(0, 8))
def test_each_throw_settles_once_at_any_frame_rate_with_frames_lost(
    fps: float, lost: float, seed: int, noise: float
) -> None:
    gone = np.random.default_rng(seed).random(1000) < lost
    gone[1:] &= ~gone[:-1]  # never two in a row, or stillness itself could not be seen in time
    events = events_of(play(TURN, fps=fps, kept=lambda index: not gone[index], noise=noise))
    assert kinds(events) == [SETTLED, MOTION, SETTLED, MOTION, SETTLED]
    for event, still_s in zip(events[::2], (0.0, 1.6, 3.7), strict=True):
        assert event.still_s is not None
        assert still_s - 0.1 <= event.still_s
        assert 0 <= event.frame.t_s - still_s <= LATEST_S + 2 / fps


def test_the_frame_to_judge_is_still_and_the_change_is_boxed() -> None:
    events = events_of(play(TURN))
    throw = events[2]
    assert throw.frame.t_s >= 1.6
    assert throw.started_s == pytest.approx(1.0, abs=0.15)
    assert throw.changed_px is not None
    x0, y0, x1, y1 = throw.changed_px
    assert (x0, y0) <= (60, 30)
    assert x1 >= 200 + DIE_PX
    assert y1 >= 100 + DIE_PX
    assert (x1 - x0) * (y1 - y0) < 0.5 * WIDTH * HEIGHT


LIGHTS: dict[str, Callable[[float], float]] = {
    "steady": lambda t_s: 1.0,
    "fading by a third in 6 s": lambda t_s: 1 - 0.05 * t_s,
    "swinging by a tenth": lambda t_s: 1 + 0.1 * float(np.sin(2 * t_s)),
    "flickering": lambda t_s: 1 + 0.03 * float(np.sin(70 * t_s)),
}


@pytest.mark.parametrize("light", LIGHTS)
@pytest.mark.parametrize("noise", [0.0, 2.0, 10.0])
def test_nothing_happens_on_a_still_tray(light: str, noise: float) -> None:
    events = events_of(play([Act(6, THROW)], light=LIGHTS[light], noise=noise))
    assert kinds(events) == [SETTLED]


def test_a_lamp_switched_on_is_no_throw() -> None:
    events = events_of(play([Act(5, THROW)], light=lambda t_s: 0.7 if t_s < 2 else 1.0))
    assert SETTLED not in kinds(events[1:])


def test_a_hand_that_touches_nothing_leaves_the_throw_unchanged() -> None:
    hand = [Act(0.1, (*THROW, (250, y))) for y in range(20, 150, 10)]
    events = events_of(play([Act(1, THROW), *hand, Act(1, THROW)]))
    assert kinds(events) == [SETTLED, MOTION, UNCHANGED]
    assert events[-1].changed_px is None


def test_the_tray_is_cleared_once_it_has_been_learned_empty() -> None:
    settler = Settler()
    first = events_of(play([Act(1, ())]), settler)
    assert kinds(first) == [SETTLED]
    settler.learn_empty()
    later = [Act(1, ()), Act(0.5, THROW, flying=True), Act(1, THROW), Act(1, ())]
    assert kinds(events_of(play(later), settler)) == [MOTION, SETTLED, MOTION, CLEARED]


def test_what_appears_too_slowly_to_be_seen_moving_is_noticed_all_the_same() -> None:
    bare, laid = grey_picture(()).astype(np.float32), grey_picture(THROW)
    shares = np.clip((np.arange(15 * 20) / 15 - 2) / 15, 0, 1)
    frames = [
        Frame(k, k / 15, (bare + share * (laid - bare)).astype(np.uint8)) for k, share in enumerate(shares)
    ]
    events = events_of(frames)
    assert kinds(events[:3]) == [SETTLED, MOTION, SETTLED]
    assert events[1].frame is events[2].frame  # found by looking again, not by movement


def area_left(**more: object) -> TableCalibration:
    return TableCalibration(np.array([[0, 0], [150, 0], [150, 180], [0, 180]], dtype=float), **more)  # type: ignore[arg-type]


def grey_picture(spots: Spots, scale: int = 1) -> Image:
    shown = np.kron(picture(spots), np.ones((scale, scale))).astype(np.uint8)
    return np.repeat(shown[..., np.newaxis], 3, axis=2)


def test_what_moves_beside_the_area_does_not_count() -> None:
    beside = [Act(1, THROW), *(Act(0.1, (*THROW, (250, y))) for y in range(20, 150, 10)), Act(1, THROW)]
    assert MOTION in kinds(events_of(play(beside)))
    assert kinds(events_of(play(beside), Settler(area_left()))) == [SETTLED]


@pytest.mark.parametrize("scale", [1, 2])
def test_a_calibrated_empty_tray_is_known_from_the_start(scale: int) -> None:
    settler = Settler(area_left(empty_image=grey_picture((), scale)))
    turn = [Act(1, ()), Act(0.5, THROW, flying=True), Act(1, THROW), Act(1, ())]
    assert kinds(events_of(play(turn), settler)) == [UNCHANGED, MOTION, SETTLED, MOTION, CLEARED]


BLACK = np.zeros((720, 1280, 3), np.uint8)


def made_small_by_the_camera(frames: Iterable[Frame]) -> Iterator[Frame]:
    """The same frames from a camera of four times the size that makes them small itself."""
    for frame in frames:  # the large picture shows nothing: nobody should look
        yield Frame(frame.index, frame.t_s, BLACK, small_grey=frame.image_bgr[..., 0])


def test_movement_is_looked_for_in_the_picture_that_the_camera_made_small() -> None:
    plain = events_of(play(TURN))
    small = events_of(made_small_by_the_camera(play(TURN)))
    assert [(each.kind, each.started_s, each.still_s) for each in small] == [
        (each.kind, each.started_s, each.still_s) for each in plain
    ]
    assert small[2].changed_px is not None
    assert plain[2].changed_px is not None
    assert small[2].changed_px == tuple(4 * edge for edge in plain[2].changed_px)
    assert small[2].frame.image_bgr is BLACK  # the one to judge


def test_a_calibration_is_of_the_large_picture_whatever_movement_is_looked_for_in() -> None:
    settler = Settler(
        TableCalibration(
            np.array([[0, 0], [600, 0], [600, 720], [0, 720]], dtype=float),
            image_size=(1280, 720),
            empty_image=grey_picture((), 4),
        )
    )
    beside = [
        Act(1, ()),
        *(Act(0.1, ((250, y),)) for y in range(20, 150, 10)),
        Act(1, ((60, 60),)),
        Act(1, ()),
    ]
    events = events_of(made_small_by_the_camera(play(beside)), settler)
    assert kinds(events) == [UNCHANGED, MOTION, SETTLED, MOTION, CLEARED]


def test_an_empty_picture_of_another_shape_is_refused() -> None:
    settler = Settler(area_left(empty_image=grey_picture(())[:100]))
    with pytest.raises(CalibrationError, match="empty_image: found 320x100"):
        settler.step(next(play(TURN)))


def test_a_change_of_frame_size_starts_over() -> None:
    settler = Settler()
    assert kinds(events_of(play([Act(1, THROW)]), settler)) == [SETTLED]
    smaller = (Frame(frame.index, frame.t_s, frame.image_bgr[:96]) for frame in play([Act(1, THROW)]))
    assert kinds(events_of(smaller, settler)) == [SETTLED]


@dataclass(frozen=True)
class Still:
    """Frames in which a labelled clip is at rest."""

    first: int
    last: int


def bench_clip(name: str) -> tuple[Path, list[Still], TableCalibration | None]:
    path = SHARED / "bench" / "clips" / f"{name}.mp4"
    truth = json.loads(path.with_suffix(".json").read_text())
    moves = [(event["frame_start"], event["frame_settled"]) for event in truth["events"]]
    moves += [(action["frame_start"], action["frame_end"] + 1) for action in truth["actions"]]
    starts, settled = sorted(start for start, _ in moves), sorted(end for _, end in moves)
    stills = [Still(a, b - 1) for a, b in zip([0, *settled], [*starts, truth["n_frames"]], strict=True)]
    return path, stills, load_calibration(path.with_suffix(".json"))


def felt_clip(_name: str) -> tuple[Path, list[Still], TableCalibration | None]:
    path = SHARED / "real" / "dev" / "clips" / "felt_rolls.mp4"
    with path.with_name("felt_rolls.events.csv").open() as rows:
        stills = [
            Still(int(r["first_still_frame"]), int(r["last_still_frame"])) for r in csv.DictReader(rows)
        ]
    return path, stills, None


@pytest.mark.skipif(not SHARED.is_dir(), reason="the labelled clips are not beside the checkout")
@pytest.mark.parametrize(
    ("name", "clip"),
    [
        ("a_valid", bench_clip),
        ("b_tilted_wall", bench_clip),
        ("c_two_throws", bench_clip),
        ("felt_rolls", felt_clip),
    ],
)
@pytest.mark.parametrize("every", [1, 2])
def test_the_labelled_clips_settle_once_in_each_still_stretch(
    name: str, clip: Callable[[str], tuple[Path, list[Still], TableCalibration | None]], every: int
) -> None:
    path, stills, calibration = clip(name)
    frames = (frame for frame in ClipSource(path).frames() if frame.index % every == 0)
    settled = [e.frame.index for e in events_of(frames, Settler(calibration)) if e.kind is SETTLED]
    for still in stills:
        inside = [index for index in settled if still.first <= index <= still.last]
        assert len(inside) == 1, still
        assert inside[0] - still.first <= LATEST_S * 30
    assert len(settled) - len(stills) <= 2  # the filmed clip rests twice more than its table lists
