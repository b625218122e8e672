"""A browser on the table, used as a person uses it: by what stands on its buttons."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from playwright.sync_api import ConsoleMessage, Locator, Page, Request, Response, expect

from scoring.faces import spell_faces
from scoring.languages import Language
from table.page.place_words import PlaceWords
from table.page.words import Words

PATIENCE_MS = 20_000  # for a busy machine; nothing waits longer than it has to
LYING, STANDING = (800, 480), (720, 1280)
SIZES = (LYING, STANDING)
GIVEN_UP = "net::ERR_ABORTED"  # a picture that was on its way when the page was left


class Screen:
    """One page in a browser. `faults`: errors on its console and requests that failed."""

    def __init__(self, page: Page, language: Language) -> None:
        self.page, self.words, self.places = page, Words(language), PlaceWords(language)
        self.faults: list[str] = []
        page.set_default_timeout(PATIENCE_MS)
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.faults.append(f"page error: {error}"))
        page.on("requestfailed", self._failed)
        page.on("response", self._answered)

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.faults.append(f"console: {message.text}")

    def _failed(self, request: Request) -> None:
        if request.failure != GIVEN_UP:
            self.faults.append(f"{request.url}: {request.failure}")

    def _answered(self, response: Response) -> None:
        if response.status >= 400:
            self.faults.append(f"{response.url}: status {response.status}")

    def open(self, url: str) -> Screen:
        """Open the play page at `url`, and wait until taps are heard."""
        self.page.goto(url)
        self.wait_until_live()
        return self

    def wait_until_live(self) -> None:
        """Wait until the page is shown and connected: what is tapped before is lost."""
        self.page.wait_for_function("() => window.socket && window.socket.connected")
        expect(self.page.locator(".table-page, .place-page")).to_be_visible(timeout=PATIENCE_MS)

    def button(self, begins: str) -> Locator:
        """Return the button whose name is `begins`, or goes on after it with further words."""
        return self.page.get_by_role("button", name=re.compile(rf"^{re.escape(begins)}(?!\w)"))

    def tap(self, begins: str) -> None:
        """Tap a button."""
        self.button(begins).tap()

    def enter_throw(self, faces: Sequence[int]) -> None:
        """Enter a throw by hand."""
        self.tap(self.words.throw(len(faces)))
        for face in faces:
            self.tap(self.words.die_shows(face))
        expect(self.page.get_by_text(self.words.enter_throw, exact=True)).to_have_count(0)

    def put_aside(self, faces: Iterable[int]) -> None:
        """Tap a set-aside, turning over to where it is offered."""
        wanted = self.button(f"{spell_faces(tuple(faces))},")
        further = self.page.get_by_role("button", name=re.compile(self.words.more(7).replace("7", r"\d+")))
        expect(self.page.locator(".choices .offer").first).to_be_visible()
        while not wanted.count() and further.count():
            gone = self.page.locator(".choices .offer").first.element_handle()
            further.tap()
            self.page.wait_for_function("each => !each.isConnected", arg=gone)
        wanted.tap()

    def bank(self) -> None:
        """Tap Bank."""
        self.tap(self.words.bank)

    def correct_die(self, number: int, face: int | None) -> None:
        """Tap die `number` of the row, from 1, and what it shows; None: it is no die."""
        self.page.locator(".throw").get_by_role("button").nth(number - 1).tap()
        self.tap(self.words.no_die if face is None else self.words.die_shows(face))

    def tally(self) -> dict[str, int]:
        """Return each player's name with the points written beside it."""
        players = self.page.locator(".tally .player").all()
        return {
            each.locator(".name").inner_text(): int(each.locator(".total").inner_text()) for each in players
        }

    def expect_tally(self, totals: dict[str, int]) -> None:
        """Hold that the tally comes to be `totals`."""
        shown = self.page.locator(".tally .player .total")
        expect(shown).to_have_text([str(total) for total in totals.values()], timeout=PATIENCE_MS)
        assert self.tally() == totals

    def expect_prompt(self, text: str) -> None:
        """Hold that the page comes to wait for this."""
        expect(self.page.locator(".prompt .text")).to_have_text(text, timeout=PATIENCE_MS)

    def expect_says(self, text: str) -> None:
        """Hold that this comes to stand somewhere on the page."""
        expect(self.page.get_by_text(text).first).to_be_visible(timeout=PATIENCE_MS)
