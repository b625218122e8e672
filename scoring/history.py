"""What happened in a game as it now stands: the log's actions with every correction worked in.

Nothing is thrown away: what a correction made impossible stays, and counts again once it is possible.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from scoring.actions import Join, PlainAction, SheetAction, action_record


@dataclass(frozen=True, slots=True)
class Entry:
    """The action at `place` of the log as it stands; None: it did not happen.

    `turn`: how many turns were finished when it was taken, which is the number of its own.
    """

    place: int
    turn: int
    action: PlainAction | None

    @property
    def is_of_a_turn(self) -> bool:
        """Whether something happened in the turn: a ruling on the score sheet is of none."""
        return self.action is not None and not isinstance(self.action, SheetAction)


class ImpossibleKind(StrEnum):
    """Why an action that was legal when it was taken no longer is."""

    BREAKS_RULE = "breaks_rule"
    FOLLOWS = "follows"  # from what is impossible earlier in its turn
    TURN_OVER = "turn_over"  # its turn has ended before it
    GAME_OVER = "game_over"


@dataclass(frozen=True, slots=True)
class Impossible:
    """The `action` of `player` at `place` of the log does not count; `why`: the rule it breaks, in words."""

    place: int
    player: str
    action: PlainAction
    kind: ImpossibleKind
    why: str

    def record(self) -> dict[str, object]:
        """Return it as plain values."""
        action = action_record(self.action)
        return {
            "place": self.place,
            "player": self.player,
            "action": action,
            "kind": self.kind,
            "why": self.why,
        }


@dataclass(frozen=True, slots=True)
class History:
    """All actions but corrections, in the order of the log, and what became of them.

    `impossible`: those that do not count now. `closed`: numbers of the turns that end with 0 points: what
    ended them does not count, and others have played after them. `starters`: seats by turn of those who began
    it, None where nobody did anything in it.
    """

    entries: tuple[Entry, ...] = ()
    impossible: tuple[Impossible, ...] = ()
    closed: tuple[int, ...] = ()
    starters: tuple[int | None, ...] = ()

    @property
    def turns(self) -> list[list[tuple[int, PlainAction]]]:
        """What happened turn by turn, each action with its place; up to the last turn with any."""
        turns: list[list[tuple[int, PlainAction]]] = []
        for entry in self.entries:
            if entry.action is not None:
                turns += ([] for _ in range(len(turns), entry.turn + 1))
                turns[entry.turn].append((entry.place, entry.action))
        return turns

    @property
    def impossible_places(self) -> frozenset[int]:
        """Places in the log of what does not count now."""
        return frozenset(each.place for each in self.impossible)

    def seat_of(self, turn: int) -> int | None:
        """Return whose turn number `turn` was when it began, None from where nothing has happened."""
        return self.starters[turn] if turn <= self.last_turn and turn < len(self.starters) else None

    @property
    def last_turn(self) -> int:
        """The number of the last turn in which anything happened, -1 before the first."""
        return max((entry.turn for entry in self.entries if entry.is_of_a_turn), default=-1)

    def entry_at(self, place: int) -> Entry | None:
        """Return the entry at `place` of the log, None where there is none: a correction stands there."""
        return next((entry for entry in self.entries if entry.place == place), None)

    def with_entry(self, entry: Entry, seat: int) -> History:
        """Return the history gone on with `entry`, of the player at `seat`.

        What was impossible in its turn has not happened; an entry of no turn leaves all turns as they are.
        """
        if not entry.is_of_a_turn:
            return replace(self, entries=(*self._joined_by(entry.turn), entry))
        gone_on = replace(self, entries=self._joined_by(entry.turn)).without_impossible_in(entry.turn)
        is_first = not any(each.turn == entry.turn and each.is_of_a_turn for each in gone_on.entries)
        begun = gone_on._begun_by(entry.turn, seat) if is_first else gone_on
        return replace(begun, entries=(*begun.entries, entry))

    def _joined_by(self, turn: int) -> tuple[Entry, ...]:
        """Return the entries once `turn` goes on, though it had ended: who has joined since plays in it."""
        return tuple(
            replace(each, turn=turn) if isinstance(each.action, Join) and each.turn > turn else each
            for each in self.entries
        )

    def _begun_by(self, turn: int, seat: int) -> History:
        before = (*self.starters[:turn], *[None] * (turn - len(self.starters)))
        return replace(self, starters=(*before, seat, *self.starters[turn + 1 :]))

    def with_action(self, place: int, action: PlainAction | None) -> History:
        """Return the history with `action` at `place`, not tried yet."""
        return self._with_actions({place: action})

    def without_impossible_in(self, turn: int) -> History:
        """Return the history once `turn` has gone on: what is impossible in it has not happened."""
        if not self.impossible:
            return self
        places = {entry.place for entry in self.entries if entry.turn == turn} & self.impossible_places
        rest = tuple(each for each in self.impossible if each.place not in places)
        return replace(self._with_actions(dict.fromkeys(places)), impossible=rest)

    def _with_actions(self, actions: Mapping[int, PlainAction | None]) -> History:
        entries = (
            replace(entry, action=actions[entry.place]) if entry.place in actions else entry
            for entry in self.entries
        )
        return replace(self, entries=tuple(entries))
