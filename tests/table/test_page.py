"""The page as a person meets it, without a browser: what it shows and what a tap does."""

from __future__ import annotations

import asyncio
import io
import zipfile
from collections.abc import Awaitable, Callable, Iterable
from contextlib import AsyncExitStack

import numpy as np
import pytest
from nicegui import ui
from nicegui.testing import User, user_simulation

from scoring.actions import Bank, Misroll, PutAside
from scoring.game import new_game
from scoring.languages import Language
from scoring.ruleset import load_preset, with_overrides
from table.errors import TouchError
from table.events import TableEvent
from table.loop import TableLoop
from table.page.server import add_pages
from table.page.session import Listeners, TableSession, TallyStore
from table.page.words import Words
from table.recording.recorder import Recorder
from table.throw_watch import ThrowWatch
from table.touches import Play, Undo
from table.voice.voice import Voice
from tests.table.staging import TILTED, UNREADABLE, Dice, Hand, Still, dice, frames, staged_judge
from vision.domain import Frame
from vision.errors import UnreadableClipError
from vision.opencv import cv2

SIX = dice(1, 1, 5, 3, 2, 6)
Scene = Callable[["Table", User], Awaitable[None]]


class Table:
    """A session on the make-believe table, run by the test instead of by a thread."""

    def __init__(
        self,
        *players: str,
        language: Language = Language.ENGLISH,
        recorded: bool = False,
        store: TallyStore | None = None,
        voice: Voice | None = None,
        **overrides: str,
    ) -> None:
        rules = with_overrides(load_preset("danish"), {"first_throw_relief": "no", **overrides})
        self.told: list[TableEvent] = []
        recorder = Recorder(judge=staged_judge)
        self.loop = TableLoop(new_game(rules, players or ("Ada", "Bo")), ThrowWatch(judge=recorder.judge))
        recorder_or_none = recorder if recorded else None
        listeners = Listeners(self.told.append, voice=voice, recorder=recorder_or_none, store=store)
        self.session = TableSession(self.loop, listeners, language=language)
        self.loop.begin()

    def show(self, shown: Iterable[Frame]) -> None:
        for frame in shown:
            self.session.step(frame)

    def throw(self, thrown: Dice) -> None:
        self.show(frames(Still({}), Hand({}), Still(thrown)))


def act(table: Table, scene: Scene) -> None:
    """Open the page on `table` and play `scene` on it."""

    async def opened() -> None:
        async with AsyncExitStack() as stack:
            user = await stack.enter_async_context(user_simulation(lambda: None))
            add_pages(table.session, "/table")
            await user.open("/table")
            await scene(table, user)

    asyncio.run(opened())


def closed(user: User) -> None:
    """Delete the pads that are closed, as a browser does once they are hidden."""
    for pad in [each for each in user.current_layout.descendants() if isinstance(each, ui.dialog)]:
        if not pad.value:
            pad.delete()


def test_a_lost_camera_is_said_and_touches_still_count() -> None:
    async def scene(table: Table, user: User) -> None:
        table.throw(SIX)
        await user.should_see("Valid throw")
        table.session.lose(UnreadableClipError("usb:0: went away; accepted is a camera that stays"))
        await user.should_see("Camera lost")
        user.find(marker="set-aside-1-1-5").click()
        await user.should_see("throw 3 dice")

    act(Table(), scene)


def test_dice_are_numbered_by_their_place_in_the_row() -> None:
    async def scene(table: Table, user: User) -> None:
        table.throw(SIX)
        await user.should_see("Valid throw")
        named = [
            next(iter(user.find(marker=f"die-{place}").elements)).props["aria-label"] for place in (2, 3, 4)
        ]
        assert [name[:8] for name in named] == ["Die 5: 5", "Die 4: 3", "Die 3: 2"]

    act(Table(), scene)


def test_a_throw_that_was_read_is_never_called_entered_by_hand() -> None:
    async def scene(table: Table, user: User) -> None:
        table.throw(SIX)
        table.loop.touch(Play(PutAside((1, 1, 5))))
        table.show(frames(Hand({}), Still({}), Hand({}), Still(dice(2, 2, 2, first_cell=9))))
        for _ in range(2):
            table.loop.touch(Undo())
        await user.should_see("Valid throw")
        await user.should_not_see("Entered by hand")

    act(Table(), scene)


def test_a_turn_by_touch() -> None:
    async def scene(table: Table, user: User) -> None:
        await user.should_see("Ada, throw 6 dice")
        table.throw(SIX)
        await user.should_see("Valid throw")
        await user.should_see("Ada, set dice aside")
        await user.should_see("250", marker="set-aside-1-1-5")
        await user.should_see("3 left · bust 28%")
        user.find(marker="set-aside-1-1-5").click()
        await user.should_see("+250")
        await user.should_see("500 short of opening")
        await user.should_see("Throw 3")
        user.find(marker="bank").click()  # disabled: nothing happens
        await user.should_see("+250")
        user.find(marker="undo").click()
        await user.should_see("Ada, set dice aside")
        await user.should_not_see("+250")

    act(Table(), scene)


def test_banking_and_what_came_of_it() -> None:
    async def scene(table: Table, user: User) -> None:
        table.throw(SIX)
        await user.should_see(marker="set-aside-1-1-5")
        user.find(marker="set-aside-1-1-5").click()
        await user.should_see("Bank 250")
        user.find(marker="bank").click()
        await user.should_see("Ada banks 250")
        await user.should_see("Bo, throw 6 dice")

    act(Table(opening="0"), scene)


def test_correcting_a_face_in_the_row_of_dice() -> None:
    async def scene(table: Table, user: User) -> None:
        table.throw(dice(2, 3, 4, 4, 6, 6))
        await user.should_see("Ada busts")
        user.find(marker="die-0").click()
        await user.should_see("What does this die show?")
        user.find(marker="face-1").click()
        await user.should_see("Ada, set dice aside")
        await user.should_see(marker="set-aside-1")

    act(Table(), scene)


def test_correcting_a_face_in_the_picture() -> None:
    async def scene(table: Table, user: User) -> None:
        table.throw(SIX)
        await user.should_see(marker="set-aside-1-1-5")
        picture = {"mouse_event_type": "click", "image_x": 140, "image_y": 20}  # the fourth cell: a 3
        user.find(marker="picture").trigger("mouse", picture)
        await user.should_see("What does this die show?")
        user.find(marker="face-1").click()
        await user.should_see(marker="set-aside-1-1-1-5")

    act(Table(), scene)


def test_an_unsure_throw_is_corrected_and_counted() -> None:
    async def scene(table: Table, user: User) -> None:
        table.throw(dice(1, 1, UNREADABLE, 3, 2, 6))
        await user.should_see("Not sure")
        await user.should_see("A die cannot be read")
        user.find(marker="die-2").click()
        await user.should_see(marker="face-5")
        user.find(marker="face-5").click()
        await user.should_see("Count it")
        user.find(marker="confirm").click()
        await user.should_see("Counted by hand")
        await user.should_see(marker="set-aside-1-1-5")

    act(Table(), scene)


def test_a_leaning_die_counts_as_what_it_would_have_been_in_two_taps() -> None:
    async def scene(table: Table, user: User) -> None:
        table.throw(dice(1, 1, TILTED, 3, 2, 6))
        await user.should_see("Misroll: a die leans")
        await user.should_see("Ada, throw 6 dice")
        await user.should_not_see("Count it anyway")
        user.find(marker="die-2").click()
        await user.should_see("It leans. What would it have been?")
        user.find(marker="face-5").click()
        await user.should_see(marker="set-aside-1-1-5")
        await user.should_see("Ruled by a person: the throw counts as 1-1-2-3-5-6, with a five")

    act(Table(), scene)


def test_a_die_is_said_to_lean_and_to_lie_flat_after_all_in_two_taps_each() -> None:
    async def scene(table: Table, user: User) -> None:
        table.throw(SIX)
        await user.should_see("Valid throw")
        for lies, told in (("tilted", "Misroll: a die leans"), ("flat", "Valid throw")):
            closed(user)
            user.find(marker="die-2").click()
            await user.should_see(marker=f"lies-{lies}")
            user.find(marker=f"lies-{lies}").click()
            await user.should_see(told)
        await user.should_see(marker="set-aside-1-1-5")

    act(Table(), scene)


@pytest.mark.parametrize("by", ["picture", "add-die"])
def test_a_die_that_was_not_seen_is_added_in_two_taps(by: str) -> None:
    async def scene(table: Table, user: User) -> None:
        table.throw(dice(1, 1, 5, 3, 2))
        await user.should_see(marker="add-die")
        if by == "picture":
            tap = {"mouse_event_type": "click", "image_x": 260, "image_y": 100}
            user.find(marker="picture").trigger("mouse", tap)
        else:
            user.find(marker="add-die").click()
        await user.should_see("A die that was not seen: what does it show?")
        user.find(marker="face-6").click()
        await user.should_see(marker="set-aside-1-1-5")
        assert table.session.state.lying.added_px == ((260.0, 100.0) if by == "picture" else None,)

    act(Table(), scene)


def test_the_pad_shows_the_die_as_it_was_judged() -> None:
    async def scene(table: Table, user: User) -> None:
        table.throw(SIX)
        table.show(frames(Hand({}), Still({})))  # the dice are gone, their picture is not
        await user.should_see("Valid throw")
        user.find(marker="die-2").click()
        await user.should_see("What does this die show?")
        (image,) = [each for each in user.current_layout.descendants() if "die-picture" in each.classes]
        response = await user.http_client.get(image.props["src"])
        shown = cv2.imdecode(np.frombuffer(response.content, np.uint8), cv2.IMREAD_GRAYSCALE)
        assert abs(int(shown[180, 180]) - 200) < 12  # the grey of a five on the make-believe table
        assert (await user.http_client.get("/die.jpg?x=9999&y=5&side=40")).status_code == 204

    act(Table(recorded=True), scene)


def test_a_players_pad_rules_on_the_turn_the_total_and_who_plays() -> None:
    async def scene(table: Table, user: User) -> None:
        closed(user)
        user.find(marker="player-1").click()
        await user.should_see("It is the turn of Bo")
        user.find(marker="turn-to").click()
        await user.should_see("Bo, throw 6 dice")
        await user.should_see("Correction: the turn is Bo's, and not Ada's")
        closed(user)
        user.find(marker="player-1").click()
        await user.should_see(marker="correct-total")
        user.find(marker="correct-total").click()
        for key in ("key-1", "key-2", "key-00", "set"):
            await user.should_see(marker=key)
            user.find(marker=key).click()
        await user.should_see("Correction: Bo has 1,200 in all, had 0")
        closed(user)
        user.find(marker="player-1").click()
        await user.should_see(marker="take_out")
        user.find(marker="take_out").click()
        await user.should_see("Bo plays no further, 1,200 in all")
        await user.should_see("Ada, throw 6 dice")
        for _ in range(3):
            user.find(marker="undo").click()
            await asyncio.sleep(0.2)
        assert table.session.state.game.log == ()

    act(Table(), scene)


def test_a_throw_entered_by_hand() -> None:
    async def scene(table: Table, user: User) -> None:
        user.find(marker="throw").click()
        await user.should_see("Enter a throw")
        for face in (1, 1, 4, 5, 2, 6):
            user.find(marker=f"face-{face}").click()
        await user.should_see("Entered by hand")
        await user.should_see(marker="set-aside-1-1-5")

    act(Table(), scene)


def test_more_choices_than_fit_are_turned_over() -> None:
    async def scene(table: Table, user: User) -> None:
        table.throw(dice(1, 1, 1, 5, 5, 5))
        await user.should_see("10 more")
        await user.should_not_see(marker="set-aside-5")
        for _ in range(2):
            user.find(marker="more").click()
            await asyncio.sleep(0)
        await user.should_see(marker="set-aside-5")

    act(Table(), scene)


def test_two_browsers_stay_in_step() -> None:
    async def scene(table: Table, user: User) -> None:
        other = User(user.http_client)
        await other.open("/table")
        table.throw(SIX)
        await other.should_see(marker="set-aside-1-1-5")
        await user.should_see(marker="set-aside-1-1-5")
        user.find(marker="set-aside-1-1-5").click()
        await other.should_see("+250")

    act(Table(), scene)


def test_a_tap_on_what_is_past_is_refused() -> None:
    table = Table()
    table.throw(SIX)
    seen = table.session.state.version
    table.session.touch(Play(PutAside((1, 1, 5))), seen)
    with pytest.raises(TouchError, match="changed meanwhile"):
        table.session.touch(Play(Misroll()), seen)


def test_names_are_shown_as_they_are() -> None:
    async def scene(_table: Table, user: User) -> None:
        await user.should_see("<b>Bo</b> & co")
        html = (await user.http_client.get("/table")).text
        assert "<b>Bo</b>" not in html

    act(Table("Ada", "<b>Bo</b> & co"), scene)


def test_the_end_names_the_winner_and_offers_a_new_game() -> None:
    async def scene(table: Table, user: User) -> None:
        table.throw(dice(1, 1, 1, 3, 2, 6))
        await user.should_see(marker="set-aside-1-1-1")
        user.find(marker="set-aside-1-1-1").click()
        await user.should_see("Bank 1000")
        user.find(marker="bank").click()
        await user.should_see("Ada wins")
        user.find(marker="new-game").click()
        await user.should_see("Bo, throw 6 dice")

    act(Table(target="1000"), scene)


def test_a_throw_is_reported_as_one_file() -> None:
    async def scene(table: Table, user: User) -> None:
        assert (await user.http_client.get("/report.zip")).status_code == 404
        table.throw(SIX)
        user.find(marker="menu").click()
        await user.should_see(marker="report")
        user.find(marker="report").click()
        await user.should_see("game without names")
        user.find(marker="download").click()
        response = await user.download.next()
        assert response.headers["content-type"] == "application/zip"
        with zipfile.ZipFile(io.BytesIO(response.content)) as report:
            assert {"report.json", "clip.mkv", "judged.png"} <= set(report.namelist())

    act(Table(recorded=True), scene)


def test_where_nothing_was_seen_there_is_nothing_to_report() -> None:
    async def scene(table: Table, user: User) -> None:
        user.find(marker="menu").click()
        await user.should_see(marker="report")
        user.find(marker="report").click()
        await user.should_see("Download")
        user.find(marker="download").click()
        await user.should_see("The camera has shown nothing yet")
        assert (await user.http_client.get("/report.zip")).status_code == 404

    act(Table(recorded=True), scene)


def test_a_table_that_is_not_recorded_offers_no_report() -> None:
    async def scene(table: Table, user: User) -> None:
        await user.should_not_see(marker="report")

    act(Table(), scene)


class FullDisk:
    """A store whose disk fails until a test says that it works."""

    fault: str | None = "database or disk is full"
    resumed = True

    def retry(self) -> None: ...

    def players(self) -> tuple[str, ...]:
        return ()


def test_a_disk_that_fails_is_told_of_while_the_game_goes_on() -> None:
    async def scene(table: Table, user: User) -> None:
        await user.should_see("The tally cannot be written to disk (database or disk is full)")
        table.throw(SIX)
        await user.should_see(marker="set-aside-1-1-5")
        await user.should_see("it goes on in memory")
        disk.fault = None
        await user.should_not_see("cannot be written")
        await user.should_not_see("goes on where it stood")

    disk = FullDisk()
    act(Table(store=disk), scene)


def test_a_game_taken_up_again_says_so_until_it_goes_on() -> None:
    async def scene(table: Table, user: User) -> None:
        await user.should_see("The game goes on where it stood")
        table.throw(SIX)
        await user.should_see(marker="set-aside-1-1-5")
        await user.should_not_see("goes on where it stood")

    disk = FullDisk()
    disk.fault = None
    act(Table(store=disk), scene)


def test_the_picture_is_a_jpeg_once_there_is_one() -> None:
    async def scene(table: Table, user: User) -> None:
        assert (await user.http_client.get("/picture.jpg")).status_code == 204
        table.throw(SIX)
        response = await user.http_client.get("/picture.jpg")
        assert response.headers["content-type"] == "image/jpeg"
        assert response.content[:3] == b"\xff\xd8\xff"

    act(Table(), scene)


def test_the_page_speaks_the_language_of_the_table() -> None:
    async def scene(table: Table, user: User) -> None:
        await user.should_see("Ada, slå 6 terninger")
        table.throw(SIX)
        await user.should_see("Gyldigt kast")
        await user.should_see("3 tilbage · risiko 28 %")
        user.find(marker="misroll").click()
        await user.should_see("Ada, slå 6 terninger")

    act(Table(language=Language.DANISH), scene)


@pytest.mark.parametrize("language", [each for each in Language if each is not Language.ENGLISH])
def test_nothing_on_the_page_is_left_in_english(language: Language) -> None:
    english, other = vars(Words(Language.ENGLISH)), vars(Words(language))
    alike = [text for name, text in english.items() if isinstance(text, str) and other[name] == text]
    assert alike == []


def test_the_menu_leads_to_the_help_page_and_back() -> None:
    async def scene(_table: Table, user: User) -> None:
        user.find("menu").click()
        await user.should_see("Help")
        user.find("help").click()
        await user.should_see("An ordinary turn")
        user.find("to-the-table").click()

    act(Table("Ada", "Bo"), scene)


def test_a_banking_of_a_turn_before_is_put_right_from_the_menu() -> None:
    async def scene(table: Table, user: User) -> None:
        table.throw(SIX)
        table.loop.touch(Play(PutAside((1, 1, 5))))
        table.loop.touch(Play(Bank()))
        await user.should_see("Bo, throw 6 dice")
        user.find(marker="menu").click()
        await user.should_see(marker="turns")
        user.find(marker="turns").click()
        await user.should_see("Ada: Banked")
        user.find(marker="done-2").click()
        await user.should_see(marker="other-points")
        user.find(marker="other-points").click()
        for key in ("key-3", "key-00", "set"):
            await user.should_see(marker=key)
            user.find(marker=key).click()
        await user.should_see("Correction, Ada: turn ended with 300, was banked")
        assert table.session.state.game.totals == {"Ada": 300, "Bo": 0}

    act(Table(opening="0"), scene)
