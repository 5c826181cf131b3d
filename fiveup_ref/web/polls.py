"""The question that every phone and screen asks every other second, answered ahead of Flask.

It takes a tenth of the time that way. The route in `matches` is what this answers like, to the byte: whatever is not
the plain case, such as a match that is not there or a client that has to wait, goes on to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

_POLL: Final = re.compile(r"/m/([A-Za-z0-9_-]+)/version")
_MEANT: Final = "fiveup_ref.poll"


class Poll(NamedTuple):
    """For which match somebody asks, and who: the environment as the app sees it."""

    match_id: str
    environ: WSGIEnvironment


def poll_in(app: WSGIApplication, environ: WSGIEnvironment) -> Poll | None:
    """The poll that a request to an app is, if it is one; it is not answered."""
    found: list[Poll] = []
    app({**environ, _MEANT: found}, _say_nothing)
    return next(iter(found), None)


class Polls:
    """An app with polls answered before it.

    `versions` of matches, as texts, of those that there are; `lets_in` says whether the app answers to whoever asks so;
    `headers` are those of every page.
    """

    def __init__(
        self,
        app: WSGIApplication,
        *,
        versions: Callable[[Collection[str]], Mapping[str, str]],
        lets_in: Callable[[WSGIEnvironment], bool],
        headers: Iterable[tuple[str, str]],
    ) -> None:
        self._app = app
        self._versions = versions
        self._lets_in = lets_in
        self._headers = tuple(headers)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer it, or have the app do so."""
        asked = environ["REQUEST_METHOD"] == "GET" and _POLL.fullmatch(environ.get("PATH_INFO", ""))
        poll = Poll(asked[1], environ) if asked else None
        if _MEANT in environ:
            environ.pop(_MEANT).extend([poll] if poll else [])  # not kept in it: a poll has the environment
            return ()
        (told,) = self.answers([poll]) if poll else (None,)
        if told is None:
            return self._app(environ, start_response)
        start_response("200 OK", self.headers(told))
        return [told]

    def answers(self, polls: Sequence[Poll]) -> list[bytes | None]:
        """What is told to each; None: that is for the app to say. Asks for all versions at once."""
        try:
            asked = [poll.match_id if self._lets_in(poll.environ) else "" for poll in polls]
            versions = self._versions(set(asked))
        except Exception:  # noqa: BLE001 - whatever it is, the app meets it too and has a page for it
            return [None for _ in polls]
        return [versions[match_id].encode() if match_id in versions else None for match_id in asked]

    def headers(self, told: bytes) -> list[tuple[str, str]]:
        """Those of an answer."""
        return [("Content-Type", "text/plain"), ("Content-Length", str(len(told))), *self._headers]


def _say_nothing(*_: object) -> Callable[[bytes], object]:
    raise AssertionError("a poll that is only looked for has no answer")
