"""A phone as bytes on the wire: it sends what the forms of the pages send, on one connection to a real server."""

from __future__ import annotations

import http.client
import subprocess
import urllib.parse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from fiveup_ref.engine.events import Drew, Event, Passed, Played, RoundEnded, RoundOpened, Settled, Undone

from .device import Page, read


def fields_of(event: Event) -> tuple[str, list[tuple[str, str]]]:
    """The action and the fields with which a page enters an event."""
    match event:
        case RoundOpened(seat, by):
            return "open", [("opener", f"{seat} {by}")]
        case Played(seat, tile, onto):
            return "play", [("seat", seat), ("play", str(tile) if onto is None else f"{tile}>{onto}")]
        case Drew(seat):
            return "draw", [("seat", seat)]
        case Passed(seat):
            return "pass", [("seat", seat)]
        case RoundEnded(out):
            return "end", [("out", out or "blocked")]
        case Settled(left):
            hands = [
                (f"pips-{seat}", str(hand.pips)) if hand.tiles is None else (f"left-{seat}", str(tile))
                for seat, hand in left
                for tile in (hand.tiles or (None,))
            ]
            return "settle", [("do", "settle"), *hands]
        case Undone(entry):
            return "undo", [("entry", str(entry))]
        case _:
            raise AssertionError(event)


class Client:
    """One connection to a server, with its cookie and token."""

    def __init__(self, port: int) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self.cookie = ""
        self.body = b""
        self.token = ""

    def begin(self) -> None:
        """Take the token that every form needs."""
        self.token = Page.hidden(read(self.get("/new").decode()).one("form", "new"))["csrf_token"]

    def get(self, path: str) -> bytes:
        return self._ask("GET", path, None)[1]

    def post(self, path: str, fields: Sequence[tuple[str, str]]) -> int:
        return self._ask("POST", path, urllib.parse.urlencode([("csrf_token", self.token), *fields]))[0]

    def enter(self, path: str, event: Event, seen: int, key: str) -> int:
        act, fields = fields_of(event)
        return self.post(f"{path}/{act}", [("seen", str(seen)), ("key", key), *fields])

    def close(self) -> None:
        self.connection.close()

    def _ask(self, method: str, path: str, body: str | None) -> tuple[int, bytes]:
        headers = {"Cookie": self.cookie, "Content-Type": "application/x-www-form-urlencoded"}
        self.connection.request(method, path, body, headers)
        answer = self.connection.getresponse()
        if cookie := answer.getheader("Set-Cookie"):
            self.cookie = cookie.split(";")[0]
        self.body = answer.read()
        return answer.status, self.body


@contextmanager
def connected(port: int) -> Iterator[Client]:
    """A client that can enter; its connection is closed at the end, also where the server fell."""
    client = Client(port)
    try:
        client.begin()
        yield client
    finally:
        client.close()


@contextmanager
def serving(process: subprocess.Popen[str]) -> Iterator[subprocess.Popen[str]]:
    """A server that answers; killed at the end, whatever happens."""
    try:
        assert process.stdout
        assert process.stdout.readline().startswith("Five Up referee")
        yield process
    finally:
        process.kill()
        process.communicate()
