"""What the tests in a browser share: Debian's Chromium, screens of both sizes, a tray without a camera."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from scoring.languages import Language
from tests.browser.playing_table import CLIPS, PlayingTable, free_port, started
from tests.browser.screen import LYING, Screen

NAMES = ("chromium", "chromium-browser", "google-chrome")

StartTable = Callable[..., PlayingTable]
OpenScreen = Callable[..., Screen]


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Chromium, for this folder alone: Playwright's loop would keep other tests from running theirs."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.skip("no Chromium: apt-get install chromium")
    with (
        sync_playwright() as playwright,  # as root, as in a container, Chromium starts without sandbox alone
        playwright.chromium.launch(executable_path=found, args=["--no-sandbox"]) as browser,
    ):
        yield browser


@pytest.fixture
def start_table(tmp_path: Path) -> Iterator[StartTable]:
    """Play tables, ended after the test."""
    with ExitStack() as stack:
        yield lambda *arguments, **named: stack.enter_context(PlayingTable(tmp_path, *arguments, **named))


@pytest.fixture
def open_screen(browser: Browser, start_table: StartTable) -> Iterator[OpenScreen]:
    """Open screens of a table; at the end none may have heard of an error."""
    screens: list[Screen] = []

    def open_one(url: str, size: tuple[int, int] = LYING, language: Language = Language.DANISH) -> Screen:
        width, height = size
        context = browser.new_context(viewport={"width": width, "height": height}, has_touch=True)
        screens.append(Screen(context.new_page(), language))
        return screens[-1].open(url)

    yield open_one
    for screen in screens:
        screen.page.context.close()
    assert [fault for screen in screens for fault in screen.faults] == []


@pytest.fixture(scope="package")
def empty_tray(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a picture of an empty tray: no throw is ever seen, all is entered by hand."""
    folder = tmp_path_factory.mktemp("tray")
    shutil.copy(CLIPS / "valid" / "empty.jpg", folder)
    return folder


@pytest.fixture(scope="package")
def staged_tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the server of tables that each stand in one state."""
    port, log = free_port(), tmp_path_factory.mktemp("staged") / "printed.txt"
    process = started(["-m", "tests.browser.staged_tables", str(port)], port, log)
    yield f"http://127.0.0.1:{port}"
    process.kill()
    process.wait()
