"""What may happen to a camera, a tray, a lamp and a lens, on drawn trays and on the rendered rigs."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.drawn_dice import Die
from tests.vision.drawn_tray import (
    ANYWHERE,
    FLOOR,
    SCATTERED,
    Change,
    blurred,
    calibrated,
    circle,
    moved,
    painted,
    readings,
    shine,
    tray,
)
from vision.calibration import load_calibration
from vision.domain import DieReading, DieState, Image
from vision.images import read_image
from vision.opencv import cv2
from vision.tray_check import UNCHANGED, ViewFaultKind, compare, fault_of, find_fault, view_of

RIGS = Path(__file__).parents[3] / "shared" / "bench" / "rigs"
EMPTY = tray().image
SIZE = (EMPTY.shape[1], EMPTY.shape[0])
VIEW = view_of(EMPTY, calibrated(EMPTY), SIZE)
THROWN = tray(SCATTERED, seed=1)
DICE = readings(THROWN)
ARM = np.array([[820, 200], [560, 240], [480, 300], [560, 360], [820, 400]])


def fog(image: Image) -> Image:
    """A veil that takes half of all contrast."""
    return np.rint(60 + 0.5 * image).astype(np.uint8)


def pushed(image: Image) -> Image:
    """The tray and what is in it moved over the table, which stays."""
    inside = np.zeros(image.shape[:2], np.uint8)
    cv2.fillPoly(inside, [FLOOR], color=1)
    cv2.polylines(inside, [FLOOR], True, color=1, thickness=52)
    shift = moved(right=3.0, down=2.0)
    return np.where(shift(inside[..., np.newaxis].repeat(3, axis=2)) > 0, shift(image), image)


CHANGES: dict[str, tuple[Change, ViewFaultKind]] = {
    "shifted by 2 px of 820": (moved(right=2.0), ViewFaultKind.MOVED),
    "shifted by 60 px": (moved(down=60.0), ViewFaultKind.MOVED),
    "turned by 0.7 degrees": (moved(turn_deg=0.7), ViewFaultKind.MOVED),
    "zoomed by 1 %": (moved(zoom=1.01), ViewFaultKind.MOVED),
    "zoomed out by 1 %": (moved(zoom=0.99), ViewFaultKind.MOVED),
    "tray pushed": (pushed, ViewFaultKind.MOVED),
    "out of focus": (blurred(2.5), ViewFaultKind.UNCLEAR),
    "far out of focus": (blurred(9.0), ViewFaultKind.UNCLEAR),
    "fogged": (fog, ViewFaultKind.UNCLEAR),
    "a third of the light": (shine(0.35), ViewFaultKind.LIGHT),
    "far too bright": (shine(2.2), ViewFaultKind.LIGHT),
}


@pytest.mark.parametrize("name", CHANGES)
def test_what_changes_the_view_is_noticed_and_named(name: str) -> None:
    change, kind = CHANGES[name]
    fault = find_fault(change(THROWN.image), VIEW, DICE)
    assert fault is not None
    assert fault.kind is kind


@settings(max_examples=25, deadline=None)
@given(
    ANYWHERE,
    st.floats(0.6, 1.5),
    st.tuples(*[st.floats(0.85, 1.18)] * 3),
    st.floats(0, 4),
)
def test_dice_noise_and_colour_of_light_are_no_change(
    dice: list[Die], gain: float, cast: tuple[float, float, float], noise: float
) -> None:
    picture = tray(dice, seed=3)
    noisy = picture.image + np.random.default_rng(len(dice)).normal(0, noise, EMPTY.shape)
    lit = shine(gain, cast)(np.clip(noisy, 0, 255).astype(np.uint8))
    assert find_fault(lit, VIEW, readings(picture)) is None


def test_an_arm_over_the_rim_changes_nothing_that_is_sure() -> None:
    shown = [die for die in DICE if die.center_px[0] < 450]
    fault = find_fault(painted(ARM, (110, 140, 190))(THROWN.image), VIEW, shown)
    assert fault is None or not fault.sure


def test_a_shift_is_measured_beside_a_cup() -> None:
    cup = painted(circle(300, 450, 90), (30, 30, 35))
    change = compare(moved(right=4.0, down=3.0)(cup(EMPTY)), VIEW, ())
    assert change.moved_px == pytest.approx(5.0, abs=0.4)


def test_a_view_with_dice_is_compared_where_none_lay() -> None:
    shifted = moved(right=5.0)
    accepted = view_of(shifted(THROWN.image), calibrated(EMPTY), SIZE, DICE)
    assert find_fault(shifted(tray((Die(2, 0, 4, 20),), seed=5).image), accepted, ()) is None
    assert find_fault(EMPTY, accepted, ()) is not None


def test_an_empty_picture_of_twice_the_size_is_the_same_view() -> None:
    large = np.asarray(cv2.resize(EMPTY, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC), dtype=np.uint8)
    assert find_fault(THROWN.image, view_of(large, calibrated(EMPTY), SIZE), DICE) is None


def test_where_nothing_can_be_told_nothing_is_said() -> None:
    plain = np.full_like(EMPTY, 90)
    view = view_of(plain, calibrated(plain), SIZE)
    assert compare(THROWN.image, view, DICE) == UNCHANGED
    assert fault_of(UNCHANGED, 1.0) is None


def test_each_fault_is_worded() -> None:
    changes = {
        "0.3 times as bright": replace(UNCHANGED, gain=0.3),
        "moved by 6 px": replace(UNCHANGED, moved_px=6.2),
        "41% as sharp": replace(UNCHANGED, sharpness=0.41),
        "does not look as": replace(UNCHANGED, recognised=0.2, moved_px=9.0),
    }
    for words, change in changes.items():
        fault = fault_of(change, 3.0)
        assert fault is not None
        assert words in fault.detail


def truth(path: Path) -> list[DieReading]:
    dice = json.loads(path.with_suffix(".json").read_text())["dice"]
    return [
        DieReading(die["face"], 1.0, tuple(die["center_px"]), np.array(die["corners_px"]), DieState.FLAT)
        for die in dice
        if die["in_frame"]
    ]


@pytest.mark.skipif(not RIGS.is_dir(), reason="the rendered rigs are not beside the checkout")
@pytest.mark.parametrize("rig", sorted(path.name for path in RIGS.glob("*")) if RIGS.is_dir() else [])
def test_a_rig_stays_as_it_is_and_its_changes_are_noticed(rig: str) -> None:
    table = load_calibration(RIGS / rig / "table.json")
    assert table.empty_image is not None
    size = (table.empty_image.shape[1], table.empty_image.shape[0])
    view = view_of(table.empty_image, table, size)
    pictures = sorted((RIGS / rig).glob("[0-9]*.jpg"))
    assert pictures
    faults = {path.name: find_fault(read_image(path), view, truth(path)) for path in pictures}
    assert {name: fault for name, fault in faults.items() if fault is not None} == {}
    last = read_image(pictures[-1])
    changes = {**CHANGES, "shifted by 4 px of 1640": (moved(right=4.0), ViewFaultKind.MOVED)}
    for name in ("shifted by 4 px of 1640", "turned by 0.7 degrees", "zoomed by 1 %", "out of focus"):
        fault = find_fault(changes[name][0](last), view, truth(pictures[-1]))
        assert fault is not None, name
        assert fault.kind is changes[name][1], name


def test_a_camera_turned_upside_down_is_said_to_be() -> None:
    turned = np.ascontiguousarray(THROWN.image[::-1, ::-1])
    last = np.array(SIZE) - 1
    dice = [replace(die, corners_px=last - die.corners_px) for die in DICE]
    fault = find_fault(turned, VIEW, dice)
    assert fault is not None
    assert (fault.kind, fault.sure) == (ViewFaultKind.MOVED, True)


@pytest.mark.skipif(not RIGS.exists(), reason="the rendered benchmark is not beside the checkout")
@pytest.mark.parametrize("rig", sorted(RIGS.glob("*")), ids=lambda rig: rig.name)
def test_a_rig_turned_upside_down_is_never_taken_for_itself(rig: Path) -> None:
    table = load_calibration(rig / "table.json")
    assert table.empty_image is not None
    height, width = table.empty_image.shape[:2]
    turned = np.ascontiguousarray(table.empty_image[::-1, ::-1])
    fault = find_fault(turned, view_of(table.empty_image, table, (width, height)), [])
    assert fault is not None
    assert (fault.kind, fault.sure) == (ViewFaultKind.MOVED, True)
