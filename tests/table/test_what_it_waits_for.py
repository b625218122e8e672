"""Whatever state the table is in, it says what it waits for, in one line of the language they play in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from nicegui import ui
from nicegui.testing import User

from scoring.actions import Bank, PutAside
from scoring.game import Phase
from scoring.languages import Language
from table.events import Moment, Wait, WaitKind, paused
from table.page.prompts import prompt
from table.page.sight import SourceStatus
from table.page.words import Words
from table.state import TableState
from table.touches import EnterThrow, Play
from table.voice.lines import Narrator
from tests.table.browsing import SIX, FullDisk, Table, act
from tests.table.staging import TILTED, Hand, Still, dice, frames
from vision.errors import UnreadableClipError

LONGEST = 64  # letters, with a player's name: two lines of the play page
ALIKE = {WaitKind.UNSEEN: WaitKind.NOT_COUNTED}  # the same question; the line below says why it is asked
SAYS = {  # what tells each question from the others, for whoever reads it in English
    WaitKind.UNSURE: "what lies there",
    WaitKind.WHICH_SET_ASIDE: "set aside?",
    WaitKind.BANKED_OR_THROWN: "Banked, or thrown",
    WaitKind.NOT_BANKED: "Thrown on after all",
    WaitKind.DICE_DO_NOT_FIT: "do not fit",
    WaitKind.NUDGED: "were moved",
    WaitKind.NOT_THROWN: "thrown again",
    WaitKind.GAME_OVER: "wins",
    WaitKind.NOT_COUNTED: "Count this throw?",
    WaitKind.UNSEEN: "Count this throw?",
    WaitKind.COVERED: "covers the tray",
    WaitKind.VIEW_MOVED: "was moved",
    WaitKind.LIGHT_CHANGED: "light has changed",
    WaitKind.VIEW_UNCLEAR: "not clear",
    WaitKind.NOT_CALIBRATED: "does not fit this camera",
    WaitKind.CALIBRATING: "is being calibrated",
}
FREELY = {"opening": "0", "least_banking": "0"}
PHASES: dict[Phase, tuple[Callable[[], Table], str]] = {
    Phase.THROW: (Table, "Ada, throw 6 dice"),
    Phase.SET_ASIDE: (lambda: thrown(Table()), "Ada, set dice aside"),
    Phase.DECIDE: (lambda: touched(Table(**FREELY), PutAside((1, 1))), "Ada, bank or throw 4 dice"),
    Phase.RELIEF: (lambda: thrown(Table(first_throw_relief="yes"), 2, 3, 4, 4, 6, 6), "Throw again?"),
    Phase.KNOCK: (lambda: thrown(Table(knock_relief="yes"), 1, 1, TILTED, 3, 2, 6), "One knock"),
    Phase.OVER: (
        lambda: touched(Table(**FREELY, target="1000"), PutAside((1, 1, 1)), Bank()),
        "Ada wins",
    ),
}


def thrown(table: Table, *faces: int) -> Table:
    table.throw(dice(*faces) if faces else SIX)
    return table


def touched(table: Table, *actions: PutAside | Bank) -> Table:
    table.loop.touch(EnterThrow((1, 1, 1, 3, 2, 6)))
    for action in actions:
        table.loop.touch(Play(action))
    return table


def waiting(state: TableState, kind: WaitKind) -> TableState:
    return replace(state, wait=Wait(kind, "for a reason"))


def line_of(state: TableState, language: Language) -> str:
    """Return what the page says it waits for, and hold that it can be shown."""
    line = prompt(state, Words(language))
    for text in (line.text, line.detail):
        assert "{" not in text
        assert text == text.strip()
    assert 0 < len(line.text) <= LONGEST
    assert "\n" not in line.text
    return line.text


@pytest.mark.parametrize("phase", PHASES)
def test_every_phase_says_who_is_to_do_what(phase: Phase) -> None:
    make, says = PHASES[phase]
    state = make().session.state
    assert state.game.turn.phase is phase
    assert state.wait is None
    assert says in line_of(state, Language.ENGLISH)
    lines = {line_of(state, language) for language in Language}
    assert len(lines) >= len(Language) - 1, lines  # Danish and Norwegian may say the same


@pytest.mark.parametrize("language", Language)
def test_no_two_phases_say_the_same(language: Language) -> None:
    lines = [line_of(make().session.state, language) for make, _ in PHASES.values()]
    assert len(set(lines)) == len(PHASES), lines


@pytest.mark.parametrize("kind", WaitKind)
def test_every_question_is_asked_in_whatever_phase(kind: WaitKind) -> None:
    for make, _ in PHASES.values():
        state = waiting(make().session.state, kind)
        if kind is not WaitKind.GAME_OVER or state.game.over:
            assert SAYS[kind] in line_of(state, Language.ENGLISH)


@pytest.mark.parametrize("language", Language)
def test_no_two_questions_are_the_same_to_the_eye_or_to_the_ear(language: Language) -> None:
    over = PHASES[Phase.OVER][0]().session.state
    kinds = [kind for kind in WaitKind if kind not in ALIKE]
    shown = [line_of(waiting(over, kind), language) for kind in kinds]
    assert len(set(shown)) == len(kinds), shown
    for one, other in ALIKE.items():
        words = Words(language)
        assert prompt(waiting(over, one), words) != prompt(waiting(over, other), words)
    at = Moment(0.0, 0)
    spoken = [Narrator(language).narrate([paused(at, Wait(kind, ""))])[0].text for kind in WaitKind]
    said = [text for text in spoken if text]
    assert len(set(said)) == len(said), said


@pytest.mark.parametrize("language", Language)
def test_questions_are_asked_in_the_language_they_play_in(language: Language) -> None:
    if language is Language.ENGLISH:
        return
    over = PHASES[Phase.OVER][0]().session.state
    for kind in WaitKind:
        english, own = (prompt(waiting(over, kind), Words(each)) for each in (Language.ENGLISH, language))
        assert own.text != english.text
        assert not own.detail or own.detail != english.detail or kind is WaitKind.GAME_OVER


def test_a_view_that_is_not_fit_is_told_before_what_the_throw_waits_for() -> None:
    for make, _ in PHASES.values():
        state = replace(waiting(make().session.state, WaitKind.UNSURE), view=Wait(WaitKind.COVERED, ""))
        assert SAYS[WaitKind.COVERED] in line_of(state, Language.ENGLISH)


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("fault", ["database or disk is full", "attempt to write a readonly database"])
def test_what_ails_the_disk_is_told_in_the_language_they_play_in(fault: str, language: Language) -> None:
    told = Words(language).tally_not_written(fault)
    assert fault not in told
    assert told == Words(Language.ENGLISH).tally_not_written(fault) or language is not Language.ENGLISH
    assert told != Words(language).tally_not_written("disk I/O error")


def shown(user: User, marker: str) -> list[str]:
    try:
        return [each.text for each in user.find(marker=marker).elements if isinstance(each, ui.label)]
    except AssertionError:
        return []


@pytest.mark.parametrize("language", Language)
def test_the_page_says_what_has_become_of_the_picture_beside_what_it_waits_for(language: Language) -> None:
    words = Words(language)
    told = {
        SourceStatus.LOST: words.camera_lost,
        SourceStatus.ENDED: words.clip_ended,
        SourceStatus.FAILED: words.camera_failed,
    }
    assert len({*told.values(), words.moving}) == len(told) + 1

    async def scene(table: Table, user: User) -> None:
        to_throw = words.to_throw("Ada", 6)
        await user.should_see(to_throw)
        table.show(frames(Still({})))
        table.show(list(frames(Still({}), Hand({})))[-5:])
        await user.should_see(words.moving, marker="chip")
        assert shown(user, "prompt") == [to_throw]
        for status, text in told.items():
            table.session.status = status
            await user.should_see(text, marker="chip")
            assert shown(user, "prompt") == [to_throw]
        table.session.status = SourceStatus.NONE
        await user.should_not_see(marker="chip")
        assert shown(user, "prompt") == [to_throw]
        table.session.lose(UnreadableClipError("usb:0: went away"))
        await user.should_see(words.camera_lost, marker="chip")

    act(Table(language=language), scene)


@pytest.mark.parametrize("language", Language)
def test_the_page_says_what_else_is_the_matter_above_what_it_waits_for(language: Language) -> None:
    words, store = Words(language), FullDisk()

    async def scene(table: Table, user: User) -> None:
        await user.should_see(words.tally_not_written("database or disk is full"), marker="notice")
        store.fault = None
        await user.should_see(words.game_goes_on, marker="notice")
        store.resumed = False
        table.session.try_out(1000)
        await user.should_see(words.trying, marker="notice")
        table.session.hold("a test")
        calibrating = prompt(table.session.state, words).text
        await user.should_see(calibrating, marker="prompt")
        table.session.let_go("a test")
        await user.should_see(words.to_throw("Ada", 6), marker="prompt")

    act(Table(language=language, store=store), scene)
