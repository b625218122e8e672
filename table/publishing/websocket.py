"""`/events`: what stands, then every event, one JSON object a message. Nothing is taken from the listener."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from fastapi import FastAPI, WebSocket, WebSocketDisconnect

from table.publishing.event_hub import EventHub
from table.publishing.mailbox import Mailbox

EVENTS_URL = "/events"
MOST_LISTENERS = 50
TRY_AGAIN_LATER = 1013


def add_events(app: FastAPI, hub: EventHub) -> None:
    """Let `app` serve the events of `hub`."""
    listeners: set[WebSocket] = set()

    @app.websocket(EVENTS_URL)
    async def _events(websocket: WebSocket) -> None:
        if len(listeners) >= MOST_LISTENERS:
            await websocket.close(TRY_AGAIN_LATER)
            return
        listeners.add(websocket)
        try:
            await websocket.accept()
            await _send_all(websocket, hub)
        finally:
            listeners.discard(websocket)


async def _send_all(websocket: WebSocket, hub: EventHub) -> None:
    news, loop = asyncio.Event(), asyncio.get_running_loop()
    gone = asyncio.create_task(_wait_until_gone(websocket))

    def wake() -> None:
        with suppress(RuntimeError):  # the server has ended
            loop.call_soon_threadsafe(news.set)

    with hub.listening(wake) as mailbox, suppress(WebSocketDisconnect):
        sending = asyncio.create_task(_send(websocket, mailbox, news))
        done, pending = await asyncio.wait({gone, sending}, return_when=asyncio.FIRST_COMPLETED)
        for task in pending:
            task.cancel()
        for task in done:
            task.result()


async def _send(websocket: WebSocket, mailbox: Mailbox, news: asyncio.Event) -> None:
    while True:
        await news.wait()
        news.clear()
        for line in mailbox.take():
            await websocket.send_text(line)


async def _wait_until_gone(websocket: WebSocket) -> None:
    """Return once the listener has gone; what it says meanwhile is left unread."""
    while (await websocket.receive())["type"] != "websocket.disconnect":
        pass
