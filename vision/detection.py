"""What a search for dice finds: top faces, and places where one may have been missed."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.die_detector import NO_BOXES, DieBoxes
from vision.domain import FloatArray

Move: TypeAlias = Callable[[FloatArray], FloatArray]  # points (..., 2) to where they lie in another picture
NEXT_CORNER = np.array([1, 2, 3, 0])
MOST_LOG_ODDS = 30.0
CERTAIN_LOG_ODDS = 2.0  # from here on a die is taken for certain


def chance_of(log_odds: float) -> float:
    """Return the chance whose log odds these are, never quite 0 or 1."""
    return 1.0 / (1.0 + math.exp(-min(max(log_odds, -MOST_LOG_ODDS), MOST_LOG_ODDS)))


@dataclass(frozen=True, slots=True)
class DieSizes:
    """Sides of top faces in px: of the smallest and of the usual die; 0 where nothing says so."""

    least_px: float = 0.0
    usual_px: float = 0.0


UNKNOWN_SIZES = DieSizes()


@dataclass(frozen=True, slots=True, eq=False)
class Detection:
    """One die's top face as found.

    `log_odds` that it is one; `corners_px` (4, 2) clockwise; `pips` (K,) indices; `spots_px` (9, 2) their
    middles by the spots of `vision.faces.SPOTS`, NaN where none; `radius_px` of a pip; `foreshortening`:
    longer over shorter axis of what would be a circle on the face. `by_pips`: geometry reads this face, else
    the trained reader alone does. `rival`: what the other of the two reads instead, 0 for no top face, None
    when it reads the same, or nothing. `colours` (2, 3): BGR of the face and of its pips, NaN if unknown.
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
    colours: FloatArray = field(default_factory=lambda: np.full((2, 3), np.nan))

    @property
    def confidence(self) -> float:
        """Probability that it is the top of a die with this face."""
        return chance_of(self.log_odds)

    @property
    def side_px(self) -> float:
        """Mean length of the four sides."""
        edges = self.corners_px - self.corners_px[NEXT_CORNER]
        return float(np.hypot(*edges.T).mean())

    def moved(self, move: Move, scale: float) -> Detection:
        """The same where `move` brings it, `scale` times as large."""
        return replace(
            self,
            center_px=move(self.center_px),
            corners_px=move(self.corners_px),
            spots_px=move(self.spots_px),
            radius_px=self.radius_px * scale,
        )


@dataclass(frozen=True, slots=True)
class Doubt:
    """A place where something looks like a die that was not read; `radius_px` of it, 0 for none."""

    center_px: tuple[float, float]
    seen: str
    radius_px: float = 0.0

    def moved(self, move: Move, scale: float) -> Doubt:
        """The same where `move` brings it, `scale` times as large."""
        x, y = move(np.array(self.center_px))
        return replace(self, center_px=(float(x), float(y)), radius_px=self.radius_px * scale)


@dataclass(frozen=True, slots=True, eq=False)
class Detections:
    """The dice found in a picture, and where one may have been missed.

    `hints`: places of spots on no die, too unclear to raise a doubt. `boxes`: of what the trained detector
    takes for dice, on which geometry read none.
    """

    dice: tuple[Detection, ...]
    doubts: tuple[Doubt, ...]
    hints: tuple[Doubt, ...] = ()
    boxes: DieBoxes = NO_BOXES
