"""From one state of the table to the next, and what is told of it: for what is seen and what is tapped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from scoring.faces import Faces
from scoring.game import Game
from table.events import Moment, TableEvent, Wait, WaitKind, game_events, paused
from table.rulings import Before, Outcome
from table.sides import still_true, with_side
from table.state import LyingThrow, Step, TableState

TO_CONFIRM = Wait(WaitKind.NOT_COUNTED, "the throw counts once it is confirmed: confirm it, or throw again")


@dataclass(frozen=True, slots=True)
class Change:
    """The `state` after something happened, and the `events` that tell it."""

    state: TableState
    events: tuple[TableEvent, ...] = ()


@dataclass(frozen=True, slots=True)
class Scene:
    """The table when something happens. `banks`: whether all dice taken away may bank a turn."""

    state: TableState
    now: Moment
    banks: bool = False

    @property
    def before(self) -> Before:
        """What was seen since the throw that counts."""
        return Before(self.state.left, banks=self.banks)

    def took_back(self, name: str, before: Game) -> TableEvent:
        """Return the event that what is called `name` was taken back, so that the game stands as `before`."""
        standing = {"player": before.player, "turn_points": before.turn.points, "totals": before.totals}
        return self.told("corrected", {"undone": name, **standing})

    def told(self, name: str, fields: Mapping[str, object]) -> TableEvent:
        """Return an event of this moment."""
        return TableEvent(self.now, name, fields)

    def concluded(
        self,
        outcome: Outcome,
        lying: LyingThrow | None,
        steps: tuple[Step, ...],
        told: tuple[TableEvent, ...] = (),
        *,
        in_view: bool = False,
    ) -> Change:
        """Return what came of a throw or touch, `told` first, and the state after it.

        `in_view`: it came of what is seen right now, so that nothing hides it.
        """
        before = self.state
        view = None if in_view else before.view
        after = replace(before, game=outcome.game, lying=lying, wait=outcome.wait, view=view, steps=steps)
        after = _with_seen(after, before, outcome.assumed)
        events = [*told]
        if before.pause is not None and after.pause is None:
            events.append(self.told("resumed", {}))
        events += game_events(self.now, outcome.events)
        if after.pause is not None and after.pause != (None if told else before.pause):
            events.append(paused(self.now, after.pause))
        return Change(after, tuple(events))


def _with_seen(after: TableState, before: TableState, assumed: Game | None) -> TableState:
    """Return the state with what was seen of the throw that counts, as long as it is the same turn's."""
    same = after.game is before.game
    left = before.left if same or assumed or after.game.turn == before.game.turn else ()
    sides = still_true(before.sides, before.game, after.game)
    if after.lying is not None and after.lying.counted and after.lying.side_deg is not None:
        sides = with_side(sides, after.game, after.lying.side_deg)
    return replace(after, left=left, assumed=assumed or (before.assumed if same else None), sides=sides)


def as_lying(faces: Faces, lying: LyingThrow | None) -> LyingThrow:
    """Return the throw of `faces` that the game has taken, with its verdict if that is the one read."""
    if lying is not None and lying.known_faces == faces:
        return replace(lying, counted=True)
    if lying is not None and lying.verdict is not None and lying.verdict.faces == faces:
        return LyingThrow(tuple(die.face for die in lying.verdict.dice), lying.verdict, counted=True)
    return LyingThrow(faces, counted=True)
