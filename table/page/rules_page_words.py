"""The words of the rules' page beside those of `table.page.rule_words`, in the language they play in."""

from __future__ import annotations

from scoring.languages import Language, catalogue
from scoring.phrases import Wording


class RulesPageWords:
    """`shared`: what all rule sets have in common, a sentence each. `counts`: headings of the score table."""

    def __init__(self, language: Language) -> None:
        pgettext = catalogue("table", language).pgettext
        self._wording = Wording(language, aloud=False)
        self.points = pgettext("rules page", "The score table")
        self.played = pgettext("rules page", "How it is played")
        self.counts = (
            pgettext("rules page", "alone"),
            pgettext("rules page", "three"),
            pgettext("rules page", "four"),
            pgettext("rules page", "five"),
            pgettext("rules page", "six"),
        )
        self.shared = (
            pgettext(
                "rules page",
                "A turn begins with all six dice. Of every throw at least one die that gives points is set"
                " aside; then the player throws the others, or banks.",
            ),
            pgettext(
                "rules page",
                "A throw with nothing to set aside ends the turn, and the turn's points are lost.",
            ),
            pgettext(
                "rules page",
                "Dice count together only when they fell in the same throw: two fives, and a third one thrown"
                " later, are three single fives.",
            ),
        )

    def number(self, number: int | None) -> str:
        """Write points, a dash for none."""
        return "–" if number is None else self._wording.number(number)
