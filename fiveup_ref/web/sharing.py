"""The addresses of a match for other screens: to watch, for the wall, to agree."""

from __future__ import annotations

from flask import Blueprint, render_template, url_for

from .links import address
from .matches import store
from .phones import qr


def blueprint() -> Blueprint:
    """The page, which holds nothing that lets one write."""
    pages = Blueprint("sharing", __name__)
    pages.add_url_rule("/m/<match_id>/share", "share", _share)
    pages.app_context_processor(lambda: {"qr": qr})
    return pages


def _share(match_id: str) -> str:
    saved = store().load(match_id)
    found = {
        name: address(url_for(endpoint, match_id=match_id))
        for name, endpoint in (("watch", "matches.table"), ("board", "board.board"), ("seat", "agreeing.seat"))
    }
    return render_template("share.html", saved=saved, addresses=found)
