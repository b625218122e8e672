"""Who is told what happens at a table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from table.events import TableEvent
from table.publishing.event_hub import EventHub
from table.recording.recorder import Recorder
from table.state import TableState
from table.store.past_games import PastGames
from table.throw_pictures import ThrowPictures
from table.voice.voice import Voice


class TallyStore(Protocol):
    """What keeps the tally.

    `fault`: why what is shown is not on the disk, None while it is. `resumed`: a stored game goes on.
    """

    fault: str | None
    resumed: bool

    @property
    def number(self) -> int | None:
        """The number of the game that is played among those kept."""
        ...

    def players(self) -> tuple[str, ...]:
        """Return the names that games were played with, the latest first."""
        ...

    def retry(self) -> None:
        """Write what the disk did not take, now and then."""
        ...


@dataclass(frozen=True, slots=True)
class Listeners:
    """Who is told what happens: `tell` of every event, whoever caused it; `follow` is given the state after
    every frame and touch; `voice` says what came of each; `recorder` keeps what was seen. `store` keeps the
    tally, and `hub` passes every event on to other programs; the loop tells both. `past`: the games that are
    kept, `pictures`: of their throws."""

    tell: Callable[[TableEvent], None]
    follow: Callable[[TableState], None] | None = None
    voice: Voice | None = None
    recorder: Recorder | None = None
    store: TallyStore | None = None
    hub: EventHub | None = None
    past: PastGames | None = None
    pictures: ThrowPictures | None = None
