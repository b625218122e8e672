"""Times `titusind score --json` beside the tests' naive oracle: `python -m benchmarks.score [--throws N]`.

The command scores random throws of six dice from standard input in a process of its own, the oracle a part
of them with nothing remembered between throws. The start of `titusind score 115326` is timed as well.
"""

from __future__ import annotations

import random
import statistics
import subprocess
import sys
import time

from scoring.ruleset import load_preset, to_record
from table.command_line import OneLineParser
from tests.scoring.oracle import expected_set_asides

COMMAND = (sys.executable, "-m", "table.cli", "score")
ORACLE_THROWS, STARTS = 500, 9


def random_throws(count: int) -> list[tuple[int, ...]]:
    """Return `count` throws of six dice, the same each time."""
    dice = random.Random(10_000)
    return [tuple(dice.choices(range(1, 7), k=6)) for _ in range(count)]


def command_rate(throws: list[tuple[int, ...]]) -> float:
    """Return the throws a second that the command scores, its start included."""
    lines = "".join("".join(map(str, throw)) + "\n" for throw in throws)
    start_s = time.perf_counter()
    done = subprocess.run((*COMMAND, "--json"), input=lines, capture_output=True, text=True, check=True)
    taken_s = time.perf_counter() - start_s
    if done.stdout.count("\n") != len(throws):
        raise RuntimeError(f"found {done.stdout.count(chr(10))} lines; accepted: {len(throws)}")
    return len(throws) / taken_s


def oracle_rate(throws: list[tuple[int, ...]]) -> float:
    """Return the throws a second that the oracle scores."""
    rules = to_record(load_preset("danish"))
    start_s = time.perf_counter()
    for throw in throws:
        expected_set_asides(throw, rules, {})
    return len(throws) / (time.perf_counter() - start_s)


def start_ms() -> float:
    """Return the median time of a whole `titusind score 115326`."""
    times = []
    for _ in range(STARTS):
        start_s = time.perf_counter()
        subprocess.run((*COMMAND, "115326"), capture_output=True, check=True)
        times.append((time.perf_counter() - start_s) * 1000)
    return statistics.median(times)


def main() -> None:
    """Print the three figures."""
    parser = OneLineParser(prog="python -m benchmarks.score", description=main.__doc__)
    parser.add_argument("--throws", type=int, default=500_000)
    throws = random_throws(parser.parse_args().throws)
    print(f"titusind score --json: {command_rate(throws):,.0f} throws a second")
    print(f"naive oracle: {oracle_rate(throws[:ORACLE_THROWS]):,.0f} throws a second")
    print(f"titusind score 115326: {start_ms():.0f} ms from start to end")


if __name__ == "__main__":
    main()
