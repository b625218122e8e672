"""Tells systemd that the table lives: its own thread, and the web server, which is asked as a browser would.

It runs in the web server's event loop: one that hangs tells nothing, and systemd starts the program anew,
which goes on with the game as it stood.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from table.page.picture import PICTURE_URL
from table.page.session import TableSession
from table.service_notice import ALIVE, READY, ServiceNotice

PER_INTERVAL = 3  # so often within what systemd allows; one may be late
UNTIL_READY_S = 0.2
ANSWER_S = 5.0  # at most, for the web server
LOOPBACK = {"0.0.0.0": "127.0.0.1", "::": "::1"}
GOOD_STATUS = range(200, 300)


async def tell_while_alive(
    session: TableSession,
    notice: ServiceNotice,
    answers: Callable[[], Awaitable[bool]],
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> None:
    """Tell `notice` once that the table is ready, and while it is watched again and again that it lives."""
    while not (session.alive and await answers()):
        await sleep(UNTIL_READY_S)
    notice.tell(READY)
    while notice.within_s is not None:
        if session.alive and await answers():
            notice.tell(ALIVE)
        await sleep(notice.within_s / PER_INTERVAL)


async def web_server_answers(host: str, port: int) -> bool:
    """Return whether the web server at `host` and `port` gives the picture of the tray within ANSWER_S."""
    request = f"GET {PICTURE_URL} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    try:
        async with asyncio.timeout(ANSWER_S):
            reader, writer = await asyncio.open_connection(LOOPBACK.get(host, host), port)
            try:
                writer.write(request.encode())
                status = (await reader.readline()).split()[1:2]
            finally:
                writer.close()
    except (OSError, TimeoutError):
        return False
    return bool(status) and status[0].isdigit() and int(status[0]) in GOOD_STATUS
