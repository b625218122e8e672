"""What a check found."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Health(StrEnum):
    """`WARNING`: the table plays, not as well as it could. `FAULT`: something it needs does not work."""

    GOOD = "good"
    WARNING = "warning"
    FAULT = "fault"


@dataclass(frozen=True, slots=True)
class Finding:
    """What was looked at, how it is, what was found there, and what to do about it, empty if nothing."""

    what: str
    health: Health
    found: str
    remedy: str = ""

    def record(self) -> dict[str, object]:
        """Return it as one object."""
        return {"what": self.what, "health": self.health, "found": self.found, "remedy": self.remedy}


def good(what: str, found: str) -> Finding:
    """Return a finding of something that is well."""
    return Finding(what, Health.GOOD, found)


def warning(what: str, found: str, remedy: str) -> Finding:
    """Return a finding of something that could be better."""
    return Finding(what, Health.WARNING, found, remedy)


def fault(what: str, found: str, remedy: str) -> Finding:
    """Return a finding of something that does not work."""
    return Finding(what, Health.FAULT, found, remedy)
