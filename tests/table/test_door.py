"""What the web server lets in, before any page sees it."""

from __future__ import annotations

import asyncio
from collections.abc import MutableMapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table.page.door import MOST_BODY_BYTES, MOST_MESSAGE_BYTES, MOST_MESSAGES, MOST_PAGES, Door, own_names
from table.page.guests import BROWSER

Message = MutableMapping[str, Any]
NAMES = frozenset({"localhost", "dice", "dice.local"})


class App:
    """Answers all, and remembers what reached it."""

    def __init__(self) -> None:
        self.scopes: list[Message] = []
        self.received: list[Message] = []

    async def __call__(self, scope: Message, receive: Any, send: Any) -> None:
        self.scopes.append(scope)
        if scope["type"] == "http":
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b"in"})
            return
        while (message := await receive())["type"] != "websocket.disconnect":
            self.received.append(message)


def knock(
    door: Door,
    *,
    kind: str = "http",
    client: str = "192.168.1.77",
    incoming: list[Message] | None = None,
    **headers: str,
) -> list[Message]:
    """Return what is sent back."""
    named = {"host": "dice.local:8080", **headers}
    scope: dict[str, Any] = {
        "type": kind,
        "path": "/",
        "client": (client, 5000),
        "server": ("192.168.1.5", 8080),
        "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in named.items()],
    }
    waiting, sent = list(incoming or []), list[Message]()

    async def receive() -> Message:
        return waiting.pop(0) if waiting else {"type": "websocket.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    asyncio.run(door(scope, receive, send))
    return sent


def status(sent: list[Message]) -> int:
    return int(sent[0]["status"])


def cookie(sent: list[Message]) -> str | None:
    return next((value.decode() for name, value in sent[0]["headers"] if name == b"set-cookie"), None)


@pytest.mark.parametrize(
    "host",
    ["localhost:8080", "dice", "DICE.local:8080", "192.168.1.5:8080", "127.0.0.1", "[::1]:8080", "[fd00::2]"],
)
def test_the_table_is_called_by_its_addresses_and_names(host: str) -> None:
    app = App()
    assert status(knock(Door(app, NAMES), host=host)) == 200
    assert status(knock(Door(app, NAMES), host=host, origin=f"http://{host}")) == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "dice.local.evil.example",
        "dice.evil.example",
        "",
        ":8080",
        "[::1",
        "localhost.evil",
        "dice@x",
    ],
)
def test_a_name_that_anyone_could_own_is_refused_in_one_line(host: str) -> None:
    app = App()
    sent = knock(Door(app, NAMES), host=host)
    assert status(sent) == 421
    assert sent[1]["body"].decode().count("\n") == 1
    assert knock(Door(app, NAMES), kind="websocket", host=host)[0]["type"] == "websocket.close"
    assert app.scopes == []


@pytest.mark.parametrize("kind", ["http", "websocket"])
@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://dice.local", "http://dice.local:8081", "http://[", ""]
)
def test_a_page_from_elsewhere_reaches_nothing(kind: str, origin: str) -> None:
    app = App()
    sent = knock(Door(app, NAMES), kind=kind, origin=origin)
    assert app.scopes == []
    assert sent[0].get("status", 1008) in (403, 1008)


@given(st.text(alphabet=st.characters(min_codepoint=32, max_codepoint=255), max_size=30))
def test_whatever_is_sent_as_host_or_origin_nothing_falls(text: str) -> None:
    app = App()
    knock(Door(app, NAMES), host=text)
    knock(Door(app, NAMES), origin=text, cookie=text)


def test_a_default_port_may_be_written_or_not() -> None:
    assert status(knock(Door(App(), NAMES), host="dice.local", origin="http://dice.local:80")) == 200


def test_a_proxy_that_speaks_tls_is_the_same_site() -> None:
    assert status(knock(Door(App(), NAMES), host="dice.local", origin="https://dice.local")) == 200


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"content_length": str(MOST_BODY_BYTES)}, 200),
        ({"content_length": str(MOST_BODY_BYTES + 1)}, 413),
        ({"content_length": "-1"}, 413),
        ({"content_length": "many"}, 413),
        ({"transfer_encoding": "chunked"}, 411),
    ],
)
def test_what_is_sent_is_bounded(headers: dict[str, str], expected: int) -> None:
    assert status(knock(Door(App(), NAMES), **headers)) == expected


@pytest.mark.parametrize(
    "message", [{"text": "x" * (MOST_MESSAGE_BYTES + 1)}, {"bytes": bytes(MOST_MESSAGE_BYTES + 1)}]
)
def test_a_websocket_over_which_too_much_comes_is_closed(message: Message) -> None:
    app = App()
    small = {"type": "websocket.receive", "text": "x"}
    sent = knock(
        Door(app, NAMES), kind="websocket", incoming=[small, {"type": "websocket.receive", **message}, small]
    )
    assert app.received == [small]
    assert [each["type"] for each in sent] == ["websocket.close"]


def test_a_websocket_over_which_messages_pour_is_closed() -> None:
    app = App()
    poured: list[Message] = [{"type": "websocket.receive", "text": "x"}] * 10 * MOST_MESSAGES
    sent = knock(Door(app, NAMES), kind="websocket", incoming=poured)
    assert [each["type"] for each in sent] == ["websocket.close"]
    assert len(app.received) < 2 * MOST_MESSAGES


def test_a_guest_who_opens_pages_without_end_must_wait_and_others_need_not() -> None:
    door = Door(App(), NAMES)
    assert [status(knock(door)) for _ in range(2 * MOST_PAGES)][-1] == 429
    assert status(knock(door, client="192.168.1.78")) == 200
    assert status(knock(door, client="192.168.1.5")) == 200


def test_a_browser_is_known_again_by_what_it_was_given() -> None:
    app = App()
    new = cookie(knock(Door(app, NAMES)))
    assert new is not None
    worn, _, kept_how = new.partition(";")
    assert "HttpOnly" in kept_how
    assert "SameSite=Lax" in kept_how
    assert cookie(knock(Door(app, NAMES), cookie=worn)) is None
    assert [f"titusind={scope[BROWSER]}" for scope in app.scopes] == [worn, worn]


@pytest.mark.parametrize("worn", ["titusind=admin", "titusind=", "titusind=" + "A" * 32, "other=1", ";;="])
def test_a_word_the_door_cannot_have_given_is_replaced(worn: str) -> None:
    assert cookie(knock(Door(App(), NAMES), cookie=worn)) is not None


def test_names_given_by_hand_are_own_names() -> None:
    assert {"localhost", "table.example"} <= own_names(["Table.Example"])
