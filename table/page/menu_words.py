"""The words of what the menu does on the play page, in the language they play in."""

from __future__ import annotations

from scoring.languages import Language, catalogue


class MenuWords:
    """Names what can be turned on and off, and who may join."""

    def __init__(self, language: Language) -> None:
        pgettext = catalogue("table", language).pgettext
        self.show_advice = pgettext("menu", "Show advice")
        self.hide_advice = pgettext("menu", "Hide advice")
        self.add_player = pgettext("menu", "Add a player")
        self.who_joins = pgettext("menu", "Who joins?")
        self.another_name = pgettext("menu", "Another name")
