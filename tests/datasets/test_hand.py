"""A hand is one closed body whose fingertips are where they act, and it comes and goes out of the picture."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from datasets.flat_renderer import FlatRenderer
from datasets.hand import POSES, hand_bones, hand_mesh
from datasets.laying import lay_scattered
from datasets.moves import lifting, pushing, reach_from
from datasets.rig import GONE_MM, Arm, Instant, Poses, Props
from datasets.smooth_surface import smooth_surface
from tests.datasets.tables import chosen, plain_rig, poses, turned

ARM = Arm(False, 1.0, (0.8, 0.6, 0.5), (0.1, 0.1, 0.3), (0.1, 0.1, 0.3), 0.1, 1)


def test_a_ball_known_by_its_distances_comes_out_as_a_ball() -> None:
    middle, radius = np.array([3.0, -2, 1]), 10.0

    def distance(places: np.ndarray) -> np.ndarray:
        return np.linalg.norm(places - middle, axis=1) - radius

    vertices, normals, triangles = smooth_surface(distance, middle - 13, middle + 13, 1.5)
    assert np.linalg.norm(vertices - middle, axis=1) == pytest.approx(
        np.full(len(vertices), radius), abs=0.01
    )
    corners = vertices[triangles]
    outward = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    assert ((outward * normals[triangles].mean(axis=1)).sum(axis=1) > 0).all()
    volume = float((corners[:, 0] * np.cross(corners[:, 1], corners[:, 2])).sum()) / 6
    assert volume == pytest.approx(4 / 3 * np.pi * radius**3, rel=0.03)
    edges = np.sort(
        np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]]), axis=1
    )
    assert set(np.unique(edges, axis=0, return_counts=True)[1]) == {2}  # closed: each edge has two sides


@pytest.mark.parametrize("pose", POSES)
def test_fingers_keep_their_lengths_and_end_where_the_pose_has_them(pose: str) -> None:
    bones = hand_bones(ARM, pose)
    lengths = np.linalg.norm(bones.end - bones.start, axis=1)
    index = [44.0, 27.0, 23.0]
    at = next(n for n in range(len(lengths)) if lengths[n : n + 3] == pytest.approx(index))
    wanted = np.array(POSES[pose].tips[1])
    assert np.linalg.norm(bones.end[at + 2] - wanted) < 6  # or stretched as far as it goes towards it
    left = hand_bones(replace(ARM, left=True), pose)
    assert left.end == pytest.approx(bones.end * [1, -1, 1])


def test_the_skin_is_whole_and_as_large_as_the_arm_says() -> None:
    small, large = (hand_mesh(replace(ARM, size=size), "point") for size in (0.8, 1.0))
    for hand in (small, large):
        assert hand.mesh.triangles.max() < len(hand.mesh.vertices) == len(hand.colours)
        assert np.isfinite(hand.mesh.normals).all()
        assert (hand.colours > 0).all()
    assert np.ptp(small.mesh.vertices, axis=0) == pytest.approx(
        0.8 * np.ptp(large.mesh.vertices, axis=0), rel=0.03
    )


def test_dice_lie_still_until_the_hand_is_there_and_leave_the_picture_with_it() -> None:
    rig = chosen(4)
    lying = lay_scattered(rig, np.random.default_rng(1))
    reach = reach_from(rig.lens, ARM, 0.3)
    taken = list(range(len(lying.poses)))[::-1]
    act = lifting(reach, lying.poses, taken, rig.die_mm)
    still = FlatRenderer(rig, Props(arm=ARM)).draw([Instant(Poses(np.zeros((0, 3)), np.zeros((0, 3, 3))))], 0)
    gone = FlatRenderer(rig, Props(arm=ARM)).draw([act.at(act.frames)], 0)
    assert np.array_equal(gone, still)
    for time in np.arange(0, act.frames, 0.25):
        instant = act.at(time)
        assert instant.hand is not None
        away = np.linalg.norm(instant.hand.at_mm - instant.poses.at_mm, axis=1)
        moved = np.abs(instant.poses.at_mm - lying.poses.at_mm).max(axis=1) > 0.01
        assert (away[moved] < 6 * rig.die_mm).all()


def test_a_finger_follows_a_pushed_die_and_no_other_moves() -> None:
    rig = plain_rig()
    before = poses(((0.0, 0.0, 9.0), turned((1, 0, 0), 20)), ((40.0, 0.0, 8.0), np.eye(3)))
    course = [Poses(before.at_mm + np.outer([0.4 * step, 0], [1, 0, 0]), before.turn) for step in range(20)]
    act = pushing(reach_from(rig.lens, ARM, np.pi), course, 0, rig.die_mm, 4)
    instants = [act.at(time) for time in np.arange(0, act.frames + 0.1, 0.25)]
    assert all(np.array_equal(instant.poses.at_mm[1], before.at_mm[1]) for instant in instants)
    first = next(instant for instant in instants if not np.array_equal(instant.poses.at_mm, before.at_mm))
    assert first.hand is not None
    assert np.linalg.norm(first.hand.at_mm - first.poses.at_mm[0]) < rig.die_mm
    assert instants[-1].hand is None
    assert np.array_equal(instants[-1].poses.at_mm, course[-1].at_mm)


def test_a_die_that_is_gone_is_not_drawn() -> None:
    rig = plain_rig()
    gone = Poses(np.array([GONE_MM]), np.eye(3)[np.newaxis])
    empty = Poses(np.zeros((0, 3)), np.zeros((0, 3, 3)))
    renderer = FlatRenderer(rig)
    assert np.array_equal(renderer.draw([Instant(gone)], 0), renderer.draw([Instant(empty)], 0))
