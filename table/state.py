"""What stands at the table: the game, the throw that lies, and what the game waits for. Frozen values."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.faces import Faces
from scoring.game import Game
from table.events import UNFIT_VIEWS, TableEvent, Wait
from vision.domain import Verdict


@dataclass(frozen=True, slots=True)
class LyingThrow:
    """The latest throw as it stands: what was read, and what a person made of it.

    `faces`: by die of `verdict.dice`, None where no face could be read; a throw entered by hand has no
    verdict. `removed`: places of dice that a person says are none. `counted`: the game has taken the throw.
    `by_hand`: a person entered it.
    """

    faces: tuple[int | None, ...]
    verdict: Verdict | None = None
    removed: frozenset[int] = frozenset()
    counted: bool = False
    by_hand: bool = False

    @property
    def known_faces(self) -> Faces | None:
        """The sorted faces when every die's is known, else None."""
        left = [face for place, face in enumerate(self.faces) if place not in self.removed]
        known = [face for face in left if face is not None]
        return tuple(sorted(known)) if known and len(known) == len(left) else None


@dataclass(frozen=True, slots=True)
class Step:
    """What a person did, by its name in `corrected`, and what was before it."""

    name: str
    game: Game
    lying: LyingThrow | None
    wait: Wait | None


@dataclass(frozen=True, slots=True)
class TableState:
    """All that a screen shows, at one moment.

    `wait`: why the latest throw does not count; `view`: why no throw can be judged now, whatever lies.
    """

    game: Game
    lying: LyingThrow | None = None
    wait: Wait | None = None
    view: Wait | None = None
    events: tuple[TableEvent, ...] = ()  # of the latest step or touch that had any
    version: int = 0  # grows with every change
    steps: tuple[Step, ...] = ()  # what a person did since the camera saw the latest throw
    left: tuple[Faces, ...] = ()  # of the throw that counts, each time dice were lifted out of it
    assumed: Game | None = None  # before the turn was banked because the tray was left empty
    games: int = 0  # begun at this table since the one that it started with

    @property
    def pause(self) -> Wait | None:
        """Why the game waits, None while it goes on."""
        return self.view or self.wait

    @property
    def waits_for_view(self) -> bool:
        """Whether the latest throw was seen on a view that is not the calibrated one, and waits for it."""
        return self.wait is not None and self.wait.kind in UNFIT_VIEWS

    @property
    def as_it_began(self) -> bool:
        """Whether nothing has happened in this game yet."""
        return not self.game.log and not self.steps and self.lying is None

    @property
    def can_undo(self) -> bool:
        """Whether there is anything to take back."""
        return bool(self.steps or self.game.log)

    def with_step(self, name: str) -> tuple[Step, ...]:
        """Return the steps once a person has done `name` now."""
        return (*self.steps, Step(name, self.game, self.lying, self.wait))
