"""A second look at a throw that one still frame leaves open: at the next ones, put together.

Their mean has a fraction of the noise of each. It answers only what the first look left open: where the two
read a die differently, the doubt stands and a person is asked.
"""

from __future__ import annotations

import numpy as np

from table.lying_dice import all_found
from vision.domain import FloatArray, Frame, Image, ReasonKind, Ruling, Verdict
from vision.settle import SettleEvent

FRAMES, LONGEST_S = 8, 0.4  # looked at again: so many, or for so long
OPEN = frozenset({ReasonKind.UNREADABLE, ReasonKind.DISAGREE, ReasonKind.UNCERTAIN, ReasonKind.MISSING})


class SecondSight:
    """Gathers still frames after `event`, whose own frame had `verdict`; feed it by `add`."""

    def __init__(self, event: SettleEvent, verdict: Verdict, expected_dice: int | None) -> None:
        self.event = event
        self.verdict = verdict
        self.expected_dice = expected_dice
        self._sum: FloatArray = event.frame.image_bgr.astype(np.float64)
        self._count = 1

    def add(self, frame: Frame) -> bool:
        """Take the next still frame; whether there are enough now."""
        if frame.image_bgr.shape == self._sum.shape:
            self._sum += frame.image_bgr
            self._count += 1
        return self._count > FRAMES or frame.t_s - self.event.frame.t_s >= LONGEST_S

    @property
    def image(self) -> Image | None:
        """The mean of the frames, BGR uint8 (H, W, 3); None when there is but the first."""
        if self._count == 1:
            return None
        return np.rint(self._sum / self._count).astype(np.uint8)


def is_worth_it(verdict: Verdict) -> bool:
    """Whether a second look may answer what `verdict` leaves open."""
    kinds = {reason.kind for reason in verdict.reasons}
    return bool(verdict.dice and kinds and kinds <= OPEN)


def agreed(first: Verdict, second: Verdict | None) -> Verdict:
    """Return what two looks say: the second where it is sure, and reads all dice of the first as that did."""
    if second is None or second.ruling is Ruling.UNSURE:
        return first
    return second if all_found(first.dice, second.dice) else first
