"""What a search for dice finds: top faces, and places where one may have been missed."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.domain import FloatArray

CERTAIN_LOG_ODDS = 2.0  # from here on a die is taken for certain


@dataclass(frozen=True, slots=True, eq=False)
class Detection:
    """One die's top face as found.

    `log_odds` that it is one; `corners_px` (4, 2) clockwise; `pips` (K,) indices; `spots_px` (9, 2) their
    middles by the spots of `vision.faces.SPOTS`, NaN where none; `radius_px` of a pip; `foreshortening`:
    longer over shorter axis of what would be a circle on the face.
    """

    face: int
    log_odds: float
    center_px: FloatArray
    corners_px: FloatArray
    pips: NDArray[np.intp]
    spots_px: FloatArray
    radius_px: float
    foreshortening: float

    @property
    def confidence(self) -> float:
        """Probability that it is the top of a die with this face."""
        return 1.0 / (1.0 + math.exp(-self.log_odds))

    @property
    def side_px(self) -> float:
        """Mean length of the four sides."""
        edges = self.corners_px - np.roll(self.corners_px, 1, axis=0)
        return float(np.linalg.norm(edges, axis=1).mean())


@dataclass(frozen=True, slots=True)
class Doubt:
    """A place where something looks like a die that was not read."""

    center_px: tuple[float, float]
    seen: str


@dataclass(frozen=True, slots=True, eq=False)
class Detections:
    """The dice found in a picture, and where one may have been missed."""

    dice: tuple[Detection, ...]
    doubts: tuple[Doubt, ...]

    def halved(self) -> Detections:
        """The same in a picture of half the size."""
        dice = [
            replace(
                die,
                center_px=(die.center_px - 0.5) / 2,
                corners_px=(die.corners_px - 0.5) / 2,
                spots_px=(die.spots_px - 0.5) / 2,
                radius_px=die.radius_px / 2,
            )
            for die in self.dice
        ]
        doubts = [
            replace(doubt, center_px=((doubt.center_px[0] - 0.5) / 2, (doubt.center_px[1] - 0.5) / 2))
            for doubt in self.doubts
        ]
        return Detections(tuple(dice), tuple(doubts))
