"""What the web server lets in: who may call it by which name, how much, how often.

Names: a page of another site must not reach the table through the browser of somebody at home. So a request
must call the table by an address, by a name that no stranger can own, or by one that was allowed: this ends
DNS rebinding. And where it says which page sent it, Origin, that must be the table's own: this ends other
sites' WebSockets. Every browser gets a cookie, a word made by chance by which it is known again.
"""

from __future__ import annotations

import ipaddress
import re
import secrets
import socket
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from http import HTTPStatus
from http.cookies import CookieError, SimpleCookie
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from table.page.allowance import Allowance
from table.page.guests import BROWSER, caller_of

Scope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

COOKIE, COOKIE_FORM = "titusind", re.compile(r"[0-9a-f]{32}")
MOST_BODY_BYTES = 1_000_000  # of a request
MOST_MESSAGE_BYTES = 64_000  # of what is sent over a WebSocket
MOST_MESSAGES, MESSAGE_EVERY_S = 300, 0.01  # over one WebSocket
MOST_PAGES, PAGE_EVERY_S = 60, 1.0  # of one guest: each page that is opened is work
UNCOUNTED = ("/_nicegui", "/picture.jpg")
OWN_SUFFIXES = (".local", ".lan", ".home.arpa", ".internal")  # no stranger can register a name under these
POLICY_VIOLATION = 1008
DEFAULT_PORTS = re.compile(r":(80|443)$")
HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"SAMEORIGIN"),  # no page of another site may lay its own buttons over the table's
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)


def own_names(known_as: Iterable[str] = ()) -> frozenset[str]:
    """Return the names by which this machine may be called, and those of `known_as`."""
    host = socket.gethostname().casefold().partition(".")[0]
    names = {"localhost", host, *(host + suffix for suffix in OWN_SUFFIXES)}
    return frozenset(names | {name.casefold() for name in known_as})


class Door:
    """An ASGI application that lets through to `app` what may come in, called by one of `names`."""

    def __init__(self, app: App, names: frozenset[str]) -> None:
        self._app, self._names = app, names
        self._pages = Allowance(MOST_PAGES, PAGE_EVERY_S)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let one connection in, or refuse it in one line."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        refused = self._why_not(scope, headers)
        if refused is not None:
            await _refuse(scope, send, *refused)
            return
        known = _browser_of(headers)
        scope[BROWSER] = known or secrets.token_hex(16)
        if scope["type"] == "http":
            await self._app(scope, receive, _with_headers(send, "" if known else scope[BROWSER]))
        else:
            await self._app(scope, _bounded(receive, send), send)

    def _why_not(self, scope: Scope, headers: dict[str, str]) -> tuple[HTTPStatus, str] | None:
        host, origin = headers.get("host", ""), headers.get("origin")
        if not self._is_own(host):
            return HTTPStatus.MISDIRECTED_REQUEST, (
                f"this table is not known as {host[:100]!r}: open it by its address, or allow it, --known-as"
            )
        if origin is not None and _netloc(origin) != DEFAULT_PORTS.sub("", host.casefold()):
            return HTTPStatus.FORBIDDEN, f"a page of {origin[:100]!r} may not reach this table"
        if "transfer-encoding" in headers:
            return HTTPStatus.LENGTH_REQUIRED, "a request must say how long it is"
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > MOST_BODY_BYTES:
            return HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"accepted are up to {MOST_BODY_BYTES} bytes"
        return self._too_often(scope)

    def _is_own(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        return name in self._names or _is_address(name)

    def _too_often(self, scope: Scope) -> tuple[HTTPStatus, str] | None:
        caller = caller_of(scope)
        if caller.local or scope["path"].startswith(UNCOUNTED):
            return None
        if self._pages.wait_s(caller.address):
            return HTTPStatus.TOO_MANY_REQUESTS, "too many pages at once, wait a moment"
        self._pages.use(caller.address)
        return None


def _netloc(origin: str) -> str:
    try:
        return DEFAULT_PORTS.sub("", urlsplit(origin).netloc.casefold())
    except ValueError:
        return ""


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _browser_of(headers: dict[str, str]) -> str:
    try:
        morsel = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return ""
    return morsel.value if morsel is not None and COOKIE_FORM.fullmatch(morsel.value) else ""


def _with_headers(send: Send, new_browser: str) -> Send:
    """Return a `send` that adds what keeps browsers from mischief, and a cookie for a new one."""
    cookie = f"{COOKIE}={new_browser}; Path=/; HttpOnly; SameSite=Lax".encode()
    added = [*HEADERS, *([(b"set-cookie", cookie)] if new_browser else [])]

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", ()), *added]
        await send(message)

    return send_with_headers


def _bounded(receive: Receive, send: Send) -> Receive:
    """Return a `receive` that ends a WebSocket over which too much comes."""
    messages = Allowance(MOST_MESSAGES, MESSAGE_EVERY_S)

    async def receive_bounded() -> Message:
        message = await receive()
        if message["type"] != "websocket.receive":
            return message
        messages.use("")
        size = len(message.get("text") or "") + len(message.get("bytes") or b"")
        if size <= MOST_MESSAGE_BYTES and not messages.wait_s(""):
            return message
        await send({"type": "websocket.close", "code": POLICY_VIOLATION})
        return {"type": "websocket.disconnect", "code": POLICY_VIOLATION}

    return receive_bounded


async def _refuse(scope: Scope, send: Send, status: HTTPStatus, why: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": POLICY_VIOLATION, "reason": why})
        return
    text = f"titusind: {why}\n".encode()
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", b"%d" % len(text))]
    await send({"type": "http.response.start", "status": status.value, "headers": [*headers, *HEADERS]})
    await send({"type": "http.response.body", "body": text})
