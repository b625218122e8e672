"""What a tap on the play page does: a touch of the table, or a pad that asks which one is meant."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial

from nicegui import ui
from nicegui.events import MouseEventArguments

from scoring.announcer import announce
from scoring.faces import Faces
from table.errors import TouchError, VoiceError
from table.events import WaitKind
from table.lying_dice import edge_px
from table.overruling import is_settled
from table.page.dialogs import ask_for_throw
from table.page.die_pad import DieAsked, ask_about_die, ask_for_unseen
from table.page.die_picture import die_url
from table.page.drawing import die_at
from table.page.gate import may_touch, say_why_not
from table.page.newcomer_pad import ask_who_joins
from table.page.offers import Offer
from table.page.player_pad import ask_about_player
from table.page.session import TableSession
from table.page.setup_words import SetupWords
from table.page.turns_pad import ask_which_to_correct
from table.page.words import Words
from table.state import TableState
from table.touches import Confirm, CorrectDie, EnterThrow, Touch
from table.voice.lines import CORRECTIONS
from vision.domain import Verdict

TOLD_MS = 6000  # for which what a ruling changed stays
SETTLED_BY_DICE = frozenset({WaitKind.UNSURE, WaitKind.DICE_DO_NOT_FIT})  # once each die is known
EDGE_PX = 60.0  # of a die where none was seen


class Taps:
    """Does what is tapped on the table of `session`; `refresh` shows the page as things stand.

    `version`: of the state that the page shows, which whoever taps has seen.
    """

    def __init__(self, session: TableSession, refresh: Callable[[], None]) -> None:
        self._session, self._refresh = session, refresh
        self.version = -1

    @property
    def _words(self) -> Words:
        return self._session.words

    def offer(self, offer: Offer) -> None:
        """Do what the button of `offer` says."""
        if offer.place:
            ui.navigate.to(f"/{offer.place}")
        elif offer.touch is None:
            self._ask_for_throw()
        else:
            self._do(offer.touch, self.version)

    def enter(self, faces: Faces) -> None:
        """Take `faces` for the throw that was thrown."""
        self._do(EnterThrow(faces), self.version)

    def picture(self, event: MouseEventArguments) -> None:
        """Ask about the die that was tapped in the picture, or about one that was not seen there."""
        frame, lying = self._session.picture.frame, self._session.state.lying
        if frame is None or lying is None or not _is_shown(lying.verdict, self._session.in_view):
            return
        x, y = self._session.picture.cutout(frame).to_frame(event.image_x, event.image_y)
        place = die_at(lying.verdict, x, y) if lying.verdict else None
        if place is not None:
            self.die(place)
        elif not lying.counted:
            self.unseen((x, y))

    def die(self, place: int) -> None:
        """Ask what the die at `place` of the throw shows."""
        state = self._session.state
        if state.lying is None or place >= len(state.lying.faces) or not may_touch(self._session):
            return
        asked = DieAsked(state.lying, place, self._picture_of(state, place))
        ask_about_die(self._words, asked, partial(self._answer, state.version))

    def unseen(self, at_px: tuple[float, float] | None = None) -> None:
        """Ask what a die shows that was not seen, which lies `at_px` in the frame or nobody knows where."""
        state = self._session.state
        if state.lying is None or not may_touch(self._session):
            return
        edges = [edge_px(die) for die in state.lying.verdict.dice] if state.lying.verdict else []
        picture = die_url(at_px, max(edges, default=EDGE_PX), state.version) if at_px else ""
        ask_for_unseen(self._words, picture, at_px, partial(self._answer, state.version))

    def player(self, seat: int) -> None:
        """Ask what is to be changed about the player at `seat`."""
        state = self._session.state
        if may_touch(self._session):
            ask_about_player(self._words, state.game, seat, partial(self._answer, state.version))

    def earlier_turns(self) -> None:
        """Ask which earlier throw is to be corrected."""
        state = self._session.state
        if may_touch(self._session):
            ask_which_to_correct(self._words, state.game, partial(self._answer, state.version))

    def newcomer(self) -> None:
        """Ask who joins the game."""
        session, state = self._session, self._session.state
        if may_touch(session):
            ask_who_joins(
                self._words, state.game, session.known_players, partial(self._answer, state.version)
            )

    def voice(self) -> None:
        """Turn the voice off or on."""
        voice = self._session.voice
        if not may_touch(self._session) or voice is None:
            return
        try:
            self._session.speech.mute(muted=not voice.muted)
        except VoiceError:
            told = SetupWords(self._words.language).no_voice
            ui.notify(told, type="warning", position="top", timeout=TOLD_MS)
        self._refresh()

    def advice(self) -> None:
        """Hide the advice, or show it again."""
        if may_touch(self._session):
            preferences = self._session.preferences
            preferences.change(advice=not preferences.now.advice)
            self._refresh()

    def _ask_for_throw(self) -> None:
        if not may_touch(self._session):
            return
        state = self._session.state
        enter = partial(self._enter, state.version)
        ask_for_throw(self._words, state.game.turn.dice_left, enter)

    def _enter(self, version: int, faces: Faces) -> None:
        self._do(EnterThrow(faces), version)

    def _answer(self, version: int, touch: Touch) -> None:
        self._do(touch, version)

    def _do(self, touch: Touch, version: int) -> None:
        try:
            self._session.touch(touch, version)
        except TouchError as error:
            say_why_not(self._session, error)
        else:
            self._tell_change(self._session.state)
            if isinstance(touch, CorrectDie):
                self._count_if_settled(touch.die)
        self._refresh()

    def _count_if_settled(self, said: int) -> None:
        """Count a throw that waited for a person's word on the die at `said` alone."""
        state = self._session.state
        asked = state.wait is not None and state.wait.kind in SETTLED_BY_DICE
        if asked and state.lying is not None and is_settled(state.lying, said):
            with suppress(TouchError):  # more is to be said
                self._session.touch(Confirm(), state.version)

    def _tell_change(self, state: TableState) -> None:
        """Say what a ruling or correction has changed, which the page may show nowhere else."""
        for event in state.events:
            if event.name in CORRECTIONS and event.of_game is not None:
                line = announce(event.of_game, self._words.language).screen
                ui.notify(line, type="info", position="top", timeout=TOLD_MS)

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


def _is_shown(lying: Verdict | None, in_view: Verdict | None) -> bool:
    return lying is not None and lying is in_view
