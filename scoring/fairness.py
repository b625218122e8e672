"""Are the dice fair? Pearson's chi-square over all faces thrown, and how much so many dice can tell.

The six counts are held against equal ones. The p-value says how often fair dice come out at least as uneven.
Players look many times an evening and on many evenings, so that one in a hundred is no proof: nothing is
called unusual before that, and only one in a thousand a reason to look at the dice. With few dice a fault may
hide: `detectable` says how large one must be to show.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

FACES = range(1, 7)
LEAST_DICE = 60  # ten of each face; from five on the chi-square distribution is near enough (Cochran, 1954)
UNUSUAL, VERY_UNUSUAL = 0.01, 0.001
_SHOWS = 22.03  # noncentrality at which 5 degrees of freedom fall below UNUSUAL nine times in ten


class FairnessFinding(StrEnum):
    """What the counts say."""

    TOO_FEW = "too_few"
    EVEN = "even"  # as fair dice come out
    UNUSUAL = "unusual"
    VERY_UNUSUAL = "very_unusual"


@dataclass(frozen=True, slots=True)
class Fairness:
    """`counts`: how many dice showed each face, 1 to 6. `chi_square`, `p_value`: 0 and 1 without dice."""

    counts: tuple[int, ...]

    @property
    def dice(self) -> int:
        """How many dice were thrown."""
        return sum(self.counts)

    @property
    def chi_square(self) -> float:
        """Pearson's sum over the faces, of 5 degrees of freedom."""
        expected = self.dice / len(self.counts)
        return sum((count - expected) ** 2 for count in self.counts) / expected if expected else 0.0

    @property
    def p_value(self) -> float:
        """The chance that as many fair dice come out at least as uneven."""
        return chi_square_tail(self.chi_square)

    @property
    def finding(self) -> FairnessFinding:
        """What the counts say."""
        if self.dice < LEAST_DICE:
            return FairnessFinding.TOO_FEW
        if self.p_value < VERY_UNUSUAL:
            return FairnessFinding.VERY_UNUSUAL
        return FairnessFinding.UNUSUAL if self.p_value < UNUSUAL else FairnessFinding.EVEN

    @property
    def farthest_face(self) -> int:
        """The face whose count is farthest from even, the lowest of several."""
        return max(FACES, key=lambda face: abs(len(self.counts) * self.counts[face - 1] - self.dice))

    @property
    def detectable(self) -> float:
        """How often one face must come up (others alike) to be called unusual nine times in ten; at most 1.

        With a share of 1/6 + d, and 1/6 - d/5 of each other face, the noncentrality is 7.2 n d^2.
        """
        return min(1.0, 1 / 6 + math.sqrt(_SHOWS / (7.2 * self.dice))) if self.dice else 1.0


def fairness(faces: Iterable[int]) -> Fairness:
    """Return how even `faces`, all that were thrown, are."""
    counted = Counter(faces)
    return Fairness(tuple(counted[face] for face in FACES))


def chi_square_tail(value: float) -> float:
    """Return the chance that chi-square of 5 degrees of freedom is at least `value`.

    The regularised upper incomplete gamma function Q(5/2, value/2), which for half-integers is closed:
    Q(1/2, x) = erfc(sqrt x), Q(a + 1, x) = Q(a, x) + x^a e^-x / Gamma(a + 1) (Abramowitz and Stegun 26.4.4).
    """
    half = value / 2
    return math.erfc(math.sqrt(half)) + 2 * math.sqrt(half / math.pi) * math.exp(-half) * (1 + 2 * half / 3)
