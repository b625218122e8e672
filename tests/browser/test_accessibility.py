"""What axe, the accessibility checker, finds on every page: nothing serious or critical."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from table.page.places import PLACES
from tests.browser.conftest import OpenScreen
from tests.browser.staged_tables import FEW

GRAVE = {"serious", "critical"}
STATES = ("before-a-throw", "options", "unsure", "misroll", "over", "full-disk")


def grave_findings(page: Page, within: str = "body") -> list[str]:
    """Return what axe finds serious or critical on `page`, each with the first place where it does."""
    found = Axe().run(page, context=within).response["violations"]
    return [
        f"{each['id']} ({len(each['nodes'])}): {each['help']}: {each['nodes'][0]['html'][:200]}"
        for each in found
        if each["impact"] in GRAVE
    ]


@pytest.mark.parametrize("path", [f"{state}-{FEW}" for state in STATES] + [place.name for place in PLACES])
def test_axe_finds_nothing_grave(path: str, staged_tables: str, open_screen: OpenScreen) -> None:
    screen = open_screen(f"{staged_tables}/{path}")
    findings = grave_findings(screen.page)
    assert not findings, "\n".join(findings)


def test_axe_finds_nothing_grave_on_pads(staged_tables: str, open_screen: OpenScreen) -> None:
    screen = open_screen(f"{staged_tables}/options-{FEW}")
    findings = []
    for name in (screen.places.menu, screen.words.die_in_row(1, 1)):
        screen.tap(name)
        screen.page.locator(".q-dialog .pad").wait_for()
        findings += grave_findings(screen.page, within=".q-dialog")
        screen.page.keyboard.press("Escape")
        screen.page.locator(".q-dialog .pad").wait_for(state="detached")
    assert not findings, "\n".join(findings)
