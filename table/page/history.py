"""The page of the games that are kept: a list, the latest first, and each of them turn by turn."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Callable
from functools import partial

from nicegui import run, ui

from scoring.game import Game
from scoring.played_turns import PlayedThrow, PlayedTurn, played_turns
from scoring.statistics import GameStatistics
from table.errors import StoredGameError, StoreError, TouchError
from table.page.dialogs import open_pad
from table.page.drawing import die_svg
from table.page.evening import show_statistics, statistics_of
from table.page.gate import may_touch, say_why_not
from table.page.history_files import FORMS, GAMES_URL, THROW_PICTURE_URL
from table.page.history_words import HistoryWords
from table.page.places import TABLE_URL, beside_the_table
from table.page.session import TableSession
from table.store.database import PlayedGame
from table.store.past_games import PastGame, PastGames
from table.throw_pictures import picture_name
from table.touches import GoOn

GAMES_SHOWN, TURNS_SHOWN = 8, 20  # at once

Found = tuple[PlayedGame, PastGame | str]  # a game, or why it cannot be read


class HistoryPage:
    """Shows the list or one game; what takes long is read in a thread."""

    def __init__(self, session: TableSession) -> None:
        self._session, self._words = session, HistoryWords(session.words.language)
        with beside_the_table("history", session.words):
            self._body = ui.element("div").classes("history")
        with self._body:
            ui.label(self._words.looking).classes("place-text")
        ui.timer(0, self._list, once=True)

    async def _list(self, first: int = 0) -> None:
        """Show the games from the `first` of the list on."""
        past = self._session.past
        if past is None:
            self._say(self._words.not_kept)
            return
        found = await run.io_bound(_listed, past, first)
        if found is None:  # the program ends
            return
        games, count = found
        if isinstance(games, str) or not games:
            self._say(self._words.unreadable(games) if games else self._words.none_yet)
            return
        self._body.clear()
        with self._body:
            for stored, game in games:
                self._game_tile(stored, game)
            if first + GAMES_SHOWN < count:
                _button(self._words.earlier, "earlier", partial(self._list, first + GAMES_SHOWN))
            if first:
                _button(self._words.all_games, "all-games", self._list)
            self._files(self._words.export_all, GAMES_URL, self._may_touch)

    def _say(self, text: str) -> None:
        self._body.clear()
        with self._body:
            ui.label(text).classes("place-text").mark("told")

    def _may_touch(self) -> bool:
        return may_touch(self._session)

    def _game_tile(self, stored: PlayedGame, game: PastGame | str) -> None:
        tile = ui.button(color=None).props("flat").classes("offer past-game").mark(f"game-{stored.number}")
        with tile:
            with ui.element("div").classes("past-head"):
                ui.label(self._words.when(stored.begun)).classes("past-when")
                if isinstance(game, PastGame):
                    ui.label(self._words.rules(game.game)).classes("past-rules")
                    if not game.game.over:
                        ui.label(self._words.not_over).classes("past-rules")
            if isinstance(game, str):
                ui.label(self._words.unreadable(game)).classes("past-players")
            else:
                with ui.element("div").classes("past-players"):
                    self._totals(game.game)
        if isinstance(game, str):
            tile.disable()
        else:
            tile.on_click(lambda: self._open(game))

    def _totals(self, game: Game) -> None:
        ranked = sorted(enumerate(game.totals.items()), key=lambda each: -each[1][1])
        for seat, (name, total) in ranked:
            won = " won" if seat in game.winners else ""
            with ui.element("span").classes(f"past-player{won}"):
                ui.label(name).classes("name")
                ui.label(self._words.number(total)).classes("figure")

    async def _open(self, past: PastGame) -> None:
        """Show one game."""
        read = await run.io_bound(_read_out, past)
        if read is None:
            return
        told, turns = read
        self._body.clear()
        with self._body:
            _button(self._words.all_games, "all-games", self._list)
            with ui.element("div").classes("past-head"):
                ui.label(self._words.when(past.begun)).classes("past-when")
                ui.label(self._words.rules(past.game)).classes("past-rules")
            self._offer_to_go_on(past)
            show_statistics(told, past.game, self._session)
            ui.label(self._words.turns).classes("place-heading").props("role=heading aria-level=2")
            shown = ui.element("div").classes("past-turns")
            more = ui.element("div")
            self._files(self._words.export, f"{GAMES_URL}/{past.number}", _anybody)
        self._more_turns(past, turns, shown, more)

    def _offer_to_go_on(self, past: PastGame) -> None:
        if past.game.over:
            return
        if past.number == self._session.game_number:
            ui.label(self._words.played_now).classes("place-text")
            return
        _button(self._words.go_on, "go-on", partial(self._go_on, past.number)).classes("best")
        ui.label(self._words.left_stays).classes("place-text")

    async def _go_on(self, number: int) -> None:
        """Go on with a game as it stands by now, and lead to the table."""
        past, session = self._session.past, self._session
        if past is None or not may_touch(session):
            return
        try:
            found = await run.io_bound(past.numbered, number)
            if found is not None and number != session.game_number:
                session.touch(GoOn(found.game, number), session.state.version)
                session.unchosen = False
        except (StoredGameError, StoreError) as error:
            self._say(self._words.unreadable(error))
        except TouchError as error:
            say_why_not(session, error)
        else:
            ui.navigate.to(TABLE_URL)

    def _more_turns(
        self, past: PastGame, turns: tuple[PlayedTurn, ...], shown: ui.element, more: ui.element
    ) -> None:
        with shown:
            for turn in turns[:TURNS_SHOWN]:
                self._turn(past, turn)
        more.clear()
        rest = turns[TURNS_SHOWN:]
        if rest:
            with more:
                on = partial(self._more_turns, past, rest, shown, more)
                _button(self._words.more_turns, "more-turns", on)

    def _turn(self, past: PastGame, turn: PlayedTurn) -> None:
        with ui.element("div").classes("past-turn").mark(f"turn-{turn.number + 1}") as shown:
            with ui.element("div").classes("past-turn-head"):
                ui.label(self._words.turn(turn)).classes("past-rules")
                ui.label(turn.player).classes("name")
                ui.label(self._words.ending(turn)).classes("past-ending")
                ui.label(self._words.number(turn.total)).classes("figure")
            drawn = "".join(self._throw_html(past, throw) for throw in turn.throws)
            ui.html(drawn, sanitize=False).classes("past-throws")
        if turn.throws:
            shown.on("click", lambda: self._look_closer(past, turn))

    def _throw_html(self, past: PastGame, throw: PlayedThrow) -> str:
        return (
            f'<div class="past-throw" role="img" aria-label="{html.escape(self._words.heard(throw))}">'
            f"{self._picture_html(past, throw)}{self._dice_html(throw)}"
            f'<span class="figure">{html.escape(self._words.takes(throw))}</span></div>'
        )

    def _dice_html(self, throw: PlayedThrow) -> str:
        """Draw the dice, those set aside brighter, a misroll by its name."""
        misroll = f'<span class="past-misroll">{html.escape(self._words.misroll)}</span>'
        named = misroll if throw.misroll else ""
        left, dice = Counter(throw.set_aside or ()), []
        for face in throw.faces or ():
            aside = left[face] > 0
            left[face] -= aside
            dice.append(f'<span class="past-die{" aside" if aside else ""}">{die_svg(face)}</span>')
        return f'<span class="past-dice">{named}{"".join(dice)}</span>'

    def _picture_html(self, past: PastGame, throw: PlayedThrow) -> str:
        url = self._picture_of(past, throw)
        return f'<img src="{url}" loading="lazy" alt="">' if url else ""

    def _picture_of(self, past: PastGame, throw: PlayedThrow) -> str | None:
        """Return the address of a throw's picture, None where none is kept."""
        seen, pictures = past.seen.get(throw.place), self._session.pictures
        if seen is None or pictures is None or not pictures.has(picture_name(seen)):
            return None
        return f"{THROW_PICTURE_URL}/{picture_name(seen)}"

    def _look_closer(self, past: PastGame, turn: PlayedTurn) -> None:
        """Show the throws of a turn with their pictures, large."""
        with self._body, ui.dialog() as dialog, ui.card().classes("pad past-close"):
            with ui.element("div").classes("past-close-head"):
                ui.label(f"{turn.player}: {self._words.ending(turn)}").classes("pad-title")
                _button(self._session.words.close, "close", dialog.close)
            for throw in turn.throws:
                with ui.element("div").classes("past-large"):
                    url = self._picture_of(past, throw)
                    shown = f'<img src="{url}" alt="">' if url else html.escape(self._words.no_picture)
                    ui.html(shown, sanitize=False).classes("past-picture")
                    ui.html(self._dice_html(throw), sanitize=False)
                    ui.label(self._words.takes(throw)).classes("figure")
        open_pad(dialog)

    def _files(self, text: str, url: str, may: Callable[[], bool]) -> None:
        ui.label(text).classes("place-heading").props("role=heading aria-level=2")
        with ui.element("div").classes("past-files"):
            for form in FORMS:
                _button(form.upper(), f"file-{form}", partial(_download, f"{url}.{form}", may))


def _anybody() -> bool:
    return True


def _download(url: str, may: Callable[[], bool]) -> None:
    if may():
        ui.download.from_url(url, f"titusind-{url.strip('/').replace('/', '-')}")


def _listed(past: PastGames, first: int) -> tuple[list[Found] | str, int]:
    """Return what can be said of the games from the `first` on, or why nothing, and how many there are."""
    try:
        played = past.played()
    except StoreError as error:
        return str(error), 0
    return [(stored, _read(past, stored)) for stored in played[first : first + GAMES_SHOWN]], len(played)


def _read(past: PastGames, stored: PlayedGame) -> PastGame | str:
    try:
        return past.game(stored)
    except (StoredGameError, StoreError) as error:
        return str(error)


def _read_out(past: PastGame) -> tuple[GameStatistics, tuple[PlayedTurn, ...]]:
    return statistics_of(past.game), played_turns(past.game)


def _button(text: str, name: str, tapped: Callable[[], object]) -> ui.button:
    button = ui.button(color=None, on_click=tapped).props("flat").classes("offer past-button").mark(name)
    with button:
        ui.label(text).classes("title")
    return button
