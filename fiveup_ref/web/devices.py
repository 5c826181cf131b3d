"""Which device an entry comes from, and the question before one takes back what another entered."""

from __future__ import annotations

import secrets
from typing import cast

from flask import current_app, g, render_template, session

from fiveup_ref.device_names import DeviceNames
from fiveup_ref.engine.events import Event, Undone
from fiveup_ref.store import EntryInfo, Saved

from .forms import EntryForm
from .language import gettext as _
from .words import told


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
    """Where an entry came from: what the device is called, or in words; empty where nobody knows."""
    if not info.who:
        return ""
    return name_of(info.who) or (_("another device") if from_another(info) else _("this device"))


def device_names() -> DeviceNames:
    """The names of devices in this app."""
    return cast(DeviceNames, current_app.extensions["device_names"])


def name_of(device: str) -> str:
    """What a device is called; '' where it has no name."""
    known: dict[str, str] = g.setdefault("device_names", {})
    if device not in known:
        known[device] = device_names().name(device)
    return known[device]


def name_here() -> str:
    """What this device is called."""
    return name_of(session["device"]) if "device" in session else ""


def call_this_device(name: str) -> None:
    """Give this device a name; '' takes it away."""
    if name != name_here():
        device_names().call(this_device(), name)
        g.pop("device_names", None)


def question(saved: Saved, form: EntryForm, event: Event, sure: str) -> str | None:
    """The page that asks before an undo reaches what another device entered; None where nothing is to be asked."""
    log = saved.match.log
    if not isinstance(event, Undone) or not 1 <= event.entry <= len(log) or form.seen_number != len(log) or sure:
        return None
    info = saved.entries[event.entry - 1]
    if not from_another(info):
        return None
    what = told(log[event.entry - 1], saved.match)
    return render_template("question.html", saved=saved, form=form, info=info, what=what, device=whose(info))
