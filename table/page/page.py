"""One browser's view of the table. All state is the session's, so all browsers stay in step."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial

from nicegui import run, ui
from nicegui.events import MouseEventArguments

from scoring.announcer import announce
from scoring.faces import ALL_DICE, Faces, spell_faces
from scoring.game import Game, Phase
from table.errors import TouchError
from table.lying_dice import edge_px
from table.overruling import ASKEW
from table.page.colours import COLOURS, colours_of
from table.page.dialogs import ask_for_report, ask_for_throw
from table.page.die_pad import DieAsked, ask_about_die, ask_for_unseen
from table.page.die_picture import die_url
from table.page.drawing import dice_svg, die_at, die_svg, overlay_svg, throw_svg
from table.page.gate import may_touch, say_why_not
from table.page.offers import Offer, actions, choices
from table.page.overrule_words import OverruleWords
from table.page.place_words import PlaceWords
from table.page.places import MenuAction, ask_where_to
from table.page.player_pad import ask_about_player
from table.page.prompts import SYMBOLS, Tone, prompt, verdict_line
from table.page.section import Section
from table.page.session import SourceStatus, TableSession
from table.page.style import add_style
from table.page.throw_pad import build_throw_pad
from table.page.turns_pad import ask_which_to_correct
from table.page.words import Words
from table.state import LyingThrow, TableState
from table.touches import EnterThrow, Touch
from table.voice.lines import CORRECTIONS
from vision.domain import Verdict

REFRESH_S = 0.1
PICTURE_S = 0.05  # as often a picture is looked for: enough to see dice roll
TOLD_MS = 6000  # for which what a ruling changed stays
PLACES = 6  # buttons for choices that fit without scrolling
FEW, WIDE = 4, 2  # up to so many buttons are higher, or as wide as there is room
CROWD = 3  # from so many players on names and totals stand in two lines
LONG = 40  # letters of what it waits for, more are smaller
PACKED = 8  # and from so many on there is no room but for these
MANY_FACES = 4

PICTURE_URL, REPORT_URL = "/picture.jpg", "/report.zip"


class TablePage:
    """Builds the page and keeps it in step with the session."""

    def __init__(self, session: TableSession) -> None:
        self._session = session
        self._shown: tuple[object, ...] = ()
        self._frame, self._aspect = -1, 0.0
        self._first_choice = 0
        add_style()
        with ui.element("main").classes("table-page"):
            with ui.element("header").classes("top"):
                self._build_menu()
                self._tally = ui.element("section").classes("tally")
                self._voice = ui.element("div").classes("top-voice")
            with ui.element("section").classes("view"):
                self._picture = ui.interactive_image(sanitize=False, on_mouse=self._tap_picture)
                self._picture.classes("picture").style("--aspect: 1.5").mark("picture")
                self._picture.props("aria-hidden=true")  # the row of dice tells what is in it
                self._no_picture = ui.element("div")
            self._notice = ui.element("section").classes("notice-place")
            self._throw = ui.element("section").classes("throw")
            with ui.element("section").classes("offers"):
                self._prompt = ui.element("div")
                self._choices = ui.element("div").classes("choices")
            self._actions = ui.element("section").classes("actions")
        self._version = -1  # of the state that is shown
        self._sections = (
            Section(self._tally, self._tells_tally, self._build_tally),
            Section(self._no_picture, self._tells_no_picture, self._build_no_picture),
            Section(self._voice, self._tells_voice, self._build_voice),
            Section(self._notice, self._tells_notice, self._build_notice),
            Section(self._throw, lambda state: (state.lying, _standing_of(state)), self._build_throw),
            Section(self._prompt, self._tells_prompt, self._build_prompt),
            Section(self._choices, self._tells_choices, self._build_choices),
            Section(self._actions, lambda state: actions(state, self._words), self._build_actions),
        )
        self._refresh()
        ui.timer(REFRESH_S, self._refresh)
        ui.timer(PICTURE_S, self._refresh_picture)

    @property
    def _words(self) -> Words:
        return self._session.words

    def _refresh(self) -> None:
        self._refresh_picture()
        session = self._session
        silent = session.voice is None or session.voice.muted
        state = (session.state.version, session.moving, session.status, session.in_view, silent)
        now = (*state, session.trying, session.preferences.now, session.store_fault, self._first_choice)
        if now == self._shown:
            return
        if self._shown and now[0] != self._shown[0]:
            self._first_choice = 0
        self._shown = (*now[:-1], self._first_choice)
        self._version = session.state.version
        self._rebuild(session.state)

    def _refresh_picture(self) -> None:
        frame = self._session.picture.frame
        if frame is None or frame.index == self._frame:
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
        game, colours = state.game, self._session.preferences.now.colours
        return tuple(game.totals.items()), game.turn.seat, game.turn.points, game.over, game.out, colours

    def _build_tally(self, state: TableState) -> None:
        game = state.game
        self._tally.classes(add="crowded" if len(game.players) >= CROWD else "")
        self._tally.classes(add="packed" if len(game.players) >= PACKED else "")
        colours = colours_of(game.players, self._session.preferences.now.colours)
        for seat, (name, total) in enumerate(game.totals.items()):
            at_turn = seat == game.turn.seat and not game.over
            kind = " at-turn" if at_turn else " out" if seat in game.out else ""
            cell = ui.element("div").classes(f"player{kind}").mark(f"player-{seat}")
            cell.props("role=button tabindex=0").on("click", partial(self._ask_about_player, seat))
            with cell:
                ui.element("span").classes("colour").style(f"--colour: {COLOURS[colours[seat]]}")
                ui.label(name).classes("name")
                with ui.element("div").classes("figures"):
                    if at_turn and game.turn.points:
                        ui.label(f"+{game.turn.points}").classes("turn-points").mark("turn-points")
                    ui.label(str(total)).classes("total")

    def _tells_no_picture(self, state: TableState) -> object:
        session, game = self._session, state.game
        shown = session.picture.frame is not None
        return session.status is SourceStatus.NONE, shown, session.failure, len(game.log), game.turn.dice_left

    def _build_no_picture(self, state: TableState) -> None:
        session = self._session
        if session.status is SourceStatus.NONE:
            build_throw_pad(self._words, state.game, lambda faces: self._enter(self._version, faces))
        elif session.picture.frame is None:
            ui.label(session.failure or self._words.no_picture).classes("no-picture")

    def _build_chip(self) -> None:
        session = self._session
        still = session.picture.frame is None or session.status is SourceStatus.NONE
        if not still and (session.moving or session.status is not SourceStatus.RUNNING):
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
        button = ui.button(icon=icon, color=None, on_click=self._toggle_voice).props("flat")
        button.classes("round voice").mark("voice").props["aria-label"] = name

    def _toggle_voice(self) -> None:
        if not may_touch(self._session):
            return
        voice = self._session.voice
        if voice is not None:
            self._session.mute(muted=not voice.muted)
            self._refresh()

    def _build_menu(self) -> None:
        button = ui.button(icon="menu", color=None, on_click=self._ask_where_to).props("flat")
        button.classes("round menu").mark("menu").props["aria-label"] = PlaceWords(self._words.language).menu

    def _ask_where_to(self) -> None:
        ask_where_to(self._words, tuple(self._menu_actions()))

    def _menu_actions(self) -> Iterator[MenuAction]:
        """Yield what the menu does on this page, beside leading to others."""
        turns = OverruleWords(self._words.language).turns
        yield MenuAction("turns", "edit_note", turns, self._ask_which_to_correct)
        if self._session.recorder is not None and self._session.status is not SourceStatus.NONE:
            yield MenuAction("report", "flag", self._words.report, self._ask_for_report)

    def _ask_which_to_correct(self) -> None:
        state = self._session.state
        if may_touch(self._session):
            ask_which_to_correct(self._words, state.game, partial(self._answer, state.version))

    def _ask_for_report(self) -> None:
        if may_touch(self._session):
            ask_for_report(self._words, self._report)

    async def _report(self) -> None:
        recorder = self._session.recorder
        report = None if recorder is None else await run.io_bound(recorder.report, self._session.state)
        with self._picture:  # the dialog, in which it was tapped, is gone
            if report is None:
                ui.notify(self._words.nothing_to_report, type="warning", position="top")
            else:
                ui.download.from_url(REPORT_URL, f"titusind-{time.strftime('%Y%m%d-%H%M%S')}.zip")

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
        lying = state.lying
        self._throw.classes(replace=f"throw {_standing_of(state)}")
        if lying is None:
            return
        row = sorted(range(len(lying.faces)), key=lambda place: lying.faces[place] or 0)
        for number, place in enumerate(row, 1):
            self._build_die(lying, place, number)
        if not lying.counted and len(lying.faces) < ALL_DICE:
            self._build_adder()

    def _build_adder(self) -> None:
        button = ui.button(color=None, on_click=lambda: self._ask_for_unseen(None)).props("flat")
        button.classes("die add").mark("add-die")
        button.props["aria-label"] = OverruleWords(self._words.language).add_die
        with button:
            ui.label("+").classes("drawn")

    def _build_die(self, lying: LyingThrow, place: int, number: int) -> None:
        face, removed = lying.faces[place], place in lying.removed
        askew = lying.state_of(place) in ASKEW and place not in lying.ruled
        kind = "removed" if removed else "askew" if askew else "unread" if face is None else ""
        button = ui.button(color=None, on_click=lambda: self._ask_for_face(place)).props("flat")
        button.classes(f"die {kind}").mark(f"die-{place}")
        button.props["aria-label"] = self._words.die_in_row(number, face)
        with button:
            ui.html(die_svg(face, crossed=removed), sanitize=False).classes("drawn")

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
        turn = state.game.turn
        return choices(state, self._words), self._first_choice, turn.phase, turn.points

    def _build_choices(self, state: TableState) -> None:
        offers = choices(state, self._words)
        few = 0 < len(offers) <= FEW
        self._choices.classes(add="few" if few else "", remove="" if few else "few")
        if not offers and state.game.turn.phase in (Phase.THROW, Phase.DECIDE):
            _turn_total(state.game, self._words.this_turn)
            return
        if len(offers) > PLACES:
            shown = offers[self._first_choice : self._first_choice + PLACES - 1]
            following = self._first_choice + PLACES - 1
            following = following if following < len(offers) else 0
            more = Offer("more", self._words.more(len(offers) - len(shown)), None)
        else:
            shown, following, more = offers, 0, None
        for offer in shown:
            self._button(offer, wide=len(offers) <= WIDE)
        if more is not None:
            _offer_button(more).on_click(lambda _, following=following: self._show_choices(following))

    def _show_choices(self, first: int) -> None:
        self._first_choice = first
        self._refresh()

    def _build_actions(self, state: TableState) -> None:
        for offer in actions(state, self._words):
            self._button(offer).classes(f"action action-{offer.name}")

    def _button(self, offer: Offer, *, wide: bool = False) -> ui.button:
        button = _offer_button(offer).classes("wide" if wide else "")
        touch, place = offer.touch, offer.place
        if place:
            return button.on_click(lambda: ui.navigate.to(f"/{place}"))
        if touch is None:
            return button.on_click(self._ask_for_throw)
        return button.on_click(lambda _, touch=touch: self._do(touch, self._version))

    def _do(self, touch: Touch, version: int) -> None:
        try:
            self._session.touch(touch, version)
        except TouchError as error:
            say_why_not(self._session, error)
        else:
            self._tell_change(self._session.state)
        self._refresh()

    def _tell_change(self, state: TableState) -> None:
        """Say what a ruling or correction has changed, which the page may show nowhere else."""
        for event in state.events:
            if event.name in CORRECTIONS and event.of_game is not None:
                line = announce(event.of_game, self._words.language).screen
                ui.notify(line, type="info", position="top", timeout=TOLD_MS)

    def _tap_picture(self, event: MouseEventArguments) -> None:
        frame, lying = self._session.picture.frame, self._session.state.lying
        if frame is None or lying is None or not _is_shown(lying.verdict, self._session.in_view):
            return
        x, y = self._session.picture.cutout(frame).to_frame(event.image_x, event.image_y)
        place = die_at(lying.verdict, x, y) if lying.verdict else None
        if place is not None:
            self._ask_for_face(place)
        elif not lying.counted:
            self._ask_for_unseen((x, y))

    def _ask_for_face(self, place: int) -> None:
        state = self._session.state
        if state.lying is None or place >= len(state.lying.faces) or not may_touch(self._session):
            return
        asked = DieAsked(state.lying, place, self._picture_of(state, place))
        ask_about_die(self._words, asked, lambda touch: self._do(touch, state.version))

    def _picture_of(self, state: TableState, place: int) -> str:
        """Return where the picture of a die is; empty when it was not seen, or nobody kept its picture."""
        lying, recorder = state.lying, self._session.recorder
        if lying is None or lying.verdict is None or place >= lying.seen:
            return ""
        kept = recorder is not None and recorder.picture_of(lying.verdict) is not None
        if not kept and not _is_shown(lying.verdict, self._session.in_view):
            return ""
        die = lying.verdict.dice[place]
        return die_url(die.center_px, edge_px(die), state.version)

    def _ask_for_unseen(self, at_px: tuple[float, float] | None) -> None:
        state = self._session.state
        if state.lying is None or not may_touch(self._session):
            return
        edges = [edge_px(die) for die in state.lying.verdict.dice] if state.lying.verdict else []
        picture = die_url(at_px, max(edges, default=60.0), state.version) if at_px else ""
        ask_for_unseen(self._words, picture, at_px, lambda touch: self._do(touch, state.version))

    def _ask_about_player(self, seat: int) -> None:
        state = self._session.state
        if may_touch(self._session):
            answer = partial(self._answer, state.version)
            ask_about_player(self._words, state.game, seat, answer)

    def _answer(self, version: int, touch: Touch) -> None:
        self._do(touch, version)

    def _ask_for_throw(self) -> None:
        if not may_touch(self._session):
            return
        state = self._session.state
        ask_for_throw(self._words, state.game.turn.dice_left, partial(self._enter, state.version))

    def _enter(self, version: int, faces: Faces) -> None:
        self._do(EnterThrow(faces), version)


def _standing_of(state: TableState) -> str:
    """Return the class of the row of dice: waiting to be counted, thrown earlier, or neither."""
    if state.lying is None or not state.lying.counted:
        return "uncounted"
    return "past" if state.game.turn.phase is Phase.THROW and state.wait is None else ""


def _is_shown(lying: Verdict | None, in_view: Verdict | None) -> bool:
    return lying is not None and lying is in_view


def _notice(text: str, tone: Tone) -> None:
    with ui.element("div").classes(f"notice {tone}").props("role=alert"):
        ui.label(SYMBOLS[tone]).classes("symbol")
        ui.label(text).mark("notice")


def _turn_total(game: Game, below: str) -> None:
    with ui.element("div").classes("turn-total"):
        ui.label(str(game.turn.points)).classes("points")
        ui.label(below).classes("below")


def _offer_button(offer: Offer) -> ui.button:
    button = (
        ui.button(color=None)
        .props("flat")
        .classes("offer" + (" best" if offer.best else ""))
        .mark(offer.name)
    )
    button.set_enabled(offer.enabled)
    if offer.faces:  # drawn: said to those who hear the page
        button.props["aria-label"] = ", ".join(
            filter(None, (spell_faces(offer.faces), offer.title, offer.note))
        )
    with button:
        with ui.element("div").classes("head"):
            ui.label(offer.title).classes("title")
            if offer.faces:
                many = " many" if len(offer.faces) > MANY_FACES else ""
                ui.html(dice_svg(offer.faces), sanitize=False).classes(f"faces{many}")
        if offer.note:
            ui.label(offer.note).classes("note")
    return button
