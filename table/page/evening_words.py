"""The words of the evening's page, in the language they play in."""

from __future__ import annotations

import math

from scoring.fairness import Fairness, FairnessFinding
from scoring.languages import Language, catalogue
from scoring.phrases import Wording
from scoring.statistics import PlayerStatistics

NONE = "–"
FAIR_PERCENT = 17


class EveningWords:
    """`columns`: headings of the statistics, in the order of `figures`."""

    def __init__(self, language: Language) -> None:
        self._messages = catalogue("table", language)
        self._wording = Wording(language, aloud=False)
        pgettext = self._messages.pgettext
        self.graph = pgettext("evening", "Points after each round")
        self.players = pgettext("evening", "The players")
        self.player = pgettext("evening", "Player")
        self.dice = pgettext("evening", "The dice")
        self.columns = (
            pgettext("evening", "Points a turn"),
            pgettext("evening", "Busts"),
            pgettext("evening", "Opened in round"),
            pgettext("evening", "Best turn"),
            pgettext("evening", "Throws"),
            pgettext("evening", "Misrolls"),
            pgettext("evening", "Hot dice"),
            pgettext("evening", "Luck"),
        )
        self.luck = pgettext(
            "evening",
            "Luck: by how many points the throws were better than average. A throw brings the most points it"
            " offers, or costs the turn's points when it gives nothing; that is held against what as many"
            " dice bring on average. How well a player chooses does not count.",
        )
        self.reckoning = pgettext("evening", "Counting…")

    def number(self, number: int) -> str:
        """Write a number with its thousands apart."""
        return self._wording.number(number)

    def figures(self, player: PlayerStatistics) -> tuple[str, ...]:
        """Return what stands in a player's row."""
        return (
            NONE if player.points_a_turn is None else self.number(round(player.points_a_turn)),
            NONE if player.bust_rate is None else self._percent(100 * player.bust_rate),
            NONE if player.opened_in is None else str(player.opened_in),
            NONE if player.best_turn is None else self.number(player.best_turn),
            str(player.throws),
            str(player.misrolls),
            str(player.hot_dice),
            self._signed(round(player.luck)),
        )

    def fairness(self, dice: Fairness) -> str:
        """Say in a sentence or two whether the dice look fair, and how much so many dice can tell."""
        pgettext = self._messages.pgettext
        words = {
            FairnessFinding.TOO_FEW: self._messages.npgettext(
                "fairness",
                "One die thrown: too few to say whether the dice are fair.",
                "{dice} dice thrown: too few to say whether they are fair.",
                dice.dice,
            ),
            FairnessFinding.EVEN: pgettext(
                "fairness",
                "{dice} dice thrown, and nothing speaks against them: fair dice come out at least as uneven"
                " in {share} of such games. So many would show a face that comes up {detectable} of the time"
                " instead of {fair}, hardly a smaller fault.",
            ),
            FairnessFinding.UNUSUAL: pgettext(
                "fairness",
                "{dice} dice thrown, unusually uneven, above all the face {face}: fair dice come out so in"
                " about one of {games} games. That may be chance; see whether another evening says the same.",
            ),
            FairnessFinding.VERY_UNUSUAL: pgettext(
                "fairness",
                "{dice} dice thrown, so uneven that chance hardly explains it, above all the face {face}:"
                " fair dice come out so in about one of {games} games. Look at the dice, and at how they are"
                " read.",
            ),
        }
        return words[dice.finding].format(
            dice=self.number(dice.dice),
            share=self._percent(100 * dice.p_value),
            detectable=self._percent(100 * dice.detectable),
            fair=self._percent(FAIR_PERCENT),
            face=dice.farthest_face,
            games=self.number(_one_in(dice.p_value)),
        )

    def face_count(self, face: int, count: int) -> str:
        """Say how many dice showed a face, for those who hear the page."""
        told = self._messages.pgettext("evening", "Face {face}: {count}")
        return told.format(face=face, count=self.number(count))

    def _percent(self, percent: float) -> str:
        return self._messages.pgettext("evening", "{percent}%").format(percent=round(percent))

    def _signed(self, number: int) -> str:
        sign = "+" if number > 0 else "−" if number < 0 else ""
        return sign + self.number(abs(number))


def _one_in(chance: float) -> int:
    """Return how many games one is of, rounded to a figure and a million at most."""
    games = 1 / max(chance, 1e-6)
    size = int(10.0 ** int(math.log10(games)))
    return round(games / size) * size
