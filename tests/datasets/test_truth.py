"""The truth of a picture follows the benchmark's definitions, and what they leave open is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from datasets.rig import Floats, Lying
from datasets.truth import UnfitThrowError, throw_truth
from tests.datasets.tables import WIDTH, plain_rig, poses, turned

FLAT = np.eye(3)
HALF = 8.0
RIG = plain_rig()
Die = tuple[tuple[float, float, float], Floats]
LYING: Die = ((0.0, 0.0, HALF), FLAT)


def truth(*dice: Die, n_expected: int | None = None, askew: bool = False) -> dict[str, Any]:
    return throw_truth(RIG, Lying(poses(*dice), len(dice) if n_expected is None else n_expected), askew=askew)


def leaning(degrees: float) -> Die:
    """A rounded die that stands on an edge, tilted, its lowest point on the floor."""
    turn = turned((1, 0, 0), degrees)
    height = (0.4 * np.abs(turn[2]).sum() + 0.1) * 2 * HALF
    return (40.0, 0.0, float(height)), turn


def test_flat_dice_make_a_valid_throw() -> None:
    found = truth(LYING, ((40.0, 10.0, HALF), turned((0, 0, 1), 33)))
    assert (found["verdict"], found["reasons"], found["n_expected"]) == ("valid", [], 2)
    die = found["dice"][0]
    assert (die["state"], die["tilt_deg"], die["height_mm"], die["visible"]) == ("flat", 0.0, 0.0, 1.0)
    assert die["center_px"] == pytest.approx(np.array(RIG.lens.matrix[:2, 2]))
    top = 1100 * HALF / (500 - 2 * HALF)
    corners = np.array(die["corners_px"]) - die["center_px"]
    assert np.abs(corners) == pytest.approx(np.full((4, 2), top), abs=0.02)
    x, y = corners.T
    assert (x * np.roll(y, -1) - y * np.roll(x, -1)).sum() > 0  # clockwise, as y points down


@pytest.mark.parametrize(("degrees", "state"), [(1.4, "flat"), (6.5, "tilted"), (30.0, "tilted")])
def test_a_die_is_tilted_from_six_degrees_on(degrees: float, state: str) -> None:
    die = truth(LYING, leaning(degrees))["dice"][1]
    assert (die["state"], die["tilt_deg"]) == (state, pytest.approx(degrees, abs=0.01))
    assert die["height_mm"] == pytest.approx(0, abs=0.01)


@pytest.mark.parametrize("degrees", [1.6, 4.0, 6.2])
def test_a_die_between_flat_and_tilted_is_refused_unless_asked_for(degrees: float) -> None:
    with pytest.raises(UnfitThrowError, match="neither flat nor tilted"):
        truth(LYING, leaning(degrees))
    assert truth(leaning(degrees), askew=True)["verdict"] == ("misroll" if degrees >= 6 else "valid")


def test_a_die_on_a_die_is_stacked_and_the_lower_one_flat() -> None:
    found = truth(LYING, ((3.0, 2.0, 3 * HALF), turned((0, 0, 1), 20)))
    assert found["reasons"] == ["stacked"]
    assert [die["state"] for die in found["dice"]] == ["flat", "stacked"]
    assert found["dice"][1]["height_mm"] == pytest.approx(2 * HALF)
    assert found["dice"][0]["visible"] < 0.4


@pytest.mark.parametrize("at", [(WIDTH / 2 - 2, 0.0, 20 + HALF), (0.0, 0.0, HALF + 2.2), (130.0, 0.0, HALF)])
def test_a_die_on_the_rim_on_a_coin_or_in_mid_air_is_refused(at: tuple[float, float, float]) -> None:
    with pytest.raises(UnfitThrowError):
        truth(LYING, (at, FLAT))


def test_a_die_on_the_table_is_outside_and_one_out_of_the_picture_missing_too() -> None:
    beside = ((WIDTH / 2 + 22.0, 0.0, HALF - 3.0), FLAT)
    assert truth(LYING, beside)["reasons"] == ["outside"]
    gone = ((400.0, 0.0, HALF - 3.0), FLAT)
    found = truth(LYING, gone)
    assert found["reasons"] == ["missing", "outside"]
    assert [die["in_frame"] for die in found["dice"]] == [True, False]
    assert truth(LYING, n_expected=2)["reasons"] == ["missing"]


def test_a_die_cut_by_the_pictures_edge_is_refused() -> None:
    with pytest.raises(UnfitThrowError, match="edge"):
        truth(LYING, ((145.0, 0.0, HALF - 3.0), FLAT))


def test_walls_hide_what_is_behind_them() -> None:
    near = truth(((WIDTH / 2 + 18.5, 0.0, HALF - 3.0), FLAT))["dice"][0]["visible"]
    far = truth(((WIDTH / 2 + 30.0, 0.0, HALF - 3.0), FLAT))["dice"][0]["visible"]
    assert near < far <= 1
