"""Times the advice: `python -m benchmarks.advice [RULES...]`.

For each rule set, the first answer, which solves the turn, and the answers after that, one for every throw
of six dice.
"""

from __future__ import annotations

import itertools
import statistics
import time

from scoring.advice import Position, advise
from scoring.ruleset import PRESETS, Ruleset, load_ruleset
from table.command_line import OneLineParser


def answer_ms(position: Position, ruleset: Ruleset) -> float:
    """Return the time of one answer in milliseconds."""
    start_s = time.perf_counter()
    advise(position, ruleset)
    return (time.perf_counter() - start_s) * 1000


def main() -> None:
    """Print a line for each rule set."""
    parser = OneLineParser(prog="python -m benchmarks.advice", description=main.__doc__)
    parser.add_argument("rules", nargs="*", default=PRESETS)
    throws = list(itertools.combinations_with_replacement(range(1, 7), 6))
    for ruleset in map(load_ruleset, parser.parse_args().rules):
        first = answer_ms(Position(0, 6), ruleset)
        later = [answer_ms(Position(0, 6, faces), ruleset) for faces in throws]
        print(
            f"{ruleset.name}: first answer {first:.0f} ms, then median {statistics.median(later):.3f} ms, "
            f"slowest {max(later):.2f} ms"
        )


if __name__ == "__main__":
    main()
