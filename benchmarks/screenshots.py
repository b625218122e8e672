"""Takes the README's pictures of the pages, in Debian's Chromium: `python -m benchmarks.screenshots [OUT]`.

The bundled clip is played to its end frame by frame, an evening is played by a seeded hand; all else is the
program's own. A picture is written only where it looks other than the one that is there.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np
from nicegui import ui
from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.page import free_port, wait_for
from scoring.actions import Bank, PutAside
from scoring.game import can, legal_set_asides, new_game
from scoring.languages import Language
from scoring.ruleset import load_preset
from table.calibration_draft import Way
from table.command_line import OneLineParser
from table.loop import TableLoop
from table.page.calibrate import CalibratePage
from table.page.calibrate_words import CalibrateWords
from table.page.evening import EveningPage
from table.page.listeners import Listeners
from table.page.server import serve as serve_pages
from table.page.session import TableSession
from table.page.sight import Sight
from table.page.words import Words
from table.recording.recorder import Recorder
from table.throw_watch import ThrowWatch
from table.touches import EnterThrow, Play, read_touches
from vision.calibration import load_calibration
from vision.domain import Frame
from vision.images import read_image
from vision.opencv import cv2
from vision.sources import ClipSource

ROOT = Path(__file__).parents[1]
DOCS, DEMO = ROOT / "docs", ROOT / "table" / "demo"
EMPTY = ROOT / "datasets" / "clips" / "leaning" / "empty.jpg"
SERVE = "--serve"
LYING, STANDING = (800, 480), (720, 1280)
PLAYERS, TURNS, SEED = ("Ada", "Bo", "Cleo"), 24, 4
PATIENCE_MS = 30_000
UNLIKE = 1.0  # grey levels that a pixel differs by in the mean: less is how letters are drawn
WORDS, CALIBRATE = Words(Language.ENGLISH), CalibrateWords(Language.ENGLISH)


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture: the page's path, its size, what is tapped before, and what must be there then."""

    name: str
    path: str
    size: tuple[int, int]
    taps: Sequence[str] = ()
    shows: str = "body"


DICE_SHOWN, GRIPS = ".choices .offer:nth-child(6)", ".outline-editor .grip >> nth=3"
SHOTS = (
    Shot("table-page", "", LYING, shows=DICE_SHOWN),
    Shot("table-page-standing", "", STANDING, shows=DICE_SHOWN),
    Shot("overruling", "", LYING, (".throw .die >> nth=4",), ".die-picture"),
    Shot("evening", "an-evening", LYING, shows=".score-graph >> visible=true"),
    Shot(
        "calibrate",
        "a-calibration",
        LYING,
        (f"text={CALIBRATE.ways[Way.SIZE][0]}", f"text={CALIBRATE.take}"),
        GRIPS,
    ),
)


def the_demo() -> TableSession:
    """Return the table at the end of the bundled clip, just before it would say that it is over."""
    calibration = load_calibration(DEMO / "table.json")
    recorder = Recorder(calibration)
    loop = TableLoop(new_game(load_preset("danish"), PLAYERS[:2]), ThrowWatch(calibration, recorder.judge))
    session = TableSession(loop, Listeners(lambda _: None, recorder=recorder), Sight(calibration))
    loop.begin()
    touches = list(read_touches(DEMO / "touches.jsonl"))
    for frame in ClipSource(DEMO / "demo.mp4").frames():
        session.step(frame)
        while touches and touches[0].t_s <= frame.t_s:
            loop.touch(touches.pop(0).touch)
    return session


def an_evening() -> TableSession:
    """Return a table at which a seeded hand has thrown, and banked as soon as it could."""
    loop, random = TableLoop(new_game(load_preset("danish"), PLAYERS), ThrowWatch()), Random(SEED)
    loop.begin()
    for _ in range(10 * TURNS):
        game = loop.state.game
        if len(game.tallies) > TURNS or game.over:
            break
        loop.touch(EnterThrow(tuple(sorted(random.choices(range(1, 7), k=game.turn.dice_left)))))
        legal = legal_set_asides(loop.state.game)
        if legal:
            loop.touch(Play(PutAside(max(legal, key=lambda each: each.points).faces)))
        if can(loop.state.game, Bank()):
            loop.touch(Play(Bank()))
    return TableSession(loop, Listeners(lambda _: None))


def a_calibration() -> TableSession:
    """Return a table that sees an empty tray."""
    session = TableSession(
        TableLoop(new_game(load_preset("danish"), PLAYERS), ThrowWatch()), Listeners(print)
    )
    session.whole_picture.show(Frame(0, 0.0, read_image(EMPTY)))
    return session


def serve(port: int) -> None:
    """Serve the tables that pictures are taken of."""
    evening, calibration = an_evening(), a_calibration()

    @ui.page("/an-evening")
    def _evening() -> None:
        EveningPage(evening)

    @ui.page("/a-calibration")
    def _calibration() -> None:
        CalibratePage(calibration)

    serve_pages(the_demo(), "127.0.0.1", port, frozenset())


def taken(browser: Browser, url: str, shot: Shot) -> bytes:
    """Return the picture of `shot` as PNG."""
    width, height = shot.size
    page = browser.new_page(viewport={"width": width, "height": height})
    page.set_default_timeout(PATIENCE_MS)
    page.goto(url + shot.path)
    page.wait_for_function("() => window.socket && window.socket.connected")
    for tap in shot.taps:
        page.locator(tap).click()
    page.locator(shot.shows).wait_for()
    page.mouse.move(0, 0)  # over no button
    _wait_for_pictures(page)
    picture = page.screenshot(animations="disabled")
    page.close()
    return picture


def _wait_for_pictures(page: Page) -> None:
    page.wait_for_function(
        "() => [...document.images].every(each => !each.src || (each.complete && each.naturalWidth))"
    )
    page.evaluate("() => document.fonts.ready")
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def looks_other(picture: bytes, before: Path) -> bool:
    """Return whether `picture` is to be seen to differ from the one `before`."""
    if not before.exists():
        return True
    now, then = (cv2.imdecode(np.frombuffer(each, np.uint8), 1) for each in (picture, before.read_bytes()))
    if now is None or then is None or now.shape != then.shape:
        return True
    return float(np.abs(now.astype(float) - then).mean()) > UNLIKE


def main(argv: Sequence[str] | None = None) -> int:
    """Take all pictures, and say which are new."""
    parser = OneLineParser(prog="python -m benchmarks.screenshots", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("out", type=Path, nargs="?", default=DOCS, metavar="OUT", help="default: docs")
    parser.add_argument("--chromium", default="/usr/bin/chromium", metavar="PROGRAM")
    parser.add_argument(SERVE, type=int, metavar="PORT", help="serve what is pictured, to look at it")
    args = parser.parse_args(argv)
    if args.serve:
        serve(args.serve)
        return 0
    port = free_port()
    url = f"http://127.0.0.1:{port}/"
    command = [sys.executable, "-m", "benchmarks.screenshots", SERVE, str(port)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, text=True) as process:
        wait_for(url, process)
        with (
            sync_playwright() as playwright,
            playwright.chromium.launch(executable_path=args.chromium, args=["--no-sandbox"]) as browser,
        ):
            for shot in SHOTS:
                path, picture = args.out / f"{shot.name}.png", taken(browser, url, shot)
                new = looks_other(picture, path)
                if new:
                    path.write_bytes(picture)
                print(f"{path}: {'written' if new else 'as before'}")
        process.terminate()
    return 0


if __name__ == "__main__":
    sys.exit(main())
