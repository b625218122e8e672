"""What a service tells systemd: that it is ready, and that it lives. The protocol: man 3 sd_notify.

It is one datagram to the socket that systemd names in the environment; where there is none, nothing is told.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping
from contextlib import suppress

SOCKET, INTERVAL, PROCESS = "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"
READY, ALIVE, STOPPING = "READY=1", "WATCHDOG=1", "STOPPING=1"


class ServiceNotice:
    """Tells the service manager that `environment` names.

    `wanted`: whether there is one. `within_s`: how soon after the last `ALIVE` the next must come, or it
    starts the program anew; None: it does not watch.
    """

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        found = os.environ if environment is None else environment
        address = found.get(SOCKET, "")
        self._address = f"\0{address[1:]}" if address.startswith("@") else address
        self.wanted = address.startswith(("/", "@"))
        own = found.get(PROCESS, str(os.getpid())) == str(os.getpid())
        interval = found.get(INTERVAL, "")
        self.within_s = int(interval) / 1e6 if own and interval.isdecimal() and int(interval) else None

    def tell(self, *what: str) -> None:
        """Tell `what`, if anybody wants to know; one that no longer listens is no reason to stop."""
        if not self.wanted:
            return
        with (
            socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as told,
            suppress(OSError),
        ):
            told.connect(self._address)
            told.sendall("\n".join(what).encode())
