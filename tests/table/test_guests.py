"""Guests on the network: they see everything, and change nothing before they have entered the PIN."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from unittest.mock import Mock, create_autospec

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nicegui import Client, core, ui
from nicegui.testing import User, user_simulation
from nicegui.testing.user_interaction import UserInteraction

from scoring.languages import Language
from table.errors import NotPermittedError
from table.page.door import Door
from table.page.guest_page import url_for_guests
from table.page.guests import (
    MOST_WRONG,
    MOST_WRONG_OF_ALL,
    WRONG_EVERY_S,
    WRONG_OF_ALL_EVERY_S,
    Caller,
    Guests,
    caller_of,
)
from table.page.places import PLACES
from table.page.server import add_pages
from table.page.session import TableSession
from table.touches import EnterThrow, Undo
from table.voice.voice import Voice
from tests.table.browsing import SIX, Table

PHONE, OTHER_PHONE = "192.168.1.77", "192.168.1.78"
Scene = Callable[[Table, User, User], Awaitable[None]]


class Clock:
    def __init__(self) -> None:
        self.now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


def caller(address: str = PHONE, browser: str = "") -> Caller:
    return Caller(address, local=False, browser=browser or f"browser of {address}")


def wrong(guests: Guests) -> str:
    return f"{(int(guests.pin) + 1) % 10**6:06}"


def phone_of(address: str) -> User:
    transport = httpx.ASGITransport(Door(core.app, frozenset({"test"})), client=(address, 5000))
    return User(httpx.AsyncClient(transport=transport, base_url="http://test"))


def with_a_phone(table: Table, scene: Scene, path: str = "/table") -> None:
    """Open the page at the table and on a guest's phone, and play `scene`."""

    async def opened() -> None:
        async with AsyncExitStack() as stack:
            user = await stack.enter_async_context(user_simulation(lambda: None))
            add_pages(table.session, "/table")
            phone = phone_of(PHONE)
            await user.open(path)
            await phone.open(path)
            await scene(table, user, phone)

    asyncio.run(opened())


async def enter(user: User, pin: str) -> None:
    for digit in pin:
        user.find(marker=f"digit-{digit}").click()


def test_a_guest_sees_all_and_changes_nothing_until_the_pin_is_entered() -> None:
    async def scene(table: Table, user: User, phone: User) -> None:
        table.throw(SIX)
        await phone.should_see("250", marker="set-aside-1-1-5")
        before = table.session.state
        phone.find(marker="set-aside-1-1-5").click()
        await phone.should_see("Enter the PIN")
        assert table.session.state is before
        await enter(phone, wrong(table.session.guests))
        await phone.should_see("That is not the PIN")
        await enter(phone, table.session.guests.pin)
        phone.find(marker="set-aside-1-1-5").click()
        await user.should_see("+250")

    with_a_phone(Table(), scene)


def test_one_guests_pin_lets_no_other_in() -> None:
    async def scene(table: Table, user: User, phone: User) -> None:
        other = phone_of(OTHER_PHONE)
        await other.open("/table")
        table.throw(SIX)
        await phone.should_see(marker="set-aside-1-1-5")
        phone.find(marker="set-aside-1-1-5").click()
        await phone.should_see("Enter the PIN")
        await enter(phone, table.session.guests.pin)
        before = table.session.state
        await other.should_see(marker="set-aside-1-1-5")
        other.find(marker="set-aside-1-1-5").click()
        await other.should_see("Enter the PIN")
        assert table.session.state is before

    with_a_phone(Table(), scene)


def test_a_browser_that_has_entered_the_pin_may_touch_on_the_next_page_too() -> None:
    async def scene(table: Table, user: User, phone: User) -> None:
        phone.find(marker="throw").click()
        await phone.should_see("Enter the PIN")
        await enter(phone, table.session.guests.pin)
        again = User(phone.http_client)
        await again.open("/table")
        again.find(marker="throw").click()
        await again.should_see("Enter a throw")

    with_a_phone(Table(), scene)


def test_the_touch_itself_is_refused_whatever_the_buttons_do() -> None:
    async def scene(table: Table, user: User, phone: User) -> None:
        version = table.session.state.version
        with phone, pytest.raises(NotPermittedError):
            table.session.touch(EnterThrow((1, 1, 2, 3, 5, 6)), version)
        with user:
            table.session.touch(EnterThrow((1, 1, 2, 3, 5, 6)), version)

    with_a_phone(Table(), scene)


def test_a_page_that_touches_without_end_is_told_to_wait() -> None:
    async def scene(table: Table, user: User, phone: User) -> None:
        table.throw(SIX)
        with user:
            refused = 0
            for _ in range(200):
                version = table.session.state.version
                try:
                    table.session.touch(Undo(), version)
                except ValueError as error:
                    refused += "Too many touches" in str(error)
        assert refused > 100

    with_a_phone(Table(), scene)


def test_a_guest_gets_no_report_and_sees_no_pin() -> None:
    async def scene(table: Table, user: User, phone: User) -> None:
        table.throw(SIX)
        phone.find(marker="menu").click()
        await phone.should_see(marker="report")
        phone.find(marker="report").click()
        await phone.should_see("Enter the PIN")
        assert (await phone.http_client.get("/report.zip")).status_code == 403
        assert (await user.http_client.get("/report.zip")).status_code == 404
        await phone.open("/guests")
        await phone.should_see(marker="enter-pin")
        await phone.should_not_see(marker="pin")
        assert table.session.guests.pin not in (await phone.http_client.get("/guests")).text

    with_a_phone(Table(recorded=True), scene)


def test_the_table_shows_address_code_and_pin_when_it_listens_to_the_network() -> None:
    table = Table()

    async def scene(table: Table, user: User, phone: User) -> None:
        pin = table.session.guests.pin
        await user.should_see("192.168.1.5:8080", marker="address")
        await user.should_see(f"{pin[:3]} {pin[3:]}", marker="pin")
        await user.should_see(marker="code")

    table.session.listens_at = ("192.168.1.5", 8080)
    with_a_phone(table, scene, "/guests")


@pytest.mark.parametrize("listens_at", [None, ("127.0.0.1", 8080)])
def test_a_table_that_listens_to_itself_alone_says_how_to_let_phones_in(
    listens_at: tuple[str, int] | None,
) -> None:
    table = Table(language=Language.ENGLISH)

    async def scene(table: Table, user: User, phone: User) -> None:
        await user.should_see("--host 0.0.0.0")
        await user.should_not_see(marker="pin")

    table.session.listens_at = listens_at
    with_a_phone(table, scene, "/guests")


def test_an_ipv6_address_is_bracketed() -> None:
    assert url_for_guests("fd00::2", 8080) == "http://[fd00::2]:8080/"


@pytest.mark.parametrize(
    ("client", "server", "local"),
    [
        ("127.0.0.1", "127.0.0.1", True),
        ("127.9.9.9", "127.0.0.1", True),
        ("::1", "::1", True),
        ("::ffff:127.0.0.1", "::", True),
        ("192.168.1.5", "192.168.1.5", True),  # a browser at the table that goes by its address
        ("192.168.1.77", "192.168.1.5", False),
        ("::ffff:192.168.1.77", "::ffff:192.168.1.5", False),
        ("fe80::1%eth0", "fe80::2", False),
        ("", None, False),
        ("", "", True),
    ],
)
def test_who_sits_at_the_table(client: str, server: str | None, local: bool) -> None:
    scope = {"client": (client, 1), "server": None if server is None else (server, 8080)}
    assert caller_of(scope).local is local


def test_a_caller_without_address_is_a_guest() -> None:
    assert not caller_of({"client": None, "server": ("127.0.0.1", 8080)}).local


def test_too_many_wrong_pins_and_not_even_the_right_one_is_looked_at_for_a_while() -> None:
    clock = Clock()
    guests = Guests(clock)
    for _ in range(MOST_WRONG):
        assert not guests.enter(caller(), wrong(guests)).wait_s
    answer = guests.enter(caller(), guests.pin)
    assert answer.wait_s == pytest.approx(WRONG_EVERY_S)
    assert not guests.may_touch(caller())
    assert guests.enter(caller(OTHER_PHONE), guests.pin).let_in  # another's wrong ones are not its fault
    clock.now_s += answer.wait_s
    assert guests.enter(caller(), guests.pin).let_in
    assert guests.may_touch(caller())


@given(st.lists(st.tuples(st.integers(0, 400), st.floats(0, 30)), max_size=300))
def test_however_many_addresses_guess_few_pins_are_looked_at(guesses: list[tuple[int, float]]) -> None:
    clock = Clock()
    guests, began_s, looked_at = Guests(clock), clock.now_s, 0
    for address, pause_s in guesses:
        clock.now_s += pause_s
        looked_at += not guests.enter(caller(f"fd00::{address:x}"), wrong(guests)).wait_s
    assert looked_at <= MOST_WRONG_OF_ALL + (clock.now_s - began_s) / WRONG_OF_ALL_EVERY_S


@given(st.text(max_size=8))
def test_nothing_but_the_pin_lets_in(typed: str) -> None:
    guests = Guests()
    assert guests.enter(caller(), typed).let_in is (typed == guests.pin)


def test_a_browser_that_cannot_be_known_again_is_not_let_in() -> None:
    guests = Guests()
    nameless = Caller(PHONE, local=False)
    assert not guests.enter(nameless, guests.pin).let_in
    assert not guests.may_touch(nameless)


class Nowhere:
    """In the place of the browser's navigation: a guest who taps everything stays on the page."""

    def to(self, *_: object, **__: object) -> None: ...

    back = forward = reload = to


def standing_of(session: TableSession) -> tuple[object, ...]:
    """All of a session that people can change, and what was said aloud."""
    spoken = session.voice.method_calls if isinstance(session.voice, Mock) else ()
    made = session.recorder and session.recorder.made
    return (
        session.state.version,
        session.draft,
        session.preferences.now,
        session.unchosen,
        session.trying,
        made,
        list(spoken),
    )


async def tap_everything(phone: User, path: str, changed: Callable[[], bool]) -> int:
    """Open `path` and tap all there is, and all that appears then, twice; return how many were tapped."""
    client = await phone.open(path)
    taps: dict[str, int] = {}
    while fresh := [each for each in tappable(client) if taps.get(named(each), 0) < 2]:
        name = named(fresh[0])
        taps[name] = taps.get(name, 0) + 1
        for event in ("click", "mouse", "keydown.enter", "update:model-value"):
            UserInteraction(phone, {fresh[0]}, None).trigger(event, TAP if event == "mouse" else "x")
        await asyncio.sleep(0)
        assert not changed(), f"{path}: a guest's tap on {name}"
    await asyncio.sleep(0.4)  # for what the page's timers do
    assert not changed(), f"{path}: by itself"
    return len(taps)


TAP = {"mouse_event_type": "click", "image_x": 140, "image_y": 20}


def tappable(client: Client) -> list[ui.element]:
    return [each for each in client.elements.values() if each._event_listeners and not each.is_deleted]


def named(element: ui.element) -> str:
    return " ".join(element._markers) or f"{type(element).__name__} {element.props.get('aria-label', '')}"


@pytest.mark.parametrize("path", ["/table", *(place.url for place in PLACES)])
def test_a_guest_taps_everything_there_is_and_nothing_changes(path: str) -> None:
    voice = create_autospec(Voice, instance=True, muted=False, volume=100)
    table = Table(recorded=True, voice=voice)

    async def scene(table: Table, user: User, phone: User) -> None:
        phone.navigate = Nowhere()  # type: ignore[assignment]
        table.throw(SIX)
        await user.open("/setup")  # begins the draft that all screens share
        await user.open("/table")
        voice.reset_mock()
        before = standing_of(table.session)
        tapped = await tap_everything(phone, path, lambda: standing_of(table.session) != before)
        assert tapped >= 1

    with_a_phone(table, scene)


def test_a_guest_who_comes_first_does_not_choose_for_the_table() -> None:
    async def scene(table: Table, user: User, phone: User) -> None:
        table.session.unchosen = True
        await phone.open("/setup")
        assert table.session.unchosen

    with_a_phone(Table(), scene)
