"""waitress, told how to look after many connections."""

from __future__ import annotations

import gc
import sys
import time
from typing import TYPE_CHECKING, Any, Final

from waitress.server import TcpWSGIServer

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

# What matches leave behind has no cycles; looking for some among all that is held made everybody wait.
_SELDOM: Final = (100_000, 50, 100)
# Seconds until another thread may go on: an entry needs several turns while many polls are answered.
_TURN: Final = 0.001
_FEW: Final = 200  # connections
_REST: Final = 1e-5  # seconds for each connection: 25 ms where 2,500 are open


class Server(TcpWSGIServer):
    """The app on a port, with waitress's own settings.

    Each look of waitress goes over all connections, whoever has asked something, and lets in one who comes. Where a
    hall keeps thousands open, looking would be all it did. So it lets in all who wait, rests between looks where there
    are many connections, and answers at one look all who asked meanwhile.
    """

    def __init__(self, app: WSGIApplication, **settings: Any) -> None:
        self._all: dict[int, Any] = {}  # the connections, and what else waitress looks at
        super().__init__(app, map=self._all, **settings)

    def handle_accept(self) -> None:
        """Let in all who wait."""
        before = -1
        while before < len(self._all):
            before = len(self._all)
            super().handle_accept()

    def run(self) -> None:
        """Serve until it is interrupted."""
        sys.setswitchinterval(_TURN)
        gc.freeze()
        gc.set_threshold(*_SELDOM)
        try:
            while True:
                self.asyncore.loop(timeout=1, use_poll=self.adj.asyncore_use_poll, map=self._all, count=1)
                if len(self._all) > _FEW:
                    time.sleep(len(self._all) * _REST)
        except (SystemExit, KeyboardInterrupt):
            self.task_dispatcher.shutdown()
