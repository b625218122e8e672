"""What fingers and eyes can make of a page as it is laid out: nothing too small, covered, or cut off."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

from tests.browser.screen import LYING, STANDING

LEAST_BUTTON_PX = {LYING: 60, STANDING: 84}  # 12 mm of the one display, 10 mm of the other, which is finer
LEAST_TEXT_PX = {LYING: 16, STANDING: 20}
FAULTS_JS = Path(__file__).with_name("layout.js").read_text(encoding="utf-8")


def layout_faults(page: Page, size: tuple[int, int]) -> list[str]:
    """Return what is wrong with `page` at `size`: small, covered, cut off or overlapping things."""
    width, height = size
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    found: list[str] = page.evaluate(FAULTS_JS, [LEAST_BUTTON_PX[size], LEAST_TEXT_PX[size]])
    return [f"{width}x{height}: {fault}" for fault in found]
