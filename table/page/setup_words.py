"""The words of the set-up pages, in the language they play in."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.languages import Language, catalogue
from scoring.phrases import Wording
from table.game_draft import LONGEST_NAME, NameFault

LANGUAGE_NAMES = {
    Language.DANISH: "Dansk",
    Language.NORWEGIAN: "Norsk",
    Language.FINNISH: "Suomi",
    Language.ENGLISH: "English",
}


class SetupWords:
    """What never changes is an attribute, what depends on the game a method."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self._messages = catalogue("table", language)
        self._wording = Wording(language, aloud=False)
        self._name_parts()
        self._name_players()
        self._name_rules()
        self._name_voice()

    def _name_parts(self) -> None:
        pgettext = self._messages.pgettext
        self.parts = {
            "players": pgettext("setup", "Players"),
            "rules": pgettext("setup", "Rules"),
            "voice": pgettext("setup", "Language"),
            "trial": pgettext("setup", "Test throw"),
        }
        self.begin = pgettext("setup", "Begin the game")
        self.too_few = pgettext("setup", "two players or more")
        self.too_many = pgettext("setup", "ten players at most")
        self.undecided = pgettext("setup", "who begins?")
        self.under_way = pgettext("setup", "A game is under way")
        self.begin_anew = pgettext("setup", "Begin a new game")
        self.go_on = pgettext("setup", "Go on playing")
        self.close = pgettext("setup", "Close")

    def _name_players(self) -> None:
        pgettext = self._messages.pgettext
        self.add = pgettext("setup", "Add a player")
        self.played_before = pgettext("setup", "Played here before")
        self.nobody_yet = pgettext("setup", "Nobody plays yet")
        self.who_begins = pgettext("setup", "Who begins?")
        self.in_order = pgettext("setup", "First in the list")
        self.by_throwing = pgettext("setup", "One die each")
        self.die_is_read = pgettext("setup", "Throw it into the tray, or tap what it shows")
        self.take_back = pgettext("setup", "Take back")
        self.name = pgettext("setup", "Name")
        self.done = pgettext("setup", "Done")
        self.space = pgettext("setup", "Space")
        self.erase = pgettext("setup", "Erase a letter")
        self.capitals = pgettext("setup", "Capital letters")

    def _name_rules(self) -> None:
        pgettext = self._messages.pgettext
        self.as_others_allow = pgettext("setup", "Not together with the other rules as they are")
        self.alike = (
            pgettext("setup", "Four alike"),
            pgettext("setup", "Five alike"),
            pgettext("setup", "Six alike"),
        )

    def _name_voice(self) -> None:
        pgettext = self._messages.pgettext
        self.table_language = pgettext("setup", "Page, voice and terminal speak")
        self.voice = pgettext("setup", "Voice")
        self.voice_on = pgettext("setup", "On")
        self.voice_off = pgettext("setup", "Off")
        self.volume = pgettext("setup", "Volume")
        self.louder, self.quieter = pgettext("setup", "Louder"), pgettext("setup", "Quieter")
        self.try_voice = pgettext("setup", "Try it")
        self.sample = pgettext("setup", "This is how the table sounds.")
        self.no_voice = pgettext(
            "setup",
            "No voice is installed. On the table's machine: sudo apt-get install espeak-ng alsa-utils",
        )
        self.nothing_counts = pgettext("setup", "Throw as you like: nothing counts while this is open")
        self.nothing_lies = pgettext("setup", "No dice in the tray")
        self.moving = pgettext("setup", "Dice are moving")
        self.no_camera = pgettext("setup", "There is no picture to read dice in")

    def going_on(self, totals: Sequence[tuple[str, int]]) -> str:
        """Say how the game stands that a new one would leave."""
        told = self._messages.pgettext("setup", "{totals}. It stays stored, but a new one is played instead.")
        return told.format(totals=", ".join(f"{name} {total}" for name, total in totals))

    def begins(self, player: str) -> str:
        """Name who begins."""
        return self._messages.pgettext("setup", "{player} begins").format(player=player)

    def throws(self, player: str) -> str:
        """Ask for a throw of one die."""
        return self._messages.pgettext("setup", "{player}, throw one die").format(player=player)

    def tied(self, players: Sequence[str]) -> str:
        """Say who throws again."""
        told = self._messages.pgettext("setup", "As high: {players} throw again")
        return told.format(players=self._wording.all_of(players))

    def fault(self, fault: NameFault, name: str) -> str:
        """Say why a name cannot be a player's."""
        pgettext = self._messages.pgettext
        told = {
            NameFault.EMPTY: pgettext("setup", "Type a name"),
            NameFault.TAKEN: pgettext("setup", "{name} plays already"),
            NameFault.TOO_LONG: pgettext("setup", "At most {count} letters"),
            NameFault.UNPRINTABLE: pgettext("setup", "This name cannot be shown"),
        }
        return told[fault].format(name=name.strip(), count=LONGEST_NAME)

    def move_up(self, player: str) -> str:
        """Name a button."""
        return self._messages.pgettext("setup", "{player}: earlier").format(player=player)

    def move_down(self, player: str) -> str:
        """Name a button."""
        return self._messages.pgettext("setup", "{player}: later").format(player=player)

    def remove(self, player: str) -> str:
        """Name a button."""
        return self._messages.pgettext("setup", "{player}: does not play").format(player=player)

    def rename(self, player: str) -> str:
        """Name a button."""
        return self._messages.pgettext("setup", "{player}: another name").format(player=player)

    def recolour(self, player: str) -> str:
        """Name a button."""
        return self._messages.pgettext("setup", "{player}: another colour").format(player=player)

    def changed(self, count: int) -> str:
        """Count the rules that are not the preset's."""
        told = self._messages.npgettext("setup", "1 rule changed", "{count} rules changed", count)
        return told.format(count=count)

    def back_to(self, preset: str) -> str:
        """Name the button that takes back all changes."""
        return self._messages.pgettext("setup", "Back to: {preset}").format(preset=preset)

    def as_preset(self, preset: str, value: str) -> str:
        """Say what a rule is in the preset."""
        return self._messages.pgettext("setup", "{preset}: {value}").format(preset=preset, value=value)
