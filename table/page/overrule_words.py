"""The words of overruling the referee and correcting the game, in the language they play in."""

from __future__ import annotations

from scoring.languages import Language, catalogue
from vision.domain import DieState


class OverruleWords:
    """`lies`: what a die does by how it lies, as buttons; `asks`: what is asked of a die that lies so."""

    def __init__(self, language: Language) -> None:
        pgettext = catalogue("table", language).pgettext
        self.lies = {
            DieState.FLAT: pgettext("overrule", "Lies flat"),
            DieState.TILTED: pgettext("overrule", "Leans"),
            DieState.STACKED: pgettext("overrule", "On another"),
            DieState.OUTSIDE: pgettext("overrule", "Outside"),
        }
        self.asks = {
            DieState.TILTED: pgettext("overrule", "It leans. What would it have been?"),
            DieState.STACKED: pgettext("overrule", "It lies on another. What would it have been?"),
            DieState.OUTSIDE: pgettext("overrule", "It lies outside. What would it have been?"),
        }
        self.not_seen = pgettext("overrule", "A die that was not seen: what does it show?")
        self.add_die = pgettext("overrule", "Add a die that was not seen")
        self.correct_total = pgettext("overrule", "Correct total")
        self.take_out = pgettext("overrule", "Plays no further")
        self.take_in = pgettext("overrule", "Plays again")
        self.set_it = pgettext("overrule", "Set")
        self.turns = pgettext("overrule", "Correct a turn")
        self.no_turns = pgettext("overrule", "Nothing has been thrown yet")
        self.was_misroll = pgettext("overrule", "It was a misroll")
        self.did_not_happen = pgettext("overrule", "It did not happen")
        self.other_throw = pgettext("overrule", "Other dice")
        self.other_points = pgettext("overrule", "Other points")
        self._not_other = pgettext("overrule", "with a {face}, not a {other}")
        self._it_shows = pgettext("overrule", "with a {face}")
        self._of_player = pgettext("overrule", "{player}: {total}")
        self._is_turn = pgettext("overrule", "It is the turn of {player}")

    def instead(self, face: int, other: int | None) -> str:
        """Say that the doubted die shows `face`, and not `other`."""
        return (self._not_other if other else self._it_shows).format(face=face, other=other)

    def of_player(self, player: str, total: int) -> str:
        """Name a player with the total."""
        return self._of_player.format(player=player, total=total)

    def is_turn(self, player: str) -> str:
        """Say whose turn it is."""
        return self._is_turn.format(player=player)
