"""Physics lays dice as each recipe promises, and at rest they touch but do not sink in."""

from __future__ import annotations

import json

import numpy as np
import pytest

pytest.importorskip("mujoco", reason="needs mujoco of the datasets extra")

from datasets.physics import build_world, settle, simulate
from datasets.recipes import RECIPES, Start
from datasets.rig import Lying
from datasets.rig_choice import choose_rig
from datasets.rig_maker import Order, make_rig
from datasets.truth import UnfitThrowError, lowest_point, throw_truth

THROWN = [name for name, recipe in RECIPES.items() if recipe.start is not None]


@pytest.mark.parametrize("name", THROWN)
def test_a_recipe_makes_what_it_is_named_for(name: str) -> None:
    recipe, wanted = RECIPES[name], 0
    for seed in range(12):
        chance = np.random.default_rng(seed)
        rig = choose_rig(chance, ridged=recipe.ridged > 0.3)
        world = build_world(rig)
        for _ in range(6):
            start = recipe.begin(rig, chance)
            poses = settle(world, start)
            if poses is None:
                continue
            try:
                truth = throw_truth(rig, Lying(poses, start.n_expected, start.coin), askew=recipe.askew)
            except UnfitThrowError:
                continue
            wanted += recipe.wanted(truth)
    assert wanted >= 5


def test_a_throw_ends_at_rest_on_the_floor_and_is_the_same_each_time() -> None:
    chance = np.random.default_rng(2)
    rig = choose_rig(chance)
    start = RECIPES["natural"].begin(rig, chance)
    world = build_world(rig)
    frames = simulate(world, start, every_s=1 / 30)
    assert frames is not None
    again = simulate(build_world(rig), start, every_s=1 / 30)
    assert again is not None
    assert np.array_equal(frames[-1].at_mm, again[-1].at_mm)
    still = np.zeros((len(frames[-1]), 3))
    after = simulate(world, Start(frames[-1], still, still, len(still)), every_s=0.5)
    assert after is not None
    assert np.abs(after[-1].at_mm - frames[-1].at_mm).max() < 0.05
    lowest = min(lowest_point(frames[-1], rig, number) for number in range(len(frames[-1])))
    assert -0.3 - rig.tray.base_mm < lowest < 0.5


def test_no_die_of_a_made_set_rests_between_flat_and_tilted() -> None:
    order = Order(seed=1, recipe="lean", count=6, throws=3, renderer="flat")
    for number in range(order.rigs):
        files = make_rig(order, number).files
        truths = [
            json.loads(data) for name, data in files.items() if name[0].isdigit() and name.endswith(".json")
        ]
        assert all("tilted" in truth["reasons"] for truth in truths)
        assert not any(1.5 < die["tilt_deg"] < 6 for truth in truths for die in truth["dice"])
