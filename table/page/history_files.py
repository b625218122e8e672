"""What the page of kept games lets be fetched: pictures of throws, and games as CSV and JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from fastapi import Request, Response
from nicegui import app

from table.errors import StoredGameError, StoreError
from table.game_export import game_as_record, games_as_csv
from table.output import json_line
from table.page.gate import request_may_touch
from table.page.session import TableSession
from table.store.past_games import PastGame, PastGames

THROW_PICTURE_URL, GAMES_URL = "/throw-picture", "/games"
A_DAY = {"Cache-Control": "private, max-age=86400, immutable"}  # a picture never changes

FORMS: dict[str, tuple[str, Callable[[Iterable[PastGame]], str]]] = {
    "csv": ("text/csv; charset=utf-8", lambda games: "\ufeff" + games_as_csv(games)),
    "jsonl": ("application/x-ndjson", lambda games: "".join(map(json_line, map(game_as_record, games)))),
}


def add_history_files(session: TableSession) -> None:
    """Register the files. All games at once take long to put together: only for those who may touch."""

    @app.get(f"{THROW_PICTURE_URL}/{{name}}")
    def _throw_picture(name: str) -> Response:
        jpeg = session.pictures and session.pictures.picture(name)
        if jpeg is None:
            return Response(status_code=404)
        return Response(jpeg, media_type="image/jpeg", headers=A_DAY)

    @app.get(f"{GAMES_URL}.{{form}}")
    def _all(form: str, request: Request) -> Response:
        if not request_may_touch(session, request):
            return Response(status_code=403)
        return _answer(session, form, readable)

    @app.get(f"{GAMES_URL}/{{number}}.{{form}}")
    def _one(number: int, form: str) -> Response:
        return _answer(session, form, lambda past: [past.numbered(number)])


def readable(past: PastGames) -> Iterator[PastGame]:
    """Yield all games that can be read, the latest first."""
    for stored in past.played():
        try:
            yield past.game(stored)
        except StoredGameError:
            continue  # the page says so where it stands in the list


def _answer(session: TableSession, form: str, chosen: Callable[[PastGames], Iterable[PastGame]]) -> Response:
    if session.past is None or form not in FORMS:
        return Response(status_code=404)
    media, written = FORMS[form]
    try:
        return Response(written(chosen(session.past)), media_type=media)
    except StoredGameError as error:
        return Response(f"{error}\n", status_code=404, media_type="text/plain")
    except StoreError as error:
        return Response(f"{error}\n", status_code=503, media_type="text/plain")
