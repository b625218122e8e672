"""The words for guests on the network, in the language they play in."""

from __future__ import annotations

import math

from scoring.languages import Language, catalogue


class GuestWords:
    """What the PIN's pad and the page for guests say."""

    def __init__(self, language: Language) -> None:
        self._messages = catalogue("table", language)
        pgettext = self._messages.pgettext
        self.enter_pin = pgettext("guests", "Enter the PIN")
        self.pin_first = pgettext("guests", "Guests see everything. To touch, enter the table's PIN once.")
        self.wrong_pin = pgettext("guests", "That is not the PIN. The table's own screen shows it: Guests.")
        self.let_in = pgettext("guests", "You may touch now")
        self.too_often = pgettext("guests", "Too many touches at once, wait a moment")
        self.back = pgettext("guests", "Take back")
        self.close = pgettext("guests", "Close")
        self.address = pgettext("guests", "Address")
        self.pin = pgettext("guests", "PIN")
        self.scan = pgettext(
            "guests",
            "Scan this with a phone on the same network, or open the address. Guests see everything; who"
            " enters the PIN once may touch, too. It is another PIN each time the table starts.",
        )
        self.alone = pgettext("guests", "The table listens to this machine alone")
        self.how_to_open = pgettext(
            "guests", "To let phones in, start it with --host 0.0.0.0: titusind play --host 0.0.0.0"
        )
        self.no_network = pgettext("guests", "This machine is on no network now")

    def wait(self, seconds: float) -> str:
        """Return that no PIN is looked at for so long."""
        whole = math.ceil(seconds)
        return self._messages.npgettext(
            "guests",
            "Too many wrong PINs: wait {seconds} second",
            "Too many wrong PINs: wait {seconds} seconds",
            whole,
        ).format(seconds=whole)
