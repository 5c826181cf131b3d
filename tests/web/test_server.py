"""The server itself: a question asked again in the same words is answered at once, and like the first time."""

from __future__ import annotations

import gc
import re
import socket
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any, Final

import pytest

from fiveup_ref.engine.events import Noted
from fiveup_ref.store import Store
from fiveup_ref.web import create_app
from fiveup_ref.web.limits import Buckets, Limits
from fiveup_ref.web.network import Network
from fiveup_ref.web.polls import Poll
from fiveup_ref.web.server import Channel, Server

from .matches import keep, opened

DATE: Final = re.compile(rb"\r\nDate: [^\r]+")
LOOP: Final = "loop"


class Asked:
    """A server, and the names of the threads that looked a version up."""

    def __init__(self, store: Store, monkeypatch: pytest.MonkeyPatch, network: Network | None) -> None:
        self.by: list[str] = []
        editions = store.editions

        def looked_up(ids: Collection[str]) -> dict[str, tuple[int, int, str]]:
            self.by.append(threading.current_thread().name)
            return editions(ids)

        monkeypatch.setattr(store, "editions", looked_up)
        app = create_app(store, secret_key="for tests", everyone_here=True, network=network)
        self.server = Server(app, host="127.0.0.1", port=0, threads=2, ident=None)

    def line(self) -> Line:
        """A new connection."""
        return Line(int(self.server.getsockname()[1]))

    def at_once(self) -> list[bool]:
        """For each time a version was looked up, whether that was without another thread; and forget them."""
        found, self.by = [name == LOOP for name in self.by], []
        return found


class Line:
    """A connection to it."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=20)
        self._got = b""

    def ask(self, words: bytes) -> bytes:
        """The answer, without its date."""
        self.socket.sendall(words)
        return self.answer()

    def answer(self) -> bytes:
        """The next answer, without its date."""
        while b"\r\n\r\n" not in self._got:
            self._more()
        head, _, told = self._got.partition(b"\r\n\r\n")
        length = re.search(rb"Content-Length: (\d+)", head)
        assert length
        while len(told) < int(length[1]):
            self._more()
            told = self._got.partition(b"\r\n\r\n")[2]
        self._got = told[int(length[1]) :]
        assert DATE.search(head)
        return DATE.sub(b"", head) + b"\r\n\r\n" + told[: int(length[1])]

    def _more(self) -> None:
        came = self.socket.recv(4096)
        assert came
        self._got += came

    def ended(self) -> bool:
        """Whether the server closes it and has nothing more to say."""
        return self._got + self.socket.recv(4096) == b""


@contextmanager
def served(store: Store, monkeypatch: pytest.MonkeyPatch, network: Network | None = None) -> Iterator[Asked]:
    asked = Asked(store, monkeypatch, network)
    channels: dict[int, Any] = asked.server._all

    def looking() -> None:
        while channels:
            asked.server.look()

    loop = threading.Thread(target=looking, name=LOOP)
    loop.start()
    try:
        yield asked
    finally:
        left = list(channels.values())
        channels.clear()  # with nothing to look at, its loop ends
        asked.server.pull_trigger()
        loop.join()
        for channel in left:
            channel.close()
        asked.server.task_dispatcher.shutdown()


def poll(path: str, *headers: str, version: str = "1.1") -> bytes:
    lines = [f"GET {path}/version HTTP/{version}", "Host: localhost", *headers]
    return "\r\n".join([*lines, "", ""]).encode()


@pytest.fixture
def path(store: Store) -> str:
    return keep(store, opened())


UNDER: Final[dict[str, tuple[dict[str, Any], str, tuple[str, ...]]]] = {
    "this machine alone": ({}, "", ("Cookie: session=a",)),
    "a path": ({"prefix": "/domino", "limits": Limits()}, "/domino", ()),
    "a proxy": ({"proxies": 1, "names": frozenset({"a.example"})}, "", ("X-Forwarded-Host: a.example",)),
}


@pytest.mark.parametrize("under", UNDER)
def test_the_same_question_gets_the_same_answer_without_another_thread(
    store: Store, path: str, monkeypatch: pytest.MonkeyPatch, under: str
) -> None:
    settings, prefix, headers = UNDER[under]
    with served(store, monkeypatch, Network(**settings)) as asked:
        line = asked.line()
        words = poll(prefix + path, *headers)
        answers = [line.ask(words) for _ in range(4)]
        assert answers == answers[:1] * 4
        assert answers[0].startswith(b"HTTP/1.1 200 OK\r\n")
        assert answers[0].endswith(b"\r\n\r\n1")
        assert asked.at_once() == [False, True, True, True]
        line.socket.close()


def test_what_is_told_at_once_is_never_of_before(store: Store, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with served(store, monkeypatch) as asked:
        line = asked.line()
        told = []
        for number in range(1, 5):
            told.append(line.ask(poll(path)).rpartition(b"\r\n")[2])
            store.append(path[3:], Noted("a"), seen=number, key="")
        assert told == [b"1", b"2", b"3", b"4"]
        assert asked.at_once() == [False, True, True, True]
        store.delete(path[3:])
        assert line.ask(poll(path)).startswith(b"HTTP/1.1 410 ")
        store.restore(path[3:])
        assert line.ask(poll(path)).startswith(b"HTTP/1.1 200 ")
        line.socket.close()


def test_another_question_is_read_anew(store: Store, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    other = keep(store)
    with served(store, monkeypatch) as asked:
        line = asked.line()
        told = [line.ask(poll(one)).rpartition(b"\r\n")[2] for one in (path, path, other, other, path)]
        assert told == [b"1", b"1", b"0", b"0", b"1"]
        assert asked.at_once() == [False, True, False, True, False]
        line.socket.close()


def test_all_else_takes_its_usual_way(store: Store, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page, a form, words that are none, a guess too many: as often as they come."""
    limits = Limits(wrong=Buckets(3, 1000))
    with served(store, monkeypatch, Network(limits=limits)) as asked:
        line = asked.line()
        page = f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
        form = f"POST {path}/version HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\na=b".encode()
        for words, statuses in ((page, [200] * 3), (form, [405] * 3), (poll("/m/nobody"), [404] * 3 + [429])):
            assert [int(line.ask(words)[9:12]) for _ in statuses] == statuses
        broken = asked.line()
        assert broken.ask(b"nonsense\r\n\r\n").startswith(b"HTTP/1.0 400 ")
        broken.socket.close()
        line.socket.close()


def test_questions_in_pieces_and_several_at_once(store: Store, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with served(store, monkeypatch) as asked:
        line = asked.line()
        words = poll(path)
        whole = line.ask(words)
        for _ in range(2):
            line.socket.sendall(words + words)
            assert [line.answer(), line.answer()] == [whole] * 2
        for half in (words[:20], words[20:]) * 2:
            line.socket.sendall(half)
        assert [line.answer(), line.answer()] == [whole] * 2
        line.socket.close()


@pytest.mark.parametrize(
    ("version", "headers", "kept"),
    [("1.1", (), True), ("1.1", ("Connection: close",), False), ("1.0", (), False)],
)
def test_a_connection_is_kept_or_closed_as_was_asked(
    store: Store, path: str, monkeypatch: pytest.MonkeyPatch, version: str, headers: tuple[str, ...], kept: bool
) -> None:
    with served(store, monkeypatch) as asked:
        line = asked.line()
        words = poll(path, *headers, version=version)
        first = line.ask(words)
        if kept:
            assert line.ask(words) == first
        else:
            assert line.ended()
        line.socket.close()


def test_http_1_0_that_keeps_its_connection(store: Store, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with served(store, monkeypatch) as asked:
        line = asked.line()
        answers = [line.ask(poll(path, "Connection: keep-alive", version="1.0")) for _ in range(3)]
        assert answers == answers[:1] * 3
        assert b"\r\nConnection: Keep-Alive" in answers[0]
        assert asked.at_once() == [False, True, True]
        line.socket.close()


def test_a_connection_for_polls_leaves_no_cycle(store: Store, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server has the collector look for cycles so seldom that a hall would pile them up."""
    gc.collect()
    gc.disable()
    try:
        with served(store, monkeypatch) as asked:
            line = asked.line()
            for _ in range(3):
                line.ask(poll(path))
            line.socket.close()
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        assert not {Channel, Poll} & set(map(type, gc.garbage))
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()


def test_no_more_are_let_in_at_one_look_than_there_is_room_for(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else none of the files that the system allows would be left for the database and the pages."""
    asked = Asked(store, monkeypatch, None)
    server = asked.server
    server.adj.connection_limit = room = 8
    lines = [asked.line() for _ in range(2 * room)]
    for _ in range(2):
        server.look()
        assert len(server._all) == room
    server.asyncore.close_all(server._all)
    server.task_dispatcher.shutdown()
    for line in lines:
        line.socket.close()
