"""What the fields of a rule set accept, how they are read from TOML or text, and written as TOML.

`read` takes a TOML value, `from_text` a word of the command line. Both raise `ValueError` for any other.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol, cast

MOST_POINTS = 1_000_000  # far beyond any table's rules; a slip of the finger shows at once

_NUMBER = re.compile(r"-?[0-9]{1,12}")
_WORDS = {"yes": True, "no": False, "true": True, "false": False}


class FieldKind(Protocol):
    """What a field accepts."""

    @property
    def accepts(self) -> str:
        """Say for people what is accepted."""
        ...

    def read(self, value: object) -> Any:
        """Return the field's value for a TOML value."""
        ...

    def from_text(self, text: str) -> Any:
        """Return the field's value for a word of the command line."""
        ...

    def to_toml(self, value: Any) -> str:
        """Write the field's value as TOML."""
        ...


def _whole_number(text: str) -> int:
    if _NUMBER.fullmatch(text.strip()) is None:
        raise ValueError(text)
    return int(text)


@dataclass(frozen=True, slots=True)
class YesNo:
    """A switch: a TOML boolean, or the words of the rules, yes and no."""

    @property
    def accepts(self) -> str:
        """Say for people what is accepted."""
        return "yes or no (in a file: true or false)"

    def read(self, value: object) -> bool:
        """Accept true, false, "yes" and "no"."""
        if isinstance(value, bool):
            return value
        if isinstance(value, str):
            return self.from_text(value)
        raise ValueError(value)

    def from_text(self, text: str) -> bool:
        """Accept yes, no, true and false."""
        try:
            return _WORDS[text.strip().lower()]
        except KeyError:
            raise ValueError(text) from None

    def to_toml(self, value: bool) -> str:
        """Write a TOML boolean."""
        return "true" if value else "false"


@dataclass(frozen=True, slots=True)
class Points:
    """A whole number of points from `least` up; `off_at_zero` when 0 switches the rule off."""

    least: int = 0
    off_at_zero: bool = False

    @property
    def accepts(self) -> str:
        """Say for people what is accepted."""
        span = f"{1 if self.off_at_zero else self.least} to {MOST_POINTS}"
        return f"0 (off) or {span}" if self.off_at_zero else f"a whole number {span}"

    def read(self, value: object) -> int:
        """Accept a whole number in range."""
        if isinstance(value, bool) or not isinstance(value, int) or not self.least <= value <= MOST_POINTS:
            raise ValueError(value)
        return value

    def from_text(self, text: str) -> int:
        """Accept decimal digits in range."""
        return self.read(_whole_number(text))

    def to_toml(self, value: int) -> str:
        """Write a TOML integer."""
        return str(value)


@dataclass(frozen=True, slots=True)
class OneOf:
    """One word of a closed list."""

    words: type[StrEnum]

    @property
    def accepts(self) -> str:
        """Say for people what is accepted."""
        return ", ".join(self.words)

    def read(self, value: object) -> StrEnum:
        """Accept one of the words."""
        return self.words(cast(str, value))

    def from_text(self, text: str) -> StrEnum:
        """Accept one of the words."""
        return self.words(text.strip().lower())

    def to_toml(self, value: StrEnum) -> str:
        """Write a TOML string."""
        return f'"{value}"'


@dataclass(frozen=True, slots=True)
class AlikePoints:
    """How four, five and six alike count: a word, or three fixed numbers of points."""

    words: type[StrEnum]

    @property
    def accepts(self) -> str:
        """Say for people what is accepted."""
        return f"{', '.join(self.words)}, or points for four, five and six alike like 1000,2000,3000"

    def read(self, value: object) -> StrEnum | tuple[int, ...]:
        """Accept a word or a list of three whole numbers above 0."""
        if isinstance(value, str):
            return self.words(value)
        if isinstance(value, list | tuple) and len(value) == 3:
            return tuple(map(Points(least=1).read, value))
        raise ValueError(value)

    def from_text(self, text: str) -> StrEnum | tuple[int, ...]:
        """Accept a word or three whole numbers with commas."""
        if text.strip().lower() in set(self.words):
            return self.words(text.strip().lower())
        return self.read([_whole_number(part) for part in text.split(",")])

    def to_toml(self, value: StrEnum | tuple[int, ...]) -> str:
        """Write a TOML string or list."""
        return f'"{value}"' if isinstance(value, str) else f"[{', '.join(map(str, value))}]"
