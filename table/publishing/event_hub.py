"""Passes every event of the table on to whoever listens, in the order in which they happened.

It is told as a keeper of the loop, so while the loop holds its lock: it only puts lines into mailboxes.
Each line is one JSON object, of the same names and fields as `titusind replay --json` prints, and of two
more: `standing`, all that stands at a moment, which a listener gets first, and `dropped`, the `count` of
events that it was too slow to take.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from table.events import Moment, TableEvent
from table.loop import Keeper
from table.output import json_line
from table.publishing.mailbox import Mailbox
from table.state import TableState

STANDING = "standing"


class EventHub:
    """Knows the latest state and the mailboxes of all listeners."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._mailboxes: list[Mailbox] = []
        self._state: TableState | None = None
        self._at = Moment(0.0, 0)

    def told_after(self, keep: Keeper) -> Keeper:
        """Return a keeper that does what `keep` does, and then tells all listeners."""

        def keep_and_tell(before: TableState, after: TableState, events: tuple[TableEvent, ...]) -> None:
            keep(before, after, events)
            self._tell(after, events)

        return keep_and_tell

    def standing(self) -> str | None:
        """Return what stands now as one line; None before the table has begun."""
        with self._lock:
            return self._standing()

    @contextmanager
    def listening(self, wake: Callable[[], None]) -> Iterator[Mailbox]:
        """Open a mailbox that gets what stands now and every event after that, none twice, none missed."""
        mailbox = Mailbox(wake)
        with self._lock:
            standing = self._standing()
            if standing is not None:
                mailbox.put(standing)
            self._mailboxes.append(mailbox)
        try:
            yield mailbox
        finally:
            with self._lock:
                self._mailboxes.remove(mailbox)

    def _tell(self, after: TableState, events: tuple[TableEvent, ...]) -> None:
        with self._lock:
            self._state = after
            self._at = events[-1].at if events else self._at
            lines = [json_line(event.record()).rstrip("\n") for event in events] if self._mailboxes else []
            for mailbox in self._mailboxes:
                for line in lines:
                    mailbox.put(line)

    def _standing(self) -> str | None:
        if self._state is None:
            return None
        return json_line(standing_record(self._state, self._at)).rstrip("\n")


def standing_record(state: TableState, at: Moment) -> dict[str, object]:
    """Return all that stands: whose turn it is, points, totals, the throw, and what the game waits for."""
    game, pause = state.game, state.pause
    fields = {
        "rules": game.ruleset.name,
        "players": game.players,
        "totals": game.totals,
        "player": game.player,
        "phase": game.turn.phase.value,
        "turn_points": game.turn.points,
        "dice_left": game.turn.dice_left,
        "faces": None if state.lying is None else state.lying.known_faces,
        "paused": None if pause is None else pause.kind.value,
        "winners": [game.players[seat] for seat in game.winners],
    }
    return TableEvent(at, STANDING, fields).record()
