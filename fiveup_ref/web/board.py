"""The second screen: the score, the last play and the layout, to be read from across the room."""

from __future__ import annotations

from datetime import UTC, datetime

from flask import Blueprint, render_template

from .matches import store
from .pages import table_page


def blueprint() -> Blueprint:
    """The page for the wall."""
    pages = Blueprint("board", __name__)
    pages.add_url_rule("/m/<match_id>/board", "board", _board)
    return pages


def _board(match_id: str) -> str:
    saved = store().load(match_id)
    return render_template(
        "board.html",
        saved=saved,
        page=table_page(saved.match),
        seen=len(saved.match.log),
        now=int(datetime.now(UTC).timestamp() * 1000),
    )
