"""Corrections of any entry of any round: what it should have been, what was forgotten before it, out with it."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from typing import Any, Final
from urllib.parse import urlencode

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from fiveup_ref.engine.course import stages
from fiveup_ref.engine.events import (
    Amended,
    Correction,
    GameEvent,
    Inserted,
    RoundOpened,
    Undone,
)
from fiveup_ref.engine.faults import Fault, RulesError
from fiveup_ref.engine.log import taken_back
from fiveup_ref.engine.match import Match
from fiveup_ref.engine.tiles import DOUBLE_SIX
from fiveup_ref.store import Conflict, Saved

from .devices import this_device, whose
from .forms import EntryForm
from .language import gettext as _
from .language import say
from .matches import store
from .mending import ALONE, OF_A_ROUND, TURNS, MendForm, kind_names, likely_kind
from .preview import Preview, preview
from .words import said, shown_names, told

_NOT_OF_THE_ENTRY: Final = ("csrf_token", "seen", "key", "do")

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
        event = match.events.get(entry)
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
            called = ("PointedOut",) if self.saved.match.rules.muggins_call else ()
            return (*OF_A_ROUND, *called, *ALONE)
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
            turn = form.kind.data in TURNS and bool(form.moves.data)
            return Inserted(self.entry, event, why, moves_turns=turn)
        if isinstance(event, RoundOpened) and isinstance(self.event, RoundOpened):
            event = replace(event, lots=self.event.lots) if event == replace(self.event, lots=()) else event
        return Amended(self.entry, event, why)


def _change(match_id: str, entry: int, way: str) -> Answer:
    saved = store().load(match_id)
    if entry > len(saved.match.log):
        abort(404)
    place = Place.of(saved, entry, way)
    if request.method == "POST":
        return _save(place)
    if not place.open:
        return redirect(_line(saved, entry), 303)
    form = MendForm(meta={"csrf": False})
    if request.args.get("do") or way == "remove":
        return _look(place, form)
    form.prefill(place.kind(request.args.get("kind", "")), place.event if way == "edit" else None, place.before)
    return _show(place, form)


def _look(place: Place, form: MendForm) -> Answer:
    """What the entry would change; nothing is written."""
    event = _read(place, form, request.args)
    if event is None:
        return _show(place, form), 422
    return _show(place, form) if request.args.get("do") == "edit" else _looked_at(place, form, event)


def _save(place: Place) -> Answer:
    saved = place.saved
    entry, form = EntryForm(), MendForm()
    event = _read(place, form, request.form)
    if not entry.validate() or event is None:
        return _refused(place, form, _("That form was not complete. Please enter it again.") if entry.errors else "")
    try:
        after = store().append(saved.id, event, seen=entry.seen_number, key=entry.key.data or "", who=this_device())
    except Conflict as conflict:
        meanwhile = [told(one, conflict.saved.match) for one in conflict.since]
        now = Place.of(conflict.saved, place.entry, place.way)
        return _looked_at(now, form, event, meanwhile=meanwhile)[0], 409
    except RulesError as error:
        form.beside(error, shown_names(saved.match))
        return _refused(place, form)
    return redirect(_line(saved, len(after.entries) if place.way == "insert" else place.entry), 303)


def _refused(place: Place, form: MendForm, refusal: str = "") -> tuple[str, int]:
    """The same form with what is wrong; what is only taken out is looked at again."""
    if place.way == "remove":
        return _looked_at(place, form, Undone(place.entry), refusal=refusal)[0], 422
    return _show(place, form, refusal=refusal), 422


def _read(place: Place, form: MendForm, sent: MultiDict[str, str]) -> Correction | None:
    """The entry that was sent; None where something is wrong beside a field."""
    names = shown_names(place.saved.match)
    form.kind.data = "" if place.way == "remove" else place.kind(form.kind.data or "")
    form.read(place.before, sent, names, working=False)
    if not form.validate() or form.wrong:
        return None
    try:
        return place.correction(form)
    except RulesError as error:
        form.beside(error, names)
        return None


def _line(saved: Saved, entry: int) -> str:
    return url_for("history.history", match_id=saved.id, _anchor=f"entry-{entry}")


def _looked_at(place: Place, form: MendForm, event: Correction, **more: Any) -> tuple[str, int]:
    """The page with what the event would change; the form again where it cannot be entered."""
    match = place.saved.match
    try:
        if isinstance(event, Amended) and event.event == place.event:
            raise RulesError(Fault.NOTHING_CHANGED)
        return _show(place, form, preview=preview(match, event), **more), 200
    except RulesError as error:
        if place.way == "remove":
            more["refusal"] = say(error, shown_names(match))
        else:
            form.beside(error, shown_names(match))
        return _show(place, form, **more), 422


def _show(place: Place, form: MendForm, *, preview: Preview | None = None, **more: Any) -> str:
    saved = place.saved
    match = saved.match
    names = shown_names(match)
    log = match.log
    sent = request.form if request.method == "POST" else request.args
    again = [(name, value) for name, value in sent.items(multi=True) if name not in _NOT_OF_THE_ENTRY]
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
        turn=place.way == "insert" and form.kind.data in TURNS,
        tiles=DOUBLE_SIX,
        lying=[tile for tile, _onto in layout.plays] if layout else [],
        unseen=layout.unplayed() if layout else (),
        preview=preview,
        seen=len(log),
        key=secrets.token_urlsafe(12),
        again=[(name, value) for name, value in again if name != "why"],
        back=f"{request.script_root}{request.path}?{urlencode([*again, ('do', 'edit')])}",
        **more,
    )
