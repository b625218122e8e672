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


def is_face(face: object) -> bool:
    """Return whether `face` is a whole number 1-6; neither 1.0 nor True is."""
    return isinstance(face, int) and not isinstance(face, bool) and 1 <= face <= 6


def sorted_faces(faces: Iterable[int]) -> Faces:
    """Return `faces` sorted; raises `FacesError` unless they are one to six whole numbers 1-6."""
    given = tuple(faces)
    if not 1 <= len(given) <= ALL_DICE or not all(map(is_face, given)):
        raise FacesError(f"found {list(given)}; accepted: {ACCEPTED}")
    return tuple(sorted(given))


def spell_faces(faces: Iterable[int]) -> str:
    """Write faces for people: `1-1-5`."""
    return "-".join(map(str, faces))
