"""Corrections of any entry of any round: what it should have been, what was forgotten before it, out with it."""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass, replace
from typing import Any

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from fiveup_ref.engine.course import stages
from fiveup_ref.engine.events import (
    Amended,
    Correction,
    Event,
    GameEvent,
    Inserted,
    RoundOpened,
    Undone,
    standing,
    taken_back,
    to_row,
)
from fiveup_ref.engine.faults import Fault, RulesError
from fiveup_ref.engine.match import Match
from fiveup_ref.engine.tiles import DOUBLE_SIX
from fiveup_ref.store import Conflict, Saved

from .devices import this_device, whose
from .language import say
from .matches import store
from .mending import ALONE, OF_A_ROUND, MendForm, kind_names, likely_kind
from .preview import Preview, attention, preview
from .words import said, shown_names

Answer = str | Response | tuple[str, int]


def blueprint() -> Blueprint:
    """The forms that correct a match."""
    pages = Blueprint("corrections", __name__)
    pages.add_url_rule(
        "/m/<match_id>/entry/<number:entry>/<any(edit, insert, remove):way>", "change", _change, methods=["GET", "POST"]
    )
    return pages


@dataclass(frozen=True)
class Place:
    """An entry that is looked at to `edit` it, `insert` before it or `remove` it.

    `event` is what stands there (None: nothing of the game), `before` the match right before it.
    """

    saved: Saved
    entry: int
    way: str
    event: GameEvent | None
    before: Match

    @staticmethod
    def of(saved: Saved, entry: int, way: str) -> Place:
        """The place of an entry of this log."""
        match = saved.match
        event = next((one.event for one in standing(match.log) if one.entry == entry), None)
        before = match
        for number, stage in stages(match):
            if number == entry:
                break
            before = stage
        return Place(saved, entry, way, event if isinstance(event, GameEvent) else None, before)

    @property
    def open(self) -> bool:
        """Whether this can be done there at all."""
        return self.event is not None or (self.way == "remove" and self.entry not in taken_back(self.saved.match.log))

    def kinds(self) -> tuple[str, ...]:
        """The kinds of entry that can be chosen."""
        if self.way == "insert":
            return (*OF_A_ROUND, *ALONE)
        own = type(self.event).__name__
        return OF_A_ROUND if own in OF_A_ROUND or self.event is None else (own,)

    def kind(self, wanted: str) -> str:
        """The kind that was asked for; else the entry's own, or what is likely to have been forgotten."""
        usual = likely_kind(self.before) if self.way == "insert" else type(self.event).__name__
        return next(kind for kind in (wanted, usual, self.kinds()[0]) if kind in self.kinds())

    def correction(self, form: MendForm) -> Correction:
        """The entry that the form makes. Raises RulesError."""
        why = form.why.data or ""
        if self.way == "remove":
            return Undone(self.entry, why)
        event = form.event()
        if self.way == "insert":
            return Inserted(self.entry, event, why)
        if isinstance(event, RoundOpened) and isinstance(self.event, RoundOpened):
            event = replace(event, lots=self.event.lots) if event == replace(self.event, lots=()) else event
        return Amended(self.entry, event, why)


def _change(match_id: str, entry: int, way: str) -> Answer:
    saved = store().load(match_id)
    if entry > len(saved.match.log):
        abort(404)
    place = Place.of(saved, entry, way)
    form = MendForm()
    if request.method == "POST":
        return _posted(place, form)
    if not place.open:
        return redirect(_line(saved, entry), 303)
    if way == "remove":
        form.hands = []
        return _looked_at(place, form, Undone(entry), 200)
    form.prefill(place.kind(request.args.get("kind", "")), place.event if way == "edit" else None, place.before)
    return _show(place, form)


def _posted(place: Place, form: MendForm) -> Answer:
    saved = place.saved
    names = shown_names(saved.match)
    form.kind.data = "" if place.way == "remove" else place.kind(form.kind.data or "")
    form.read(place.before, request.form, names, working=False)
    if not form.validate() or form.wrong:
        return _show(place, form), 422
    try:
        event = place.correction(form)
    except RulesError as error:
        form.beside(error, names)
        return _show(place, form), 422
    if request.form.get("do") == "save" and form.shown.data == fingerprint(event):
        try:
            after = store().append(saved.id, event, seen=form.seen_number, key=form.key.data or "", who=this_device())
        except Conflict as conflict:
            return _conflict(conflict, place, form, event)
        except RulesError as error:
            form.beside(error, names)
            return _show(place, form), 422
        return redirect(_line(saved, len(after.entries) if place.way == "insert" else place.entry), 303)
    if form.seen_number != len(saved.match.log):
        return _conflict(Conflict(saved, saved.match.log[max(form.seen_number, 0) :]), place, form, event)
    return _looked_at(place, form, event, 200)


def fingerprint(event: Event) -> str:
    """What an event does as one line, so that only what was looked at is saved; its reason changes nothing."""
    row = {name: value for name, value in to_row(event).items() if name != "reason"}
    return json.dumps(row, separators=(",", ":"))


def _line(saved: Saved, entry: int) -> str:
    return url_for("history.history", match_id=saved.id, _anchor=f"entry-{entry}")


def _looked_at(place: Place, form: MendForm, event: Event, status: int, **more: Any) -> tuple[str, int]:
    """The page with what the event would change; 422 where it cannot be entered."""
    form.shown.data = fingerprint(event)
    try:
        if isinstance(event, Amended) and event.event == place.event:
            raise RulesError(Fault.NOTHING_CHANGED)
        looked = preview(place.saved.match, event)
    except RulesError as error:
        form.shown.data = ""
        names = shown_names(place.saved.match)
        if place.way == "remove":
            more["refusal"] = say(error, names)
        else:
            form.beside(error, names)
        return _show(place, form, **more), 422 if status == 200 else status
    return _show(place, form, preview=looked, **more), status


def _conflict(conflict: Conflict, place: Place, form: MendForm, event: Event) -> tuple[str, int]:
    """Somebody else entered something meanwhile: it is shown beside the form, which keeps what was typed."""
    now = Place.of(conflict.saved, place.entry, place.way)
    names = shown_names(conflict.saved.match)
    meanwhile = [said(one, names) for one in conflict.since]
    return _looked_at(now, form, event, 409, meanwhile=meanwhile)


def _show(place: Place, form: MendForm, *, preview: Preview | None = None, **more: Any) -> str:
    saved = place.saved
    match = saved.match
    names = shown_names(match)
    log = match.log
    form.seen.data, form.key.data = str(len(log)), secrets.token_urlsafe(12)
    layout = place.before.round.layout if place.before.round else None
    return render_template(
        "correct.html",
        saved=saved,
        place=place,
        form=form,
        names=names,
        said=said(place.event or log[place.entry - 1], names),
        info=saved.entries[place.entry - 1],
        device=whose(saved.entries[place.entry - 1]),
        brings_back=isinstance(log[place.entry - 1], Undone),
        kinds={kind: text for kind, text in kind_names().items() if kind in place.kinds()},
        tiles=DOUBLE_SIX,
        lying=[tile for tile, _onto in layout.plays] if layout else [],
        unseen=layout.unplayed() if layout else (),
        preview=preview,
        attention=attention(match),
        **more,
    )
