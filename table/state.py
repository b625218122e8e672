"""What stands at the table: the game, the throw that lies, and what the game waits for. Frozen values."""

from __future__ import annotations

from dataclasses import dataclass, replace

from scoring.faces import Faces
from scoring.game import Game
from table.events import UNFIT_VIEWS, TableEvent, Wait
from table.sides import Sides
from vision.domain import DieState, Verdict


@dataclass(frozen=True, slots=True)
class LyingThrow:
    """The latest throw as it stands: what was read, and what a person made of it.

    `faces`: by die of `verdict.dice`, None where no face could be read; a throw entered by hand has no
    verdict. `removed`: places of dice that a person says are none. `counted`: the game has taken the throw.
    `by_hand`: a person entered it. `lies`: how a person says a die lies, by place, where one has.
    `ruled`: places of dice whose face is what they would have shown, had they lain flat. `added_px`: where in
    the frame the dice lie, None if nobody said, that were not seen; they are the last of `faces`.
    `misrolled`: place in the game's log of the misroll that this throw was called. `side_deg`: from where the
    hand came that threw, None where that is not known, or has told whose throw it is.
    """

    faces: tuple[int | None, ...]
    verdict: Verdict | None = None
    removed: frozenset[int] = frozenset()
    counted: bool = False
    by_hand: bool = False
    lies: tuple[tuple[int, DieState], ...] = ()
    ruled: frozenset[int] = frozenset()
    added_px: tuple[tuple[float, float] | None, ...] = ()
    misrolled: int | None = None
    side_deg: float | None = None

    @property
    def places(self) -> tuple[int, ...]:
        """Places of the dice that lie, without what is none."""
        return tuple(place for place in range(len(self.faces)) if place not in self.removed)

    @property
    def seen(self) -> int:
        """How many of the dice were seen, or entered by hand; those after them a person added."""
        return len(self.faces) - len(self.added_px)

    @property
    def ruled_faces(self) -> Faces:
        """The sorted faces that a person ruled dice would have shown."""
        faces = (self.faces[place] for place in self.ruled - self.removed)
        return tuple(sorted(face for face in faces if face is not None))

    def state_of(self, place: int) -> DieState:
        """Return how the die at `place` lies: as a person says, else as it was seen, else flat."""
        said = dict(self.lies).get(place)
        read = self.verdict is not None and place < len(self.verdict.dice)
        return said or (self.verdict.dice[place].state if self.verdict and read else DieState.FLAT)

    def with_lie(self, place: int, state: DieState) -> LyingThrow:
        """Return the throw with the die at `place` lying as a person says, and not ruled on."""
        lies = tuple(sorted({**dict(self.lies), place: state}.items()))
        return replace(self, lies=lies, ruled=self.ruled - {place}, removed=self.removed - {place})

    @property
    def known_faces(self) -> Faces | None:
        """The sorted faces when every die's is known, else None."""
        left = [self.faces[place] for place in self.places]
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
    sides: Sides = ()  # from where the throws of this game came
    games: int = 0  # begun at this table, or gone on with, since the one that it started with
    kept_as: int | None = None  # the number among the games kept of one that was left and goes on, else None

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
