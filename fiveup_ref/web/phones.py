"""The page that brings phones in: the address in letters and as a QR code, others to choose, and what may hinder."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import segno
from flask import Blueprint, render_template, request
from markupsafe import Markup

from . import reach
from .language import gettext as _
from .reach import Found, Kind, Ranked


@dataclass(frozen=True)
class Phones:
    """Where phones find the app: `given` is the address that was fixed, '' none; `look` finds those of the machine."""

    port: int
    given: str = ""
    prefix: str = ""
    look: Callable[[], Sequence[Found]] = reach.interfaces

    def url(self, address: str) -> str:
        """What a phone opens.

        >>> Phones(8000).url("192.168.1.20"), Phones(80, prefix="/domino").url("laptop.local")
        ('http://192.168.1.20:8000/', 'http://laptop.local/domino/')
        """
        return f"http://{address}{'' if self.port == 80 else f':{self.port}'}{self.prefix}/"

    def chosen(self) -> str | None:
        """The address that is shown unless another is chosen; None where none is likely to be reached."""
        return self.given or reach.best(self.look())

    def blueprint(self) -> Blueprint:
        """The page, and for other pages that it is there."""
        pages = Blueprint("phones", __name__)
        pages.add_url_rule("/phones", "phones", self._page)
        pages.app_context_processor(lambda: {"phones_here": True})
        return pages

    def _page(self) -> str:
        found = reach.ranked(self.look())
        own = {"127.0.0.1", *(one.address for one in found)}
        at_this_machine = request.remote_addr in own  # others need not know which networks it is in
        wanted = request.args.get("at", "")
        address = self.given or reach.best(found_of(found))
        if at_this_machine and wanted in {one.address for one in found}:
            address = wanted
        return render_template(
            "phones.html",
            url=self.url(address) if address else None,
            code=qr(self.url(address)) if address else None,
            address=address,
            others=[(one, kind_text(one.kind)) for one in found] if at_this_machine else [],
            firewall=firewall() if at_this_machine else None,
            container=at_this_machine and in_container() and not self.given,
            port=self.port,
        )


def found_of(places: Sequence[Ranked]) -> list[Found]:
    """The places without their kinds."""
    return [Found(one.interface, one.address) for one in places]


def qr(text: str, style: str = "") -> Markup:
    """A QR code as SVG, black on white with its quiet zone; the style sheet says its size, by the class `style`."""
    code = segno.make_qr(text, error="m")
    return Markup(code.svg_inline(border=4, omitsize=True, svgclass=style or None, lineclass=None, light="#fff"))  # noqa: S704 - numbers only


def kind_text(kind: Kind) -> str:
    """What is to be said of an address beside the others."""
    return {
        Kind.HOME: _("home network"),
        Kind.OTHER: _("another network"),
        Kind.ALONE: _("no router gave this address: phones hardly reach it"),
        Kind.CONTAINER: _("of containers or virtual machines: phones do not reach it"),
        Kind.VPN: _("of a VPN: phones beside you do not reach it"),
    }[kind]


def firewall(root: Path = Path("/")) -> str | None:
    """The firewall that is known to be on and is asked to let a port in by the command of that name.

    Only ufw says so without being asked as root; of every other nothing is known.
    """
    try:
        lines = (root / "etc/ufw/ufw.conf").read_text("utf-8", "replace").lower().split()
    except OSError:
        return None
    return "ufw" if "enabled=yes" in lines else None


def in_container(root: Path = Path("/")) -> bool:
    """Whether this program runs in a container, whose addresses only its own machine reaches."""
    return any((root / mark).exists() for mark in (".dockerenv", "run/.containerenv"))


def announce(phones: Phones) -> None:
    """Say on the terminal what may hinder, and show the code there where it can be shown."""
    address = phones.chosen()
    if address is None:
        _say(
            "No address of this computer is one that phones are likely to reach. Join a Wi-Fi, or choose one of these",
            "with --address: " + (", ".join(one.address for one in reach.ranked(phones.look())) or "(none found)"),
        )
    if firewall():
        _say(f"A firewall is on (ufw). If phones find nothing: sudo ufw allow {phones.port}/tcp")
    if in_container() and not phones.given:
        _say("This runs in a container. If phones find nothing: --address with the address of the computer it runs on.")
    if address and sys.stdout.isatty() and (sys.stdout.encoding or "").lower().startswith("utf"):
        segno.make_qr(phones.url(address), error="m").terminal(compact=True)


def _say(*lines: str) -> None:
    print("\n".join(lines), flush=True)  # noqa: T201
