"""The set-up page: who plays, by which rules, in which language; a throw to try; and the game begins."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from nicegui import context, ui

from table.errors import TouchError
from table.game_draft import FEWEST_PLAYERS, MOST_PLAYERS, GameDraft
from table.page.dialogs import open_pad
from table.page.gate import only_looks, say_why_not
from table.page.places import TABLE_URL, beside_the_table
from table.page.session import TableSession
from table.page.setup_desk import Desk, Look, tile
from table.page.setup_players import build_players
from table.page.setup_rules import build_rules
from table.page.setup_trial import Trial
from table.page.setup_voice import build_voice
from table.page.setup_words import SetupWords
from table.touches import BeginGame
from vision.domain import Ruling

REFRESH_S = 0.15
TRIAL = "trial"
BUILDERS: dict[str, Callable[[Desk], None]] = {
    "players": build_players,
    "rules": build_rules,
    "voice": build_voice,
}
ICONS = {"players": "groups", "rules": "gavel", "voice": "record_voice_over", TRIAL: "casino"}


class SetupPage:
    """Builds the page and keeps it in step with the draft that all screens share."""

    def __init__(self, session: TableSession) -> None:
        self._session = session
        asked_for = context.client.request.query_params.get("part", "")
        self._part = asked_for if asked_for in ICONS else next(iter(ICONS))
        self._trial: Trial | None = None
        self._shown: tuple[object, ...] | None = None
        self._begin_shown: tuple[str, Look] | None = None
        with beside_the_table("setup", session.words) as head:
            self._desk = Desk(session, self._refresh)
            self._body = ui.element("div").classes("setup-body")
        with head:
            self._parts = ui.element("nav").classes("setup-parts")
            self._begin_button = ui.element("div").classes("setup-begin")
        self._refresh()
        ui.timer(REFRESH_S, self._follow)

    def _follow(self) -> None:
        """Go on once a browser shows the page: whoever only fetched it was not asked who plays."""
        if not only_looks(self._session):
            self._session.unchosen = False
        self._refresh()

    def _refresh(self) -> None:
        draft, session = self._desk.draft, self._session
        if self._trial is not None:
            self._trial.refresh()
        elif draft.starting is not None and draft.starting.next_seat is not None and self._part == "players":
            self._read_die()
        now = (self._part, self._desk.draft, session.preferences.now, session.picture.frame is None)
        if now != self._shown:
            self._shown = now
            self._rebuild()

    def _read_die(self) -> None:
        """Take the face of one die that lies in the tray for the throw of whose turn it is to throw one."""
        session = self._session
        if only_looks(session):
            return
        session.try_out()
        tried = session.take_tried()
        if tried is not None and tried.ruling is Ruling.VALID and tried.faces and len(tried.faces) == 1:
            session.draft = self._desk.draft.thrown(tried.faces[0])

    def _rebuild(self) -> None:
        words, draft = self._desk.words, self._desk.draft
        self._parts.clear()
        with self._parts:
            for part, text in words.parts.items():
                button = tile(
                    text, f"part-{part}", partial(self._turn_to, part), Look(chosen=part == self._part)
                )
                with button.classes("setup-part"):
                    ui.icon(ICONS[part]).classes("tile-icon")
        begin = words.begin, Look(note=_why_not_begin(draft, words), kind="begin", enabled=draft.ready)
        if begin != self._begin_shown:  # a button that is built anew under a finger loses the tap
            self._begin_shown = begin
            self._begin_button.clear()
            with self._begin_button:
                tile(words.begin, "begin", self._begin, begin[1])
        self._body.clear()
        self._trial = None
        with self._body:
            if self._part == TRIAL:
                self._trial = Trial(self._desk)
            else:
                BUILDERS[self._part](self._desk)

    def _turn_to(self, part: str) -> None:
        self._part = part
        ui.navigate.history.replace(f"?part={part}")  # where it is still, loaded anew in another language
        if not only_looks(self._session):
            self._session.take_tried()
        self._refresh()

    def _begin(self) -> None:
        state = self._session.state
        if state.as_it_began or state.game.over:
            self._desk.do(self._begin_now)
            return
        words = self._desk.words
        with self._desk.pads, ui.dialog() as dialog, ui.card().classes("pad"):
            ui.label(words.under_way).classes("pad-title")
            ui.label(words.going_on(list(state.game.totals.items()))).classes("pad-text").mark("under-way")
            with ui.element("div").classes("pad-row"):
                tile(
                    words.begin_anew, "begin-anew", partial(self._desk.do, self._begin_now), Look(chosen=True)
                )
                tile(words.go_on, "go-on", lambda: ui.navigate.to(TABLE_URL))
                tile(words.close, "close", dialog.close)
        open_pad(dialog)

    def _begin_now(self) -> None:
        session, draft = self._session, self._desk.draft
        if not draft.ready:
            return
        try:
            session.touch(BeginGame(draft.game()), session.state.version)
        except TouchError as error:
            say_why_not(session, error)
            return
        session.draft = None
        ui.navigate.to(TABLE_URL)


def _why_not_begin(draft: GameDraft, words: SetupWords) -> str:
    if draft.ready:
        return ""
    if len(draft.players) < FEWEST_PLAYERS:
        return words.too_few
    return words.too_many if len(draft.players) > MOST_PLAYERS else words.undecided
