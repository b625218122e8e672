"""Further looks at a throw that one still frame leaves open: at several frames, put together.

Their mean has a fraction of the noise of each. All lay still for a while before the first look, so the second
costs no waiting; what it leaves open as well, and what there were too few frames for, is looked at once more
with the next ones. A further look answers only what the first left open: where the two read a die
differently, the doubt stands and a person is asked.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from table.lying_dice import all_found
from vision.domain import FloatArray, Frame, Image, ReasonKind, Ruling, Verdict
from vision.settle import SettleEvent

FRAMES, FEWEST = 8, 4  # before, and again after, the frame that was judged; what is not worth a look
LONGEST_S = 0.4  # waited for those after
OPEN = frozenset({ReasonKind.UNREADABLE, ReasonKind.DISAGREE, ReasonKind.UNCERTAIN, ReasonKind.MISSING})


class SecondSight:
    """Puts frames together: those `still` before that of `event`, on which `verdict` is, and it.

    Feed it those that follow by `add`.
    """

    def __init__(
        self, event: SettleEvent, verdict: Verdict, expected_dice: int | None, still: Sequence[Frame] = ()
    ) -> None:
        self.event = event
        self.verdict = verdict
        self.expected_dice = expected_dice
        self._sum: FloatArray = np.zeros(event.frame.image_bgr.shape)
        self._count = 0
        for frame in (*still, event.frame):
            self._put(frame)
        self._before = self._count

    @property
    def can_look_at_once(self) -> bool:
        """Whether the frames before are enough for a look."""
        return self._before >= FEWEST

    def add(self, frame: Frame) -> bool:
        """Take the next still frame; whether there are enough now."""
        self._put(frame)
        return self._count >= self._before + FRAMES or frame.t_s - self.event.frame.t_s >= LONGEST_S

    def _put(self, frame: Frame) -> None:
        if frame.image_bgr.shape == self._sum.shape:
            self._sum += frame.image_bgr
            self._count += 1

    @property
    def image(self) -> Image | None:
        """The mean of the frames, BGR uint8 (H, W, 3); None when there is but the first."""
        if self._count == 1:
            return None
        return np.rint(self._sum / self._count).astype(np.uint8)


def still_before(event: SettleEvent, latest: Sequence[Frame]) -> tuple[Frame, ...]:
    """Return those of the `latest` frames, in order, that lay still when that of `event` was reached."""
    still_s = event.frame.t_s if event.still_s is None else event.still_s
    return tuple(frame for frame in latest if still_s <= frame.t_s < event.frame.t_s)


def is_worth_it(verdict: Verdict) -> bool:
    """Whether a further look may answer what `verdict` leaves open."""
    kinds = {reason.kind for reason in verdict.reasons}
    return bool(verdict.dice and kinds and kinds <= OPEN)


def agreed(first: Verdict, second: Verdict | None) -> Verdict:
    """Return what two looks say: the second where it is sure, and reads all dice of the first as that did."""
    if second is None or second.ruling is Ruling.UNSURE:
        return first
    return second if all_found(first.dice, second.dice) else first
