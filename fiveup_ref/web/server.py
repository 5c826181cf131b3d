"""waitress, told how to look after many connections."""

from __future__ import annotations

import gc
import sys
import time
from typing import TYPE_CHECKING, Any, Final

from waitress.channel import HTTPChannel
from waitress.server import TcpWSGIServer
from waitress.task import WSGITask

from .polls import Poll, Polls, poll_in

if TYPE_CHECKING:
    from flask import Flask

# What matches leave behind has no cycles; looking for some among all that is held made everybody wait.
_SELDOM: Final = (100_000, 50, 100)
# Seconds until another thread may go on: an entry needs several turns while many polls are answered.
_TURN: Final = 0.001
_FEW: Final = 200  # connections
_REST: Final = 1e-5  # seconds for each connection: 25 ms where 2,500 are open


class Channel(HTTPChannel):
    """A connection, which a page keeps open to ask the same in the same words every other second.

    From the second time on these words are not read again, and no thread is woken: the server has the answer to all who
    ask so in one question. Whatever else comes takes its usual way.
    """

    server: Server
    _words = b""
    _poll: Poll | None = None  # what the words mean, where they came before
    _request: Any = None  # not what the stubs say

    def received(self, data: bytes) -> bool:
        """Have it answered with the others, or have it read."""
        if not (self.requests or self.request or self.will_close or self.close_when_flushed):
            if data != self._words:
                self._words, self._poll = data, None
            elif poll := self._poll or self._read():
                self.server.asked.append((self, poll))
                return True
        return bool(super().received(data))

    def answer(self, told: bytes | None, headers: list[tuple[str, str]]) -> None:
        """Tell what is told; None: what was asked takes its usual way.

        The connection stays open: who wants it closed has that from the first answer, and asks nothing again.
        """
        if told is None:
            super().received(self._words)
        elif self.connected:
            task = WSGITask(self, self._request)
            task.response_headers, task.content_length = headers, len(told)
            task.start()
            self.write_soon(task.build_response_header() + told)
            self.handle_write()

    def _read(self) -> Poll | None:
        self._request = request = self.parser_class(self.adj)
        whole = request.received(self._words) == len(self._words) and request.completed
        if whole and not (request.empty or request.error):
            environ = WSGITask(self, self._request).get_environment()
            del environ["waitress.client_disconnected"]  # it leads back here, and cycles are seldom looked for
            self._poll = poll_in(self.server.application, environ)
        return self._poll


class Server(TcpWSGIServer):
    """The app on a port, with waitress's own settings.

    Each look of waitress goes over all connections, whoever has asked something, and lets in one who comes. Where a
    hall keeps thousands open, looking would be all it did. So it lets in all who wait, rests between looks where there
    are many connections, and answers at one look all who asked meanwhile.
    """

    channel_class = Channel

    def __init__(self, app: Flask, **settings: Any) -> None:
        self.asked: list[tuple[Channel, Poll]] = []
        self._polls: Polls = app.extensions["polls"]
        self._all: dict[int, Any] = {}  # the connections, and what else waitress looks at
        super().__init__(app, map=self._all, **settings)

    def handle_accept(self) -> None:
        """Let in all who wait and for whom there is room."""
        before = -1
        while before < len(self._all) < self.adj.connection_limit:
            before = len(self._all)
            super().handle_accept()

    def look(self) -> None:
        """Wait until somebody asks or a second has passed, and answer."""
        self.asyncore.loop(timeout=1, use_poll=self.adj.asyncore_use_poll, map=self._all, count=1)
        if asked := self.asked:
            self.asked = []
            for (channel, _), told in zip(asked, self._polls.answers([poll for _, poll in asked]), strict=True):
                channel.answer(told, self._polls.headers(told or b""))

    def run(self) -> None:
        """Serve until it is interrupted."""
        sys.setswitchinterval(_TURN)
        gc.freeze()
        gc.set_threshold(*_SELDOM)
        try:
            while True:
                self.look()
                if len(self._all) > _FEW:
                    time.sleep(len(self._all) * _REST)
        except (SystemExit, KeyboardInterrupt):
            self.task_dispatcher.shutdown()
