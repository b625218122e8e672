"""The page as a person meets it, without a browser: what it shows and what a tap does."""

from __future__ import annotations

import asyncio
import io
import zipfile

import pytest
from nicegui import ui
from nicegui.testing import User

from scoring.actions import Misroll, PutAside
from scoring.languages import Language
from table.errors import TouchError
from table.page.places import TABLE_URL
from table.page.sight import SourceStatus
from table.page.words import Words
from table.touches import Play, Undo
from table.voice import speech_engines
from table.voice.lines import Narrator
from table.voice.voice import Voice
from tests.table.browsing import SIX, FullDisk, Table, act
from tests.table.staging import UNREADABLE, Hand, Still, dice, frames
from vision.errors import UnreadableClipError

GONE = UnreadableClipError("usb:0: went away; accepted is a camera that stays")


def test_a_lost_camera_is_said_and_touches_still_count() -> None:
    async def scene(table: Table, user: User) -> None:
        table.throw(SIX)
        await user.should_see("Valid throw")
        table.session.lose(GONE)
        await user.should_see("Camera lost")
        user.find(marker="set-aside-1-1-5").click()
        await user.should_see("throw 3 dice")

    act(Table(), scene)


def test_while_the_camera_is_away_dice_are_tapped_where_its_picture_was() -> None:
    async def scene(table: Table, user: User) -> None:
        table.show(frames(Still({})))
        await user.should_not_see(marker="face-1")
        table.session.lose(GONE)
        for face in (1, 1, 5):
            await user.should_see(marker=f"face-{face}")
            user.find(marker=f"face-{face}").click()
        table.session.lose(UnreadableClipError("usb:0: no camera there"))  # tried again
        for face in (3, 2, 6):
            user.find(marker=f"face-{face}").click()
        await user.should_see("Entered by hand")
        assert table.session.state.game.turn.faces == (1, 1, 2, 3, 5, 6)

    act(Table(), scene)


def test_a_throw_half_tapped_when_the_camera_comes_back_can_be_ended() -> None:
    async def scene(table: Table, user: User) -> None:
        table.session.lose(GONE)
        await user.should_see(marker="face-1")
        for face in (1, 1, 5):
            user.find(marker=f"face-{face}").click()
        table.session.status = SourceStatus.RUNNING
        await user.should_not_see("Camera lost")
        for face in (3, 2, 6):
            user.find(marker=f"face-{face}").click()
        await user.should_see("Entered by hand")
        await user.should_not_see(marker="face-1")

    act(Table(), scene)


def test_the_picture_comes_back_with_the_camera() -> None:
    async def scene(table: Table, user: User) -> None:
        table.session.lose(GONE)
        await user.should_see(marker="face-1")
        user.find(marker="face-1").click()
        table.session.status = SourceStatus.RUNNING
        await user.should_see(marker="face-1")  # one is tapped
        user.find(marker="take-back-die").click()
        await user.should_not_see(marker="face-1")

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
        await user.should_see("Counted by hand")
        await user.should_see(marker="set-aside-1-1-5")

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


def test_advice_is_hidden_and_shown_from_the_menu() -> None:
    async def scene(table: Table, user: User) -> None:
        def best() -> bool:
            [button] = user.find(marker="set-aside-1-1-5").elements
            return "best" in button.classes

        table.throw(SIX)
        await user.should_see("3 left · bust 28%")
        assert best()
        user.find(marker="menu").click()
        user.find(marker="advice").click()
        await user.should_see("3 left")
        await user.should_not_see("bust")
        assert not best()
        user.find(marker="set-aside-1-1-5").click()
        await user.should_see("Throw 3")
        await user.should_not_see("bust")
        table.session.preferences.change(advice=True)  # on another page
        await user.should_see("bust 28%")

    act(Table(), scene)


def test_where_no_voice_is_installed_the_page_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene(_table: Table, user: User) -> None:
        user.find(marker="voice").click()
        await user.should_see("sudo apt-get install espeak-ng")

    monkeypatch.setattr(speech_engines.shutil, "which", lambda _: None)
    voice = Voice(Narrator(Language.ENGLISH), None, None, print)
    act(Table(voice=voice), scene)
    voice.close()


def test_a_newcomer_joins_from_the_menu_and_can_be_undone() -> None:
    async def scene(table: Table, user: User) -> None:
        table.throw(SIX)
        await user.should_see(marker="set-aside-1-1-5")
        user.find(marker="menu").click()
        user.find(marker="add-player").click()
        user.find(marker="name-typed").type("bo")
        user.find(marker="name-done").click()
        await user.should_see("bo plays already")
        user.find(marker="name-typed").clear().type("Eva")
        user.find(marker="name-done").click()
        await user.should_see("Eva joins the game")
        await user.should_see(marker="player-2")
        await user.should_see(marker="set-aside-1-1-5")
        user.find(marker="undo").click()
        await user.should_not_see(marker="player-2")

    act(Table(), scene)


def test_a_name_the_table_knows_joins_by_one_tap() -> None:
    async def scene(table: Table, user: User) -> None:
        user.find(marker="menu").click()
        user.find(marker="add-player").click()
        user.find(marker="known-Eva").click()
        await user.should_see(marker="player-2")
        assert table.session.state.game.players == ("Ada", "Bo", "Eva")

    known = FullDisk()
    known.players = lambda: ("Ada", "Eva")
    act(Table(store=known), scene)


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
        await other.open(TABLE_URL)
        table.throw(SIX)
        await other.should_see(marker="set-aside-1-1-5")
        await user.should_see(marker="set-aside-1-1-5")
        user.find(marker="set-aside-1-1-5").click()
        await other.should_see("+250")

    act(Table(), scene)


def test_buttons_stay_under_the_finger_while_something_moves_in_the_tray() -> None:
    async def scene(table: Table, user: User) -> None:
        def buttons() -> list[ui.element]:
            return [one for name in ("set-aside-1-1-5", "undo", "player-0", "die-0") for one in found(name)]

        def found(marker: str) -> list[ui.element]:
            return list(user.find(marker=marker).elements)

        table.throw(SIX)
        await user.should_see(marker="set-aside-1-1-5")
        before = buttons()
        table.show(frames(Hand(SIX)))
        await user.should_see("Dice are moving")
        assert buttons() == before
        user.find(marker="set-aside-1-1-5").click()
        await user.should_see("+250")

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
        html = (await user.http_client.get(TABLE_URL)).text
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


def test_a_disk_that_fails_is_told_of_while_the_game_goes_on() -> None:
    async def scene(table: Table, user: User) -> None:
        await user.should_see("The tally cannot be written to disk (the disk is full)")
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
