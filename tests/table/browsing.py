"""Opens a page of a session as a person would, without a browser."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack

from nicegui.testing import User, user_simulation

from table.page.server import add_pages
from table.page.session import TableSession


def browse(session: TableSession, path: str, scene: Callable[[User], Awaitable[None]]) -> None:
    """Open `path` of the pages of `session`, and play `scene` on it."""

    async def opened() -> None:
        async with AsyncExitStack() as stack:
            user = await stack.enter_async_context(user_simulation(lambda: None))
            add_pages(session, "/table")
            await user.open(path)
            await scene(user)

    asyncio.run(opened())
