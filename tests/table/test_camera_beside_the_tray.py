"""Whether a wall hides the floor's edge: by where the camera stands, which the test knows."""

from __future__ import annotations

import numpy as np
import pytest

from table import calibrating
from table.calibrating import NamedPicture, Request, calibrate
from tests.vision.calibrate.known_camera import SIZE, KnownCamera, board_picture, camera, noisy
from vision.calibrate.hand_outline import HandOutline
from vision.calibrate.outline import OutlineError
from vision.calibrate.standpoint import HIDES_MM, hides_an_edge
from vision.camera import Camera
from vision.domain import FloatArray, Image, Ruling, TableCalibration, Verdict

SLANTED = camera(over_mm=(105, -75), tilt_deg=(12, -9))
CORNERS = np.array([[-1.0, 1], [1, 1], [1, -1], [-1, -1]])


def foot_of(known: KnownCamera) -> FloatArray:
    """The place on the floor that is straight below the camera."""
    return np.asarray((-known.turn.T @ known.shift)[:2])


def seen(known: KnownCamera) -> Camera:
    return Camera(known.matrix, known.distortion, known.turn.T, -known.turn.T @ known.shift)


@pytest.mark.parametrize("away_mm", [-80.0, 0.0, HIDES_MM - 2, HIDES_MM + 2, 60.0])
@pytest.mark.parametrize("toward", [(1.0, 0.0), (0.0, -1.0)])
def test_an_edge_is_hidden_where_the_camera_stands_beyond_it(
    away_mm: float, toward: tuple[float, float]
) -> None:
    half = 90.0
    middle = foot_of(SLANTED) + (half + away_mm) * np.array(toward)
    area = SLANTED.sees(middle + half * CORNERS)
    assert hides_an_edge(seen(SLANTED), area) is (away_mm > HIDES_MM)


def sees_nothing(
    image: Image, calibration: TableCalibration | None = None, expected: int | None = None
) -> Verdict:
    return Verdict(Ruling.UNSURE, (), ())


@pytest.mark.parametrize("away_mm", [-90.0, 70.0])
def test_an_outline_found_from_beside_is_not_certain_and_one_that_is_named_is_taken(
    away_mm: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    half = 90.0
    middle = foot_of(SLANTED) + (half + away_mm) * np.array([0.0, -1.0])
    hand = HandOutline(SLANTED.sees(middle + half * CORNERS), (np.zeros((0, 2)),) * 4)
    monkeypatch.setattr(calibrating, "find_outline", lambda image, sides: hand.outline)
    grey = NamedPicture("empty.jpg", noisy(np.full((SIZE[1], SIZE[0], 3), 120.0), 1, 2))
    sheet = NamedPicture("sheet.jpg", board_picture(SLANTED))
    named = Request([sheet], grey, drawn=hand.outline)
    assert calibrate(named, sees_nothing).outline_given
    if away_mm > 0:
        with pytest.raises(OutlineError, match=r"empty\.jpg: .*beside the floor.*accepted"):
            calibrate(Request([sheet], grey), sees_nothing)
    else:
        assert not calibrate(Request([sheet], grey), sees_nothing).outline_given
