"""Which device an entry comes from, and the question before one takes back what another entered."""

from __future__ import annotations

import secrets

from flask import render_template, session

from fiveup_ref.engine.events import Event, Undone
from fiveup_ref.store import EntryInfo, Saved

from .forms import EntryForm
from .language import gettext as _
from .words import said, shown_names


def this_device() -> str:
    """A name for this browser by chance, kept in its cookie; it says nothing about who uses it."""
    if "device" not in session:
        session.permanent = True
        session["device"] = secrets.token_urlsafe(6)
    return str(session["device"])


def from_another(info: EntryInfo) -> bool:
    """Whether an entry is known to come from another device than the one that asks."""
    return info.who not in ("", session.get("device"))


def whose(info: EntryInfo) -> str:
    """Where an entry came from, in words; empty where nobody knows."""
    if not info.who:
        return ""
    return _("another device") if from_another(info) else _("this device")


def question(saved: Saved, form: EntryForm, event: Event, sure: str) -> str | None:
    """The page that asks before an undo reaches what another device entered; None where nothing is to be asked."""
    log = saved.match.log
    if not isinstance(event, Undone) or not 1 <= event.entry <= len(log) or form.seen_number != len(log) or sure:
        return None
    info = saved.entries[event.entry - 1]
    if not from_another(info):
        return None
    what = said(log[event.entry - 1], shown_names(saved.match))
    return render_template("question.html", saved=saved, form=form, info=info, what=what)
