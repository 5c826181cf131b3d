"""Serving the app: what it is made of, and the server itself."""

from __future__ import annotations

import argparse
import errno
import logging
import os
import secrets
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from flask import Flask

from fiveup_ref.backups import Backups
from fiveup_ref.store import Store

from . import create_app
from .housekeeping import Housekeeping, refusals
from .limits import Limits
from .network import Network, names_here
from .options import PORT, options, server_settings
from .phones import Phones, announce
from .server import Server


def serve(arguments: Sequence[str]) -> None:
    """Serve the app as the command line says, until it is interrupted. Ends with status 1 where it cannot start."""
    wanted = options(arguments)
    if wanted.command:
        wanted.command(wanted)
        return
    app, store, housekeeping = _made(wanted)
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # it warns at every burst of polls
    bind = "0.0.0.0" if wanted.lan else "127.0.0.1"  # noqa: S104 - the network was asked for
    try:
        server = Server(app, host=bind, port=wanted.port, **server_settings())
    except OSError as error:
        wrong = "is in use" if error.errno == errno.EADDRINUSE else f"cannot be used: {error.strerror}"
        sys.exit(f"Port {wanted.port} {wrong}. Choose another, such as: python3 app.py --port {PORT + 80}")
    phones = _phones(wanted)
    try:
        if not store.readonly:
            housekeeping.start()
        address = f"http://{bind}:{wanted.port}{wanted.prefix}/"
        if wanted.lan:
            address = phones.url(phones.chosen() or "127.0.0.1")
        _say(f"Five Up referee: {address}", f"Data folder: {wanted.data}   Stop: Ctrl-C")
        if store.readonly:
            _say("The data folder cannot be written to: matches can be looked at, but nothing entered.")
        if wanted.lan and not _fronted(wanted):
            _say(f"On this computer, with every match and the backups: http://127.0.0.1:{wanted.port}/")
        if wanted.lan and not wanted.proxy:
            announce(phones)
        server.run()
    except KeyboardInterrupt:
        pass  # before the server was there to take it
    finally:
        housekeeping.stop()
        store.close()


def application(*arguments: str) -> Flask:
    """The app for another server, with the options of `app.py` as arguments or in FIVEUP_OPTIONS.

    One process with threads: what a client may do is counted, and a match folded, in each process for itself.
    """
    app, store, housekeeping = _made(options(arguments or shlex.split(os.environ.get("FIVEUP_OPTIONS", ""))))
    if not store.readonly:
        housekeeping.start()
    return app


def _made(wanted: argparse.Namespace) -> tuple[Flask, Store, Housekeeping]:
    with refusals(wanted.data):
        store = Store(wanted.data)
        store.check()
        key = secret_key(wanted.data)
    backups = Backups(wanted.data)
    alone = not (wanted.lan or _fronted(wanted))
    network = Network(
        names=frozenset(wanted.host) | (names_here() | {wanted.address} if wanted.lan else frozenset()),
        proxies=wanted.proxy,
        prefix=wanted.prefix,
        fronted=_fronted(wanted),
        limits=None if alone else Limits(),
        phones=_phones(wanted) if wanted.lan and not wanted.proxy else None,
    )
    app = create_app(
        store, secret_key=key, everyone_here=alone, backups=backups, network=network, passcode=wanted.passcode
    )
    return app, store, Housekeeping(store, backups)


def _fronted(wanted: argparse.Namespace) -> bool:
    """Whether a proxy may stand before it, so that requests of others come from this machine too."""
    return bool(wanted.proxy or wanted.prefix or wanted.host)


def _phones(wanted: argparse.Namespace) -> Phones:
    return Phones(wanted.port, wanted.address, wanted.prefix)


def _say(*lines: str) -> None:
    print("\n".join(lines), flush=True)  # noqa: T201


def secret_key(folder: Path) -> str:
    """The key that signs cookies and forms; kept, so that forms which lie open survive a restart of the server."""
    path = folder / "secret_key"
    if not os.access(folder, os.W_OK):  # nothing can be entered, so a key for this start alone will do
        return secrets.token_urlsafe(48)
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)  # narrow rights from the start
    with os.fdopen(file, "r+", encoding="ascii") as kept:
        key = kept.read()
        if not key:  # new, or its first start was cut off
            key = secrets.token_urlsafe(48)
            kept.write(key)
    return key
