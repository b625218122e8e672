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
    longer over shorter axis of what would be a circle on the face. `rival`: what the trained reader reads
    instead, 0 for no top face, None when it reads the same. `by_pips`: geometry has read it, too.
    """

    face: int
    log_odds: float
    center_px: FloatArray
    corners_px: FloatArray
    pips: NDArray[np.intp]
    spots_px: FloatArray
    radius_px: float
    foreshortening: float
    rival: int | None = None
    by_pips: bool = True

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
    """A place where something looks like a die that was not read; `radius_px` of it, 0 for none."""

    center_px: tuple[float, float]
    seen: str
    radius_px: float = 0.0

    def halved(self) -> Doubt:
        """The same in a picture of half the size."""
        x, y = self.center_px
        return replace(self, center_px=((x - 0.5) / 2, (y - 0.5) / 2), radius_px=self.radius_px / 2)


@dataclass(frozen=True, slots=True, eq=False)
class Detections:
    """The dice found in a picture, and where one may have been missed.

    `hints`: places of spots on no die, too unclear to raise a doubt.
    """

    dice: tuple[Detection, ...]
    doubts: tuple[Doubt, ...]
    hints: tuple[Doubt, ...] = ()

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
        doubts, hints = (tuple(doubt.halved() for doubt in each) for each in (self.doubts, self.hints))
        return Detections(tuple(dice), doubts, hints)
