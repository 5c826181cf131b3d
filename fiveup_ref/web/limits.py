"""What one client may do in a while: begin matches, keep rule sets, and ask for matches that are not there."""

from __future__ import annotations

import ipaddress
import math
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from time import monotonic
from typing import Final

from flask import Flask, Response, current_app, request, session
from werkzeug.exceptions import RequestEntityTooLarge, TooManyRequests

from fiveup_ref.store import DeletedMatch, NoSuchMatch

_CLIENTS: Final = 10_000  # remembered at most, some MB; the one forgotten has not come for the longest
_MAKES: Final = frozenset({"matches.new", "files.bring", "manage.rematch"})


class Buckets:
    """A bucket of tokens for each client: full at first, one more every so many seconds, never more than it holds.

    `clock` in seconds. At most 10,000 clients are remembered.
    """

    def __init__(self, holds: int, every: float, clock: Callable[[], float] = monotonic) -> None:
        self._holds = holds
        self._every = every
        self._clock = clock
        self._lock = threading.Lock()
        self._full_at: OrderedDict[str, float] = OrderedDict()  # when the bucket of a client is full again

    def take(self, client: str) -> int:
        """Take a token: 0; or whole seconds to wait, and nothing is taken.

        >>> now = [0.0]
        >>> two = Buckets(2, 30, lambda: now[0])
        >>> two.take("a"), two.take("a"), two.take("a"), two.take("b")
        (0, 0, 30, 0)
        >>> now[0] = 30
        >>> two.take("a"), two.take("a")
        (0, 30)
        """
        with self._lock:
            if wait := self._wait(client):
                return wait
            self._full_at[client] = max(self._full_at.get(client, 0), self._clock()) + self._every
            self._full_at.move_to_end(client)
            if len(self._full_at) > _CLIENTS:
                self._full_at.popitem(last=False)
            return 0

    def wait(self, client: str) -> int:
        """Whole seconds until there is a token; 0: there is one."""
        with self._lock:
            return self._wait(client)

    def _wait(self, client: str) -> int:
        missing = self._full_at.get(client, 0) - self._clock()
        return max(0, math.ceil(missing - (self._holds - 1) * self._every))

    def __len__(self) -> int:
        return len(self._full_at)


@dataclass(frozen=True)
class Limits:
    """What a client address may do.

    A match that the device has opened before is always shown, so that guests behind one address, one of whom
    mistypes, can play on.
    """

    new: Buckets = field(default_factory=lambda: Buckets(60, 10))
    wrong: Buckets = field(default_factory=lambda: Buckets(30, 10))
    kept: Buckets = field(default_factory=lambda: Buckets(5, 600))  # rule sets: all share the few that can be kept

    def install(self, app: Flask) -> None:
        """Hold every request to them."""
        app.before_request(self._before)
        app.after_request(self._after)

    def waits(self, address: str) -> bool:
        """Whether a client that has not opened a match before must wait until it may ask for one."""
        return self.wrong.wait(client(address)) > 0

    def _before(self) -> None:
        wait = 0
        if request.method == "POST" and request.endpoint in _MAKES:
            wait = self.new.take(_client())
            if not wait and request.form.get("do") == "keep":
                wait = self.kept.take(_client())
        elif _asked() and _asked() not in (*session.get("matches", ()), *session.get("scorer", ())):
            wait = self.wrong.wait(_client())
        if wait:
            raise TooManyRequests(retry_after=wait)

    def _after(self, response: Response) -> Response:
        if response.status_code == 404 and _guessed():
            self.wrong.take(_client())
        return response


@lru_cache(maxsize=4096)
def client(asks: str) -> str:
    """Who counts as one: an address; of one in IPv6 its network, since a device has many there.

    >>> client("192.168.1.20"), client("2001:db8::9"), client("")
    ('192.168.1.20', '2001:db8::', '')
    """
    try:
        address = ipaddress.ip_address(asks)
    except ValueError:
        return ""
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    return str(ipaddress.IPv6Network((address, 64), strict=False).network_address)


def _client() -> str:
    return client(request.remote_addr or "")


def _asked() -> str:
    """What a guess would be at: a match, or the token of a scorer."""
    values = request.view_args or {}
    return str(values.get("match_id") or values.get("token") or "")


def _guessed() -> bool:
    """Whether there is no match, or no scorer, of what was asked for; else only a page of it is missing."""
    match_id = (request.view_args or {}).get("match_id")
    if match_id is None:
        return bool(_asked())
    try:
        current_app.extensions["store"].version(match_id)
    except NoSuchMatch:
        return True
    except DeletedMatch:
        pass
    return False


def few_fields() -> None:
    """Refuse a form with more fields than MAX_FORM_PARTS, which alone counts those of uploads only."""
    most = request.max_form_parts
    if request.method == "POST" and most and sum(map(len, request.form.listvalues())) > most:
        raise RequestEntityTooLarge
