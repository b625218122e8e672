"""What keeps a player from banking: the one place that knows the limits, for play and for advice alike."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from scoring.combinations import SINGLE
from scoring.ruleset import HotDice, Ruleset
from scoring.set_asides import SetAside, with_single


class BankObstacleKind(StrEnum):
    """Which rule keeps the player from banking."""

    HOT_DICE = "hot_dice"
    CONFIRMATION = "confirmation"
    OVER_LIMIT = "over_limit"
    OPENING = "opening"
    LEAST_BANKING = "least_banking"


@dataclass(frozen=True, slots=True)
class BankObstacle:
    """One rule that keeps the player from banking; `missing` points lift it, None where points cannot.

    `limit`: the points of the turn that the rule asks for; with `OVER_LIMIT`, the total that is over it.
    """

    kind: BankObstacleKind
    missing: int | None = None
    limit: int | None = None

    def __str__(self) -> str:
        return _WORDS[self.kind].format(missing=self.missing, limit=self.limit)


_WORDS = {
    BankObstacleKind.HOT_DICE: "all six dice are set aside and must be thrown again",
    BankObstacleKind.CONFIRMATION: "needs a single 1 or 5 in the last set-aside",
    BankObstacleKind.OVER_LIMIT: "needs {missing} more to reach the target, as the total is over {limit}",
    BankObstacleKind.OPENING: "needs {missing} more to open",
    BankObstacleKind.LEAST_BANKING: "needs {missing} more to bank",
}


def least_to_bank(ruleset: Ruleset, total: int, *, opened: bool) -> int:
    """Return the least points of the turn that a player with `total` may bank, by all limits together."""
    return max(ruleset.least_banking, *_raised_limits(ruleset, total, opened=opened).values(), 0)


def counted_to_bank(set_aside: SetAside, ruleset: Ruleset) -> SetAside | None:
    """Return `set_aside` as it counts when the turn ends with it, None when the turn may not.

    Where banking needs a single 1 or 5, the player may count the dice for less so that one stands alone:
    1-1-1-1 as three 1s and a single 1.
    """
    if set_aside.hot_dice and ruleset.hot_dice is HotDice.MUST:
        return None
    if not ruleset.confirmation or any(part.name == SINGLE for part in set_aside.parts):
        return set_aside
    return with_single(set_aside, ruleset)


def bank_obstacles_after(
    set_aside: SetAside, ruleset: Ruleset, *, points: int, total: int, opened: bool
) -> tuple[BankObstacle, ...]:
    """Return all that keeps a player with `total` from banking the turn's `points` after `set_aside`."""
    found = []
    if set_aside.hot_dice and ruleset.hot_dice is HotDice.MUST:
        found.append(BankObstacle(BankObstacleKind.HOT_DICE))
    elif (counted := counted_to_bank(set_aside, ruleset)) is None:
        found.append(BankObstacle(BankObstacleKind.CONFIRMATION))
    else:
        points -= set_aside.points - counted.points
    least = least_to_bank(ruleset, total, opened=opened)
    if points < least:
        raised = _raised_limits(ruleset, total, opened=opened)
        binding = (kind for kind, limit in raised.items() if limit == least)
        kind = next(binding, BankObstacleKind.LEAST_BANKING)
        limit = ruleset.over_limit if kind is BankObstacleKind.OVER_LIMIT else least
        found.append(BankObstacle(kind, least - points, limit))
    return tuple(found)


def _raised_limits(ruleset: Ruleset, total: int, *, opened: bool) -> dict[BankObstacleKind, int]:
    """Return the limits that hold for this player now, beside the least banking."""
    limits = {}
    if 0 < ruleset.over_limit < total:
        limits[BankObstacleKind.OVER_LIMIT] = ruleset.target - total
    if not opened:
        limits[BankObstacleKind.OPENING] = ruleset.opening
    return limits
