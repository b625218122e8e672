"""Who may touch: whoever sits at this machine, and guests on the network who have entered its PIN.

Guests see everything and change nothing until then. The PIN is another one each time the program starts;
a browser is known again by a cookie that `table.page.door` gives it. How a page asks: `table.page.gate`.
"""

from __future__ import annotations

import ipaddress
import secrets
import time
from collections.abc import Callable, MutableMapping
from dataclasses import dataclass
from typing import Any

from table.page.allowance import Allowance

PIN_DIGITS = 6
BROWSER = "titusind.browser"  # key of an ASGI scope: by what a browser is known
MOST_LET_IN = 200  # browsers; beyond, the first ones must enter the PIN again
# Wrong PINs of one address, and of all: by the latter half a million PINs take two months to try.
MOST_WRONG, WRONG_EVERY_S = 5, 30.0
MOST_WRONG_OF_ALL, WRONG_OF_ALL_EVERY_S = 20, 10.0
ALL = "all"


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks: the address, whether that is this machine's own, and by what the browser is known, or ""."""

    address: str
    local: bool
    browser: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """Whether a PIN was right, and for how long none is looked at, in seconds."""

    let_in: bool
    wait_s: float = 0.0


class Guests:
    """Knows the PIN, and the browsers that have entered it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.pin = f"{secrets.randbelow(10**PIN_DIGITS):0{PIN_DIGITS}}"
        self._let_in: dict[str, None] = {}
        self._wrong = Allowance(MOST_WRONG, WRONG_EVERY_S, clock)
        self._wrong_of_all = Allowance(MOST_WRONG_OF_ALL, WRONG_OF_ALL_EVERY_S, clock)

    def may_touch(self, caller: Caller) -> bool:
        """Return whether `caller` sits at this machine or has entered the PIN."""
        return caller.local or caller.browser in self._let_in

    def enter(self, caller: Caller, pin: str) -> Answer:
        """Let `caller` in if `pin` is the PIN; too many wrong ones, and none is looked at for a while."""
        wait_s = max(self._wrong.wait_s(caller.address), self._wrong_of_all.wait_s(ALL))
        if wait_s:
            return Answer(let_in=False, wait_s=wait_s)
        if not caller.browser or not secrets.compare_digest(pin.encode(), self.pin.encode()):
            self._wrong.use(caller.address)
            self._wrong_of_all.use(ALL)
            return Answer(let_in=False)
        self._let_in[caller.browser] = None
        if len(self._let_in) > MOST_LET_IN:
            del self._let_in[next(iter(self._let_in))]
        return Answer(let_in=True)


def caller_of(scope: MutableMapping[str, Any]) -> Caller:
    """Return who is behind a request of HTTP or of a WebSocket, by its ASGI `scope`.

    A browser on this machine comes from a loopback address, or from the very address that it calls. Behind a
    proxy on this machine everybody would, but that uvicorn then goes by the proxy's X-Forwarded-For.
    """
    client, server = scope.get("client"), scope.get("server")
    address = client[0] if client else ""
    called = server[0] if server else None
    return Caller(address, _is_loopback(address) or address == called, scope.get(BROWSER, ""))


def _is_loopback(address: str) -> bool:
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    mapped = getattr(found, "ipv4_mapped", None)
    return (mapped or found).is_loopback
