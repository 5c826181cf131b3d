"""Addresses to hand to others."""

from __future__ import annotations

from urllib.parse import urljoin

from flask import current_app, request

from .phones import Phones
from .rights import loops_back


def address(path: str) -> str:
    """The whole address of a path of this app, under the name by which this page was reached.

    At this computer itself, which others cannot reach by that name, it is the address for phones.
    """
    phones: Phones | None = current_app.extensions.get("phones")
    here = request.host.rpartition(":")[0] or request.host
    chosen = phones.chosen() if phones and loops_back(here) else None
    return urljoin(phones.url(chosen) if phones and chosen else request.host_url, path)
