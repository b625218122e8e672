"""Rule sets changed field by field, as people do before a game: what comes of it is a rule set every time."""

from __future__ import annotations

import dataclasses
from typing import Any

from scoring.errors import RulesetError
from scoring.ruleset import PRESETS, Ruleset, load_preset, rule_kinds, smallest_step

LEAST_STEP = 50  # points of the least that can be set aside


def edited(rules: Ruleset, key: str, value: object) -> Ruleset:
    """Return `rules` with the field `key` as `value`; of fields that clash then, one gives way.

    The target, three pairs and points stay; a least or a limit above the target is lowered to fit, a switch
    that could have no effect, or that no points could meet, is turned off - `key` itself, if it is that one.
    Raises RulesetError for no such field and for a value that it never accepts.
    """
    values = {**_values(rules), key: _read(key, value)}
    wanted = values.pop("exact_target")
    target = values["target"]
    for least in ("opening", "least_banking"):
        values[least] = min(values[least], target)
    if values["over_limit"] >= target:
        values["over_limit"] = target - LEAST_STEP
    for switch in ("four_plus_two", "six_alike"):
        values[switch] = values[switch] and values["three_pairs"] > 0
    inexact = Ruleset(name=rules.name, exact_target=False, **values)
    return dataclasses.replace(inexact, exact_target=wanted and target % smallest_step(inexact) == 0)


def differing(rules: Ruleset, others: Ruleset) -> tuple[str, ...]:
    """Return the keys of the fields in which two rule sets differ, in the order of the rules."""
    return tuple(key for key in rule_kinds() if getattr(rules, key) != getattr(others, key))


def nearest_preset(rules: Ruleset) -> str:
    """Return the name of the preset that `rules` differ from in the fewest fields."""
    return min(PRESETS, key=lambda name: len(differing(rules, load_preset(name))))


def named_after(rules: Ruleset, preset: str) -> Ruleset:
    """Return `rules` by the name of `preset` and what differs from it: `danish, straight=0`."""
    changed = (f"{key}={_spelt(getattr(rules, key))}" for key in differing(rules, load_preset(preset)))
    return dataclasses.replace(rules, name=", ".join([preset, *changed]))


def _values(rules: Ruleset) -> dict[str, Any]:
    return {key: getattr(rules, key) for key in rule_kinds()}


def _read(key: str, value: object) -> Any:
    kinds = rule_kinds()
    if key not in kinds:
        raise RulesetError(key, "no such field", ", ".join(kinds))
    try:
        return kinds[key].read(value)
    except ValueError:
        raise RulesetError(key, repr(value), kinds[key].accepts) from None


def _spelt(value: object) -> str:
    """Spell a value as `--set` takes it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
