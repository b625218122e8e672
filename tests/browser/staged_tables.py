"""A server of tables that each stand in one state: `python -m tests.browser.staged_tables PORT`.

A table's address is `/STATE-PLAYERS`, with a pad over it `/pad-NAME-PLAYERS`; the pages beside the first
one's speak the language of `/speak-LANGUAGE` once that was asked for. Camera and judge are make-believe, all
else is the program's own.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from nicegui import app, ui

from scoring.actions import Bank, PutAside
from scoring.game import new_game
from scoring.languages import Language
from scoring.ruleset import load_preset, with_overrides
from table.events import TableEvent
from table.loop import TableLoop
from table.page.listeners import Listeners
from table.page.page import TablePage
from table.page.server import LANGUAGES, add_pages
from table.page.session import TableSession
from table.page.sight import SourceStatus
from table.page.words import TITLE
from table.recording.recorder import Recorder
from table.throw_watch import ThrowWatch
from table.touches import EnterThrow, Play, Touch
from tests.browser.staged_pads import PADS
from tests.table.staging import TILTED, UNREADABLE, Dice, Hand, Still, dice, frames, staged_judge
from vision.errors import UnreadableClipError

FEW, MANY = 2, 10
LANGUAGE_OF = {FEW: Language.DANISH, MANY: Language.FINNISH}  # the latter has the longest words
NAMES = (
    *("Wilhelmina Østergaard-Mikkelsen", "Maximilian Æbelø-Rasmussen", "Åse", "Gunhild Margrethe", "Bo"),
    *("Kristoffer-Emil", "Annemarie Wammen-Hansen", "Mmmmmmmmmmmmmmmmmmmmmmmm", "Per", "Iiro Äijälä"),
)
RULES = {"knock_relief": "yes", "target": "1000", "opening": "0", "first_throw_relief": "no"}


class FullDisk:
    """A store whose disk takes nothing."""

    fault: str | None = "database or disk is full"
    resumed = False
    number: int | None = None

    def retry(self) -> None: ...


class Stage:
    """A table on which one thing after another has happened."""

    def __init__(self, players: int, *, store: FullDisk | None = None, **rules: str) -> None:
        ruleset = with_overrides(load_preset("danish"), {**RULES, **rules})
        recorder = Recorder(judge=staged_judge)
        self.loop = TableLoop(new_game(ruleset, NAMES[:players]), ThrowWatch(judge=recorder.judge))
        told: list[TableEvent] = []
        listeners = Listeners(told.append, recorder=recorder, store=store)
        self.session = TableSession(self.loop, listeners, language=LANGUAGE_OF[players])
        self.loop.begin()

    def throw(self, thrown: Dice) -> Stage:
        for frame in frames(Still({}), Hand({}), Still(thrown)):
            self.session.step(frame)
        return self

    def touch(self, *touches: Touch) -> Stage:
        for touch in touches:
            self.loop.touch(touch)
        return self

    def lose_camera(self) -> Stage:
        self.session.lose(UnreadableClipError("usb:0: went away; accepted is a camera that stays"))
        return self

    def without_camera(self) -> Stage:
        self.session.status = SourceStatus.NONE
        return self

    def end_clip(self) -> Stage:
        self.session.status = SourceStatus.ENDED
        return self


def aside(*faces: int) -> Touch:
    return Play(PutAside(faces))


STATE_OF_PADS = "unsure"
STATES: dict[str, Callable[[int], Stage]] = {
    "before-a-throw": Stage,
    "options": lambda players: Stage(players, target="10000").throw(dice(1, 1, 1, 5, 5, 5)),
    "few-options": lambda players: Stage(players, target="10000").throw(dice(1, 2, 3, 3, 4, 5)),
    "one-option": lambda players: Stage(players, target="10000").throw(dice(2, 2, 3, 3, 4, 5)),
    "thrown-on": lambda players: Stage(players, opening="750").throw(dice(1, 1, 2, 3, 4, 5)).touch(aside(1)),
    "bank-or-throw": lambda players: (
        Stage(players, target="10000").throw(dice(1, 1, 1, 1, 1, 5)).touch(aside(1, 1, 1, 1, 1, 5))
    ),
    "unsure": lambda players: Stage(players).throw(dice(1, 1, UNREADABLE, 3, 2, 6)),
    "misroll": lambda players: Stage(players, knock_relief="no").throw(dice(1, 1, TILTED, 3, 2, 6)),
    "knock": lambda players: Stage(players).throw(dice(1, 1, TILTED, 3, 2, 6)),
    "bust": lambda players: Stage(players).throw(dice(2, 3, 4, 4, 6, 6)),
    "relief": lambda players: Stage(players, first_throw_relief="yes", opening="750").throw(
        dice(2, 3, 4, 4, 6, 6)
    ),
    "over": lambda players: Stage(players).throw(dice(1, 1, 1, 3, 2, 6)).touch(aside(1, 1, 1), Play(Bank())),
    "full-disk": lambda players: Stage(players, store=FullDisk()).throw(dice(1, 1, 5, 3, 2, 6)),
    "camera-lost": lambda players: (
        Stage(players).touch(EnterThrow((1, 1, 5, 3, 2, 6)), aside(1, 1, 5)).lose_camera()
    ),
    "no-camera": lambda players: Stage(players).without_camera(),
    "no-camera-options": lambda players: (
        Stage(players, target="10000").touch(EnterThrow((1, 1, 1, 5, 5, 5))).without_camera()
    ),
    "clip-over": lambda players: Stage(players).throw(dice(1, 1, 5, 3, 2, 6)).end_clip(),
}


def add_stage(state: str, players: int) -> None:
    stage = STATES[state](players)

    @ui.page(f"/{state}-{players}", title=TITLE, language=LANGUAGES[LANGUAGE_OF[players]])
    def _page() -> None:
        TablePage(stage.session)


def add_pad(name: str, players: int) -> None:
    stage = STATES[STATE_OF_PADS](players)

    @ui.page(f"/pad-{name}-{players}", title=TITLE, language=LANGUAGES[LANGUAGE_OF[players]])
    def _page() -> None:
        TablePage(stage.session)
        PADS[name](stage.session)


def add_languages(session: TableSession) -> None:
    @app.get("/speak-{language}")
    def _speak(language: str) -> str:
        session.speech.speak(Language(language))
        return language


def main() -> None:
    first = Stage(FEW)
    first.session.listens_at = ("192.168.1.20", 8080)  # where it does not listen: for the page for guests
    add_pages(first.session)
    for state in STATES:
        for players in LANGUAGE_OF:
            add_stage(state, players)
    for name in PADS:
        for players in LANGUAGE_OF:
            add_pad(name, players)
    add_languages(first.session)
    ui.run(
        host="127.0.0.1",
        port=int(sys.argv[1]),
        reload=False,
        show=False,
        dark=True,
        show_welcome_message=False,
    )


if __name__ == "__main__":
    main()
