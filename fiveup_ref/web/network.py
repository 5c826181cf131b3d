"""How the app is reached: names it answers to, proxies before it, the path it stands under, cookies, limits."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from flask import Flask, request
from flask.sessions import SecureCookieSessionInterface, SessionMixin
from werkzeug.exceptions import MisdirectedRequest
from werkzeug.middleware.proxy_fix import ProxyFix

from .limits import Limits
from .phones import Phones

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

LOOPBACK: Final = frozenset({"localhost"})


class _Cookies(SecureCookieSessionInterface):
    """Sent back under the prefix alone, and over https alone where that is how they came."""

    def get_cookie_path(self, app: Flask) -> str:
        del app
        return request.script_root or "/"

    def should_set_cookie(self, app: Flask, session: SessionMixin) -> bool:
        """Not with what a page asks every other second: it changes nothing, and could bring back an older cookie."""
        return request.endpoint != "matches.version" and super().should_set_cookie(app, session)

    def get_cookie_secure(self, app: Flask) -> bool:
        del app
        return request.is_secure


class _Named:
    """Takes away a Host that cannot be a name, since Flask could make no page for a request with one."""

    def __init__(self, app: WSGIApplication) -> None:
        self._app = app

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        try:
            environ.get("HTTP_HOST", "").partition(":")[0].encode("idna")
        except UnicodeError:
            environ["HTTP_HOST"] = ""
        return self._app(environ, start_response)


class _Prefix:
    """Puts the app under a path, whether or not the proxy before it takes that path away."""

    def __init__(self, app: WSGIApplication, prefix: str) -> None:
        self._app = app
        self._prefix = prefix

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        environ["SCRIPT_NAME"] = self._prefix
        path = environ.get("PATH_INFO", "")
        if path == self._prefix or path.startswith(f"{self._prefix}/"):
            environ["PATH_INFO"] = path[len(self._prefix) :] or "/"
        return self._app(environ, start_response)


@dataclass(frozen=True)
class Network:
    """How the app is reached; the default is by this machine alone.

    `names`: host names it answers to beside `localhost` and every address in numbers, which no other site can make
    a browser send. `proxies`: how many stand before it, whose forwarded headers are believed; 0: none is.
    `fronted`: one may stand before it all the same, so that requests of others come from this machine too.
    `prefix`: the path it stands under, such as `/domino`. `limits`: what one client may do, None: all.
    """

    names: frozenset[str] = frozenset()
    proxies: int = 0
    prefix: str = ""
    fronted: bool = False
    limits: Limits | None = None
    phones: Phones | None = None

    def install(self, app: Flask) -> None:
        """Make the app answer so. Before anything else looks at a request."""
        app.session_interface = _Cookies()
        app.before_request(self._check_host)
        wsgi: Any = _Named(app.wsgi_app)
        if self.prefix:
            wsgi = _Prefix(wsgi, self.prefix)
        if self.proxies:
            count = self.proxies
            wsgi = ProxyFix(wsgi, x_for=count, x_proto=count, x_host=count, x_prefix=count)
        app.wsgi_app = wsgi  # type: ignore[method-assign] # as Flask says to add middleware
        if self.limits:
            self.limits.install(app)
        if self.phones:
            app.extensions["phones"] = self.phones
            app.register_blueprint(self.phones.blueprint())

    def lets_in(self, environ: WSGIEnvironment) -> bool:
        """Whether a plain question may be answered at once: by this name, and to a client that need not wait."""
        if not answers_to(environ.get("HTTP_HOST", ""), self.names):
            return False
        return self.limits is None or not self.limits.waits(environ.get("REMOTE_ADDR", ""))

    def _check_host(self) -> None:
        if not answers_to(request.host, self.names):
            raise MisdirectedRequest


@lru_cache(maxsize=64)  # phones ask by the same few, every other second
def answers_to(host: str, names: frozenset[str]) -> bool:
    """Whether a Host header names this app: an address in numbers, `localhost` or one of `names`.

    >>> [answers_to(host, frozenset({"club.example"})) for host in ("10.0.0.5:8000", "club.example", "evil.example")]
    [True, True, False]
    """
    try:
        name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return False
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return bool(name) and name in LOOPBACK | names  # a host with signs that no name has is read as none at all
    return True


def names_here() -> frozenset[str]:
    """What neighbours may call this machine."""
    name = socket.gethostname().lower().removesuffix(".local")
    return frozenset({name, f"{name}.local"}) if name else frozenset()
