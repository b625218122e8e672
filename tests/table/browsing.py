"""Pages as a person meets them, without a browser: a table whose frames a test shows, and a page of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from contextlib import AsyncExitStack
from functools import partial

from nicegui import ui
from nicegui.testing import User, user_simulation

from scoring.game import new_game
from scoring.languages import Language
from scoring.ruleset import load_preset, with_overrides
from table.events import TableEvent
from table.loop import TableLoop
from table.page.listeners import Listeners, TallyStore
from table.page.places import TABLE_URL
from table.page.server import add_pages
from table.page.session import TableSession
from table.recording.recorder import Recorder
from table.throw_watch import ThrowWatch
from table.voice.voice import Voice
from tests.table.staging import Dice, Hand, Still, dice, frames, staged_judge
from vision.domain import Frame

SIX = dice(1, 1, 5, 3, 2, 6)
Scene = Callable[["Table", User], Awaitable[None]]


class Table:
    """A session on the make-believe table, run by the test instead of by a thread."""

    def __init__(
        self,
        *players: str,
        language: Language = Language.ENGLISH,
        recorded: bool = False,
        store: TallyStore | None = None,
        voice: Voice | None = None,
        **overrides: str,
    ) -> None:
        rules = with_overrides(load_preset("danish"), {"first_throw_relief": "no", **overrides})
        self.told: list[TableEvent] = []
        recorder = Recorder(judge=staged_judge)
        self.loop = TableLoop(new_game(rules, players or ("Ada", "Bo")), ThrowWatch(judge=recorder.judge))
        recorder_or_none = recorder if recorded else None
        listeners = Listeners(self.told.append, voice=voice, recorder=recorder_or_none, store=store)
        self.session = TableSession(self.loop, listeners, language=language)
        self.loop.begin()

    def show(self, shown: Iterable[Frame]) -> None:
        for frame in shown:
            self.session.step(frame)

    def throw(self, thrown: Dice) -> None:
        self.show(frames(Still({}), Hand({}), Still(thrown)))


def act(table: Table, scene: Scene, path: str = TABLE_URL) -> None:
    """Open a page of `table`, the play page if no other is named, and play `scene` on it."""
    browse(table.session, path, partial(scene, table))


def browse(session: TableSession, path: str, scene: Callable[[User], Awaitable[None]]) -> None:
    """Open `path` of the pages of `session`, and play `scene` on it."""

    async def opened() -> None:
        async with AsyncExitStack() as stack:
            user = await stack.enter_async_context(user_simulation(lambda: None))
            add_pages(session)
            await user.open(path)
            await scene(user)

    asyncio.run(opened())


def closed(user: User) -> None:
    """Delete the pads that are closed, as a browser does once they are hidden."""
    for pad in [each for each in user.current_layout.descendants() if isinstance(each, ui.dialog)]:
        if not pad.value:
            pad.delete()


class FullDisk:
    """A store whose disk fails until a test says that it works."""

    fault: str | None = "database or disk is full"
    resumed = True
    number: int | None = None

    def retry(self) -> None: ...

    def players(self) -> tuple[str, ...]:
        return ()
