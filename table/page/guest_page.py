"""The page for guests: at the table its address as a QR code, and the PIN; on a phone the pad for the PIN."""

from __future__ import annotations

import socket
from contextlib import closing

import segno
from nicegui import ui

from table.page.gate import ask_for_pin, here
from table.page.guest_words import GuestWords
from table.page.places import TABLE_URL, beside_the_table
from table.page.session import TableSession

PLACE = "guests"
ANY_HOST = ("0.0.0.0", "::")
LOOPBACK = ("127.0.0.1", "::1", "localhost")
# Nothing is sent there: the system is only asked by which of its addresses it would.
FAR_AWAY = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))
BORDER = 4  # of the QR code, in its squares: what its standard asks for


def build_guests(session: TableSession) -> None:
    """Build the page."""
    words, caller = GuestWords(session.words.language), here()
    with beside_the_table(PLACE, session.words):
        if not caller.local:
            _build_for_guest(session, words)
        elif session.listens_at is None or session.listens_at[0] in LOOPBACK:
            _say(words.alone, words.how_to_open)
        elif (url := url_for_guests(*session.listens_at)) is None:
            _say(words.no_network)
        else:
            _build_for_table(session.guests.pin, url, words)


def url_for_guests(host: str, port: int) -> str | None:
    """Return the address for a phone to open when the table listens at `host`; None on no network."""
    address = _own_address() if host in ANY_HOST else host
    if address is None:
        return None
    return f"http://{f'[{address}]' if ':' in address else address}:{port}/"


def _own_address() -> str | None:
    for family, address in FAR_AWAY:
        with closing(socket.socket(family, socket.SOCK_DGRAM)) as asked:
            try:
                asked.connect((address, 9))
            except OSError:  # no way out by this family
                continue
            return str(asked.getsockname()[0])
    return None


def _build_for_guest(session: TableSession, words: GuestWords) -> None:
    if session.guests.may_touch(here()):
        _say(words.let_in)
        return
    ui.label(words.pin_first).classes("place-text")
    button = ui.button(color=None).props("flat").classes("offer guest-enter").mark("enter-pin")
    button.on_click(lambda: ask_for_pin(session, lambda: ui.navigate.to(TABLE_URL)))
    with button:
        ui.label(words.enter_pin).classes("title")


def _build_for_table(pin: str, url: str, words: GuestWords) -> None:
    drawn = segno.make(url, micro=False).svg_inline(
        border=BORDER, dark="#0b1210", light="#f7f0df", omitsize=True
    )
    with ui.element("div").classes("guests"):
        code = ui.html(drawn, sanitize=False).classes("guests-code").props("role=img").mark("code")
        code.props["aria-label"] = url
        with ui.element("div").classes("guests-told"):
            ui.label(words.scan).classes("place-text")
            for name, value, marker in (
                (words.address, url.removeprefix("http://").rstrip("/"), "address"),
                (words.pin, f"{pin[:3]} {pin[3:]}", "pin"),
            ):
                ui.label(name).classes("guests-name")
                ui.label(value).classes(f"guests-{marker}").mark(marker)


def _say(*lines: str) -> None:
    for line in lines:
        ui.label(line).classes("place-text")
