"""Addresses to hand to others."""

from __future__ import annotations

from urllib.parse import urljoin

from flask import request


def address(path: str) -> str:
    """The whole address of a path of this app, under the name by which this page was reached."""
    return urljoin(request.host_url, path)
