"""Serves the page: one web server for the touchscreen and for every phone in the house."""

from __future__ import annotations

import socket
from collections.abc import Callable
from functools import partial
from typing import Literal

from fastapi import Request, Response
from fastapi.responses import RedirectResponse
from nicegui import app, background_tasks, ui

from scoring.languages import Language
from table.errors import TableError
from table.page.calibrate import PICTURE_URL as WHOLE_PICTURE_URL
from table.page.calibrate import SHEET_URL, build_calibrate
from table.page.die_picture import DIE_URL, die_jpeg
from table.page.door import MOST_MESSAGE_BYTES, Door
from table.page.evening import build_evening
from table.page.gate import put_gate_before, request_may_touch
from table.page.guest_page import build_guests
from table.page.help import build_help
from table.page.history import HistoryPage
from table.page.history_files import add_history_files
from table.page.page import TablePage
from table.page.picture import PICTURE_URL, Picture
from table.page.place_words import PlaceWords
from table.page.places import PLACES, TABLE_URL, Place
from table.page.reporting import REPORT_URL
from table.page.rules import RulesPage
from table.page.session import TableSession
from table.page.setup import SetupPage
from table.page.watchdog import tell_while_alive, web_server_answers
from table.page.words import TITLE, Words
from table.publishing.websocket import add_events
from table.service_notice import STOPPING, ServiceNotice

LANGUAGES: dict[Language, Literal["da", "nb-NO", "fi", "en-US"]] = {
    Language.DANISH: "da",
    Language.NORWEGIAN: "nb-NO",
    Language.FINNISH: "fi",
    Language.ENGLISH: "en-US",
}
SETUP_URL = "/setup"  # where the table leads as long as nobody has said who plays
_ELSEWHERE = frozenset(place.url for place in PLACES)
FOLLOW_S = 0.5  # within which all pages speak the language that is chosen on one


BUILDERS: dict[str, Callable[[TableSession], object]] = {
    "calibrate": build_calibrate,
    "evening": build_evening,
    "guests": build_guests,
    "history": HistoryPage,
    "help": lambda session: build_help(session.words),
    "rules": RulesPage,
    "setup": SetupPage,
}


class PortError(TableError, OSError):
    """A host or port that cannot be listened on."""


def check_port(host: str, port: int) -> None:
    """Raise PortError, in words, unless `host` and `port` are free to listen on."""
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind(address)
    except (OSError, UnicodeError) as error:  # the latter for what can be no host's name
        found = error.strerror if isinstance(error, OSError) else error
        raise PortError(
            f"cannot listen on {host or 'no host'} port {port} ({found}); accepted is an address of this "
            "machine, --host, with a free port, --port"
        ) from error


def add_pages(session: TableSession, path: str = TABLE_URL) -> None:
    """Register the play page, at `path`, its picture, the report made last and all places with NiceGUI."""
    put_gate_before(session)
    if session.hub is not None:
        add_events(app, session.hub)

    _add_page(session, path, lambda _: TITLE, TablePage)
    for place in PLACES:
        _add_page(session, place.url, partial(_title_of, place), BUILDERS[place.name])

    _add_picture(PICTURE_URL, session.picture)
    _add_die_picture(session)
    _add_picture(WHOLE_PICTURE_URL, session.whole_picture)
    _add_sheet()
    add_history_files(session)

    @app.get(REPORT_URL)
    def _report(request: Request) -> Response:
        if not request_may_touch(session, request):
            return Response(status_code=403)
        report = session.recorder and session.recorder.made
        if report is None:
            return Response(status_code=404)
        return Response(report, media_type="application/zip", headers={"Cache-Control": "no-store"})


def _add_picture(url: str, picture: Picture) -> None:
    @app.get(url)
    def _picture() -> Response:
        jpeg = picture.jpeg()
        if jpeg is None:
            return Response(status_code=204)
        return Response(jpeg, media_type="image/jpeg", headers={"Cache-Control": "no-store"})


def _add_die_picture(session: TableSession) -> None:
    @app.get(DIE_URL)
    def _die(x: float, y: float, side: float) -> Response:
        jpeg = die_jpeg(session, x, y, side)
        if jpeg is None:
            return Response(status_code=204)
        return Response(jpeg, media_type="image/jpeg", headers={"Cache-Control": "no-store"})


def _add_sheet() -> None:
    """Register the sheet to print, for calibrating."""

    @app.get(SHEET_URL)
    def _sheet() -> Response:
        from table.sheet import sheet_pdf  # noqa: PLC0415 - the PDF's library, for no other page

        return Response(sheet_pdf("a4"), media_type="application/pdf")


def _add_page(
    session: TableSession,
    path: str,
    title: Callable[[Words], str],
    build: Callable[[TableSession], object],
) -> None:
    """Register a page in the language that the table speaks when it is opened."""
    page = ui.page(path)

    @page
    def _page() -> Response | None:
        if session.unchosen and path not in _ELSEWHERE:
            return RedirectResponse(SETUP_URL)
        page.language = LANGUAGES[session.words.language]
        ui.page_title(title(session.words))
        build(session)
        _follow_language(session)
        return None


def _title_of(place: Place, words: Words) -> str:
    return f"{PlaceWords(words.language).titles[place.name]} - {TITLE}"


def _follow_language(session: TableSession) -> None:
    """Load the page that is being built anew once the table speaks another language."""
    language = session.words.language

    def follow() -> None:
        if session.words.language is not language:
            timer.cancel()
            ui.navigate.reload()

    timer = ui.timer(FOLLOW_S, follow)


def serve(session: TableSession, host: str, port: int, names: frozenset[str]) -> None:
    """Serve the page until interrupted, called by its address or by one of `names`."""
    session.listens_at = (host, port)
    add_pages(session)
    app.add_middleware(Door, names=names)
    notice = ServiceNotice()
    if notice.wanted:
        answers = partial(web_server_answers, host, port)
        app.on_startup(lambda: background_tasks.create(tell_while_alive(session, notice, answers)))
        app.on_shutdown(lambda: notice.tell(STOPPING))
    ui.run(
        host=host,
        port=port,
        reload=False,
        show=False,
        dark=True,
        show_welcome_message=False,
        ws_max_size=MOST_MESSAGE_BYTES,
    )
