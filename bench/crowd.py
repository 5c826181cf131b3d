"""Everybody who follows a match: sockets that ask every other second, in one loop that costs little."""

from __future__ import annotations

import re
import selectors
import socket
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

HERE: Final = "127.0.0.1"
EVERY: Final = 2.0
PATIENCE: Final = 20.0
_LENGTH: Final = re.compile(rb"\r\ncontent-length: (\d+)\r\n", re.IGNORECASE)
_PHONE: Final = (
    "User-Agent: Mozilla/5.0 (Linux; Android 13) AppleWebKit/537.36 (KHTML, like Gecko)\r\n"
    "Accept: */*\r\nAccept-Encoding: gzip, deflate\r\nAccept-Language: id-ID,id;q=0.9,en;q=0.8\r\n"
)


def request(host: str, path: str, cookie: str = "") -> bytes:
    """A question as the browser of a phone sends it."""
    kept = f"Cookie: {cookie}\r\n" if cookie else ""
    return f"GET {path} HTTP/1.1\r\nHost: {host}\r\n{_PHONE}{kept}\r\n".encode()


@dataclass(eq=False)
class Screen:
    """A phone or a screen: what it asks, when it will, and since when it waits for an answer (0: it does not).

    `page` is what it loads once it was told something new; b"": nothing.
    """

    asks: bytes
    page: bytes = b""
    due: float = 0.0
    line: socket.socket | None = None
    began: float = 0.0
    got: bytes = b""
    told: bytes = b""
    loads: bool = False


class Crowd:
    """All of them, each connected: seconds from asking to the whole answer, and `faults`, what failed."""

    def __init__(self, port: int, screens: Sequence[Screen]) -> None:
        self.polls: list[float] = []
        self.pages: list[float] = []
        self.faults: list[str] = []
        self._port = port
        self._selector = selectors.DefaultSelector()
        self._screens = screens
        for screen in self._screens:
            self._connect(screen)

    def follow(self, end: float) -> None:
        """Ask until then, by `time.perf_counter`; spread out, so that not all ask at one moment."""
        now = time.perf_counter()
        for at, screen in enumerate(self._screens):
            screen.due = now + EVERY * at / len(self._screens)
        screens = deque(self._screens)
        while (now := time.perf_counter()) < end:
            while screens[0].due <= now:
                screen = screens.popleft()
                self._turn(screen, now)
                screen.due = max(screen.due + EVERY, now)
                screens.append(screen)
            for key, _ in self._selector.select(max(0.0, min(screens[0].due, end) - time.perf_counter())):
                self._hear(key.data)
        for screen in screens:
            self._hang_up(screen)
        self._selector.close()

    def _turn(self, screen: Screen, now: float) -> None:
        """Ask, unless it still waits, as a page does."""
        if screen.began and now - screen.began > PATIENCE:
            self._fail(screen, "no answer")
        if not screen.began:
            screen.began = now
            self._ask(screen, screen.asks)

    def _ask(self, screen: Screen, words: bytes) -> None:
        try:
            (screen.line or self._connect(screen)).sendall(words)
        except OSError as error:
            self._fail(screen, type(error).__name__)

    def _connect(self, screen: Screen) -> socket.socket:
        screen.line = socket.create_connection((HERE, self._port), timeout=PATIENCE)
        screen.line.settimeout(0)
        self._selector.register(screen.line, selectors.EVENT_READ, screen)
        return screen.line

    def _hear(self, screen: Screen) -> None:
        assert screen.line
        try:
            came = screen.line.recv(65536)
        except ConnectionError:
            came = b""
        if not came:
            self._closed(screen)
            return
        screen.got += came
        head, _, told = screen.got.partition(b"\r\n\r\n")
        length = _LENGTH.search(head + b"\r\n")
        if not length or len(told) < int(length[1]):
            return
        now = time.perf_counter()
        took, screen.began, screen.got = now - screen.began, 0.0, b""
        if not head.startswith(b"HTTP/1.1 200 ") or not (screen.loads or told.isdigit()):
            self.faults.append(f"answered with {head[9:12].decode('latin-1')}")
        elif screen.loads:
            self.pages.append(took)
        else:
            self.polls.append(took)
            screen.loads, screen.told = bool(screen.page) and screen.told not in (b"", told), told
            if screen.loads:
                screen.began = now
                self._ask(screen, screen.page)
            return
        screen.loads = False

    def _closed(self, screen: Screen) -> None:
        """The server closed it: rightly while nothing was asked; else that is a fault."""
        if screen.began:
            self._fail(screen, "closed without an answer")
        else:
            self._hang_up(screen)

    def _fail(self, screen: Screen, why: str) -> None:
        self.faults.append(f"{'page' if screen.loads else 'version'}: {why}")
        self._hang_up(screen)

    def _hang_up(self, screen: Screen) -> None:
        if screen.line:
            self._selector.unregister(screen.line)
            screen.line.close()
        screen.line, screen.began, screen.got, screen.loads = None, 0.0, b"", False
