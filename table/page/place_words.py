"""The words of the menu and of the help page, in the language they play in."""

from __future__ import annotations

from scoring.languages import Language, catalogue


class PlaceWords:
    """`titles`: of the pages beside the play page, by name. `help`: heading and text of each paragraph."""

    def __init__(self, language: Language) -> None:
        pgettext = catalogue("table", language).pgettext
        self.menu = pgettext("page", "Menu")
        self.to_the_table = pgettext("page", "To the table")
        self.titles = {
            "setup": pgettext("page", "Set-up"),
            "calibrate": pgettext("page", "Calibrate"),
            "evening": pgettext("page", "The evening"),
            "history": pgettext("page", "Games"),
            "rules": pgettext("page", "Rules"),
            "guests": pgettext("page", "Guests"),
            "help": pgettext("page", "Help"),
        }
        self.help = (
            (
                pgettext("help", "An ordinary turn"),
                pgettext(
                    "help",
                    "Throw the dice into the tray and take your hand away. The table reads the throw, says"
                    " what counts, and offers what can be set aside. Lift out what you take and throw the"
                    " others: it sees what you took. Nothing need be tapped.",
                ),
            ),
            (
                pgettext("help", "Banking"),
                pgettext(
                    "help",
                    "Tap Bank, or take all dice out of the tray: when the next player throws six dice, the"
                    " turn before is banked.",
                ),
            ),
            (
                pgettext("help", "A die was misread"),
                pgettext(
                    "help",
                    "Tap it, in the picture or in the row of dice below, and tap the face it shows. There you"
                    " also say how it lies, and what a leaning die would have been. Tap the plus, or its"
                    " place in the picture, for a die that was not seen. Tap a player to correct the total or"
                    " whose turn it is; Correct a turn, in the menu, puts earlier turns right.",
                ),
            ),
            (
                pgettext("help", "Misroll"),
                pgettext(
                    "help",
                    "A die outside the tray, leaning, or on top of another makes the throw a misroll: throw"
                    " all its dice again. You may overrule the table either way: Misroll, or Count it"
                    " anyway.",
                ),
            ),
            (
                pgettext("help", "The table asks"),
                pgettext(
                    "help",
                    "When it is not sure it counts nothing and asks. Correct what is wrong and count the"
                    " throw, or throw again.",
                ),
            ),
            (
                pgettext("help", "Without a picture"),
                pgettext(
                    "help",
                    "Tap Throw to enter the dice by hand. The game goes on like this for as long as you"
                    " like.",
                ),
            ),
            (
                pgettext("help", "A slip of the finger"),
                pgettext("help", "Undo takes back one step at a time, as many as you like."),
            ),
        )
