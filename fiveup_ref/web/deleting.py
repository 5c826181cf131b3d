"""Deleting a match, which asks first, and restoring it within 30 days."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from typing import NamedTuple

from flask import Blueprint, redirect, render_template, url_for
from werkzeug.wrappers import Response

from fiveup_ref.store import KEPT_DELETED, DeletedMatch, Saved

from .language import local_time
from .matches import store
from .pages import TeamBox, team_boxes
from .rights import listed_here
from .words import shown_names


def blueprint() -> Blueprint:
    """The pages."""
    pages = Blueprint("deleting", __name__)
    pages.add_url_rule("/m/<match_id>/delete", "ask", _ask)
    pages.add_url_rule("/m/<match_id>/delete", "delete", _delete, methods=["POST"])
    pages.add_url_rule("/m/<match_id>/restore", "again", _again)
    pages.add_url_rule("/m/<match_id>/restore", "restore", _restore, methods=["POST"])
    pages.add_url_rule("/deleted", "deleted", _deleted)
    return pages


class Gone(NamedTuple):
    """A deleted match: what it was, when it was deleted, and until when it can be restored."""

    saved: Saved
    boxes: list[TeamBox]
    deleted: str
    until: str


def _ask(match_id: str) -> str:
    saved = store().load(match_id)
    return render_template("delete.html", saved=saved, boxes=team_boxes(saved.match, shown_names(saved.match)))


def _delete(match_id: str) -> Response:
    with suppress(DeletedMatch):  # the same form once more
        store().delete(match_id)
    return redirect(url_for("deleting.deleted"), 303)


def _again(match_id: str) -> Response:
    """The address of the button, loaded once more."""
    return redirect(url_for("matches.table", match_id=match_id), 303)


def _restore(match_id: str) -> Response:
    store().restore(match_id)
    return redirect(url_for("matches.table", match_id=match_id), 303)


def _deleted() -> str:
    found = store().deleted(listed_here())
    return render_template("deleted.html", listed=[_gone(saved, saved.deleted) for saved in found if saved.deleted])


def deleted_match(error: DeletedMatch) -> tuple[str, int] | Response:
    """Answer an address of a match that was deleted: that it was, and how it comes back."""
    for saved in store().deleted([error.args[0]]):
        if saved.deleted:
            return render_template("was_deleted.html", gone=_gone(saved, saved.deleted)), 410
    return redirect(url_for("matches.table", match_id=error.args[0]), 303)  # restored a moment ago


def _gone(saved: Saved, deleted: datetime) -> Gone:
    boxes = team_boxes(saved.match, shown_names(saved.match))
    return Gone(saved, boxes, local_time(deleted, saved.zone), local_time(deleted + KEPT_DELETED, saved.zone))
