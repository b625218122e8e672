"""Finds the chance to win a game of two under Danish rules, for every pair of totals, by value iteration.

    python -m models.win_chances [--out FILE]

writes `scoring/tables/danish_two_players.u16`: the rows are the player to move, the columns the other one,
each at a total of 0 (not opened), 50, ... below the target; little-endian, the chance to win of the player to
move in steps of 1/65535. Minutes on one core; the same bytes each time.

A banking leads to two totals with a higher sum, so sums are done from the highest down. A bust hands the dice
over at the same two totals: the two states of such an exchange are found together, by Newton steps.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np

from scoring.banking import least_to_bank
from scoring.ruleset import DEFAULT_PRESET, Ruleset, load_preset
from scoring.solver import Floats, Ints, Moves, Worth, moves_of, solve
from scoring.win_chances import SCALE, TABLE
from table.command_line import OneLineParser

TOLERANCE = 1e-9  # far below the steps that are written
USUAL_BUST = (
    0.25  # chance of a bust in a turn: how a turn's worth changes with a bust's, before it is measured
)


def win_chances(ruleset: Ruleset) -> Floats:
    """Return the chance to win (N, N) of the player to move, by own and other total in steps of the rules.

    For rules that end at the first to reach the target, without penalties.
    """
    moves = moves_of(ruleset)
    size = -(-ruleset.target // moves.step)
    chances = np.full((size, size), 0.5)
    started = time.monotonic()
    for total in range(2 * size - 2, -1, -1):
        own = np.arange(max(0, total - size + 1), min(total, size - 1) + 1)
        chances[own, own[::-1]] = _exchange(chances, own, moves, ruleset)
        if total % 20 == 0:
            print(
                f"sum {total * moves.step}: {time.monotonic() - started:.0f} s", file=sys.stderr, flush=True
            )
    return chances


def _exchange(chances: Floats, own: Ints, moves: Moves, ruleset: Ruleset) -> Floats:
    """Return the chances (G,) at own totals `own` against others `own[::-1]`, all of the same sum."""
    bank = _bank_worth(chances, own, moves.step, ruleset)
    relief = (own == 0) & ruleset.first_throw_relief
    ones, slope = np.ones(len(own)), np.full(len(own), USUAL_BUST)
    bust = 1 - _nearby(chances, own)
    before: tuple[Floats, Floats] | None = None
    while True:
        won = solve(moves, Worth(bank, ones, bust, relief)).start
        if np.abs(1 - won[::-1] - bust).max() < TOLERANCE:
            return won
        if before is not None:
            slope = _slopes(won - before[0], bust - before[1], slope)
        before = (won, bust)
        bust = 1 - _newton(won, bust, slope)[::-1]


def _newton(won: Floats, bust: Floats, slope: Floats) -> Floats:
    """Return where both of an exchange meet, if each one's chance is linear in what its bust is worth."""
    there, back = slope, slope[::-1]
    gained = won + there * (1 - bust - won[::-1] - back * (1 - bust[::-1]))
    met: Floats = gained / (1 - there * back)
    return met


def _slopes(rise: Floats, run: Floats, known: Floats) -> Floats:
    moved = np.abs(run) > TOLERANCE
    return np.where(moved, rise / np.where(moved, run, 1), known)


def _bank_worth(chances: Floats, own: Ints, step: int, ruleset: Ruleset) -> Floats:
    """Return the worth (L, G) of banking 0, 1, ... steps: one, or what the other player then has not."""
    size = len(chances)
    least = np.array([least_to_bank(ruleset, int(each) * step, opened=bool(each)) for each in own])
    levels = np.arange(max(size - int(own.min()), -(-int(least.max()) // step)))[:, None]
    reached = own + levels
    after = 1 - chances[own[::-1], np.minimum(reached, size - 1)]
    return np.where(levels * step < least, -np.inf, np.where(reached >= size, 1.0, after))


def _nearby(chances: Floats, own: Ints) -> Floats:
    """Return a first guess (G,) of the chances of the players in turn after a bust."""
    last = len(chances) - 1
    found: Floats = chances[np.minimum(own[::-1] + 1, last), own]
    return found


def main() -> None:
    """Write the table."""
    parser = OneLineParser(prog="python -m models.win_chances", description=main.__doc__)
    parser.add_argument("--out", type=Path, default=Path("scoring") / TABLE)
    args = parser.parse_args()
    chances = win_chances(load_preset(DEFAULT_PRESET))
    args.out.parent.mkdir(exist_ok=True)
    args.out.write_bytes(np.rint(chances * SCALE).astype("<u2").tobytes())
    print(f"the first player wins {chances[0, 0]:.4%}; written to {args.out}")


if __name__ == "__main__":
    main()
