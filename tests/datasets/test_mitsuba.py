"""What Mitsuba draws is what the labels say: every face of a die where it is, and the same each time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("mitsuba", reason="needs mitsuba of the datasets extra")

from datasets.mitsuba_renderer import MitsubaRenderer, RendererMissingError, load_mitsuba
from datasets.numbering import FACES, axis_of, face_frame
from datasets.pip_check import Pips, pips_seen
from datasets.rig import Instant, Lamp, Lying, Numbering, Poses, Rig
from datasets.sensor import develop
from datasets.truth import throw_truth
from tests.datasets.tables import overhead, plain_rig, turned

try:
    load_mitsuba(threads=1)
except RendererMissingError as error:
    pytest.skip(str(error), allow_module_level=True)


def bright_rig(numbering: Numbering) -> Rig:
    rig = plain_rig()
    look = replace(
        rig.dice[0],
        numbering=numbering,
        colour=(0.9, 0.9, 0.85),
        pip_colours=((0.04, 0.04, 0.04),) * 6,
        pattern="plain",
    )
    lamps = (Lamp((100.0, 80.0, 1500.0), 600.0, 1.0, (1.0, 1.0, 1.0)),) * 3
    lens = overhead((400, 280), focal=700.0)
    sensor = replace(rig.sensor, white_level=0.8, noise=1.0)
    return replace(rig, dice=(look,) * 6, lamps=lamps, lens=lens, sensor=sensor, ambience=0.5)


def all_faces(rig: Rig) -> Lying:
    at = [(x, y, 8.0) for y in (-35.0, 35.0) for x in (-55.0, 0.0, 55.0)]
    turns = []
    for face in FACES:
        axis = axis_of(rig.dice[0].numbering, face)
        turns.append(turned((0, 0, 1), 20 + 17 * face) @ np.array([*face_frame(axis), axis]))
    return Lying(Poses(np.array(at), np.array(turns)), 6)


@pytest.mark.parametrize("clockwise", [False, True])
@pytest.mark.parametrize("other_way", [frozenset(), frozenset({2, 3, 6})])
def test_all_six_faces_show_their_pips_where_the_labels_have_them(
    clockwise: bool, other_way: frozenset[int]
) -> None:
    rig = bright_rig(Numbering(clockwise, other_way))
    lying = all_faces(rig)
    truth = throw_truth(rig, lying)
    assert [die["face"] for die in truth["dice"]] == list(FACES)
    image = develop(rig, MitsubaRenderer(rig).draw([lying.instant], 1), np.random.default_rng(1))
    assert set(pips_seen(rig, lying, truth, image)) == {Pips.SHOWN}


def test_dice_move_between_pictures_and_the_same_seed_gives_the_same_picture() -> None:
    rig = bright_rig(Numbering(False, frozenset()))
    lying = all_faces(rig)
    renderer = MitsubaRenderer(rig)
    first = renderer.draw([lying.instant], 7)
    moved = Poses(lying.poses.at_mm[:2] + np.array([9, 0, 0]), lying.poses.turn[:2])
    assert np.abs(renderer.draw([Instant(moved)], 7) - first).max() > 0.1
    assert np.array_equal(renderer.draw([lying.instant], 7), first)
    assert np.array_equal(MitsubaRenderer(rig).draw([lying.instant], 7), first)
