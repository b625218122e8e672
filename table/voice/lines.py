"""What is said aloud of the table's events, in the language they play in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from gettext import NullTranslations

from scoring.announcer import announce_all
from scoring.events import TurnStarted
from scoring.languages import Language, catalogue
from table.events import TableEvent, WaitKind

QUESTION = "paused"
CORRECTIONS = frozenset({"corrected", "ruled", "player_out", "player_in", "player_joined"})


@dataclass(frozen=True, slots=True)
class Speech:
    """What to say now; `hushes`: what is still being said is wrong by now, and stops even for silence."""

    text: str
    hushes: bool = False


@dataclass(frozen=True, slots=True)
class Narrator:
    """Puts events into words; remembers whose turn was told, so that it isn't told again."""

    language: Language
    turn_of: str | None = None

    def narrate(self, events: Iterable[TableEvent]) -> tuple[Speech, Narrator]:
        """Return what to say of all that came of one frame or touch, and the narrator after it."""
        told = tuple(events)
        of_game = [event.of_game for event in told if event.of_game is not None]
        words = [announce_all(of_game, self.language, self.turn_of).spoken]
        words += [_question(event, self.language) for event in told if event.name == QUESTION]
        turns = [event.player for event in of_game if isinstance(event, TurnStarted)]
        speech = Speech(" ".join(filter(None, words)), any(event.name in CORRECTIONS for event in told))
        return speech, replace(self, turn_of=[self.turn_of, *turns][-1])


def _question(event: TableEvent, language: Language) -> str:
    kind = WaitKind(str(event.fields["reason"]))
    return _questions(catalogue("table", language)).get(kind, "")


def _questions(messages: NullTranslations) -> dict[WaitKind, str]:
    pgettext = messages.pgettext
    return {
        WaitKind.UNSURE: pgettext("spoken", "I am not sure. Please look at the screen."),
        WaitKind.WHICH_SET_ASIDE: pgettext("spoken", "Which dice were set aside?"),
        WaitKind.BANKED_OR_THROWN: pgettext("spoken", "Banked, or thrown on?"),
        WaitKind.DICE_DO_NOT_FIT: pgettext("spoken", "These dice do not fit the turn."),
        WaitKind.NOT_THROWN: pgettext("spoken", "All the dice must be thrown again."),
        WaitKind.UNSEEN: pgettext("spoken", "Does this throw count?"),
        WaitKind.NOT_BANKED: pgettext("spoken", "Thrown on after all?"),
        WaitKind.NUDGED: pgettext("spoken", "The dice were moved. Please look at the screen."),
        WaitKind.COVERED: pgettext("spoken", "Something covers the tray."),
        WaitKind.VIEW_MOVED: pgettext("spoken", "The camera or the tray was moved."),
        WaitKind.LIGHT_CHANGED: pgettext("spoken", "The light has changed too much."),
        WaitKind.VIEW_UNCLEAR: pgettext("spoken", "The picture is not clear."),
        WaitKind.NOT_CALIBRATED: pgettext("spoken", "The camera must be calibrated anew."),
        WaitKind.CALIBRATING: pgettext("spoken", "The table is being calibrated."),
    }
