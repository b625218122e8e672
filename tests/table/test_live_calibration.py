"""A table is calibrated while it is played: the game waits, goes on, and sees by the new calibration."""

from __future__ import annotations

import io
import json
import zipfile
from contextlib import suppress
from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.actions import PutAside
from scoring.game import new_game
from scoring.ruleset import load_preset, with_overrides
from table.errors import TouchError
from table.events import TableEvent, WaitKind
from table.loop import TableLoop
from table.page.holding import HOLD_S
from table.page.listeners import Listeners
from table.page.session import TableSession
from table.page.sight import Sight
from table.recording.recorder import Recorder
from table.throw_watch import ThrowWatch
from table.touches import Confirm, EnterThrow, Play
from tests.table.staging import CELL_PX, COLUMNS, ROWS, Dice, Hand, Still, dice, frames, staged_judge
from vision.domain import DieState, Frame, Image, TableCalibration, Verdict

SIX, OTHERS = dice(1, 1, 5, 3, 2, 6), dice(2, 2, 3, 4, 6, 6, first_cell=8)
WIDTH, HEIGHT = COLUMNS * CELL_PX, ROWS * CELL_PX


def area(low: float, high: float) -> TableCalibration:
    """The rows of the table from `low` to `high`."""
    corners = np.array([[2.0, low], [WIDTH - 3, low], [WIDTH - 3, high], [2, high]])
    return TableCalibration(corners, image_size=(WIDTH, HEIGHT))


WHOLE, UPPER = area(2, HEIGHT - 3), area(2, HEIGHT / 2)


class Table:
    """A session on the make-believe table; frames go on and on as it is shown more."""

    def __init__(self, calibration: TableCalibration | None = WHOLE) -> None:
        rules = with_overrides(load_preset("danish"), {"first_throw_relief": "no", "opening": "0"})
        self.judged_by: list[TableCalibration | None] = []
        self.recorder = Recorder(calibration, self.judge)
        watch = ThrowWatch(calibration, self.recorder.judge)
        self.loop = TableLoop(new_game(rules, ("Ada", "Bo")), watch)
        self.told: list[TableEvent] = []
        self.now_s = 0.0
        listeners = Listeners(self.told.append, recorder=self.recorder)
        self.session = TableSession(self.loop, listeners, Sight(calibration), clock=lambda: self.now_s)
        self.loop.begin()
        self.shown = 0

    def judge(
        self, image: Image, calibration: TableCalibration | None = None, expected: int | None = None
    ) -> Verdict:
        self.judged_by.append(calibration)
        return staged_judge(image, calibration, expected)

    def show(self, *acts: Still | Hand) -> None:
        first = self.shown
        for frame in frames(*acts):
            self.shown = first + frame.index + 1
            self.session.step(Frame(first + frame.index, (first + frame.index) / 30, frame.image_bgr))

    def throw(self, thrown: Dice) -> None:
        self.show(Hand({}), Still(thrown))

    @property
    def names(self) -> list[str]:
        return [event.name for event in self.told]


def put_aside(table: Table) -> None:
    table.session.touch(Play(PutAside((1, 1, 5))), table.session.state.version)


def test_what_lies_while_the_table_is_calibrated_is_no_throw() -> None:
    table = Table()
    table.show(Still({}))
    table.session.hold("page")
    game = table.session.state.game
    table.throw(SIX)
    assert table.session.state.game is game
    assert table.session.state.pause is not None
    assert table.session.state.pause.kind is WaitKind.CALIBRATING
    assert not table.session.moving
    table.session.let_go("page")
    assert table.session.state.pause is None
    table.show(Still({}))
    table.throw(SIX)
    assert table.session.state.game.turn.faces == (1, 1, 2, 3, 5, 6)


def test_the_next_throw_is_judged_by_the_new_calibration_and_the_game_goes_on() -> None:
    table = Table()
    table.show(Still({}))
    table.throw(SIX)
    put_aside(table)
    before = table.session.state.game
    table.session.hold("page")
    table.show(Still({}))
    table.session.recalibrate(UPPER, "page")
    assert table.session.state.game is before
    assert (table.session.state.pause, table.session.picture.calibration) == (None, UPPER)
    table.show(Still({}))
    table.throw(dice(1, 2, 3))
    assert table.session.state.game.turn.points == 250
    assert table.session.state.game.turn.faces == (1, 2, 3)
    judged_by = table.judged_by[-1]
    assert judged_by is not None
    assert (judged_by.area_px == UPPER.area_px).all()


def test_dice_that_still_lie_are_not_thrown_again() -> None:
    table = Table()
    table.show(Still({}))
    table.throw(SIX)
    table.session.hold("page")
    table.show(Still(SIX))
    table.session.recalibrate(UPPER, "page")
    table.show(Still(SIX, 2.0))
    assert table.names.count("throw_settled") == 1
    assert table.session.state.pause is None
    assert table.session.in_view is not None
    put_aside(table)


def test_other_dice_that_lie_then_are_asked_about() -> None:
    table = Table()
    table.show(Still({}))
    table.session.hold("page")
    table.show(Still(SIX))
    table.session.let_go("page")
    table.show(Still(SIX))
    state = table.session.state
    assert state.wait is not None
    assert state.wait.kind is WaitKind.UNSEEN
    table.session.touch(Confirm(), state.version)
    assert table.session.state.game.turn.faces == (1, 1, 2, 3, 5, 6)


def test_a_page_that_went_away_holds_the_table_no_longer() -> None:
    table = Table()
    table.show(Still({}))
    table.session.hold("page")
    table.session.hold("phone")
    table.now_s = HOLD_S - 1
    table.session.hold("phone")
    table.now_s = HOLD_S + 1
    table.show(Still({}, 0.1))
    assert table.session.state.pause is not None
    table.now_s = 2 * HOLD_S
    table.show(Still({}, 0.1))
    assert table.session.state.pause is None


def test_a_throw_is_reported_by_the_calibration_it_was_judged_by() -> None:
    table = Table()
    table.show(Still({}))
    table.throw(SIX)
    table.session.recalibrate(UPPER, "page")
    table.show(Still(SIX, 2.0))
    report = table.recorder.report(table.session.state)
    assert report is not None
    with zipfile.ZipFile(io.BytesIO(report)) as archive:
        assert json.loads(archive.read("table.json"))["area_px"] == WHOLE.area_px.tolist()
        assert json.loads(archive.read("report.json"))["throw"] is not None
    table.throw(OTHERS)
    report = table.recorder.report(table.session.state)
    assert report is not None
    with zipfile.ZipFile(io.BytesIO(report)) as archive:
        assert json.loads(archive.read("table.json"))["area_px"] == UPPER.area_px.tolist()


def test_a_turn_is_not_banked_because_the_tray_was_emptied_to_calibrate() -> None:
    table = Table()
    table.show(Still({}))
    table.throw(SIX)
    put_aside(table)
    table.session.hold("page")
    table.show(Still({}, 60.0))
    table.session.recalibrate(UPPER, "page")
    table.show(Still({}, 2.0))
    assert "banked" not in table.names
    assert table.session.state.game.turn.points == 250


def test_dice_are_seen_to_lie_outside_by_the_outline_drawn_last() -> None:
    def outside(
        image: Image, calibration: TableCalibration | None = None, expected: int | None = None
    ) -> Verdict:
        verdict = staged_judge(image, calibration, expected)
        assert calibration is not None
        low = calibration.area_px[:, 1].max()
        lying = [
            replace(die, state=DieState.FLAT if die.center_px[1] < low else DieState.OUTSIDE)
            for die in verdict.dice
        ]
        return replace(verdict, dice=tuple(lying))

    table = Table()
    table.loop = TableLoop(table.session.state.game, ThrowWatch(WHOLE, outside))
    table.session = TableSession(table.loop, Listeners(table.told.append), Sight(WHOLE))
    table.show(Still({}))
    table.session.recalibrate(UPPER, "page")
    table.show(Still({}))
    table.throw(dice(1, 1, 5, 3, 2, 6, first_cell=16 - 4))
    lying = table.session.state.lying
    assert lying is not None
    assert lying.verdict is not None
    assert [die.state for die in lying.verdict.dice].count(DieState.OUTSIDE) == 2


@settings(max_examples=25, deadline=None)
@given(
    happenings=st.lists(
        st.sampled_from(("hold", "let go", "recalibrate", "throw", "still", "empty", "set aside")),
        max_size=12,
    )
)
def test_whenever_it_is_calibrated_the_game_stays_as_it_is(happenings: list[str]) -> None:
    table, held, cell = Table(), False, 0
    table.show(Still({}, 0.5))
    for happening in happenings:
        game, lying = table.session.state.game, table.session.state.lying
        if happening == "hold":
            table.session.hold("page")
            held = True
        elif happening == "let go":
            table.session.let_go("page")
            held = False
        elif happening == "recalibrate":
            table.session.recalibrate(UPPER if table.session.sight.calibration is WHOLE else WHOLE, "page")
            held = False
        elif happening == "set aside" and game.turn.faces is not None:
            with suppress(TouchError):
                put_aside(table)
            continue
        else:
            cell = (cell + 8) % 16
            lies = {"throw": dice(1, 1, 5, 3, 2, 6, first_cell=cell), "empty": {}}
            table.show(*([] if happening == "still" else [Hand({})]), Still(lies.get(happening, {}), 0.6))
            if not held:
                continue
        assert table.session.state.game is game
        if table.session.state.lying is not lying:  # it waited for a view that fits again
            assert lying is not None
            assert not lying.counted
    if held:
        pause = table.session.state.pause
        assert pause is not None
        assert pause.kind is WaitKind.CALIBRATING


def test_a_camera_that_the_calibration_does_not_fit_waits_for_another_one() -> None:
    table, said = Table(), list[object]()
    small = [Frame(index, index / 30, np.full((120, 160, 3), 60, np.uint8)) for index in range(20)]
    session = TableSession(table.loop, Listeners(table.told.append), Sight(WHOLE, live=True))
    session.start(small, said.append)
    session.stop()
    assert session.state.pause is not None
    assert session.state.pause.kind is WaitKind.NOT_CALIBRATED
    assert len(said) == 1
    session.touch(EnterThrow((1, 1, 2, 3, 5, 6)), session.state.version)
    corners = np.array([[5.0, 5], [150, 5], [150, 110], [5, 110]])
    session.recalibrate(TableCalibration(corners, image_size=(160, 120)), "page")
    assert session.state.pause is None
    session.step(Frame(20, 20 / 30, small[0].image_bgr))
    assert session.state.game.turn.faces == (1, 1, 2, 3, 5, 6)
