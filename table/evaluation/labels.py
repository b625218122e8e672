"""What is known to be true of a labelled picture, whatever format the labels came in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from vision.domain import ReasonKind, Ruling


class LabelError(ValueError):
    """A folder whose labels cannot be found or understood; one line naming what and where."""


@dataclass(frozen=True, slots=True)
class Box:
    """Axis-parallel box; all four are fractions of the picture's width and height."""

    left: float
    top: float
    right: float
    bottom: float

    def holds(self, x: float, y: float) -> bool:
        """Whether the point (fractions too) lies inside."""
        return self.left <= x <= self.right and self.top <= y <= self.bottom

    @property
    def center(self) -> tuple[float, float]:
        """Middle of the box."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2


@dataclass(frozen=True, slots=True)
class LabelledDie:
    """One die in a picture. `required` is False for one mostly hidden or too steep to hold a reader to."""

    face: int
    box: Box | None = None
    required: bool = True


@dataclass(frozen=True, slots=True)
class TrueVerdict:
    """What the referee should say; kinds in `open_kinds` may be named or not (labels cannot tell)."""

    ruling: Ruling
    kinds: frozenset[ReasonKind] = frozenset()
    open_kinds: frozenset[ReasonKind] = frozenset()


@dataclass(frozen=True, slots=True)
class LabelledStill:
    """A picture with its truth; `verdict` is None where the labels know faces only."""

    path: Path
    dice: tuple[LabelledDie, ...]
    verdict: TrueVerdict | None = None
    expected_dice: int | None = None
    table: Path | None = None


@dataclass(frozen=True, slots=True)
class LabelledFolder:
    """All pictures of one folder; `labels` names the format they were read from.

    `left_out`: a line for each picture whose labels are wrong or, where all have some, missing, and for
    labels without a picture.
    """

    path: Path
    labels: str
    stills: tuple[LabelledStill, ...]
    left_out: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What the folder is called in figures."""
        return folder_name(self.path)


def folder_name(folder: Path) -> str:
    """Return the last two parts of the folder's path: `dev/tomek`."""
    return "/".join(folder.resolve().parts[-2:])


ReadStills = Iterator[LabelledStill | LabelError]
FolderReader = Callable[[Path], ReadStills]
