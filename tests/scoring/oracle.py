"""A slow second opinion on set-asides, written from the rules' words and sharing no code with `scoring`.

A set-aside is any choice of the dice; it is worth the best of all ways to part it into combinations.
The rules come as a plain dictionary with the keys of the rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

Rules = Mapping[str, Any]
Dice = tuple[int, ...]


def worth_as_one_combination(dice: Dice, rules: Rules) -> int | None:
    """Points of `dice` taken as a single combination, None when they are none."""
    kinds = len(set(dice))
    options = []
    if dice == (1,):
        options.append(100)
    if dice == (5,):
        options.append(50)
    if kinds == 1 and len(dice) >= 3:
        three = 1000 if dice[0] == 1 else 100 * dice[0]
        extra = len(dice) - 3
        grown = {
            "adding": three * (extra + 1),
            "doubling": three * 2**extra,
        }
        if extra == 0:
            options.append(three)
        elif isinstance(rules["of_a_kind"], str):
            options.append(grown[str(rules["of_a_kind"])])
        else:
            options.append(rules["of_a_kind"][extra - 1])
    if len(dice) == 6:
        options += worth_as_whole_throw(dice, rules)
    return max(options, default=None)


def worth_as_whole_throw(dice: Dice, rules: Rules) -> Iterator[int]:
    if dice == (1, 2, 3, 4, 5, 6) and rules["straight"]:
        yield rules["straight"]
    paired = dice[0] == dice[1] and dice[2] == dice[3] and dice[4] == dice[5]
    allowed = {1: rules["six_alike"], 2: rules["four_plus_two"], 3: True}
    if paired and rules["three_pairs"] and allowed[len(set(dice))]:
        yield rules["three_pairs"]


def worth(dice: Dice, rules: Rules, known: dict[Dice, int | None]) -> int | None:
    """Best points over all ways to part the sorted `dice`, None when some die is always left over."""
    if not dice:
        return 0
    if dice not in known:
        first, others = dice[0], range(1, len(dice))
        best: list[int] = []
        for size in range(len(dice)):
            for chosen in combinations(others, size):
                part = worth_as_one_combination((first, *(dice[i] for i in chosen)), rules)
                rest = worth(tuple(dice[i] for i in others if i not in chosen), rules, known)
                if part is not None and rest is not None:
                    best.append(part + rest)
        known[dice] = max(best, default=None)
    return known[dice]


def expected_set_asides(throw: Dice, rules: Rules, known: dict[Dice, int | None]) -> dict[Dice, int]:
    """Every legal set-aside of `throw`, sorted, with its points. Keep one `known` a rule set."""
    dice = tuple(sorted(throw))
    found = {}
    for size in range(1, len(dice) + 1):
        for chosen in combinations(dice, size):
            points = worth(chosen, rules, known)
            if points is not None:
                found[chosen] = points
    if not found and len(dice) == 6 and rules["nothing_on_six"]:
        return {dice: int(rules["nothing_on_six"])}
    if rules["take_all"] and found:
        most = max(len(taken) for taken in found)
        found = {taken: points for taken, points in found.items() if len(taken) == most}
    return found
