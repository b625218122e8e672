"""What fingers and eyes can make of a page as it is laid out: nothing too small, covered, or cut off."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

from tests.browser.screen import LYING, STANDING

# The 7-inch display of 800x480 has 5.2 px a mm across and 5.6 down, the Touch Display 2 has 8.2 px a mm.
LEAST_BUTTON_PX = {LYING: 60, STANDING: 98}  # 12 mm (11 mm down the former)
# From 1.5 m an eye makes out capitals of 2.1 mm (5 minutes of arc), which letters of 2.9 mm have; what the
# table waits for is read with ease.
LEAST_TEXT_PX = {LYING: 16, STANDING: 24}  # 2.9 mm
LEAST_PROMPT_PX = {LYING: 22, STANDING: 33}  # 4 mm
FAULTS_JS = Path(__file__).with_name("layout.js").read_text(encoding="utf-8")


def layout_faults(page: Page, size: tuple[int, int]) -> list[str]:
    """Return what is wrong with `page` at `size`: small, covered, cut off or overlapping things."""
    width, height = size
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    least = [LEAST_BUTTON_PX[size], LEAST_TEXT_PX[size], LEAST_PROMPT_PX[size]]
    found: list[str] = page.evaluate(FAULTS_JS, least)
    return [f"{width}x{height}: {fault}" for fault in found]
