"""How much the pictures on the page slow the judging of throws.

    python -m benchmarks.pictures [--rounds 3] [--table-core 1] [--browser-core 0] [--chromium PROGRAM]

The table plays a clip of `datasets/clips` over and over at its own speed, in a process and on a core of its
own. In each round it is left alone, then a client fetches every picture and shows none, then Chromium shows
the page on the table's core, and, where one is named, on another. Told are, of each judging, the time that
passed, the work of its thread, and what the table's other threads and the browser worked meanwhile: by so
much it is slowed where they share a core and nobody else does; and the pictures a second that Chromium shows.
"""

from __future__ import annotations

import argparse
import itertools
import os
import queue
import statistics
import subprocess
import sys
import threading
import time
import urllib.request
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from playwright.sync_api import sync_playwright

from benchmarks.page import CLIP, PICTURES, free_port, wait_for
from table.command_line import OneLineParser
from vision.domain import Frame, Image, TableCalibration, Verdict

SERVE, JUDGED = "--serve", "judged"
WARM_S, WATCHED_S = 4.0, 30.0
FETCH_EVERY_S = 0.05  # as often as a page looks for a picture
DEEPEST = 6  # processes of a browser below the benchmark
Judging = tuple[float, ...]  # ms that passed, ms of work, ms of the work of others meanwhile


def serve(port: int) -> None:
    """Play the clip over and over on the page at `port`, and print what each judging took."""
    from scoring.game import new_game  # noqa: PLC0415 - for the process of the table alone
    from scoring.ruleset import load_preset  # noqa: PLC0415
    from table.loop import TableLoop  # noqa: PLC0415
    from table.pacing import paced  # noqa: PLC0415
    from table.page.listeners import Listeners  # noqa: PLC0415
    from table.page.server import serve as serve_pages  # noqa: PLC0415
    from table.page.session import TableSession  # noqa: PLC0415
    from table.page.sight import Sight  # noqa: PLC0415
    from table.throw_watch import ThrowWatch  # noqa: PLC0415
    from vision.calibration import load_calibration  # noqa: PLC0415

    calibration = load_calibration(CLIP / "table.json")
    loop = TableLoop(new_game(load_preset("danish"), ("Ada", "Bo")), ThrowWatch(calibration, _timed_judge))
    session = TableSession(loop, Listeners(lambda _: None), Sight(calibration))
    session.start(paced(_over_and_over()), print)
    serve_pages(session, "127.0.0.1", port, frozenset())


def _timed_judge(
    image_bgr: Image, calibration: TableCalibration | None = None, expected_dice: int | None = None
) -> Verdict:
    from vision.judge import judge  # noqa: PLC0415

    browser = _browser()
    before_ms, start_s, worked_s = _work_of(browser), time.perf_counter(), time.thread_time()
    others_s = time.process_time() - worked_s
    verdict = judge(image_bgr, calibration, expected_dice)
    passed, worked = time.perf_counter() - start_s, time.thread_time() - worked_s
    others = time.process_time() - time.thread_time() - others_s
    others_ms = 1000 * others + _work_of(browser) - before_ms
    print(JUDGED, 1000 * passed, 1000 * worked, others_ms, flush=True)
    return verdict


def _browser() -> list[Path]:
    """Return the folders in /proc of what the benchmark has started, but for this process."""
    parents = {int(folder.name): _parent(folder) for folder in Path("/proc").glob("[0-9]*")}
    started = {os.getppid()}
    for _ in range(DEEPEST):
        started |= {process for process, parent in parents.items() if parent in started}
    return [Path(f"/proc/{process}") for process in started - {os.getpid(), os.getppid()}]


def _parent(folder: Path) -> int:
    with suppress(OSError):
        return int((folder / "stat").read_text().rpartition(")")[2].split()[1])
    return 0


def _work_of(processes: list[Path]) -> float:
    """Return how many ms the threads of `processes` have worked."""
    worked_ns = 0
    for process in processes:
        for told in process.glob("task/*/schedstat"):
            with suppress(OSError):
                worked_ns += int(told.read_text().split()[0])
    return worked_ns / 1e6


def _over_and_over() -> Iterator[Frame]:
    from vision.sources import ClipSource  # noqa: PLC0415

    frames = list(ClipSource(CLIP / "clip.mp4").frames())
    length_s = frames[-1].t_s + frames[1].t_s - frames[0].t_s
    for turn in itertools.count():
        for frame in frames:
            yield replace(frame, index=turn * len(frames) + frame.index, t_s=turn * length_s + frame.t_s)


@contextmanager
def table_on(core: int, port: int) -> Iterator[queue.Queue[Judging]]:
    """Play in a process on `core`; gives what its judgings take, as they come."""
    told: queue.Queue[Judging] = queue.Queue()
    command = [
        "taskset",
        "--cpu-list",
        str(core),
        sys.executable,
        "-m",
        "benchmarks.pictures",
        SERVE,
        str(port),
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:

        def listen() -> None:
            for line in process.stdout or ():
                if line.startswith(JUDGED):
                    told.put(tuple(map(float, line.split()[1:])))

        threading.Thread(target=listen, daemon=True).start()
        wait_for(f"http://127.0.0.1:{port}/", process)
        yield told
        process.terminate()


def watched(told: queue.Queue[Judging]) -> list[Judging]:
    """Return the judgings of a while, without those of the moments before."""
    time.sleep(WARM_S)
    while not told.empty():
        told.get()
    time.sleep(WATCHED_S)
    return [told.get() for _ in range(told.qsize())]


def fetching(url: str, told: queue.Queue[Judging]) -> list[Judging]:
    """Watch while a client fetches pictures as fast as a page would, and looks at none."""
    done = threading.Event()

    def fetch() -> None:
        while not done.wait(FETCH_EVERY_S):
            with urllib.request.urlopen(f"{url}picture.jpg", timeout=10) as answer:
                answer.read()

    client = threading.Thread(target=fetch)
    client.start()
    found = watched(told)
    done.set()
    client.join()
    return found


def showing(
    url: str, told: queue.Queue[Judging], core: int, chromium: str, tell: Callable[[float], None]
) -> list[Judging]:
    """Watch while Chromium on `core` shows the page; `tell` gets its pictures a second."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})  # the browser's processes begin there, too
    try:
        with (
            sync_playwright() as playwright,
            closing(playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])) as browser,
        ):
            page = browser.new_page(viewport={"width": 800, "height": 480})
            page.goto(url)
            page.wait_for_function("() => document.querySelector('.picture img').src")
            page.wait_for_timeout(1000 * WARM_S)
            while not told.empty():
                told.get()
            tell(float(page.evaluate(PICTURES, WATCHED_S)))
            return [told.get() for _ in range(told.qsize())]
    finally:
        os.sched_setaffinity(0, before)


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, and say what was found."""
    parser = OneLineParser(prog="python -m benchmarks.pictures", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--rounds", type=int, default=3, metavar="N")
    parser.add_argument("--table-core", type=int, default=max(os.sched_getaffinity(0)), metavar="CORE")
    parser.add_argument("--browser-core", type=int, metavar="CORE", help="a second one (default: none)")
    parser.add_argument("--chromium", default="/usr/bin/chromium", metavar="PROGRAM")
    parser.add_argument(SERVE, type=int, metavar="PORT", help=argparse.SUPPRESS)
    args = parser.parse_args(argv)
    if args.serve:
        serve(args.serve)
        return 0
    found: dict[str, list[Judging]] = defaultdict(list)
    rates: dict[str, list[float]] = defaultdict(list)
    cores = {"Chromium on the table's core": args.table_core}
    if args.browser_core is not None:
        cores["Chromium on another core"] = args.browser_core
    port = free_port()
    url = f"http://127.0.0.1:{port}/"
    with table_on(args.table_core, port) as told:
        for _ in range(args.rounds):
            found["alone"] += watched(told)
            found["pictures fetched"] += fetching(url, told)
            for name, core in cores.items():
                found[name] += showing(url, told, core, args.chromium, rates[name].append)
    _tell(found, rates)
    return 0


def _tell(found: dict[str, list[Judging]], rates: dict[str, list[float]]) -> None:
    alone = statistics.median(judging[0] for judging in found["alone"])
    for name, judgings in found.items():
        passed, worked = (statistics.median(judging[column] for judging in judgings) for column in (0, 1))
        others = statistics.mean(judging[2] for judging in judgings)
        told = f"median {passed:.0f} ms ({100 * (passed / alone - 1):+.0f} %), of work {worked:.1f} ms"
        slowed = f"{others:.1f} ms of others ({100 * others / worked:.0f} %)"
        shown = f", {statistics.mean(rates[name]):.1f} pictures a second" if rates[name] else ""
        print(f"{name}: {len(judgings)} judgings, {told}, {slowed}{shown}")
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    sys.exit(main())
