"""The words of the page of kept games, in the language they play in."""

from __future__ import annotations

from datetime import datetime

from scoring.faces import spell_faces
from scoring.game import Game
from scoring.languages import Language, catalogue
from scoring.phrases import Wording
from scoring.played_turns import Ending, PlayedThrow, PlayedTurn
from table.page.rule_words import RuleWords


class HistoryWords:
    """What never changes is an attribute, what depends on a game a method."""

    def __init__(self, language: Language) -> None:
        self._messages = catalogue("table", language)
        self._wording = Wording(language, aloud=False)
        self._rules = RuleWords(language)
        pgettext = self._messages.pgettext
        self.looking = pgettext("history", "Looking…")
        self.none_yet = pgettext("history", "No games yet. Every game that is played is kept here.")
        self.not_kept = pgettext(
            "history", "This table keeps no games: a clip is shown. With --games FILE they are kept."
        )
        self.all_games = pgettext("history", "All games")
        self.earlier = pgettext("history", "Earlier games")
        self.more_turns = pgettext("history", "More turns")
        self.turns = pgettext("history", "Turn by turn")
        self.not_over = pgettext("history", "not over")
        self.go_on = pgettext("history", "Go on with this game")
        self.played_now = pgettext("history", "This game is played now")
        self.left_stays = pgettext("history", "The game played so far stays among these, as it stands")
        self.misroll = pgettext("history", "Misroll")
        self.no_picture = pgettext("history", "No picture is kept of this throw")
        self.export = pgettext("history", "For other programs")
        self.export_all = pgettext("history", "All games for other programs")

    def number(self, number: int) -> str:
        """Write a number with its thousands apart."""
        return self._wording.number(number)

    def when(self, moment: str) -> str:
        """Write a moment, UTC, as the clock on the wall shows it."""
        return f"{datetime.fromisoformat(moment).astimezone():%Y-%m-%d %H:%M}"

    def rules(self, game: Game) -> str:
        """Name the rules of a game."""
        return self._rules.presets.get(game.ruleset.name, game.ruleset.name)

    def unreadable(self, why: object) -> str:
        """Say that a game or all of them cannot be read."""
        return self._messages.pgettext("history", "This cannot be read: {why}").format(why=why)

    def ending(self, turn: PlayedTurn) -> str:
        """Say how a turn ended."""
        pgettext = self._messages.pgettext
        words = {
            None: pgettext("history", "under way"),
            Ending.BANKED: pgettext("history", "banked {points}"),
            Ending.BUST: pgettext("history", "bust"),
            Ending.PASSED_TARGET: pgettext("history", "past the target"),
            Ending.RULED_OUT: pgettext("history", "ended without points"),
        }
        penalty = f" ({self.number(turn.points)})" if turn.points < 0 else ""
        return words[turn.ending].format(points=self.number(turn.points)) + penalty

    def turn(self, turn: PlayedTurn) -> str:
        """Name a turn by its number."""
        return self._messages.pgettext("history", "Turn {number}").format(number=turn.number + 1)

    def takes(self, throw: PlayedThrow) -> str:
        """Say what the dice that were set aside gave."""
        return "" if throw.set_aside is None else f"+{self.number(throw.points)}"

    def heard(self, throw: PlayedThrow) -> str:
        """Tell a throw to those who hear the page."""
        faces = self.misroll if throw.misroll or throw.faces is None else spell_faces(throw.faces)
        if throw.set_aside is None:
            return faces
        told = self._messages.pgettext("history", "{faces}, of them {set_aside} set aside: {points}")
        aside, points = spell_faces(throw.set_aside), self.number(throw.points)
        return told.format(faces=faces, set_aside=aside, points=points)
