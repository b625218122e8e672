"""Dice laid by hand lie flat on the floor and not in each other."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets.laying import NoRoomError, cube_turn, lay_in_rows, lay_scattered
from datasets.rig import Floats, Lying, edge_margin
from tests.datasets.tables import chosen


def apart(one: Floats, other: Floats) -> bool:
    """Whether two squares (4, 2) have an edge's line between them."""
    for square in (one, other):
        for side in np.roll(square, -1, axis=0) - square:
            normal = np.array([-side[1], side[0]])
            first, second = one @ normal, other @ normal
            if first.max() <= second.min() or second.max() <= first.min():
                return True
    return False


def squares(lying: Lying, die_mm: float) -> list[Floats]:
    found = []
    for at, turn in zip(lying.poses.at_mm, lying.poses.turn, strict=True):
        cube = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) / 2 * die_mm @ turn.T
        x, y = cube[cube[:, 2] > 0][:, :2].T
        order = np.argsort(np.arctan2(y, x))
        found.append(at[:2] + np.column_stack([x, y])[order])
    return found


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10_000), lay=st.sampled_from([lay_scattered, lay_in_rows]))
def test_laid_dice_are_flat_on_the_floor_and_apart(seed: int, lay) -> None:  # type: ignore[no-untyped-def]
    rig = chosen(seed)
    try:
        lying = lay(rig, np.random.default_rng(seed))
    except NoRoomError:
        return
    assert lying.poses.at_mm[:, 2] == pytest.approx(np.full(lying.n_expected, rig.die_mm / 2))
    assert np.abs(lying.poses.turn[:, 2]).max(axis=1) == pytest.approx(np.ones(lying.n_expected))
    tops = squares(lying, rig.die_mm)
    assert min(edge_margin(rig.tray.outline, top).min() for top in tops) > 0
    for number, one in enumerate(tops):
        assert all(apart(one, other) for other in tops[:number])


def test_all_ways_a_cube_can_lie_come_up() -> None:
    chance = np.random.default_rng(0)
    assert len({cube_turn(chance).tobytes() for _ in range(600)}) == 24
