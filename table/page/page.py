"""One browser's view of the table. All state is the session's, so all browsers stay in step."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from nicegui import ui

from table.page.drawing import overlay_svg, throw_svg
from table.page.menu_words import MenuWords
from table.page.newcomer_pad import may_join
from table.page.offer_board import OfferBoard
from table.page.offers import actions
from table.page.overrule_words import OverruleWords
from table.page.picture import PICTURE_URL
from table.page.place_words import PlaceWords
from table.page.places import MenuAction, ask_where_to
from table.page.prompts import SYMBOLS, Tone, prompt, verdict_line
from table.page.reporting import offer_report
from table.page.section import Section
from table.page.session import TableSession
from table.page.sight import BY_HAND, SourceStatus
from table.page.style import add_style
from table.page.tally import build_tally, tells_tally
from table.page.taps import Taps
from table.page.throw_pad import TO_THROW, build_throw_pad
from table.page.throw_row import build_throw, standing_of
from table.page.words import Words
from table.state import TableState

REFRESH_S = 0.1
PICTURE_S = 0.05  # as often a picture is looked for: enough to see dice roll
LONG = 40  # letters of what it waits for, more are smaller


class TablePage:
    """Builds the page and keeps it in step with the session."""

    def __init__(self, session: TableSession) -> None:
        self._session = session
        self._taps = Taps(session, self._refresh)
        self._board = OfferBoard(self._taps.offer, self._refresh)
        self._shown: tuple[object, ...] = ()
        self._entered: list[int] = []  # dice of a throw that is being tapped
        self._frame, self._aspect = -1, 0.0
        add_style()
        with ui.element("main").classes("table-page"):
            with ui.element("header").classes("top"):
                self._build_menu()
                self._tally = ui.element("section").classes("tally")
                self._voice = ui.element("div").classes("top-voice")
            with ui.element("section").classes("view") as self._view:
                self._picture = ui.interactive_image(sanitize=False, on_mouse=self._taps.picture)
                self._picture.classes("picture").style("--aspect: 1.5").mark("picture")
                self._picture.props("aria-hidden=true")  # the row of dice tells what is in it
                self._no_picture = ui.element("div")
            self._notice = ui.element("section").classes("notice-place")
            self._throw = ui.element("section").classes("throw")
            with ui.element("section").classes("offers"):
                self._prompt = ui.element("div")
                self._choices = ui.element("div").classes("choices")
            self._actions = ui.element("section").classes("actions")
        self._sections = (
            Section(self._tally, self._tells_tally, self._build_tally),
            Section(self._no_picture, self._tells_no_picture, self._build_no_picture),
            Section(self._voice, self._tells_voice, self._build_voice),
            Section(self._notice, self._tells_notice, self._build_notice),
            Section(self._throw, lambda state: (state.lying, standing_of(state)), self._build_throw),
            Section(self._prompt, self._tells_prompt, self._build_prompt),
            Section(self._choices, self._tells_choices, self._build_choices),
            Section(self._actions, self._tells_actions, self._build_actions),
        )
        self._refresh()
        ui.timer(REFRESH_S, self._follow)
        ui.timer(PICTURE_S, self._refresh_picture)

    @property
    def _words(self) -> Words:
        return self._session.words

    @property
    def _advice(self) -> bool:
        return self._session.preferences.now.advice

    def _follow(self) -> None:
        """Show what is new, unless the table is about to say what lies there: that comes first."""
        if not self._session.judging:
            self._refresh()

    def _refresh(self) -> None:
        self._refresh_picture()
        session, board = self._session, self._board
        silent = session.voice is None or session.voice.muted
        state = (session.state.version, session.moving, session.status, session.in_view, silent)
        now = (
            *state,
            session.trying,
            session.preferences.now,
            session.store_fault,
            self._by_hand,
            board.first,
        )
        if now == self._shown:
            return
        if self._shown and now[0] != self._shown[0]:
            board.first = 0
        self._shown = (*now[:-1], board.first)
        self._taps.version = session.state.version
        self._rebuild(session.state)

    def _refresh_picture(self) -> None:
        frame = self._session.picture.frame
        if frame is None or frame.index == self._frame or self._session.judges_soon:
            return
        aspect = self._session.picture.cutout(frame).aspect
        if aspect != self._aspect:
            self._picture.style(f"--aspect: {aspect:.4f}")
            self._aspect = aspect
        self._frame = frame.index
        self._picture.set_source(f"{PICTURE_URL}?{frame.index}")

    def _rebuild(self, state: TableState) -> None:
        """Show `state`; what shows the same as before is left alone, so that no tap on it is lost."""
        self._picture.set_content(self._overlay(state))
        for section in self._sections:
            section.show(state)

    def _overlay(self, state: TableState) -> str:
        frame, seen, lying = self._session.picture.frame, self._session.in_view, state.lying
        if frame is None or seen is None:
            return ""
        cutout = self._session.picture.cutout(frame)
        if lying is not None and lying.verdict is seen:
            return throw_svg(lying, seen, cutout)
        return overlay_svg(seen.dice, cutout)

    def _tells_tally(self, state: TableState) -> object:
        return tells_tally(state.game, self._session.preferences.now.colours)

    def _build_tally(self, state: TableState) -> None:
        build_tally(self._tally, state.game, self._session.preferences.now.colours, self._taps.player)

    @property
    def _by_hand(self) -> bool:
        """Whether throws are tapped; once the camera is back, a throw that was begun so is ended so."""
        ready = self._session.state.game.turn.phase in TO_THROW
        return self._session.status in BY_HAND or (ready and bool(self._entered))

    def _tells_no_picture(self, state: TableState) -> object:
        if self._by_hand:
            return len(state.game.log), state.games, state.game.turn.dice_left
        return self._session.picture.frame is not None, self._session.failure

    def _build_no_picture(self, state: TableState) -> None:
        session, by_hand = self._session, self._by_hand
        self._view.classes(add="by-hand" if by_hand else "", remove="" if by_hand else "by-hand")
        self._entered = []
        if by_hand:
            build_throw_pad(self._words, state.game, self._entered, self._taps.enter)
        elif session.picture.frame is None:
            ui.label(session.failure or self._words.no_picture).classes("no-picture")

    def _build_chip(self) -> None:
        session = self._session
        away = session.status not in (SourceStatus.NONE, SourceStatus.RUNNING)
        if away or (session.moving and session.picture.frame is not None):
            with ui.element("div").classes("chip" + (" moving" if session.moving else "")):
                ui.element("span").classes("symbol")
                ui.label(self._of_source(session.status)).mark("chip")

    def _of_source(self, status: SourceStatus) -> str:
        words = {
            SourceStatus.RUNNING: self._words.moving,
            SourceStatus.LOST: self._words.camera_lost,
            SourceStatus.ENDED: self._words.clip_ended,
            SourceStatus.FAILED: self._words.camera_failed,
        }
        return words[status]

    def _tells_voice(self, _state: TableState) -> object:
        return self._session.voice and self._session.voice.muted

    def _build_voice(self, _state: TableState) -> None:
        voice = self._session.voice
        if voice is None:
            return
        icon, name = ("volume_up", self._words.voice_on)
        if voice.muted:
            icon, name = "volume_off", self._words.voice_off
        button = ui.button(icon=icon, color=None, on_click=self._taps.voice).props("flat")
        button.classes("round voice").mark("voice").props["aria-label"] = name

    def _build_menu(self) -> None:
        button = ui.button(icon="menu", color=None, on_click=self._ask_where_to).props("flat")
        button.classes("round menu").mark("menu").props["aria-label"] = PlaceWords(self._words.language).menu

    def _ask_where_to(self) -> None:
        ask_where_to(self._words, tuple(self._menu_actions()))

    def _menu_actions(self) -> Iterator[MenuAction]:
        """Yield what the menu does on this page, beside leading to others."""
        turns = OverruleWords(self._words.language).turns
        yield MenuAction("turns", "edit_note", turns, self._taps.earlier_turns)
        own = MenuWords(self._words.language)
        if may_join(self._session.state.game):
            yield MenuAction("add-player", "person_add", own.add_player, self._taps.newcomer)
        title, icon = (own.hide_advice, "visibility_off") if self._advice else (own.show_advice, "lightbulb")
        yield MenuAction("advice", icon, title, self._taps.advice)
        if self._session.recorder is not None and self._session.status is not SourceStatus.NONE:
            report = partial(offer_report, self._session, self._picture)
            yield MenuAction("report", "flag", self._words.report, report)

    def _tells_notice(self, _state: TableState) -> object:
        return self._session.store_fault, self._session.just_resumed, self._session.trying

    def _build_notice(self, _state: TableState) -> None:
        session = self._session
        if session.store_fault is not None:
            _notice(session.words.tally_not_written(session.store_fault), Tone.BAD)
        elif session.just_resumed:
            _notice(session.words.game_goes_on, Tone.GOOD)
        elif session.trying:
            _notice(session.words.trying, Tone.ASK)

    def _build_throw(self, state: TableState) -> None:
        self._throw.classes(replace=f"throw {standing_of(state)}")
        build_throw(state, self._words, self._taps.die, self._taps.unseen)

    def _tells_prompt(self, state: TableState) -> object:
        chip = self._session.moving, self._session.status, self._session.picture.frame is None
        return verdict_line(state, self._words), prompt(state, self._words), chip

    def _build_prompt(self, state: TableState) -> None:
        verdict, line = verdict_line(state, self._words), prompt(state, self._words)
        with ui.element("div").classes("prompt").props("role=status"):
            with ui.element("div").classes("standing"):
                if verdict is not None:
                    with ui.element("div").classes(f"verdict {verdict.tone}"):
                        ui.label(verdict.symbol).classes("symbol")
                        ui.label(verdict.text).mark("verdict")
                self._build_chip()
            long = " long" if len(line.text) > LONG else ""
            ui.label(line.text).classes(f"text {line.tone}{long}").mark("prompt")
            if line.detail:
                ui.label(line.detail).classes("detail").mark("detail")

    def _tells_choices(self, state: TableState) -> object:
        return self._board.tells_choices(state, self._words, advice=self._advice)

    def _build_choices(self, state: TableState) -> None:
        self._board.build_choices(self._choices, state, self._words, advice=self._advice)

    def _tells_actions(self, state: TableState) -> object:
        return actions(state, self._words, advice=self._advice)

    def _build_actions(self, state: TableState) -> None:
        self._board.build_actions(state, self._words, advice=self._advice)


def _notice(text: str, tone: Tone) -> None:
    with ui.element("div").classes(f"notice {tone}").props("role=alert"):
        ui.label(SYMBOLS[tone]).classes("symbol")
        ui.label(text).mark("notice")
