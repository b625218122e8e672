"""The fields of a rule set in plain words, in the language they play in: a title, a value, a whole sentence.

`RuleWords(language).lines(rules)` says all there is to say of a game's rules beyond what all rule sets share.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from scoring.languages import Language, catalogue
from scoring.ruleset import End, HotDice, MisrollRule, OfAKind, Ruleset

Sentence: TypeAlias = Callable[[Any], str]  # of a field's value
Pgettext: TypeAlias = Callable[[str, str], str]


@dataclass(frozen=True, slots=True)
class RuleLine:
    """One field of a rule set: its `key` there, what it is called, its value, and what the rule then is."""

    key: str
    title: str
    value: str
    sentence: str


class RuleWords:
    """Rule sets in one language.

    `presets`: their names by name. `groups`: heading and keys of fields that belong together, every field
    once. `titles`: of the fields, by key. `choices`: the words of a field that is one of a few, by key.
    """

    def __init__(self, language: Language) -> None:
        pgettext = catalogue("table", language).pgettext
        self.presets = _presets(pgettext)
        self.titles = _titles(pgettext)
        self.groups = _groups(pgettext)
        self.choices = _choices(pgettext)
        self.yes, self.no = pgettext("rule value", "yes"), pgettext("rule value", "no")
        self.off = pgettext("rule value", "off")
        self.any_points = pgettext("rule value", "any")
        self.fixed_points = pgettext("rule value", "fixed points")
        self._sentences = {**_combinations(pgettext), **_turns(pgettext), **_endings(pgettext)}

    def lines(self, rules: Ruleset) -> tuple[RuleLine, ...]:
        """Return every field of `rules` in words, in the order of the groups."""
        return tuple(self.line(rules, key) for _, keys in self.groups for key in keys)

    def line(self, rules: Ruleset, key: str) -> RuleLine:
        """Return the field `key` of `rules` in words."""
        value = getattr(rules, key)
        return RuleLine(key, self.titles[key], self.value(key, value), self._sentences[key](value))

    def value(self, key: str, value: object) -> str:
        """Return the value of the field `key` in a word or a number."""
        if isinstance(value, bool):
            return self.yes if value else self.no
        if isinstance(value, tuple):
            return " / ".join(map(str, value))
        if value == 0:
            return self.any_points if key in ANY_AT_ZERO else self.off
        return self.choices[key][str(value)] if isinstance(value, str) else str(value)


ANY_AT_ZERO = frozenset({"opening", "least_banking"})  # where 0 allows all


def _presets(pgettext: Pgettext) -> dict[str, str]:
    return {
        "danish": pgettext("rules", "Danish rules"),
        "norwegian": pgettext("rules", "Norwegian rules"),
        "finnish": pgettext("rules", "Finnish rules"),
        "zilch": "Zilch",
    }


def _titles(pgettext: Pgettext) -> dict[str, str]:
    return {
        "of_a_kind": pgettext("rule", "Four, five and six alike"),
        "straight": pgettext("rule", "Straight"),
        "three_pairs": pgettext("rule", "Three pairs"),
        "four_plus_two": pgettext("rule", "Four and two alike"),
        "six_alike": pgettext("rule", "Six alike as pairs"),
        "nothing_on_six": pgettext("rule", "Nothing on six dice"),
        "opening": pgettext("rule", "Opening"),
        "least_banking": pgettext("rule", "Least banking"),
        "first_throw_relief": pgettext("rule", "First throw again"),
        "hot_dice": pgettext("rule", "All six set aside"),
        "confirmation": pgettext("rule", "Confirming"),
        "take_all": pgettext("rule", "Take everything"),
        "target": pgettext("rule", "Target"),
        "end": pgettext("rule", "End of the game"),
        "exact_target": pgettext("rule", "Exactly on target"),
        "over_limit": pgettext("rule", "Near the target"),
        "three_busts": pgettext("rule", "Three busts in a row"),
        "misroll": pgettext("rule", "Misroll"),
        "knock_relief": pgettext("rule", "Knocking"),
    }


def _groups(pgettext: Pgettext) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return (
        (
            pgettext("rules", "What counts"),
            ("of_a_kind", "straight", "three_pairs", "four_plus_two", "six_alike", "nothing_on_six"),
        ),
        (
            pgettext("rules", "Banking"),
            ("opening", "least_banking", "confirmation", "over_limit"),
        ),
        (pgettext("rules", "Throwing"), ("first_throw_relief", "hot_dice", "take_all", "three_busts")),
        (pgettext("rules", "Misrolls"), ("misroll", "knock_relief")),
        (pgettext("rules", "Target and end"), ("target", "end", "exact_target")),
    )


def _choices(pgettext: Pgettext) -> dict[str, dict[str, str]]:
    return {
        "of_a_kind": {OfAKind.ADDING: "×2 ×3 ×4", OfAKind.DOUBLING: "×2 ×4 ×8"},
        "hot_dice": {
            HotDice.MAY: pgettext("rule value", "may throw again"),
            HotDice.MUST: pgettext("rule value", "must throw again"),
        },
        "end": {
            End.FIRST: pgettext("rule value", "first one there wins"),
            End.LAST_TURN_EACH: pgettext("rule value", "one last turn each"),
            End.EQUAL_TURNS: pgettext("rule value", "finish the round"),
        },
        "misroll": {
            MisrollRule.RETHROW: pgettext("rule value", "throw again"),
            MisrollRule.BUST: pgettext("rule value", "bust"),
        },
    }


def _combinations(pgettext: Pgettext) -> dict[str, Sentence]:
    return {
        "of_a_kind": _alike(pgettext),
        "straight": _points(
            pgettext("rules", "1-2-3-4-5-6 in one throw gives {points} points."),
            pgettext("rules", "1-2-3-4-5-6 in one throw is nothing special."),
        ),
        "three_pairs": _points(
            pgettext("rules", "Three different pairs in one throw give {points} points."),
            pgettext("rules", "Three pairs are nothing special."),
        ),
        "four_plus_two": _switch(
            pgettext("rules", "Four alike and two alike in one throw count as three pairs."),
            pgettext("rules", "Four alike and two alike are not three pairs."),
        ),
        "six_alike": _switch(
            pgettext("rules", "Six alike may be counted as three pairs."),
            pgettext("rules", "Six alike are not three pairs."),
        ),
        "nothing_on_six": _points(
            pgettext("rules", "Six dice with nothing to set aside give {points} points and six new dice."),
            pgettext("rules", "Six dice with nothing to set aside are a bust, as any throw is."),
        ),
    }


def _alike(pgettext: Pgettext) -> Sentence:
    growing = _words(
        {
            OfAKind.ADDING: pgettext(
                "rules",
                "Four alike give twice the points of three alike, five alike three times, six alike four"
                " times.",
            ),
            OfAKind.DOUBLING: pgettext(
                "rules",
                "Every further die alike doubles the points of three alike: four alike give them twice, five"
                " alike four times, six alike eight times.",
            ),
        }
    )
    fixed = pgettext("rules", "Four alike give {four} points, five alike {five}, six alike {six}.")

    def alike(value: OfAKind | tuple[int, int, int]) -> str:
        if isinstance(value, tuple):
            return fixed.format(four=value[0], five=value[1], six=value[2])
        return growing(value)

    return alike


def _turns(pgettext: Pgettext) -> dict[str, Sentence]:
    return {
        "opening": _points(
            pgettext("rules", "A player's first banking takes {points} points in one turn, or more."),
            pgettext("rules", "A player's first banking takes no more than any other."),
        ),
        "least_banking": _points(
            pgettext(
                "rules", "Every banking takes {points} points in the turn, or more; the winning one too."
            ),
            pgettext("rules", "Any number of points may be banked."),
        ),
        "confirmation": _switch(
            pgettext("rules", "Banking needs a single 1 or 5 among the dice set aside last."),
            pgettext("rules", "Banking needs no 1 or 5 to confirm it."),
        ),
        "over_limit": _points(
            pgettext("rules", "A player with more than {points} points banks only what reaches the target."),
            pgettext("rules", "A player near the target banks as before."),
        ),
        "first_throw_relief": _switch(
            pgettext(
                "rules",
                "A player who has not opened may throw again when the turn's first throw gives nothing.",
            ),
            pgettext("rules", "A first throw that gives nothing is a bust, from the first turn on."),
        ),
        "hot_dice": _words(
            {
                HotDice.MAY: pgettext(
                    "rules", "When all six dice are set aside, the player may throw all six again."
                ),
                HotDice.MUST: pgettext(
                    "rules", "When all six dice are set aside, the player must throw all six again."
                ),
            }
        ),
        "take_all": _switch(
            pgettext("rules", "Every die that gives points must be set aside."),
            pgettext("rules", "The player chooses which of the dice that give points to set aside."),
        ),
        "three_busts": _points(
            pgettext("rules", "Three busts in a row cost {points} points."),
            pgettext("rules", "Busts cost the turn's points alone, however many in a row."),
        ),
    }


def _endings(pgettext: Pgettext) -> dict[str, Sentence]:
    return {
        "misroll": _words(
            {
                MisrollRule.RETHROW: pgettext("rules", "After a misroll the same dice are thrown again."),
                MisrollRule.BUST: pgettext("rules", "A misroll is a bust."),
            }
        ),
        "knock_relief": _switch(
            pgettext("rules", "If one knock on the table lays a leaning die flat, the throw counts."),
            pgettext("rules", "A leaning die is a misroll, and knocking on the table does not help."),
        ),
        "target": lambda points: pgettext("rules", "The game goes to {points} points.").format(points=points),
        "end": _words(
            {
                End.FIRST: pgettext("rules", "Whoever reaches the target first has won."),
                End.LAST_TURN_EACH: pgettext(
                    "rules", "Once somebody reaches the target, all the others have one last turn."
                ),
                End.EQUAL_TURNS: pgettext(
                    "rules",
                    "Once somebody reaches the target, the round is finished: all have as many turns.",
                ),
            }
        ),
        "exact_target": _switch(
            pgettext("rules", "The target must be met exactly: a turn that passes it gives nothing."),
            pgettext("rules", "The target may be passed."),
        ),
    }


def _switch(on: str, off: str) -> Sentence:
    return lambda value: on if value else off


def _points(some: str, none: str) -> Sentence:
    return lambda points: some.format(points=points) if points else none


def _words(sentences: dict[Any, str]) -> Sentence:
    return lambda value: sentences[value]
