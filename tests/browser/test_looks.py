"""Each page and pad, whatever the table's state, at both sizes: fingers hit all buttons, nothing is cut off.

Nothing is too small to read either, and axe, the accessibility checker, finds nothing serious or critical.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from urllib.request import urlopen

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from scoring.languages import Language
from table.page.places import PLACES
from table.page.setup_words import SetupWords
from tests.browser.layout import layout_faults
from tests.browser.screen import SIZES, STANDING, Screen
from tests.browser.staged_pads import PADS
from tests.browser.staged_tables import FEW, LANGUAGE_OF, MANY, STATES

GRAVE = {"serious", "critical"}
HEARD_STATES = ("before-a-throw", "options", "unsure", "misroll", "over", "full-disk", "no-camera")
HEARD = {FEW: SIZES, MANY: (STANDING,)}
PARTS = [f"setup?part={part}" for part in SetupWords(Language.ENGLISH).parts]
PLACES_SHOWN = [place.name for place in PLACES if place.name != "setup"] + PARTS
AXE = Axe()


@pytest.fixture(scope="module")
def screen(browser: Browser) -> Iterator[Screen]:
    """One screen for all: what is shown is asked for anew each time, what it is made of is not."""
    with browser.new_context(has_touch=True) as context:
        screen = Screen(context.new_page(), Language.DANISH)
        yield screen
        assert screen.faults == []


def grave_findings(page: Page, within: str) -> list[str]:
    """Return what axe finds serious or critical on `page`, each with the first place where it does."""
    found = AXE.run(page, context=within).response["violations"]
    return [
        f"{each['id']} ({len(each['nodes'])}): {each['help']}: {each['nodes'][0]['html'][:200]}"
        for each in found
        if each["impact"] in GRAVE
    ]


def faults_at(screen: Screen, heard: Sequence[tuple[int, int]], within: str = "body") -> list[str]:
    """Return what is wrong at all sizes; axe looks at those `heard` alone, which takes it a second each."""
    faults: list[str] = []
    for size in SIZES:
        faults += layout_faults(screen.page, size)
        if size in heard:
            faults += grave_findings(screen.page, within)
    return faults


@pytest.mark.parametrize("players", [FEW, MANY])
@pytest.mark.parametrize("state", STATES)
def test_the_play_page_fits(state: str, players: int, staged_tables: str, screen: Screen) -> None:
    screen.open(f"{staged_tables}/{state}-{players}")
    faults = faults_at(screen, HEARD[players] if state in HEARD_STATES else ())
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("players", [FEW, MANY])
@pytest.mark.parametrize("pad", PADS)
def test_a_pad_fits(pad: str, players: int, staged_tables: str, screen: Screen) -> None:
    screen.open(f"{staged_tables}/pad-{pad}-{players}")
    screen.page.locator(".q-dialog .pad").wait_for()
    faults = faults_at(screen, HEARD[players], within=".q-dialog")
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("path", PLACES_SHOWN)
@pytest.mark.parametrize("players", [FEW, MANY])
def test_a_page_beside_the_table_fits(path: str, players: int, staged_tables: str, screen: Screen) -> None:
    screen.page.goto("about:blank")  # a page that is open would go over to the language by itself
    with urlopen(f"{staged_tables}/speak-{LANGUAGE_OF[players].value}", timeout=10):
        screen.open(f"{staged_tables}/{path}")
    faults = faults_at(screen, HEARD[players])
    assert not faults, "\n".join(faults)
