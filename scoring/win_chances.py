"""The chance to win a game of two under Danish rules, read from a table; `models.win_chances` makes it."""

from __future__ import annotations

import sys
from array import array
from functools import lru_cache
from importlib import resources

TABLE = "tables/danish_two_players.u16"
SCALE = 65535  # stands for a chance of 1
STEP, TARGET = 50, 10000
SIZE = TARGET // STEP


def win_chance(own: int, other: int) -> float:
    """Return the chance to win of the player about to throw at total `own`, the other being at `other`.

    Both are multiples of 50 below the target; at 0 a player has not opened. Raises `IndexError` for others.
    """
    return _table()[own // STEP * SIZE + other // STEP] / SCALE


@lru_cache(maxsize=1)
def _table() -> array[int]:
    table = array("H")
    table.frombytes(resources.files("scoring").joinpath(TABLE).read_bytes())
    if sys.byteorder == "big":
        table.byteswap()
    return table
