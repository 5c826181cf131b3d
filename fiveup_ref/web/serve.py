"""Serving the app: where the data lies, on which address, and the server itself."""

from __future__ import annotations

import argparse
import errno
import logging
import os
import secrets
import socket
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import waitress.server

from fiveup_ref.backups import Backups
from fiveup_ref.store import Store

from . import create_app
from .housekeeping import Housekeeping, add_commands, refusals

_PORT: Final = 8000


def serve(arguments: Sequence[str]) -> None:
    """Serve the app as the command line says, until it is interrupted. Ends with status 1 where it cannot start."""
    wanted = _parser().parse_args(arguments)
    if wanted.command:
        wanted.command(wanted)
        return
    address = "0.0.0.0" if wanted.lan else "127.0.0.1"  # noqa: S104 - the network was asked for
    with refusals(wanted.data):
        store = Store(wanted.data)
        store.check()
        key = secret_key(wanted.data)
    backups = Backups(wanted.data)
    app = create_app(store, secret_key=key, everyone_here=not wanted.lan, backups=backups)
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # it warns at every burst of polls
    try:
        server = waitress.server.create_server(app, host=address, port=wanted.port, threads=8, ident=None)
    except OSError as error:
        wrong = "is in use" if error.errno == errno.EADDRINUSE else f"cannot be used: {error.strerror}"
        sys.exit(f"Port {wanted.port} {wrong}. Choose another, such as: python3 app.py --port {_PORT + 80}")
    housekeeping = Housekeeping(store, backups)
    try:
        if not store.readonly:
            housekeeping.start()
        print(f"Five Up referee: http://{_address_here() if wanted.lan else address}:{wanted.port}/", flush=True)  # noqa: T201
        print(f"Data folder: {wanted.data}   Stop: Ctrl-C", flush=True)  # noqa: T201
        if store.readonly:
            print("The data folder cannot be written to: matches can be looked at, but nothing entered.", flush=True)  # noqa: T201
        server.run()
    except KeyboardInterrupt:
        pass  # before the server was there to take it
    finally:
        housekeeping.stop()
        store.close()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="app.py", description="Keeps score of Five Up at a real table.")
    parser.add_argument("--data", type=Path, default=data_folder(), metavar="DIR", help="data folder (%(default)s)")
    parser.add_argument("--port", type=_port, default=_PORT, help="port (%(default)s)")
    parser.add_argument("--lan", action="store_true", help="let other devices of the network in, not only this machine")
    add_commands(parser)
    return parser


def _port(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) <= 5 and 0 < int(text) < 65536:
        return int(text)
    raise argparse.ArgumentTypeError("a port is a number from 1 to 65535")


def data_folder() -> Path:
    """The usual place for a program's data on this system."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "fiveup_ref"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "fiveup_ref"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "fiveup_ref"


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


def _address_here() -> str:
    """The address that other devices can reach: that of the way out, which sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"
