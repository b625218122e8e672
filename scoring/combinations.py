"""The combinations that give points, and the best way to part dice of one face into them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from scoring.faces import ALL_DICE, Faces
from scoring.ruleset import OfAKind, OfAKindPoints, Ruleset

SINGLE = "single"
STRAIGHT, THREE_PAIRS, NOTHING_ON_SIX = "straight", "three_pairs", "nothing_on_six"
ALIKE = {3: "three_alike", 4: "four_alike", 5: "five_alike", 6: "six_alike"}

SINGLE_POINTS = {1: 100, 5: 50}
THREE_ALIKE_POINTS = {1: 1000, 2: 200, 3: 300, 4: 400, 5: 500, 6: 600}
_TIMES_THREE_ALIKE = {OfAKind.ADDING: {4: 2, 5: 3, 6: 4}, OfAKind.DOUBLING: {4: 2, 5: 4, 6: 8}}


@dataclass(frozen=True, slots=True)
class Combination:
    """Dice of one throw that give points together; `faces` sorted."""

    name: str
    faces: Faces
    points: int


Parts: TypeAlias = tuple[Combination, ...]


def rank(parts: Parts) -> tuple[int, int]:
    """Order ways to part the same dice: more points first, then fewer combinations."""
    return sum(part.points for part in parts), -len(parts)


@lru_cache(maxsize=4096)
def best_parts(face: int, count: int, of_a_kind: OfAKindPoints) -> Parts | None:
    """Part `count` (0-6) dice of one face for the most points; None when some belong to no combination."""
    if count == 0:
        return ()
    ways = []
    for size in range(1, count + 1):
        first = _alike(face, size, of_a_kind)
        rest = best_parts(face, count - size, of_a_kind)
        if first is not None and rest is not None:
            ways.append((first, *rest))
    return max(ways, key=rank, default=None)


def whole_throw_combinations(faces: Faces, ruleset: Ruleset) -> Parts:
    """Return the combinations that take all six dice of the sorted `faces` and go with nothing else."""
    if len(faces) < ALL_DICE:
        return ()
    found = (
        (STRAIGHT, ruleset.straight, len(set(faces)) == ALL_DICE),
        (THREE_PAIRS, ruleset.three_pairs, _are_three_pairs(faces, ruleset)),
    )
    return tuple(Combination(name, faces, points) for name, points, there in found if points and there)


def _alike(face: int, size: int, of_a_kind: OfAKindPoints) -> Combination | None:
    if size == 1 and face in SINGLE_POINTS:
        return Combination(SINGLE, (face,), SINGLE_POINTS[face])
    if size in ALIKE:
        return Combination(ALIKE[size], (face,) * size, _alike_points(face, size, of_a_kind))
    return None


def _alike_points(face: int, size: int, of_a_kind: OfAKindPoints) -> int:
    if size == 3:
        return THREE_ALIKE_POINTS[face]
    if isinstance(of_a_kind, OfAKind):
        return THREE_ALIKE_POINTS[face] * _TIMES_THREE_ALIKE[of_a_kind][size]
    return of_a_kind[size - 4]


def _are_three_pairs(faces: Faces, ruleset: Ruleset) -> bool:
    pattern = sorted(Counter(faces).values())
    return (
        pattern == [2, 2, 2]
        or (ruleset.four_plus_two and pattern == [2, 4])
        or (ruleset.six_alike and pattern == [6])
    )
