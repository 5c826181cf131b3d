"""Under which address the phones of a network reach this machine: what it has, and which of it is likely right."""

from __future__ import annotations

import json
import re
import socket
import subprocess
from collections.abc import Iterable
from enum import IntEnum
from ipaddress import IPv4Address, IPv4Network
from typing import Final, NamedTuple


class Kind(IntEnum):
    """What an address is good for, the best first."""

    HOME = 1  # a private address of a card that a Wi-Fi or a cable hangs on
    OTHER = 2  # none of the private ones: a public address, or a network with numbers of its own
    ALONE = 3  # the machine gave it to itself because no router did
    CONTAINER = 4
    VPN = 5


class Found(NamedTuple):
    """An IPv4 address of this machine and its interface; '' where the system does not tell."""

    interface: str
    address: str


class Ranked(NamedTuple):
    """A found address with its kind."""

    interface: str
    address: str
    kind: Kind


_LIKELY: Final = Kind.OTHER
_HOME: Final = tuple(map(IPv4Network, ("192.168.0.0/16", "10.0.0.0/8", "172.16.0.0/12")))
_ALONE: Final = IPv4Network("169.254.0.0/16")
_DOCKER: Final = IPv4Network("172.17.0.0/16")
_OPENVPN: Final = IPv4Network("10.8.0.0/24")
_CARRIER: Final = IPv4Network("100.64.0.0/10")  # of meshes and mobile networks, which no neighbour reaches
_CARDS: Final = re.compile(r"(wl|en|eth|wifi)", re.IGNORECASE)
_CONTAINERS: Final = re.compile(
    r"(docker|br-|veth|virbr|vmnet|vboxnet|vnet|lxc|lxdbr|cni|flannel|cali|podman)", re.IGNORECASE
)
_VPNS: Final = re.compile(r"(tun|tap|utun|wg|ppp|tailscale|zt|ipsec|nordlynx|proton)", re.IGNORECASE)


def ranked(found: Iterable[Found]) -> list[Ranked]:
    """The addresses, the one phones can most likely reach first; loopback is none.

    >>> [one.address for one in ranked([Found("docker0", "172.17.0.1"), Found("wlan0", "192.168.1.20")])]
    ['192.168.1.20', '172.17.0.1']
    """
    places = [Ranked(*one, kind_of(one)) for one in dict.fromkeys(found) if not IPv4Address(one.address).is_loopback]
    return sorted(places, key=lambda one: (one.kind, _home_order(one.address)))


def best(found: Iterable[Found]) -> str | None:
    """The address to show to phones; None where each is one that they hardly reach.

    >>> best([Found("tun0", "10.8.0.2"), Found("lo", "127.0.0.1")]) is None
    True
    """
    first = next(iter(ranked(found)), None)
    return first.address if first and first.kind <= _LIKELY else None


def kind_of(one: Found) -> Kind:
    """The kind of an address, by its interface and, where that says nothing, by its number."""
    address = IPv4Address(one.address)
    if _CONTAINERS.match(one.interface) or address in _DOCKER:
        return Kind.CONTAINER
    if _VPNS.match(one.interface) or address in _CARRIER:
        return Kind.VPN
    if address in _OPENVPN and not _CARDS.match(one.interface):
        return Kind.VPN
    if address in _ALONE:
        return Kind.ALONE
    return Kind.HOME if any(address in network for network in _HOME) else Kind.OTHER


def _home_order(address: str) -> int:
    number = IPv4Address(address)
    return next((place for place, network in enumerate(_HOME) if number in network), len(_HOME))


def interfaces() -> list[Found]:
    """The IPv4 addresses of this machine, as far as the system tells them; with interfaces on Linux only."""
    return _by_ip() or _by_name()


def _by_ip() -> list[Found]:
    try:
        told = subprocess.run(["ip", "-j", "-4", "addr", "show", "up"], capture_output=True, timeout=5, check=True)
        return [
            Found(str(card["ifname"]), str(IPv4Address(one["local"])))
            for card in json.loads(told.stdout)
            if "ifname" in card  # some print an empty object for each card they leave out
            for one in card.get("addr_info", ())
        ]
    except (OSError, subprocess.SubprocessError, ValueError, KeyError, TypeError, AttributeError):
        return []  # there is no such tool, or it is one that speaks no JSON


def _by_name() -> list[Found]:
    """Those its own name leads to, and that of the way out, which sends nothing."""
    addresses: list[str] = []
    try:
        named = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET, socket.SOCK_STREAM)
        addresses += [str(one[4][0]) for one in named]
    except OSError:
        pass  # a machine need not know its own name
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            addresses.append(str(probe.getsockname()[0]))
        except OSError:
            pass  # no network at all
    return [Found("", address) for address in dict.fromkeys(addresses)]
