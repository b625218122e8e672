"""A picture passes when its dice show their labels' pips, and only then."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from datasets.flat_renderer import FlatRenderer
from datasets.laying import lay_in_rows, lay_scattered
from datasets.pip_check import Pips, pips_seen, with_readable
from datasets.rig import Lying, Numbering, Rig
from datasets.sensor import Image, develop
from datasets.truth import throw_truth
from tests.datasets.tables import chosen


def made(seed: int, lay: Any = lay_scattered) -> tuple[Rig, Lying, dict[str, Any], Image]:
    rig, chance = chosen(seed), np.random.default_rng(seed)
    ink = ((0.05, 0.05, 0.05),) * 6
    dice = tuple(
        replace(look, colour=(0.9, 0.9, 0.85), pip_colours=ink, pattern="plain") for look in rig.dice
    )
    rig = replace(rig, dice=dice)
    lying = lay(rig, chance)
    return (
        rig,
        lying,
        throw_truth(rig, lying),
        develop(rig, FlatRenderer(rig).draw([lying.instant], 0), chance),
    )


def unreadable_dice(rig: Rig, lying: Lying, truth: dict[str, Any], image: Image) -> list[int]:
    seen = pips_seen(rig, lying, truth, image)
    return [number for number, pips in enumerate(seen) if pips in (Pips.WRONG, Pips.WIPED)]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("lay", [lay_scattered, lay_in_rows])
def test_dice_that_show_their_labels_pass(seed: int, lay: Any) -> None:
    assert unreadable_dice(*made(seed, lay)) == []


@pytest.mark.parametrize("seed", range(6))
def test_a_label_that_names_another_face_is_found(seed: int) -> None:
    rig, lying, truth, image = made(seed)
    for number, die in enumerate(truth["dice"]):
        for wrong in {1, 2, 3, 4, 5, 6} - {die["face"]}:
            dice = [dict(each) for each in truth["dice"]]
            dice[number]["face"] = wrong
            assert unreadable_dice(rig, lying, truth | {"dice": dice}, image) == [number]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(
    ("swap", "faces"),
    [
        (lambda numbering: Numbering(not numbering.clockwise, numbering.turned), {2, 3, 4, 5}),
        (
            lambda numbering: Numbering(numbering.clockwise, frozenset({2, 3, 6}) - numbering.turned),
            {2, 3, 6},
        ),
    ],
)
def test_faces_drawn_where_others_should_be_are_found(seed: int, swap: Any, faces: set[int]) -> None:
    """As a texture turned over would draw them."""
    rig, lying, truth, _ = made(seed)
    swapped = replace(rig, dice=tuple(replace(look, numbering=swap(look.numbering)) for look in rig.dice))
    image = develop(rig, FlatRenderer(swapped).draw([lying.instant], 0), np.random.default_rng(1))
    wrong = [number for number, die in enumerate(truth["dice"]) if die["face"] in faces]
    assert unreadable_dice(rig, lying, truth, image) == wrong


def test_faint_pips_are_found_but_not_on_dice_hardly_in_view() -> None:
    rig, lying, truth, image = made(3)
    washed = np.full_like(image, 200)
    everyone = list(range(len(truth["dice"])))
    assert unreadable_dice(rig, lying, truth, washed) == everyone
    hidden = truth | {"dice": [die | {"visible": 0.5} for die in truth["dice"]]}
    assert unreadable_dice(rig, lying, hidden, washed) == []


def test_pips_gone_in_a_bright_spot_are_wiped_in_a_dull_one_wrong() -> None:
    rig, lying, truth, _ = made(3)
    for level, found in ((240, Pips.WIPED), (120, Pips.WRONG)):
        image = np.full((*rig.lens.size_px[::-1], 3), level, dtype=np.uint8)
        assert set(pips_seen(rig, lying, truth, image)) == {found}


def test_the_truth_says_which_dice_can_be_read() -> None:
    rig, lying, truth, image = made(3)
    shown = pips_seen(rig, lying, truth, image)
    assert all(die["readable"] for die in with_readable(truth, shown)["dice"])
    marked = with_readable(truth, [Pips.WIPED, Pips.UNSEEN, *shown[2:]])["dice"]
    assert [die["readable"] for die in marked] == [False, False] + [True] * (len(shown) - 2)
