"""A browser on the table, used as a person uses it: by what stands on its buttons."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Sequence

from playwright.sync_api import ConsoleMessage, Locator, Page, Request, Response, expect

from scoring.faces import spell_faces
from scoring.languages import Language
from table.page.place_words import PlaceWords
from table.page.words import Words

PATIENCE_MS = 20_000  # for a busy machine; nothing waits longer than it has to
LYING, STANDING = (800, 480), (720, 1280)
SIZES = (LYING, STANDING)
AHEAD_MS = 300
TAP_AT = """(button, moment) => {
    window.tapped = new Promise(done => setTimeout(() => done(button.click()), moment - Date.now()));
}"""
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

    def tap_and_see(self, button: Locator) -> None:
        """Tap a button that what comes of it takes away, and wait until it has: a tap before may be lost."""
        tapped = button.element_handle()
        button.tap()
        self.page.wait_for_function("each => !each.isConnected", arg=tapped)

    def enter_throw(self, faces: Sequence[int]) -> None:
        """Enter a throw by hand."""
        self.tap(self.words.throw(len(faces)))
        for face in faces:
            self.tap(self.words.die_shows(face))
        expect(self.page.get_by_text(self.words.enter_throw, exact=True)).to_have_count(0)

    def put_aside(self, faces: Iterable[int]) -> None:
        """Tap a set-aside, turning over to where it is offered."""
        wanted = self.button(self.named(faces))
        further = self.page.get_by_role("button", name=re.compile(self.words.more(7).replace("7", r"\d+")))
        expect(self.page.locator(".choices .offer").first).to_be_visible()
        while not wanted.count() and further.count():
            self.tap_and_see(further)
        self.tap_and_see(wanted)

    @staticmethod
    def named(faces: Iterable[int]) -> str:
        """Return how the name of the button for these dice begins."""
        return f"{spell_faces(tuple(faces))},"

    def expect_offered(self, faces: Iterable[int], points: int | None = None) -> None:
        """Hold that a set-aside comes to be offered, for `points`."""
        begins = self.named(faces) + ("" if points is None else f" {points}")
        expect(self.button(begins)).to_be_visible(timeout=PATIENCE_MS)

    def bank(self) -> None:
        """Tap Bank."""
        self.tap_and_see(self.button(self.words.bank))

    def correct_die(self, number: int, face: int | None) -> None:
        """Tap die `number` of the row, from 1, and what it shows; None: it is no die."""
        self.page.locator(".throw").get_by_role("button").nth(number - 1).tap()
        self._say(face)

    def correct_in_picture(self, read: int, face: int | None) -> None:
        """Tap a die that was read as `read` in the picture, and what it shows."""
        drawn = self.page.locator(".picture svg")
        place = drawn.locator("text").all_text_contents().index(str(read))
        outlines = drawn.locator("polygon")
        box = outlines.nth(outlines.count() // drawn.locator("text").count() * place).bounding_box()
        assert box is not None
        self.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        self._say(face)

    def _say(self, face: int | None) -> None:
        self.tap(self.words.no_die if face is None else self.words.die_shows(face))

    def dice(self) -> list[int]:
        """Return the faces of the row of dice, as drawn."""
        drawn = self.page.locator(".throw .die-face").all()
        return [each.locator(".pip").count() for each in drawn]

    def expect_dice(self, faces: Sequence[int]) -> None:
        """Hold that the row of dice comes to show `faces`."""
        row = self.page.locator(".throw")
        for number, face in enumerate(faces, 1):
            die = row.get_by_role("button", name=self.words.die_in_row(number, face), exact=True)
            expect(die).to_be_visible(timeout=PATIENCE_MS)
        assert self.dice() == list(faces)

    def turn_points(self) -> int:
        """Return the points of the turn, as they stand in the tally."""
        return int(self.page.locator(".tally .turn-points").inner_text())

    def expect_turn_points(self, points: int) -> None:
        """Hold that the turn comes to be worth `points`."""
        expect(self.page.locator(".tally .turn-points")).to_have_text(f"+{points}", timeout=PATIENCE_MS)

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


def tap_at_once(*taps: tuple[Screen, str]) -> None:
    """Let a finger come down on a button of each screen in the same moment."""
    buttons = [screen.button(begins).element_handle() for screen, begins in taps]
    moment_ms = 1000 * time.time() + AHEAD_MS
    for button in buttons:
        button.evaluate(TAP_AT, moment_ms)
    for screen, _ in taps:
        screen.page.evaluate("() => window.tapped")
