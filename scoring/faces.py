"""Faces of a throw: one to six whole numbers 1-6, as tuples; read from and written as text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TypeAlias

from scoring.errors import FacesError

Faces: TypeAlias = tuple[int, ...]

ALL_DICE = 6
ACCEPTED = "1 to 6 dice with faces 1 to 6, like 1 1 5 3 2 6 or 115326"

_THROW = re.compile(r"[1-6](?:[\s,-]*[1-6]){0,5}")
_SEPARATORS = str.maketrans("", "", " \t\r\n\f\v,-")
_LONGEST_QUOTE = 40


def parse_faces(text: str) -> Faces:
    """Read a throw like `1 1 5 3 2 6`, `1-1-5` or `115326` into sorted faces.

    Raises `FacesError` for anything but one to six faces 1-6.
    """
    stripped = text.strip()
    if _THROW.fullmatch(stripped) is None:
        quoted = stripped if len(stripped) <= _LONGEST_QUOTE else stripped[:_LONGEST_QUOTE] + "..."
        raise FacesError(f"found {quoted!r}; accepted: {ACCEPTED}")
    return tuple(sorted(map(int, stripped.translate(_SEPARATORS))))


def sorted_faces(faces: Iterable[int]) -> Faces:
    """Return `faces` sorted; raises `FacesError` unless they are one to six numbers 1-6."""
    ordered = tuple(sorted(faces))
    if not 1 <= len(ordered) <= ALL_DICE or not set(ordered) <= {1, 2, 3, 4, 5, 6}:
        raise FacesError(f"found {list(ordered)}; accepted: {ACCEPTED}")
    return ordered


def spell_faces(faces: Iterable[int]) -> str:
    """Write faces for people: `1-1-5`."""
    return "-".join(map(str, faces))
