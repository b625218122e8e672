"""Errors of the scoring side; each message is one line naming what was found and what is accepted."""

from __future__ import annotations


class ScoringError(Exception):
    """Base of all errors raised by `scoring`."""


class FacesError(ScoringError, ValueError):
    """Faces that are no throw of one to six dice."""


class RulesetError(ScoringError, ValueError):
    """A rule set with an unknown key, a wrong type, a value out of range, or fields that clash.

    `field` is the key at fault, `found` and `accepted` are words for people, `where` the file it came from.
    """

    def __init__(self, field: str, found: str, accepted: str, where: str = "") -> None:
        place = f"{where}: " if where else ""
        super().__init__(f"{place}{field}: found {found}; accepted: {accepted}")
        self.field, self.found, self.accepted, self.where = field, found, accepted, where

    def within(self, where: str) -> RulesetError:
        """Return the same error, naming the file it came from."""
        return RulesetError(self.field, self.found, self.accepted, where)


class GameError(ScoringError, ValueError):
    """A game that cannot be set up: players or first seat."""


class IllegalActionError(ScoringError, ValueError):
    """An action that the rules do not allow now; the message says which rule it breaks."""


class RecordError(ScoringError, ValueError):
    """Plain values that are no action as it is written down."""


class PositionError(ScoringError, ValueError):
    """A moment of a turn that cannot be, or about which nothing is known."""
