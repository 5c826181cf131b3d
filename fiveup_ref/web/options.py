"""The command line of `app.py`, and what the server itself is told."""

from __future__ import annotations

import argparse
import ipaddress
import os
import re
import select
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from fiveup_ref.engine.numbers import whole_number

from .housekeeping import add_commands

PORT: Final = 8000
_MOST_CONNECTIONS: Final = 4000
_FILES_BESIDE: Final = 100  # the database, its backups, the log
_NAME: Final = re.compile(r"(?!-)[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})*", re.IGNORECASE)
_PREFIX: Final = re.compile(r"(/[A-Za-z0-9._~-]+)+")


def options(arguments: Sequence[str]) -> argparse.Namespace:
    """What the command line says. Ends with status 2 where it says what cannot be."""
    parser = _parser()
    wanted = parser.parse_args(arguments)
    wanted.address, wanted.prefix = wanted.address or "", wanted.prefix or ""
    if wanted.address and not wanted.lan:
        parser.error("--address is the one shown to phones, so it needs --lan")
    if wanted.proxy and not wanted.host and not wanted.command:
        parser.error("with --proxy say under which name people come: --host NAME")
    return wanted


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="app.py", description="Keeps score of Five Up at a real table.")
    parser.add_argument("--data", type=Path, default=data_folder(), metavar="DIR", help="data folder (%(default)s)")
    parser.add_argument("--port", type=_port, default=PORT, help="port (%(default)s)")
    parser.add_argument("--lan", action="store_true", help="let other devices of the network in, not only this machine")
    parser.add_argument("--address", type=_name, metavar="A", help="with --lan: the address or name to show to phones")
    parser.add_argument(
        "--host", type=_name, action="append", default=[], metavar="NAME", help="a name the app answers to as well"
    )
    parser.add_argument(
        "--proxy",
        type=_proxies,
        nargs="?",
        const=1,
        default=0,
        metavar="N",
        help="believe the forwarded headers of so many reverse proxies before it (one, if no number is given)",
    )
    parser.add_argument("--prefix", type=_prefix, metavar="PATH", help="the path it stands under, such as /domino")
    parser.add_argument(
        "--passcode", default="", metavar="WORD", help="ask for it of others who start a match or bring one in"
    )
    add_commands(parser)
    return parser


def _port(text: str) -> int:
    try:
        return whole_number(text, lowest=1, highest=65535)
    except ValueError:
        raise argparse.ArgumentTypeError("a port is a number from 1 to 65535") from None


def _proxies(text: str) -> int:
    try:
        return whole_number(text, lowest=1, highest=9)
    except ValueError:
        raise argparse.ArgumentTypeError("the number of proxies is one from 1 to 9") from None


def _name(text: str) -> str:
    """A host name or an IPv4 address."""
    if _NAME.fullmatch(text) and len(text) <= 253:
        if re.fullmatch(r"[\d.]+", text):
            try:
                return str(ipaddress.IPv4Address(text))
            except ValueError:
                raise argparse.ArgumentTypeError("an address has four numbers up to 255") from None
        return text.lower()
    raise argparse.ArgumentTypeError("a name or address stands alone, as in laptop.local or 192.168.1.20")


def _prefix(text: str) -> str:
    if _PREFIX.fullmatch(text.rstrip("/")) and not {".", ".."} & set(text.split("/")):
        return text.rstrip("/")
    raise argparse.ArgumentTypeError("a prefix is a path such as /domino")


def data_folder() -> Path:
    """The usual place for a program's data on this system."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "fiveup_ref"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "fiveup_ref"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "fiveup_ref"


def server_settings() -> dict[str, Any]:
    """What waitress is told: bounds of what one client may send and hold, and room for the phones of a big hall."""
    return {
        "threads": 8,
        "ident": None,
        "connection_limit": _connections(),
        "asyncore_use_poll": hasattr(select, "poll"),  # the other way ends at 1024 connections
        "channel_timeout": 60,  # seconds for who says nothing more
        "cleanup_interval": 15,
        "max_request_header_size": 32 * 1024,
        "max_request_body_size": 16 * 1024**2,  # above what the app takes, so that it can say so in its own page
        "clear_untrusted_proxy_headers": False,  # by them `rights.is_host` sees a proxy that nobody spoke of
    }


def _connections() -> int:
    """How many connections there is room for; the system may allow more open files than it gives at first."""
    try:
        import resource  # noqa: PLC0415 - there is none on Windows
    except ImportError:
        return 400
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MOST_CONNECTIONS + _FILES_BESIDE
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return _MOST_CONNECTIONS if soft == resource.RLIM_INFINITY else min(_MOST_CONNECTIONS, soft - _FILES_BESIDE)
