"""The rules of a table as data: a frozen `Ruleset`, its presets, and how it is read, changed and written.

The presets are TOML files in `scoring/presets`. Sources: the Danish page "Terningspil: 10.000", the Norwegian
"Ti tusen", the Finnish "Kymppitonni", and Busche's analysis of Zilch.
"""

from __future__ import annotations

import dataclasses
import math
import reprlib
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from importlib import resources
from pathlib import Path
from typing import Any, TypeAlias, cast

from scoring.errors import RulesetError
from scoring.ruleset_fields import AlikePoints, FieldKind, OneOf, Points, YesNo

PRESETS = ("danish", "norwegian", "finnish", "zilch")
DEFAULT_PRESET = "danish"

_FILE_HEADING = """\
# A rule set of titusind. A file of your own needs only the lines that differ from the Danish rules,
# or from another preset named like this: based_on = "norwegian"
"""


class OfAKind(StrEnum):
    """How four, five and six alike grow from three alike: x2 x3 x4, or x2 x4 x8."""

    ADDING = "adding"
    DOUBLING = "doubling"


class HotDice(StrEnum):
    """Whether all six dice set aside may or must be thrown again."""

    MAY = "may"
    MUST = "must"


class End(StrEnum):
    """What happens once a player has reached the target."""

    FIRST = "first"
    LAST_TURN_EACH = "last_turn_each"
    EQUAL_TURNS = "equal_turns"


class MisrollRule(StrEnum):
    """What a misroll costs: the throw, or the turn."""

    RETHROW = "rethrow"
    BUST = "bust"


OfAKindPoints: TypeAlias = OfAKind | tuple[int, int, int]


def _rule(kind: FieldKind, meaning: str) -> dict[str, object]:
    return {"kind": kind, "meaning": meaning}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """One table's rules. Two rule sets are equal when they rule alike, whatever their `name`.

    Raises `RulesetError` when a value has the wrong type, is out of range, or clashes with another.
    """

    name: str = field(compare=False)
    of_a_kind: OfAKindPoints = field(
        metadata=_rule(
            AlikePoints(OfAKind),
            "Four, five and six alike: adding = three alike x2 x3 x4, doubling = x2 x4 x8, or fixed points.",
        )
    )
    straight: int = field(metadata=_rule(Points(off_at_zero=True), "1-2-3-4-5-6 in one throw."))
    three_pairs: int = field(metadata=_rule(Points(off_at_zero=True), "Three different pairs in one throw."))
    four_plus_two: bool = field(metadata=_rule(YesNo(), "Four alike and two alike count as three pairs."))
    six_alike: bool = field(metadata=_rule(YesNo(), "Six alike count as three pairs."))
    nothing_on_six: int = field(
        metadata=_rule(
            Points(off_at_zero=True),
            "Six dice with nothing to set aside: these points and six new dice, no bust.",
        )
    )
    opening: int = field(metadata=_rule(Points(), "Least points of the turn for a player's first banking."))
    least_banking: int = field(
        metadata=_rule(Points(), "Least points of the turn for every banking, the winning one too.")
    )
    first_throw_relief: bool = field(
        metadata=_rule(
            YesNo(), "A player who has not opened may throw again when the turn's first throw gives nothing."
        )
    )
    hot_dice: HotDice = field(
        metadata=_rule(OneOf(HotDice), "All six dice set aside: may or must be thrown again.")
    )
    confirmation: bool = field(
        metadata=_rule(YesNo(), "Banking needs a single 1 or 5 in the last set-aside.")
    )
    take_all: bool = field(metadata=_rule(YesNo(), "Every scoring die must be set aside."))
    target: int = field(metadata=_rule(Points(least=1000), "Points to reach."))
    end: End = field(
        metadata=_rule(
            OneOf(End),
            "At the target: first = wins at once, last_turn_each = every other player has one last turn, "
            "equal_turns = the round is finished.",
        )
    )
    exact_target: bool = field(
        metadata=_rule(YesNo(), "The target must be met exactly; passing it scores 0 for the turn.")
    )
    over_limit: int = field(
        metadata=_rule(
            Points(off_at_zero=True), "A player above this banks only points that reach the target."
        )
    )
    three_busts: int = field(metadata=_rule(Points(off_at_zero=True), "Taken off for three busts in a row."))
    misroll: MisrollRule = field(
        metadata=_rule(OneOf(MisrollRule), "A misroll: the whole throw again, or a bust.")
    )
    knock_relief: bool = field(
        metadata=_rule(YesNo(), "One knock on the table that lays a leaning die flat saves the throw.")
    )

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name.strip() or not self.name.isprintable():
            raise RulesetError("name", repr(self.name), "a line of text")
        for key, kind in _kinds():
            object.__setattr__(self, key, _accepted(key, kind, getattr(self, key)))
        for clash in _clashes(self):
            raise clash


def load_preset(name: str) -> Ruleset:
    """Return the preset called `name`; raises `RulesetError` unless it is one of `PRESETS`."""
    if name not in PRESETS:
        raise RulesetError("rules", reprlib.repr(name), f"{', '.join(PRESETS)}, or a file like house.toml")
    text = resources.files("scoring").joinpath("presets", f"{name}.toml").read_text(encoding="utf-8")
    return Ruleset(**tomllib.loads(text))


def load_ruleset(name_or_path: str | Path) -> Ruleset:
    """Return a preset by its name, or the rule set of a TOML file.

    A file says what differs: keys it leaves out are those of the preset named by its key `based_on`
    (default danish), its name is its key `name` or the file's own.
    Raises `RulesetError` for an unknown name, an unreadable file, an unknown key or a value not accepted.
    """
    if str(name_or_path) in PRESETS or not _looks_like_path(str(name_or_path)):
        return load_preset(str(name_or_path))
    path = Path(name_or_path)
    try:
        return _from_table({"name": path.stem, **_read_toml(path)})
    except RulesetError as error:
        raise error.within(str(path)) from None


def with_overrides(ruleset: Ruleset, overrides: Mapping[str, str]) -> Ruleset:
    """Return `ruleset` with fields replaced by words, like `{"straight": "0", "four_plus_two": "yes"}`.

    Raises `RulesetError` for an unknown key, a word not accepted, or fields that clash.
    """
    if not overrides:
        return ruleset
    kinds = rule_kinds()
    values: dict[str, Any] = {}
    for key, word in overrides.items():
        if key not in kinds:
            raise _unknown_key(key)
        try:
            values[key] = kinds[key].from_text(word)
        except ValueError:
            raise RulesetError(key, reprlib.repr(word), kinds[key].accepts) from None
    name = ", ".join([ruleset.name, *(f"{key}={word.strip()}" for key, word in overrides.items())])
    return dataclasses.replace(ruleset, name=name, **values)


def to_toml(ruleset: Ruleset) -> str:
    """Write `ruleset` as TOML, every field with its meaning and what it accepts as comments."""
    blocks = [f"{_FILE_HEADING}\nname = {_toml_string(ruleset.name)}\n"]
    for rule in _rule_fields():
        kind = rule.metadata["kind"]
        value = kind.to_toml(getattr(ruleset, rule.name))
        blocks.append(
            f"# {rule.metadata['meaning']}\n# Accepts: {kind.accepts}.\n{rule.name} = {value}\n",
        )
    return "\n".join(blocks)


def to_record(ruleset: Ruleset) -> dict[str, object]:
    """Return the rule set's name and fields as plain values, in the order of the rules."""
    return dataclasses.asdict(ruleset)


def from_record(record: Mapping[str, object]) -> Ruleset:
    """Return the rule set of which `record` holds every field, as `to_record` gives them, also after JSON.

    Raises `RulesetError` for a field that is unknown, missing or of a value not accepted.
    """
    kinds = rule_kinds()
    for key in record.keys() - kinds.keys() - {"name"}:
        raise _unknown_key(key)
    for key in kinds.keys() - record.keys():
        raise RulesetError(key, "nothing", kinds[key].accepts)
    return Ruleset(**{"name": None, **cast(dict[str, Any], dict(record))})


def rule_kinds() -> dict[str, FieldKind]:
    """Return what each field of the rules accepts, by key, in their order."""
    return dict(_kinds())


def smallest_step(rules: Ruleset) -> int:
    """Return the greatest number that divides every number of points the rules can give or take."""
    fixed = rules.of_a_kind if isinstance(rules.of_a_kind, tuple) else ()
    return math.gcd(
        50, rules.straight, rules.three_pairs, rules.nothing_on_six, rules.three_busts, *fixed
    )  # single 5s give 50, all that three alike give are multiples of it


def _rule_fields() -> tuple[dataclasses.Field[Any], ...]:
    return tuple(rule for rule in dataclasses.fields(Ruleset) if "kind" in rule.metadata)


def _kinds() -> Iterator[tuple[str, FieldKind]]:
    for rule in _rule_fields():
        yield rule.name, cast(FieldKind, rule.metadata["kind"])


def _accepted(key: str, kind: FieldKind, value: object) -> object:
    try:
        return kind.read(value)
    except ValueError:
        raise RulesetError(key, reprlib.repr(value), kind.accepts) from None


def _unknown_key(key: str) -> RulesetError:
    known = ", ".join(key for key, _ in _kinds())
    return RulesetError(key, "no such field", known)


def _clashes(rules: Ruleset) -> Iterator[RulesetError]:
    """Yield the fields that contradict each other or could never have an effect."""
    for key in ("opening", "least_banking"):
        if getattr(rules, key) > rules.target:
            yield RulesetError(key, str(getattr(rules, key)), f"at most the target, {rules.target}")
    if rules.over_limit >= rules.target:
        yield RulesetError(
            "over_limit", str(rules.over_limit), f"0 (off) or below the target, {rules.target}"
        )
    for key in ("four_plus_two", "six_alike"):
        if getattr(rules, key) and not rules.three_pairs:
            yield RulesetError(key, "yes with three_pairs 0 (off)", "no, unless three_pairs gives points")
    step = smallest_step(rules)
    if rules.exact_target and rules.target % step:
        yield RulesetError(
            "exact_target",
            f"yes with target {rules.target}",
            f"a target that points in steps of {step} can meet",
        )


def _looks_like_path(name: str) -> bool:
    return name.endswith(".toml") or "/" in name or "\\" in name


def _read_toml(path: Path) -> dict[str, object]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise RulesetError("rules", f"a file that cannot be read ({error.strerror})", "a TOML file") from None
    except UnicodeDecodeError:
        raise RulesetError("rules", "a file that is not UTF-8 text", "a TOML file") from None
    except (ValueError, RecursionError) as error:
        raise RulesetError(
            "rules", f"a file that is not TOML ({error})", "lines like straight = 1500"
        ) from None


def _from_table(table: Mapping[str, object]) -> Ruleset:
    values = dict(table)
    base = values.pop("based_on", DEFAULT_PRESET)
    if base not in PRESETS:
        raise RulesetError("based_on", reprlib.repr(base), ", ".join(PRESETS))
    known = {"name", *(key for key, _ in _kinds())}
    for key in values:
        if key not in known:
            raise _unknown_key(key)
    changes = cast(dict[str, Any], values)
    return dataclasses.replace(load_preset(str(base)), **changes)


def _toml_string(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
