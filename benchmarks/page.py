"""Times the page in Debian's Chromium on this machine: ready, tap to visible change, pictures a second.

    python -m benchmarks.page [--taps 100] [--chromium /usr/bin/chromium]

The real program plays a clip of `datasets/clips`. A tap is timed in the browser, from the click to the frame
after the one in which the page shows what came of it; set-asides and undo take turns. Pictures are counted as
they are shown while the clip plays. The load of the machine is told beside the times: they are of all that
runs, server, browser and whatever else.
"""

from __future__ import annotations

import argparse
import os
import socket
import statistics
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from playwright.sync_api import Page, sync_playwright

from scoring.languages import Language
from table.command_line import OneLineParser
from table.page.words import Words

CLIP = Path(__file__).parents[1] / "datasets" / "clips" / "banked"
LONGEST_START_S, WATCHED_S = 60.0, 5.0
CONNECTED = "() => window.socket && window.socket.connected && document.querySelector('.prompt .text')"
PICTURES = """seconds => new Promise(done => {
    let shown = 0;
    const image = document.querySelector('.picture img');
    image.addEventListener('load', () => shown++);
    setTimeout(() => done(shown / seconds), 1000 * seconds);
})"""
TAP = """selector => new Promise(done => {
    const waits = () => document.querySelector('.prompt .text').innerText;
    const before = waits(), start = performance.now();
    const watch = new MutationObserver(() => {
        const now = document.querySelector('.prompt .text');
        if (!now || now.innerText === before) return;
        watch.disconnect();
        requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
    });
    watch.observe(document.body, {childList: true, subtree: true, characterData: true});
    document.querySelector(selector).click();
})"""


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def wait_for(url: str, process: subprocess.Popen[str]) -> None:
    """Wait until `process` serves `url`; ends the program if it does not."""
    end = time.monotonic() + LONGEST_START_S
    while not _answers(url):
        if process.poll() is not None or time.monotonic() > end:
            raise SystemExit("the table did not start")
        time.sleep(0.02)


@contextmanager
def played(*arguments: str) -> Iterator[str]:
    """Play the clip in a process of its own; gives the address of the page once it answers."""
    port = free_port()
    command = [sys.executable, "-m", "table.cli", "play", "--port", str(port), "--voice", "off", *arguments]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, text=True) as process:
        url = f"http://127.0.0.1:{port}/"
        wait_for(url, process)
        yield url
        process.terminate()


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5) as page:
            return bool(page.status == 200)
    except (urllib.error.URLError, TimeoutError, ConnectionError):
        return False


def ready_s(page: Page, url: str) -> float:
    """Return how long it takes from going to `url` until taps are heard."""
    start = time.perf_counter()
    page.goto(url, wait_until="commit")
    page.wait_for_function(CONNECTED)
    return time.perf_counter() - start


def taps_ms(page: Page, count: int) -> list[float]:
    """Return how long each of `count` taps took; the throw that lies is set aside and taken back."""
    page.get_by_text(Words(Language.ENGLISH).clip_ended).wait_for()
    page.wait_for_selector(".choices .offer")
    selectors = (".choices .offer", ".action-undo")
    return [float(page.evaluate(TAP, selectors[number % 2])) for number in range(count)]


def main(argv: Sequence[str] | None = None) -> int:
    """Time the page, and say what was found."""
    parser = OneLineParser(prog="python -m benchmarks.page", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--taps", type=int, default=100, metavar="N")
    parser.add_argument("--chromium", default="/usr/bin/chromium", metavar="PROGRAM")
    args = parser.parse_args(argv)
    clip = ("--camera", str(CLIP / "clip.mp4"), "--table", str(CLIP / "table.json"), "--set", "opening=0")
    with (
        played(*clip) as url,
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=args.chromium, args=["--no-sandbox"]) as browser,
    ):
        page = browser.new_page(viewport={"width": 800, "height": 480})
        first, again = ready_s(page, url), ready_s(page, url)
        page.wait_for_function("() => document.querySelector('.picture img').src")
        shown = page.evaluate(PICTURES, WATCHED_S)
        times = taps_ms(page, args.taps)
    print(f"page ready: {first:.2f} s in a new browser, {again:.2f} s again")
    print(f"pictures: {shown:.1f} a second, of 30")
    print(
        f"tap to visible change, {len(times)} taps: median {statistics.median(times):.0f} ms, "
        f"95th percentile {np.percentile(times, 95):.0f} ms"
    )
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    return 0


if __name__ == "__main__":
    sys.exit(main())
