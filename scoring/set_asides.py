"""All legal set-asides of a throw.

A set-aside is legal when every die in it belongs to a combination; it counts as its best partition does.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from scoring.combinations import (
    NOTHING_ON_SIX,
    SINGLE,
    SINGLE_POINTS,
    Combination,
    Parts,
    best_parts,
    rank,
    whole_throw_combinations,
)
from scoring.faces import ALL_DICE, Faces, sorted_faces
from scoring.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class SetAside:
    """Dice of one throw that may be set aside together.

    `faces` sorted; `parts`: the best partition, most points first; `hot_dice`: no die of the throw is left.
    """

    faces: Faces
    points: int
    parts: Parts
    hot_dice: bool


def set_asides(faces: Iterable[int], ruleset: Ruleset) -> tuple[SetAside, ...]:
    """Return every legal set-aside of a throw of 1-6 dice, in any order of dice.

    Best points first, then fewer dice, then lower faces. Empty for a bust.
    Raises `FacesError` unless `faces` are one to six numbers 1-6.
    """
    return _set_asides(sorted_faces(faces), ruleset)


def dice_left_after(set_aside: SetAside, dice_thrown: int) -> int:
    """Return how many dice are thrown after `set_aside` of `dice_thrown` dice: all six once none is left."""
    return dice_thrown - len(set_aside.faces) or ALL_DICE


def with_single(set_aside: SetAside, ruleset: Ruleset) -> SetAside | None:
    """Return the dice of `set_aside` parted for the most points with a single 1 or 5 among the parts.

    None when no parting has one.
    """
    counts = Counter(set_aside.faces)
    ways: list[Parts] = []
    for face in counts.keys() & SINGLE_POINTS.keys():
        others = (counts - Counter([face])).items()
        rest = [best_parts(each, count, ruleset.of_a_kind) for each, count in others]
        if None not in rest:
            single = Combination(SINGLE, (face,), SINGLE_POINTS[face])
            ways.append((single, *itertools.chain.from_iterable(filter(None, rest))))
    if not ways:
        return None
    return _set_aside(set_aside.faces, max(ways, key=rank), set_aside.hot_dice)


@lru_cache(maxsize=8192)
def _set_asides(faces: Faces, ruleset: Ruleset) -> tuple[SetAside, ...]:
    best: dict[Faces, Parts] = {}
    for parts in (
        *_partings(faces, ruleset),
        *((whole,) for whole in whole_throw_combinations(faces, ruleset)),
    ):
        taken = tuple(sorted(itertools.chain.from_iterable(part.faces for part in parts)))
        if taken and (taken not in best or rank(parts) > rank(best[taken])):
            best[taken] = parts
    if not best and len(faces) == ALL_DICE and ruleset.nothing_on_six:
        best[faces] = (Combination(NOTHING_ON_SIX, faces, ruleset.nothing_on_six),)
    if best and ruleset.take_all:
        most = max(map(len, best))
        best = {taken: parts for taken, parts in best.items() if len(taken) == most}
    found = (_set_aside(taken, parts, len(taken) == len(faces)) for taken, parts in best.items())
    return tuple(sorted(found, key=lambda each: (-each.points, len(each.faces), each.faces)))


def _partings(faces: Faces, ruleset: Ruleset) -> Iterator[Parts]:
    """Yield, for every choice of how many dice of each face to take, the best parting of them."""
    choices = []
    for face in sorted(set(faces)):
        ways = (best_parts(face, count, ruleset.of_a_kind) for count in range(faces.count(face) + 1))
        choices.append([way for way in ways if way is not None])
    for chosen in itertools.product(*choices):
        yield tuple(itertools.chain.from_iterable(chosen))


def _set_aside(taken: Faces, parts: Parts, hot_dice: bool) -> SetAside:
    ordered = tuple(sorted(parts, key=lambda part: (-part.points, part.faces)))
    return SetAside(taken, sum(part.points for part in parts), ordered, hot_dice)
