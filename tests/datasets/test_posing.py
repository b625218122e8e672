"""Posed dice stand on the floor or on each other, none in another, and lie in every way that is wanted."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets.posing import pose_dice
from datasets.rig import Floats, Lying, Rig, inside
from datasets.rig_choice import choose_rig
from datasets.truth import throw_truth

DEEP = 0.035  # dice by which they may sink into each other: nobody sees that


def posed(seed: int) -> tuple[Rig, Lying]:
    rig = choose_rig(np.random.default_rng(seed), dice=20)
    return rig, pose_dice(rig, np.random.default_rng(seed + 1))


def surface(rig: Rig, lying: Lying, number: int) -> Floats:
    """Points (N, 3) all over a die with rounded edges."""
    ticks = np.linspace(-0.5, 0.5, 9)
    a, b = (grid.ravel() for grid in np.meshgrid(ticks, ticks))
    sides = [
        np.insert(np.column_stack([a, b]), axis, end, axis=1) for axis in range(3) for end in (-0.5, 0.5)
    ]
    ball = rig.dice[number].rounding
    sharp = np.concatenate(sides)
    core = np.clip(sharp, ball - 0.5, 0.5 - ball)
    out = (sharp - core) / np.linalg.norm(sharp - core, axis=1, keepdims=True)
    points = (core + ball * out) * rig.die_mm
    return np.asarray(points @ lying.poses.turn[number].T + lying.poses.at_mm[number])


def lowest(rig: Rig, lying: Lying, number: int) -> float:
    """Height of the lowest point of the rounded die: a smaller cube, grown by a ball."""
    ball = rig.dice[number].rounding * rig.die_mm
    core = (
        (rig.die_mm - 2 * ball) * np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) / 2
    )
    heights = (core @ lying.poses.turn[number].T + lying.poses.at_mm[number])[:, 2]
    return float(heights.min() - ball)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_posed_dice_stand_on_the_floor_or_on_a_die_and_not_in_one(seed: int) -> None:
    rig, lying = posed(seed)
    count = len(lying.poses)
    assert lying.n_expected == count
    assert inside(rig.tray.outline, lying.poses.at_mm[:, :2]).all()
    for number in range(count):
        low = lowest(rig, lying, number)
        assert abs(low) < 1e-6 or abs(low - rig.die_mm) < 1e-6
        points = surface(rig, lying, number)
        for other in range(count):
            if other != number:
                within = (points - lying.poses.at_mm[other]) @ lying.poses.turn[other] / rig.die_mm
                assert np.abs(within).max(axis=1).min() > 0.5 - DEEP


def test_posed_dice_lie_in_every_way_and_their_truth_says_so() -> None:
    states, tilts = set(), []
    for seed in range(12):
        rig, lying = posed(seed)
        truth = throw_truth(rig, lying, askew=True)
        states |= {die["state"] for die in truth["dice"]}
        tilts += [die["tilt_deg"] for die in truth["dice"]]
    assert states == {"flat", "tilted", "stacked"}
    shares = np.histogram(tilts, [0, 1.5, 6, 15, 45.1])[0]
    assert (shares > 5).all()
    assert shares.sum() == len(tilts)
