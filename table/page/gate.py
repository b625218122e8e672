"""The gate before everything that changes something: who is at the page, and may they?

`TableSession.touch` goes through it by itself. Whatever else a page lets people change - players, rules,
settings, a calibration - asks first, in the event handler and not in a thread that it starts:

    def _save(self) -> None:
        if not may_touch(self._session):
            return  # the guest has been told why, and asked for the PIN
        ...

and a route of the web server, for a file to download or the like:

    if not request_may_touch(session, request):
        return Response(status_code=403)

What only shows, turns over pages or sorts needs no gate: guests see everything. What a page does by itself,
when it is opened or by a timer, and that changes something, it leaves out where `only_looks` is true.
`test_a_guest_taps_everything_there_is_and_nothing_changes` opens every page and tries.
"""

from __future__ import annotations

from collections.abc import Callable

from nicegui import Client, context, ui
from starlette.requests import Request

from table.errors import NotPermittedError, TouchError
from table.page.allowance import Allowance
from table.page.dialogs import open_pad
from table.page.guest_words import GuestWords
from table.page.guests import PIN_DIGITS, Caller, caller_of
from table.page.session import TableSession
from table.page.words import as_sentence

MOST_TOUCHES, TOUCH_EVERY_S = 60, 0.05  # of one page: more than fingers do, less than hurts


def put_gate_before(session: TableSession) -> None:
    """Let nobody touch `session` who may not; what no page does is not asked about."""
    touches = Allowance(MOST_TOUCHES, TOUCH_EVERY_S)

    def permit() -> None:
        client = _client_here()
        if client is None:
            return
        words = GuestWords(session.words.language)
        if not session.guests.may_touch(caller_of(client.request.scope)):
            raise NotPermittedError(words.pin_first)
        if touches.wait_s(client.id):
            raise TouchError(words.too_often)
        touches.use(client.id)

    session.permit = permit


def may_touch(session: TableSession) -> bool:
    """Return whether whoever caused the event that is handled now may change something; if not, say why."""
    try:
        session.permit()
    except TouchError as error:
        say_why_not(session, error)
        return False
    return True


def only_looks(session: TableSession) -> bool:
    """Return whether whoever is at the page that is built, or whose event is handled, may not touch."""
    return not session.guests.may_touch(here())


def request_may_touch(session: TableSession, request: Request) -> bool:
    """Return whether whoever sent `request` may change something, or get what guests may not."""
    return session.guests.may_touch(caller_of(request.scope))


def say_why_not(session: TableSession, error: TouchError) -> None:
    """Say why a touch was refused; a guest without the PIN is asked for it."""
    if isinstance(error, NotPermittedError):
        ask_for_pin(session)
    else:
        ui.notify(as_sentence(str(error)), type="warning", position="top")


def here() -> Caller:
    """Return who is at the page that is built, or whose event is handled."""
    return caller_of(context.client.request.scope)


def ask_for_pin(session: TableSession, then: Callable[[], object] = lambda: None) -> None:
    """Ask a guest for the PIN; `then` is done once it was right."""
    words, typed = GuestWords(session.words.language), list[str]()
    with ui.dialog() as dialog, ui.card().classes("pad"):

        def show() -> None:
            typed_so_far.set_text("".join(typed) + "·" * (PIN_DIGITS - len(typed)))

        def add(digit: str) -> None:
            typed.append(digit)
            show()
            if len(typed) < PIN_DIGITS:
                return
            answer = session.guests.enter(here(), "".join(typed))
            typed.clear()
            if answer.let_in:
                dialog.close()
                ui.notify(words.let_in, type="positive", position="top")
                then()
                return
            told.set_text(words.wait(answer.wait_s) if answer.wait_s else words.wrong_pin)
            show()

        def take_back() -> None:
            del typed[-1:]
            show()

        ui.label(words.enter_pin).classes("pad-title")
        told = ui.label(words.pin_first).classes("pad-text").props("role=status").mark("pin-told")
        typed_so_far = ui.label().classes("pin-typed").mark("pin-typed")
        show()
        _keys(words, add, take_back, dialog.close)
    open_pad(dialog)


def _keys(
    words: GuestWords, add: Callable[[str], None], back: Callable[[], None], close: Callable[[], object]
) -> None:
    with ui.element("div").classes("pin-keys"):
        for digit in "123456789":
            _key(digit, "digit").on_click(lambda digit=digit: add(digit)).mark(f"digit-{digit}")
        _key("←", "word").on_click(back).mark("pin-back").props["aria-label"] = words.back
        _key("0", "digit").on_click(lambda: add("0")).mark("digit-0")
        _key("×", "word").on_click(close).mark("pin-close").props["aria-label"] = words.close


def _key(text: str, kind: str) -> ui.button:
    button = ui.button(color=None).props("flat").classes(f"offer pin-key {kind}")
    with button:
        ui.label(text).classes("title")
    return button


def _client_here() -> Client | None:
    try:
        return context.client
    except RuntimeError:  # no page: a test, a clip's touches
        return None
