"""The page on which the table is calibrated, as a person meets it, without a browser."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nicegui.testing import User

from scoring.actions import PutAside
from scoring.game import new_game
from scoring.languages import Language
from scoring.ruleset import load_preset
from table.calibrating import NoSheetError, TooFewDiceError, TooRoughError
from table.calibration_checks import NotEmptyError, OtherViewError, UnlikelyCameraError
from table.calibration_draft import Draft, Way
from table.errors import NotPermittedError
from table.events import WaitKind
from table.loop import TableLoop
from table.page import calibrate
from table.page.calibrate_steps import NOT_HELD, STEPS, Step, is_done, said, why_not
from table.page.calibrate_words import CalibrateWords
from table.page.listeners import Listeners
from table.page.outline_editor import OutlineEditor
from table.page.session import TableSession
from table.page.sight import Sight
from table.throw_watch import ThrowWatch
from table.touches import EnterThrow, Play
from tests.table.browsing import browse
from tests.vision.calibrate.drawn_tray import SHAPES, Tray
from tests.vision.calibrate.known_camera import SIZE, board_picture, camera, noisy
from vision.calibrate.quality import Quality
from vision.calibration import load_calibration
from vision.domain import DieReading, DieState, Frame, Image, Ruling, TableCalibration, Verdict
from vision.errors import CalibrationError

KNOWN = camera(over_mm=(105, -75), tilt_deg=(4, -3))
FLOOR = np.array([[-40, 35], [250, 35], [250, -185], [-40, -185.0]])
GREY = noisy(np.full((SIZE[1], SIZE[0], 3), 120.0), 1, 2)
PATIENCE = 600  # tenths of a second, of a test that fails; none waits so long otherwise
ANYTHING = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3) | st.lists(st.integers())
)
DROPS = st.dictionaries(
    st.sampled_from(("corner", "x", "y", "z")), ANYTHING, max_size=4
) | st.fixed_dictionaries({"corner": st.integers(-1, 9), "x": st.floats(), "y": st.floats()})

Scene = Callable[["Table", User], Awaitable[None]]


def sees_nothing(
    image: Image, calibration: TableCalibration | None = None, expected: int | None = None
) -> Verdict:
    return Verdict(Ruling.UNSURE, (), ())


class Table:
    """A session in the middle of a game, over a camera that shows what the test wants."""

    def __init__(self, kept_at: Path | None = None, language: Language = Language.ENGLISH) -> None:
        game = new_game(load_preset("danish"), ("Ada", "Bo"))
        self.loop = TableLoop(game, ThrowWatch(judge=sees_nothing))
        sight = Sight(None, kept_at, live=True)
        self.session = TableSession(self.loop, Listeners(lambda _: None), sight, language)
        self.loop.begin()
        self.shown = 0

    def show(self, image: Image) -> None:
        self.session.step(Frame(self.shown, self.shown / 30, image))
        self.shown += 1


def act(table: Table, scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibrate, "STILL_S", 0.0)
    monkeypatch.setattr(calibrate, "judge", sees_nothing)
    browse(table.session, "/calibrate", partial(scene, table))


def drag(user: User, corner: int, x: float, y: float) -> None:
    """Drop a corner there, as the browser tells it."""
    editor = next(iter(user.find(kind=OutlineEditor).elements))
    listener = next(each for each in editor._event_listeners.values() if each.type == "moved")
    editor._handle_event({"listener_id": listener.id, "args": {"corner": corner, "x": x, "y": y}})


def test_a_sheet_a_game_and_an_outline_by_finger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "table.json"

    async def scene(table: Table, user: User) -> None:
        table.session.touch(EnterThrow((1, 1, 2, 3, 5, 6)), table.session.state.version)
        table.session.touch(Play(PutAside((1, 1, 5))), table.session.state.version)
        game = table.session.state.game
        table.show(GREY)
        user.find(marker="way-sheet").click()
        await user.should_see("Step 1 of 5")
        assert table.session.camera_to_renew()
        assert table.session.state.pause is not None
        assert table.session.state.pause.kind is WaitKind.CALIBRATING
        user.find(marker="take").click()
        await user.should_see("Show the floor's edge", retries=PATIENCE)
        for corner, (x, y) in enumerate(KNOWN.sees(FLOOR)):
            drag(user, corner, float(x), float(y))
        await user.should_see("The arrows move the chosen corner.")
        user.find(marker="nudge+1+0").click()
        user.find(marker="nudge-1+0").click()
        user.find(marker="next").click()
        await user.should_see("Lay the sheet in the tray")
        user.find(marker="take").click()
        await user.should_see("The sheet was not seen", retries=PATIENCE)
        table.show(board_picture(KNOWN))
        user.find(marker="take").click()
        await user.should_see("Now hold it at a slant", retries=PATIENCE)
        user.find(marker="next").click()
        await user.should_see("How large are your dice?")
        user.find(marker="edge+2").click()
        await user.should_see("18 mm")
        user.find(marker="next").click()
        await user.should_see("tilt good to", retries=PATIENCE)
        await user.should_see(marker="check")
        user.find(marker="use").click()
        await user.should_see("The table sees by this now", retries=PATIENCE)
        await user.should_see(f"Kept in {place}")
        assert table.session.state.game is game
        assert table.session.state.pause is None
        used = table.session.sight.calibration
        assert used is not None
        assert used.die_mm == 18.0
        assert used.floor_pose is not None
        assert (used.area_px == load_calibration(place).area_px).all()
        table.show(GREY)

    act(Table(place), scene, monkeypatch)


def test_a_guest_without_the_pin_holds_up_no_game(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise NotPermittedError("the PIN first")

    async def scene(table: Table, user: User) -> None:
        table.session.permit = refuse
        user.find(marker="way-sheet").click()
        await user.should_see(marker="pin-told")
        await user.should_see("What do you have at hand?")
        assert table.session.state.pause is None
        assert not table.session.camera_to_renew()

    act(Table(), scene, monkeypatch)


def test_a_hand_in_the_picture_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene(table: Table, user: User) -> None:
        table.show(GREY)
        user.find(marker="way-outline").click()
        monkeypatch.setattr(calibrate, "lies_still", lambda before, after: False)
        user.find(marker="take").click()
        await user.should_see("Something moved", retries=PATIENCE)
        await user.should_see("Empty the tray")

    act(Table(), scene, monkeypatch)


def test_without_a_picture_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene(table: Table, user: User) -> None:
        user.find(marker="way-size").click()
        user.find(marker="take").click()
        await user.should_see("No picture comes from the camera", retries=PATIENCE)

    act(Table(), scene, monkeypatch)


def test_a_disk_that_cannot_be_written_loses_the_file_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")

    async def scene(table: Table, user: User) -> None:
        table.show(Tray(SHAPES["rectangle"]).picture())
        user.find(marker="way-outline").click()
        user.find(marker="take").click()
        await user.should_see("Is this the floor's edge?", retries=PATIENCE)
        user.find(marker="next").click()
        await user.should_see("The green line must run", retries=PATIENCE)
        user.find(marker="use").click()
        await user.should_see("it is lost when the program ends", retries=PATIENCE)
        assert table.session.sight.calibration is not None

    act(Table(blocked / "table.json"), scene, monkeypatch)


def test_lines_that_cross_are_said_and_keep_one_from_going_on(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene(table: Table, user: User) -> None:
        table.show(GREY)
        user.find(marker="way-outline").click()
        user.find(marker="take").click()
        await user.should_see("Show the floor's edge", retries=PATIENCE)
        user.find(marker="shape").click()
        await user.should_see(kind=OutlineEditor)
        drag(user, 1, 640.0, 900.0)
        await user.should_see("The lines cross")
        assert not next(iter(user.find(marker="next").elements)).enabled
        user.find(marker="shape").click()
        await user.should_not_see("The lines cross")

    act(Table(), scene, monkeypatch)


def test_an_outline_that_nobody_showed_does_not_go_through(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene(table: Table, user: User) -> None:
        table.show(GREY)
        user.find(marker="way-size").click()
        user.find(marker="take").click()
        await user.should_see("Show the floor's edge", retries=PATIENCE)
        for _ in range(4):
            user.find(marker="shape").click()
            await user.should_see("Drag the rings to the corners of the floor.")
            assert not next(iter(user.find(marker="next").elements)).enabled
        drag(user, 0, 200.0, 200.0)
        await user.should_see("Is this the floor's edge?")
        assert next(iter(user.find(marker="next").elements)).enabled

    act(Table(), scene, monkeypatch)


def test_dice_in_the_empty_tray_are_taken_out_or_said_to_be_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def sees_one(
        image: Image, calibration: TableCalibration | None = None, expected: int | None = None
    ) -> Verdict:
        die = DieReading(6, 0.99, (480.0, 360.0), np.zeros((4, 2)), DieState.FLAT)
        return Verdict(Ruling.VALID, (), (die,))

    async def scene(table: Table, user: User) -> None:
        monkeypatch.setattr(calibrate, "judge", sees_one)
        table.show(board_picture(KNOWN))
        user.find(marker="way-outline").click()
        user.find(marker="take").click()
        await user.should_see("The sheet lies in the tray", retries=PATIENCE)
        table.show(Tray(SHAPES["rectangle"]).picture())
        user.find(marker="take").click()
        await user.should_see("Dice seen in the tray: 1.", retries=PATIENCE)
        await user.should_not_see(marker="next")
        user.find(marker="no-dice").click()
        await user.should_not_see("Dice seen in the tray: 1.")
        user.find(marker="next").click()
        await user.should_see("The green line must run", retries=PATIENCE)

    act(Table(), scene, monkeypatch)


def test_a_size_by_which_no_camera_sees_the_tray_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene(table: Table, user: User) -> None:
        table.show(GREY)
        user.find(marker="way-size").click()
        user.find(marker="take").click()
        await user.should_see("Show the floor's edge", retries=PATIENCE)
        for corner, (x, y) in enumerate(KNOWN.sees(FLOOR)):
            drag(user, corner, float(x), float(y))
        user.find(marker="next").click()
        await user.should_see("How large is the floor?")
        user.find(marker="next").click()
        user.find(marker="next").click()
        await user.should_see("No camera sees the tray so.", retries=PATIENCE)
        assert not next(iter(user.find(marker="use").elements)).enabled

    act(Table(), scene, monkeypatch)


@pytest.mark.parametrize("language", Language)
def test_every_reason_why_nothing_came_of_it_is_said_in_words_of_its_own(language: Language) -> None:
    words = CalibrateWords(language)
    quality = Quality(9.0, 20.0, 100.0, 0.1, 1.0)
    errors = [
        TooRoughError("", quality),
        TooFewDiceError("", 2),
        NotEmptyError("", 2),
        NoSheetError("", 0),
        UnlikelyCameraError(),
        OtherViewError(),
        CalibrationError(),
    ]
    assert len({why_not(error, words) for error in errors}) == len(errors)
    assert words.height(600.0, replace(quality, height_error_mm=59.0)) != words.height(600.0, quality)


def test_whatever_a_browser_says_of_a_corner_keeps_the_page_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene(table: Table, user: User) -> None:
        table.show(GREY)
        user.find(marker="way-outline").click()
        user.find(marker="take").click()
        await user.should_see("Show the floor's edge", retries=PATIENCE)

        @settings(max_examples=60, deadline=None)
        @given(args=DROPS)
        def drops(args: dict[str, object]) -> None:
            editor = next(iter(user.find(kind=OutlineEditor).elements))
            for each in list(editor._event_listeners.values()):
                editor._handle_event({"listener_id": each.id, "args": args})
            assert all(np.isfinite(corner).all() for corner in editor._props["corners"])

        drops()
        drag(user, 0, -5000.0, 10.0)
        await user.should_see("The outline leaves the picture.")

    act(Table(), scene, monkeypatch)


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("way", Way)
def test_every_step_says_something_in_every_language(language: Language, way: Way) -> None:
    words, draft = CalibrateWords(language), Draft(way)
    titles = [said(step, draft, None, words).title for step in STEPS[way]]
    assert all(titles)
    assert len(set(titles)) == len(titles)
    assert {STEPS[way][0], STEPS[way][-1]} == NOT_HELD
    assert not is_done(Step.EMPTY, draft)
