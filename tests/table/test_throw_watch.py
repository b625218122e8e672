"""What hides or spoils the view: the table waits, and goes on by itself or by a person's word."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np
import pytest

from scoring.actions import Throw
from scoring.game import new_game
from scoring.languages import Language
from scoring.ruleset import load_preset
from table.events import TableEvent, WaitKind
from table.loop import TableLoop, run
from table.page.offers import choices
from table.page.prompts import prompt
from table.page.words import Words
from table.throw_watch import ThrowWatch
from table.touches import Confirm, EnterThrow, TimedTouch
from tests.table.staging import Dice, Hand, Still, dice, frames, staged_judge
from vision.domain import Frame, Image, TableCalibration, Verdict
from vision.errors import CalibrationError
from vision.occlusion import find_cover, with_cover

ENGLISH = Words(Language.ENGLISH)
SIX, FOUR = dice(1, 1, 5, 3, 2, 6), dice(2, 2, 2, 4, first_cell=10)
AREA = np.array([[0.0, 0.0], [319.0, 0.0], [319.0, 159.0], [0.0, 159.0]])
TABLE = TableCalibration(AREA)
Change = Callable[[Image], Image]


def covered_judge(
    image_bgr: Image, calibration: TableCalibration | None = None, expected_dice: int | None = None
) -> Verdict:
    """Judge as staged, but for what covers the tray, which is found as in a camera's picture."""
    verdict = staged_judge(image_bgr, calibration, expected_dice)
    if calibration is None:
        return verdict
    return with_cover(verdict, find_cover(image_bgr, calibration, verdict.dice, 24.0))


def with_grid(image: Image) -> Image:
    """Draw lines between the cells, by which a view can be told."""
    drawn = image.copy()
    for x in range(40, 320, 40):
        drawn[:, x - 1 : x + 2] = 85
    for y in range(40, 160, 40):
        drawn[y - 1 : y + 2] = 85
    return drawn


def shown(*acts: tuple[Still | Hand, Change | None]) -> Iterator[Frame]:
    """Show the acts, each as its change of the view makes it look."""
    changes = [change for act, change in acts for _ in range(round(act.seconds * 30))]
    for frame, change in zip(frames(*(act for act, _ in acts)), changes, strict=True):
        image = with_grid(frame.image_bgr)
        yield replace(frame, image_bgr=image if change is None else change(image))


def cup(image: Image) -> Image:
    """A cup over the right half of the tray."""
    covered, sensor_noise = image.copy(), image % 7
    covered[20:150, 130:290] = np.array([12, 8, 30]) + sensor_noise[20:150, 130:290]
    return covered


def shifted(image: Image) -> Image:
    """The camera moved by 3 px."""
    return np.roll(image, 3, axis=1)


def dark(image: Image) -> Image:
    """Somebody switched the lamp off."""
    return (image * 0.3).astype(np.uint8)


def table_of(calibration: TableCalibration | None = TABLE) -> TableLoop:
    game = new_game(load_preset("norwegian"), ["Ada", "Bo"])
    return TableLoop(game, ThrowWatch(calibration, covered_judge))


def lines(events: Iterable[TableEvent]) -> list[str]:
    told = {"throw_settled": "verdict", "paused": "reason"}
    named = (f"{each.name} {each.fields.get(told.get(each.name, ''), '')}".strip() for each in events)
    return [line for line in named if not line.startswith(("turn_started", "throw_started"))]


def played(
    loop: TableLoop, acts: Sequence[tuple[Still | Hand, Change | None]], touches: Iterable[TimedTouch] = ()
) -> list[str]:
    return lines(run(loop, shown(*acts), touches))


def throw_of(lying: Dice, change: Change | None = None) -> list[tuple[Still | Hand, Change | None]]:
    return [(Hand({}), change), (Still(lying), change)]


def throws(loop: TableLoop) -> int:
    return sum(isinstance(action, Throw) for action in loop.state.game.log)


def test_a_cup_over_the_dice_is_waited_for_and_the_throw_judged_when_it_is_lifted() -> None:
    loop = table_of()
    hidden = [(Still({}), None), (Hand({}), None), (Still(SIX), cup)]
    assert played(loop, hidden) == ["paused covered"]
    assert loop.in_view is None
    loop = table_of()
    lifted = played(loop, [*hidden, (Hand(SIX), None), (Still(SIX), None)])
    assert lifted == ["paused covered", "throw_settled valid", "resumed", "options"]


def test_a_cup_that_stands_in_an_empty_tray_is_no_misroll() -> None:
    acts = [(Still({}), None), (Hand({}), None), (Still({}), cup), (Hand({}), None), (Still({}), None)]
    assert played(table_of(), acts) == ["paused covered", "resumed"]


def test_a_cup_over_a_counted_throw_changes_nothing() -> None:
    loop = table_of()
    acts = [(Still({}), None), *throw_of(SIX), (Hand(SIX), None), (Still(SIX), cup)]
    acts += [(Hand(SIX), None), (Still(SIX), None)]
    assert played(loop, acts) == ["throw_settled valid", "options", "paused covered", "resumed"]
    assert throws(loop) == 1


def test_a_cup_that_was_there_before_the_game_is_not_missed_when_it_is_gone() -> None:
    loop = table_of()
    assert played(loop, [(Still({}), cup), *throw_of(SIX)]) == ["throw_settled valid", "options"]


def test_a_throw_on_a_moved_view_counts_once_the_camera_is_put_back() -> None:
    loop = table_of()
    moved = [(Still({}), None), *throw_of(SIX, shifted)]
    assert played(loop, moved) == ["throw_settled valid", "paused view_moved"]
    assert throws(loop) == 0
    loop = table_of()
    back = played(loop, [*moved, (Hand(SIX), None), (Still(SIX), None)])
    assert back[2:] == ["throw_settled valid", "resumed", "options"]
    assert throws(loop) == 1


def test_a_confirmed_throw_counts_and_the_view_with_it() -> None:
    loop = table_of()
    acts = [(Still({}), None), *throw_of(SIX, shifted), (Hand({}), shifted), (Still({}), shifted)]
    told = played(loop, [*acts, *throw_of(FOUR, shifted)], [TimedTouch(2.4, Confirm())])
    assert told[:4] == ["throw_settled valid", "paused view_moved", "resumed", "options"]
    assert "paused view_moved" not in told[4:]
    assert "throw_settled valid" in told[4:]


def test_a_throw_entered_by_hand_is_not_told_again_when_the_view_fits() -> None:
    loop = table_of()
    acts = [(Still({}), None), *throw_of(SIX, shifted), (Hand(SIX), None), (Still(SIX), None)]
    told = played(loop, acts, [TimedTouch(2.4, EnterThrow((1, 1, 2, 3, 5, 6)))])
    assert told == ["throw_settled valid", "paused view_moved", "resumed", "options"]
    assert throws(loop) == 1


def test_light_that_comes_back_while_nothing_moves_lets_the_throw_count() -> None:
    loop = table_of()
    acts = [(Still({}), None), *throw_of(SIX, dark), (Still(SIX, 2.5), None)]
    assert played(loop, acts) == ["paused light_changed", "throw_settled valid", "resumed", "options"]


def test_a_camera_nudged_over_a_counted_throw_is_told_at_once() -> None:
    loop = table_of()
    acts = [(Still({}), None), *throw_of(SIX), (Hand(SIX), None), (Still(SIX), shifted)]
    assert played(loop, acts)[2:] == ["paused view_moved"]
    assert throws(loop) == 1


def test_a_view_stays_wrong_while_the_tray_is_cleared() -> None:
    loop = table_of()
    acts = [(Still({}), None), *throw_of(SIX), (Hand(SIX), None), (Still(SIX), shifted)]
    acts += [(Hand(SIX), shifted), (Still({}), shifted), *throw_of(FOUR, shifted), (Hand({}), shifted)]
    told = played(loop, [*acts, (Still({}), shifted)])
    assert told[2:4] == ["paused view_moved", "table_cleared"]
    assert "resumed" not in told
    assert throws(loop) == 1


def test_without_a_calibration_no_view_is_wrong() -> None:
    acts = [(Still({}), None), *throw_of(SIX, shifted)]
    assert played(table_of(None), acts) == ["throw_settled valid", "options"]


def test_the_page_says_why_and_lets_a_person_count_what_was_read() -> None:
    loop = table_of()
    played(loop, [(Still({}), None), *throw_of(SIX, shifted)])
    assert loop.state.pause is not None
    assert loop.state.pause.kind is WaitKind.VIEW_MOVED
    assert "moved" in prompt(loop.state, ENGLISH).text
    assert [offer.touch for offer in choices(loop.state, ENGLISH)] == [Confirm()]
    loop = table_of()
    played(loop, [(Still({}), None), (Hand({}), None), (Still(SIX), cup)])
    assert "covers" in prompt(loop.state, ENGLISH).text
    assert [offer.touch for offer in choices(loop.state, ENGLISH) if offer.touch is not None] == []


def test_frames_of_another_size_than_the_table_was_calibrated_in_are_refused_with_both() -> None:
    (frame, *_) = frames(Still({}))
    height, width = frame.image_bgr.shape[:2]
    ThrowWatch(replace(TABLE, image_size=(width, height)), staged_judge).step(frame)
    watch = ThrowWatch(replace(TABLE, image_size=(2 * width, 2 * height)), staged_judge)
    with pytest.raises(CalibrationError, match=f"found {width}x{height} .* {2 * width}x{2 * height}"):
        watch.step(frame)
